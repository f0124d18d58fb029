import { NONE } from "../model/ids";
import { appendAll } from "../model/longLists";
import type { Lists } from "./columns";

/**
 * Which marked nodes of a directed graph without cycles reach one another, kept up to date while nodes are merged. Marks are
 * bits: a node knows the marked nodes below it, so of two marked ones either knows the other or none does. Bits only ever
 * get more, so all work together is at most nodes × marks × degree, and in practice 32 marks are moved at once.
 */
export class Reachability {
  private readonly into: Int32Array;
  private readonly predecessors: Int32Array[];
  private words = 1;
  /** Rows of mark bits, `words` a node: marked nodes that the node reaches, itself included. */
  private below = new Uint32Array(0);
  private marks = 0;
  /** The mark of each node; {@link NONE}: it has none. */
  private readonly markOf: Int32Array;
  /** Marks of nodes that are still there: what of the others is known no one asks, so it is not handed on. */
  private live = new Uint32Array(this.words);
  /** Marks of nodes that are not there any more, which no row has. */
  private readonly free: number[] = [];
  /** Bits on their way against the edges: words of a row that have any, and these bits. */
  private movedWord = new Int32Array(this.words);
  private movedBits = new Uint32Array(this.words);
  /** The last {@link round} that came to each node. */
  private readonly seen: Int32Array;
  private round = 0;
  private readonly queue: Int32Array;

  /**
   * @param predecessors for each node the nodes that its edges come from
   * @param check called now and then; throws where the work was cancelled
   */
  constructor(
    readonly size: number,
    { start, items }: Lists,
    private readonly check: () => void,
  ) {
    this.into = Int32Array.from({ length: size }, (_, node) => node);
    this.predecessors = Array.from({ length: size }, (_, node) => items.subarray(start[node], start[node + 1]));
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
   * Marks nodes, as long as there is room for their bits, in one pass over the edges. Only before anything else.
   *
   * @param order all nodes, each before those that its edges lead to
   */
  markAll(nodes: Int32Array, order: Int32Array): void {
    const marked = nodes.subarray(0, Math.floor(MOST_WORDS / Math.max(1, this.size)) * 32);
    this.widen(Math.max(this.words, (marked.length + 31) >>> 5));
    const { words, below } = this;
    for (const node of marked) {
      const mark = this.newMark(node);
      below[node * words + (mark >>> 5)] |= 1 << (mark & 31);
    }
    for (let at = order.length - 1; at >= 0; at--) {
      if (at % NODES_BETWEEN_CHECKS === 0) this.check();
      const own = order[at] * words;
      const above = this.predecessors[order[at]];
      for (let index = 0; index < above.length; index++) {
        const row = above[index] * words;
        for (let word = 0; word < words; word++) below[row + word] |= below[own + word];
      }
    }
  }

  /** Marks a node, unless it is marked. */
  mark(node: number): void {
    if (this.markOf[node] !== NONE) return;
    if (this.below.length === 0) this.widen(this.words);
    const mark = this.newMark(node);
    this.movedWord[0] = mark >>> 5;
    this.movedBits[0] = 1 << (mark & 31);
    this.spread(node, 1);
  }

  private newMark(node: number): number {
    if (this.free.length === 0 && this.marks === this.words * 32) this.makeRoom();
    const mark = this.free.pop() ?? this.marks++;
    this.markOf[node] = mark;
    this.live[mark >>> 5] |= 1 << (mark & 31);
    return mark;
  }

  /** Whether one of two marked nodes reaches the other. */
  comparable(one: number, other: number): boolean {
    return this.reaches(one, this.markOf[other]) || this.reaches(other, this.markOf[one]);
  }

  private reaches(node: number, mark: number): boolean {
    return ((this.below[node * this.words + (mark >>> 5)] >>> (mark & 31)) & 1) === 1;
  }

  /** Makes two marked nodes one, of which neither reaches the other; `node` is `target` from now on. */
  merge(node: number, target: number): void {
    const mark = this.markOf[node];
    this.live[mark >>> 5] &= ~(1 << (mark & 31));
    // Each, and all above it, gets the marks that only the other has.
    this.spread(target, this.difference(node, target));
    this.spread(node, this.difference(target, node));
    this.predecessors[target] = this.union(target, node);
    this.into[node] = target;
  }

  /** Makes the marks that one node has and another has not those that are moved. @returns how many words have any */
  private difference(one: number, other: number): number {
    const { below, words, live, movedWord, movedBits } = this;
    const [from, without] = [one * words, other * words];
    let count = 0;
    for (let word = 0; word < words; word++) {
      const bits = below[from + word] & ~below[without + word] & live[word];
      if (bits === 0) continue;
      movedWord[count] = word;
      movedBits[count++] = bits;
    }
    return count;
  }

  private union(target: number, node: number): Int32Array {
    const { predecessors, seen } = this;
    const round = ++this.round;
    const both = new Int32Array(predecessors[target].length + predecessors[node].length);
    let count = 0;
    for (const list of [predecessors[target], predecessors[node]]) {
      for (let at = 0; at < list.length; at++) {
        const now = this.find(list[at]);
        if (seen[now] === round) continue;
        seen[now] = round;
        both[count++] = now;
      }
    }
    predecessors[node] = EMPTY;
    return both.subarray(0, count);
  }

  /** Adds what is moved to a node and to all above it; a node that has it all stops the way. @param moved how many words */
  private spread(start: number, moved: number): void {
    const { queue, predecessors, into, seen } = this;
    this.check();
    const round = ++this.round;
    let count = 0;
    if (this.add(start, moved)) queue[count++] = start;
    while (count > 0) {
      const next = predecessors[queue[--count]];
      for (let at = 0; at < next.length; at++) {
        const other = into[next[at]] === next[at] ? next[at] : this.find(next[at]);
        // Several ways lead to most nodes: what was there once has all of it.
        if (seen[other] === round) continue;
        seen[other] = round;
        if (this.add(other, moved)) queue[count++] = other;
      }
    }
  }

  private add(node: number, moved: number): boolean {
    const { below, movedWord, movedBits } = this;
    const row = node * this.words;
    let changed = 0;
    for (let at = 0; at < moved; at++) {
      const now = below[row + movedWord[at]];
      const next = now | movedBits[at];
      changed |= now ^ next;
      below[row + movedWord[at]] = next;
    }
    return changed !== 0;
  }

  /** Room for one more mark at least: that of nodes that are gone where this is half of all, else more of it. */
  private makeRoom(): void {
    const { words, live, below } = this;
    const gone: number[] = [];
    for (let mark = this.marks - 1; mark >= 0; mark--)
      if (((live[mark >>> 5] >>> (mark & 31)) & 1) === 0) gone.push(mark);
    if (2 * gone.length < this.marks) return this.widen(2 * words);
    for (let row = 0; row < below.length; row += words)
      for (let word = 0; word < words; word++) below[row + word] &= live[word];
    appendAll(this.free, gone);
  }

  private widen(words: number): void {
    const wider = new Uint32Array(this.size * words);
    if (this.marks > 0)
      for (let node = 0; node < this.size; node++)
        wider.set(this.below.subarray(node * this.words, (node + 1) * this.words), node * words);
    this.below = wider;
    const live = new Uint32Array(words);
    live.set(this.live);
    this.live = live;
    this.movedWord = new Int32Array(words);
    this.movedBits = new Uint32Array(words);
    this.words = words;
  }
}

/** Room for marks that are set before it is known whether they will be asked for, in words: 16 MB. */
const MOST_WORDS = 1 << 22;

const NODES_BETWEEN_CHECKS = 1 << 10;

const EMPTY = new Int32Array(0);
