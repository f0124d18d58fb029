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
  return [dataSet, trace, eventStates(dataSet, trace, categories)] as const;
}

/** What a window is bound by. @throws RequestError where a recording has no events, as all questions here */
export const boundBy = defineQuestion(async (state, query: BoundQuery, task) =>
  boundTimes(...(await tracesOf(state, query, task)), query, task),
);

export const clock = defineQuestion(async (state, query: ClockQuery, task): Promise<Clock> =>
  clockOf(...(await tracesOf(state, query, task)), query, task),
);
