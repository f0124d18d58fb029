/** Sorting of rows, of any number: by group, then time, then what the table says, then arrival. */
import type { Task } from "../../model/task";
import { BlockStore, type ColumnMemory } from "./blocks";
import { mergedRuns } from "./mergedRuns";
import { Rows, rowsIn, type Schema, type TakeRows, compareRows, type RowOrder } from "./rows";

const RUN_BYTES = 16 << 20;
/** Rows that are compared, merged or copied between two checks of a task: some milliseconds. */
const ROWS_BETWEEN_CHECKS = 1 << 15;

/**
 * Hands all rows on in order, within bounded memory: what is more than fits is sorted in runs, which are merged.
 *
 * @param count how many rows there are
 */
export async function sortRows(
  source: AsyncIterable<Rows>,
  count: number,
  schema: Schema,
  order: RowOrder,
  memory: ColumnMemory,
  task: Task,
  take: TakeRows,
): Promise<void> {
  const capacity = Math.min(count, rowsIn(Math.min(RUN_BYTES, memory.mostBytes / 8), schema));
  const runs = new BlockStore(schema, memory, memory.scratch);
  memory.join(runs);
  try {
    const blockRows = blockSize(count, capacity, schema);
    const ends: number[] = [];
    const run = new Rows(schema, capacity);
    for await (const rows of source) {
      for (let from = 0; from < rows.count;) {
        if (run.count === capacity) {
          await storeRun(inOrder(run, order, task), runs, blockRows, memory, task);
          ends.push(runs.size);
          run.count = 0;
        }
        const to = Math.min(rows.count, from + capacity - run.count);
        run.append(rows, from, to);
        from = to;
      }
      task.check();
    }
    const last = inOrder(run, order, task);
    if (ends.length > 0) {
      await storeRun(last, runs, blockRows, memory, task);
      ends.push(runs.size);
      await mergedRuns(runs, ends, order, memory, task, take);
      return;
    }
    for (let from = 0; from < last.count; from += blockRows) {
      task.check();
      take(last, from, Math.min(last.count, from + blockRows));
      await memory.settle(task);
    }
  } finally {
    memory.leave(runs);
    await runs.close();
  }
}

/** Rows per block of a run: one block of every run is in memory while they are merged. */
function blockSize(count: number, capacity: number, schema: Schema): number {
  const runs = Math.ceil(count / Math.max(1, capacity));
  return Math.min(1 << 13, rowsIn((2 * RUN_BYTES) / Math.max(1, runs), schema));
}

async function storeRun(
  run: Rows,
  runs: BlockStore,
  blockRows: number,
  memory: ColumnMemory,
  task: Task,
): Promise<void> {
  for (let from = 0; from < run.count; from += blockRows) {
    task.check();
    const to = Math.min(run.count, from + blockRows);
    const block = new Rows(run.schema, to - from);
    block.append(run, from, to);
    runs.put(block);
    await memory.settle(task);
  }
}

/** The rows sorted: as they are where they are in order, which most recordings are. */
export function inOrder(rows: Rows, order: RowOrder, task: Task): Rows {
  let at = 1;
  for (; at < rows.count && compareRows(order, rows, at - 1, rows, at) <= 0; at++)
    if (at % ROWS_BETWEEN_CHECKS === 0) task.check();
  if (at >= rows.count) return rows;
  task.check();
  const sorted = new Uint32Array(rows.count);
  const room = new Uint32Array(rows.count);
  const groups = groupsOf(rows, order, sorted);
  for (const [from, to] of groups) {
    sortPart(rows, order, sorted, room, from, to, task);
  }
  task.check();
  return rows.copy(rows.count, sorted, task);
}

/** Puts the numbers of all rows into `sorted`, group by group, each in arrival order. @returns where each group lies */
function groupsOf(rows: Rows, { groups }: RowOrder, sorted: Uint32Array): [number, number][] {
  if (groups === undefined) {
    for (let row = 0; row < rows.count; row++) sorted[row] = row;
    return [[0, rows.count]];
  }
  const column = rows.i32[0];
  const start = new Int32Array(groups + 1);
  for (let row = 0; row < rows.count; row++) start[column[row] + 1]++;
  for (let group = 0; group < groups; group++) start[group + 1] += start[group];
  const next = start.slice(0, groups);
  for (let row = 0; row < rows.count; row++) sorted[next[column[row]]++] = row;
  const parts: [number, number][] = [];
  for (let group = 0; group < groups; group++)
    if (start[group + 1] - start[group] > 1) parts.push([start[group], start[group + 1]]);
  return parts;
}

/** Pieces that are merged are made at least this long by insertion. */
const SHORTEST_PIECE = 16;

/**
 * A stable merge sort of `sorted[from … to - 1]` that keeps pieces that are in order: rows of one group mostly arrive in order,
 * or nearly so.
 */
function sortPart(
  rows: Rows,
  order: RowOrder,
  sorted: Uint32Array,
  room: Uint32Array,
  from: number,
  to: number,
  task: Task,
): void {
  task.check();
  const time = rows.f64[0];
  const after = (a: number, b: number) => {
    const [one, other] = [time[a], time[b]];
    return one > other || (one === other && order.tie(rows, a, rows, b) > 0);
  };
  let pieces = [from];
  let looked = from;
  for (let at = from; at < to;) {
    if (at - looked >= ROWS_BETWEEN_CHECKS) {
      task.check();
      looked = at;
    }
    let end = at + 1;
    while (end < to && !after(sorted[end - 1], sorted[end])) end++;
    for (; end < to && end - at < SHORTEST_PIECE; end++) {
      const row = sorted[end];
      let place = end;
      for (; place > at && after(sorted[place - 1], row); place--) sorted[place] = sorted[place - 1];
      sorted[place] = row;
    }
    pieces.push((at = end));
  }
  let [source, target] = [sorted, room];
  while (pieces.length > 2) {
    task.check();
    looked = from;
    const longer = [from];
    for (let piece = 0; piece + 1 < pieces.length; piece += 2) {
      const middle = pieces[piece + 1];
      const end = pieces[piece + 2] ?? middle;
      mergePieces(source, target, pieces[piece], middle, end, after, task);
      if (end - looked >= ROWS_BETWEEN_CHECKS) {
        task.check();
        looked = end;
      }
      longer.push(end);
    }
    pieces = longer;
    [source, target] = [target, source];
  }
  if (source !== sorted) sorted.set(source.subarray(from, to), from);
}

/** Merges two pieces that follow one another; what lies before or behind the overlap of their times is copied as it is. */
function mergePieces(
  source: Uint32Array,
  target: Uint32Array,
  from: number,
  middle: number,
  end: number,
  after: (a: number, b: number) => boolean,
  task: Task,
): void {
  if (middle === end || !after(source[middle - 1], source[middle])) {
    target.set(source.subarray(from, end), from);
    return;
  }
  let left = firstWhere(from, middle, (at) => after(source[at], source[middle]));
  const last = firstWhere(middle, end, (at) => !after(source[middle - 1], source[at]));
  target.set(source.subarray(from, left), from);
  target.set(source.subarray(last, end), last);
  let [right, at] = [middle, left];
  while (left < middle && right < last) {
    const stop = Math.min(last, at + ROWS_BETWEEN_CHECKS);
    while (at < stop && left < middle && right < last)
      target[at++] = after(source[left], source[right]) ? source[right++] : source[left++];
    task.check();
  }
  while (left < middle) target[at++] = source[left++];
  while (right < last) target[at++] = source[right++];
}

/** The first number for which something holds that holds for all that follow; `to` where it never does. */
function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
