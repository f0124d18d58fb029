/** Sentences on why a first picture is as it is. */
import { someOf } from "../../model/texts";
import { type Excess, MOST } from "./attempt";
import type { Chosen } from "./choice";

const EXCESS: Readonly<Record<Excess, string>> = {
  hidden: "would hide too much",
  groups: `would make more than ${MOST.groups} groups`,
  bars: `would make more than ${MOST.bars} bars`,
  flows: `would draw more than ${MOST.drawn} flows`,
  levels: `would have more than ${MOST.levels} levels`,
};
const MOST_NAMES = 6;

/** @param refused groups that were not opened */
export function whyText(
  { choice, isBeyond }: Pick<Chosen, "choice" | "isBeyond">,
  opened: readonly string[],
  alone: readonly string[],
  refused: readonly { readonly group: string; readonly excess: Excess }[],
): string {
  const sentences = [
    `Functions and bars below ${choice.filter} % of the total are hidden`,
    ...(isBeyond ? [`No filter leaves ${MOST.bars} bars, ${MOST.drawn} flows and ${MOST.levels} levels`] : []),
    ...(opened.length > 0 ? [`Opened: ${someOf(opened, MOST_NAMES)}`] : []),
    ...refused.map(({ group, excess }) => `Not opened: ${group}, which ${EXCESS[excess]}`),
    ...(alone.length > 0 ? [`Of these stand alone: ${someOf(alone, MOST_NAMES)}`] : []),
  ];
  return sentences.map((sentence) => `${sentence}.`).join(" ");
}
