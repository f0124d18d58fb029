/**
 * Boxes in boxes, as hwloc's lstopo draws a machine: what a part holds lies in it, equal neighbours in a grid, caches and memories as thin
 * bands above what they serve. Everything has a place in the room that there is. Pure.
 */
import type { HardwareBox } from "../../src/protocol/hardware";
import type { Box } from "../kit/stage/scene";

/** The line of a part's name, above what it holds; a band; and what is between boxes. Pixels. */
export const HEADER = 18;
const BAND = 16;
const GAP = 4;
/** Between parts that lines run between. */
const WIDE_GAP = 36;
const EDGE = 8;
/** Grids are chosen so that their cells come nearest to so many times as wide as high. */
const ASPECT = 2;
/** So many stand in one row where lines lead to them. */
const MOST_BESIDE = 8;
/** How much room a part without parts takes, beside others. */
const SMALL = 0.5;
/** The same for a cache, a memory or a device whose use is not known. */
const EMPTY = 0.2;
const HOLDS_DATA: readonly HardwareBox["kind"][] = ["cache", "memory", "device"];

/**
 * @param linked whether lines run between outermost boxes
 * @returns a box for each element, in pixels of the drawing
 */
export function boxesOf(
  elements: readonly LaidElement[],
  { width, height }: Pick<Box, "width" | "height">,
  linked: boolean,
): Box[] {
  const children = grouped([...elements.keys()], (at) => elements[at].parent);
  const weights = weightsOf(elements);
  const boxes = elements.map((): Box => ({ x: 0, y: 0, width: 0, height: 0 }));
  const fill = (parent: number, room: Box, gap: number) => {
    const own = children.get(parent) ?? [];
    const isBand = (at: number) => ["cache", "memory"].includes(elements[at].kind) && !children.has(at);
    const below = placeBands(linesOf(grouped(own.filter(isBand), (at) => elements[at].type)), room, boxes);
    const groups = [
      ...grouped(
        own.filter((at) => !isBand(at)),
        (at) => elements[at].type,
      ).values(),
    ];
    placeGroups(groups, below, gap, weights, boxes);
  };
  fill(-1, { x: EDGE, y: EDGE, width: width - 2 * EDGE, height: height - 2 * EDGE }, linked ? WIDE_GAP : 2 * GAP);
  // Parents come first: their boxes are known by then.
  elements.forEach((_, at) => {
    if (!children.has(at)) return;
    const { x, y, width: wide, height: high } = boxes[at];
    const inset = Math.min(GAP, wide / 8, high / 8);
    const header = Math.min(HEADER, high / 3);
    const top = y + header + inset;
    fill(at, { x: x + inset, y: top, width: wide - 2 * inset, height: y + high - inset - top }, GAP);
  });
  return boxes;
}

/** As much of an element as its place depends on. */
type LaidElement = Pick<HardwareBox, "parent" | "kind" | "type"> & Partial<Pick<HardwareBox, "share">>;

function grouped<Key>(elements: readonly number[], keyOf: (element: number) => Key): Map<Key, number[]> {
  const groups = new Map<Key, number[]>();
  for (const element of elements) {
    const group = groups.get(keyOf(element));
    if (group) group.push(element);
    else groups.set(keyOf(element), [element]);
  }
  return groups;
}

/** By how much room they take: parts without parts, a part as those that it holds. */
function weightsOf(elements: readonly LaidElement[]): number[] {
  const inside = elements.map(() => 0);
  for (let at = elements.length - 1; at >= 0; at--) {
    const { parent, kind, share } = elements[at];
    const isSmall = HOLDS_DATA.includes(kind) || kind === "link" || kind === "router";
    const isEmpty = HOLDS_DATA.includes(kind) && share === null;
    inside[at] = Math.max(isEmpty ? EMPTY : isSmall ? SMALL : 1, inside[at] * 1.05);
    if (parent >= 0) inside[parent] += inside[at];
  }
  return inside;
}

/** Types with one part share a line: caches of a core are no rows of their own. */
function linesOf(types: ReadonlyMap<string, readonly number[]>): (readonly number[])[] {
  const all = [...types.values()];
  const single = all.flatMap((parts) => (parts.length === 1 ? parts : []));
  return [...(single.length > 0 ? [single] : []), ...all.filter((parts) => parts.length > 1)];
}

/** One line for each type. @returns the room below */
function placeBands(lines: readonly (readonly number[])[], room: Box, boxes: Box[]): Box {
  const high = Math.min(BAND, (room.height * 0.6) / Math.max(1, lines.length));
  let { y } = room;
  for (const line of lines) {
    const wide = room.width / line.length;
    const apart = Math.min(GAP, wide / 8);
    line.forEach((at, index) => {
      boxes[at] = {
        x: room.x + index * wide,
        y,
        width: wide - (index < line.length - 1 ? apart : 0),
        height: high * 0.85,
      };
    });
    y += high;
  }
  return { ...room, y, height: room.y + room.height - y };
}

/** Groups below each other, or beside each other in wide rooms, as large as what is in them; each a grid. */
function placeGroups(
  groups: readonly (readonly number[])[],
  room: Box,
  gap: number,
  weights: readonly number[],
  boxes: Box[],
): void {
  const sums = groups.map((group) => group.reduce((sum, at) => sum + weights[at], 0));
  const total = sums.reduce((sum, one) => sum + one, 0);
  // Lines run from row to row.
  const isBeside = gap !== WIDE_GAP && room.width > 2.2 * room.height;
  const apart = Math.min(gap, (isBeside ? room.width : room.height) / (3 * groups.length));
  const length = (isBeside ? room.width : room.height) - apart * (groups.length - 1);
  // Few among many keep enough room to be read.
  const least = 0.5 / groups.length;
  const shares = sums.map((sum) => Math.max(least, sum / total));
  const all = shares.reduce((sum, share) => sum + share, 0);
  let from = isBeside ? room.x : room.y;
  groups.forEach((group, at) => {
    const part = (shares[at] / all) * length;
    const own = isBeside ? { ...room, x: from, width: part } : { ...room, y: from, height: part };
    placeGrid(group, own, gap, boxes);
    from += part + apart;
  });
}

function placeGrid(group: readonly number[], room: Box, gap: number, boxes: Box[]): void {
  // Lines come from above or below: what they lead to stands in one row.
  const columns = gap === WIDE_GAP && group.length <= MOST_BESIDE ? group.length : columnsOf(group.length, room);
  const rows = Math.ceil(group.length / columns);
  const [across, down] = [Math.min(gap, room.width / columns / 4), Math.min(gap, room.height / rows / 4)];
  const [wide, high] = [(room.width + across) / columns, (room.height + down) / rows];
  group.forEach((at, index) => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    const corner = { x: room.x + column * wide, y: room.y + row * high };
    boxes[at] = { ...corner, width: wide - across, height: high - down };
  });
}

/** With which cells come nearest to the wanted form, and few places stay empty. */
function columnsOf(count: number, { width, height }: Box): number {
  let [best, nearest] = [1, Infinity];
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const aspect = width / columns / Math.max(1, height / rows);
    const off = Math.abs(Math.log(aspect / ASPECT)) + (4 * (columns * rows - count)) / count;
    if (off < nearest) [best, nearest] = [columns, off];
  }
  return best;
}
