/** What a super graph panel shows: which graphs, asked for how, and what their bars say. */
import type { GraphQuery } from "../../engine/api";
import type { ColourChoice, SuperGraphContent, SuperGraphPart, SuperGraphState } from "../../protocol/superGraph";
import { currentSettings } from "../../session/sourceFeed";
import { comparedWith } from "../../session/comparedScopes";
import { shorten } from "../../model/texts";
import type { PanelDefinition, View } from "../kit/definition";
import { type ChoiceBasis, startQuery } from "./graphStart";
import { operationsDone } from "./graphSteps";
import type { ShownGraphs } from "./shownGraphs";
import { histogramUnit, planSplit, type SplitPlan } from "./splitPlan";
import { stepsOf } from "./steps";

export type GraphView = View<SuperGraphState>;
export type SuperGraphDefinition = PanelDefinition<
  SuperGraphState,
  ShownGraphs,
  SuperGraphContent,
  never,
  SuperGraphPart
>;

/** The two recordings that are compared and drawn here, baseline first; undefined: its own alone is drawn. */
export function bothIn({ session, dataSet, alone }: GraphView): ReturnType<typeof comparedWith> {
  return alone ? undefined : comparedWith(session, dataSet.id);
}

/** One graph or two: of the recording, its members that are chosen and the others, or what it is compared with. */
export function planOf(view: GraphView): SplitPlan {
  const { dataSet, scope, state } = view;
  const [baseline, candidate] = bothIn(view) ?? [{ info: dataSet, scope }];
  return planSplit(baseline, candidate, state);
}

/** Basis of the first picture's choice. */
export function basisOf(view: GraphView): ChoiceBasis {
  const metric = shorten(view.metric.name, 4096);
  const { pair, graphs } = planOf(view);
  if (pair !== "runs") return { metric, totals: [view.metric.total] };
  const other = graphs.find(({ info }) => info.id !== view.dataSet.id);
  return {
    metric,
    other: view.session.dataSets.find(({ id }) => id === other?.info.id)?.key,
    totals: graphs.map(({ info, scope }) => info.metrics[scope.metric].total),
  };
}

/** Everything that is asked for but the values. */
export function commonOf(view: GraphView): Omit<GraphQuery, "scope"> {
  const { state, session } = view;
  const list = stepsOf(state);
  const { groupBy, done } = list;
  return {
    ...startQuery(list, basisOf(view)),
    ...(session.renamed.length > 0 ? { renamed: session.renamed } : {}),
    // Operations that cannot be done are left out, and said.
    ...(done > 0 ? { operations: operationsDone(list), lenient: true } : {}),
    ...(groupBy === "map" ? { map: currentSettings().groups } : {}),
  };
}

/** What histograms are of, and over what; undefined: there are none. */
export function histogramsIn({ state, dataSet, scope }: GraphView) {
  const unit = histogramUnit(dataSet, scope);
  return state.histograms === "off" || typeof unit === "string" ? undefined : { of: state.histograms, by: unit.by };
}

/** What bars are coloured by: what differs between two recordings, unless something else was chosen. */
export function colourOf(view: GraphView): ColourChoice {
  return view.state.colour ?? (planOf(view).pair === "runs" ? "difference" : "exclusive");
}
