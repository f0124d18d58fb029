/** What is asked of quantities over time. The first question of a recording reads all of them once. */
import { defineQuestion } from "../defineQuestion";
import type { EngineState } from "../engineState";
import type { Task } from "../../model/task";
import type { CounterBandsQuery, CountersOf, CounterStretchesQuery, CounterSumsQuery } from "./counterApi";
import {
  counterBands as bandsOf,
  counterFacts as factsOf,
  counterRows,
  counterStretches as stretchesOf,
  counterSums as sumsOf,
  recordedRows,
} from "./counterBands";
import { eventStates } from "./eventStates";
import { traceOf } from "./timeline";

async function rowsOf(state: EngineState, { dataSet: id, chosen, categories, recordedOnly }: CountersOf, task: Task) {
  const dataSet = await state.withTrace(id, task);
  const trace = traceOf(dataSet);
  if (recordedOnly) return { dataSet, trace, rows: await recordedRows(dataSet, trace, chosen, task) };
  const states = eventStates(dataSet, trace, categories);
  const key = JSON.stringify(categories ?? {});
  return { dataSet, trace, rows: await counterRows(dataSet, trace, states, key, chosen, task) };
}

/** @throws RequestError where nothing was recorded over time, as all questions here */
export const counterFacts = defineQuestion(async (state, of: CountersOf, task) => {
  const { dataSet, trace, rows } = await rowsOf(state, of, task);
  return factsOf(dataSet, trace, rows);
});

export const counterBands = defineQuestion(
  async (state, query: CounterBandsQuery, task) => {
    const { trace, rows } = await rowsOf(state, query, task);
    return bandsOf(trace, rows, query, task);
  },
  ({ least, most, mean, stepsAt, seconds, value }) =>
    [least, most, mean, stepsAt, seconds, value].map(({ buffer }) => buffer as ArrayBuffer),
);

export const counterSums = defineQuestion(
  async (state, query: CounterSumsQuery, task) => {
    const { trace, rows } = await rowsOf(state, query, task);
    return sumsOf(trace, rows, query, task);
  },
  (sums) => Object.values(sums).map(({ buffer }) => buffer as ArrayBuffer),
);

export const counterStretches = defineQuestion(
  async (state, query: CounterStretchesQuery, task) => {
    const { trace, rows } = await rowsOf(state, query, task);
    return stretchesOf(trace, rows, query, task);
  },
  (all) => Object.values(all).map(({ buffer }) => buffer as ArrayBuffer),
);
