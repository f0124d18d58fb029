import { widened } from "../../../../model/columns";
import { NONE } from "../../../../model/ids";
import { damaged } from "../scan/fileWindows";

/** Seen, but not in the tree. */
const LACKING = -2;
/** Ids up to this many times the number of contexts are looked up in an array; larger ones in a map. */
const DENSE = 16;
/** Ids that a set can hold with room to spare. */
const MOST_COUNTED = 10_000_000;

/** From the ids of contexts in profiles and traces to the final numbers of the tree; counts the ids that meta.db lacks. */
export class ContextIds {
  /** Ids that meta.db lacks, each counted once. */
  lacking = 0;
  private table: Int32Array<ArrayBuffer>;
  private readonly sparse = new Map<number, number>();
  private readonly mostDense: number;

  /**
   * @param ids of rows of meta.db
   * @param finalOf final number of each row
   * @throws FormatError where two rows have the same id
   */
  constructor(file: string, ids: Uint32Array, finalOf: (row: number) => number) {
    this.mostDense = DENSE * ids.length + 65536;
    this.table = new Int32Array(Math.min(this.mostDense, 2 * ids.length + 1024)).fill(NONE);
    ids.forEach((id, row) => {
      if (this.peek(id) !== NONE)
        throw damaged(file, 0, `two contexts with the id ${id}`, "a number of its own for each context");
      this.put(id, finalOf(row));
    });
  }

  /** The context with this id; NONE where the tree has none. */
  find(id: number): number {
    const known = id < this.table.length ? this.table[id] : this.peek(id);
    if (known >= 0) return known;
    if (known === NONE && this.lacking < MOST_COUNTED) {
      this.put(id, LACKING);
      this.lacking++;
    }
    return NONE;
  }

  private peek(id: number): number {
    return id < this.table.length ? this.table[id] : (this.sparse.get(id) ?? NONE);
  }

  private put(id: number, context: number): void {
    if (id >= this.mostDense) {
      this.sparse.set(id, context);
      return;
    }
    if (id >= this.table.length)
      this.table = widened(this.table, Math.min(this.mostDense, Math.max(id + 1, 2 * this.table.length)), NONE);
    this.table[id] = context;
  }
}
