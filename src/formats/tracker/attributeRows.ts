import type { FrameRow, FrameRows } from "./frameRows";

/** Values of a region's attribute, in one or several threads. */
interface Attribute {
  readonly frame: number;
  readonly key: string;
  readonly count: number;
  readonly least: number;
  readonly most: number;
  readonly last: string;
}

/** Attributes of one file's regions, such as the iteration. */
export class AttributeRows {
  /** Rows by the key of {@link put}, or by their number if they have none. */
  private readonly rows = new Map<string, Attribute>();

  clear(): void {
    this.rows.clear();
  }

  /** Adds a row: those of one region and key are of several threads. */
  add(row: FrameRow): void {
    const attribute = attributeOf(row);
    if (attribute !== undefined) this.rows.set(`${this.rows.size}`, attribute);
  }

  /** Adds a row of a thread, in place of an earlier one of the same region and key. */
  put(thread: number, row: FrameRow): void {
    const attribute = attributeOf(row);
    if (attribute !== undefined) this.rows.set(JSON.stringify([thread, attribute.frame, attribute.key]), attribute);
  }

  /** By "region: key", what its values were. */
  texts(frames: FrameRows): [string, string][] {
    return [...this.joined()].map(({ frame, key, count, least, most, last }) => {
      const values = Number.isNaN(least) ? last : least === most ? `${least}` : `${least} to ${most}`;
      const times = count === 1 ? "" : `, set ${count} times`;
      return [`${frames.nameOf(frame) ?? "(not named in the recording)"}: ${key}`, `${values}${times}`];
    });
  }

  /** One row per region and key. */
  private joined(): Iterable<Attribute> {
    const joined = new Map<string, Attribute>();
    for (const row of this.rows.values()) {
      const id = JSON.stringify([row.frame, row.key]);
      const known = joined.get(id);
      const least = Math.min(known?.least ?? row.least, row.least);
      const most = Math.max(known?.most ?? row.most, row.most);
      joined.set(id, { ...row, count: (known?.count ?? 0) + row.count, least, most });
    }
    return joined.values();
  }
}

function attributeOf(row: FrameRow): Attribute | undefined {
  const [frame, key, count, last] = ["frame", "key", "count", "last"].map((name) => row.get(name));
  if (typeof frame !== "number" || typeof key !== "string" || typeof count !== "number" || typeof last !== "string")
    return undefined;
  const [least, most] = ["least", "most"].map((name) => row.get(name)).map((at) => (typeof at === "number" ? at : NaN));
  return { frame, key, count, least, most, last };
}
