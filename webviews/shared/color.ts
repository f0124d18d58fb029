/** Colours as numbers: what a theme gives is mixed and checked for contrast, never used unseen. */

/** Red, green, blue (0 to 255) and opacity (0 to 1). */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

/** Reads `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb(…)` and `rgba(…)`, which is all that VS Code hands to webviews. */
export function parseColor(text: string): Color | undefined {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text.trim())?.[1];
  if (hex !== undefined) {
    const digits = hex.length <= 4 ? [...hex].map((digit) => digit + digit).join("") : hex;
    if (digits.length !== 6 && digits.length !== 8) return undefined;
    const part = (at: number) => parseInt(digits.slice(at, at + 2), 16);
    return [part(0), part(2), part(4), digits.length === 8 ? part(6) / 255 : 1];
  }
  const parts = /^rgba?\(([^)]+)\)$/i
    .exec(text.trim())?.[1]
    .split(/[\s,/]+/)
    .map(Number);
  if (!parts || parts.length < 3 || parts.some(Number.isNaN)) return undefined;
  return [parts[0], parts[1], parts[2], parts[3] ?? 1];
}

/** @param number 0xRRGGBB */
export function numberedColor(number: number): Color {
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255, 1];
}

export function colorText([red, green, blue]: Color): string {
  return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** What a translucent colour looks like on an opaque background. */
export function over(color: Color, background: Color): Color {
  return mix(background, [color[0], color[1], color[2], 1], color[3]);
}

/** `from` at 0, `to` at 1; opaque. */
export function mix(from: Color, to: Color, share: number): Color {
  const part = (at: 0 | 1 | 2) => from[at] + (to[at] - from[at]) * share;
  return [part(0), part(1), part(2), 1];
}

/** Relative luminance after WCAG 2, 0 to 1. */
export function luminance([red, green, blue]: Color): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast ratio after WCAG 2, 1 to 21. */
export function contrast(a: Color, b: Color): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour itself, or else moved towards white or black until it stands out from the background by `ratio`. */
export function withContrast(color: Color, background: Color, ratio: number): Color {
  const away: Color = luminance(background) < 0.18 ? [255, 255, 255, 1] : [0, 0, 0, 1];
  const steps = 40;
  for (let step = 0; step < steps; step++) {
    const candidate = mix(color, away, step / steps);
    if (contrast(candidate, background) >= ratio) return candidate;
  }
  return away;
}
