/**
 * What the flame graph's page draws: one drawing, or, of a sandwich, callers above callees. Places are shares of a drawing's width,
 * so that they outlive a change of metric. A mark is named by its rectangle's number and its drawing: see {@link flameMark}.
 */
import * as v from "valibot";
import { amount, count, list, MARK_LIMIT, name } from "./bounds";
import { integers, numbers } from "./columns";
import { pin } from "./pin";

/** What is drawn: the recording; who calls a function above what it calls; the contexts of a bar of the super graph. */
const modes = ["recording", "sandwich", "bar"] as const;
export type FlameMode = (typeof modes)[number];
/** Drawings, each with a zoom of its own. */
const panes = ["recording", "callers", "callees", "bar"] as const;
export type FlamePane = (typeof panes)[number];
export const MOST_PANES = 2;

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
/** Levels of a drawing. */
const level = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(100_000_000));

/** What a panel remembers. */
export const flameState = v.object({
  mode: v.picklist(modes),
  /** Of the sandwich, by name: its number may differ when the recording is read again. */
  function: v.optional(v.object({ name, detail: name })),
  bar: v.optional(pin),
  order: v.picklist(["left-heavy", "call-order"]),
  /** Absent: the difference, where the recording is compared with a baseline, else exclusive. */
  colour: v.optional(v.picklist(["exclusive", "difference", "function", "file", "module"])),
});
export type FlameState = v.InferOutput<typeof flameState>;

/** The part of a drawing that is in sight. */
const window = v.object({
  from: share,
  to: share,
  firstDepth: level,
  endDepth: level,
  /** Pixels. */
  width: v.pipe(v.number(), v.minValue(1), v.maxValue(20_000)),
});
export type FlameWindowShown = v.InferOutput<typeof window>;

/** Identifies what is drawn: a look into it means nothing elsewhere. */
/** Of a comparison; null: that one has none. */
const side = v.nullable(v.pipe(v.number(), v.finite()));
const subject = v.pipe(v.string(), v.maxLength(100));
const search = v.pipe(v.string(), v.maxLength(1000));

/** What the page asks for: a window of each drawing. */
export const flameLook = v.object({
  subject,
  windows: v.pipe(list(window, MOST_PANES), v.minLength(1)),
  search: v.optional(search),
});
export type FlameLook = v.InferOutput<typeof flameLook>;

const place = v.object({ node: count, depth: level, x: amount, width: amount });
export type FlamePlaceShown = v.InferOutput<typeof place>;

const pane = v.pipe(
  v.object({
    kind: v.picklist(panes),
    window,
    /** Of everything drawn here, in the metric's unit. */
    drawn: amount,
    levels: level,
    nodes: count,
    hottest: amount,
    /** Rectangles, parents before children, from left to right. */
    depth: integers(0, 100_000_000),
    x: numbers(),
    width: numbers(),
    inclusive: numbers(),
    exclusive: numbers(),
    /** Index of the rectangle above; -1: not among them. */
    parent: integers(-1, MARK_LIMIT),
    name: integers(0, MARK_LIMIT),
    node: integers(0, 2 ** 30 - 1),
    together: integers(1, 2 ** 31 - 1),
    /** Consecutive frames without a name. */
    frames: integers(1, 2 ** 31 - 1),
    group: integers(-1, 2 ** 31 - 1),
    flags: integers(0, 255),
    /** Exclusive in the baseline of a comparison, and the largest |difference| from it of all that is drawn. */
    baseline: v.optional(numbers()),
    largestDifference: v.optional(amount),
    names: list(name, MARK_LIMIT),
    /** What is shown of each of them; absent: they themselves. */
    shown: v.optional(list(name, MARK_LIMIT)),
    covering: list(v.object({ ...place.entries, name }), 20),
    found: v.optional(v.object({ count, share: amount, places: list(place, 200) })),
  }),
  v.check(
    ({
      depth,
      x,
      width,
      inclusive,
      exclusive,
      parent,
      name: named,
      node,
      together,
      frames,
      group,
      flags,
      names,
      shown,
      baseline,
    }) =>
      Boolean(
        [x, width, inclusive, exclusive, parent, named, node, together, frames, group, flags, baseline ?? flags].every(
          ({ length }) => length === depth.length,
        ) &&
        parent.every((above, at) => above < at) &&
        named.every((at) => at < names.length) &&
        (shown ?? names).length === names.length,
      ),
  ),
);
export type FlamePaneContent = v.InferOutput<typeof pane>;

export const flameContent = v.object({
  subject,
  /** Of the function or the bar. */
  title: v.optional(name),
  metric: name,
  unit: name,
  /** "mean over 8 ranks"; empty where nothing is combined. */
  over: name,
  /** What shares are shares of. */
  total: amount,
  /** Groups that have a colour of their own, and how many there are. */
  groups: list(name, 20),
  groupCount: count,
  /** Groups beyond these have a colour too: that of their name. */
  allColoured: v.optional(v.boolean()),
  /** What was searched for. */
  search: v.optional(search),
  /** Of a whole recording that is compared: functions by |difference| of their exclusive, the largest first; null: one side has none. */
  changes: v.optional(list(v.object({ name, shown: v.optional(name), baseline: side, candidate: side }), 100)),
  /** Functions of a whole recording by exclusive and by inclusive cost, largest first. */
  hottest: v.optional(
    v.object({
      exclusive: list(v.object({ name, shown: v.optional(name), value: amount }), 100),
      inclusive: list(v.object({ name, shown: v.optional(name), value: amount, atMost: v.optional(v.boolean()) }), 100),
    }),
  ),
  panes: v.pipe(list(pane, MOST_PANES), v.minLength(1)),
});
export type FlameContent = v.InferOutput<typeof flameContent>;

/** @param pane its drawing's place among those of the content */
export function flameMark(pane: number, node: number): number {
  return MOST_PANES * node + pane;
}

export function ofFlameMark(mark: number): { readonly pane: number; readonly node: number } {
  return { pane: mark % MOST_PANES, node: Math.floor(mark / MOST_PANES) };
}

/** Pixels of a level. */
export const FLAME_ROW = 18;
/** Levels asked for beyond what is in sight, so that arrow keys and the wheel find something there. */
const MARGIN_LEVELS = 40;
const MARGIN = { left: 12, right: 6, top: 10, bottom: 10 } as const;
/** For the name of each of several drawings. */
export const FLAME_HEADING = 18;

export interface FlameSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Where drawings lie, one below the other: what one does not need of its part is another's, and at last the last one's.
 *
 * @param size pixels of all of them
 * @param levels how many each has; Infinity: that is not known yet
 */
export function flameAreas(
  { width, height }: FlameSize,
  levels: readonly number[],
): (FlameSize & { x: number; y: number })[] {
  const heading = levels.length > 1 ? FLAME_HEADING : 0;
  const needs = levels.map((one) => Math.max(1, one) * FLAME_ROW);
  let rest = height - MARGIN.top - MARGIN.bottom - levels.length * heading;
  let y = MARGIN.top;
  return needs.map((need, at) => {
    const later = needs.slice(at + 1);
    const room = Math.max(FLAME_ROW, rest / (later.length + 1), rest - later.reduce((sum, one) => sum + one, 0));
    const high = later.length === 0 ? room : Math.min(need, room);
    rest -= high;
    y += heading + high;
    return { x: MARGIN.left, y: y - high, width: Math.max(1, width - MARGIN.left - MARGIN.right), height: high };
  });
}

/** What is asked for while a part of a drawing is in sight. @param row levels above it, not necessarily whole */
export function flameWindow(
  { from, to, row }: { readonly from: number; readonly to: number; readonly row: number },
  { width, height }: FlameSize,
): FlameWindowShown {
  const firstDepth = Math.max(0, Math.floor(row) - MARGIN_LEVELS);
  const endDepth = Math.floor(row) + Math.ceil(height / FLAME_ROW) + MARGIN_LEVELS;
  return { from, to, firstDepth, endDepth, width };
}
