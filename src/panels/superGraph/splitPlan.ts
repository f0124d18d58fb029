/** The split view: which graphs a super graph panel shows: one, that of the chosen members and that of all others, or those of two runs. Pure. */
import type { Chosen, DataSetInfo, LocationUnit, Scope } from "../../engine/api";
import { chosenText } from "../../model/members";
import { formatValue } from "../../model/units";
import type { SuperGraphState } from "../../protocol/superGraph";
import { type ScopedDataSet, sameMetric } from "../../session/comparedScopes";
import { overText, shownUnit } from "../../session/scopeChoice";
import { shorten } from "../../model/texts";

/** One of the graphs. */
export interface PlannedGraph extends ScopedDataSet {
  /** "ranks 0, 4", "np8-r1.cali". */
  readonly name: string;
}

export interface SplitPlan {
  /** One, or two: the upper and the lower. */
  readonly graphs: readonly PlannedGraph[];
  /** What two graphs are or would be of; undefined: there is nothing to set against each other. */
  readonly pair?: "members" | "runs";
  /** One graph with the numbers of both. */
  readonly merged: boolean;
  /** Sentences to be shown with the graph. */
  readonly notes: readonly string[];
}

const NAME_LENGTH = 120;

/**
 * @param own the panel's own recording; of two that are compared the baseline
 * @param other the candidate that it is compared with
 */
export function planSplit(
  { info, scope }: ScopedDataSet,
  other: ScopedDataSet | undefined,
  { below }: Partial<Pick<SuperGraphState, "below">>,
): SplitPlan {
  const alone = { graphs: [{ info, scope, name: shorten(info.name, NAME_LENGTH) }], merged: false };
  if (other) {
    const scopes = sameMetric({ info, scope }, other);
    if (typeof scopes === "string") return { ...alone, notes: [scopes] };
    const graphs = [alone.graphs[0], { info: other.info, scope: scopes, name: shorten(other.info.name, NAME_LENGTH) }];
    return { graphs, pair: "runs", merged: below !== true, notes: [] };
  }
  const others = scope.chosen && othersOf(info, scope.chosen);
  // One rank's values are of that rank, whatever is chosen: there are no others to set against it.
  if (!scope.chosen || !others || typeof scope.over !== "string") return { ...alone, notes: [] };
  const chosen = { info, scope, name: memberName(scope.chosen) };
  const rest = { info, scope: { ...scope, chosen: others }, name: memberName(others) };
  return { graphs: below === false ? [chosen] : [chosen, rest], pair: "members", merged: false, notes: [] };
}

/** What of the other recording decides the bars of a comparison; a string says why there is none. */
export function comparedScope(own: ScopedDataSet, other: ScopedDataSet): Scope | string {
  const { info, scope } = own;
  const found = sameMetric({ info, scope: { ...scope, over: "sum" } }, other);
  // Bars are decided on sums over everything.
  return typeof found === "string" ? found : { dataSet: found.dataSet, metric: found.metric, over: found.over };
}

/** "ranks 0, 4 · mean 2.66 s"; of a run "np8-r1.cali · mean over 8 ranks 2.66 s". */
export function titleOf({ info, scope, name }: PlannedGraph, kind: "members" | "runs", total: number): string {
  const { [scope.metric]: metric } = info.metrics;
  const value = formatValue(total, shownUnit(metric));
  const over = kind === "members" ? `${typeof scope.over === "string" ? scope.over : ""}` : overText(info, scope);
  return [name, `${over} ${value}`.trim()].join(" · ");
}

/** What histograms are over; a string says why there are none. */
export function histogramUnit(
  info: Pick<DataSetInfo, "units" | "ranks" | "metrics" | "estimated">,
  { metric, chosen }: Pick<Scope, "metric" | "chosen">,
): { by: LocationUnit } | string {
  if (info.metrics[metric]?.reducedOverRanks)
    return "No histograms: values were combined over ranks when they were recorded.";
  if (info.estimated) return "No histograms: calling contexts are estimated from a call graph.";
  if (chosen) return { by: chosen.by === "host" || chosen.by === "run" ? "rank" : chosen.by };
  const by = (["rank", "thread", "stream"] as const).find((unit) => info.units.some((known) => known.by === unit));
  return by ? { by } : "No histograms: the recording has neither several ranks nor several threads.";
}

function memberName(chosen: Chosen): string {
  return shorten(chosenText(chosen), NAME_LENGTH);
}

/** All members of the kind that are not chosen; undefined where there are none. */
function othersOf({ units }: DataSetInfo, { by, members }: Chosen): Chosen | undefined {
  const known = new Set(members);
  const others = units.find((unit) => unit.by === by)?.members.filter((key) => !known.has(key)) ?? [];
  return others.length > 0 ? { by, members: others } : undefined;
}
