import { type Combine, SparseBuilder, type SparseValues } from "./values";

/** Entries a chunk: growing copies nothing, and what was used can be let go of piece by piece. */
const CHUNK = 1 << 16;

interface Chunk {
  readonly context: Int32Array;
  readonly location: Int32Array;
  readonly value: Float64Array;
}

/**
 * Values of one metric where most cells get a single one, as in profiles: entries as they arrive, sorted at the end. Takes
 * half the memory of a {@link SparseBuilder}, which is for many values a cell, and gives the same result.
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
    chunk.value[at] = value;
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
  total(): number {
    let total = 0;
    this.forEachChunk(({ value }, length) => {
      for (let at = 0; at < length; at++) if (Number.isFinite(value[at])) total += value[at];
    });
    return total;
  }

  /** As {@link SparseBuilder.build}. */
  build(contexts: number, finalContext: Int32Array, finalLocation: Int32Array, divisor = 1, factor = 1): SparseValues {
    const order = this.sorted(contexts, finalContext, finalLocation);
    const at = (entry: number) => entry & (CHUNK - 1);
    const chunkOf = (entry: number) => this.chunks[entry >> 16];
    // One pass to know the cells, one to fill them: arrays of the right size from the start.
    let cells = 0;
    const rowStart = new Int32Array(contexts + 1);
    let lastContext = -1;
    let lastLocation = -1;
    const several = new SparseBuilder(this.combine);
    let previous = -1;
    let previousIsSeveral = false;
    for (const entry of order) {
      const context = finalContext[chunkOf(entry).context[at(entry)]];
      const location = finalLocation[chunkOf(entry).location[at(entry)]];
      if (context === lastContext && location === lastLocation) {
        if (!previousIsSeveral) several.add(cells - 1, 0, chunkOf(previous).value[at(previous)]);
        several.add(cells - 1, 0, chunkOf(entry).value[at(entry)]);
        previousIsSeveral = true;
        continue;
      }
      cells++;
      rowStart[context + 1]++;
      lastContext = context;
      lastLocation = location;
      previous = entry;
      previousIsSeveral = false;
    }
    for (let row = 0; row < contexts; row++) rowStart[row + 1] += rowStart[row];
    const column = new Int32Array(cells);
    const value = new Float64Array(cells);
    let cell = -1;
    lastContext = lastLocation = -1;
    for (const entry of order) {
      const context = finalContext[chunkOf(entry).context[at(entry)]];
      const location = finalLocation[chunkOf(entry).location[at(entry)]];
      if (context === lastContext && location === lastLocation) continue;
      cell++;
      column[cell] = location;
      value[cell] = (chunkOf(entry).value[at(entry)] * factor) / divisor;
      lastContext = context;
      lastLocation = location;
    }
    for (const [own, sum] of several.cellSums()) value[own] = (sum * factor) / divisor;
    return { rowStart, column, value };
  }

  /** Entries by final context, then final location, then arrival: two stable counting sorts. */
  private sorted(contexts: number, finalContext: Int32Array, finalLocation: Int32Array): Int32Array {
    const locations = finalLocation.reduce((most, location) => Math.max(most, location + 1), 0);
    const byContext = new Int32Array(contexts + 1);
    const byLocation = new Int32Array(locations + 1);
    let ascending = true;
    let last = 0;
    this.forEachChunk(({ context, location }, length) => {
      for (let at = 0; at < length; at++) {
        byContext[finalContext[context[at]] + 1]++;
        const place = finalLocation[location[at]];
        byLocation[place + 1]++;
        ascending &&= place >= last;
        last = place;
      }
    });
    for (let at = 1; at <= contexts; at++) byContext[at] += byContext[at - 1];
    for (let at = 1; at <= locations; at++) byLocation[at] += byLocation[at - 1];
    const order = new Int32Array(this.count);
    const put = (entry: number) => {
      const chunk = this.chunks[entry >> 16];
      order[byContext[finalContext[chunk.context[entry & (CHUNK - 1)]]]++] = entry;
    };
    if (ascending) {
      for (let entry = 0; entry < this.count; entry++) put(entry);
      return order;
    }
    const first = new Int32Array(this.count);
    for (let entry = 0; entry < this.count; entry++) {
      const chunk = this.chunks[entry >> 16];
      first[byLocation[finalLocation[chunk.location[entry & (CHUNK - 1)]]]++] = entry;
    }
    for (const entry of first) put(entry);
    return order;
  }

  private forEachChunk(each: (chunk: Chunk, length: number) => void): void {
    this.chunks.forEach((chunk, index) => each(chunk, Math.min(CHUNK, this.count - index * CHUNK)));
  }
}
