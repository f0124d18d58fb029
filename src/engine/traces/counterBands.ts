/** Quantities over time: which there are, what is drawn of them in a window, and what they are in it as numbers. */
import type { DataSet } from "../../model/dataSet";
import { hardwareKindOf } from "../../model/hardware";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import { entryOf } from "../../model/maps";
import type { Chosen } from "../../model/members";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import { rateUnit } from "../../model/units";
import { SharedWork } from "../lines/sharedWork";
import type {
  CounterBands,
  CounterBandsQuery,
  CounterFact,
  CounterFacts,
  CounterStretches,
  CounterStretchesQuery,
  CounterSums,
} from "./counterApi";
import { checkRow, recordedLevels } from "./counterSteps";
import { derivedLevels, derivedRows } from "./derivedSteps";
import type { EventStates } from "./eventStates";
import { leftResources } from "./movement";
import type { StepLevels } from "./stepLevels";
import { type Pieces, StepPart } from "./stepPieces";

const MOST_COLUMNS = 40_000;
/** Steps of a level as fine as there are. */
const LEAST_EXPONENT = -900;

/** A quantity over time. */
export interface CounterRowLevels {
  readonly fact: CounterFact;
  readonly levels: StepLevels;
}

const recorded = new WeakMap<Trace, SharedWork<readonly StepLevels[]>>();
/** The latest of each trace: while one looks at it, it is asked for again and again. */
const derived = new WeakMap<Trace, { readonly key: string; readonly work: SharedWork<readonly CounterRowLevels[]> }>();

/** Recorded ones, then derived ones. @param key of the states: what of the user's table they are made with @throws CancelledError */
export async function counterRows(
  dataSet: DataSet,
  trace: Trace,
  states: EventStates,
  key: string,
  chosen: Chosen | undefined,
  task: Task,
): Promise<readonly CounterRowLevels[]> {
  const rows = await recordedRows(dataSet, trace, chosen, task);
  const of = `${key} ${JSON.stringify(chosen ?? null)}`;
  const before = derived.get(trace);
  const work =
    before?.key === of ? before.work : new SharedWork((shared) => readDerived(dataSet, trace, states, chosen, shared));
  derived.set(trace, { key: of, work });
  try {
    return [...rows, ...(await work.wait(task))];
  } catch (problem) {
    if (derived.get(trace)?.work === work) derived.delete(trace);
    throw problem;
  }
}

/** Recorded ones alone. @throws CancelledError */
export async function recordedRows(
  dataSet: DataSet,
  trace: Trace,
  chosen: Chosen | undefined,
  task: Task,
): Promise<readonly CounterRowLevels[]> {
  const isLeft = leftResources(dataSet, chosen);
  const lanesIn = lanesOfResources(dataSet, trace);
  const own = await waitFor(recorded, trace, readRecorded, task);
  return trace.counters.map(({ name, unit, resource, points, grows }, at): CounterRowLevels => {
    const { least, most } = own[at].whole;
    const shows = grows ? ({ shows: "rate", unit: rateUnit(unit) } as const) : ({ shows: "level", unit } as const);
    const fact = { name, ...shows, resource, points, least, most, lanes: lanesIn(resource), isLeft: isLeft(resource) };
    return { fact, levels: own[at] };
  });
}

/** Lanes of a resource and of what it holds; of a machine, of the processes on it too. */
function lanesOfResources({ topology }: DataSet, { lanes }: Trace): (resource: number) => readonly number[] {
  const resources = topology?.resources ?? [];
  const hosts = new Map(
    resources.flatMap(({ name, type, parent }, at) =>
      parent === NONE && hardwareKindOf(type) === "machine" ? [[name, at] as const] : [],
    ),
  );
  const known = new Map<number, number[]>();
  lanes.forEach(({ resource }, lane) => {
    let host: string | undefined;
    for (let at = resource; at !== NONE; at = resources[at].parent) {
      entryOf(known, at, () => []).push(lane);
      host = resources[at].properties?.get("host") ?? host;
    }
    const machine = hosts.get(host ?? "");
    if (machine !== undefined) entryOf(known, machine, () => []).push(lane);
  });
  return (resource) => known.get(resource) ?? [];
}

async function waitFor<Result>(
  known: WeakMap<Trace, SharedWork<Result>>,
  trace: Trace,
  make: (trace: Trace, task: Task) => Promise<Result>,
  task: Task,
): Promise<Result> {
  const work = known.get(trace) ?? new SharedWork((shared) => make(trace, shared));
  known.set(trace, work);
  try {
    return await work.wait(task);
  } catch (problem) {
    if (known.get(trace) === work) known.delete(trace);
    throw problem;
  }
}

async function readRecorded(trace: Trace, task: Task): Promise<readonly StepLevels[]> {
  const levels: StepLevels[] = [];
  for (const counter of trace.counters.keys()) {
    task.progress(counter / trace.counters.length, "Reading counters");
    levels.push(await recordedLevels(trace, counter, task));
  }
  return levels;
}

async function readDerived(
  dataSet: DataSet,
  trace: Trace,
  states: EventStates,
  chosen: Chosen | undefined,
  task: Task,
): Promise<readonly CounterRowLevels[]> {
  const rows: CounterRowLevels[] = [];
  const wanted = derivedRows(dataSet, trace, states, chosen);
  for (const [at, row] of wanted.entries()) {
    task.progress(at / wanted.length, `Counting ${row.name}`);
    const levels = await derivedLevels(trace, row, task);
    const { name, unit, says, kind } = row;
    const { least, most } = levels.whole;
    const fact: CounterFact = {
      name,
      unit,
      says,
      kind,
      shows: "derived" as const,
      resource: NONE,
      points: levels.steps,
      least,
      most,
      lanes: [],
      isLeft: true,
    };
    rows.push({ fact, levels });
  }
  return rows;
}

export function counterFacts({ topology }: DataSet, trace: Trace, rows: readonly CounterRowLevels[]): CounterFacts {
  return {
    startSeconds: trace.startSeconds,
    endSeconds: trace.endSeconds,
    rows: rows.map(({ fact }) => fact),
    resources: (topology?.resources ?? []).map(({ name, type, parent }) => ({ name, type, parent })),
  };
}

/** As {@link CounterBands} says. */
export async function counterBands(
  trace: Trace,
  rows: readonly CounterRowLevels[],
  {
    rows: wanted,
    fromSeconds,
    toSeconds,
    pixelSeconds,
    mostColumns = MOST_COLUMNS,
  }: Omit<CounterBandsQuery, "dataSet">,
  task: Pick<Task, "check">,
): Promise<CounterBands> {
  for (const row of wanted) checkRow(rows.length, row);
  let exponent = Math.ceil(Math.log2(Math.max(pixelSeconds, 2 ** LEAST_EXPONENT)));
  const edges = () => [Math.floor(fromSeconds / 2 ** exponent), Math.ceil(toSeconds / 2 ** exponent)] as const;
  while ((edges()[1] - edges()[0]) * wanted.length > mostColumns && edges()[1] - edges()[0] > 1) exponent++;
  const [first, end] = edges();
  const step = 2 ** exponent;
  const columns = Math.max(1, end - first);
  const [from, to] = [first * step, (first + columns) * step];
  const size = columns * wanted.length;
  const [least, most, mean] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const stepsAt = new Int32Array(wanted.length + 1);
  const [seconds, value]: [number[], number[]] = [[], []];
  for (const [at, row] of wanted.entries()) {
    task.check();
    const { held, pieces } = await rows[row].levels.within(from, to, exponent);
    const of = (column: Float64Array) => column.subarray(at * columns, (at + 1) * columns);
    fill({ least: of(least), most: of(most), mean: of(mean) }, held, pieces, first, step, trace.endSeconds);
    if (isExact(pieces, columns)) {
      seconds.push(from);
      appendAll(seconds, pieces.first.subarray(0, pieces.count));
      value.push(held);
      appendAll(value, pieces.last.subarray(0, pieces.count));
    }
    stepsAt[at + 1] = seconds.length;
  }
  return {
    stepSeconds: step,
    fromSeconds: from,
    toSeconds: to,
    columns,
    least,
    most,
    mean,
    stepsAt,
    seconds: Float64Array.from(seconds),
    value: Float64Array.from(value),
  };
}

/** Whether each piece is a step, and these are few. */
function isExact({ count, steps }: Pieces, columns: number): boolean {
  if (2 * count > columns) return false;
  for (let at = 0; at < count; at++) if (steps[at] !== 1) return false;
  return true;
}

function fill(
  { least, most, mean }: Pick<CounterBands, "least" | "most" | "mean">,
  held: number,
  pieces: Pieces,
  first: number,
  step: number,
  endSeconds: number,
): void {
  let [value, at] = [held, 0];
  for (let column = 0; column < least.length; column++) {
    const [from, to] = [(first + column) * step, (first + column + 1) * step];
    const until = Math.min(to, endSeconds);
    const part = new StepPart();
    let since = from;
    // What was there before holds until the first step; nothing holds beyond the run.
    const begins = at < pieces.count && pieces.first[at] < to ? pieces.first[at] : Infinity;
    if (begins > from && from <= endSeconds) part.hold(value, Math.min(begins, until) - from);
    for (; at < pieces.count && pieces.first[at] < to; at++) {
      // Up to the first one this is counted already.
      if (pieces.first[at] > begins) part.hold(value, pieces.first[at] - since);
      part.add(pieces.partOf(at));
      [value, since] = [pieces.last[at], pieces.until[at]];
    }
    if (begins < Infinity) part.hold(value, until - since);
    least[column] = part.least;
    most[column] = part.most;
    mean[column] = part.shownMean;
  }
}

/** As {@link CounterSums} says: of all rows. */
export async function counterSums(
  trace: Trace,
  rows: readonly CounterRowLevels[],
  { fromSeconds, toSeconds }: { readonly fromSeconds: number; readonly toSeconds: number },
  task: Pick<Task, "check">,
): Promise<CounterSums> {
  const column = () => new Float64Array(rows.length);
  const sums = { seconds: column(), mean: column(), least: column(), most: column(), variance: column() };
  for (const [row, { levels }] of rows.entries()) {
    task.check();
    const sum = await sumIn(trace, levels, fromSeconds, toSeconds);
    sums.seconds[row] = sum.seconds;
    sums.mean[row] = sum.shownMean;
    sums.least[row] = sum.least;
    sums.most[row] = sum.most;
    sums.variance[row] = sum.variance;
  }
  return sums;
}

/** As {@link CounterStretches} says. */
export async function counterStretches(
  trace: Trace,
  rows: readonly CounterRowLevels[],
  { row, fromSeconds, toSeconds, count }: Omit<CounterStretchesQuery, "dataSet">,
  task: Pick<Task, "check">,
): Promise<CounterStretches> {
  checkRow(rows.length, row);
  const column = () => new Float64Array(count);
  const all = { seconds: column(), mean: column(), least: column(), most: column() };
  const edge = (at: number) => (at === count ? toSeconds : fromSeconds + ((toSeconds - fromSeconds) * at) / count);
  for (let at = 0; at < count; at++) {
    task.check();
    const sum = await sumIn(trace, rows[row].levels, edge(at), edge(at + 1));
    all.seconds[at] = sum.seconds;
    all.mean[at] = sum.shownMean;
    all.least[at] = sum.least;
    all.most[at] = sum.most;
  }
  return all;
}

/** A level holds until the run's end; what begins with its last moment is part of a window that ends there. */
async function sumIn(trace: Trace, levels: StepLevels, fromSeconds: number, toSeconds: number): Promise<StepPart> {
  const [from, to] = [Math.max(fromSeconds, trace.startSeconds), Math.min(toSeconds, trace.endSeconds)];
  const { held, pieces } = await levels.within(from, toSeconds >= trace.endSeconds ? Infinity : to, Infinity);
  return pieces.over(held, from, to);
}
