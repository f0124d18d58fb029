/** Values by iteration of a loop, or by time step: what a per-iteration profile adds to the sums over all of them. */
export interface Series {
  /** Name of the loop, or of the clock. */
  readonly name: string;
  /** Index into the data set's metrics. */
  readonly metric: number;
  readonly rows: number;
  /** Number of the iteration as recorded, ascending; rows of one iteration by context, then location. */
  readonly iteration: Float64Array;
  readonly context: Int32Array;
  readonly location: Int32Array;
  /** Exclusive, in the metric's unit. */
  readonly value: Float64Array;
}
