/** Start of a panel's graphs: the settings' values, or the first picture with its choice (semantics 2, rule 7). */
import type { ChosenStart, GraphQuery } from "../../engine/api";
import type { GroupChoice, KeptChoice } from "../../protocol/superGraph";
import { currentSettings } from "../../session/sourceFeed";
import type { GraphStart } from "./graphSteps";

/** Percent of the total; the filter if a grouping was chosen without one. */
const USUAL_FILTER = 0.1;

/** Basis of a first picture's choice: a metric of a recording, or of two that are compared. */
export type ChoiceBasis = Omit<KeptChoice, "choice">;

/** The start of a new panel: the first picture unless a setting says otherwise. */
export function settingsStart(): GraphStart {
  const { superGraphFilterPercent: filter, superGraphGroupBy: groupBy = "first" } = currentSettings();
  return { filter: groupBy === "first" ? filter : (filter ?? USUAL_FILTER), groupBy };
}

/** Filter and grouping of a question. A choice that was made on something else is not part of it. */
export function startQuery(
  { filter, groupBy, first }: GraphStart,
  basis: ChoiceBasis,
): Pick<GraphQuery, "filter" | "groupBy" | "first"> {
  if (groupBy !== "first") return { filter: filter ?? USUAL_FILTER, groupBy };
  if (first && isChosenOn(first, basis)) {
    const { opened, alone } = first.choice;
    return { filter: 0, groupBy, first: { filter: filter ?? first.choice.filter, opened, alone } };
  }
  return { filter: 0, groupBy, ...(filter === undefined ? {} : { first: { filter } }) };
}

function isChosenOn(first: ChoiceBasis, { metric, other, totals }: ChoiceBasis): boolean {
  const isSame = first.metric === metric && first.other === other && first.totals.length === totals.length;
  return isSame && totals.every((total, at) => total === first.totals[at]);
}

/** The filter on screen, in percent. @param chosen the first picture on screen */
export function shownFilter({ filter, first }: GraphStart, chosen: ChosenStart | undefined): number {
  return filter ?? chosen?.choice.filter ?? first?.choice.filter ?? USUAL_FILTER;
}

/**
 * The start after another grouping was chosen. The filter on screen stays. The first picture is chosen anew.
 *
 * @returns undefined if nothing changes
 */
export function regrouped(
  start: GraphStart,
  groupBy: GroupChoice,
  chosen: ChosenStart | undefined,
): GraphStart | undefined {
  if (groupBy !== "first") return { filter: shownFilter(start, chosen), groupBy };
  const isFirst = start.groupBy === "first" && start.filter === undefined;
  return isFirst ? undefined : { filter: undefined, groupBy };
}

/** Grouping of the first picture: "by file, heaviest by function". */
export function firstText(chosen: ChosenStart | undefined): string {
  if (!chosen) return "first picture";
  return chosen.by === "function" ? "by function" : `by ${chosen.by}, heaviest by function`;
}
