/** Merging of sorted runs: whole stretches at once where one run's rows precede all others'. */
import type { Task } from "../../model/task";
import type { BlockStore, ColumnMemory } from "./blocks";
import { Rows, compareRows, type RowOrder, type TakeRows } from "./rows";

/** Where the merge stands in one run. */
interface Cursor {
  /** Runs that arrived earlier come first where rows are equal. */
  readonly run: number;
  block: number;
  readonly end: number;
  rows: Rows;
  at: number;
}

const BATCH_ROWS = 1 << 13;

/** @param ends one past the last block of each run in the store; blocks are given back as they are read */
export async function mergedRuns(
  store: BlockStore,
  ends: readonly number[],
  order: RowOrder,
  memory: ColumnMemory,
  task: Task,
  take: TakeRows,
): Promise<void> {
  const precedes = (a: Cursor, b: Cursor) => isFirst(a, b, order);
  const heap: Cursor[] = [];
  for (const [run, end] of ends.entries()) {
    task.check();
    const block = run === 0 ? 0 : ends[run - 1];
    heap.push({ run, block, end, rows: await store.get(block), at: 0 });
    rise(heap, precedes);
  }
  const batch = new Rows(store.schema, BATCH_ROWS);
  const handOn = async () => {
    take(batch, 0, batch.count);
    batch.count = 0;
    task.check();
    await memory.settle(task);
  };
  while (heap.length > 0) {
    const [first] = heap;
    const to = Math.min(first.at + batch.capacity - batch.count, stretch(heap, order));
    batch.append(first.rows, first.at, to);
    first.at = to;
    if (batch.count === batch.capacity) await handOn();
    if (first.at === first.rows.count) {
      store.free(first.block);
      if (++first.block < first.end) {
        first.rows = await store.get(first.block);
        first.at = 0;
      } else {
        const last = heap.pop();
        if (last === undefined || last === first) continue;
        heap[0] = last;
      }
    }
    sink(heap, precedes);
  }
  await handOn();
}

/** One past the last row of the first run's block that precedes all rows of other runs. */
function stretch(heap: readonly Cursor[], order: RowOrder): number {
  const [first] = heap;
  if (heap.length === 1) return first.rows.count;
  const second = heap.length === 2 || isFirst(heap[1], heap[2], order) ? heap[1] : heap[2];
  const precedes = (row: number) =>
    (compareRows(order, first.rows, row, second.rows, second.at) || first.run - second.run) < 0;
  let [low, step] = [first.at, 1];
  while (low + step < first.rows.count && precedes(low + step)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, first.rows.count);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (precedes(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function isFirst(a: Cursor, b: Cursor, order: RowOrder): boolean {
  return (compareRows(order, a.rows, a.at, b.rows, b.at) || a.run - b.run) < 0;
}

function rise(heap: Cursor[], precedes: (a: Cursor, b: Cursor) => boolean): void {
  for (let at = heap.length - 1; at > 0;) {
    const above = (at - 1) >> 1;
    if (!precedes(heap[at], heap[above])) return;
    [heap[at], heap[above]] = [heap[above], heap[at]];
    at = above;
  }
}

function sink(heap: Cursor[], precedes: (a: Cursor, b: Cursor) => boolean): void {
  for (let at = 0; ;) {
    let least = at;
    for (const below of [2 * at + 1, 2 * at + 2])
      if (below < heap.length && precedes(heap[below], heap[least])) least = below;
    if (least === at) return;
    [heap[at], heap[least]] = [heap[least], heap[at]];
    at = least;
  }
}
