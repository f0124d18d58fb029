/** What the super graph of an ensemble is decided on: all runs, on sums over ranks (semantics 10, Structure). */
import { inclusive } from "../../model/contextTree";
import { inclusiveByFunction } from "../../model/functions";
import type { FilterPart, Weigh } from "../../supergraph/filter";
import { type GraphBasis, graphBasis } from "../../supergraph/superGraph";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { SingleSubject } from "../graphs/graphSubject";
import type { Links } from "../lines/links";
import type { Ensemble } from "./ensemble";

export class EnsembleSubject extends SingleSubject {
  constructor(
    open: OpenDataSet,
    links: Links,
    private readonly ensemble: Ensemble,
  ) {
    super(open, links);
  }

  /** A function is kept that has its share of any run's total, and a bar weighs what it has in the run where it has most. */
  protected override madeBasis(metric: number): GraphBasis {
    const { tree, frames } = this.open.dataSet;
    const { functions } = this.open;
    const all = new Float64Array(tree.size);
    const parts: FilterPart[] = [];
    this.eachRun(metric, (exclusive, run) => {
      for (let context = 0; context < all.length; context++) all[context] += exclusive[context];
      const sums = inclusive(tree, exclusive);
      let total = 0;
      for (let root = 0; root < tree.size; root = tree.end[root]) total += sums[root];
      // A run without a positive total has no shares.
      if (total > 0)
        parts.push({
          byFunction: inclusiveByFunction(functions, sums),
          total,
          exclusive: () => this.exclusiveOf(metric, run),
        });
    });
    return { ...graphBasis(tree, frames, functions, all), parts, weigh: this.weighing(metric) };
  }

  private weighing(metric: number): Weigh {
    const { tree } = this.open.dataSet;
    return (entries, bar, size) => {
      const most = new Float64Array(size).fill(-Infinity);
      const own = new Float64Array(size);
      this.eachRun(metric, (exclusive) => {
        const sums = inclusive(tree, exclusive);
        own.fill(0);
        for (let at = 0; at < entries.length; at++) own[bar[at]] += sums[entries[at]];
        for (let at = 0; at < size; at++) if (own[at] > most[at]) most[at] = own[at];
      });
      return most;
    };
  }

  /** The exclusive sums of one run, over the contexts of the union. */
  private exclusiveOf(metric: number, of: number): Float64Array {
    const sums = new Float64Array(this.open.dataSet.tree.size);
    const own = this.ensemble.exclusiveOf(metric, "sum")[of];
    if (own) this.ensemble.addTo(sums, of, own);
    return sums;
  }

  /** The exclusive sums of every run that has the metric, over the contexts of the union; the array is used again. */
  private eachRun(metric: number, visit: (exclusive: Float64Array, run: number) => void): void {
    const exclusive = new Float64Array(this.open.dataSet.tree.size);
    this.ensemble.exclusiveOf(metric, "sum").forEach((own, run) => {
      if (!own) return;
      exclusive.fill(0);
      this.ensemble.addTo(exclusive, run, own);
      visit(exclusive, run);
    });
  }
}
