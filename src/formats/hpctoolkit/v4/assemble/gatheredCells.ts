import { widened } from "../../../../model/columns";
import type { ContextTree } from "../../../../model/contextTree";
import { NONE } from "../../../../model/ids";

/** Beyond, sorting by key would leave the exact integers; and it would be slow. */
const MOST_KEYS = 1 << 21;

/** The values of one metric in one profile while it is read: sorted, each context once, and made exclusive. */
export class GatheredCells {
  /** Values that were not a number or infinite, over all profiles. */
  notFinite = 0;
  /** Some exclusive value is negative: more than rounding, or not. */
  hasNegative = false;
  context: Int32Array<ArrayBuffer> = new Int32Array(64);
  value: Float64Array<ArrayBuffer> = new Float64Array(64);
  private gathered = 0;

  /** @param inclusive values are inclusive: what is kept is their excess over those of the children (semantics 1) */
  constructor(
    private readonly tree: ContextTree,
    private readonly scratch: CellScratch,
    private readonly inclusive: boolean,
  ) {}

  add(context: number, value: number): void {
    if (this.gathered === this.context.length) {
      this.context = widened(this.context);
      this.value = widened(this.value);
    }
    this.context[this.gathered] = context;
    this.value[this.gathered++] = value;
  }

  /** The profile is complete. @returns the number of its cells: `context` and `value` up to there */
  finish(): number {
    if (this.gathered === 0) return 0;
    const length = this.sort();
    this.countNotFinite(length);
    if (this.inclusive && !this.subtractFromParents(length)) this.subtractChildren(length);
    this.gathered = 0;
    return length;
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

  /**
   * The usual case: where a context has a value its parent has one, so nothing is to be looked for.
   *
   * @returns false where it is not so, and nothing was changed
   */
  private subtractFromParents(length: number): boolean {
    if (8 * length < this.tree.size) return false;
    const { context, value } = this;
    const { parent } = this.tree;
    const { place, values: sums } = this.scratch.ofContexts(this.tree.size);
    let usual = true;
    for (let cell = 0; cell < length && usual; cell++) {
      const own = context[cell];
      const above = parent[own];
      // A root without a value has nothing above it that could have one.
      usual = isNumber(value[cell]) && (above === NONE || place[above] === 1 || parent[above] === NONE);
      place[own] = 1;
      sums[own] = 0;
      if (above !== NONE) sums[above] += value[cell];
    }
    let negative = false;
    for (let cell = 0; cell < length; cell++) {
      place[context[cell]] = 0;
      if (!usual) continue;
      const exclusive = (value[cell] -= sums[context[cell]]);
      if (exclusive < 0) negative = true;
    }
    this.hasNegative ||= negative;
    return usual;
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
}

/** Room to work in that all logs of a data set share. */
export class CellScratch {
  private place = new Uint8Array(0);
  private values = new Float64Array(0);
  private open = new Int32Array(0);
  private sums = new Float64Array(0);

  /** One place per context; all places are 0, and are to be left so. */
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

/** Neither nan nor infinite; several times as fast as asking Number. */
function isNumber(value: number): boolean {
  return value - value === 0;
}
