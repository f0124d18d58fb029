/** Counts and totals of a trace: lanes, counters, messages, transfers, and values by iteration. */
import type { DataSet } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { addTo, entryOf } from "../../model/maps";
import { resourcePath } from "../../model/resources";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import { messageKinds, type Trace } from "../../model/trace";
import { rateUnit } from "../../model/units";
import { firstRows } from "../rows";
import type {
  CategoryRow,
  CounterRow,
  LaneRow,
  MessagePairRow,
  ResourceRow,
  Rows,
  SeriesInfo,
  SeriesRow,
  TransferRow,
} from "./traceApi";

/** Rows that are read at once. */
const PAGE = 1 << 14;
/** Frames that a lane's row names. */
const LANE_FRAMES = 5;

export function categoryRows({ trace }: DataSet): CategoryRow[] {
  return (trace?.categories ?? [])
    .map(({ name, kind }, category) => ({ name, kind, ...(trace?.categoryUse[category] ?? { events: 0, seconds: 0 }) }))
    .sort((a, b) => b.seconds - a.seconds || b.events - a.events);
}

export function seriesInfo(dataSet: DataSet): SeriesInfo[] {
  return (dataSet.series ?? []).map(({ name, metric, rows, iteration }) => {
    let iterations = 0;
    for (let row = 0; row < rows; row++) if (row === 0 || iteration[row] !== iteration[row - 1]) iterations++;
    return { name, metric, iterations, rows };
  });
}

export function laneRows({ trace, frames }: DataSet, limit: number): Rows<LaneRow> {
  const lanes = trace?.lanes ?? [];
  return firstRows(lanes, limit, (lane, index): LaneRow => {
    const { state, seconds } = trace?.stateSeconds(index) ?? { state: [], seconds: [] };
    const named = new Map<string, number>();
    // Frames of one name at several places are one here.
    for (let at = 0; at < state.length; at++) {
      const frame = trace?.states.frame[state[at]] ?? NONE;
      if (frame === NONE) continue;
      const name = frames.nameOf(frame);
      addTo(named, name, seconds[at]);
    }
    const heaviest = [...named].sort(([one, a], [other, b]) => b - a || compareText(one, other));
    const length = lane.kind === "intervals" && lane.events > 0 ? lane.endSeconds - lane.startSeconds : 0;
    return {
      lane: index,
      name: lane.name,
      kind: lane.kind,
      events: lane.events,
      startSeconds: lane.startSeconds,
      endSeconds: lane.endSeconds,
      coveredSeconds: lane.coveredSeconds,
      // What rounding leaves of nothing is nothing.
      uncoveredSeconds: length - lane.coveredSeconds > 1e-12 * length ? length - lane.coveredSeconds : 0,
      frames: heaviest.slice(0, LANE_FRAMES).map(([name, own]) => ({ name, seconds: own })),
      moreFrames: Math.max(0, heaviest.length - LANE_FRAMES),
    };
  });
}

export async function counterRows(dataSet: DataSet, limit: number, task: Task): Promise<Rows<CounterRow>> {
  const { trace } = dataSet;
  if (!trace) return { rows: [], more: 0 };
  const rows: CounterRow[] = [];
  for (const [counter, { name, unit, resource, points, grows, minimum, maximum }] of trace.counters
    .slice(0, limit)
    .entries()) {
    const what = { counter, name, resource: nameOf(dataSet, resource), points };
    if (grows) rows.push({ ...what, unit: rateUnit(unit), ...(await ratesOverTime(trace, counter, task)) });
    else rows.push({ ...what, unit, minimum, maximum, mean: await meanOverTime(trace, counter, task) });
  }
  return { rows, more: trace.counters.length - rows.length };
}

/** Rates between two points, in units per second; NaN where there are no two. A fall restarts the counter at 0 (semantics 9). */
async function ratesOverTime(
  trace: Trace,
  counter: number,
  task: Task,
): Promise<Pick<CounterRow, "minimum" | "maximum" | "mean">> {
  const { points } = trace.counters[counter];
  let [minimum, maximum, grown, length] = [Number.NaN, Number.NaN, 0, 0];
  let [before, valueBefore] = [Number.NaN, Number.NaN];
  for (let first = 0; first < points; first += PAGE) {
    task.check();
    const { count, seconds, value } = await trace.readCounter(counter, first, PAGE);
    for (let at = 0; at < count; at++) {
      const step = seconds[at] - before;
      // Values such as nan are kept, and say nothing; of points at one time the first one counts, the others with the next time.
      if (!Number.isFinite(value[at]) || step <= 0) continue;
      if (step > 0) {
        const growth = value[at] >= valueBefore ? value[at] - valueBefore : value[at];
        if (!(minimum <= growth / step)) minimum = growth / step;
        if (!(maximum >= growth / step)) maximum = growth / step;
        grown += growth;
        length += step;
      }
      [before, valueBefore] = [seconds[at], value[at]];
    }
  }
  return { minimum, maximum, mean: length > 0 ? grown / length : Number.NaN };
}

/** Each value counts as long as it lasts: until the next point. */
async function meanOverTime(trace: Trace, counter: number, task: Task): Promise<number> {
  const { points } = trace.counters[counter];
  let [weighted, length, plain, finite] = [0, 0, 0, 0];
  let [before, valueBefore] = [Number.NaN, Number.NaN];
  for (let first = 0; first < points; first += PAGE) {
    task.check();
    const { count, seconds, value } = await trace.readCounter(counter, first, PAGE);
    for (let at = 0; at < count; at++) {
      // Values such as nan are kept, and left out of sums.
      if (Number.isFinite(valueBefore)) {
        weighted += valueBefore * (seconds[at] - before);
        length += seconds[at] - before;
      }
      if (Number.isFinite(value[at])) {
        plain += value[at];
        finite++;
      }
      [before, valueBefore] = [seconds[at], value[at]];
    }
  }
  return length > 0 ? weighted / length : plain / finite;
}

export async function messagePairRows(dataSet: DataSet, limit: number, task: Task): Promise<Rows<MessagePairRow>> {
  const { trace } = dataSet;
  if (!trace) return { rows: [], more: 0 };
  const message = messageKinds.indexOf("message");
  const resources = (dataSet.topology?.resources.length ?? 0) + 1;
  const pairs = new Map<number, { from: number; to: number; count: number; bytes: number }>();
  for (let first = 0; first < trace.links; first += PAGE) {
    task.progress(first / trace.links);
    const { count, from, to, bytes, kind } = await trace.readMessages(first, PAGE);
    for (let at = 0; at < count; at++) {
      if (kind[at] !== message) continue;
      const key = (from[at] + 1) * resources + to[at] + 1;
      const pair = entryOf(pairs, key, () => ({ from: from[at], to: to[at], count: 0, bytes: 0 }));
      pair.count++;
      if (bytes[at] > 0) pair.bytes += bytes[at];
    }
  }
  const sorted = [...pairs.values()].sort(
    (a, b) => b.bytes - a.bytes || b.count - a.count || a.from - b.from || a.to - b.to,
  );
  return firstRows(sorted, limit, ({ from, to, count, bytes }) => ({
    from: nameOf(dataSet, from),
    to: nameOf(dataSet, to),
    count,
    bytes,
  }));
}

export async function transferRows({ trace }: DataSet, task: Task): Promise<TransferRow[]> {
  if (!trace) return [];
  const totals = new Map<string, { -readonly [Key in keyof TransferRow]: TransferRow[Key] }>();
  for (let first = 0; first < trace.transfers; first += PAGE) {
    task.check();
    const page = await trace.readTransfers(first, PAGE);
    for (let at = 0; at < page.count; at++) {
      const [fromDevice, toDevice] = [page.fromDevice[at], page.toDevice[at]];
      const key = `${page.direction[at]},${fromDevice},${toDevice}`;
      const direction = trace.transferDirections[page.direction[at]];
      const empty = () => ({ direction, fromDevice, toDevice, count: 0, bytes: 0, seconds: 0 });
      const total = entryOf(totals, key, empty);
      total.count++;
      if (page.bytes[at] > 0) total.bytes += page.bytes[at];
      total.seconds += page.endSeconds[at] - page.startSeconds[at];
    }
  }
  return [...totals.values()].sort(
    (a, b) =>
      b.bytes - a.bytes ||
      b.count - a.count ||
      compareText(a.direction, b.direction) ||
      a.fromDevice - b.fromDevice ||
      a.toDevice - b.toDevice,
  );
}

/** @throws RequestError when there is no such series */
export function seriesRows(dataSet: DataSet, index: number, limit: number): Rows<SeriesRow> {
  const series = dataSet.series?.[index];
  if (!series) throw new RequestError(`${dataSet.name} has no series number ${index}.`);
  const sums: { iteration: number; value: number }[] = [];
  for (let row = 0; row < series.rows; row++) {
    const iteration = series.iteration[row];
    const last = sums.at(-1);
    const value = Number.isFinite(series.value[row]) ? series.value[row] : 0;
    if (last?.iteration === iteration) last.value += value;
    else sums.push({ iteration, value });
  }
  return firstRows(sums, limit, (sum) => sum);
}

/** @throws RequestError when there is no such parent */
export function resourceRows(dataSet: DataSet, parent: number | undefined, limit: number): Rows<ResourceRow> {
  const resources = dataSet.topology?.resources ?? [];
  if (parent !== undefined && !resources[parent])
    throw new RequestError(`${dataSet.name} has no resource number ${parent}.`);
  const children = new Int32Array(resources.length);
  const wanted: number[] = [];
  resources.forEach((resource, index) => {
    if (resource.parent !== NONE) children[resource.parent]++;
    if (resource.parent === (parent ?? NONE)) wanted.push(index);
  });
  return firstRows(wanted, limit, (resource): ResourceRow => {
    const { name, type, properties } = resources[resource];
    return {
      resource,
      name,
      type,
      children: children[resource],
      properties: [...(properties ?? [])].map(([property, value]) => ({ name: property, value })),
    };
  });
}

function nameOf({ topology }: DataSet, resource: number): string {
  return resource === NONE || !topology ? "" : resourcePath(topology.resources, resource);
}
