/** Where lanes and their rows lie below each other. Pure. */
import type { LaneRows, TimelineContent } from "../../src/protocol/timeline";

/** Pixels (look, section 4): of a row, where there is room and where there is none, and of one where lanes have to be scrolled. */
const LEAST = 11.5;
const MOST = 20;
const SCROLLED = 14;
/** Pixels of the only row of a lane, if innermost events are drawn: so few rows would leave most of the height empty. */
const MAX_ALONE = 64;
/** Height of an innermost row where lanes leave room below them. */
const MAX_INNERMOST_PX = 60;
/** Hidden callers that are asked for: more would take the marks of the rows that are shown. */
const MAX_CALLERS = 64;
export const HEADING = 17;
/** Between lanes, half of it above. */
export const GAP = 4;
/** Depths of a lane that are shown if lanes are scrolled, and that are left where there is little room. */
const DEPTHS = 5;
const FEWEST = 3;

export interface LaneRow {
  readonly lane: number;
  readonly y: number;
  readonly height: number;
  readonly firstDepth: number;
  readonly depths: number;
  /** Pixels that its last row, the innermost, is higher than the others. */
  readonly extra: number;
}

export interface Heading {
  readonly group: number;
  readonly y: number;
  readonly lanes: number;
  readonly isOpen: boolean;
}

export interface Layout {
  readonly rowHeight: number;
  readonly lanes: readonly LaneRow[];
  readonly headings: readonly Heading[];
  /** Of all of it. */
  readonly height: number;
  /** By lane; those of folded groups have none. */
  readonly of: ReadonlyMap<number, LaneRow>;
}

type Part = { readonly group: number; readonly lanes: readonly number[] };

const known = new WeakMap<TimelineContent, { readonly of: string; readonly layout: Layout }>();

/** A depth that a lane has to show. */
export interface Deep {
  readonly lane: number;
  readonly depth: number;
}

/** @param folded groups whose lanes are not shown @param room pixels below the ruler */
export function layoutOf(content: TimelineContent, folded: readonly number[], room: number, deep?: Deep): Layout {
  const of = JSON.stringify([folded, room, deep]);
  const before = known.get(content);
  if (before?.of === of) return before.layout;
  const layout = laidOut(content, new Set(folded), room, deep);
  known.set(content, { of, layout });
  return layout;
}

function laidOut(content: TimelineContent, folded: ReadonlySet<number>, room: number, deep: Deep | undefined): Layout {
  const { depths, firstDepth: busiest, instants, look } = content;
  const parts = partsOf(content);
  const isOpen = ({ group }: Part) => group < 0 || !folded.has(group);
  const lanes = parts.filter(isOpen).flatMap(({ lanes: all }) => all);
  const fixed = parts.filter(({ group }) => group >= 0).length * HEADING + lanes.length * GAP;
  const wanted = (lane: number, most: number) =>
    look === "state" || instants[lane] === 1 ? 1 : Math.min(most, depths[lane]);
  const rowsWith = (most: number) => lanes.reduce((sum, lane) => sum + wanted(lane, most), 0);
  const deepest = lanes.reduce((depth, lane) => Math.max(depth, wanted(lane, Infinity)), DEPTHS);
  // All depths, if they have room: early work of callers is seen then, too.
  let most = rowsWith(deepest) * LEAST + fixed <= room ? deepest : DEPTHS;
  while (most > FEWEST && rowsWith(most) * LEAST + fixed > room) most--;
  const isScrolled = rowsWith(most) * LEAST + fixed > room;
  if (isScrolled) most = DEPTHS;
  const share = (room - fixed) / Math.max(1, rowsWith(most));
  const rowHeight = isScrolled ? SCROLLED : Math.floor(2 * Math.min(look === "state" ? MAX_ALONE : MOST, share)) / 2;
  // Innermost rows, where work is, use what other rows leave.
  const lasting = lanes.filter((lane) => instants[lane] === 0);
  const high = lasting.length > 0 ? lasting : lanes;
  const left =
    isScrolled || look === "state"
      ? 0
      : Math.floor((room - fixed - rowsWith(most) * rowHeight) / Math.max(1, high.length));
  const extra = Math.max(0, Math.min(left, MAX_INNERMOST_PX - rowHeight));
  const isHigh = new Set(high);
  const placed: LaneRow[] = [];
  const headings: Heading[] = [];
  let y = 0;
  for (const part of parts) {
    if (part.group >= 0) {
      headings.push({ group: part.group, y, lanes: part.lanes.length, isOpen: isOpen(part) });
      y += HEADING;
    }
    for (const lane of isOpen(part) ? part.lanes : []) {
      const rows = wanted(lane, most);
      // Of the depths with most time of their own the callers go first.
      const shown = Math.min(Math.max(DEPTHS, rows), depths[lane]);
      const usual =
        look === "state" || rows === depths[lane]
          ? 0
          : Math.min(Math.max(0, busiest[lane] + shown - rows), depths[lane] - rows);
      const wantedDepth = look === "depth" && deep?.lane === lane ? Math.min(deep.depth, depths[lane] - 1) : usual;
      const first = Math.min(wantedDepth, Math.max(usual, wantedDepth - rows + 1));
      const more = isHigh.has(lane) ? extra : 0;
      const height = rows * rowHeight + more;
      const firstDepth = instants[lane] === 1 ? 0 : first;
      placed.push({ lane, y: y + GAP / 2, height, firstDepth, depths: rows, extra: more });
      y += height + GAP;
    }
  }
  return { rowHeight, lanes: placed, headings, height: y, of: new Map(placed.map((row) => [row.lane, row])) };
}

/** Depths of a lane that its picture needs: those of its rows, and callers that are seen where these have nothing. */
export function askedRows({ lane, firstDepth, depths }: LaneRow): LaneRows {
  const callers = Math.min(firstDepth, MAX_CALLERS);
  return { lane, firstDepth: firstDepth - callers, depths: depths + callers };
}

/** Top of a row in its lane, and its height with the line below it. */
export function placeOfRow(
  { depths, extra }: LaneRow,
  step: number,
  rowHeight: number,
): { top: number; height: number } {
  return { top: step * rowHeight, height: rowHeight + (step === depths - 1 ? extra : 0) };
}

/** Lanes in their order; those of a group stand together where its first one does, and brief lanes last. */
function partsOf({ depths, group, order, brief }: TimelineContent): Part[] {
  const groups = new Map<number, number[]>();
  const parts: Part[] = [];
  order.forEach((lane) => {
    if (depths[lane] === 0) return;
    const of = group[lane];
    const before = of < 0 ? undefined : groups.get(of);
    if (before) before.push(lane);
    else {
      const lanes = [lane];
      if (of >= 0) groups.set(of, lanes);
      parts.push({ group: of, lanes });
    }
  });
  const isLast = (part: Part) => brief !== undefined && part.group === brief;
  return [...parts.filter((part) => !isLast(part)), ...parts.filter(isLast)];
}

/** The lanes that meet a stretch of the layout. */
export function lanesBetween({ lanes }: Layout, top: number, bottom: number): readonly LaneRow[] {
  const first = firstWhere(lanes.length, (at) => lanes[at].y + lanes[at].height >= top);
  const end = firstWhere(lanes.length, (at) => lanes[at].y > bottom);
  return lanes.slice(first, end);
}

/** The first number for which something is so, as it is for all after it; `count`: there is none. */
export function firstWhere(count: number, isSo: (at: number) => boolean): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isSo(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
