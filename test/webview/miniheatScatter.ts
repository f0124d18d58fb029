/** Correlations of the sample program's profile as messages, computed by the engine as the window does. */
import type { CorrelationAnswer, CorrelationQuery, Target } from "../../src/engine/api";
import { chosenRanks } from "../../src/model/members";
import { type Scatter, scatter } from "../../src/panels/correlation/correlationMessage";
import type { Controls } from "../../src/protocol/correlation";
import { openMiniheat } from "../unit/engine/miniheat";

export interface ScatterSample extends Scatter {
  readonly answer: CorrelationAnswer;
}

let opened: ReturnType<typeof openMiniheat> | undefined;

/** MPI over updateConductivity, or exclusive over inclusive of each function or context. */
export async function sampleScatter(
  query: { points?: CorrelationQuery["points"]; ranks?: number[]; mostPoints?: number; revision?: number } = {},
): Promise<ScatterSample> {
  opened ??= openMiniheat();
  const { engine, info, scope: everything } = await opened;
  const { points = "rank", ranks, mostPoints = 20_000, revision = 1 } = query;
  const scope = { ...everything, ...(ranks ? { chosen: chosenRanks(ranks) } : {}) };
  const rows = await engine.hotFunctions({ scope, by: "exclusive", limit: 100 });
  const id = rows.find(({ name }) => name === "updateConductivity")?.function ?? NaN;
  const conductivity: Target = { kind: "function", function: id };
  const mpi: Target = { kind: "bar", query: { scope: everything, filter: 0, groupBy: "file" }, bar: "MPI" };
  const metric = info.metrics[scope.metric];
  const isOfCode = points === "function" || points === "context";
  const answer = await engine.correlation({
    x: { scope, value: "exclusive", ...(isOfCode ? {} : { target: conductivity }) },
    y: { scope, value: isOfCode ? "inclusive" : "exclusive", ...(isOfCode ? {} : { target: mpi }) },
    points,
    mostPoints,
  });
  const about = {
    points,
    x: { metric, value: "exclusive", ...(isOfCode ? {} : { of: "updateConductivity" }) },
    y: { metric, value: isOfCode ? "inclusive" : "exclusive", ...(isOfCode ? {} : { of: "MPI" }) },
    ...(isOfCode ? { over: "sum over 8 ranks" } : {}),
    notes: [],
  } as const;
  return { answer, ...scatter(answer, about, { revision, choice: 0 }) };
}

export const scatterControls: Controls = {
  type: "controls",
  dataSet: "profile-8ranks.cali",
  metrics: [{ name: "time", unit: "s" }],
  metric: 0,
  over: "mean",
  ranks: 8,
  unit: "ranks",
  kinds: [
    { kind: "rank", label: "ranks" },
    { kind: "function", label: "functions" },
    { kind: "context", label: "calling contexts" },
  ],
  points: "rank",
  additive: [0],
  x: { value: "exclusive", of: "selection" },
  y: { value: "exclusive", of: "pinned", pinned: "MPI" },
  selected: "updateConductivity",
  restore: {
    files: ["/recordings/profile-8ranks.cali"],
    points: "rank",
    x: { value: "exclusive", of: "selection" },
    y: {
      value: "exclusive",
      of: "pinned",
      pin: { kind: "bar", bar: "MPI", filter: 0.1, groupBy: "file", name: "MPI" },
    },
  },
};
