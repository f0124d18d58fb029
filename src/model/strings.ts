/** Every distinct string of a data set once; columns hold its index. */
export class StringTable {
  private readonly texts: string[] = [];
  private readonly ids = new Map<string, number>();

  /** The index of `text`, which is added when it is new. */
  intern(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = this.texts.length;
    this.texts.push(text);
    this.ids.set(text, id);
    return id;
  }

  /** The text at `id`; the empty string for {@link NONE}. */
  get(id: number): string {
    return id < 0 ? "" : this.texts[id];
  }

  get size(): number {
    return this.texts.length;
  }
}
