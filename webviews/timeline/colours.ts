/** What functions look like. Pure. */
import { eventKinds, type TimelineContent } from "../../src/protocol/timeline";
import { kindFill } from "../kit/kinds";
import type { Theme } from "../kit/theme/theme";
import { colorText, contrast, numberedColor, over, parseColor } from "../shared/color";

/** Lightnesses of functions of a kind, by their shades. */
const LIGHTER = [0, 0.08, -0.08, 0.15, -0.15];

/** What a function looks like where its time is its own. */
interface Look {
  readonly fill: string;
  /** Around marks that are wide enough for one. */
  readonly edge?: string;
  /** Of what is written on it. */
  readonly ink: string;
  readonly isIdle: boolean;
}

const known = new WeakMap<TimelineContent, { readonly theme: Theme; readonly looks: readonly Look[] }>();

/** Of each function of a content: thousands of marks ask in each frame. */
export function looksOf(content: TimelineContent, theme: Theme): readonly Look[] {
  const before = known.get(content);
  if (before?.theme === theme) return before.looks;
  const { names, kinds, colors, tones, shades, byFunction } = content;
  const looks = names.map((_, at): Look => {
    const kind = eventKinds[kinds[at]];
    const isOwn = colors[at] >= 0;
    const isIdle = kind === "idle" && !byFunction && !isOwn;
    const fill = isOwn
      ? colorText(numberedColor(colors[at]))
      : byFunction
        ? theme.tone(tones[at])
        : kindFill(kind, theme, LIGHTER[shades[at]]);
    return { fill, edge: theme.edgeOf(fill), ink: isIdle ? theme.text : theme.ink(fill), isIdle };
  });
  known.set(content, { theme, looks });
  return looks;
}

/** What is seen of a mark that stands back, and what is written on it. */
export interface Faint {
  readonly fill: string;
  readonly ink: string;
}

/** Text that is as easy to read needs no other colour. */
const READ = 4.5;
/** By opacity and colour: thousands of marks ask in each frame. */
const faints = new WeakMap<Theme, Map<number, Map<string, Faint>>>();

/** A colour over the background, so that nothing below shows through and crosses what is written there. @param opacity 0 to 1 */
export function faintOf(fill: string, opacity: number, theme: Theme): Faint {
  let all = faints.get(theme);
  if (!all) faints.set(theme, (all = new Map()));
  let known = all.get(opacity);
  if (!known) all.set(opacity, (known = new Map()));
  const before = known.get(fill);
  if (before) return before;
  const [own, background, text] = [fill, theme.background, theme.text].map(parseColor);
  if (!own || !background || !text) return { fill, ink: theme.text };
  const [red, green, blue] = own;
  const shown = over([red, green, blue, opacity], background);
  const shownText = colorText(shown);
  const faint = { fill: shownText, ink: contrast(text, shown) >= READ ? theme.text : theme.ink(shownText) };
  known.set(fill, faint);
  return faint;
}
