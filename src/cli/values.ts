/** Every value of a data set, in canonical order: by context, location, metric (semantics 1, Order). */
import type { ContextTree } from "../model/contextTree";
import type { DataSet } from "../model/dataSet";
import type { SparseValues } from "../model/values";

/** One value: what a metric is in a context at a location. */
export interface ValueRow {
  readonly context: number;
  readonly location: number;
  readonly metric: number;
  /** 0 where only contexts below have values; may be `nan` or infinite. */
  readonly exclusive: number;
  /** A value of the context itself is there. */
  readonly stored: boolean;
  /** With all contexts below, of finite values; undefined where the metric does not add up. */
  readonly inclusive: number | undefined;
}

/**
 * A row where a value is stored, or where the contexts below add up to one.
 *
 * @param metrics indices of the metrics that are wanted, ascending
 */
export function* valueRows(dataSet: DataSet, metrics: readonly number[]): Generator<ValueRow> {
  const { tree, locations } = dataSet;
  const rows = metrics.map((metric) => ({
    metric,
    cells: new ContextCells(tree, dataSet.values[metric], dataSet.metrics[metric].additive, locations.length),
  }));
  for (let context = 0; context < tree.size; context++) {
    const touched = new Set<number>();
    for (const { cells } of rows) cells.moveTo(context, touched);
    for (const location of [...touched].sort((a, b) => a - b))
      for (const { metric, cells } of rows)
        if (cells.has(location))
          yield {
            context,
            location,
            metric,
            exclusive: cells.exclusive[location],
            stored: cells.isStored(location),
            inclusive: cells.additive ? cells.inclusive[location] : undefined,
          };
  }
}

const BELOW = 1;
const STORED = 2;

/** The values of one metric in one context, by location. */
class ContextCells {
  readonly exclusive: Float64Array;
  readonly inclusive: Float64Array;
  /** 0, {@link BELOW} where a context below has a value, or {@link STORED}. */
  private readonly state: Uint8Array;
  private readonly used: number[] = [];

  constructor(
    private readonly tree: ContextTree,
    private readonly values: SparseValues,
    readonly additive: boolean,
    locations: number,
  ) {
    this.exclusive = new Float64Array(locations);
    this.inclusive = new Float64Array(locations);
    this.state = new Uint8Array(locations);
  }

  has(location: number): boolean {
    return this.isStored(location) || this.inclusive[location] !== 0;
  }

  isStored(location: number): boolean {
    return this.state[location] === STORED;
  }

  /** @param touched gets the locations that have a value */
  moveTo(context: number, touched: Set<number>): void {
    const { rowStart, column, value } = this.values;
    for (const location of this.used) this.exclusive[location] = this.inclusive[location] = this.state[location] = 0;
    this.used.length = 0;
    const ownEnd = rowStart[context + 1];
    for (let cell = rowStart[context]; cell < ownEnd; cell++) {
      this.exclusive[column[cell]] = value[cell];
      this.note(column[cell], STORED);
    }
    // The cells of a subtree lie side by side. Adding them up anew for each context takes no table of all inclusive values, and
    // less time than writing the paths: a cell is added once for each name that its own line holds.
    const end = this.additive ? rowStart[this.tree.end[context]] : ownEnd;
    for (let cell = rowStart[context]; cell < end; cell++) {
      if (!Number.isFinite(value[cell])) continue;
      this.inclusive[column[cell]] += value[cell];
      this.note(column[cell], BELOW);
    }
    for (const location of this.used) if (this.has(location)) touched.add(location);
  }

  private note(location: number, state: number): void {
    if (this.state[location] !== 0) return;
    this.state[location] = state;
    this.used.push(location);
  }
}
