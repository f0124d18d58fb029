import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import { IntColumn, widened } from "../../../model/columns";
import type { LineLog } from "../decode/lineLog";
import { FEW, orderOf, type OrderedRows, RowSorter } from "./orderedRows";

/** What is known of each place of a table, in canonical order: numbers from 0. */
export interface PlaceRanks {
  readonly node: Int32Array;
  /** From 1; 0: no file is known. */
  readonly file: Int32Array;
  readonly location: Int32Array;
}

/** The lines of one node in one file are a block: block b has the final rows from `start[b]` to `start[b + 1]`. */
export interface LineBlocks {
  readonly count: number;
  readonly start: Int32Array;
  readonly node: Int32Array;
  /** As in {@link PlaceRanks}. */
  readonly file: Int32Array;
}

/** Recorded lines in canonical order: by node, file, line. */
export interface OrderedLines {
  readonly rows: OrderedRows;
  readonly blocks: LineBlocks;
  /** Line of each final row; ascending in a block. */
  readonly line: Int32Array;
}

/**
 * Puts the rows of a log in order, block by block: mostly they are, since tools write the lines of a function in order. Beside
 * the result it takes the memory of one block.
 */
export function orderLines(log: LineLog, ranks: PlaceRanks, task: Task): OrderedLines {
  const places = new RowSorter(ranks.node.length)
    .sortBy(ranks.location, undefined, task)
    .sortBy(ranks.file, undefined, task)
    .sortBy(ranks.node, undefined, task)
    .take();
  const runs = runsByPlace(log, ranks.node.length);
  const order = new Int32Array(log.size);
  const begins = new Uint8Array(log.size);
  const line = new Int32Array(log.size);
  const [start, node, file] = [new IntColumn(), new IntColumn(), new IntColumn()];
  const block = new Block(task);
  let rows = 0;
  let groups = 0;
  for (let at = 0; at < places.length;) {
    const first = places[at];
    block.clear();
    for (; at < places.length; at++) {
      const place = places[at];
      if (ranks.node[place] !== ranks.node[first] || ranks.file[place] !== ranks.file[first]) break;
      for (let run = runs.start[place]; run < runs.start[place + 1]; run++) block.add(log, runs.run[run]);
    }
    if (block.size === 0) continue;
    block.sort();
    start.push(groups);
    node.push(ranks.node[first]);
    file.push(ranks.file[first]);
    for (let own = 0; own < block.size; own++, rows++) {
      if (rows % STEPS_BETWEEN_CHECKS === 0) task.check();
      order[rows] = block.rows[own];
      if (own > 0 && block.lines[own] === block.lines[own - 1]) continue;
      begins[rows] = 1;
      line[groups++] = block.lines[own];
    }
  }
  start.push(groups);
  return {
    rows: { order, begins, groups, locations: undefined },
    blocks: { count: node.length, start: start.values, node: node.values, file: file.values },
    line: groups < log.size ? line.slice(0, groups) : line,
  };
}

/** The runs of place p, as they arrived, are `run[start[p]] … run[start[p + 1] - 1]`. */
function runsByPlace({ places }: LineLog, count: number): { start: Int32Array; run: Int32Array } {
  const start = new Int32Array(count + 1);
  for (let run = 0; run < places.length; run++) start[places.values[run] + 1]++;
  for (let place = 0; place < count; place++) start[place + 1] += start[place];
  const next = start.slice(0, count);
  const run = new Int32Array(places.length);
  for (let own = 0; own < places.length; own++) run[next[places.values[own]]++] = own;
  return { start, run };
}

/** Rows of one block and the line of each, used again for each block. */
class Block {
  size = 0;
  rows = new Int32Array(256);
  lines = new Int32Array(256);
  private ascending = true;

  constructor(private readonly task: Task) {}

  clear(): void {
    this.size = 0;
    this.ascending = true;
  }

  add(log: LineLog, run: number): void {
    const end = log.endOf(run);
    const from = log.starts.values[run];
    if (this.size + end - from > this.rows.length) {
      this.rows = widened(this.rows, 2 * (this.size + end - from));
      this.lines = widened(this.lines, this.rows.length);
    }
    for (let row = from, last = this.size > 0 ? this.lines[this.size - 1] : 0; row < end; row++) {
      if (row % STEPS_BETWEEN_CHECKS === 0) this.task.check();
      const line = log.lineOf(row);
      if (line < last) this.ascending = false;
      last = line;
      this.rows[this.size] = row;
      this.lines[this.size++] = line;
    }
  }

  /** By line; rows of one line stay as they are. */
  sort(): void {
    const { size } = this;
    if (this.ascending) return;
    const [rows, lines] = [this.rows.slice(0, size), this.lines.slice(0, size)];
    orderOf(lines, this.task).forEach((from, own) => {
      this.rows[own] = rows[from];
      this.lines[own] = lines[from];
    });
  }
}

/** Distinct numbers of a list, ascending, at its beginning. @returns how many there are */
export function distinctLines(lines: Int32Array, task: Task): number {
  if (lines.length <= FEW) lines.sort();
  else lines.set(orderOf(lines, task).map((own) => lines[own]));
  let count = 0;
  for (const line of lines) if (count === 0 || line !== lines[count - 1]) lines[count++] = line;
  return count;
}
