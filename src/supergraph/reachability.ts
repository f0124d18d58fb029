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

  /** Marks a node. @returns its mark */
  mark(node: number): number {
    if (this.marks === this.words * 32) this.widen();
    const mark = this.marks++;
    const word = mark >>> 5;
    const bits = Uint32Array.of(1 << (mark & 31));
    this.spread(this.below, node, word, bits, this.predecessors);
    this.spread(this.above, node, word, bits, this.successors);
    return mark;
  }

  /** Whether a node reaches a marked one, or is reached from it. */
  comparable(node: number, mark: number): boolean {
    const word = node * this.words + (mark >>> 5);
    return (((this.below[word] | this.above[word]) >>> (mark & 31)) & 1) === 1;
  }

  /** Makes two nodes one, of which neither reaches the other; `node` is `target` from now on. */
  merge(node: number, target: number): void {
    this.into[node] = target;
    this.successors[target] = this.union(target, node, this.successors);
    this.predecessors[target] = this.union(target, node, this.predecessors);
    this.join(this.below, node, target, this.predecessors);
    this.join(this.above, node, target, this.successors);
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

  private join(rows: Uint32Array, node: number, target: number, against: Int32Array[]): void {
    const { words } = this;
    const bits = rows.slice(node * words, (node + 1) * words);
    for (let word = 0; word < words; word++) bits[word] |= rows[target * words + word];
    // The target's row is cleared so that it counts as changed: its new neighbours may lack bits that it has.
    rows.fill(0, target * words, (target + 1) * words);
    this.spread(rows, target, 0, bits, against);
  }

  /**
   * Adds bits, from a word of the rows on, to a node and to all that lie against the edges' direction. A node that has
   * them all stops the way.
   */
  private spread(rows: Uint32Array, start: number, word: number, bits: Uint32Array, against: Int32Array[]): void {
    const { words, queue } = this;
    this.check();
    let count = 0;
    if (addBits(rows, start * words + word, bits)) queue[count++] = start;
    while (count > 0) {
      const node = queue[--count];
      const next = against[node];
      for (let at = 0; at < next.length; at++) {
        const other = this.into[next[at]] === next[at] ? next[at] : this.find(next[at]);
        if (addBits(rows, other * words + word, bits)) queue[count++] = other;
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
    this.below = wider(this.below);
    this.above = wider(this.above);
    this.words = words;
  }
}

const EMPTY = new Int32Array(0);

function addBits(rows: Uint32Array, offset: number, bits: Uint32Array): boolean {
  let changed = 0;
  for (let word = 0; word < bits.length; word++) {
    const now = rows[offset + word];
    const next = now | bits[word];
    changed |= now ^ next;
    rows[offset + word] = next;
  }
  return changed !== 0;
}
