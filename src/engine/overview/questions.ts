/** What is asked of a whole trace at a glance. */
import { defineQuestion } from "../defineQuestion";
import { eventStates } from "../traces/eventStates";
import { traceOf } from "../traces/timeline";
import { overviewOf } from "./overview";
import type { OverviewQuery } from "./overviewApi";
import { traceModel } from "./traceModel";

/** @throws RequestError where a recording has no events, or the query does not fit to it */
export const overview = defineQuestion(async (state, query: OverviewQuery, task) => {
  const dataSet = await state.withTrace(query.dataSet, task);
  const trace = traceOf(dataSet);
  const model = await traceModel(dataSet, trace, eventStates(dataSet, trace, query.categories), query, task);
  return overviewOf(model, query, task);
});
