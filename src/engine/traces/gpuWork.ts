/** Work of a trace's GPUs, in short: what bounds them, kernels and transfers (semantics 9 and 16, bound by). */
import { type BoundTimes, boundShares, boundWord, hostText } from "../../model/boundBy";
import type { Task } from "../../model/task";
import { formatShare, formatValue } from "../../model/units";
import type { EngineState } from "../engineState";
import { boundTimes } from "./clock";
import { hotStates } from "./hotStates";
import type { GpuWork, HotStatesQuery } from "./hotStatesApi";
import type { TransferRow } from "./traceApi";
import { tracesOf } from "./tracesOf";

/** @throws RequestError if a recording has no events */
export async function gpuWork(
  state: EngineState,
  query: HotStatesQuery,
  transfers: readonly TransferRow[],
  task: Task,
): Promise<GpuWork> {
  const { dataSet, trace, states: kinds } = await tracesOf(state, query, task);
  const states = await hotStates(state, query, task);
  const bound = boundText(await boundTimes(dataSet, trace, kinds, query, task));
  const kernels = states.states.filter(({ kind }) => kind === "GPU");
  return { states: { ...states, states: kernels }, transfers, ...(bound ? { bound } : {}) };
}

function boundText(times: BoundTimes): GpuWork["bound"] {
  const [shares, word] = [boundShares(times), boundWord(times)];
  if (times.unit !== "GPU" || shares === undefined || word === undefined) return undefined;
  const figures = [
    `kernels ${formatShare(shares.computing)}`,
    `exposed movement ${formatShare(shares.exposed)}`,
    `of ${formatValue(times.seconds / times.count, "s")}`,
  ];
  const label = times.count === 1 ? "GPU" : `${times.count} GPUs`;
  if (word !== "without work") return { label: `${label} bound by`, value: word, over: figures.join(", ") };
  const cause = times.host ? `${hostText(times.host)} · ` : "";
  return { label: `${label} without work`, value: formatShare(shares.neither), over: cause + figures.join(", ") };
}
