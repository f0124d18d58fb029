/** Colours as eyes see them: OKLab and OKLCH (Björn Ottosson, "A perceptual color space for image processing", 2020). */
import type { Color } from "../../shared/color";

/** Lightness (0 to 1), chroma (0 to about 0.3), hue (degrees). */
export type Lch = readonly [lightness: number, chroma: number, hue: number];

type Lab = readonly [lightness: number, a: number, b: number];

function toLab([red, green, blue]: Color): Lab {
  const [r, g, b] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Linear red, green and blue; outside 0 to 1 where no screen shows the colour. */
function toLinear([lightness, a, b]: Lab): readonly number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function toColor(linear: readonly number[]): Color {
  const [red, green, blue] = linear.map((part) => {
    const share = Math.min(1, Math.max(0, part));
    return 255 * (share <= 0.0031308 ? 12.92 * share : 1.055 * share ** (1 / 2.4) - 0.055);
  });
  return [red, green, blue, 1];
}

/** `from` at 0, `to` at 1. */
export function mixLab(from: Color, to: Color, share: number): Color {
  const [a, b] = [toLab(from), toLab(to)];
  const part = (at: 0 | 1 | 2) => a[at] + (b[at] - a[at]) * share;
  return toColor(toLinear([part(0), part(1), part(2)]));
}

export function toLch(color: Color): Lch {
  const [lightness, a, b] = toLab(color);
  return [lightness, Math.hypot(a, b), ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360];
}

/** The colour, or where no screen shows it the one of the same lightness and hue with as much chroma as there is. */
export function fromLch([lightness, chroma, hue]: Lch): Color {
  const angle = (hue * Math.PI) / 180;
  const linear = (c: number) => toLinear([lightness, c * Math.cos(angle), c * Math.sin(angle)]);
  const isShown = (parts: readonly number[]) => parts.every((part) => part >= -0.002 && part <= 1.002);
  let most = chroma;
  while (most > 0 && !isShown(linear(most))) most -= 0.004;
  return toColor(linear(Math.max(0, most)));
}
