/** What is said about rectangles and drawings, in words and numbers. Pure. */
import { changeText, differenceText, signed } from "../../src/model/differences";
import { formatShare, formatValue } from "../../src/model/units";
import type { FlameContent, FlamePane } from "../../src/protocol/flameGraph";
import type { Explained } from "../../src/protocol/panel";
import type { Details, Pane, PaneRow } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { plural, visible } from "../shared/text";
import { rectangleOf, type Rectangles, rectanglesOf } from "./rectangles";

/** `Callers of MPI_Allreduce`, `Inside solver.cpp`. */
export function titleOf({ title = "" }: FlameContent, kind: FlamePane): string {
  const named = visible(title).slice(0, 80);
  if (kind === "recording") return "Flame graph";
  if (kind === "bar") return `Inside ${named}`;
  return `${kind === "callers" ? "Callers" : "Callees"} of ${named}`;
}

export function title(content: FlameContent): string {
  return content.panes.map(({ kind }) => titleOf(content, kind)).join(", ");
}

/** `time, mean over 8 ranks`; of a recording without ranks `time`. */
export function numbersText({ metric, over }: FlameContent): string {
  return [visible(metric).slice(0, 60), ...(over === "" ? [] : [over])].join(", ");
}

function withShare(what: string, value: number, content: FlameContent): Fact {
  return [what, ...valueAndShare(value, content)];
}

function valueAndShare(value: number, { unit, total }: FlameContent): [value: string, share: string] {
  return [formatValue(value, unit), formatShare(value / total)];
}

/** What stands in a rectangle behind its name, the longest wording first: `1.24 s · 46.1 %`; in a comparison how its exclusive differs. */
export function valueTexts(rectangles: Rectangles, at: number): readonly string[] {
  const values = valuesOf(rectangles, at);
  return [values.join(" · "), values[0]];
}

/** Inclusive and its share; in a comparison how the exclusive differs, and how much that is. */
function valuesOf({ baseline, pane, content }: Rectangles, at: number): readonly string[] {
  const before = baseline(at);
  if (before === undefined) return valueAndShare(pane.inclusive[at], content);
  return differenceValues(before, pane.exclusive[at], content.unit);
}

function differenceValues(before: number | null, exclusive: number, unit: string): readonly string[] {
  const change = here(changeText(before, exclusive));
  return [signed(exclusive - (before ?? 0), unit), ...(change === "" ? [] : [change])];
}

/** What is new is so along its path of calls: its function may have cost as much along another one. */
function here(change: string): string {
  return change.replace(/new$/, "new here");
}

export function rectangleFacts(rectangles: Rectangles, at: number): Fact[] {
  const { content, pane } = rectangles;
  // Beside a baseline's value it is said whose the others are.
  const before = rectangles.baseline(at);
  const whose = before === undefined ? "" : ", candidate";
  const facts = [withShare(`inclusive${whose}`, pane.inclusive[at], content)];
  if (!rectangles.isRun(at)) facts.push(withShare(`exclusive${whose}`, pane.exclusive[at], content));
  if (before !== undefined && !rectangles.isRun(at)) {
    facts.push(["exclusive, baseline", before === null ? "none" : formatValue(before, content.unit)]);
    facts.push(["difference", here(differenceText(before, pane.exclusive[at], content.unit))]);
  }
  if (pane.kind === "callers" && pane.depth[at] > 0) facts.push(["numbers of", "the calls along this path"]);
  facts.push(["level", `${pane.depth[at] + 1}`]);
  const group = rectangles.group(at);
  if (group !== undefined) facts.push(["group", group]);
  if (rectangles.isNarrow(at)) facts.push(["too narrow", "for what it calls"]);
  return facts;
}

export function details(content: FlameContent, mark: number, more: Explained | undefined): Details | undefined {
  const known = rectangleOf(content, mark);
  if (!known) return undefined;
  const { rectangles, at } = known;
  return {
    name: rectangles.name(at),
    ...(more?.place === undefined ? {} : { place: more.place }),
    numbers: rectangleFacts(rectangles, at),
    actions: [{ id: "sandwich", name: "Show in sandwich: callers and callees", icon: "type-hierarchy-super" }],
  };
}

/** Callers and callees that are listed. */
const LISTED = 20;
/** As much of the drawing as could be seen in three digits, where it is missing from the list. */
const NARROW = 0.001;

/**
 * What rows leave empty says of what is selected: its numbers, who calls it, and what it calls, as far as that is known here; where
 * nothing is selected, what of the drawing in sight has most.
 */
export function pane(content: FlameContent, mark: number | undefined, more: Explained | undefined): Pane | undefined {
  if (mark === undefined) return overview(content);
  const known = rectangleOf(content, mark);
  if (!known) return undefined;
  const { rectangles, at } = known;
  const isCallers = rectangles.pane.kind === "callers";
  const row = (one: number): PaneRow => ({
    mark: rectangles.mark(one),
    name: rectangles.label(one),
    values: valuesOf(rectangles, one),
  });
  const above = rectangles.pathTo(at).slice(0, LISTED).map(row);
  const below = rectangles.allBelow(at).slice(0, LISTED).map(row);
  const lists = [
    { title: isCallers ? "calls" : "called by", rows: above },
    { title: isCallers ? "called by" : "calls", rows: below },
  ];
  return {
    name: rectangles.name(at),
    ...(more?.place === undefined ? {} : { place: more.place }),
    facts: [...rectangleFacts(rectangles, at), ...(more?.facts ?? [])],
    lists: lists.filter(({ rows }) => rows.length > 0),
  };
}

const overviews = new WeakMap<FlameContent, Pane>();

/** Made once a content: it adds up all that is in sight. */
function overview(content: FlameContent): Pane | undefined {
  const known = overviews.get(content) ?? overviewOf(content);
  if (known.lists.length === 0) return undefined;
  overviews.set(content, known);
  return known;
}

function overviewOf(content: FlameContent): Pane {
  // Of a sandwich, the callees: what callers cost by themselves is theirs, not what this drawing is of.
  const all = rectanglesOf(content);
  const rectangles = all[all.length - 1];
  const { kind, baseline } = rectangles.pane;
  const list = (title: string, rows: readonly PaneRow[]) => ({ title: `${title}${partOf(rectangles)}`, rows });
  const functions = functionsOf(rectangles);
  const costly = largest(functions, ({ amount }) => amount);
  // What a function costs alone stands beside it already.
  const isAlone = kind === "callees" && costly.length === 1 && costly[0].largest === 0;
  const exclusive = isAlone ? [] : costly.map((one) => functionRow(rectangles, one));
  const changes = (content.changes ?? []).map((change) => changeRow(rectangles, change));
  const whole = isFullWidth(rectangles) ? content.hottest : undefined;
  const inclusive = largest(functions, (one) => one.inclusive).map(({ outermost, inclusive }): PaneRow => ({
    mark: rectangles.mark(outermost),
    name: rectangles.label(outermost),
    values: valueAndShare(inclusive, content),
  }));
  const lists = [
    ...(kind === "callees" && all[0].count > 0 ? [{ title: "called by", rows: callersIn(content) }] : []),
    ...(baseline ? [{ title: "largest differences of exclusive", rows: changes }] : []),
    ...(whole
      ? [
          { title: "largest exclusive", rows: whole.exclusive.map((row) => hotRow(rectangles, row)) },
          { title: "largest inclusive", rows: whole.inclusive.map((row) => hotRow(rectangles, row)) },
        ]
      : [
          list(baseline ? "along one path" : "largest exclusive", exclusive),
          // Rows that the first list lacks are also left out here.
          ...(kind === "callees" || baseline ? [] : [{ title: "largest inclusive", rows: inclusive }]),
        ]),
  ];
  const root = kind === "callees" && rectangles.count > 0 ? 0 : undefined;
  return {
    name:
      root === undefined ? (kind === "recording" ? "Whole recording" : titleOf(content, kind)) : rectangles.name(root),
    // How much is drawn the summary says.
    facts: root === undefined ? [] : rectangleFacts(rectangles, root).filter(([what]) => what !== "level"),
    lists: lists.filter(({ rows }) => rows.length > 0),
  };
}

/** Whether no time is out of sight to the left or right. Levels out of sight are in whole functions. */
function isFullWidth({ pane: { window } }: Rectangles): boolean {
  return window.from === 0 && window.to === 1;
}

function isWhole({ pane: { window, levels } }: Rectangles): boolean {
  return window.from === 0 && window.to === 1 && window.firstDepth === 0 && window.endDepth >= levels;
}

/** A whole function as the recording's page has it; it leads to its largest rectangle, where one is in sight. */
function hotRow(
  rectangles: Rectangles,
  { name, shown = name, value, atMost }: { name: string; shown?: string; value: number; atMost?: boolean },
): PaneRow {
  const { exclusive, inclusive, names, name: named } = rectangles.pane;
  const places = [...exclusive.keys()].filter((at) => names[named[at]] === name && !rectangles.isRun(at));
  const most = places.reduce(
    (one, at) =>
      one < 0 || exclusive[at] > exclusive[one] || (exclusive[at] === exclusive[one] && inclusive[at] > inclusive[one])
        ? at
        : one,
    -1,
  );
  const [amount, share] = valueAndShare(value, rectangles.content);
  return {
    ...(most < 0 ? {} : { mark: rectangles.mark(most) }),
    name: visible(shown),
    values: [`${atMost ? "at most " : ""}${amount}`, share],
    ...(places.length > 1 ? { hint: `Go to the largest of ${places.length} rectangles` } : {}),
  };
}

/** What a list leaves out, in words. */
function partOf(rectangles: Rectangles): string {
  const { pane, isRun } = rectangles;
  const { window, width } = pane;
  const narrow = width.filter((_, at) => isRun(at)).reduce((sum, one) => sum + one, 0);
  const without = narrow < NARROW * (window.to - window.from) ? "" : ", without what is narrower than a pixel";
  return `${isWhole(rectangles) ? "" : " in sight"}${without}`;
}

function largest(functions: readonly SeenFunction[], amountOf: (one: SeenFunction) => number): SeenFunction[] {
  return functions
    .filter((one) => amountOf(one) > 0)
    .sort((a, b) => amountOf(b) - amountOf(a))
    .slice(0, LISTED);
}

function functionRow(rectangles: Rectangles, { largest, count, exclusive, before }: SeenFunction): PaneRow {
  const { content } = rectangles;
  return {
    mark: rectangles.mark(largest),
    name: rectangles.label(largest),
    values:
      before === undefined ? valueAndShare(exclusive, content) : differenceValues(before, exclusive, content.unit),
    ...(count > 1 ? { hint: `Go to the largest of ${count} rectangles` } : {}),
  };
}

/** How a whole function differs, wherever it was called; it leads to its largest rectangle, where there is one. */
function changeRow(rectangles: Rectangles, change: NonNullable<FlameContent["changes"]>[number]): PaneRow {
  const { name, shown = name, baseline, candidate } = change;
  const { exclusive, names, name: named } = rectangles.pane;
  // A compiler's copy has the baseline's name here, and its own in the drawing.
  const isOf = (at: number) => names[named[at]] === name || rectangles.label(at) === visible(shown);
  const places = [...exclusive.keys()].filter((at) => isOf(at) && !rectangles.isRun(at));
  const most = places.reduce((one, at) => (one < 0 || exclusive[at] > exclusive[one] ? at : one), -1);
  const ratio = changeText(baseline, candidate);
  return {
    ...(most < 0 ? {} : { mark: rectangles.mark(most) }),
    name: visible(shown),
    values: [signed((candidate ?? 0) - (baseline ?? 0), rectangles.content.unit), ratio],
  };
}

/** Who calls the function of a sandwich, and what the calls cost. */
function callersIn(content: FlameContent): PaneRow[] {
  const [callers] = rectanglesOf(content);
  return callers
    .allBelow(0)
    .slice(0, LISTED)
    .map((at) => ({ mark: callers.mark(at), name: callers.label(at), values: valuesOf(callers, at) }));
}

/** A function, in all of its rectangles in sight. */
interface SeenFunction {
  /** The rectangle that has most of it. */
  readonly largest: number;
  readonly count: number;
  /** Metric's unit; exclusive times of one function's contexts add up, recursive or not (semantics, section 2). */
  readonly exclusive: number;
  /** The same in the baseline; null: that has none of it, undefined: nothing is compared. */
  readonly before: number | null | undefined;
  /** What it is listed by: exclusive, or how far that differs. */
  readonly amount: number;
  /** Metric's unit: of its rectangles that lie in no other one of its own, and the widest of these. */
  readonly inclusive: number;
  readonly outermost: number;
}

function functionsOf(rectangles: Rectangles): SeenFunction[] {
  const { pane, count, isRun, isOutgoing, isHidden, difference, baseline } = rectangles;
  const byName = new Map<number, number[]>();
  for (let at = 0; at < count; at++) {
    // What is called out of a bar, or hidden in it, is no function of it: its amount is another one's inclusive.
    if (isRun(at) || isOutgoing(at) || isHidden(at)) continue;
    const places = byName.get(pane.name[at]);
    if (places) places.push(at);
    else byName.set(pane.name[at], [at]);
  }
  const size = (at: number) => Math.abs(difference(at) ?? pane.exclusive[at]);
  return [...byName.values()].map((places) => {
    const exclusive = places.reduce((sum, at) => sum + pane.exclusive[at], 0);
    const known = places.map(baseline).filter((value) => typeof value === "number");
    const before = !pane.baseline ? undefined : known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0);
    const isWithin = (at: number) => rectangles.pathTo(at).some((above) => pane.name[above] === pane.name[at]);
    const outermost = places.filter((at) => !isWithin(at));
    return {
      inclusive: outermost.reduce((sum, at) => sum + pane.inclusive[at], 0),
      outermost: outermost.reduce((most, at) => (pane.inclusive[at] > pane.inclusive[most] ? at : most)),
      largest: places.reduce((most, at) => (size(at) > size(most) ? at : most)),
      count: places.length,
      exclusive,
      before,
      amount: Math.abs(exclusive - (before ?? 0)),
    };
  });
}

/** The drawings in one line, the longest wording first. */
export function summary(content: FlameContent): string[] {
  const { panes, unit, total } = content;
  const several = (kind: FlamePane) => (panes.length > 1 ? `${kind}: ` : "");
  const sizes = panes.map(
    ({ kind, nodes, levels }) => `${several(kind)}${plural(nodes, "rectangle")} in ${plural(levels, "level")}`,
  );
  const found = panes.flatMap(({ kind, found, drawn }) => {
    if (!found) return [];
    const value = found.share * drawn;
    return `${several(kind)}${plural(found.count, "rectangle")} found, ${formatValue(value, unit)} (${formatShare(value / total)})`;
  });
  const [{ drawn }] = panes;
  const whole = `${formatValue(drawn, unit)} drawn (${formatShare(drawn / total)})`;
  return [
    [...found, ...sizes, whole, numbersText(content)],
    [...found, whole, numbersText(content)],
    [...(found.length > 0 ? found : [whole])],
  ].map((parts) => parts.join(" · "));
}
