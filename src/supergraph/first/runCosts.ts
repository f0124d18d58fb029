/** Costs in one run, or side by side in several: shares are the largest in any of them (semantics 2, rule 7, Several runs). */
import { rounded } from "../merging";

/**
 * Columns of sums have one value per run for each item, side by side: those of item i are `sums[i * runs … (i + 1) * runs - 1]`. They are in
 * the metric's unit for a single run. For several runs each is a share of its run's total.
 */
export class RunCosts {
  readonly runs: number;
  /** The cost with a share of 1. */
  readonly whole: number;

  /**
   * @param totals of the runs, positive
   * @param isLargest the weight of a bar is its largest cost of any run, not the sum over runs
   */
  constructor(
    private readonly totals: readonly number[],
    private readonly isLargest: boolean,
  ) {
    this.runs = totals.length;
    this.whole = this.runs === 1 ? totals[0] : 1;
  }

  /** Divisor from a measured cost of a run to a value of a column of sums. */
  unitOf(run: number): number {
    return this.runs === 1 ? 1 : this.totals[run];
  }

  /** Writes the measured costs of a run into a column of sums. */
  put(sums: Float64Array, run: number, measured: Float64Array): void {
    const unit = this.unitOf(run);
    for (let at = 0; at < measured.length; at++) sums[at * this.runs + run] = measured[at] / unit;
  }

  zeros(items: number): Float64Array {
    return new Float64Array(items * this.runs);
  }

  add(sums: Float64Array, to: number, values: Float64Array, from: number): void {
    const { runs } = this;
    // A single run is the usual case, and this is called millions of times.
    if (runs === 1) sums[to] += values[from];
    else for (let run = 0; run < runs; run++) sums[to * runs + run] += values[from * runs + run];
  }

  subtract(sums: Float64Array, to: number, values: Float64Array, from: number): void {
    for (let run = 0; run < this.runs; run++) sums[to * this.runs + run] -= values[from * this.runs + run];
  }

  /** The largest in any run. */
  at(sums: Float64Array, item: number): number {
    let most = sums[item * this.runs];
    for (let run = 1; run < this.runs; run++) most = Math.max(most, sums[item * this.runs + run]);
    return most;
  }

  /** Weight of a bar, in the metric's unit. */
  weightAt(sums: Float64Array, item: number): number {
    if (this.runs === 1) return sums[item];
    let weight = this.isLargest ? -Infinity : 0;
    for (let run = 0; run < this.runs; run++) {
      const own = sums[item * this.runs + run] * this.totals[run];
      weight = this.isLargest ? Math.max(weight, own) : weight + own;
    }
    return weight;
  }

  /** Whether a value is at least a share of the total. */
  isShare(value: number, share: number): boolean {
    return value >= share * this.whole;
  }

  /** Largest sums of the items of each key; items without one do not count. */
  sumsBy<Item>(
    items: readonly Item[],
    keyOf: (item: Item, at: number) => string | undefined,
    values: Float64Array,
  ): Map<string, number> {
    const places = new Map<string, number>();
    const keys = items.map(keyOf);
    for (const key of keys) if (key !== undefined && !places.has(key)) places.set(key, places.size);
    const sums = this.zeros(places.size);
    keys.forEach((key, at) => key !== undefined && this.add(sums, places.get(key) ?? 0, values, at));
    return new Map([...places].map(([key, place]) => [key, this.at(sums, place)]));
  }
}

/** Order by descending cost. Costs are rounded, so that another order of summation does not change the order. */
export function heavierFirst(a: number, b: number): number {
  return rounded(b) - rounded(a);
}
