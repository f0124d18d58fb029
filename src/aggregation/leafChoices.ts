/** What leaves are made of at several strengths, where a model is too large to keep gains and losses, too. */
import type { NodeOrder } from "./microscopicModel";

/** By leaf ({@link LeafChoices.firstOf}) and interval. */
export type Choices = Uint8Array | Uint16Array;

/** At two strengths. */
export interface ChoicesAtEnds {
  readonly low: Choices;
  readonly high: Choices;
}

/** Choices that fit into a byte: those of so many slices. */
const MOST_SLICES_IN_BYTES = 255;

/** Makes copies of choices, as many as there is room for. */
export class LeafChoices {
  private readonly free: Choices[] = [];
  private made = 0;
  private readonly leaves: Int32Array;
  /** By node: where its choices begin; of inner nodes and those that share another's, nothing. */
  private readonly first: Float64Array;

  /** @param twinOf by node: the one whose choices it has */
  constructor(
    { children }: NodeOrder,
    twinOf: Int32Array,
    private readonly intervals: number,
    private readonly slices: number,
    private readonly mostBytes: number,
  ) {
    this.leaves = Int32Array.from(twinOf.keys()).filter((node) => children[node].length === 0 && twinOf[node] === node);
    this.first = new Float64Array(twinOf.length);
    this.leaves.forEach((node, at) => (this.first[node] = at * intervals));
  }

  firstOf(leaf: number): number {
    return this.first[leaf];
  }

  /** Of all copies. */
  get bytes(): number {
    return this.made * this.bytesOfOne;
  }

  /** @returns the caller's until it is given back; undefined where there is no room */
  copy(bests: readonly { readonly choice: Uint16Array }[]): Choices | undefined {
    const copy = this.free.pop() ?? this.another();
    if (copy) this.leaves.forEach((node) => copy.set(bests[node].choice, this.first[node]));
    return copy;
  }

  release(copy: Choices): void {
    this.free.push(copy);
  }

  private get bytesOfOne(): number {
    return this.leaves.length * this.intervals * (this.slices <= MOST_SLICES_IN_BYTES ? 1 : 2);
  }

  private another(): Choices | undefined {
    if (this.bytes + this.bytesOfOne > this.mostBytes) return undefined;
    this.made++;
    const length = this.leaves.length * this.intervals;
    return this.slices <= MOST_SLICES_IN_BYTES ? new Uint8Array(length) : new Uint16Array(length);
  }
}
