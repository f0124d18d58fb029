import { NONE } from "../model/ids";

/**
 * Which marked nodes of a directed graph without cycles reach which, kept up to date while nodes are merged. Marks are
 * bits: a node knows the marked nodes below it and those above it. Bits only ever get more, so all work together is at
 * most nodes × marks × degree, and in practice 32 marks are moved at once.
 */
export class Reachability {
  private readonly into: Int32Array;
  /** Rows of mark bits, `words` a node: marked nodes that the node reaches, itself included. */
  private below: Uint32Array;
  /** Marked nodes that reach the node, itself included. */
  private above: Uint32Array;
  private words = 4;
  private marks = 0;
  /** The mark of each node; {@link NONE}: it has none. */
  private readonly markOf: Int32Array;
  /** Marks of nodes that are still there: what of the others is known no one asks, so it is not handed on. */
  private live = new Uint32Array(this.words);
  private readonly seen: Int32Array;
  private round = 0;
  private readonly queue: Int32Array;

  /**
   * @param successors for each node the nodes that its edges lead to; rows are taken over
   * @param predecessors the same edges backwards
   * @param check called now and then, to stop where nobody wants the result any more
   */
  constructor(
    readonly size: number,
    private readonly successors: Int32Array[],
    private readonly predecessors: Int32Array[],
    private readonly check: () => void,
  ) {
    this.into = Int32Array.from({ length: size }, (_, node) => node);
    this.below = new Uint32Array(size * this.words);
    this.above = new Uint32Array(size * this.words);
    this.markOf = new Int32Array(size).fill(NONE);
    this.seen = new Int32Array(size);
    this.queue = new Int32Array(size);
  }

  /** The node that this one was merged into, or itself. */
  find(node: number): number {
    let root = node;
    while (this.into[root] !== root) root = this.into[root];
    while (this.into[node] !== root) [node, this.into[node]] = [this.into[node], root];
    return root;
  }

  /**
   * Marks nodes, as long as there is room for their bits, in one pass over the edges each way. Only before anything is merged.
   *
   * @param order all nodes, each before those that its edges lead to
   * @returns the mark of each node that has one now
   */
  markAll(nodes: Int32Array, order: Int32Array): ReadonlyMap<number, number> {
    const most = Math.floor(MOST_WORDS / Math.max(1, this.size)) * 32;
    const marked = nodes.subarray(0, most);
    while (this.words * 32 < this.marks + marked.length) this.widen();
    const marks = new Map<number, number>();
    for (const node of marked) {
      const mark = this.newMark(node);
      marks.set(node, mark);
      for (const rows of [this.below, this.above]) rows[node * this.words + (mark >>> 5)] |= 1 << (mark & 31);
    }
    for (const node of order) this.gather(this.above, node, this.predecessors[node]);
    for (let at = order.length - 1; at >= 0; at--) this.gather(this.below, order[at], this.successors[order[at]]);
    return marks;
  }

  /** Gives a node all marks of its neighbours on one side. */
  private gather(rows: Uint32Array, node: number, neighbours: Int32Array): void {
    const { words } = this;
    this.check();
    for (const other of neighbours)
      for (let word = 0; word < words; word++) rows[node * words + word] |= rows[other * words + word];
  }

  /** Marks a node. @returns its mark */
  mark(node: number): number {
    if (this.marks === this.words * 32) this.widen();
    const mark = this.newMark(node);
    const bits: Bits = { word: [mark >>> 5], bits: [1 << (mark & 31)] };
    this.spread(this.below, node, bits, this.predecessors);
    this.spread(this.above, node, bits, this.successors);
    return mark;
  }

  private newMark(node: number): number {
    const mark = this.marks++;
    this.markOf[node] = mark;
    this.live[mark >>> 5] |= 1 << (mark & 31);
    return mark;
  }

  /** Whether a node reaches a marked one, or is reached from it. */
  comparable(node: number, mark: number): boolean {
    const word = node * this.words + (mark >>> 5);
    return (((this.below[word] | this.above[word]) >>> (mark & 31)) & 1) === 1;
  }

  /** Makes two nodes one, of which neither reaches the other; `node` is `target` from now on. */
  merge(node: number, target: number): void {
    const mark = this.markOf[node];
    if (mark !== NONE) this.live[mark >>> 5] &= ~(1 << (mark & 31));
    this.share(this.below, node, target, this.predecessors);
    this.share(this.above, node, target, this.successors);
    this.successors[target] = this.union(target, node, this.successors);
    this.predecessors[target] = this.union(target, node, this.predecessors);
    this.into[node] = target;
  }

  /** Gives each of two nodes, and all that lie against the edges' direction, the marks that only the other has. */
  private share(rows: Uint32Array, node: number, target: number, against: Int32Array[]): void {
    const onlyNode = this.difference(rows, node, target);
    const onlyTarget = this.difference(rows, target, node);
    this.spread(rows, target, onlyNode, against);
    this.spread(rows, node, onlyTarget, against);
  }

  private difference(rows: Uint32Array, one: number, other: number): Bits {
    const found: Bits = { word: [], bits: [] };
    for (let word = 0; word < this.words; word++) {
      const bits = rows[one * this.words + word] & ~rows[other * this.words + word] & this.live[word];
      if (bits === 0) continue;
      found.word.push(word);
      found.bits.push(bits);
    }
    return found;
  }

  private union(target: number, node: number, lists: Int32Array[]): Int32Array {
    const round = ++this.round;
    const both = new Int32Array(lists[target].length + lists[node].length);
    let count = 0;
    for (const list of [lists[target], lists[node]]) {
      for (const other of list) {
        const now = this.find(other);
        if (this.seen[now] === round) continue;
        this.seen[now] = round;
        both[count++] = now;
      }
    }
    lists[node] = EMPTY;
    return both.subarray(0, count);
  }

  /** Adds bits to a node and to all that lie against the edges' direction; a node that has them all stops the way. */
  private spread(rows: Uint32Array, start: number, bits: Bits, against: Int32Array[]): void {
    const { words, queue } = this;
    this.check();
    let count = 0;
    if (addBits(rows, start * words, bits)) queue[count++] = start;
    while (count > 0) {
      const node = queue[--count];
      const next = against[node];
      for (let at = 0; at < next.length; at++) {
        const other = this.into[next[at]] === next[at] ? next[at] : this.find(next[at]);
        if (addBits(rows, other * words, bits)) queue[count++] = other;
      }
    }
  }

  private widen(): void {
    const words = this.words * 2;
    const wider = (rows: Uint32Array) => {
      const next = new Uint32Array(this.size * words);
      for (let node = 0; node < this.size; node++)
        next.set(rows.subarray(node * this.words, (node + 1) * this.words), node * words);
      return next;
    };
    const live = new Uint32Array(words);
    live.set(this.live);
    this.live = live;
    this.below = wider(this.below);
    this.above = wider(this.above);
    this.words = words;
  }
}

/** Room for marks that are set before it is known whether they will be asked for, in words each way: 16 MB. */
const MOST_WORDS = 1 << 22;

const EMPTY = new Int32Array(0);

/** Marks as words of a row: those that hold any, and their bits. */
interface Bits {
  readonly word: number[];
  readonly bits: number[];
}

function addBits(rows: Uint32Array, offset: number, { word, bits }: Bits): boolean {
  let changed = 0;
  for (let at = 0; at < word.length; at++) {
    const now = rows[offset + word[at]];
    const next = now | bits[at];
    changed |= now ^ next;
    rows[offset + word[at]] = next;
  }
  return changed !== 0;
}
