/**
 * What is asked of traces, series and resources: totals. The first question of a trace makes its columns, in a second pass over the
 * recording; what is counted with the profile is part of what is known of each data set.
 */
import { gpuWork as gpuWorkOf } from "./gpuWork";
import type { HotStatesQuery } from "./hotStatesApi";
import { defineQuestion } from "../defineQuestion";
import {
  categoryRows,
  counterRows,
  laneRows,
  messagePairRows,
  resourceRows,
  seriesRows as rowsOfSeries,
  transferRows,
} from "./traceAnswers";

interface RowsQuery {
  readonly dataSet: number;
  readonly limit: number;
}

export const lanes = defineQuestion(async (state, { dataSet, limit }: RowsQuery, task) =>
  laneRows(await state.withTrace(dataSet, task), limit),
);

/** Heaviest first. */
export const categories = defineQuestion(async (state, { dataSet }: { readonly dataSet: number }, task) =>
  categoryRows(await state.withTrace(dataSet, task)),
);

export const counters = defineQuestion(async (state, { dataSet, limit }: RowsQuery, task) =>
  counterRows(await state.withTrace(dataSet, task), limit, task),
);

/** Messages only, without flows and launches; most bytes first. */
export const messagePairs = defineQuestion(async (state, { dataSet, limit }: RowsQuery, task) =>
  messagePairRows(await state.withTrace(dataSet, task), limit, task),
);

/** Most bytes first. */
export const transfers = defineQuestion(async (state, { dataSet }: { readonly dataSet: number }, task) =>
  transferRows(await state.withTrace(dataSet, task), task),
);

/** What the GPUs are bound by, their kernels by time, and their transfers. */
export const gpuWork = defineQuestion(async (state, query: HotStatesQuery, task) =>
  gpuWorkOf(state, query, await transferRows(await state.withTrace(query.dataSet, task), task), task),
);

export const seriesRows = defineQuestion((state, query: RowsQuery & { readonly series: number }) =>
  rowsOfSeries(state.dataSet(query.dataSet), query.series, query.limit),
);

/** Resources inside another one; of none: the roots. */
export const resources = defineQuestion((state, query: RowsQuery & { readonly parent?: number }) =>
  resourceRows(state.dataSet(query.dataSet), query.parent, query.limit),
);
