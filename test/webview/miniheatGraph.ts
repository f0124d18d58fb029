/** Super graphs of the sample program's profile as messages, computed by the engine as the window does. */
import type { GraphQuery, OverRanks, SuperGraph } from "../../src/engine/api";
import { layoutSize } from "../../src/panels/superGraph/layoutSize";
import type { Controls } from "../../src/protocol/superGraph";
import { openMiniheat } from "../unit/engine/miniheat";
import { type WholeGraph, wholeGraph } from "../wholeGraph";

export interface Sample {
  readonly graph: SuperGraph;
  readonly message: WholeGraph;
}

let opened: ReturnType<typeof openMiniheat> | undefined;

/** The profile of 8 ranks, laid out for a drawing of this size. */
export async function sampleGraph(
  size: { width: number; height: number },
  query: {
    groupBy?: GraphQuery["groupBy"];
    filter?: number;
    over?: OverRanks;
    ranks?: number[];
    operations?: GraphQuery["operations"];
  } = {},
): Promise<Sample> {
  opened ??= openMiniheat();
  const { engine, scope } = await opened;
  const { groupBy = "auto", filter = 0.1, over = "mean", ranks, operations } = query;
  const asked = (how: OverRanks): GraphQuery => ({
    scope: { ...scope, over: how, ...(ranks ? { ranks } : {}) },
    filter,
    groupBy,
    operations,
  });
  const graph = await engine.superGraph(asked(over));
  const heights = over === "max" || over === "min" ? await engine.superGraph(asked("mean")) : graph;
  const layout = await engine.layout({ graph: heights, size: layoutSize(size) });
  return { graph, message: wholeGraph({ graph, heights, layout }, 1, `mean over ${ranks?.length ?? 8} ranks`) };
}

export const sampleControls: Controls = {
  type: "controls",
  dataSet: "profile-8ranks.cali",
  metrics: [
    { name: "time", unit: "s" },
    { name: "count", unit: "1" },
  ],
  metric: 0,
  over: "mean",
  ranks: 8,
  unit: "ranks",
  filter: 0.1,
  groupBy: "auto",
  halves: { histograms: "exclusive", colour: "exclusive", below: true },
  groupings: ["module", "file", "folder", "class", "function", "none"],
  restore: { files: ["/recordings/profile-8ranks.cali"], metric: "time", over: "mean", filter: 0.1, groupBy: "auto" },
};
