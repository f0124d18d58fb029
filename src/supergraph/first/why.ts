/** Sentences that explain the choice of a first picture. */
import { compareText } from "../../model/strings";
import { someOf } from "../../model/texts";
import { formatShare } from "../../model/units";
import { type Excess, FIRST_LIMITS } from "./attempt";
import type { Chosen } from "./choice";
import type { FirstBasis } from "./firstBasis";
import { heavierFirst } from "./runCosts";

const EXCESS: Readonly<Record<Excess, string>> = {
  hidden: "would hide too much",
  groups: `would make more than ${FIRST_LIMITS.groups} groups`,
  bars: `would make more than ${FIRST_LIMITS.bars} bars`,
  flows: `would draw more than ${FIRST_LIMITS.drawn} flows`,
  levels: `would have more than ${FIRST_LIMITS.levels} levels`,
};
const MAX_NAMES = 6;
/** Minimum share of the total for a note on a load module without names. */
const MIN_UNNAMED_SHARE = 0.2;

/** Advice for a picture without bars: every function is smaller than the filter. @param percent the filter, of the total */
export function notesOnNoBars({ ofFunctions, costs, names }: FirstBasis, percent: number): string[] {
  const functions = names.standsFor.filter((id, at) => id === at);
  const largest = functions.reduce((most, id) => Math.max(most, costs.at(ofFunctions, id)), 0);
  const share = formatShare(largest / costs.whole);
  return [
    `No function reaches ${percent} % of the total, so there is no bar: the largest has ${share}. Group by file or load module and set the filter to 0, or see Hot Functions.`,
  ];
}

/** Advice on expensive load modules whose functions have no names, most expensive first. */
export function notesOnNames({ names, costs, ofFunctions }: FirstBasis): string[] {
  return [...names.withoutNames]
    .map(([id, unnamed]) => ({ unnamed, cost: costs.at(ofFunctions, id) }))
    .filter(({ cost }) => costs.isShare(cost, MIN_UNNAMED_SHARE))
    .sort((a, b) => heavierFirst(a.cost, b.cost) || compareText(a.unnamed.module, b.unnamed.module))
    .map(({ unnamed: { module, debugPackage }, cost }) => {
      const symbols =
        debugPackage === undefined ? "debug symbols" : `debug symbols (${debugPackage} on Debian and Ubuntu)`;
      return `${module} has no names (${formatShare(cost / costs.whole)}): install its ${symbols} or build with -g.`;
    });
}

/** @param refused groups that were not opened */
export function whyText(
  { choice, isBeyond }: Pick<Chosen, "choice" | "isBeyond">,
  opened: readonly string[],
  alone: readonly string[],
  refused: readonly { readonly group: string; readonly excess: Excess }[],
): string {
  const sentences = [
    choice.filter === 0 ? "Nothing is hidden" : `Functions and bars below ${choice.filter} % of the total are hidden`,
    ...(isBeyond
      ? [
          `No filter stays within ${FIRST_LIMITS.bars} bars, ${FIRST_LIMITS.drawn} flows and ${FIRST_LIMITS.levels} levels`,
        ]
      : []),
    ...(opened.length > 0 ? [`Expanded: ${someOf(opened, MAX_NAMES)}`] : []),
    ...refused.map(({ group, excess }) => `Not expanded: ${group}, which ${EXCESS[excess]}`),
    ...(alone.length > 0 ? [`Functions with a bar of their own: ${someOf(alone, MAX_NAMES)}`] : []),
  ];
  return sentences.map((sentence) => `${sentence}.`).join(" ");
}
