/** What questions about the events of a trace begin with. */
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { eventStates } from "./eventStates";
import { traceOf } from "./timeline";
import type { TimelineOf } from "./timelineApi";

/** @throws RequestError where a recording has no events */
export async function tracesOf(state: EngineState, { dataSet: id, categories }: TimelineOf, task: Task) {
  const dataSet = await state.withTrace(id, task);
  const trace = traceOf(dataSet);
  return { dataSet, trace, states: eventStates(dataSet, trace, categories) };
}
