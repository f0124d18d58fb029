/** What is asked of recordings that are compared. */
import { defineQuestion } from "../defineQuestion";
import { compareRuns } from "./comparison";
import type { ComparisonQuery } from "./comparisonApi";

/** What differs between two sets of runs: functions or groups by |difference|. @throws RequestError */
export const comparison = defineQuestion((state, query: ComparisonQuery, task) => compareRuns(state, query, task));
