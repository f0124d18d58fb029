/** All runs as bars of their totals, by groups with their mean and deviation; outlying ones are marked. Pure. */
import { scaleLinear } from "d3-scale";
import { formatValue, threeDigits } from "../../src/model/units";
import { type EnsembleRunsChosen, type RunTableContent, STATISTIC_NAMES } from "../../src/protocol/ensembleRuns";
import { axisTicks, crisp, rule, TEXT_SIZE as SIZE, withRoom, wordsAt } from "../kit/axis";
import { tableOf, type TableSpec } from "../kit/definition";
import { signLegend, wordLegend } from "../kit/legend";
import type { Box, DrawView, Fact, Mark, Scene, Shape } from "../kit/stage/scene";
import { numberColumn, textColumn } from "../kit/table/columns";
import { fit, fitName, plural, visible } from "../shared/text";
import { lineSign, type RunsViewPage } from "./view";

const [PITCH, LEAST_PITCH] = [18, 3];
/** Rows that are lower have no names. */
const NAMED = 14;
const HEADING = 20;
const TOP = 26;
const GAP = 10;

export const runTablePage: RunsViewPage<RunTableContent> = {
  draw,
  tables: (content, chosen) => [...(content.groups ? [groupTable(content)] : []), runTable(content, chosen)],
  legend: (content, theme) => [
    signLegend(theme, { fill: theme.muted }, "total of a run"),
    ...(content.isOutlying.includes(1) ? [wordLegend("▲", "more than 3 scaled median absolute deviations away")] : []),
    ...(content.target < 0 ? [] : [signLegend(theme, { fill: theme.link }, "target")]),
    ...(content.groups ? [{ parts: [lineSign("M8,0V10M2,5H14", theme.text), "mean ± deviation of a group"] }] : []),
  ],
  hint: "Ctrl+click or drag restricts · menu: target, hide",
  summary(content) {
    const { names, isOutlying, groups } = content;
    const outlying = isOutlying.reduce((sum, one) => sum + one, 0);
    const parts = [
      plural(names.length, "run"),
      ...(groups ? [plural(groups.values.length, "group")] : []),
      ...(outlying > 0 ? [`${outlying.toLocaleString("en")} outlying`] : []),
    ];
    const target = content.target < 0 ? [] : [`target ${visible(names[content.target]).slice(0, 60)}`];
    return [[...parts, ...target], parts, parts.slice(0, 1)].map((words) => words.join(" · "));
  },
  name: ({ metric }) => `Runs by ${visible(metric)}`,
  nouns: ["run", "runs"],
  named: ({ names }) => [{ first: 0, names }],
  withTerm: ({ names, parameters, texts }, term) =>
    [...names.keys()].filter((run) =>
      parameters.some((name, at) => {
        const value = texts[run * parameters.length + at];
        return [" ", "="].some((sign) => `${name}${sign}${value}`.toLowerCase() === term);
      }),
    ),
  firstRun: () => 0,
  facts,
};

/** What stands in a row: a heading of a group, or a run. */
type Row = { readonly group: number; readonly run?: undefined } | { readonly group?: undefined; readonly run: number };

function rowsOf({ order, groups }: RunTableContent): Row[] {
  let before = -1;
  return [...order].flatMap((run): Row[] => {
    const group = groups?.of[run] ?? -1;
    if (group === before) return [{ run }];
    before = group;
    return [{ group }, { run }];
  });
}

function draw(content: RunTableContent, view: DrawView): Scene {
  const { names, totals, unit, groups } = content;
  const { theme, width, height } = view;
  const measure = view.measure(SIZE);
  const words = wordsAt(theme);
  const all = rowsOf(content);
  const headings = all.filter(({ group }) => group !== undefined).length;
  const room = height - TOP - 4 - headings * HEADING;
  const pitch = Math.max(LEAST_PITCH, Math.min(PITCH, room / Math.max(1, names.length)));
  const isNamed = pitch >= NAMED;
  const { rows, left: rest } = fitting(all, pitch, height);
  const longest = isNamed ? names.reduce((most, name) => Math.max(most, measure(visible(name).slice(0, 200))), 0) : 0;
  const left = isNamed ? Math.ceil(Math.min(longest + 1, Math.max(80, width * 0.3))) + 2 * GAP : GAP;
  const said = totals.reduce((most, value) => Math.max(most, measure(formatValue(value, unit))), 0);
  const right = isNamed ? said + measure("▲ ") + 2 * GAP : 2 * GAP;
  const largest = totals.reduce((most, value) => Math.max(most, value), 0);
  const plot: Box = {
    x: left,
    y: TOP,
    width: Math.max(40, width - left - right),
    height: Math.max(0, height - TOP - 4),
  };
  const toX = scaleLinear([0, largest || 1], [plot.x, plot.x + plot.width]);
  const ticks = axisTicks(0, largest || 1, Math.max(2, Math.floor(plot.width / 90)), unit);
  const end = rows.reduce((most, { y, height: own }) => Math.max(most, y + own), TOP);
  const runs = rows.flatMap(({ row, y }) => (row.run === undefined ? [] : [{ run: row.run, y }]));
  return {
    below: ticks.map(({ value }) => rule(`M${crisp(toX(value))},${plot.y}V${end}`, theme.grid)),
    marks: runs.map(({ run, y }) => runMark(content, run, { y, pitch, toX }, view)),
    above: [
      ...withRoom(
        ticks.map(({ value, text }) => ({ at: toX(value), text })),
        width,
        view,
      ).map(({ at, text }) => words(at, 15, text, { anchor: "middle", fill: theme.soft })),
      ...(isNamed
        ? runs.flatMap(({ run, y }) => [
            words(GAP, y + pitch / 2 + 4, fitName(visible(names[run]), left - 2 * GAP, measure), {
              of: run,
              title: visible(names[run]),
            }),
            words(width - GAP, y + pitch / 2 + 4, valueText(content, run), {
              anchor: "end",
              of: run,
              fill: run === content.target ? theme.link : theme.soft,
            }),
          ])
        : []),
      ...rows.flatMap(({ row, y }) => {
        if (row.group === undefined || !groups) return [];
        const text = `${visible(groups.by)} ${visible(groups.values[row.group])} · ${groupText(content, row.group)}`;
        return [words(GAP, y + HEADING - 6, fit(text, width - 2 * GAP, measure), { weight: 600, title: text })];
      }),
      ...(groups ? groupLines(content, rows, toX, view) : []),
      ...(rest > 0
        ? [words(GAP, end + 12, `${rest.toLocaleString("en")} more in the table`, { fill: theme.muted })]
        : []),
    ],
    brush: { x: 0, y: 0, width, height },
  };
}

interface PlacedRow {
  readonly row: Row;
  readonly y: number;
  readonly height: number;
}

function fitting(rows: readonly Row[], pitch: number, height: number): { rows: PlacedRow[]; left: number } {
  const placed: PlacedRow[] = [];
  let y = TOP;
  for (const row of rows) {
    const own = row.run === undefined ? HEADING : pitch;
    placed.push({ row, y, height: own });
    y += own;
  }
  if (y <= height) return { rows: placed, left: 0 };
  const shown = placed.filter((one) => one.y + one.height <= height - HEADING);
  return { rows: shown, left: placed.slice(shown.length).filter(({ row }) => row.run !== undefined).length };
}

function valueText({ totals, unit, isOutlying }: RunTableContent, run: number): string {
  const text = Number.isNaN(totals[run]) ? "none" : formatValue(totals[run], unit);
  return isOutlying[run] === 1 ? `▲ ${text}` : text;
}

function groupText({ groups, unit }: RunTableContent, group: number): string {
  if (!groups) return "";
  const [mean, deviation] = [groups.mean[group], groups.deviation[group]];
  const spread = Number.isNaN(mean) ? [] : [`mean ${formatValue(mean, unit)} ± ${formatValue(deviation, unit)}`];
  return [plural(groups.runs[group], "run"), ...spread].join(" · ");
}

function runMark(
  content: RunTableContent,
  run: number,
  { y, pitch, toX }: { readonly y: number; readonly pitch: number; readonly toX: (value: number) => number },
  { theme, width }: DrawView,
): Mark {
  const { names, totals, target } = content;
  const total = Number.isNaN(totals[run]) ? 0 : Math.max(0, totals[run]);
  const gap = pitch >= 8 ? 2 : 0.5;
  const bar = { x: toX(0), y: y + gap, width: Math.max(1, toX(total) - toX(0)), height: Math.max(1, pitch - 2 * gap) };
  const same = names.slice(0, run).filter((other) => other === names[run]).length;
  return {
    id: run,
    key: `${same} ${names[run]}`,
    name: visible(names[run]) || "(no name)",
    box: { x: 2, y, width: width - 4, height: pitch },
    framed: bar,
    d: `M${bar.x},${bar.y}h${bar.width}v${bar.height}h${-bar.width}Z`,
    paint: {
      fill: run === target ? theme.link : theme.faded(theme.muted, 0.75),
      ...(pitch >= 8 ? { stroke: theme.edge ?? theme.outline, strokeWidth: 1 } : {}),
    },
    facts: () => facts(content, run),
    note: () => content.over,
  };
}

/** Through the rows of each group its mean, and across it the deviation on both sides. */
function groupLines(
  content: RunTableContent,
  rows: readonly PlacedRow[],
  toX: (value: number) => number,
  { theme }: DrawView,
): Shape[] {
  const { groups } = content;
  if (!groups) return [];
  const lines: Shape[] = [];
  const ends = new Map<number, [number, number]>();
  for (const { row, y, height } of rows) {
    if (row.run === undefined) continue;
    const group = groups.of[row.run];
    const [from] = ends.get(group) ?? [y];
    ends.set(group, [from, y + height]);
  }
  for (const [group, [from, to]] of ends) {
    const [mean, deviation] = [groups.mean[group], groups.deviation[group]];
    if (Number.isNaN(mean)) continue;
    const middle = crisp((from + to) / 2);
    lines.push(rule(`M${crisp(toX(mean))},${from + 1}V${to - 1}`, theme.text));
    lines.push(rule(`M${toX(Math.max(0, mean - deviation))},${middle}H${toX(mean + deviation)}`, theme.text));
  }
  return lines;
}

function facts(content: RunTableContent, run: number): Fact[] {
  const { totals, unit, deviations, parameters, texts, metric } = content;
  const own = parameters.flatMap((name, at): Fact[] => {
    const text = texts[run * parameters.length + at];
    return text === "" ? [] : [[visible(name), visible(text).slice(0, 200)]];
  });
  return [
    [`${visible(metric).slice(0, 60)} in all`, Number.isNaN(totals[run]) ? "none" : formatValue(totals[run], unit)],
    ...(Number.isNaN(deviations[run]) ? [] : [["from the median", deviationText(deviations[run])] as const]),
    ...own.slice(0, 12),
  ];
}

/** In scaled median absolute deviations. */
function deviationText(deviations: number): string {
  const size = Math.abs(deviations) === Number.MAX_VALUE ? "∞" : threeDigits(Math.abs(deviations));
  return deviations === 0 ? "at it" : `${size} deviations ${deviations > 0 ? "above" : "below"}`;
}

function runTable(content: RunTableContent, chosen: EnsembleRunsChosen | undefined): TableSpec<unknown> {
  const { names, totals, unit, deviations, isOutlying, parameters, texts } = content;
  const marks = new Set(chosen?.marks);
  return tableOf<number>({
    caption: "Runs",
    columns: [
      { ...textColumn<number>("run", (run) => visible(names[run])), cut: "middle" },
      numberColumn(
        "total",
        (run) => totals[run],
        (run) => (Number.isNaN(totals[run]) ? "none" : formatValue(totals[run], unit)),
        "bar",
      ),
      numberColumn(
        "from the median",
        (run) => deviations[run],
        (run) => (Number.isNaN(deviations[run]) ? "none" : deviationText(deviations[run])),
      ),
      textColumn("outlying", (run) => (isOutlying[run] === 1 ? "yes" : "")),
      ...(chosen ? [textColumn<number>("chosen", (run) => (marks.has(run) ? "yes" : "no"))] : []),
      ...parameters.map((name, at) => {
        const text = (run: number) => texts[run * parameters.length + at];
        return textColumn<number>(
          visible(name),
          (run) => (text(run) !== "" && Number.isFinite(Number(text(run))) ? Number(text(run)) : text(run)),
          (run) => visible(text(run)),
        );
      }),
    ],
    rows: [...names.keys()],
    sortedBy: 1,
    markOf: (run) => run,
  });
}

function groupTable(content: RunTableContent): TableSpec<unknown> {
  const { groups, unit } = content;
  if (!groups) throw new Error("there are no groups");
  const column = (title: string, value: (group: number) => number) =>
    numberColumn<number>(title, value, (group) =>
      Number.isNaN(value(group)) ? "none" : formatValue(value(group), unit),
    );
  return tableOf<number>({
    caption: `By ${visible(groups.by)}`,
    columns: [
      textColumn(
        visible(groups.by),
        (group) => group,
        (group) => visible(groups.values[group]),
      ),
      numberColumn("runs", (group) => groups.runs[group]),
      ...groups.statistics.map((one, at) =>
        column(STATISTIC_NAMES[one], (group) => groups.numbers[group * groups.statistics.length + at]),
      ),
    ],
    rows: [...groups.values.keys()],
    sortedBy: 0,
    ascending: true,
    markOf: () => undefined,
  });
}
