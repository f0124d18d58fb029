import type { DataSet } from "../model/dataSet";

/** A data set that is to be written. */
export interface Exported {
  readonly dataSet: DataSet;
  /** Indices of the metrics that are wanted, ascending. */
  readonly metrics: readonly number[];
  /** Named on each line where several data sets are written. */
  readonly name: string | undefined;
}
