/** All colours of a panel, derived from the theme that VS Code shows at the moment: one place, as tokens (look, section 2). */
import { HUES, LIGHTNESSES } from "../../../src/protocol/nameTones";
import { type Color, colorText, contrast, over, parseColor, withContrast } from "../../shared/color";
import { fromLch, type Lch, mixLab, toLch } from "./oklab";

/** What time is spent on: kinds keep their colour in every view. "idle" is the background with an edge, "uncovered" hatched. */
export type Kind = "computing" | "gpu" | "data" | "communication" | "runtime" | "io";

export interface Theme {
  readonly isDark: boolean;
  readonly isHighContrast: boolean;
  readonly background: string;
  readonly text: string;
  /** Second text in chrome, second text in drawings, and what is only a sign. */
  readonly muted: string;
  readonly soft: string;
  readonly faint: string;
  readonly line: string;
  readonly grid: string;
  /** Edges of flows, and flows that are hairlines: no flow is paler than this. */
  readonly flowInk: string;
  /** Of bars and cells: visible however pale the filling is. */
  readonly outline: string;
  /** Of every filled mark in high contrast; undefined: none is needed. */
  readonly edge: string | undefined;
  readonly focus: string;
  readonly link: string;
  readonly font: string;
  /** Colours of an amount, by {@link heatPosition}, and of flows at rest and pointed at. */
  heat(position: number): string;
  flow(position: number): string;
  flowNear(position: number): string;
  /** -1 to 1: blue where less, orange where more, hardly any in the middle. */
  difference(share: number): string;
  /** @param lighter for states of one kind: ± 0.06 to 0.15; @param hue added to the kind's, in degrees */
  kind(kind: Kind, lighter?: number, hue?: number): string;
  /** A hue of the name's own that is not the heat's. @param level neighbours of other levels (0 to 2) differ in lightness */
  named(name: string, level?: number): string;
  /** Of functions that are told apart by colour alone (`nameTones`). */
  tone(tone: number): string;
  /** So much of a colour as its share, the rest the background's: 0 to 1. */
  faded(fill: string, share: number): string;
  /** Of a filled mark: {@link edge}, or an outline where the filling can hardly be told from the background. */
  edgeOf(fill: string): string | undefined;
  /** Black or white: what is easier to read on this. */
  ink(fill: string): string;
}

/** Where an amount stands in the heat: 0 to 1. The root, since one bar often has most. */
export function heatPosition(amount: number, largest: number): number {
  return largest > 0 ? Math.sqrt(Math.min(1, Math.max(0, amount / largest))) : 0;
}

/** The share of the largest amount that stands at a position in the heat. */
export function heatShare(position: number): number {
  return position ** 2;
}

export const RAMP_COLORS = 9;

/** The contributed ramps begin with these: another beginning was chosen by somebody. */
const CONTRIBUTED_COLD = ["#453e39", "#f2ece4", "#322c28", "#f3ede6"];

/** Used where a page is not VS Code's, as the first and last of the ramp for dark themes. */
const NO_RAMP: readonly Color[] = [
  [69, 62, 57, 1],
  [255, 204, 90, 1],
];

const KINDS: Readonly<Record<Kind, { readonly dark: string; readonly light: string }>> = {
  computing: { dark: "#5198d8", light: "#579edf" },
  gpu: { dark: "#56d1a3", light: "#007654" },
  data: { dark: "#f4e06a", light: "#e6d35c" },
  communication: { dark: "#b84f8a", light: "#c85f99" },
  runtime: { dark: "#4d4b58", light: "#b7b5c4" },
  io: { dark: "#a9ecf2", light: "#33336b" },
};

/** Shares of the text's colour over the background. */
const SHARES = {
  dark: { muted: 0.72, soft: 0.87, faint: 0.5, outline: 0.5, grid: 0.1, flowInk: 0.3 },
  light: { muted: 0.76, soft: 0.88, faint: 0.55, outline: 0.55, grid: 0.1, flowInk: 0.26 },
  highContrast: { muted: 0.9, soft: 0.95, faint: 0.75, outline: 1, grid: 0.35, flowInk: 0.6 },
};

/** Lightness, chroma and hue of flows, from the background's lightness; `near` is 1 for those that are pointed at. */
const FLOWS: Readonly<Record<"dark" | "light" | "highContrast" | "highContrastLight", FlowColor>> = {
  dark: (t, near) => [0.06 + 0.075 * t + 0.058 * near, 0.006 + 0.088 * t + 0.02 * near * t, 45],
  light: (t, near) => [-0.05 - 0.09 * t - 0.05 * near, 0.006 + 0.1 * t + 0.025 * near * t, 64 - 12 * t],
  highContrast: (t, near) => [0.17 + 0.14 * t + 0.12 * near, 0.008 + 0.07 * Math.sqrt(t), 45],
  highContrastLight: (t, near) => [-0.04 - 0.1 * t - 0.08 * near, 0.006 + 0.09 * Math.sqrt(t), 58],
};
type FlowColor = (position: number, near: number) => Lch;

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  return themeOf((name) => style.getPropertyValue(`--vscode-${name}`), document.body.className);
}

/**
 * @param variable value of one of VS Code's variables, without its prefix; empty where the theme has none
 * @param className of the page's body: the kind of theme
 */
export function themeOf(variable: (name: string) => string, className: string): Theme {
  const isHighContrast = className.includes("vscode-high-contrast");
  const isDark = !/vscode-light|high-contrast-light/.test(className);
  const read = (name: string) => parseColor(variable(name));
  const background = read("editor-background") ?? gray(isDark ? 0x1f : 0xff);
  const color = (name: string, fallback: Color) => over(read(name) ?? fallback, background);
  const text = color("foreground", gray(isDark ? 0xcc : 0x3b));
  const shares = SHARES[isHighContrast ? "highContrast" : isDark ? "dark" : "light"];
  const toned = (share: number, ratio: number) =>
    colorText(withContrast(mixLab(background, text, share), background, ratio));
  const heat = ramp(
    Array.from({ length: RAMP_COLORS }, (_, at) => read(`heatflow-ramp${at}`)),
    background,
    isDark,
  );
  const flowOf = FLOWS[isHighContrast ? (isDark ? "highContrast" : "highContrastLight") : isDark ? "dark" : "light"];
  const [lightness] = toLch(background);
  const flow = (near: number) => (position: number) => {
    const [above, chroma, hue] = flowOf(clamp(position), near);
    return colorText(fromLch([clamp(lightness + above), chroma, hue]));
  };
  const [less, more] = ([255, 52] as const).map((hue) => fromLch([isDark ? 0.71 : 0.56, 0.16, hue]));
  const edge = isHighContrast ? colorText(color("contrastBorder", text)) : undefined;
  const outline = toned(shares.outline, 3);
  const ratios = new Map<string, number>();
  const fadings = new Map<string, Map<number, string>>();
  return {
    isDark,
    isHighContrast,
    background: colorText(background),
    text: colorText(text),
    muted: toned(shares.muted, 4.5),
    soft: toned(shares.soft, 4.5),
    faint: toned(shares.faint, 1),
    line: colorText(color("panel-border", mixLab(background, text, 0.17))),
    grid: toned(shares.grid, 1),
    flowInk: toned(shares.flowInk, 1),
    outline,
    edge,
    focus: colorText(withContrast(color("focusBorder", text), background, 3)),
    link: colorText(color("textLink-foreground", text)),
    font: variable("font-family") || "sans-serif",
    heat: (position) => colorText(heat(clamp(position))),
    flow: flow(0),
    flowNear: flow(1),
    difference: (share) =>
      colorText(mixLab(background, share < 0 ? less : more, Math.min(1, 0.08 + 0.92 * Math.abs(share)))),
    kind: (kind, lighter = 0, hue = 0) => {
      const [own, chroma, ownHue] = toLch(parseColor(KINDS[kind][isDark ? "dark" : "light"]) ?? WHITE);
      return colorText(fromLch([clamp(own + lighter), chroma, ownHue + hue]));
    },
    named: (name, level = 0) => colorText(fromLch([(isDark ? 0.52 : 0.62) + 0.09 * (level % 3), 0.09, hueOf(name)])),
    tone: (tone) => {
      const [hue, level] = [tone % HUES, Math.floor(tone / HUES)];
      // Neighbouring hues are of other lightnesses, too.
      const lightness = (isDark ? 0.52 : 0.62) + 0.09 * ((hue + level) % LIGHTNESSES);
      return colorText(fromLch([lightness, 0.09, COLDEST + (hue * HUES_WIDE) / HUES]));
    },
    faded(fill, share) {
      const shares = fadings.get(fill) ?? new Map<number, string>();
      fadings.set(fill, shares);
      if (shares.size > MOST_FADINGS) shares.clear();
      const known = shares.get(share) ?? colorText(mixLab(background, parseColor(fill) ?? background, clamp(share)));
      shares.set(share, known);
      return known;
    },
    edgeOf: (fill) => {
      if (edge !== undefined) return edge;
      const ratio = ratios.get(fill) ?? contrast(parseColor(fill) ?? background, background);
      ratios.set(fill, ratio);
      return ratio < SEEN ? outline : undefined;
    },
    ink: (fill) => {
      const known = parseColor(fill) ?? WHITE;
      return colorText(contrast(known, BLACK) >= contrast(known, WHITE) ? BLACK : WHITE);
    },
  };
}

/** Of one colour; gradients of hundreds of bars ask for the same shares each time that they are drawn. */
const MOST_FADINGS = 4096;
/** Contrast from which on a filling is seen without an edge. */
const SEEN = 1.4;
const BLACK = gray(0);
const WHITE = gray(255);

/** The theme's ramp; where the background is not the one that the contributed colours were made for, from that background's lightness. */
function ramp(read: readonly (Color | undefined)[], background: Color, isDark: boolean): (position: number) => Color {
  const given = read.every((color) => color !== undefined) ? read : NO_RAMP;
  let stops = given;
  const [cold] = given.map(toLch);
  const [bottom] = toLch(background);
  const away = isDark ? cold[0] - bottom : bottom - cold[0];
  const isOther = CONTRIBUTED_COLD.includes(colorText(given[0])) && !(away > 0.05 && away < 0.31);
  if (isOther) {
    const end = isDark ? 0.87 : 0.45;
    // Near black, lightness grows faster than contrast.
    const start = isDark ? Math.max(0.22, bottom + 0.13) : bottom - 0.06;
    const [last] = toLch(given[given.length - 1]);
    stops = given.map((color) => {
      const [own, chroma, hue] = toLch(color);
      return fromLch([start + ((own - cold[0]) / (last - cold[0])) * (end - start), chroma, hue]);
    });
  }
  return (position) => {
    const at = position * (stops.length - 1);
    const below = Math.min(Math.floor(at), stops.length - 2);
    return mixLab(stops[below], stops[below + 1], at - below);
  };
}

/** Degrees, never from 20 to 95: these are the heat's. */
const [COLDEST, HUES_WIDE] = [95, 286];

function hueOf(name: string): number {
  let hash = 2166136261;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16777619) >>> 0;
  return COLDEST + (hash % HUES_WIDE);
}

/** Makes the theme's colours those of the style sheet: `--hf-muted`, `--hf-heat0` to `--hf-heat8`, … */
export function wearTheme(theme: Theme): void {
  const { muted, soft, faint, line, grid, outline, focus, link } = theme;
  const tokens: Record<string, string> = { muted, soft, faint, line, grid, outline, focus, link };
  for (const kind of Object.keys(KINDS) as Kind[]) tokens[`kind-${kind}`] = theme.kind(kind);
  for (let at = 0; at < RAMP_COLORS; at++) tokens[`heat${at}`] = theme.heat(at / (RAMP_COLORS - 1));
  for (const name in tokens) document.documentElement.style.setProperty(`--hf-${name}`, tokens[name]);
}

/** Calls back when people change the theme. */
export function onThemeChange(changed: () => void): void {
  new MutationObserver(changed).observe(document.body, { attributes: true, attributeFilter: ["class"] });
}

function gray(part: number): Color {
  return [part, part, part, 1];
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
