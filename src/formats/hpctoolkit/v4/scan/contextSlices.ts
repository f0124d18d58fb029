import type { FormatError } from "../../../../model/errors";
import { u64 } from "./container";
import type { FileWindows } from "./fileWindows";

const ENTRY_BYTES = 12;
/** Entries that are read at once. */
const BATCH = 1 << 15;

/** Which of a profile's values are whose: `{u32 context, u64 first value}`, both ascending; a slice ends where the next begins. */
export class ContextSlices {
  private readonly context: Uint32Array;
  private readonly start: Float64Array;
  /** Entries that are in the columns, and which of them is current. */
  private held = 0;
  private at = -1;
  /** One past the last value of the current entry. */
  private end = 0;
  private loaded = 0;
  private last = -1;

  constructor(
    private readonly windows: FileWindows,
    private readonly profile: { index: number; values: number; contexts: number; contextsAt: number },
  ) {
    const room = Math.min(BATCH, profile.contexts);
    this.context = new Uint32Array(room);
    this.start = new Float64Array(room);
  }

  /**
   * Tells the context of each of the next values.
   *
   * @param first number of the first one; they follow those of the call before
   * @throws FormatError where a value belongs to none, or to two
   */
  async assign(context: Uint32Array, first: number, count: number): Promise<void> {
    for (let row = this.fill(context, first, 0, count); row < count; row = this.fill(context, first, row, count))
      await this.load();
  }

  /** @returns the first row whose context is not in the columns yet */
  private fill(context: Uint32Array, first: number, from: number, count: number): number {
    const { start, held } = this;
    const complete = this.loaded === this.profile.contexts;
    let { at, end } = this;
    let row = from;
    for (;;) {
      const stop = Math.min(count, end - first);
      const id = this.context[at];
      while (row < stop) context[row++] = id;
      // Where the next entry ends stands in the one behind it.
      if (row === count || (at + 2 >= held && !complete)) break;
      at++;
      const next = at + 1 < held ? start[at + 1] : this.profile.values;
      if (at >= held || start[at] !== end || next < end || next > this.profile.values) throw this.misplaced();
      end = next;
    }
    this.at = at;
    this.end = end;
    return row;
  }

  private async load(): Promise<void> {
    const { index, contexts, contextsAt } = this.profile;
    if (this.loaded === contexts) throw this.misplaced();
    // Those that are not used yet stay: the current one, and the one behind it.
    const keptFrom = Math.max(this.at, 0);
    this.context.copyWithin(0, keptFrom, this.held);
    this.start.copyWithin(0, keptFrom, this.held);
    this.held -= keptFrom;
    this.at -= keptFrom;
    const more = Math.min(this.context.length - this.held, contexts - this.loaded);
    const position = contextsAt + this.loaded * ENTRY_BYTES;
    const table = await this.windows.view(position, more * ENTRY_BYTES, `contexts of profile ${index}`);
    const wrong = this.take(table, more);
    if (wrong >= 0)
      throw this.windows.problem(
        position + wrong * ENTRY_BYTES,
        `context ${table.getUint32(wrong * ENTRY_BYTES, true)} after ${this.last}`,
        "ascending contexts",
      );
  }

  /** @returns the entry that is out of order, -1 where none is */
  private take(table: DataView, count: number): number {
    const { context, start, held } = this;
    let { last } = this;
    for (let entry = 0; entry < count; entry++) {
      const id = table.getUint32(entry * ENTRY_BYTES, true);
      if (id <= last) {
        this.last = last;
        return entry;
      }
      last = id;
      context[held + entry] = id;
      start[held + entry] = u64(table, entry * ENTRY_BYTES + 4);
    }
    this.last = last;
    this.held += count;
    this.loaded += count;
    return -1;
  }

  private misplaced(): FormatError {
    const { index, values, contextsAt } = this.profile;
    return this.windows.problem(
      contextsAt,
      `contexts of profile ${index} whose values do not follow one another`,
      `each of its ${values} values in one context`,
    );
  }
}
