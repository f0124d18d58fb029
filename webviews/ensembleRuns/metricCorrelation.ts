/** Metric correlation: exclusive over inclusive, a point per function and run, both axes logarithmic and of one scale. Pure. */
import { scaleLog } from "d3-scale";
import { formatAlong, formatValue, threeDigits } from "../../src/model/units";
import type { MetricCorrelationContent } from "../../src/protocol/ensembleRuns";
import { crisp, rule, TEXT_SIZE as SIZE, withRoom, wordsAt } from "../kit/axis";
import { tableOf, type TableSpec } from "../kit/definition";
import { wordLegend } from "../kit/legend";
import { type Box, circle, type DrawView, type Fact, type Mark, rounded, type Scene } from "../kit/stage/scene";
import { numberColumn, textColumn } from "../kit/table/columns";
import { svg } from "../shared/dom";
import { plural, visible } from "../shared/text";
import { placeNames } from "./pointNames";
import { lineSign, type RunsViewPage } from "./view";

const MARGIN = { top: 28, right: 18, bottom: 40 } as const;
const [RADIUS, TARGET_RADIUS] = [3, 4.5];
/** For what is not positive, which a logarithm has no place for. */
const ZERO = 18;
const MOST_NAMES = 60;

export const metricCorrelationPage: RunsViewPage<MetricCorrelationContent> = {
  draw,
  tables: (content) => [pointTable(content)],
  legend: ({ target, runs }, theme) => [
    wordLegend("point", "a function in a run"),
    ...(target < 0
      ? []
      : [{ parts: [targetSign(theme.link, theme.edge ?? theme.outline), `target ${visible(runs[target])}`] }]),
    { parts: [lineSign("M0,9L16,1", theme.muted, "5 3"), "exclusive = inclusive"] },
  ],
  hint: "double click: hottest line",
  summary({ names, of, runOf, r, target, runs }) {
    const counts = [plural(names.length, "function"), plural(new Set(runOf).size, "run")];
    const said = r === null ? [] : [`r = ${threeDigits(r)}`];
    const aim = target < 0 ? [] : [`target ${visible(runs[target]).slice(0, 60)}`];
    const points = plural(of.length, "point");
    return [[points, ...counts, ...said, ...aim], [...counts, ...said], counts].map((parts) => parts.join(" · "));
  },
  name: ({ metric }) => `Inclusive against exclusive ${visible(metric)}`,
  nouns: ["call site", "call sites"],
  named: (content) => [{ first: 0, names: namesOf(content) }],
  facts,
};

function targetSign(fill: string, stroke: string): SVGSVGElement {
  const d = diamond({ x: 1.5, y: 1.5, width: 7, height: 7 });
  return svg("svg", { width: 10, height: 10, "aria-hidden": "true" }, svg("path", { d, fill, stroke }));
}

/** As high and wide as its box: the target's points are told from the others where edges are as strong as the link's colour. */
function diamond({ x, y, width, height }: Box): string {
  return `M${x + width / 2},${y}l${width / 2},${height / 2}l${-width / 2},${height / 2}l${-width / 2},${-height / 2}Z`;
}

const known = new WeakMap<MetricCorrelationContent, readonly string[]>();

function namesOf(content: MetricCorrelationContent): readonly string[] {
  const { names, of, runs, runOf } = content;
  const made = known.get(content) ?? Array.from(of, (one, point) => `${names[one]} in ${runs[runOf[point]]}`);
  known.set(content, made);
  return made;
}

function draw(content: MetricCorrelationContent, view: DrawView): Scene {
  const { width, height, theme } = view;
  const { inclusive, exclusive, unit, target, runOf } = content;
  const words = wordsAt(theme);
  const measure = view.measure(SIZE);
  const all = [...inclusive, ...exclusive];
  const positive = all.filter((value) => value > 0);
  const least = positive.reduce((a, b) => Math.min(a, b), Infinity);
  const most = positive.reduce((a, b) => Math.max(a, b), 0);
  const domain: [number, number] = most > 0 ? [least / 1.3, most * 1.3] : [1, 10];
  const hasZero = all.length > positive.length;
  const ticks = powers(domain);
  const text = (value: number) => (value === 0 ? "0" : formatAlong(value, unit, value));
  const widest = ticks.reduce((wide, value) => Math.max(wide, measure(text(value))), measure("0"));
  const left = Math.min(Math.ceil(widest) + 14, Math.max(40, width / 2));
  const plot: Box = {
    x: left,
    y: MARGIN.top,
    width: Math.max(60, width - left - MARGIN.right),
    height: Math.max(60, height - MARGIN.top - MARGIN.bottom),
  };
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height];
  const zero = hasZero ? ZERO : 0;
  const scaleX = scaleLog(domain, [plot.x + zero, right]);
  const scaleY = scaleLog(domain, [bottom - zero, plot.y]);
  const toX = (value: number) => rounded(value > 0 ? scaleX(value) : plot.x + zero / 2);
  const toY = (value: number) => rounded(value > 0 ? scaleY(value) : bottom - zero / 2);
  const said = hasZero ? [0, ...ticks] : ticks;
  // The target's last, so that nothing covers them.
  const order = [...inclusive.keys()].sort(
    (a, b) =>
      Number(runOf[a] === target) - Number(runOf[b] === target) ||
      inclusive[a] - inclusive[b] ||
      exclusive[a] - exclusive[b] ||
      a - b,
  );
  const marks = order.map((point) => pointMark(content, point, [toX(inclusive[point]), toY(exclusive[point])], view));
  const everyY = Math.max(1, Math.ceil((18 * said.length) / plot.height));
  return {
    below: [
      ...said.map((value) => rule(`M${crisp(toX(value))},${plot.y}V${bottom}`, theme.grid)),
      ...said.map((value) => rule(`M${plot.x},${crisp(toY(value))}H${right}`, theme.grid)),
      rule(`M${crisp(plot.x)},${plot.y}V${crisp(bottom)}H${right}`, theme.outline),
      {
        kind: "path",
        d: `M${toX(domain[0])},${toY(domain[0])}L${toX(domain[1])},${toY(domain[1])}`,
        stroke: theme.muted,
        strokeWidth: 1.5,
        dash: [5, 4],
      },
    ],
    marks,
    above: [
      ...withRoom(
        said.map((value) => ({ at: toX(value), text: text(value) })),
        right + MARGIN.right,
        view,
      ).map((tick) => words(tick.at, bottom + 15, tick.text, { anchor: "middle" })),
      ...said
        .filter((_, at) => at % everyY === 0)
        .map((value) => words(plot.x - 6, toY(value) + 4, text(value), { anchor: "end" })),
      words(12, 15, "↑ exclusive", { weight: 600 }),
      words(right, bottom + 33, "inclusive →", { weight: 600, anchor: "end" }),
      ...placeNames(rightmost(content, marks), marks, plot, view, 160).map(({ x, base, text: label, of }) =>
        words(x, base, label, { fill: theme.soft, halo: theme.background, of }),
      ),
    ],
  };
}

/** Powers of ten within, of less than two all that d3 has. */
function powers(domain: readonly [number, number]): number[] {
  const ticks = scaleLog(domain, [0, 1]).ticks(10);
  const tens = ticks.filter((value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9);
  return tens.length >= 2 ? tens : ticks;
}

function pointMark(
  content: MetricCorrelationContent,
  point: number,
  [x, y]: readonly [number, number],
  { theme }: DrawView,
): Mark {
  const { of, runOf, target, places, names } = content;
  const isTarget = target >= 0 && runOf[point] === target;
  const radius = isTarget ? TARGET_RADIUS : RADIUS;
  const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
  const paint = { fill: isTarget ? theme.link : theme.muted, stroke: theme.edge ?? theme.outline, strokeWidth: 1 };
  return {
    id: point,
    key: `${of[point]} ${runOf[point]} ${names[of[point]]}`,
    box,
    d: isTarget ? diamond(box) : circle(box),
    isRound: true,
    paint,
    name: visible(namesOf(content)[point]) || "(no name)",
    place: places[of[point]] || undefined,
    facts: () => facts(content, point),
    note: () => content.over,
  };
}

/** The functions with the largest mean inclusive, as they are sorted, at the rightmost of their points. */
function rightmost({ names, of }: MetricCorrelationContent, marks: readonly Mark[]) {
  const last = new Map<number, Mark>();
  for (const mark of marks) {
    const before = last.get(of[mark.id]);
    if (!before || before.box.x < mark.box.x) last.set(of[mark.id], mark);
  }
  const largest = [...last].sort(([a], [b]) => a - b).slice(0, MOST_NAMES);
  return largest.map(([id, mark]) => ({ mark, name: visible(names[id]) }));
}

function facts({ inclusive, exclusive, unit, runs, runOf }: MetricCorrelationContent, point: number): Fact[] {
  return [
    ["run", visible(runs[runOf[point]])],
    ["inclusive", formatValue(inclusive[point], unit)],
    ["exclusive", formatValue(exclusive[point], unit)],
  ];
}

function pointTable(content: MetricCorrelationContent): TableSpec<unknown> {
  const { names, of, runs, runOf, inclusive, exclusive, unit, places } = content;
  const column = (name: string, values: Float64Array) =>
    numberColumn<number>(
      name,
      (point) => values[point],
      (point) => formatValue(values[point], unit),
    );
  return tableOf<number>({
    caption: "Call sites in runs",
    columns: [
      textColumn("function", (point) => visible(names[of[point]])),
      textColumn("run", (point) => visible(runs[runOf[point]])),
      column("inclusive", inclusive),
      column("exclusive", exclusive),
      textColumn("defined at", (point) => visible(places[of[point]])),
    ],
    rows: [...of.keys()],
    sortedBy: 3,
    markOf: (point) => point,
  });
}
