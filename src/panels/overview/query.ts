/** What the overview's panel asks. */
import type { OverviewQuery } from "../../engine/api";
import type { OverviewState } from "../../protocol/overview";
import { currentSettings } from "../../session/sourceFeed";
import type { View } from "../kit/definition";

/** Ends the names of variables that say how much was used of a capacity, which changes. */
const USED = "_used";

/** What is chosen; where no event was recorded, states have nothing, and a variable is looked at. */
export function measureOf({
  state: { metric, variable },
  dataSet: { trace },
}: Pick<View<OverviewState>, "state" | "dataSet">) {
  if (metric === "variable" || trace === undefined || trace.events > 0) return { metric, variable };
  const names = trace.counterNames;
  return { metric: "variable" as const, variable: names.find((name) => name.endsWith(USED)) ?? names.at(0) };
}

export function queryOf(view: View<OverviewState>): OverviewQuery {
  const { state, dataSet, window } = view;
  const { slices, kind, normalize, every, hierarchy, stateType, by = "function", without = [], only } = state;
  const { metric, variable } = measureOf(view);
  return {
    ...{ dataSet: dataSet.id, slices, kind, metric, normalize, categories: currentSettings().categories },
    ...(by === "function" ? {} : { by }),
    ...(without.length > 0 ? { without } : {}),
    ...(only ? { only } : {}),
    ...(variable === undefined ? {} : { variable }),
    hierarchy:
      hierarchyIn(hierarchy, only) ??
      (every > 0 ? { kind: "every", count: every, name: "group" } : { kind: "recorded" }),
    ...(stateType === undefined ? {} : { stateType }),
    ...(window ? { fromSeconds: window.from, toSeconds: window.to } : {}),
  };
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
