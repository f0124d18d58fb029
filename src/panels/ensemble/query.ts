/** What an ensemble panel asks the engine with. */
import type { EnsembleBarsQuery, EnsembleRuns, EnsembleScope, GraphQuery, RunParameter } from "../../engine/api";
import type { EnsembleState } from "../../protocol/ensemble";
import { currentSettings } from "../../session/sourceFeed";
import type { View } from "../kit/definition";
import { shorten } from "../../model/texts";
import { type ChoiceBasis, operationsDone, startQuery, stepsOf } from "../shared";

export type EnsembleView = View<EnsembleState>;

/** Basis of the first picture's choice: all runs. */
export function basisOf({ metric }: EnsembleView): ChoiceBasis {
  return { metric: shorten(metric.name, 4096), totals: [metric.total] };
}

/** Everything that is asked but the values. */
export function commonOf(view: EnsembleView): Omit<EnsembleBarsQuery, "scope" | "parameter"> {
  const { bins, value } = view.state;
  return { ...structureOf(view), bins, value };
}

/** What decides which bars there are. */
function structureOf(view: EnsembleView): Omit<GraphQuery, "scope"> {
  const list = stepsOf(view.state);
  const { groupBy, done } = list;
  return {
    ...startQuery(list, basisOf(view)),
    ...(done > 0 ? { operations: operationsDone(list), lenient: true } : {}),
    ...(groupBy === "map" ? { map: currentSettings().groups } : {}),
  };
}

/** What is asked for, but for the run that is set beside all. */
export function askedOf(view: EnsembleView): unknown {
  const { over, border, parameter } = view.state;
  return [view.scope.dataSet, view.scope.metric, comparableCommon(view), over, border, parameter, chosenRuns(view)];
}

/** {@link commonOf}, to be compared: what a first picture chose is an answer, and not part of the question. */
export function comparableCommon(view: EnsembleView): unknown {
  return [{ ...commonOf(view), first: undefined }, stepsOf(view.state).filter];
}

export function graphQueryOf(view: EnsembleView): EnsembleBarsQuery {
  const runs = chosenRuns(view);
  const scope: EnsembleScope = { dataSet: view.dataSet.id, metric: view.scope.metric, over: view.state.over };
  return { ...commonOf(view), scope: runs ? { ...scope, runs } : scope };
}

/** The same structure as a graph of one recording: what the rest of the window calls its bars by. */
export function barQueryOf(view: EnsembleView): GraphQuery {
  return { ...structureOf(view), scope: { dataSet: view.dataSet.id, metric: view.scope.metric, over: "sum" } };
}

/** The runs that the restriction leaves; undefined: all. */
export function chosenRuns({ scope: { chosen } }: Pick<EnsembleView, "scope">): number[] | undefined {
  return chosen?.by === "run" ? chosen.members.map(Number) : undefined;
}

/** Runs stand in the order of ranks where these differ, else of the first number, else of any input that several of them share. */
export function parameterOf({ runs, parameters }: EnsembleRuns, wanted: string | undefined): RunParameter | undefined {
  const differing = parameters.filter(({ values, isOutput }) => values > 1 && !isOutput);
  const shared = differing.filter(({ values }) => values < runs.length);
  return (
    parameters.find(({ name }) => name === wanted) ??
    differing.find(({ name }) => name === "ranks") ??
    shared.find(({ isNumeric, origin }) => isNumeric && origin !== "file") ??
    shared.find(({ isNumeric }) => isNumeric) ??
    shared.find(({ origin }) => origin !== "file") ??
    shared.at(0)
  );
}
