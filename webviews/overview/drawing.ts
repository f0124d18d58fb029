/** Parts of a trace: leaves from top to bottom, time from left to right; colour is what a part is mostly in. Pure. */
import { eventKinds, FINDINGS, type OverviewContent } from "../../src/protocol/overview";
import { axisTicks, rule, TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { highlightBar } from "../kit/highlight";
import { type Box, type DrawView, type Mark, rounded, type Scene, type Shape, standsBack } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { cutName, fitName, type Measure, visible } from "../shared/text";
import { partFill, stateFills } from "./colours";
import { findingName, findingText, isOfCells, ofText, partFacts, partName, stateText } from "./describe";
import { formatShare, formatValue } from "../../src/model/units";

/** Above and right of the parts; below them the time axis. */
const EDGE = 8;
const AXIS = 22;
/** Names of groups and leaves: at most so wide, and a part of the panel. */
const WIDEST = 150;
const MOST_GUTTER = 0.22;
/** Of a name, of a text in a part, and between groups that are so high. */
const LINE = 13;
const LEAST_TEXT = 34;
const GAP = 3;
const LEAST_GROUP = 24;
/** Between parts. */
const APART = 0.75;
/** Between the lines of what is empty. */
const HATCH = 6;
/** Shares of cells are told apart in so many steps. */
const SHARES = 100;
/** What is highlighted has its bar here, left of names. */
const HIGHLIGHT = 3;
/** Of what stands back for kinds of work that are highlighted. */
const LEFT_OUT = 0.3;
/** Pixels between ticks. */
const TICK = 80;
/** A finding at one moment is so wide, to be seen and hit. */
const MOMENT = 4;

export function draw(content: OverviewContent, view: DrawView): Scene {
  const { theme } = view;
  const parts = content.shown?.parts;
  const plot = plotOf(content, view);
  const rows = new Rows(content, plot);
  if (!parts) return { below: [], marks: [], above: [] };
  const fills = stateFills(content, theme);
  const { shows } = content.shown ?? content;
  const marks = Array.from(parts.first, (_, part) => partMark(content, part, rows, fills, view));
  const isStacked = shows === "proportion";
  const most = isStacked ? largestTotal(content) : 0;
  const stacks = isStacked
    ? stacksOf(
        content,
        marks.filter(({ id }) => !isOfCells(content, id)),
        fills,
        most,
        view,
      )
    : [];
  const opened = marks.find(({ id }) => isOfCells(content, id));
  const isOver = { time: content.kind !== "hierarchical", resources: content.kind !== "temporal" };
  return {
    below: [
      ...(isStacked && !isOver.time ? scale(content, plot, most, view) : axis(content, plot, view)),
      ...emptyParts(
        content,
        marks.filter((one) => one !== opened),
        theme,
      ),
      ...stacks,
      ...(opened ? cellsOf(content, rows, fills, view) : []),
    ],
    marks: [...marks, ...content.unlike.map((_, at) => findingMark(content, at, rows))],
    above: [
      ...(isStacked && !isOver.resources ? scale(content, plot, most, view) : names(content, rows, view)),
      ...highlights(content, rows, isOver.resources, view),
      ...signs(
        content,
        marks.filter((one) => one !== opened),
        theme,
      ),
    ],
    move: (from, key) => moved(content, from, key),
  };
}

function plotOf({ leafNames, groups }: OverviewContent, { width, height, measure }: DrawView): Box {
  const wide = measure(SIZE);
  const longest = [...leafNames.slice(0, 500), ...groups.names.slice(0, 500)].reduce(
    (most, name) => Math.max(most, wide(visible(name))),
    0,
  );
  const gutter = 12 + Math.min(WIDEST, Math.round(width * MOST_GUTTER), Math.ceil(longest)) + 8;
  return {
    x: gutter,
    y: EDGE,
    width: Math.max(40, width - gutter - EDGE),
    height: Math.max(20, height - EDGE - AXIS),
  };
}

/** Beside the names of leaves that are highlighted, neighbours together. */
function highlights(
  { leaves, slices }: OverviewContent,
  rows: Rows,
  isOverResources: boolean,
  view: DrawView,
): Shape[] {
  const { highlighted } = view;
  const shapes: Shape[] = [];
  const isOwn = (leaf: number) => highlighted?.places.has(leaf) === true;
  if (!isOverResources) return shapes;
  for (let first = 0; first < leaves; first++) {
    if (!isOwn(first)) continue;
    let last = first;
    while (last + 1 < leaves && isOwn(last + 1)) last++;
    const { y, height } = rows.box(first, last - first + 1, 0, slices - 1);
    shapes.push(highlightBar({ x: HIGHLIGHT, y, width: 0, height: Math.max(2, height) }, view));
    first = last;
  }
  return shapes;
}

/** Where leaves lie: neighbours of other groups are a little apart where groups are high enough. */
class Rows {
  private readonly height: number;
  private readonly gaps: Int32Array;

  constructor(
    private readonly content: OverviewContent,
    readonly plot: Box,
  ) {
    const { leaves, groups } = content;
    const deepest = groups.depth.reduce((most, one) => Math.max(most, one), 0);
    const begins = groups.first.filter((first, at) => groups.depth[at] === deepest && first > 0);
    const isApart = plot.height / (begins.length + 1) >= LEAST_GROUP;
    this.gaps = new Int32Array(leaves + 1);
    if (isApart) for (const first of begins) this.gaps[first] = 1;
    for (let at = 1; at <= leaves; at++) this.gaps[at] += this.gaps[at - 1];
    this.height = (plot.height - GAP * this.gaps[leaves]) / leaves;
  }

  /** Of leaves, and slices with their last one. */
  box(first: number, size: number, start: number, end: number): Box {
    const { plot, content } = this;
    const y = this.top(first);
    const x = plot.x + (start / content.slices) * plot.width;
    return {
      x,
      y,
      width: ((end - start + 1) / content.slices) * plot.width,
      height: this.top(first + size - 1) + this.height - y,
    };
  }

  private top(leaf: number): number {
    return this.plot.y + leaf * this.height + GAP * this.gaps[leaf];
  }
}

function partMark(content: OverviewContent, part: number, rows: Rows, fills: readonly string[], view: DrawView): Mark {
  const { theme, measure } = view;
  const parts = content.shown?.parts;
  if (!parts) throw new Error("no parts");
  const [mode, share] = [parts.mode[part], parts.share[part]];
  const box = apart(rows.box(parts.first[part], parts.size[part], parts.start[part], parts.end[part]));
  const shows = content.shown?.shows ?? "mode";
  const isOpened = isOfCells(content, part);
  const fill =
    isOpened || mode < 0 || shows === "proportion"
      ? "none"
      : shows === "mode"
        ? partFill(fills[mode], share, theme)
        : plainFill(part, theme);
  // Nothing was recorded there: edges of contrast themes would make a grid of it.
  const isEmpty = mode < 0 && !isOpened;
  const hasRoom = !isOpened && box.height >= LINE && box.width >= LEAST_TEXT;
  const room = box.width - 8;
  const shown = !hasRoom
    ? ""
    : shows === "partition"
      ? fitName(ofText(content, part), room, measure(SIZE))
      : mode < 0 || shows === "proportion"
        ? ""
        : partText(stateText(content, mode), formatShare(share), room, measure(SIZE));
  const name = partName(content, part);
  const isBack = shows === "mode" && isLeftOut(content, mode, view);
  return {
    id: part,
    key: `${parts.first[part]} ${parts.size[part]} ${parts.start[part]} ${parts.end[part]}`,
    box,
    name,
    paint: isOpened
      ? { fill, stroke: theme.text, strokeWidth: 1.5 }
      : {
          fill,
          ...(isBack ? { fillOpacity: LEFT_OUT } : {}),
          ...(isEmpty ? {} : edgeIn(fill === "none" || shows !== "mode" ? undefined : fills[mode], theme)),
        },
    ...(shown === "" ? {} : { label: labelIn(box, shown, isBack ? theme.text : theme.ink(fill)) }),
    facts: () => partFacts(content, part),
  };
}

/** Name and share of a part; the name alone, whole or without its middle; where a name would say nothing, the share. */
function partText(name: string, share: string, room: number, measure: Measure): string {
  const whole = `${name} ${share}`;
  if (measure(whole) <= room) return whole;
  return cutName(name, room, measure, () => true) || (measure(share) <= room ? share : "");
}

/** Whether a state is of another kind of work than those that are highlighted; of several nobody knows. */
function isLeftOut({ stateKinds }: OverviewContent, state: number, view: DrawView): boolean {
  const kind = state < 0 ? -1 : stateKinds[state];
  return kind >= 0 && standsBack(view, eventKinds[kind]);
}

/** @param fill the state's, where all of the part is in it; undefined: it is not filled by it */
function edgeIn(fill: string | undefined, theme: Theme): Pick<Mark["paint"], "stroke" | "strokeWidth"> {
  const stroke = fill === undefined ? theme.edge : theme.edgeOf(fill);
  return stroke === undefined ? {} : { stroke, strokeWidth: 0.75 };
}

/** The microscopic cells beneath a part: what looks the same is one path; where nothing was recorded it is hatched. */
function cellsOf(content: OverviewContent, rows: Rows, fills: readonly string[], view: DrawView): Shape[] {
  const { cells } = content;
  const { theme } = view;
  if (!cells) return [];
  const { first, start, end, mode, share } = cells;
  const paths = new Map<string, { readonly fill: string; readonly isBack: boolean; d: string }>();
  const own = end - start + 1;
  let empty = "";
  for (const [at, state] of mode.entries()) {
    const slice = start + (at % own);
    const box = apart(rows.box(first + Math.floor(at / own), 1, slice, slice));
    if (state < 0) {
      empty += hatched(box);
      continue;
    }
    const fill = partFill(fills[state], Math.round(share[at] * SHARES) / SHARES, theme);
    const { x, y, width, height } = box;
    const isBack = isLeftOut(content, state, view);
    const key = `${fill} ${isBack}`;
    const path = paths.get(key) ?? { fill, isBack, d: "" };
    paths.set(key, path);
    path.d += `M${rounded(x)},${rounded(y)}h${rounded(width)}v${rounded(height)}h${rounded(-width)}Z`;
  }
  return [
    ...(empty === "" ? [] : [rule(empty, theme.grid)]),
    ...Array.from(paths.values(), ({ fill, isBack, d }): Shape => ({
      kind: "path",
      d,
      fill,
      ...(isBack ? { fillOpacity: LEFT_OUT } : {}),
    })),
  ];
}

/** Of parts alone only where they end is to be seen: neighbours are a little lighter or darker. */
const PLAIN = [0.1, 0.18, 0.26];

function plainFill(part: number, theme: Theme): string {
  return theme.faded(theme.text, PLAIN[part % PLAIN.length]);
}

/**
 * All states of each part: over time one above the other, of resources side by side; as long as the cells of the part have of it in the mean,
 * against the part that has most of all states.
 */
function stacksOf(
  content: OverviewContent,
  marks: readonly Mark[],
  fills: readonly string[],
  most: number,
  view: DrawView,
): Shape[] {
  const { shown, kind, states } = content;
  const means = shown?.parts.means ?? new Float64Array(0);
  const count = states.length;
  return marks.flatMap(({ box, id }) => {
    let at = kind === "temporal" ? box.y + box.height : box.x;
    return states.flatMap((_, state): Shape[] => {
      const share = most > 0 ? means[id * count + state] / most : 0;
      if (!(share > 0)) return [];
      const length = share * (kind === "temporal" ? box.height : box.width);
      const own = kind === "temporal" ? { ...box, y: at - length, height: length } : { ...box, x: at, width: length };
      at += kind === "temporal" ? -length : length;
      const { x, y, width, height } = own;
      const d = `M${rounded(x)},${rounded(y)}h${rounded(width)}v${rounded(height)}h${rounded(-width)}Z`;
      const edge = edgeIn(fills[state], view.theme);
      const back = isLeftOut(content, state, view) ? { fillOpacity: LEFT_OUT } : {};
      return [{ kind: "path", d, fill: fills[state], ...back, ...edge }];
    });
  });
}

/** What a cell has of all states in the mean, in the part where that is most. */
function largestTotal({ shown, states }: OverviewContent): number {
  const means = shown?.parts.means ?? new Float64Array(0);
  let most = 0;
  for (let first = 0; first < means.length; first += states.length)
    most = Math.max(
      most,
      means.subarray(first, first + states.length).reduce((sum, one) => sum + one, 0),
    );
  return most;
}

/** How long stacks are: of time, as a share of all; else in the mean of a resource and a slice. */
function scale({ from, to, slices, metric, kind }: OverviewContent, plot: Box, most: number, view: DrawView): Shape[] {
  const words = wordsAt(view.theme);
  const textOf = (value: number) => {
    if (metric === "duration") return formatShare(value / ((to - from) / slices));
    return metric === "count" ? formatValue(value, "1") : formatValue(value, "s");
  };
  return [0, 0.5, 1].flatMap((part): Shape[] => {
    const text = textOf(part * most);
    if (kind === "temporal") {
      const y = plot.y + (1 - part) * plot.height;
      const baseline = Math.min(plot.y + plot.height, Math.max(plot.y + 9, y + 4));
      return [rule(`M${plot.x - 5},${y}h4`, view.theme.outline), words(plot.x - 8, baseline, text, { anchor: "end" })];
    }
    const x = plot.x + part * plot.width;
    const y = plot.y + plot.height;
    const anchor = part === 0 ? "start" : part === 1 ? "end" : "middle";
    return [rule(`M${x},${y + 3}v4`, view.theme.outline), words(x, y + 17, text, { anchor, fill: view.theme.soft })];
  });
}

/** The background between parts tells them apart, where they are large enough for that. */
function apart({ x, y, width, height }: Box): Box {
  const [right, below] = [width > 3 ? APART : 0, height > 3 ? APART : 0];
  return { x, y, width: width - right, height: height - below };
}

function labelIn({ x, y, height }: Box, text: string, fill: string): Shape & { kind: "text" } {
  const baseline = height < 2 * LINE ? y + height / 2 + 4 : y + 12;
  return { kind: "text", at: { x: x + 4, y: baseline }, text, size: SIZE, fill };
}

/** A finding is framed where it is selected, from its first resource to its last; the pointer reaches the parts below. */
function findingMark(content: OverviewContent, at: number, rows: Rows): Mark {
  const finding = content.unlike[at];
  const sliceAt = (seconds: number) => ((seconds - content.from) / (content.to - content.from)) * content.slices;
  const [start, end] = [sliceAt(finding.from), sliceAt(finding.to)];
  const [first, last] = [finding.leaves[0], finding.leaves[finding.leaves.length - 1]];
  const box = rows.box(first, last - first + 1, start, end - 1);
  return {
    id: FINDINGS + at,
    key: `finding ${at}`,
    name: findingName(content, finding),
    isPassive: true,
    box: box.width >= MOMENT ? box : { ...box, x: box.x - MOMENT / 2, width: MOMENT },
    paint: { fill: "none" },
    facts: () => [["", findingText(finding)]],
  };
}

/** Where nothing was recorded: thin diagonals. */
function emptyParts({ shown }: OverviewContent, marks: readonly Mark[], theme: Theme): Shape[] {
  const d = marks.filter(({ id }) => shown?.parts.mode[id] === -1).map(({ box }) => hatched(box));
  return d.length > 0 ? [rule(d.join(""), theme.grid)] : [];
}

/** Diagonals through a box, all on one raster. */
function hatched({ x, y, width, height }: Box): string {
  const [right, bottom] = [x + width, y + height];
  let d = "";
  for (let at = Math.ceil((x + y) / HATCH) * HATCH; at < right + bottom; at += HATCH) {
    const [fromX, toX] = [Math.max(x, at - bottom), Math.min(right, at - y)];
    if (toX > fromX) d += `M${rounded(fromX)},${rounded(at - fromX)}L${rounded(toX)},${rounded(at - toX)}`;
  }
  return d;
}

/** Several parts in one: a diagonal where they are cut alike in time, a cross where not. */
function signs({ shown }: OverviewContent, marks: readonly Mark[], theme: Theme): Shape[] {
  const sign = shown?.parts.sign ?? new Int32Array(0);
  return marks.flatMap(({ box: { x, y, width, height }, id }) => {
    if (!(sign[id] > 0)) return [];
    const up = `M${x},${y + height}L${x + width},${y}`;
    const d = sign[id] === 1 ? up : `${up}M${x},${y}L${x + width},${y + height}`;
    return [{ kind: "path", d, stroke: theme.text, strokeWidth: 1, opacity: 0.6, of: id } as const];
  });
}

/** Names of leaves where they have room, else of the deepest groups that have. */
function names(content: OverviewContent, rows: Rows, { theme, measure }: DrawView): Shape[] {
  const { leaves, groups, leafNames, slices } = content;
  const words = wordsAt(theme);
  const room = rows.plot.x - 12 - 8;
  /** Of neighbours so low that not each has room, every so many. */
  const named = (
    rowsOf: readonly { readonly first: number; readonly size: number; readonly name: string }[],
  ): Shape[] => {
    let free = -Infinity;
    return rowsOf.flatMap(({ first, size, name }) => {
      const { y, height } = rows.box(first, size, 0, slices - 1);
      const baseline = y + height / 2 + 4;
      if (baseline - LINE < free) return [];
      free = baseline;
      return [words(rows.plot.x - 8, baseline, fitName(visible(name), room, measure(SIZE)), { anchor: "end" })];
    });
  };
  const deepest = groups.depth.reduce((most, one) => Math.max(most, one), 0);
  const isRoomy = rows.box(0, 1, 0, 0).height >= LINE;
  if (isRoomy || deepest === 0)
    return named(Array.from({ length: leaves }, (_, first) => ({ first, size: 1, name: leafNames[first] })));
  const own = [...groups.depth.keys()].filter((at) => groups.depth[at] === deepest);
  own.sort((a, b) => groups.first[a] - groups.first[b]);
  return named(own.map((at) => ({ first: groups.first[at], size: groups.size[at], name: groups.names[at] })));
}

function axis(content: OverviewContent, plot: Box, { theme, measure }: DrawView): Shape[] {
  const words = wordsAt(theme);
  const bottom = plot.y + plot.height;
  const ticks = axisTicks(content.from, content.to, Math.floor(plot.width / TICK), "s");
  const xOf = (seconds: number) => plot.x + ((seconds - content.from) / (content.to - content.from)) * plot.width;
  return [
    rule(`M${plot.x},${bottom + 3.5}H${plot.x + plot.width}`, theme.grid),
    ...ticks.flatMap(({ value, text }): Shape[] => {
      const x = Math.round(xOf(value)) + 0.5;
      const isCut = x + measure(SIZE)(text) / 2 > plot.x + plot.width + EDGE;
      return [
        rule(`M${x},${bottom + 3}v4`, theme.outline),
        ...(isCut ? [] : [words(x, bottom + 17, text, { anchor: "middle", fill: theme.soft })]),
      ];
    }),
  ];
}

/** Left and right in time, up and down to the part of the neighbouring leaves at that time. */
function moved({ shown, unlike }: OverviewContent, from: number, key: string): number | undefined {
  const parts = shown?.parts;
  if (!parts) return undefined;
  if (from >= FINDINGS) {
    const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
    return Math.min(FINDINGS + unlike.length - 1, Math.max(FINDINGS, from + step));
  }
  const { first, size, start, end } = parts;
  const isVertical = key === "ArrowUp" || key === "ArrowDown";
  const isBack = key === "ArrowLeft" || key === "ArrowUp";
  const leaf = isVertical ? (isBack ? first[from] - 1 : first[from] + size[from]) : first[from];
  const slice = isVertical ? start[from] : isBack ? start[from] - 1 : end[from] + 1;
  const to = first.findIndex(
    (one, at) => one <= leaf && leaf < one + size[at] && start[at] <= slice && slice <= end[at],
  );
  return to < 0 ? from : to;
}
