/** What is asked of a run as a whole: what it is bound by, and what it did, sector by sector of a clock. */
import { defineQuestion } from "../defineQuestion";
import type { EngineState } from "../engineState";
import type { Task } from "../../model/task";
import { boundTimes, clockOf } from "./clock";
import { eventStates } from "./eventStates";
import type { BoundQuery, Clock, ClockQuery } from "./summaryApi";
import { traceOf } from "./timeline";

async function tracesOf(state: EngineState, { dataSet: id, categories }: BoundQuery, task: Task) {
  const dataSet = await state.withTrace(id, task);
  const trace = traceOf(dataSet);
  return { dataSet, trace, states: eventStates(dataSet, trace, categories) };
}

/** What a window is bound by. @throws RequestError where a recording has no events, as all questions here */
export const boundBy = defineQuestion(async (state, query: BoundQuery, task) => {
  const { dataSet, trace, states } = await tracesOf(state, query, task);
  return boundTimes(dataSet, trace, states, query, task);
});

export const clock = defineQuestion(async (state, query: ClockQuery, task): Promise<Clock> => {
  const { dataSet, trace, states } = await tracesOf(state, query, task);
  return clockOf(dataSet, trace, states, query, task);
});
