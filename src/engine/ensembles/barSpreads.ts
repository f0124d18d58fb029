/**
 * What a drawing of an ensemble shows of each bar beside its graph: the middle of its values, the runs at their ends, and what the runs of
 * each bin have in common. Numbers by bar and bin, so that a page need not have the values of every run.
 */
import type { Task } from "../../model/task";
import type { EnsembleGraph, EnsembleGraphQuery } from "./ensembleApi";
import { graphOfRuns, type OpenEnsemble } from "./ensembleGraphs";
import { binOf } from "./gradients";
import { numberOf } from "./runMetadata";
import { commonParameters } from "./runTable";

/** Nothing. */
const NONE = -1;

export interface EnsembleBarsQuery extends EnsembleGraphQuery {
  /** The parameter by whose values bins are named. */
  readonly parameter?: string;
}

/** The graph without the values of every run, and what was made of them. */
export interface EnsembleBarSpreads {
  readonly graph: EnsembleGraph;
  /** Of the value of gradients, over the runs that have the bar; {@link NaN} where none has. */
  readonly least: Float64Array;
  readonly median: Float64Array;
  /** The runs with the smallest and the largest value, the first of several; -1 where none has the bar. */
  readonly leastRun: Int32Array;
  readonly mostRun: Int32Array;
  /** Values of the parameter that runs have, numbers in their order, then texts in theirs. */
  readonly parameterValues: readonly string[];
  /** By bar and bin: the first and the last of these values among its runs; -1 where one of them has none. */
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** By bar and bin: another parameter that its runs have in common, and not all others, as index into {@link commonTexts}; or -1. */
  readonly common: Int32Array;
  readonly commonTexts: readonly string[];
  /** By bar and bin: where its runs begin in {@link binRuns}, and one more. */
  readonly firstOfBin: Int32Array;
  /** Runs by bar and bin, ascending in each. */
  readonly binRuns: Int32Array;
}

/** Above so many values of runs, what the runs of a bin have in common is said by the parameter alone: it would take seconds. */
const MOST_NAMED = 20_000;

export async function barSpreads(
  open: OpenEnsemble,
  { parameter, ...query }: EnsembleBarsQuery,
  task: Task,
): Promise<EnsembleBarSpreads> {
  const { graph, values } = await graphOfRuns(open, query, task);
  const { ensemble } = open;
  const { runs, bars, gradients } = graph;
  const rows = values.bars[gradients.value];
  // Made once: another choice of hundreds of runs is asked for while somebody drags.
  const [own, sorted] = [new Float64Array(runs.length), new Float64Array(runs.length)];
  const { valueOf, names } = parameterValues(open, parameter, runs);
  const cells = bars.size * gradients.bins;
  const spreads = {
    least: new Float64Array(bars.size).fill(NaN),
    median: new Float64Array(bars.size).fill(NaN),
    leastRun: new Int32Array(bars.size).fill(NONE),
    mostRun: new Int32Array(bars.size).fill(NONE),
    low: new Int32Array(cells).fill(NONE),
    high: new Int32Array(cells).fill(NONE),
    common: new Int32Array(cells).fill(NONE),
  };
  const firstOfBin = new Int32Array(cells + 1);
  const binRuns: number[] = [];
  const texts = new Map<string, number>();
  const isNamed = bars.size * runs.length <= MOST_NAMED;
  for (let bar = 0; bar < bars.size; bar++) {
    task.check();
    const having: number[] = [];
    let [first, last] = [NONE, NONE];
    for (let at = 0; at < runs.length; at++) {
      const value = (own[at] = rows[bar * values.runs + runs[at]]);
      if (Number.isNaN(value)) continue;
      sorted[having.length] = value;
      having.push(at);
      if (first === NONE || value < own[first]) first = at;
      if (last === NONE || value > own[last]) last = at;
    }
    firstOfBin.fill(binRuns.length, bar * gradients.bins + 1, (bar + 1) * gradients.bins + 1);
    if (having.length === 0) continue;
    spreads.least[bar] = own[first];
    spreads.median[bar] = medianOf(sorted.subarray(0, having.length).sort());
    spreads.leastRun[bar] = runs[first];
    spreads.mostRun[bar] = runs[last];
    if (!(gradients.to[bar] > 0)) continue;
    const inBin = Array.from({ length: gradients.bins }, (): number[] => []);
    for (const at of having) inBin[binOf(own[at], gradients.to[bar], gradients.bins)].push(at);
    inBin.forEach((members, bin) => {
      const cell = bar * gradients.bins + bin;
      for (const at of members) binRuns.push(runs[at]);
      firstOfBin[cell + 1] = binRuns.length;
      if (members.length === 0) return;
      const indices = members.map((at) => valueOf[at]);
      if (!indices.includes(NONE)) {
        spreads.low[cell] = indices.reduce((least, one) => Math.min(least, one));
        spreads.high[cell] = indices.reduce((most, one) => Math.max(most, one));
      }
      if (!isNamed || (spreads.low[cell] !== NONE && spreads.low[cell] === spreads.high[cell])) return;
      const [found] = commonParameters(
        ensemble,
        members.map((at) => runs[at]),
        having.map((at) => runs[at]),
      );
      if (!found) return;
      const text = `${found.name} ${found.value}`;
      if (!texts.has(text)) texts.set(text, texts.size);
      spreads.common[cell] = texts.get(text) ?? NONE;
    });
  }
  const ofBins = { firstOfBin, binRuns: Int32Array.from(binRuns) };
  return { graph, ...spreads, ...ofBins, parameterValues: names, commonTexts: [...texts.keys()] };
}

/** The middle of sorted values, of an even number the mean of both in the middle. */
function medianOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @returns by run, of those that stay, the number of its value among all values, or -1 */
function parameterValues({ ensemble }: OpenEnsemble, parameter: string | undefined, runs: Int32Array) {
  const known = ensemble.members.map(({ metadata }) =>
    parameter === undefined ? undefined : metadata.get(parameter)?.value,
  );
  const names = orderedValues(known.filter((value) => value !== undefined));
  const indexOf = new Map<string | undefined, number>(names.map((name, at) => [name, at]));
  return { names, valueOf: Array.from(runs, (run) => indexOf.get(known[run]) ?? NONE) };
}

/** Each value once: numbers by size, then texts by code points. */
export function orderedValues(values: readonly string[]): string[] {
  const key = (value: string) => numberOf(value) ?? Infinity;
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...new Set(values)].sort((a, b) => (key(a) === key(b) ? compare(a, b) : key(a) - key(b)));
}
