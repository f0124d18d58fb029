/** What the overview's panel asks. */
import type { OverviewQuery } from "../../engine/api";
import type { OverviewState } from "../../protocol/overview";
import { currentSettings } from "../../session/sourceFeed";
import type { View } from "../kit/definition";

export function queryOf({ state, dataSet, window }: View<OverviewState>): OverviewQuery {
  const { slices, kind, metric, normalize, every, hierarchy, stateType, by = "function", without = [], only } = state;
  return {
    ...{ dataSet: dataSet.id, slices, kind, metric, normalize, categories: currentSettings().categories },
    ...(by === "function" ? {} : { by }),
    ...(without.length > 0 ? { without } : {}),
    ...(only ? { only } : {}),
    ...(state.variable === undefined ? {} : { variable: state.variable }),
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
