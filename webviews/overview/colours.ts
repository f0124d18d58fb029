/** What states look like: as the recording says where that is wanted, else of their kind, told apart by hue and lightness from their names (look, section 2). Pure. */
import { eventKinds, type OverviewContent } from "../../src/protocol/overview";
import { kindFill } from "../kit/kinds";
import type { Theme } from "../kit/theme/theme";
import { colorText, numberedColor } from "../shared/color";

/** Within a kind: degrees around its hue, and how much lighter. */
const STEPS = [
  [-33, -0.08],
  [17, 0.15],
  [0, 0],
  [-16, 0.22],
  [34, -0.15],
  [-50, 0.07],
] as const;
/** Communication that many programs have looks the same in all of them: the first steps (look, section 2). */
const USUAL = [/send$/i, /(allreduce|reduce|bcast|barrier|alltoallv?|allgatherv?)$/i, /(wait|waitall|recv)$/i];
/** What is drawn of a state that a part is hardly in. */
const FAINTEST = 0.18;
/** Share of the text's colour of several states as one. */
const OTHER = 0.45;

const known = new WeakMap<OverviewContent["states"], { readonly theme: Theme; readonly fills: readonly string[] }>();

/** The colour of each state where all of a part is in it. */
export function stateFills(
  { states, stateKinds, stateColors }: Pick<OverviewContent, "states" | "stateKinds" | "stateColors">,
  theme: Theme,
): readonly string[] {
  const before = known.get(states);
  if (before?.theme === theme) return before.fills;
  const taken = new Map<number, Set<number>>();
  const fills = states.map((name, at) => {
    if (stateColors[at] >= 0) return colorText(numberedColor(stateColors[at]));
    const kind = eventKinds[stateKinds[at]] as (typeof eventKinds)[number] | undefined;
    if (kind === undefined) return theme.faded(theme.text, OTHER);
    // Computing alone is its kind's colour; what would look like a state before it steps on.
    const used = taken.get(stateKinds[at]) ?? new Set<number>();
    taken.set(stateKinds[at], used);
    const alone = Array.from(stateKinds).filter((one) => one === stateKinds[at]).length === 1;
    const known = USUAL.findIndex((usual) => usual.test(name));
    let step = alone ? 2 : known < 0 ? hashOf(name) % STEPS.length : known;
    while (used.has(step) && used.size < STEPS.length) step = (step + 1) % STEPS.length;
    used.add(step);
    const [hue, lighter] = STEPS[step];
    return kindFill(kind, theme, lighter, hue);
  });
  known.set(states, { theme, fills });
  return fills;
}

/** Opacity is the mode's share, never so little that nothing is seen. */
export function partFill(fill: string, share: number, theme: Theme): string {
  return theme.faded(fill, FAINTEST + (1 - FAINTEST) * share);
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) >>> 0;
  return hash;
}
