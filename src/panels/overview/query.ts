/** What the overview's panel asks. */
import type { OverviewMeasure, OverviewQuery } from "../../engine/api";
import type { Task } from "../../model/task";
import type { OverviewState } from "../../protocol/overview";
import { currentSettings } from "../../session/sourceFeed";
import type { View } from "../kit/definition";

/** State of an overview that no user changed. */
export const OVERVIEW_START: OverviewState = {
  slices: 30,
  kind: "spatiotemporal",
  metric: "duration",
  normalize: false,
};

/** Measured quantity: a variable if the trace has no events, so that states have no values. @param shown the chosen quantity */
export function measureOf(
  { state: { metric, variable }, dataSet: { trace } }: Pick<View<OverviewState>, "state" | "dataSet">,
  shown?: { readonly query: OverviewMeasure },
): OverviewMeasure {
  if (metric === "variable") return { metric, variable };
  if (shown) return shown.query;
  return trace && trace.events === 0 ? { metric: "variable", variable: trace.counterNames.at(0) } : { metric };
}

/** Before anyone chose a metric, it is the engine that knows whether there are states, and which variable most resources have. */
export async function startedQuery(view: View<OverviewState>, task?: Task): Promise<OverviewQuery> {
  const query = queryOf(view);
  if (query.metric !== "duration") return query;
  return { ...query, ...(await view.session.engine.overviewStart({ ...query, orNearest: true }, task)) };
}

export function queryOf(view: View<OverviewState>): OverviewQuery {
  const { state, dataSet, window } = view;
  const {
    slices,
    kind,
    metric,
    variable,
    normalize,
    every,
    hierarchy,
    stateType,
    by = "function",
    without = [],
    only,
  } = state;
  return {
    dataSet: dataSet.id,
    slices,
    kind,
    metric,
    normalize,
    categories: currentSettings().categories,
    ...(by === "function" ? {} : { by }),
    ...(without.length > 0 ? { without } : {}),
    ...(only ? { only } : {}),
    ...(variable === undefined ? {} : { variable }),
    hierarchy: hierarchyIn(hierarchy, only) ?? hierarchyOf(every),
    ...(stateType === undefined ? {} : { stateType }),
    ...(window ? { fromSeconds: window.from, toSeconds: window.to } : {}),
  };
}

function hierarchyOf(every: OverviewState["every"]): OverviewQuery["hierarchy"] {
  if (every === undefined) return { kind: "first" };
  return every > 0 ? { kind: "every", count: every, name: "group" } : { kind: "recorded" };
}

/** Of a file's resources only those that are looked at: others are not there. */
function hierarchyIn(
  said: OverviewState["hierarchy"],
  only: OverviewState["only"],
): OverviewQuery["hierarchy"] | undefined {
  if (said?.kind !== "paths") return said;
  if (!only) return { kind: "paths", paths: said.paths };
  const isThere = new Set(only);
  return { kind: "paths", paths: said.paths.filter(([leaf]) => isThere.has(leaf)) };
}
