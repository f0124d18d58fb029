import type { FrameRow, FrameRows } from "./frameRows";

/** What a region's attribute was, over all threads. */
interface Attribute {
  readonly frame: number;
  readonly key: string;
  count: number;
  least: number;
  most: number;
  last: string;
}

/** Attributes of one file's regions, such as the iteration. */
export class AttributeRows {
  private readonly rows = new Map<string, Attribute>();

  clear(): void {
    this.rows.clear();
  }

  /** Rows of one region and key are those of several threads. */
  add(row: FrameRow): void {
    const [frame, key, count, last] = ["frame", "key", "count", "last"].map((name) => row.get(name));
    if (typeof frame !== "number" || typeof key !== "string" || typeof count !== "number" || typeof last !== "string")
      return;
    const [least, most] = ["least", "most"]
      .map((name) => row.get(name))
      .map((at) => (typeof at === "number" ? at : NaN));
    const id = JSON.stringify([frame, key]);
    const known = this.rows.get(id);
    if (known === undefined) {
      this.rows.set(id, { frame, key, count, least, most, last });
      return;
    }
    known.count += count;
    known.least = Math.min(known.least, least);
    known.most = Math.max(known.most, most);
    known.last = last;
  }

  /** By "region: key", what its values were. */
  texts(frames: FrameRows): [string, string][] {
    return [...this.rows.values()].map(({ frame, key, count, least, most, last }) => {
      const values = Number.isNaN(least) ? last : least === most ? `${least}` : `${least} to ${most}`;
      const times = count === 1 ? "" : `, set ${count} times`;
      return [`${frames.nameOf(frame) ?? "(not named in the recording)"}: ${key}`, `${values}${times}`];
    });
  }
}
