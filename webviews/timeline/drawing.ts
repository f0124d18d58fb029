/** Lanes below each other, in each a row per depth, on one axis of time. Pure. */
import { laneMark, laneOfMark, type TimelineContent } from "../../src/protocol/timeline";
import { highlightBar } from "../kit/highlight";
import { crisp, rule, wordsAt } from "../kit/axis";
import {
  type Box,
  circle,
  type DrawView,
  type Emphasis,
  type ManyMarks,
  type Mark,
  type MoveKey,
  type Point,
  type Scene,
  type Shape,
  standsBack,
} from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { measuredRange, ruler, scrollbar, timeGrid } from "../kit/time/frame";
import { Axis, RULER } from "../kit/time/window";
import { cutName, fitName, type Measure, visible } from "../shared/text";
import { faintOf, looksOf } from "./colours";
import { CounterRows } from "./counters";
import { communicationOf, depthsOf, markFacts, markName } from "./describe";
import { laneName, shownName } from "./laneNames";
import { type Marks, marksOf } from "./marks";
import { phaseLines, phaseShapes } from "./phases";
import { askedRows, GAP, type Heading, HEADING, lanesBetween, type LaneRow, type Layout, placeOfRow } from "./rows";
import { areasOf, layoutIn, seenOf, type TimelineSeen } from "./seen";

const SIZE = 11;
/** Narrower marks have no name. */
const NAMED = 34;
/** What letters have below their baseline, and what they take in all, in pixels. */
const HANGING = 2.4;
const LETTERS = 0.72 * SIZE + HANGING;
/** Before a name, in its mark. */
const PADDING = 4;
/** The height of the line below clusters, which goes on from one to the next that is no further away. */
const FOOT = 1.5;
const MET = 1.5;
/** Of marks that contain others, and of those that are not found. */
const QUIET = 0.34;
const LEFT_OUT = 0.4;
/** Marks are seen from this width on; clusters have a foot, and marks of high contrast an edge. */
const SEEN = 1;
const FOOTED = 6;
const EDGED = 4;
/** The least width of what is drawn for an instant. */
const INSTANT = 2;
/** Between the lines of what is uncovered. */
const HATCH = 6;
/** Weight of names of lanes that are highlighted. */
const HIGHLIGHTED = 600;
/** Lower lanes have a name alone. */
const SHARED = 30;
/** The height of the selected span on the ruler. */
const SPAN = 3;
/** Pixels beside a mark that still are its. */
const NEAR = 2;
/** Of messages; and how far they go on along their lanes at least. */
const HAIRLINE = 0.2;
const BEND = 6;
/** Number of messages in sight from which on they get fainter. */
const MANY_MESSAGES = 600;

export function draw(content: TimelineContent, view: DrawView, given?: TimelineSeen): Scene {
  const seen = seenOf(content, given);
  const { lanes: area, counters: below } = areasOf(content, view);
  const layout = layoutIn(content, seen, area);
  const lanes = lanesBetween(layout, seen.top, seen.top + area.height);
  const counters = new CounterRows(content, seen, below, view);
  const drawing = new Drawing(content, view, seen, area, layout, lanes, counters);
  return { below: [], marks: [], many: drawing, above: drawing.frame() };
}

/** A mark, or a piece of it, between two places of the axis in pixels. */
interface Stretch {
  readonly at: number;
  readonly left: number;
  readonly right: number;
}

/** A content in a window: its marks as shapes, and which of them is where. */
class Drawing implements ManyMarks {
  private readonly marks: Marks;
  private readonly axis: Axis;
  private readonly theme: Theme;

  constructor(
    private readonly content: TimelineContent,
    private readonly view: DrawView,
    private readonly seen: TimelineSeen,
    private readonly area: Box,
    private readonly layout: Layout,
    private readonly lanes: readonly LaneRow[],
    private readonly counters: CounterRows,
  ) {
    this.marks = marksOf(content);
    this.axis = new Axis(area, seen);
    this.theme = view.theme;
  }

  of(number: number): Mark | undefined {
    const lane = laneOfMark(number, this.content.depths.length);
    const row = lane < 0 ? undefined : this.lanes.find((one) => one.lane === lane);
    if (row) return this.laneMarkOf(row);
    const counter = this.counters.of(number);
    if (counter) return counter;
    const at = this.marks.withNumber(number);
    const box = at === undefined ? undefined : (this.boxOf(at) ?? this.callerBox(at));
    return at === undefined || !box ? undefined : this.markOf(at, box);
  }

  at({ x, y }: Point): Mark | undefined {
    if (y < this.area.y) return undefined;
    if (y >= this.area.y + this.area.height) return this.counters.at({ x, y });
    const lane = this.lanes.find((one) => y >= this.y(one.y) && y < this.y(one.y) + one.height);
    if (x < this.area.x) return lane && this.laneMarkOf(lane);
    // The last row is higher than the others.
    const step = lane && Math.min(lane.depths - 1, Math.floor((y - this.y(lane.y)) / this.layout.rowHeight));
    const row = lane && step !== undefined ? this.rowAt(lane, step) : undefined;
    const at = this.marks.nearest(row, this.axis.seconds(x));
    const box = at === undefined ? undefined : this.boxOf(at);
    if (at !== undefined && box && x >= box.x - NEAR && x <= box.x + box.width + NEAR) return this.markOf(at, box);
    return lane && step === 0 ? this.callerAt(lane, x) : undefined;
  }

  next(from: number | undefined, key: MoveKey): number | undefined {
    if (from !== undefined && this.counters.of(from)) return this.nextOfCounter(from, key);
    const { marks } = this;
    const { lane, depth, start, end, number } = marks.content.marks;
    const at = from === undefined ? undefined : marks.withNumber(from);
    if (at === undefined) return this.firstNumber;
    const row = marks.row(lane[at], depth[at]);
    if (!row) return undefined;
    const inRow = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: row.first, End: row.end - 1 }[key as string];
    if (inRow !== undefined) return number[Math.max(row.first, Math.min(row.end - 1, inRow))];
    const middle = (Math.max(start[at], this.seen.from) + Math.min(end[at], this.seen.to)) / 2;
    const isUp = key === "ArrowUp" || key === "PageUp";
    const by = isUp ? -1 : 1;
    const own = this.layout.of.get(lane[at]);
    const place = this.layout.lanes.findIndex((one) => one === own);
    if (key === "ArrowUp" || key === "ArrowDown") {
      const beside = marks.row(lane[at], depth[at] + by);
      const inside = marks.nearest(beside, middle);
      if (inside !== undefined && (isUp || start[inside] < end[at])) return number[inside];
    }
    for (let to = place + by; to >= 0 && to < this.layout.lanes.length; to += by) {
      const other = this.layout.lanes[to];
      const depths = Array.from({ length: other.depths }, (_, step) => (isUp ? other.depths - 1 - step : step));
      const found = depths
        .map((step) => marks.nearest(this.rowAt(other, step), middle))
        .find((one) => one !== undefined);
      if (found !== undefined) return number[found];
    }
    return isUp ? undefined : this.counters.beside(undefined, 0);
  }

  /** Up and down among counters, from the first one up to the lanes. */
  private nextOfCounter(from: number, key: MoveKey): number | undefined {
    if (key === "ArrowDown" || key === "PageDown") return this.counters.beside(from, 1);
    if (key !== "ArrowUp" && key !== "PageUp") return from;
    const above = this.counters.beside(from, -1);
    if (above !== undefined) return above;
    const middle = (this.seen.from + this.seen.to) / 2;
    const rows = this.layout.lanes.flatMap((lane) =>
      Array.from({ length: lane.depths }, (_, step) => this.rowAt(lane, step)),
    );
    const last = this.marks.nearest(
      rows.findLast((row) => row !== undefined),
      middle,
    );
    return last === undefined ? undefined : this.content.marks.number[last];
  }

  *shapes({ found, selected }: Pick<Emphasis, "found" | "selected">): Iterable<Shape> {
    const { area, theme, lanes, layout } = this;
    for (const box of this.uncovered()) yield { kind: "box", box, fill: theme.grid, hatch: HATCH };
    yield* timeGrid(this.seen, area, this.view);
    const texts: Box[] = [];
    // Names come last: thousands of messages would cover them.
    const names: Shape[] = [];
    for (const lane of lanes)
      for (let step = 0; step < lane.depths; step++)
        for (const shape of this.rowShapes(lane, step, found, texts))
          if (shape.kind === "text") names.push(shape);
          else yield shape;
    yield* phaseLines(this.content.phases, this.seen, area, theme, texts);
    if (lanes.length > 0 && layout.rowHeight > 0) {
      yield* this.messages(selected);
      yield* this.path();
    }
    yield* names;
    yield* this.counters.shapes();
  }

  /** The mark that keys begin at: the first one in sight. */
  get firstNumber(): number | undefined {
    for (const lane of this.lanes)
      for (let step = 0; step < lane.depths; step++) {
        const row = this.rowAt(lane, step);
        const at = row && this.marks.firstAfter(row, this.seen.from);
        if (row && at !== undefined && at < row.end) return this.content.marks.number[at];
      }
    return undefined;
  }

  /** The span of what is selected, on the ruler: also of what is scrolled out of sight. */
  over(selected: number): Shape[] {
    const at = this.marks.withNumber(selected);
    const { start, end } = this.content.marks;
    if (at === undefined || start[at] > this.seen.to || end[at] < this.seen.from) return [];
    const [left, right] = this.sides(at);
    const box = { x: left, y: RULER - SPAN - 1, width: Math.max(INSTANT, right - left), height: SPAN };
    return [{ kind: "box", box, fill: this.theme.focus }];
  }

  /** What stands around the marks: ruler, names of lanes, what is measured. */
  frame(): Shape[] {
    const { area, theme, view, seen, lanes, layout } = this;
    const words = wordsAt(theme);
    const measure = view.measure(SIZE);
    const ground = (box: Box): Shape => ({ kind: "box", box, fill: theme.background });
    const nameOf = shownName(this.content, area.x, view.measure(12));
    const highlightedNameOf = shownName(this.content, area.x, view.measure(12, HIGHLIGHTED));
    const names = lanes.flatMap((lane): Shape[] => {
      const y = this.y(lane.y);
      const whole = laneName(this.content, lane.lane);
      const isHighlighted = view.highlighted?.places.has(lane.lane) === true;
      const name = (isHighlighted ? highlightedNameOf : nameOf)(lane.lane);
      const base = y + Math.min(lane.height / 2 + 4, 13);
      if (base < area.y + 9 || base > area.y + area.height) return [];
      // Where there is no room for what it is a part of, the part alone stands.
      const share = communicationOf(this.content, lane.lane).find((wording) => measure(wording) <= area.x - 8);
      const below: Shape[] =
        share === undefined || lane.height < SHARED || base + 13 > area.y + area.height
          ? []
          : [words(area.x - 6, base + 13, share, { anchor: "end", fill: theme.muted })];
      const isRoomy = share === undefined || lane.height >= SHARED + 13;
      const depths = isRoomy || seen.deep?.lane === lane.lane ? depthsOf(this.content, lane) : [];
      const hidden = depths.find((wording) => measure(wording) <= area.x - 8);
      if (hidden !== undefined && !isRoomy) below.length = 0;
      const line = base + 13 * (below.length + 1);
      if (hidden !== undefined && line <= area.y + area.height)
        below.push(words(area.x - 6, line, hidden, { anchor: "end", fill: theme.muted }));
      const bar = isHighlighted ? [highlightBar(this.nameBox(lane), view)] : [];
      const weight = isHighlighted ? { weight: HIGHLIGHTED } : {};
      const title = name === whole ? {} : { title: whole };
      return [...bar, words(area.x - 6, base, name, { anchor: "end", size: 12, ...weight, ...title }), ...below];
    });
    const lastPinned = this.content.order[this.content.pinned - 1];
    const lines = lanes.map(({ lane, y, height }) =>
      rule(
        `M0,${crisp(this.y(y) + height + GAP / 2 - 1)}H${area.x + area.width}`,
        lane === lastPinned ? theme.outline : theme.line,
      ),
    );
    const headings = layout.headings
      .filter(({ y }) => y + HEADING > seen.top && y < seen.top + area.height)
      .flatMap((heading) => this.heading(heading));
    return [
      ...lines.filter((_, at) => {
        const end = this.y(lanes[at].y) + lanes[at].height;
        return end > area.y && end < area.y + area.height;
      }),
      ground({ x: 0, y: area.y, width: area.x, height: area.height }),
      ...names,
      ...this.counters.frame(),
      ...ruler(seen, area, view),
      ...phaseShapes(this.content.phases, seen, area, view),
      // Over the line between names and lanes, which would go through their texts.
      ...headings,
      ...measuredRange(seen, { ...area, height: view.height - area.y }, view),
      ...scrollbar(layout.height, seen, area, view),
    ];
  }

  private heading({ group, y, lanes, isOpen }: Heading): Shape[] {
    const { theme, area, view } = this;
    const top = this.y(y);
    const text = `${isOpen ? "▾" : "▸"} ${visible(this.content.groups[group])} · ${lanes.toLocaleString("en")} lanes`;
    const height = Math.min(HEADING, area.y + area.height - top);
    const hidden = Math.max(0, area.y - top);
    const box = { x: 0, y: top + hidden, width: area.x + area.width, height: height - hidden };
    if (top + HEADING - 5 < area.y + 9 || height < HEADING - 1) return [];
    return [
      { kind: "box", box, fill: theme.background },
      rule(`M0,${crisp(top + HEADING - 1)}H${area.x + area.width}`, theme.line),
      wordsAt(theme)(6, top + 13, fitName(text, area.x + area.width - 12, view.measure(SIZE)), { fill: theme.muted }),
    ];
  }

  /** Pixels of a place of the layout. */
  private y(inLayout: number): number {
    return this.area.y + inLayout - this.seen.top;
  }

  private rowAt({ lane, firstDepth, depths }: LaneRow, step: number) {
    return step < depths ? this.marks.row(lane, firstDepth + step) : undefined;
  }

  /** Stretches of the first row in which only hidden callers are: of each moment the innermost one. */
  private *callersOf(lane: LaneRow): Iterable<Stretch> {
    const { marks, seen } = this;
    const { start, end } = this.content.marks;
    for (let depth = lane.firstDepth - 1; depth >= 0; depth--) {
      const [row, inner] = [marks.row(lane.lane, depth), marks.row(lane.lane, depth + 1)];
      let next = inner ? marks.firstAfter(inner, seen.from) : 0;
      for (let at = row ? marks.firstAfter(row, seen.from) : 0; row && at < row.end; at++) {
        if (start[at] > seen.to) break;
        const [left, right] = this.sides(at);
        let free = left;
        while (inner && next < inner.end && start[next] < end[at]) {
          const [from, to] = this.sides(next);
          if (from > free + SEEN) yield { at, left: free, right: from };
          free = Math.max(free, to);
          if (end[next] > end[at]) break;
          next++;
        }
        if (right > free + SEEN) yield { at, left: free, right };
      }
    }
  }

  private callerAt(lane: LaneRow, x: number): Mark | undefined {
    for (const stretch of this.callersOf(lane))
      if (stretch.left <= x && x <= stretch.right) return this.markOf(stretch.at, this.boxIn(lane, stretch));
    return undefined;
  }

  /** The first place in which a hidden caller is seen. */
  private callerBox(at: number): Box | undefined {
    const lane = this.lanes.find((one) => one.lane === this.content.marks.lane[at]);
    if (!lane || this.content.marks.depth[at] >= lane.firstDepth) return undefined;
    for (const stretch of this.callersOf(lane)) if (stretch.at === at) return this.boxIn(lane, stretch);
    return undefined;
  }

  /** A stretch of the first row. */
  private boxIn(lane: LaneRow, { left, right }: Stretch): Box {
    const { height } = placeOfRow(lane, 0, this.layout.rowHeight);
    return { x: left, y: this.y(lane.y), width: Math.max(INSTANT, right - left - 1), height: height - 1 };
  }

  /** Where nothing of a lane was recorded. */
  private *uncovered(): Iterable<Box> {
    const { lanes, seen, content, axis } = this;
    if (content.pixel === 0) return;
    // What has not come yet is not known to be uncovered.
    const [known, until] = [axis.within(content.from), axis.within(content.to)];
    for (const lane of lanes) {
      // Above the first row that was asked for there may be events, and between instants there is nothing to be covered.
      const isKnown =
        content.instants[lane.lane] === 0 && (askedRows(lane).firstDepth === 0 || content.look === "state");
      if (!isKnown) continue;
      const box = { y: this.y(lane.y), height: lane.height };
      const row = content.look === "state" ? this.rowAt(lane, 0) : this.marks.row(lane.lane, 0);
      let right = known;
      for (let at = row ? this.marks.firstAfter(row, seen.from) : 0; row && at < row.end; at++) {
        if (content.marks.start[at] > seen.to) break;
        const [from, to] = this.sides(at);
        // Stretches that meet within a pixel are one.
        if (from > right + SEEN) yield { ...box, x: right, width: from - right };
        right = Math.max(right, to, from + SEEN);
      }
      if (until > right + SEEN) yield { ...box, x: right, width: until - right };
    }
  }

  private *rowShapes(
    lane: LaneRow,
    step: number,
    found: ReadonlySet<number> | undefined,
    texts: Box[],
  ): Iterable<Shape> {
    if (step === 0 && lane.firstDepth > 0) yield* this.stretchShapes(this.callersOf(lane), lane, step, found, texts);
    yield* this.stretchShapes(this.stretchesOf(lane, step), lane, step, found, texts);
  }

  private *stretchesOf(lane: LaneRow, step: number): Iterable<Stretch> {
    const { marks, content, seen } = this;
    const row = this.rowAt(lane, step);
    if (!row) return;
    const isInstant = content.instants[lane.lane] === 1;
    for (let at = marks.firstAfter(row, isInstant ? seen.from - 1e-12 : seen.from); at < row.end; at++) {
      if (content.marks.start[at] > seen.to) return;
      const [left, right] = this.sides(at);
      yield { at, left, right };
    }
  }

  private *stretchShapes(
    stretches: Iterable<Stretch>,
    lane: LaneRow,
    step: number,
    found: ReadonlySet<number> | undefined,
    texts: Box[],
  ): Iterable<Shape> {
    const { marks, content, theme, layout, view, area } = this;
    const { number, state } = content.marks;
    const looks = looksOf(content, theme);
    const place = placeOfRow(lane, step, layout.rowHeight);
    const y = this.y(lane.y) + place.top;
    const height = place.height - 1;
    // In low rows what hangs below the baseline, as underscores do, stays in them, and above the foot, where there is room for both.
    const below = Math.min(4, height / 2 - HANGING);
    const isFootBelow = height >= LETTERS + FOOT;
    const measure = view.measure(SIZE);
    const isInstant = content.instants[lane.lane] === 1;
    const feet = new Stretches();
    const names: Shape[] = [];
    for (const { at, left, right } of stretches) {
      const { fill, ink, isIdle, edge: ownEdge } = looks[state[at]];
      const isQuiet = marks.contains[at] === 1;
      const isLeftOut = found?.has(number[at]) === false || standsBack(view, marks.kind(at));
      const width = Math.max(isInstant ? INSTANT : SEEN, right - left - (right - left > 3 ? 1 : 0));
      // What is at the end of all is drawn before it.
      const x = isInstant ? Math.min(left, area.x + area.width - INSTANT) : left;
      const box = { x, y, width, height };
      const edge = isIdle ? theme.grid : width >= EDGED ? ownEdge : undefined;
      const opacity = (isQuiet ? QUIET : 1) * (isLeftOut ? LEFT_OUT : 1);
      const faint = opacity < 1 ? faintOf(fill, opacity, theme) : undefined;
      if (edge === undefined) yield { kind: "box", box, fill: faint?.fill ?? fill };
      else yield { kind: "box", box: inset(box), fill: faint?.fill ?? fill, stroke: edge, strokeWidth: 1 };
      const text = width < NAMED ? "" : this.labelOf(at, width - 8, measure);
      const textWidth = text === "" ? 0 : widthOf(text, measure);
      const hasFoot = width >= FOOTED && marks.isCluster(at);
      const isParted = text !== "" && !isFootBelow;
      if (hasFoot) feet.add(left, isParted ? left + PADDING - 1 : left + width);
      if (hasFoot && isParted) feet.add(left + PADDING + textWidth + 1, left + width);
      if (text === "") continue;
      texts.push({ x: left + PADDING, y, width: textWidth, height: place.height });
      const raised = hasFoot && isFootBelow ? Math.min(below, height / 2 - HANGING - FOOT) : below;
      const base = { x: left + PADDING, y: y + height / 2 + raised };
      names.push({ kind: "text", at: base, text, size: SIZE, fill: faint?.ink ?? ink });
    }
    for (const [x, end] of feet.all)
      yield {
        kind: "box",
        box: { x, y: y + height - FOOT, width: end - x, height: FOOT },
        fill: theme.background,
        dotted: 2,
      };
    yield* names;
  }

  /** Name with duration or count; else with less of them, else a part of the name. */
  private labelOf(at: number, room: number, measure: Measure): string {
    const name = this.marks.label(at);
    const more = this.marks.amount(at);
    const [nameWidth, moreWidth] = [widthOf(name, measure), widthOf(more, measure)];
    if (nameWidth + moreWidth + 4 <= room) return `${name} ${more}`;
    return nameWidth <= room ? name : cutOf(name, room, measure);
  }

  /** Hairlines from where messages were sent to where they were received; those of the selected event stand out. */
  private *messages(selected: number | undefined): Iterable<Shape> {
    const { messages, marks } = this.content;
    // Those that are left of too many would look as if the others were not there.
    if (!messages || messages.hidden > 0) return;
    const { from, to, sent, received } = messages;
    const at = selected === undefined ? undefined : this.marks.withNumber(selected);
    const isWithin = (seconds: number) => at !== undefined && seconds >= marks.start[at] && seconds <= marks.end[at];
    const { seen, axis, layout, area, theme } = this;
    const lines: string[] = [];
    const own: string[] = [];
    const ends: string[] = [];
    for (let one = 0; one < from.length; one++) {
      const [start, end] = [layout.of.get(from[one]), layout.of.get(to[one])];
      if (!start || !end || sent[one] > seen.to || received[one] < seen.from) continue;
      const [x1, x2] = [sent[one], received[one]].map((seconds) => Math.round(axis.x(seconds) * 10) / 10);
      const [y1, y2] = [this.middle(start), this.middle(end)];
      if (Math.max(y1, y2) < area.y || Math.min(y1, y2) > area.y + area.height) continue;
      const bend = Math.max((x2 - x1) / 2, BEND);
      const line = `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
      const lane = at === undefined ? -1 : marks.lane[at];
      const isOwn = (from[one] === lane && isWithin(sent[one])) || (to[one] === lane && isWithin(received[one]));
      (isOwn ? own : lines).push(line);
      if (isOwn) ends.push(circle({ x: x1 - 2, y: y1 - 2, width: 4, height: 4 }), `M${x2},${y2}l-6,-3v6Z`);
    }
    // Where many lie on each other they would hide lanes and names.
    const opacity = HAIRLINE * Math.min(1, MANY_MESSAGES / lines.length);
    if (lines.length > 0) yield { kind: "path", d: lines.join(""), stroke: theme.text, strokeWidth: 1, opacity };
    if (own.length === 0) return;
    yield { kind: "path", d: own.join(""), stroke: theme.background, strokeWidth: 4, opacity: 0.7 };
    yield { kind: "path", d: own.join(""), stroke: theme.text, strokeWidth: 1.5 };
    yield { kind: "path", d: ends.join(""), fill: theme.text };
  }

  /** The critical path along the lanes, and from one to the other where a wait ended. */
  private *path(): Iterable<Shape> {
    const { path } = this.content;
    if (!path || path.isHidden) return;
    const { seen, axis, layout, area, theme } = this;
    const [along, across]: [string[], string[]] = [[], []];
    let before: Point | undefined;
    for (const [at, lane] of path.lane.entries()) {
      const row = layout.of.get(lane);
      const [from, to] = [path.start[at], path.end[at]];
      if (!row || to < seen.from || from > seen.to) {
        before = undefined;
        continue;
      }
      const y = Math.round(this.middle(row) * 10) / 10;
      const [x1, x2] = [from, to].map((seconds) => Math.round(axis.within(seconds) * 10) / 10);
      if (before) across.push(`M${x1},${before.y}V${y}`);
      along.push(`M${x1},${y}H${x2}`);
      before = { x: x2, y };
    }
    if (along.length === 0 || area.height <= 0) return;
    yield { kind: "path", d: across.join(""), stroke: theme.link, strokeWidth: 1, opacity: 0.7 };
    yield { kind: "path", d: along.join(""), stroke: theme.background, strokeWidth: 5, opacity: 0.8 };
    yield { kind: "path", d: along.join(""), stroke: theme.link, strokeWidth: 2.5 };
  }

  /** Of the lane's last row, where communication is. */
  private middle({ y, height, extra }: LaneRow): number {
    return this.y(y) + height - (this.layout.rowHeight + extra) / 2;
  }

  private sides(at: number): readonly [left: number, right: number] {
    const { start, end } = this.content.marks;
    return [this.axis.within(start[at]), this.axis.within(end[at])];
  }

  private boxOf(at: number): Box | undefined {
    const { lane, depth, start, end } = this.content.marks;
    const { seen, area, layout } = this;
    const row = layout.of.get(lane[at]);
    if (!row || start[at] > seen.to || end[at] < seen.from) return undefined;
    if (depth[at] < row.firstDepth || depth[at] >= row.firstDepth + row.depths) return undefined;
    const { top, height } = placeOfRow(row, depth[at] - row.firstDepth, layout.rowHeight);
    const y = this.y(row.y) + top;
    if (y + height <= area.y || y >= area.y + area.height) return undefined;
    const [left, right] = this.sides(at);
    return { x: left, y, width: Math.max(INSTANT, right - left - 1), height: height - 1 };
  }

  /** A lane's name, as far as it is in sight. */
  private laneMarkOf(row: LaneRow): Mark {
    const share = communicationOf(this.content, row.lane).at(0);
    const [what, value] = share === undefined ? [] : (/^(\S+) (.*)$/.exec(share)?.slice(1) ?? []);
    return {
      id: laneMark(row.lane),
      key: `lane ${row.lane}`,
      box: this.nameBox(row),
      paint: { fill: "transparent" },
      name: laneName(this.content, row.lane),
      facts: () =>
        what === undefined ? [] : [[what === "MPI" ? what : "communication", `${value} of what events cover`]],
    };
  }

  private nameBox({ y, height }: LaneRow): Box {
    const { area } = this;
    const top = Math.max(area.y, this.y(y));
    return {
      x: 0,
      y: top,
      width: area.x - 2,
      height: Math.max(0, Math.min(area.y + area.height, this.y(y) + height) - top),
    };
  }

  private markOf(at: number, box: Box): Mark {
    const { marks, content, theme } = this;
    const { number, state } = content.marks;
    return {
      id: number[at],
      key: `${number[at]}`,
      box,
      paint: { fill: looksOf(content, theme)[state[at]].fill },
      name: markName(marks, at),
      facts: () => markFacts(marks, at),
    };
  }
}

/** Stretches of a row, in order, of which those that all but meet are one. */
class Stretches {
  readonly all: [from: number, to: number][] = [];

  add(from: number, to: number): void {
    const last = this.all.at(-1);
    if (last && from - last[1] <= MET) last[1] = Math.max(last[1], to);
    else if (to > from) this.all.push([from, to]);
  }
}

function inset({ x, y, width, height }: Box): Box {
  return { x: x + 0.5, y: y + 0.5, width: Math.max(0, width - 1), height: height - 1 };
}

/** How wide texts are, and what is left of them in so much room: the same names come again with each frame. */
const widths = new Map<Measure, Map<string, number>>();
const cuts = new Map<Measure, Map<string, string>>();
const MOST_KNOWN = 20_000;
/** Less of a name says nothing. */
const FEWEST_CHARACTERS = 6;
/** Rooms that differ by less have one cut; pixels. */
const ROOM = 4;

function widthOf(text: string, measure: Measure): number {
  const known = knownBy(widths, measure);
  let width = known.get(text);
  if (width === undefined) known.set(text, (width = measure(text)));
  return width;
}

function cutOf(name: string, room: number, measure: Measure): string {
  const known = knownBy(cuts, measure);
  const step = Math.floor(room / ROOM);
  const key = `${step} ${name}`;
  let cut = known.get(key);
  if (cut === undefined) known.set(key, (cut = cutName(name, step * ROOM, measure, () => true, FEWEST_CHARACTERS)));
  return cut;
}

function knownBy<Value>(all: Map<Measure, Map<string, Value>>, measure: Measure): Map<string, Value> {
  let known = all.get(measure);
  if (!known || known.size > MOST_KNOWN) all.set(measure, (known = new Map()));
  return known;
}
