import type { ContextTree } from "../../../../model/contextTree";
import type { Task } from "../../../../model/task";
import type { SparseValues } from "../../../../model/values";
import { IntColumn } from "../../../../model/columns";
import { type CellScratch, GatheredCells } from "./gatheredCells";

/** Cells per chunk: growing copies nothing. */
const CHUNK_BITS = 12;
const CHUNK = 1 << CHUNK_BITS;
/** Cells of the rows that are filled at once. */
const BLOCK = 1 << 15;

/** Cells of one profile, contexts ascending. */
interface ProfileCells {
  readonly location: number;
  next: number;
  readonly end: number;
}

interface Chunk {
  readonly context: Int32Array;
  readonly value: Float64Array;
}

/**
 * Values of one metric, profile by profile: each is sorted and made exclusive while it is in the cache, and all are laid out as
 * rows of contexts at the end. What a general builder does in many passes takes one here, and a third of the memory.
 */
export class CellLog {
  /** Cells of the profile that is being read. */
  readonly profile: GatheredCells;
  private chunks: Chunk[] = [];
  private count = 0;
  /** For each profile its location and the number of its cells. */
  private readonly location = new IntColumn();
  private readonly cells = new IntColumn();

  /** @param inclusive values are inclusive: what is kept is their excess over those of the children (semantics 1) */
  constructor(
    private readonly tree: ContextTree,
    scratch: CellScratch,
    inclusive: boolean,
  ) {
    this.profile = new GatheredCells(tree, scratch, inclusive);
  }

  get size(): number {
    return this.count;
  }

  /** The profile is complete. */
  endProfile(location: number): void {
    const length = this.profile.finish();
    if (length === 0) return;
    this.location.push(location);
    this.cells.push(length);
    this.append(length);
  }

  /** All cells as a matrix; the log is empty then. */
  build(locations: number, task: Task): SparseValues {
    const rowStart = this.rowStarts();
    const column = new Int32Array(this.count);
    const value = new Float64Array(this.count);
    // By location, so that the cells of each row come in ascending order.
    const profiles = this.profilesByLocation(locations);
    const next = rowStart.slice(0, this.tree.size);
    // Some rows at a time, as many as the cache holds: every profile goes on where its contexts ended before.
    for (let row = 0; row < this.tree.size;) {
      task.check();
      const first = rowStart[row];
      while (row < this.tree.size && (rowStart[row + 1] - first <= BLOCK || rowStart[row] === first)) row++;
      for (const profile of profiles) this.fill(profile, row, next, column, value);
    }
    this.chunks = [];
    this.count = 0;
    const repeated = profiles.some(({ location }, at) => at > 0 && location === profiles[at - 1].location);
    return repeated ? merged({ rowStart, column, value }) : { rowStart, column, value };
  }

  private rowStarts(): Int32Array {
    const rowStart = new Int32Array(this.tree.size + 1);
    for (const [index, { context }] of this.chunks.entries()) {
      const length = Math.min(CHUNK, this.count - index * CHUNK);
      for (let at = 0; at < length; at++) rowStart[context[at] + 1]++;
    }
    for (let row = 0; row < this.tree.size; row++) rowStart[row + 1] += rowStart[row];
    return rowStart;
  }

  /** Puts the cells of a profile up to a row into their places. */
  private fill(profile: ProfileCells, endRow: number, next: Int32Array, column: Int32Array, value: Float64Array): void {
    const { location, end } = profile;
    let cell = profile.next;
    while (cell < end) {
      const chunk = this.chunks[cell >> CHUNK_BITS];
      const stop = Math.min(CHUNK, end - (cell & ~(CHUNK - 1)));
      let at = cell & (CHUNK - 1);
      for (; at < stop && chunk.context[at] < endRow; at++) {
        const to = next[chunk.context[at]]++;
        column[to] = location;
        value[to] = chunk.value[at];
      }
      cell = (cell & ~(CHUNK - 1)) + at;
      if (at < stop) break;
    }
    profile.next = cell;
  }

  private profilesByLocation(locations: number): ProfileCells[] {
    const at: ProfileCells[][] = Array.from({ length: locations }, () => []);
    let first = 0;
    for (let profile = 0; profile < this.cells.length; profile++) {
      const location = this.location.values[profile];
      const end = first + this.cells.values[profile];
      at[location].push({ location, next: first, end });
      first = end;
    }
    return at.flat();
  }

  private append(length: number): void {
    for (let from = 0; from < length;) {
      const at = this.count & (CHUNK - 1);
      if (at === 0) this.chunks.push({ context: new Int32Array(CHUNK), value: new Float64Array(CHUNK) });
      const chunk = this.chunks[this.chunks.length - 1];
      const some = Math.min(length - from, CHUNK - at);
      chunk.context.set(this.profile.context.subarray(from, from + some), at);
      chunk.value.set(this.profile.value.subarray(from, from + some), at);
      this.count += some;
      from += some;
    }
  }
}

/** Several profiles of one location (processes without a number): their values are added up. */
function merged({ rowStart, column, value }: SparseValues): SparseValues {
  const start = new Int32Array(rowStart.length);
  let length = 0;
  for (let row = 0; row + 1 < rowStart.length; row++) {
    start[row] = length;
    for (let cell = rowStart[row]; cell < rowStart[row + 1];) {
      let end = cell + 1;
      while (end < rowStart[row + 1] && column[end] === column[cell]) end++;
      // Ascending: the sum does not depend on the order of the profiles.
      const sum =
        end === cell + 1
          ? value[cell]
          : value
              .slice(cell, end)
              .sort()
              .reduce((a, b) => a + b, 0);
      column[length] = column[cell];
      value[length++] = sum;
      cell = end;
    }
  }
  start[rowStart.length - 1] = length;
  return { rowStart: start, column: column.slice(0, length), value: value.slice(0, length) };
}
