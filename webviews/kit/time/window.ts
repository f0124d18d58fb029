/** The stretch of a run that is in sight, and where that lies: what all drawings along an axis of time have. Pure. */
import * as v from "valibot";
import { list } from "../../../src/protocol/bounds";
import { span, type Stretch, stretch } from "../../../src/protocol/panel";
import type { Box, DrawView } from "../stage/scene";

/** Windows that one can go back to. */
const MOST_WINDOWS = 50;
/** Seconds: nothing is told apart in less. */
const LEAST_SPAN = 2e-9;

/** Of what is drawn: when it begins and ends, in seconds of the trace. */
export interface Run {
  /** A window of another drawing means nothing in this one. */
  readonly subject: string;
  readonly start: number;
  readonly end: number;
}

/** What a page keeps of its window. */
export const windowSeen = {
  subject: v.string(),
  ...span.entries,
  /** Pixels by which the rows are scrolled. */
  top: v.number(),
  back: list(stretch, MOST_WINDOWS),
  forward: list(stretch, MOST_WINDOWS),
  /** What is measured. */
  range: v.optional(stretch),
  /** Its end is still moved. */
  isMeasuring: v.optional(v.boolean()),
};
export type WindowSeen = v.InferOutput<v.ObjectSchema<typeof windowSeen, undefined>>;

/** Pixels: of the ruler, of the rows' names (where there is much room for them, some, and little), of the bar that says where rows are. */
export const RULER = 20;
export const GUTTERS = { wide: 190, some: 124, narrow: 104, little: 44, least: 62 };
const NAME = 12;
/** Between names and rows. */
export const BESIDE = 10;
export const SCROLLBAR = 8;

/** The end of the run; of one that takes no time, something is in sight, too. */
export function endOf({ start, end }: Run): number {
  return Math.max(end, start + LEAST_SPAN);
}

/** All of a run. */
export function wholeRun(run: Run): WindowSeen {
  return { subject: run.subject, from: run.start, to: endOf(run), top: 0, back: [], forward: [] };
}

/** What other views may show, too; undefined: the whole run. */
export function shownWindow(run: Run, { from, to }: Stretch): Stretch | undefined {
  return from <= run.start && to >= endOf(run) ? undefined : { from, to };
}

/** Where rows are drawn: beside their names, below the ruler. @param longest of the names, whole, and in shorter wordings */
export function timeArea(longest: readonly string[], view: DrawView): Box {
  const { width, height } = view;
  const wide = view.measure(NAME);
  const most = width >= 900 ? GUTTERS.wide : width >= 500 ? GUTTERS.some : GUTTERS.narrow;
  // In a narrow panel names that have no room in however few words take more of it: rows without names say nothing.
  const isLittle = width < 500 && longest.some((wording) => wide(wording) <= GUTTERS.little - BESIDE);
  const wanted = width < 500 ? (longest.at(-1) ?? "") : (longest.at(0) ?? "");
  const x = isLittle ? GUTTERS.little : Math.min(most, Math.max(GUTTERS.least, Math.ceil(wide(wanted)) + 14));
  return { x, y: RULER, width: Math.max(1, width - x), height: Math.max(1, height - RULER) };
}

/** Where time is drawn. */
export class Axis {
  private readonly perSecond: number;

  constructor(
    private readonly area: Box,
    private readonly window: Stretch,
  ) {
    this.perSecond = area.width / (window.to - window.from);
  }

  x(seconds: number): number {
    return this.area.x + (seconds - this.window.from) * this.perSecond;
  }

  /** Pixels of a moment; beyond the area its side. */
  within(seconds: number): number {
    return Math.min(this.area.x + this.area.width, Math.max(this.area.x, this.x(seconds)));
  }

  seconds(x: number): number {
    return this.window.from + (x - this.area.x) / this.perSecond;
  }
}

/** The part of the run that is the least. */
const LEAST_PART = 1e-10;
/** A window that differs by so much from the last one that was kept is kept. */
const APART = 2;

/** What a window becomes, and what was in sight before where that differs by much, or where it is left in one step. */
export function withWindow<Seen extends WindowSeen>(
  run: Run,
  now: Seen,
  { from, to }: Stretch,
  { top = now.top, isStep = false }: { readonly top?: number; readonly isStep?: boolean } = {},
): Seen {
  const length = endOf(run) - run.start;
  const wide = Math.min(length, Math.max(to - from, LEAST_SPAN, length * LEAST_PART));
  const wanted = to - from < wide ? (from + to - wide) / 2 : from;
  const left = Math.min(run.start + length - wide, Math.max(run.start, wanted));
  const window = { from: left, to: left + wide };
  const last = now.back.at(-1);
  const isOther = window.from !== now.from || window.to !== now.to;
  const isKept = last !== undefined && last.from === now.from && last.to === now.to;
  const keeps = isOther && !isKept && (isStep || !last || (isFar(last, window) && isFar(last, now)));
  const back = keeps ? [...now.back, { from: now.from, to: now.to }].slice(-MOST_WINDOWS) : now.back;
  return { ...now, ...window, top, back, forward: isOther ? [] : now.forward };
}

/** The window before, or the one after. */
export function otherWindow<Seen extends WindowSeen>(now: Seen, kind: "back" | "forward"): Seen {
  const other = kind === "back" ? "forward" : "back";
  const window = now[kind].at(-1);
  if (!window) return now;
  const kept = [...now[other], { from: now.from, to: now.to }].slice(-MOST_WINDOWS);
  return { ...now, ...window, [kind]: now[kind].slice(0, -1), [other]: kept };
}

function isFar(a: Stretch, b: Stretch): boolean {
  const [long, short] = [a.to - a.from, b.to - b.from].sort((x, y) => y - x);
  return long > APART * short || Math.abs(a.from - b.from) > long / APART;
}
