/** Numbers of which the first one, as an order says, is taken first: a binary heap. */
export class Heap {
  private readonly items: number[] = [];

  /** @param compare negative where `a` comes before `b` */
  constructor(private readonly compare: (a: number, b: number) => number) {}

  push(item: number): void {
    const { items } = this;
    let at = items.length;
    for (let above = (at - 1) >> 1; at > 0 && this.compare(item, items[above]) < 0; above = (at - 1) >> 1) {
      items[at] = items[above];
      at = above;
    }
    items[at] = item;
  }

  /** @returns nothing where it is empty */
  pop(): number | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return last;
    let at = 0;
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      if (below + 1 < items.length && this.compare(items[below + 1], items[below]) < 0) below++;
      if (this.compare(items[below], last) >= 0) break;
      items[at] = items[below];
      at = below;
    }
    items[at] = last;
    return first;
  }
}
