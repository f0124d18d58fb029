/** What is asked of traces, series and resources: counts and totals. */
import { defineQuestion } from "../question";
import {
  counterRows,
  laneRows,
  messagePairRows,
  resourceRows,
  seriesRows as rowsOfSeries,
  transferRows,
} from "./traces";

interface RowsQuery {
  readonly dataSet: number;
  readonly limit: number;
}

export const lanes = defineQuestion((state, { dataSet, limit }: RowsQuery) => laneRows(state.dataSet(dataSet), limit));

export const counters = defineQuestion((state, { dataSet, limit }: RowsQuery, task) =>
  counterRows(state.dataSet(dataSet), limit, task),
);

/** Messages only, without flows and launches; most bytes first. */
export const messagePairs = defineQuestion((state, { dataSet, limit }: RowsQuery, task) =>
  messagePairRows(state.dataSet(dataSet), limit, task),
);

/** Most bytes first. */
export const transfers = defineQuestion((state, { dataSet }: { readonly dataSet: number }, task) =>
  transferRows(state.dataSet(dataSet), task),
);

export const seriesRows = defineQuestion((state, query: RowsQuery & { readonly series: number }) =>
  rowsOfSeries(state.dataSet(query.dataSet), query.series, query.limit),
);

/** Resources inside another one; of none: the roots. */
export const resources = defineQuestion((state, query: RowsQuery & { readonly parent?: number }) =>
  resourceRows(state.dataSet(query.dataSet), query.parent, query.limit),
);
