import { quietTask, type Task } from "./task";
import { type Combine, SparseBuilder, type SparseValues } from "./values";

/** Entries per chunk: growing copies nothing, and what was used can be let go of piece by piece. */
const CHUNK = 1 << 16;
/** Rows may have thousands of cells. */
const ROWS_BETWEEN_CHECKS = 256;

interface Chunk {
  readonly context: Int32Array;
  readonly location: Int32Array;
  readonly value: Float64Array;
}

/**
 * Values of one metric where most cells get a single one, as in profiles: entries as they arrive, sorted at the end. Takes
 * half the memory of a {@link SparseBuilder}, which is for many values per cell, and gives the same result.
 */
export class EntryLog {
  private count = 0;
  private chunks: Chunk[] = [];

  constructor(readonly combine: Combine = "sum") {}

  get size(): number {
    return this.count;
  }

  add(context: number, location: number, value: number): void {
    const at = this.count++ & (CHUNK - 1);
    if (at === 0)
      this.chunks.push({
        context: new Int32Array(CHUNK),
        location: new Int32Array(CHUNK),
        value: new Float64Array(CHUNK),
      });
    const chunk = this.chunks[this.chunks.length - 1];
    chunk.context[at] = context;
    chunk.location[at] = location;
    // A sum begins with 0, so that a lone -0 is 0 as in a builder.
    chunk.value[at] = this.combine === "sum" ? value + 0 : value;
  }

  /** Takes over all entries of `other`, which is empty then. */
  absorb(other: EntryLog, contextOf: Int32Array, locationOf: Int32Array): void {
    other.forEachChunk(({ context, location }, length) => {
      for (let at = 0; at < length; at++) {
        context[at] = contextOf[context[at]];
        location[at] = locationOf[location[at]];
      }
    });
    if (this.count === 0) {
      this.chunks = other.chunks;
      this.count = other.count;
    } else {
      other.forEachChunk(({ context, location, value }, length) => {
        for (let at = 0; at < length; at++) this.add(context[at], location[at], value[at]);
      });
    }
    other.chunks = [];
    other.count = 0;
  }

  /** Sum of all values, as recorded; `nan` and `inf` left out. */
  total(task: Pick<Task, "check"> = quietTask): number {
    let total = 0;
    this.forEachChunk(({ value }, length) => {
      task.check();
      for (let at = 0; at < length; at++) if (Number.isFinite(value[at])) total += value[at];
    });
    return total;
  }

  /** As {@link SparseBuilder.build}. */
  build(
    contexts: number,
    finalContext: Int32Array,
    finalLocation: Int32Array,
    divisor = 1,
    factor = 1,
    task: Pick<Task, "check"> = quietTask,
  ): SparseValues {
    // Counting sort by context: entries are read in order and written once. Rows mostly come out ascending by location.
    const rowStart = new Int32Array(contexts + 1);
    this.forEachChunk(({ context }, length) => {
      task.check();
      for (let at = 0; at < length; at++) rowStart[finalContext[context[at]] + 1]++;
    });
    for (let row = 0; row < contexts; row++) rowStart[row + 1] += rowStart[row];
    const next = rowStart.slice(0, contexts);
    const column = new Int32Array(this.count);
    const value = new Float64Array(this.count);
    this.forEachChunk((chunk, length) => {
      task.check();
      for (let at = 0; at < length; at++) {
        const to = next[finalContext[chunk.context[at]]]++;
        column[to] = finalLocation[chunk.location[at]];
        value[to] = chunk.value[at];
      }
    });
    const built = combined({ rowStart, column, value }, contexts, this.combine, task);
    if (factor !== 1 || divisor !== 1)
      for (let at = 0; at < built.value.length; at++) built.value[at] = (built.value[at] * factor) / divisor;
    return built;
  }

  private forEachChunk(each: (chunk: Chunk, length: number) => void): void {
    this.chunks.forEach((chunk, index) => each(chunk, Math.min(CHUNK, this.count - index * CHUNK)));
  }
}

/** Rows ascending by location, with one value per cell. */
function combined(entries: SparseValues, contexts: number, combine: Combine, task: Pick<Task, "check">): SparseValues {
  const { rowStart, column, value } = entries;
  let repeated = 0;
  for (let row = 0; row < contexts; row++) {
    if (row % ROWS_BETWEEN_CHECKS === 0) task.check();
    let ascending = true;
    for (let at = rowStart[row] + 1; at < rowStart[row + 1]; at++) {
      if (column[at] < column[at - 1]) ascending = false;
      else if (column[at] === column[at - 1]) repeated++;
    }
    if (ascending) continue;
    sortRow(column, value, rowStart[row], rowStart[row + 1]);
    repeated = 1; // what stands together only now is counted below
  }
  return repeated === 0 ? entries : withoutRepeats(entries, contexts, combine);
}

function sortRow(column: Int32Array, value: Float64Array, from: number, to: number): void {
  const columns = column.slice(from, to);
  const values = value.slice(from, to);
  const order = new Uint32Array(to - from).map((_, at) => at).sort((a, b) => columns[a] - columns[b] || a - b);
  order.forEach((own, at) => {
    column[from + at] = columns[own];
    value[from + at] = values[own];
  });
}

function withoutRepeats(entries: SparseValues, contexts: number, combine: Combine): SparseValues {
  const { column, value } = entries;
  const rowStart = new Int32Array(contexts + 1);
  const several = new SparseBuilder(combine);
  let cells = 0;
  for (let row = 0; row < contexts; row++) {
    for (let at = entries.rowStart[row]; at < entries.rowStart[row + 1]; at++) {
      if (cells > rowStart[row] && column[cells - 1] === column[at]) {
        const sum = value[cells - 1] + value[at];
        const known = several.size > 0 && several.lastContext === cells - 1;
        // Most are counts: as long as their sum is exact, it is the same in any order.
        if (combine === "sum" && !known && areExact(value[cells - 1], value[at], sum)) {
          value[cells - 1] = sum;
          continue;
        }
        // The first of several is added when the second one comes: most cells have one.
        if (!known) several.add(cells - 1, 0, value[cells - 1]);
        several.add(cells - 1, 0, value[at]);
        continue;
      }
      column[cells] = column[at];
      value[cells++] = value[at];
    }
    rowStart[row + 1] = cells;
  }
  for (const [cell, sum] of several.cellSums()) value[cell] = sum;
  return { rowStart, column: column.slice(0, cells), value: value.slice(0, cells) };
}

function areExact(a: number, b: number, sum: number): boolean {
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(sum);
}
