/** How one value is distributed over call sites, runs, or ranks of runs (dissertation 4.4.3, Runtime distribution). */
import { histogram } from "../../analysis/histogram";
import { inclusive } from "../../model/contextTree";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { OverRanks } from "../../model/metrics";
import type { Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { EngineState } from "../engineState";
import { rangesOf, type TargetRanges } from "../members/spreads";
import type { Target } from "../scope";
import type { Ensemble } from "./ensemble";
import type { EnsembleValue, RunDistribution, RunDistributionQuery } from "./ensembleApi";
import { runsThatStay, withTargetRun } from "./ensembleGraphs";

/** What one number is of. */
interface Part {
  /** Contexts whose exclusive counts. */
  readonly own: Int32Array;
  /** Contexts whose inclusive adds up, none within another. */
  readonly outermost: Int32Array;
  readonly function?: number;
  /** Whether it is all of its function. */
  readonly isWhole: boolean;
}

/** A value, and whose it is. */
interface Member {
  readonly value: number;
  readonly run: number;
  readonly rank: number;
}

/** @throws RequestError where the target is not in the ensemble's recording */
export async function runDistribution(
  state: EngineState,
  { scope, counted, value, of, bins, target }: RunDistributionQuery,
  task: Task,
): Promise<RunDistribution> {
  const { ensemble, open } = state.ensemble(scope.dataSet);
  const runs = runsThatStay(ensemble, scope);
  const ranges = await rangesOf(open, (query) => state.graphsOf(query, task), of, task);
  const whole = partOf(open, ranges, of);
  if (counted === "callSites") {
    const parts = [...functionParts(open, whole.own, of === undefined)];
    const byRun = new Map<number, Float64Array>();
    for (const run of withTargetRun(runs, target)) {
      task.check();
      byRun.set(run, new RunParts(ensemble, open, run, scope.metric, value, parts).combined(scope.over));
    }
    const means = parts.map((_, at) => meanOf(Array.from(runs, (run) => byRun.get(run)?.[at] ?? NaN)));
    const present = [...parts.keys()].filter((at) => !Number.isNaN(means[at])).sort((a, b) => means[a] - means[b]);
    const values = Float64Array.from(present, (at) => means[at]);
    const own = target === undefined ? undefined : byRun.get(target);
    const ofTarget = own?.filter((one) => !Number.isNaN(one));
    const { edges, binOf, leftOut } = histogram(Float64Array.from([...values, ...(ofTarget ?? [])]), bins);
    const inBins = (some: Int32Array) => countsOf(some, Math.max(0, edges.length - 1));
    const functions = Int32Array.from(present, (at) => parts[at].function ?? NONE);
    return {
      values,
      functions,
      names: Array.from(functions, (id) => open.named(open.functionName(id))),
      edges,
      binOf: binOf.slice(0, values.length),
      leftOut,
      counts: inBins(binOf.subarray(0, values.length)),
      ...(ofTarget ? { ofTarget: inBins(binOf.subarray(values.length)) } : {}),
    };
  }
  const members: Member[] = [];
  for (const run of runs) {
    task.check();
    const values = new RunParts(ensemble, open, run, scope.metric, value, [whole]);
    const add = (rank: number, [own]: Float64Array) => {
      if (!Number.isNaN(own)) members.push({ value: own, run, rank });
    };
    if (counted === "runs") add(NONE, values.combined(scope.over));
    else values.eachRank(add);
  }
  if (counted === "ranks") members.sort((a, b) => a.rank - b.rank || a.run - b.run);
  const values = Float64Array.from(members, (member) => member.value);
  const bars = histogram(values, bins);
  return {
    values,
    runs: Int32Array.from(members, ({ run }) => run),
    ...bars,
    ...(counted === "ranks" ? { ranks: Int32Array.from(members, ({ rank }) => rank) } : {}),
    ...(target === undefined
      ? {}
      : {
          ofTarget: countsOf(
            bars.binOf.filter((_, at) => members[at].run === target),
            bars.counts.length,
          ),
        }),
  };
}

function partOf({ dataSet: { tree } }: OpenDataSet, { own, below }: TargetRanges, of: Target | undefined): Part {
  const contexts: number[] = [];
  for (const [from, to] of own) for (let context = from; context < to; context++) contexts.push(context);
  const roots = () => [...tree.parent.keys()].filter((context) => tree.parent[context] === NONE);
  return {
    own: Int32Array.from(contexts),
    outermost: Int32Array.from(of === undefined ? roots() : [...below].map(([from]) => from)),
    ...(of?.kind === "function" ? { function: of.function } : {}),
    isWhole: of?.kind === "function",
  };
}

/** Some contexts, ascending, by their functions. @param areWhole whether they are all contexts of these */
function* functionParts({ functions, dataSet }: OpenDataSet, contexts: Int32Array, areWhole: boolean): Iterable<Part> {
  const { end } = dataSet.tree;
  const byFunction = new Map<number, number[]>();
  for (const context of contexts) entryOf(byFunction, functions.ofContext[context], () => []).push(context);
  for (const [id, own] of byFunction) {
    let covered = 0;
    const outermost = own.filter((context) => {
      if (context < covered) return false;
      covered = end[context];
      return true;
    });
    yield { own: Int32Array.from(own), outermost: Int32Array.from(outermost), function: id, isWhole: areWhole };
  }
}

/** Reads numbers of parts in a run, NaN of one that it has no context of. */
class RunParts {
  private readonly has: Uint8Array;
  private readonly joined: Float64Array;

  constructor(
    private readonly ensemble: Ensemble,
    private readonly open: OpenDataSet,
    private readonly run: number,
    private readonly metric: number,
    private readonly value: EnsembleValue,
    private readonly parts: readonly Part[],
  ) {
    const contexts = new Uint8Array(open.dataSet.tree.size);
    for (const context of ensemble.members[run].contextOf) contexts[context] = 1;
    this.has = Uint8Array.from(parts, ({ own }) => (own.some((context) => contexts[context] === 1) ? 1 : 0));
    this.joined = new Float64Array(contexts.length);
  }

  combined(over: OverRanks): Float64Array {
    const { ensemble, run, metric, parts } = this;
    const numbers = ensemble.rankValues(run, metric, over)?.evaluate(over, (own) => this.sums(own));
    return this.measured(numbers ?? new Float64Array(parts.length).fill(NaN), over);
  }

  /** @param visit a rank, {@link NONE} where the run has none */
  eachRank(visit: (rank: number, numbers: Float64Array) => void): void {
    const values = this.ensemble.rankValues(this.run, this.metric);
    const keys = values?.members.keys ?? [];
    if (values && keys.length === 0) visit(NONE, this.combined("sum"));
    else
      values?.eachRank((member, own) => {
        const rank = Number(keys[member]);
        visit(rank, this.measured(this.sums(own), { rank }));
      });
  }

  private sums(exclusive: Float64Array): Float64Array {
    const { ensemble, open, run, joined, value } = this;
    joined.fill(0);
    ensemble.addTo(joined, run, exclusive);
    const of = value === "exclusive" ? joined : inclusive(open.dataSet.tree, joined);
    return Float64Array.from(this.parts, ({ own, outermost }) =>
      (value === "exclusive" ? own : outermost).reduce((sum, context) => sum + of[context], 0),
    );
  }

  /** Where contexts are only estimated, what was measured of whole functions. */
  private measured(numbers: Float64Array, over: OverRanks): Float64Array {
    const measured = this.ensemble.measuredOf(this.run, this.metric, over);
    const ownOf = new Map(measured && Array.from(measured.functions, (id, own) => [id, own] as const));
    return numbers.map((number, at) => {
      const { function: id = NONE, isWhole } = this.parts[at];
      if (this.has[at] === 0) return NaN;
      const own = isWhole ? ownOf.get(id) : undefined;
      return own === undefined || !measured ? number : measured[this.value][own];
    });
  }
}

function meanOf(values: readonly number[]): number {
  const there = values.filter((one) => !Number.isNaN(one));
  return there.reduce((sum, one) => sum + one, 0) / there.length;
}

function countsOf(binOf: Int32Array, bins: number): Int32Array {
  const counts = new Int32Array(bins);
  for (const bin of binOf) if (bin !== NONE) counts[bin]++;
  return counts;
}
