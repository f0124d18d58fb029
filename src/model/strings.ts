import { entryOf } from "./maps";

/** Every distinct string of a data set once; columns hold its index. */
export class StringTable {
  private readonly texts: string[] = [];
  /** Undefined while nothing is added. */
  private ids: Map<string, number> | undefined = new Map();

  /** The index of `text`, which is added when it is new. */
  intern(text: string): number {
    const ids = (this.ids ??= new Map(this.texts.map((one, id) => [one, id])));
    const known = ids.get(text);
    if (known !== undefined) return known;
    const id = this.texts.length;
    this.texts.push(text);
    ids.set(text, id);
    return id;
  }

  /** Nothing more is added for now: lets go of what finds texts, and of texts that other tables of one recording hold already. */
  settle(held: Map<string, string>): void {
    this.texts.forEach((text, id) => (this.texts[id] = entryOf(held, text, () => text)));
    this.ids = undefined;
  }

  /** The text at `id`; the empty string for {@link NONE}. */
  get(id: number): string {
    return id < 0 ? "" : this.texts[id];
  }

  get size(): number {
    return this.texts.length;
  }
}

/** Numbers inside names count as numbers: `rank 2` stands before `rank 10`. */
export function compareNames(a: string, b: string): number {
  const [one, other] = [a.split(/(\d{1,15})/), b.split(/(\d{1,15})/)];
  for (let at = 0; at < one.length && at < other.length; at++) {
    const order = at % 2 === 1 ? Number(one[at]) - Number(other[at]) : compareText(one[at], other[at]);
    if (order !== 0) return order;
  }
  return one.length - other.length || compareText(a, b);
}

/** By their code units, whatever the language of the machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
