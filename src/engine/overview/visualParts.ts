/**
 * What of a partition is drawn: where leaves would be lower than a row, neighbours share one (visual aggregation, Dosimont et al. 2014,
 * section 5), and say so.
 */
import type { MicroscopicModel, NodeOrder } from "../../aggregation/microscopicModel";
import { type Modes, sumsOf } from "../../aggregation/modes";
import type { Partition } from "../../aggregation/partition";
import { appendAll } from "../../model/longLists";

/** A part as the partition has it; parts that share rows and are cut alike in time, or not. */
export const partSigns = ["data", "alike", "different"] as const;

/** By ascending first row, then time. */
export interface VisualParts {
  readonly count: number;
  /** Place of the first leaf in the order of {@link leafOrder}, and how many there are. */
  readonly first: Int32Array;
  readonly size: Int32Array;
  /** First and last slice. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Index into the states, -1 where it is empty, and its part of all values. */
  readonly mode: Int32Array;
  readonly share: Float64Array;
  /** Index into {@link partSigns}. */
  readonly sign: Uint8Array;
  /** Parts of the partition that it stands for. */
  readonly parts: Int32Array;
  /** What a cell of it has of each state in the mean: part · states + state; empty where that is not wanted. */
  readonly means: Float64Array;
}

/** Leaves in the order of the tree: what is below one node stands together. */
export function leafOrder({ order, children }: NodeOrder): Int32Array {
  const leaves: number[] = [];
  for (const stack = [order[order.length - 1]]; stack.length > 0;) {
    const node = stack.pop() ?? 0;
    if (children[node].length === 0) leaves.push(node);
    else for (let at = children[node].length - 1; at >= 0; at--) stack.push(children[node][at]);
  }
  return Int32Array.from(leaves);
}

/** Of each node the place of its first leaf in that order. */
export function firstPlaces({ order, children }: NodeOrder, leaves: Int32Array): Int32Array {
  const first = new Int32Array(order.length);
  leaves.forEach((leaf, place) => (first[leaf] = place));
  // Children stand before their parents, and their leaves together.
  for (const node of order) if (children[node].length > 0) first[node] = first[children[node][0]];
  return first;
}

/** @param rows that there is room for */
export function visualParts(
  { model, nodes, modes }: { readonly model: MicroscopicModel; readonly nodes: NodeOrder; readonly modes: Modes },
  partition: Partition,
  rows: number,
  withMeans = false,
): VisualParts {
  const order = leafOrder(nodes);
  const firstOf = firstPlaces(nodes, order);
  const blocks = blocksOf(nodes, firstOf, Math.ceil(order.length / Math.max(1, rows)));
  const found: DrawnPart[] = [];
  const shared = new Map<number, DrawnPart[]>();
  for (let part = 0; part < partition.count; part++) {
    const node = partition.node[part];
    const one = {
      first: firstOf[node],
      size: nodes.sizes[node],
      start: partition.start[part],
      end: partition.end[part],
      sign: 0,
      parts: 1,
    };
    const block = blocks.of[one.first];
    // Parts of whole blocks, or more, are drawn as they are.
    if (one.size >= blocks.size[block]) found.push(one);
    else shared.set(block, [...(shared.get(block) ?? []), one]);
  }
  for (const [block, parts] of shared)
    appendAll(found, together(parts, blocks.first[block], blocks.size[block], model.slices));
  found.sort((a, b) => a.first - b.first || a.start - b.start || b.size - a.size);
  const means = new Float64Array(withMeans ? found.length * model.states : 0);
  const most = found.map(({ first, size, start, end }, part) => {
    const sums = sumsOf(model, order.subarray(first, first + size), start, end);
    const cells = size * (end - start + 1);
    if (withMeans) sums.forEach((sum, state) => (means[part * model.states + state] = sum / cells));
    return modes.of(sums);
  });
  const column = (of: (part: DrawnPart) => number) => Int32Array.from(found, of);
  return {
    count: found.length,
    first: column(({ first }) => first),
    size: column(({ size }) => size),
    start: column(({ start }) => start),
    end: column(({ end }) => end),
    mode: Int32Array.from(most, ({ state }) => state),
    share: Float64Array.from(most, ({ share }) => share),
    sign: Uint8Array.from(found, ({ sign }) => sign),
    parts: column(({ parts }) => parts),
    means,
  };
}

interface DrawnPart {
  readonly first: number;
  readonly size: number;
  readonly start: number;
  readonly end: number;
  readonly sign: number;
  readonly parts: number;
}

/** Leaves that share rows: neighbours below one node, as few as fill a row. */
interface Blocks {
  /** By place of a leaf. */
  readonly of: Int32Array;
  readonly first: number[];
  readonly size: number[];
}

function blocksOf({ order, children, sizes }: NodeOrder, firstOf: Int32Array, least: number): Blocks {
  const root = order[order.length - 1];
  const of = new Int32Array(sizes[root]);
  const [first, size]: number[][] = [[], []];
  const add = (from: number, count: number) => {
    of.fill(first.length, from, from + count);
    first.push(from);
    size.push(count);
  };
  for (const stack = [root]; stack.length > 0;) {
    const node = stack.pop() ?? root;
    if (children[node].length === 0) {
      add(firstOf[node], 1);
      continue;
    }
    let [from, count] = [firstOf[node], 0];
    const flush = () => {
      if (count > 0) add(from, count);
      from += count;
      count = 0;
    };
    const sorted = [...children[node]].sort((a, b) => firstOf[a] - firstOf[b]);
    for (const child of sorted) {
      if (sizes[child] >= least) {
        flush();
        stack.push(child);
        from += sizes[child];
      } else {
        count += sizes[child];
        if (count >= least) flush();
      }
    }
    flush();
  }
  return { of, first, size };
}

/** The parts of one block: between two cuts that all of its leaves have they are one. */
function together(parts: readonly DrawnPart[], first: number, size: number, slices: number): DrawnPart[] {
  // How many of the block's leaves are cut before each slice, and which are in a part of more than the block.
  const cuts = new Int32Array(slices + 1);
  const has = new Int32Array(slices);
  for (const one of parts) {
    cuts[one.start] += one.size;
    for (let slice = one.start; slice <= one.end; slice++) has[slice] += one.size;
  }
  const found: DrawnPart[] = [];
  for (let start = 0; start < slices;) {
    if (has[start] === 0) {
      start++;
      continue;
    }
    let end = start;
    while (end + 1 < slices && has[end + 1] > 0 && cuts[end + 1] < size) end++;
    const inside = parts.filter((one) => one.start <= end && one.end >= start);
    const isAlike = inside.every((one) => one.start === start && one.end === end);
    found.push({ first, size, start, end, sign: isAlike ? 1 : 2, parts: inside.length });
    start = end + 1;
  }
  return found;
}
