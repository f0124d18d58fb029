import { describe, expect, it } from "vitest";
import { type Color, colorText, contrast, parseColor } from "../../../webviews/shared/color";
import { mixLab, toLch } from "../../../webviews/kit/theme/oklab";
import { heatPosition, type Kind, type Theme, themeOf } from "../../../webviews/kit/theme/theme";
import manifest from "../../../package.json";
import themes from "../themes.json";

/** The look's table of the heat, from its colours 0 to 8. */
const heat = {
  dark: "453e39 5e4435 784634 9b4c30 be5128 d56725 eb7d20 f9a42d ffcc5a",
  light: "f2ece4 f5dfc4 fad1a3 fbba7a fca14e ee8133 df601b bd4116 9a2111",
  hcDark: "322c28 553421 79371e a1451f ca531a e4731f fb942a fec057 ffe891",
  hcLight: "f3ede6 f9debe fece96 faae67 f58c34 dc661c c13f0a 9a270d 740f0a",
};
const contributed = { dark: "dark", light: "light", hcDark: "highContrast", hcLight: "highContrastLight" } as const;
const names = Object.keys(heat) as (keyof typeof heat)[];
const kinds: readonly Kind[] = ["computing", "gpu", "data", "communication", "runtime", "io"];

function theme(name: keyof typeof heat, background?: string): Theme {
  const variables: Record<string, string | undefined> = { ...themes[name].variables };
  for (const { id, defaults } of manifest.contributes.colors)
    variables[`--vscode-${id.replaceAll(".", "-")}`] = defaults[contributed[name]];
  if (background !== undefined) variables["--vscode-editor-background"] = background;
  return themeOf((variable) => variables[`--vscode-${variable}`] ?? "", themes[name].body);
}

function color(text: string): Color {
  const parsed = parseColor(text);
  if (!parsed) throw new Error(`no colour: ${text}`);
  return parsed;
}

const ratio = (a: string, b: string) => contrast(color(a), color(b));
const steps = Array.from({ length: 41 }, (_, at) => at / 40);

describe.each(names)("theme %s", (name) => {
  const known = theme(name);
  const { background } = known;

  it("has the look's heat, and a contrast that grows all the way", () => {
    expect(Array.from({ length: 9 }, (_, at) => known.heat(at / 8))).toEqual(
      heat[name].split(" ").map((hex) => `#${hex}`),
    );
    const contrasts = steps.map((position) => ratio(known.heat(position), background));
    expect(contrasts).toEqual(contrasts.slice().sort((a, b) => a - b));
  });

  it("has text that can be read: 4.5 : 1, also on flows; outlines and focus 3 : 1", () => {
    for (const text of [known.text, known.muted, known.soft, known.link])
      expect(ratio(text, background)).toBeGreaterThanOrEqual(4.5);
    for (const line of [known.outline, known.focus]) expect(ratio(line, background)).toBeGreaterThanOrEqual(3);
    for (const position of steps) {
      expect(ratio(known.text, known.flow(position))).toBeGreaterThanOrEqual(4.5);
      expect(ratio(known.soft, known.flowNear(position))).toBeGreaterThanOrEqual(4);
      expect(ratio(known.ink(known.heat(position)), known.heat(position))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("draws no flow paler than a hairline: text over background, 26, 30 or 60 %", () => {
    const least = known.isHighContrast ? 4 : known.isDark ? 1.95 : 1.67;
    expect(ratio(known.flowInk, background)).toBeGreaterThanOrEqual(least - 0.01);
    const share = known.isHighContrast ? 0.6 : known.isDark ? 0.3 : 0.26;
    expect(known.flowInk).toBe(colorText(mixLab(color(background), color(known.text), share)));
    // Fills alone would be paler.
    for (const position of steps) expect(ratio(known.flow(position), background)).toBeGreaterThan(1.09);
    expect(ratio(known.flow(0), background)).toBeLessThan(ratio(known.flowInk, background));
  });

  it("outlines what can hardly be told from the background, and no kind's own colours", () => {
    const around = known.isHighContrast ? known.edge : known.outline;
    for (const fill of known.isDark ? ["#000000", background, "#333333"] : ["#ffffff", background, "#e0e0e0"])
      expect(known.edgeOf(fill), fill).toBe(around);
    const own = kinds.flatMap((kind) => [0, -0.07].map((lighter) => known.kind(kind, lighter)));
    const named = ["a", "b", "solve", "dot"].flatMap((word) => [0, 1, 2].map((level) => known.named(word, level)));
    for (const fill of [...own, ...named])
      expect(known.edgeOf(fill), `${fill} ${ratio(fill, background)}`).toBe(known.edge);
  });

  it("tells kinds apart, also without red or green", () => {
    const colors = kinds.map((kind) => color(known.kind(kind)));
    for (const see of [(c: Color) => c, deuteranope, protanope])
      for (const [at, a] of colors.entries())
        for (const b of colors.slice(at + 1)) expect(labDistance(see(a), see(b))).toBeGreaterThanOrEqual(0.1);
  });

  it("tells slower from faster, and neighbours of the heat, apart without red, green or blue", () => {
    const shares = [1, 0.75, 0.5, 0.25];
    for (const see of [(c: Color) => c, deuteranope, protanope, tritanope]) {
      const seen = (text: string) => see(color(text));
      // The sign is always written: colours say it from a quarter of the largest difference on.
      for (const more of shares)
        for (const less of shares)
          expect(labDifference(seen(known.difference(more)), seen(known.difference(-less)))).toBeGreaterThan(
            TOLD_APART,
          );
      for (const share of shares)
        for (const side of [-1, 1])
          expect(labDifference(seen(known.difference(side * share)), seen(background))).toBeGreaterThan(TOLD_APART);
      for (let at = 1; at < 9; at++)
        expect(labDifference(seen(known.heat(at / 8)), seen(known.heat((at - 1) / 8)))).toBeGreaterThan(JUST_NOTICED);
    }
  });

  it("gives both ends of a difference the same lightness, and hardly any colour to none", () => {
    const [less, more] = [known.difference(-1), known.difference(1)].map((text) => toLch(color(text)));
    expect(Math.abs(less[0] - more[0])).toBeLessThan(0.01);
    expect(ratio(known.difference(0), background)).toBeLessThan(1.3);
  });

  it("has an edge for filled marks in high contrast alone", () => {
    expect(known.edge !== undefined).toBe(name.startsWith("hc"));
  });

  it("gives names hues that are not the heat's", () => {
    for (let at = 0; at < 500; at++) {
      const [, , hue] = toLch(color(known.named(`function ${at}`, at)));
      expect(hue < 22 || hue > 93).toBe(true);
    }
  });
});

describe("another theme's background", () => {
  it.each([
    ["dark", "#002b36"],
    ["dark", "#2e3440"],
    ["dark", "#000000"],
    ["dark", "#3b3b3b"],
    ["light", "#fdf6e3"],
    ["light", "#e0e0e0"],
  ] as const)("gets a heat of growing contrast (%s, %s)", (name, background) => {
    const known = theme(name, background);
    const contrasts = steps.map((position) => ratio(known.heat(position), background));
    expect(contrasts).toEqual(contrasts.slice().sort((a, b) => a - b));
    expect(contrasts[0]).toBeGreaterThan(1.08);
    expect(contrasts[0]).toBeLessThan(2.2);
    expect(contrasts[40]).toBeGreaterThan(4.5);
    expect(ratio(known.muted, background)).toBeGreaterThanOrEqual(4.5);
  });
});

it("places amounts by their root", () => {
  expect([0, 1, 25, 100, 400].map((amount) => heatPosition(amount, 100))).toEqual([0, 0.1, 0.5, 1, 1]);
  expect(heatPosition(1, 0)).toBe(0);
});

it("mixes black and white in OKLab to the grey that eyes see as the middle", () => {
  // OKLab lightness 0.5 is sRGB 99 (Ottosson's own table of greys).
  expect(mixLab([0, 0, 0, 1], [255, 255, 255, 1], 0.5).map(Math.round)).toEqual([99, 99, 99, 1]);
});

/** CIE 1976 differences of colours beside each other: about 2.3 are just noticed (Mahy, Van Eycken and Oosterlinck 1994); twice that of marks apart. */
const JUST_NOTICED = 2.3;
const TOLD_APART = 2 * JUST_NOTICED;

/** ΔE*ab of CIE 15:2004, of the white D65. */
function labDifference(a: Color, b: Color): number {
  const [one, other] = [cieLab(a), cieLab(b)];
  return Math.hypot(...one.map((part, at) => part - other[at]));
}

/** sRGB (IEC 61966-2-1) in CIELAB. */
function cieLab(seen: Color): readonly number[] {
  const [r, g, b] = linearOf(seen);
  const ratios = [
    (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
  ];
  const [x, y, z] = ratios.map((part) =>
    part > (6 / 29) ** 3 ? Math.cbrt(part) : part / (3 * (6 / 29) ** 2) + 4 / 29,
  );
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function linearOf(seen: Color): number[] {
  return seen.slice(0, 3).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

function labDistance(a: Color, b: Color): number {
  const [[l, c, h], [m, d, i]] = [toLch(a), toLch(b)];
  const angle = ((h - i) * Math.PI) / 180;
  return Math.sqrt((l - m) ** 2 + c ** 2 + d ** 2 - 2 * c * d * Math.cos(angle));
}

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear light. */
function seenWith(matrix: readonly (readonly number[])[]): (color: Color) => Color {
  return (color) => {
    const linear = linearOf(color);
    const [red, green, blue] = matrix.map((row) => {
      const part = Math.min(
        1,
        Math.max(
          0,
          row.reduce((sum, weight, at) => sum + weight * linear[at], 0),
        ),
      );
      return 255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055);
    });
    return [red, green, blue, 1];
  };
}
const protanope = seenWith([
  [0.152286, 1.052583, -0.204868],
  [0.114503, 0.786281, 0.099216],
  [-0.003882, -0.048116, 1.051998],
]);
const deuteranope = seenWith([
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
]);
const tritanope = seenWith([
  [1.255528, -0.076749, -0.178779],
  [-0.078411, 0.930809, 0.147602],
  [0.004733, 0.691367, 0.3039],
]);
