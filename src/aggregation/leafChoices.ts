/** Choices of leaves at several strengths. They are kept when a model is too large to keep gains and losses, too. */
import type { NodeOrder } from "./microscopicModel";

/** One choice per leaf ({@link LeafChoices.firstOf}) and interval. */
export type Choices = Uint8Array | Uint16Array;

/** Choices at two strengths. */
export interface ChoicesAtEnds {
  readonly low: Choices;
  readonly high: Choices;
}

/** Choices that fit into a byte: those of so many slices. */
const MAX_SLICES_OF_ONE_BYTE = 255;

/** Makes copies of choices, as many as there is room for. */
export class LeafChoices {
  private readonly free: Choices[] = [];
  private made = 0;
  private readonly leaves: Int32Array;
  /** Index of the first choice per node. Inner nodes and nodes that share the choices of another have no choices of their own. */
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

  /** Bytes of all copies. */
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
    return this.leaves.length * this.intervals * (this.slices <= MAX_SLICES_OF_ONE_BYTE ? 1 : 2);
  }

  private another(): Choices | undefined {
    if (this.bytes + this.bytesOfOne > this.mostBytes) return undefined;
    this.made++;
    const length = this.leaves.length * this.intervals;
    return this.slices <= MAX_SLICES_OF_ONE_BYTE ? new Uint8Array(length) : new Uint16Array(length);
  }
}
