import type { ContextTree } from "../../../model/contextTree";
import type { Task } from "../../../model/task";
import type { SparseValues } from "../../../model/values";
import { IntColumn } from "../../intColumn";

/** Cells a chunk: growing copies nothing. */
const CHUNK_BITS = 12;
const CHUNK = 1 << CHUNK_BITS;
/** Beyond, sorting by key would leave the exact integers; and it would be slow. */
const MOST_KEYS = 1 << 21;

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
  /** Values that were not a number or infinite. */
  notFinite = 0;
  /** Some exclusive value is negative: more than rounding, or not. */
  hasNegative = false;
  private context: Int32Array<ArrayBuffer> = new Int32Array(64);
  private value: Float64Array<ArrayBuffer> = new Float64Array(64);
  private gathered = 0;
  private chunks: Chunk[] = [];
  private count = 0;
  /** For each profile its location and the number of its cells. */
  private readonly location = new IntColumn();
  private readonly cells = new IntColumn();

  /** @param inclusive values are inclusive: what is kept is their excess over those of the children (semantics 1) */
  constructor(
    private readonly tree: ContextTree,
    private readonly scratch: CellScratch,
    private readonly inclusive: boolean,
  ) {}

  get size(): number {
    return this.count;
  }

  /** A value of the profile that is being read. */
  add(context: number, value: number): void {
    if (this.gathered === this.context.length) {
      this.context = grown(this.context, new Int32Array(2 * this.gathered));
      this.value = grown(this.value, new Float64Array(2 * this.gathered));
    }
    this.context[this.gathered] = context;
    this.value[this.gathered++] = value;
  }

  /** The profile is complete. */
  endProfile(location: number): void {
    if (this.gathered === 0) return;
    const length = this.sort();
    this.countNotFinite(length);
    if (this.inclusive) this.subtractChildren(length);
    this.location.push(location);
    this.cells.push(length);
    this.append(length);
    this.gathered = 0;
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

  /** Contexts ascending, each once. @returns how many there are */
  private sort(): number {
    const { context, value, gathered } = this;
    let ascending = true;
    for (let at = 1; at < gathered && ascending; at++) ascending = context[at] > context[at - 1];
    if (ascending) return gathered;
    if (gathered >= MOST_KEYS || 8 * gathered >= this.tree.size) return this.sortDensely();
    const keys = new Float64Array(gathered);
    for (let at = 0; at < gathered; at++) keys[at] = context[at] * gathered + at;
    keys.sort();
    const sorted = value.slice(0, gathered);
    let length = 0;
    for (const key of keys) {
      const own = Math.floor(key / gathered);
      const one = sorted[key - own * gathered];
      if (length > 0 && context[length - 1] === own) value[length - 1] += one;
      else {
        context[length] = own;
        value[length++] = one;
      }
    }
    return length;
  }

  /** Through an array over all contexts: faster where a profile has many of them. */
  private sortDensely(): number {
    const { context, value, gathered } = this;
    const { place, values } = this.scratch.ofContexts(this.tree.size);
    for (let at = 0; at < gathered; at++) {
      const own = context[at];
      if (place[own] === 1) values[own] += value[at];
      else {
        place[own] = 1;
        values[own] = value[at];
      }
    }
    let length = 0;
    for (let own = 0; own < place.length; own++) {
      if (place[own] === 0) continue;
      place[own] = 0;
      context[length] = own;
      value[length++] = values[own];
    }
    return length;
  }

  /** Each value without those of the nearest contexts below that have one. Children are subtracted in canonical order. */
  private subtractChildren(length: number): void {
    const { context, value } = this;
    const { end } = this.tree;
    const { open, sums } = this.scratch.stack(length);
    let depth = 0;
    let negative = false;
    for (let cell = 0; cell <= length; cell++) {
      // After the last one all that is open is closed.
      const own = cell < length ? context[cell] : this.tree.size;
      if (cell < length && !isNumber(value[cell])) continue;
      while (depth > 0 && end[context[open[depth - 1]]] <= own) {
        depth--;
        const exclusive = (value[open[depth]] -= sums[depth]);
        if (exclusive < 0) negative = true;
      }
      if (cell === length) break;
      if (depth > 0) sums[depth - 1] += value[cell];
      open[depth] = cell;
      sums[depth++] = 0;
    }
    this.hasNegative ||= negative;
  }

  private countNotFinite(length: number): void {
    const { value } = this;
    let count = 0;
    for (let at = 0; at < length; at++) if (!isNumber(value[at])) count++;
    this.notFinite += count;
  }

  private append(length: number): void {
    for (let from = 0; from < length;) {
      const at = this.count & (CHUNK - 1);
      if (at === 0) this.chunks.push({ context: new Int32Array(CHUNK), value: new Float64Array(CHUNK) });
      const chunk = this.chunks[this.chunks.length - 1];
      const some = Math.min(length - from, CHUNK - at);
      chunk.context.set(this.context.subarray(from, from + some), at);
      chunk.value.set(this.value.subarray(from, from + some), at);
      this.count += some;
      from += some;
    }
  }
}

/** Room to work in that all logs of a data set share. */
export class CellScratch {
  private place = new Uint8Array(0);
  private values = new Float64Array(0);
  private open = new Int32Array(0);
  private sums = new Float64Array(0);

  /** One place a context; all places are 0, and are to be left so. */
  ofContexts(contexts: number): { place: Uint8Array; values: Float64Array } {
    if (this.place.length < contexts) {
      this.place = new Uint8Array(contexts);
      this.values = new Float64Array(contexts);
    }
    return { place: this.place, values: this.values };
  }

  stack(depth: number): { open: Int32Array; sums: Float64Array } {
    if (this.open.length < depth) {
      this.open = new Int32Array(2 * depth);
      this.sums = new Float64Array(2 * depth);
    }
    return { open: this.open, sums: this.sums };
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

/** Neither nan nor infinite; several times as fast as asking Number. */
function isNumber(value: number): boolean {
  return value - value === 0;
}

function grown<T extends Int32Array | Float64Array>(column: T, wider: T): T {
  wider.set(column);
  return wider;
}
