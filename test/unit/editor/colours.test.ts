import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HEAT_LEVELS } from "../../../src/editor/heat";

const { contributes } = JSON.parse(readFileSync("package.json", "utf8")) as {
  contributes: { colors: { id: string; defaults: Record<string, string> }[] };
};

/** Editor backgrounds of VS Code's default themes, and the least contrast of text in each (WCAG 2.2: AA, AAA). */
const themes = {
  dark: { background: "#1F1F1F", text: 4.5 },
  light: { background: "#FFFFFF", text: 4.5 },
  highContrast: { background: "#000000", text: 7 },
  highContrastLight: { background: "#FFFFFF", text: 7 },
};

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

function read(hex: string): Colour {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [part(1), part(3), part(5), hex.length > 7 ? part(7) : 1];
}

function over(top: Colour, below: Colour): Colour {
  const mix = (at: 0 | 1 | 2) => top[at] * top[3] + below[at] * (1 - top[3]);
  return [mix(0), mix(1), mix(2), 1];
}

/** Relative luminance and contrast ratio as WCAG 2.2 defines them. */
function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: Colour, b: Colour): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function colour(id: string, theme: string): Colour {
  const found = contributes.colors.find((entry) => entry.id === `heatflow.${id}`);
  expect(found, id).toBeDefined();
  return read(found?.defaults[theme] ?? "#000000");
}

describe.each(Object.entries(themes))("heat in %s themes", (theme, { background, text }) => {
  const levels = Array.from({ length: HEAT_LEVELS }, (_, at) => at + 1);
  const ground = read(background);

  it("leaves the cost readable on every level", () => {
    for (const level of levels) {
      const line = over(colour(`heat${level}`, theme), ground);
      expect(contrast(colour("inlineCost", theme), line), `level ${level}`).toBeGreaterThanOrEqual(text);
    }
  });

  it("grows with the level", () => {
    const steps = levels.map((level) => contrast(over(colour(`heat${level}`, theme), ground), ground));
    for (let at = 1; at < steps.length; at++) expect(steps[at]).toBeGreaterThan(steps[at - 1] * 1.02);
  });
});
