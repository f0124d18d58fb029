/** Call site correspondence: a box plot per function over the values of runs and ranks, all on one logarithmic axis. Pure. */
import { scaleLog } from "d3-scale";
import { formatAlong, formatRatio, formatValue, threeDigits } from "../../src/model/units";
import type { CallSitesContent } from "../../src/protocol/ensembleRuns";
import { tableOf, type TableSpec } from "../kit/definition";
import { crisp, rule, TEXT_SIZE as SIZE, withRoom, wordsAt } from "../kit/axis";
import { heatLegend, signLegend, wordLegend } from "../kit/legend";
import {
  type Box,
  circle,
  type DrawView,
  type Fact,
  type Mark,
  rounded,
  type Scene,
  type Shape,
} from "../kit/stage/scene";
import { numberColumn, textColumn } from "../kit/table/columns";
import { heatPosition } from "../kit/theme/theme";
import { svg } from "../shared/dom";
import { fitName, plural, visible } from "../shared/text";
import type { RunsViewPage } from "./view";

const [PITCH, LEAST_PITCH] = [21, 14];
const TOP = 26;
const GAP = 10;
const RING = 2.5;
/** Between the axis and what is not positive, which a logarithm has no place for. */
const ZERO = 16;

interface Axis {
  readonly toX: (value: number) => number;
  readonly ticks: readonly number[];
  readonly plot: Box;
  readonly hasZero: boolean;
}

export const callSitesPage: RunsViewPage<CallSitesContent> = {
  draw,
  tables: (content) => [siteTable(content)],
  legend: (content, theme) => [
    signLegend(theme, { fill: theme.heat(0.6) }, "quartiles, median; whiskers to 1.5 IQR"),
    heatLegend(theme, "mean", largestMean(content), content.unit),
    ...(content.target === undefined ? [] : [{ parts: [targetSign(theme.link), `target ${visible(content.target)}`] }]),
    wordLegend("ring", "beyond the whiskers"),
  ],
  hint: "double click: hottest line",
  summary(content) {
    const { names, runs, value, presence } = content;
    const of = `${value} of ranks and runs`;
    const which = presence === undefined ? "" : ` ${visible(presence)}`;
    const counts = [plural(names.length, "function") + which, plural(runs, "run")];
    const target = content.target === undefined ? [] : [`target ${visible(content.target).slice(0, 60)}`];
    return [[of, ...counts, ...target], [...counts, ...target], counts].map((parts) => parts.join(" · "));
  },
  name: ({ value, metric }) => `Call sites: ${value} ${visible(metric)}`,
  nouns: ["call site", "call sites"],
  named: ({ names }) => [{ first: 0, names }],
  facts,
};

function targetSign(fill: string): SVGSVGElement {
  const line = svg("rect", { x: 7, y: 0, width: 2, height: 10, fill });
  return svg("svg", { width: 16, height: 10, "aria-hidden": "true" }, line);
}

function largestMean({ mean }: CallSitesContent): number {
  return mean.reduce((most, value) => Math.max(most, value), 0);
}

function draw(content: CallSitesContent, view: DrawView): Scene {
  const { names } = content;
  const { theme, height, width } = view;
  const measure = view.measure(SIZE);
  const words = wordsAt(theme);
  const pitch = Math.max(LEAST_PITCH, Math.min(PITCH, (height - TOP - 4) / Math.max(1, names.length)));
  const fits = Math.max(1, Math.floor((height - TOP - 4) / pitch));
  // The last row says how many there is no room for.
  const rows = names.length <= fits ? names.length : Math.max(0, fits - 1);
  const axis = axisOf(content, view, rows, pitch);
  const { plot, toX, ticks } = axis;
  const bottom = plot.y + plot.height;
  const placed = ticks.map((value) => ({ at: toX(value), text: formatAlong(value, content.unit, value) }));
  const numbers = numbersBeside(content);
  const marks = Array.from({ length: rows }, (_, row) => rowMark(content, row, axis, pitch, view));
  return {
    below: [
      ...ticks.map((value) => rule(`M${crisp(toX(value))},${plot.y}V${bottom}`, theme.grid)),
      ...(axis.hasZero ? [rule(`M${crisp(toX(0))},${plot.y}V${bottom}`, theme.grid)] : []),
      ...marks.flatMap((_, row) => whiskersOf(content, row, axis, middleOf(row, pitch), view)),
    ],
    marks,
    above: [
      ...withRoom(
        [...(axis.hasZero ? [{ at: toX(0), text: "0" }] : []), ...placed],
        plot.x + plot.width + 12,
        view,
      ).map(({ at, text }) => words(at, 15, text, { anchor: "middle", fill: theme.soft })),
      words(width - GAP, 15, numbers.title, { anchor: "end", fill: theme.soft }),
      ...marks.flatMap((mark, row) => {
        const base = middleOf(row, pitch) + 4;
        return [
          words(GAP, base, fitName(mark.name, plot.x - 2 * GAP, measure), { of: row, title: mark.name }),
          ...boxLines(content, row, axis, base - 4, pitch, view),
          words(width - GAP, base, numbers.text(row), {
            anchor: "end",
            of: row,
            fill: Number.isNaN(content.targetMean[row]) ? theme.soft : theme.link,
          }),
        ];
      }),
      ...(rows < names.length
        ? [
            words(GAP, middleOf(rows, pitch) + 4, `${(names.length - rows).toLocaleString("en")} more in the table`, {
              fill: theme.muted,
            }),
          ]
        : []),
    ],
  };
}

/** The column at the right: the target's mean; without a target what rows go by, else the mean. */
function numbersBeside(content: CallSitesContent): {
  readonly title: string;
  readonly text: (row: number) => string;
} {
  const { unit, target, sortedBy, q1, q3, imbalance, skewness, kurtosis } = content;
  const values = (of: Float64Array) => (row: number) => (Number.isNaN(of[row]) ? "none" : formatValue(of[row], unit));
  const plain = (of: Float64Array) => (row: number) => (Number.isNaN(of[row]) ? "none" : threeDigits(of[row]));
  if (target !== undefined) return { title: "target", text: values(content.targetMean) };
  switch (sortedBy) {
    case "iqr":
      return { title: "IQR", text: (row) => formatValue(q3[row] - q1[row], unit) };
    case "imbalance":
      return { title: sortedBy, text: (row) => (Number.isNaN(imbalance[row]) ? "none" : formatRatio(imbalance[row])) };
    case "skewness":
      return { title: sortedBy, text: plain(skewness) };
    case "kurtosis":
      return { title: sortedBy, text: plain(kurtosis) };
    default:
      return { title: "mean", text: values(content.mean) };
  }
}

function middleOf(row: number, pitch: number): number {
  return TOP + (row + 0.5) * pitch;
}

function axisOf(content: CallSitesContent, view: DrawView, rows: number, pitch: number): Axis {
  const measure = view.measure(SIZE);
  const { names, min, max } = content;
  const longest = names.slice(0, rows).reduce((most, name) => Math.max(most, measure(visible(name).slice(0, 200))), 0);
  const left = Math.ceil(Math.min(longest + 1, Math.max(90, view.width * 0.27), 220)) + 2 * GAP;
  const { title, text } = numbersBeside(content);
  const number = names.reduce((most, _, row) => Math.max(most, measure(text(row))), measure(title));
  const shownMin = min.subarray(0, rows);
  const hasZero = shownMin.some((value) => value <= 0);
  const start = left + (hasZero ? ZERO : 0) + GAP;
  const plot = { x: left, y: TOP, width: Math.max(40, view.width - left - number - 3 * GAP), height: rows * pitch };
  const positive = drawnValues(content, rows).filter((value) => value > 0);
  const [least, most] = [
    positive.reduce((a, b) => Math.min(a, b), Infinity),
    max.subarray(0, rows).reduce((a, b) => Math.max(a, b), 0),
  ];
  const domain = most > 0 && Number.isFinite(least) ? [least, Math.max(most, least * 1.01)] : [1, 10];
  const scale = scaleLog(domain, [start, Math.max(start + 20, plot.x + plot.width - GAP)]);
  const decades = Math.max(1, Math.log10(domain[1] / domain[0]));
  const every = Math.ceil(decades / Math.max(1, plot.width / 60));
  const ticks = scale.ticks(Math.max(1, Math.ceil(decades))).filter((value) => {
    const exponent = Math.log10(value);
    return Math.abs(exponent - Math.round(exponent)) < 1e-9 && Math.round(exponent) % every === 0;
  });
  return { toX: (value) => rounded(value > 0 ? scale(value) : left + GAP), ticks, plot, hasZero };
}

/** All that stands on the axis. */
function drawnValues(content: CallSitesContent, rows: number): number[] {
  const { low, q1, median, q3, high, firstOutlier, outlying, targetMean } = content;
  const some = [low, q1, median, q3, high, targetMean].flatMap((column) => [...column.subarray(0, rows)]);
  return [...some, ...outlying.subarray(0, firstOutlier[rows])].filter(Number.isFinite);
}

function boxOf({ q1, q3 }: CallSitesContent, row: number, { toX }: Axis, middle: number, pitch: number): Box {
  const height = Math.round(pitch * 0.55);
  const [from, to] = [toX(q1[row]), toX(q3[row])];
  return { x: from - 0.5, y: Math.round(middle - height / 2), width: Math.max(2, to - from + 1), height };
}

function rowMark(content: CallSitesContent, row: number, axis: Axis, pitch: number, view: DrawView): Mark {
  const { theme } = view;
  const middle = middleOf(row, pitch);
  const box = boxOf(content, row, axis, middle, pitch);
  const { x, y, width, height } = box;
  const name = visible(content.names[row]) || "(no name)";
  const same = content.names.slice(0, row).filter((other) => other === content.names[row]).length;
  return {
    id: row,
    key: `${same} ${content.names[row]}`,
    name,
    place: content.places[row] || undefined,
    box: { x: 2, y: middle - pitch / 2, width: view.width - 4, height: pitch },
    framed: box,
    d: `M${x},${y}h${width}v${height}h${-width}Z`,
    paint: {
      fill: theme.heat(heatPosition(content.mean[row], largestMean(content))),
      stroke: theme.outline,
      strokeWidth: 1,
    },
    facts: () => facts(content, row),
    note: () =>
      `over ${content.values[row].toLocaleString("en")} values of ranks in ${plural(content.inRuns[row], "run")}`,
  };
}

/** Whiskers with their ends, and rings beyond. */
function whiskersOf(content: CallSitesContent, row: number, axis: Axis, middle: number, { theme }: DrawView): Shape[] {
  const { low, high, q1, q3, firstOutlier, outlying } = content;
  const { toX } = axis;
  const at = crisp(middle - 0.5);
  const whisker = (from: number, to: number) => {
    const [a, b] = [toX(from), toX(to)];
    return Math.abs(a - b) < 1 ? [] : [rule(`M${a},${at}H${b}M${crisp(b - 0.5)},${at - 3}V${at + 3}`, theme.muted)];
  };
  const rings = [...outlying.subarray(firstOutlier[row], firstOutlier[row + 1])].map((value): Shape => {
    const box = { x: toX(value) - RING, y: at - RING, width: 2 * RING, height: 2 * RING };
    return { kind: "path", d: circle(box), stroke: theme.muted, strokeWidth: 1, of: row };
  });
  return [...whisker(q1[row], low[row]), ...whisker(q3[row], high[row]), ...rings].map((shape) => ({
    ...shape,
    of: row,
  }));
}

/** The median, and the target's mean with what its ranks reach over. */
function boxLines(
  content: CallSitesContent,
  row: number,
  axis: Axis,
  middle: number,
  pitch: number,
  { theme }: DrawView,
): Shape[] {
  const { toX } = axis;
  const { median, mean, targetMean, targetMin, targetMax } = content;
  const { y, height, width } = boxOf(content, row, axis, middle, pitch);
  const heat = theme.heat(heatPosition(mean[row], largestMean(content)));
  const lines: Shape[] = width > 4 ? [rule(`M${toX(median[row])},${y + 1}v${height - 2}`, theme.ink(heat), 2)] : [];
  const at = targetMean[row];
  if (!Number.isNaN(at)) {
    const [from, to] = [toX(targetMin[row]), toX(targetMax[row])];
    const fill = theme.link;
    lines.push({ kind: "box", box: { x: toX(at) - 1, y: y - 2, width: 2, height: height + 4 }, fill });
    lines.push({ kind: "box", box: { x: from, y: y + height + 2, width: to - from, height: 1 }, fill });
  }
  return lines.map((shape) => ({ ...shape, of: row }));
}

function facts(content: CallSitesContent, row: number): Fact[] {
  const text = (value: number) => formatValue(value, content.unit);
  const { mean, median, q1, q3, min, max, outliers, imbalance, skewness, kurtosis, targetMean, targetMin, targetMax } =
    content;
  const shape = (what: string, value: number): Fact[] => (Number.isNaN(value) ? [] : [[what, threeDigits(value)]]);
  return [
    ["mean", text(mean[row])],
    ...(Number.isNaN(targetMean[row])
      ? []
      : [["target", `${text(targetMean[row])}, ranks ${text(targetMin[row])} – ${text(targetMax[row])}`] as const]),
    ["median", text(median[row])],
    ["quartiles", `${text(q1[row])} – ${text(q3[row])}`],
    ["least, largest", `${text(min[row])}, ${text(max[row])}`],
    ["in runs", `${content.inRuns[row]} of ${content.runs}`],
    ...(outliers[row] > 0 ? [["beyond the whiskers", outliers[row].toLocaleString("en")] as const] : []),
    ...shape("imbalance", imbalance[row]),
    ...shape("skewness", skewness[row]),
    ...shape("kurtosis", kurtosis[row]),
  ];
}

function siteTable(content: CallSitesContent): TableSpec<unknown> {
  const column = (title: string, values: Float64Array) =>
    numberColumn<number>(
      title,
      (row) => values[row],
      (row) => (Number.isNaN(values[row]) ? "none" : formatValue(values[row], content.unit)),
    );
  const plain = (title: string, values: Float64Array) =>
    numberColumn<number>(
      title,
      (row) => values[row],
      (row) => (Number.isNaN(values[row]) ? "none" : threeDigits(values[row])),
    );
  const { names, places, min, q1, median, q3, max, mean, low, high, imbalance, skewness, kurtosis } = content;
  const orders = { name: 0, mean: 1, iqr: 6, imbalance: 11, skewness: 12, kurtosis: 13 } as const;
  return tableOf<number>({
    caption: "Call sites",
    columns: [
      textColumn("function", (row) => visible(names[row])),
      column("mean", mean),
      column("min", min),
      column("q1", q1),
      column("median", median),
      column("q3", q3),
      column(
        "IQR",
        q3.map((value, row) => value - q1[row]),
      ),
      column("max", max),
      column("whisker low", low),
      column("whisker high", high),
      numberColumn("outliers", (row) => content.outliers[row]),
      plain("imbalance", imbalance),
      plain("skewness", skewness),
      plain("kurtosis", kurtosis),
      ...(content.target === undefined ? [] : [column("target", content.targetMean)]),
      numberColumn("runs", (row) => content.inRuns[row]),
      numberColumn("values", (row) => content.values[row]),
      textColumn("defined at", (row) => visible(places[row])),
    ],
    rows: [...names.keys()],
    sortedBy: orders[content.sortedBy],
    ...(content.sortedBy === "name" ? { ascending: true } : {}),
    markOf: (row) => row,
  });
}
