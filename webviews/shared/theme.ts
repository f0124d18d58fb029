/** The colours that drawings use, derived from the theme that VS Code shows at the moment. */
import { type Color, colorText, mix, over, parseColor, ramp, withContrast } from "./color";

export interface Theme {
  readonly background: string;
  readonly foreground: string;
  readonly muted: string;
  /** A flow's area, its outline, and the area of a flow that belongs to what is pointed at. */
  readonly flow: string;
  readonly flowEdge: string;
  readonly flowNear: string;
  /** Outline of a bar: visible however pale its filling is. */
  readonly outline: string;
  readonly focus: string;
  readonly font: string;
  /** Colour of an amount, 0 to 1. */
  readonly amount: (share: number) => string;
  /** Colour of a difference, -1 to 1: blue where less, orange where more, hardly any in the middle. */
  readonly difference: (share: number) => string;
}

/** Orange: the heat of the editor; used where the theme contributes no colour of its own. */
const HEAT: Color = [224, 112, 16, 1];
/** Ends of differences: told apart by those who see no red or green, too. */
const LESS: Color = [38, 110, 220, 1];
const MORE: Color = [226, 104, 0, 1];

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const isDark = /vscode-dark|vscode-high-contrast(?!-light)/.test(
    document.body.className.replace(/(?<!\S)\S+-light/g, ""),
  );
  const isHighContrast = document.body.className.includes("high-contrast");
  const background = parseColor(style.getPropertyValue("--vscode-editor-background")) ?? gray(isDark ? 0x1f : 0xff);
  const color = (variable: string, fallback: Color): Color => {
    const parsed = parseColor(style.getPropertyValue(variable));
    return parsed ? over(parsed, background) : fallback;
  };
  const foreground = color("--vscode-foreground", gray(isDark ? 0xcc : 0x3b));
  const [red, green, blue] = parseColor(style.getPropertyValue("--vscode-heatflow-heat8")) ?? HEAT;
  // The editor lays this colour over text, translucent; here it stands alone.
  const heat = ramp([red, green, blue, 1], background, isHighContrast ? 7 : 4.5);
  return {
    background: colorText(background),
    foreground: colorText(foreground),
    muted: colorText(withContrast(color("--vscode-descriptionForeground", foreground), background, 4.5)),
    flow: colorText(mix(background, foreground, isHighContrast ? 0.1 : 0.16)),
    flowEdge: colorText(mix(background, foreground, isHighContrast ? 0.9 : 0.4)),
    flowNear: colorText(mix(background, foreground, 0.38)),
    outline: colorText(withContrast(mix(background, foreground, isHighContrast ? 1 : 0.55), background, 3)),
    focus: colorText(withContrast(color("--vscode-focusBorder", foreground), background, 3)),
    font: style.getPropertyValue("--vscode-font-family") || "sans-serif",
    amount: (share) => colorText(heat(share)),
    difference: diverging(background, isHighContrast ? 7 : 4.5),
  };
}

function diverging(background: Color, ratio: number): (share: number) => string {
  const [less, more] = [LESS, MORE].map((hue) => withContrast(hue, background, ratio));
  return (share) => colorText(mix(background, share < 0 ? less : more, Math.min(1, 0.06 + 0.94 * Math.abs(share))));
}

/** Calls back when the user changes the theme. */
export function onThemeChange(changed: () => void): void {
  new MutationObserver(changed).observe(document.body, { attributes: true, attributeFilter: ["class"] });
}

function gray(part: number): Color {
  return [part, part, part, 1];
}
