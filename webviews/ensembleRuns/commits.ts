/** Functions that change along the history of commits: a point per run, the means between changes as steps, each change a line. Pure. */
import { scaleLinear } from "d3-scale";
import { changeText, differenceText, signed } from "../../src/model/differences";
import { largestIn, smallestIn } from "../../src/model/longLists";
import { formatValue } from "../../src/model/units";
import { shortCommits } from "../../src/model/commitNames";
import type { CommitsContent } from "../../src/protocol/ensembleRuns";
import { axisTicks, crisp, everyNth, gridRows, rule, TEXT_SIZE as SIZE, withRoom, wordsAt } from "../kit/axis";
import { tableOf, type TableSpec } from "../kit/definition";
import { signLegend } from "../kit/legend";
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
import type { Theme } from "../kit/theme/theme";
import { svg } from "../shared/dom";
import { fit, fitName, plural, visible } from "../shared/text";
import { lineSign, type RunsViewPage } from "./view";

const LEAST_ROW = 96;
const [TOP, BOTTOM, HEADING, RIGHT] = [4, 26, 38, 14];
const RADIUS = 3;
/** Orders that a change is compared with (semantics 10, Commit series), the given one among them. */
const ORDERS = 1000;

export const commitsPage: RunsViewPage<CommitsContent> = {
  draw,
  tables: (content) => [changeTable(content), runTable(content)],
  legend: (content, theme) => [
    { parts: [dotSign(theme.muted, theme.edge ?? theme.outline), "a run"] },
    ...(content.of.length > 0
      ? [
          { parts: [lineSign("M0,5H16", theme.text), "mean between changes"] },
          { parts: [lineSign("M8,0V10", theme.link, "3 2"), "change between two commits"] },
        ]
      : [signLegend(theme, { fill: theme.muted }, "no change")]),
    ...(content.isTested.includes(0)
      ? [{ parts: [dotSign("none", theme.muted), "not tested (△: beyond the scale)"] }]
      : []),
  ],
  hint: "double click: hottest line · menu: diff of the two commits",
  summary({ of, names, isTested, commits }) {
    const changes = `${plural(of.length, "change")} of ${plural(names.length, "function")}`;
    const runs = plural(
      isTested.reduce((sum, one) => sum + one, 0),
      "run",
    );
    return [[changes, `${runs} of ${plural(commits.length, "commit")} tested`], [changes, runs], [changes]].map(
      (parts) => parts.join(" · "),
    );
  },
  name: ({ metric }) => `Functions over commits: exclusive ${visible(metric)}`,
  nouns: ["change", "changes"],
  named: ({ names, of }) => [{ first: 0, names: Array.from(of, (one) => names[one]) }],
  facts,
  action: { id: "diff", name: "Diff of the two commits", icon: "git-compare" },
};

function dotSign(fill: string, stroke: string): SVGSVGElement {
  const round = svg("circle", { cx: 5, cy: 5, r: RADIUS, fill, stroke });
  return svg("svg", { width: 10, height: 10, "aria-hidden": "true" }, round);
}

/** What is drawn of one function. */
interface Row {
  readonly changes: readonly number[];
  readonly values: Float64Array;
  readonly toY: (value: number) => number;
  readonly ticks: ReturnType<typeof axisTicks>;
  readonly name: string;
  /** Of it all, and of the plot alone, whose left and right ends are those of all. */
  readonly y: number;
  readonly height: number;
}

function draw(content: CommitsContent, view: DrawView): Scene {
  const { names, runs } = content;
  const { theme, width, height } = view;
  const words = wordsAt(theme);
  const measure = view.measure(SIZE);
  const known = runs.length === 0 ? 0 : content.values.length / runs.length;
  if (known === 0) {
    const text = `no function changes at a commit: ${content.tested.toLocaleString("en")} were tested`;
    return { below: [], marks: [], above: [words(12, 24, fit(text, width - 24, measure), { fill: theme.muted })] };
  }
  const room = height - TOP - BOTTOM;
  const fits = Math.max(1, Math.floor(room / LEAST_ROW));
  const count = Math.min(known, fits);
  const rest = names.length - count;
  const pitch = (room - (rest > 0 ? 16 : 0)) / count;
  const rows = Array.from({ length: count }, (_, at) => rowOf(content, at, TOP + at * pitch, pitch));
  const widest = largestIn(rows.flatMap(({ ticks }) => ticks.map(({ text }) => measure(text))));
  const left = Math.min(Math.ceil(widest) + 16, Math.max(40, width / 2));
  const plotWidth = Math.max(40, width - left - RIGHT);
  const step = plotWidth / runs.length;
  const toX = (place: number) => left + (place + 0.5) * step;
  const bottom = TOP + count * pitch;
  const drawn = rows.map((row) => drawRow(content, row, { left, width: plotWidth, step, toX }, view));
  const plot: Box = { x: left, y: bottom, width: plotWidth, height: BOTTOM };
  return {
    below: drawn.flatMap(({ below }) => below),
    marks: drawn.flatMap(({ marks }) => marks),
    above: [
      ...drawn.flatMap(({ above }) => above),
      ...everyNth(commitTicks(content, toX), plot, view).map(({ at, text }) =>
        words(at, bottom + 14, text, { anchor: "middle", fill: theme.soft }),
      ),
      ...(rest > 0
        ? [words(12, bottom + 30, `${plural(rest, "function")} more in the table`, { fill: theme.muted })]
        : []),
    ],
  };
}

function rowOf(
  { names, of, runs, values, unit, isTested }: CommitsContent,
  at: number,
  y: number,
  height: number,
): Row {
  const own = values.subarray(at * runs.length, (at + 1) * runs.length);
  // One run that is not tested, far away from all others, would hide what is.
  const finite = own.filter((value, place) => isTested[place] === 1 && Number.isFinite(value));
  const [least, most] = [smallestIn(finite), largestIn(finite)];
  const space = 0.12 * (most - least) || Math.abs(most) / 10 || 1;
  const domain = [least - space, most + space] as const;
  return {
    changes: [...of.keys()].filter((change) => of[change] === at),
    values: own,
    toY: scaleLinear(domain, [y + height - 8, y + HEADING]).clamp(true),
    ticks: axisTicks(domain[0], domain[1], Math.max(2, Math.floor((height - HEADING) / 60)), unit),
    name: visible(names[at]) || "(no name)",
    y,
    height,
  };
}

/** What the commits' runs stand above: each commit once, in the middle of its runs. */
function commitTicks(content: CommitsContent, toX: (place: number) => number) {
  const { commit } = content;
  const ticks: { at: number; text: string }[] = [];
  for (let from = 0, to = 1; to <= commit.length; to++) {
    if (to < commit.length && commit[to] === commit[from]) continue;
    ticks.push({
      at: (toX(from) + toX(to - 1)) / 2,
      text: commit[from] < 0 ? "not known" : shortCommit(content, commit[from]),
    });
    from = to;
  }
  return ticks;
}

const shortened = new WeakMap<CommitsContent["commits"], readonly string[]>();

/** As people read it: as short as tells it from all others. */
function shortCommit({ commits }: CommitsContent, at: number): string {
  const known = shortened.get(commits) ?? shortCommits(commits);
  shortened.set(commits, known);
  return known[at];
}

interface Columns {
  readonly left: number;
  readonly width: number;
  readonly step: number;
  readonly toX: (place: number) => number;
}

function drawRow(content: CommitsContent, row: Row, { left, width, step, toX }: Columns, view: DrawView): Scene {
  const { runs, isTested, after, meanBefore, meanAfter, unit } = content;
  const { theme } = view;
  const { values, toY, y, height } = row;
  const words = wordsAt(theme);
  const measure = view.measure(SIZE);
  const [top, bottom] = [y + HEADING, y + height - 8];
  // Changes in the order of the history; between two of them the mean is the later one's before.
  const changes = [...row.changes].sort((a, b) => after[a] - after[b]);
  const border = (change: number) => left + after[change] * step;
  const tested = [...runs.keys()].filter((place) => isTested[place] === 1 && Number.isFinite(values[place]));
  const ends = [toX(tested.at(0) ?? 0) - step / 2, ...changes.map(border), toX(tested.at(-1) ?? 0) + step / 2];
  const means = [meanBefore[changes[0]], ...changes.map((change) => meanAfter[change])];
  const steps = means.map(
    (mean, at) => `${at === 0 ? "M" : "L"}${rounded(ends[at])},${rounded(toY(mean))}H${rounded(ends[at + 1])}`,
  );
  const [rules, scale] = gridRows(
    row.ticks.map(({ value, text }) => ({ at: toY(value), text })),
    { x: left, y: top, width, height: bottom - top },
    theme,
  );
  const name = fitName(row.name, Math.max(60, view.width * 0.5), view.measure(12, 600));
  const beside = 12 + view.measure(12, 600)(name) + 10;
  const [largest] = row.changes;
  const said = `${formatValue(meanBefore[largest], unit)} → ${formatValue(meanAfter[largest], unit)} · ${chanceText(content, largest)}`;
  const heading = changes.length === 1 ? said : `${changes.length} changes, largest ${said}`;
  const labels = withRoom(
    changes.map((change) => ({ at: border(change), text: shortChange(content, change), change })),
    view.width,
    view,
  );
  return {
    below: [
      ...rules,
      ...[...runs.keys()]
        .filter((place) => Number.isFinite(values[place]))
        .map((place) => pointOf(toX(place), toY(values[place]), isTested[place] === 1, [top, bottom], theme)),
      rule(steps.join(""), theme.text, 1.5),
    ].map((shape) => ({ fill: "none", ...shape })),
    marks: changes.map((change, at) => {
      const x = Math.round(border(change));
      const [from, to] = [at === 0 ? left : (border(changes[at - 1]) + x) / 2, at === changes.length - 1 ? left + width : (border(changes[at + 1]) + x) / 2]; // oxfmt-ignore
      return changeMark(
        content,
        change,
        { x: from, y: y + 2, width: to - from, height: height - 4 },
        x,
        [top, bottom],
        theme,
      );
    }),
    above: [
      ...scale,
      words(12, y + 15, name, { size: 12, weight: 600, title: row.name }),
      ...(view.width - beside > 60
        ? [words(beside, y + 15, fit(heading, view.width - beside - 10, measure), { fill: theme.soft, title: heading })]
        : []),
      ...labels.map(({ at, text, change }) =>
        words(at, y + HEADING - 6, text, { anchor: "middle", fill: theme.link, of: change }),
      ),
    ],
  };
}

/** A ring is not tested; a triangle, beyond the scale, neither. */
function pointOf(
  x: number,
  y: number,
  isTested: boolean,
  [top, bottom]: readonly [number, number],
  theme: Theme,
): Shape {
  if (y <= top || y >= bottom) {
    const inwards = y <= top ? 2 * RADIUS : -2 * RADIUS;
    const d = `M${rounded(x)},${y}l${RADIUS},${inwards}h${-2 * RADIUS}Z`;
    return { kind: "path", d, fill: "none", stroke: theme.muted, strokeWidth: 1 };
  }
  const box = { x: rounded(x - RADIUS), y: rounded(y - RADIUS), width: 2 * RADIUS, height: 2 * RADIUS };
  const paint = isTested
    ? { fill: theme.muted, stroke: theme.edge ?? theme.outline }
    : { fill: "none", stroke: theme.muted };
  return { kind: "path", d: circle(box), strokeWidth: 1, ...paint };
}

function changeMark(
  content: CommitsContent,
  change: number,
  box: Box,
  x: number,
  [top, bottom]: readonly [number, number],
  theme: Theme,
): Mark {
  const { names, places, of } = content;
  return {
    id: change,
    key: `${names[of[change]]} ${commitsOf(content, change).join(" ")}`,
    box,
    framed: { x: x - 4, y: top, width: 8, height: bottom - top },
    d: `M${crisp(x)},${top}V${bottom}`,
    paint: { fill: "none", stroke: theme.link, strokeWidth: 1.5, dash: [5, 4] },
    name: visible(names[of[change]]) || "(no name)",
    place: places[of[change]] || undefined,
    facts: () => facts(content, change),
    note: () => content.over,
  };
}

/** The last commit before a change, and the first after. */
function commitsOf({ commits, commit, before, after }: CommitsContent, change: number): [string, string] {
  return [commits[commit[before[change]]], commits[commit[after[change]]]];
}

/** `10.6×`, `+9.02 %`; else the difference. */
function shortChange({ meanBefore, meanAfter, unit }: CommitsContent, change: number): string {
  const [from, to] = [meanBefore[change], meanAfter[change]];
  return changeText(from, to) || signed(to - from, unit);
}

/** `0.001` */
function numberText(p: number): string {
  return String(Number(p.toPrecision(2)));
}

/** The p-value in words. */
function chanceText({ p }: CommitsContent, change: number): string {
  return `p = ${numberText(p[change])}: as much in ${Math.round(p[change] * ORDERS)} of ${ORDERS.toLocaleString("en")} orders of these runs`;
}

function facts(content: CommitsContent, change: number): Fact[] {
  const { meanBefore, meanAfter, unit, runs, before, after, commit } = content;
  const [from, to] = [before, after].map((places) => shortCommit(content, commit[places[change]]));
  return [
    [`up to ${from}`, formatValue(meanBefore[change], unit)],
    [`from ${to}`, formatValue(meanAfter[change], unit)],
    ["difference", differenceText(meanBefore[change], meanAfter[change], unit)],
    ["chance", chanceText(content, change)],
    ["last run before", visible(runs[before[change]])],
    ["first run after", visible(runs[after[change]])],
  ];
}

function changeTable(content: CommitsContent): TableSpec<unknown> {
  const { names, places, of, meanBefore, meanAfter, p, unit } = content;
  const column = (title: string, value: (change: number) => number, text = (one: number) => formatValue(one, unit)) =>
    numberColumn<number>(title, value, (change) => text(value(change)));
  const difference = (change: number) => meanAfter[change] - meanBefore[change];
  return tableOf<number>({
    caption: "Changes",
    columns: [
      textColumn("function", (change) => visible(names[of[change]])),
      column("before", (change) => meanBefore[change]),
      column("after", (change) => meanAfter[change]),
      column("difference", difference, (one) => signed(one, unit)),
      textColumn("ratio", (change) => changeText(meanBefore[change], meanAfter[change])),
      column("p", (change) => p[change], (one) => numberText(one)), // oxfmt-ignore
      textColumn("last commit before", (change) => commitsOf(content, change)[0]),
      textColumn("first commit after", (change) => commitsOf(content, change)[1]),
      textColumn("defined at", (change) => visible(places[of[change]])),
    ],
    rows: [...of.keys()],
    sortedBy: 3,
    markOf: (change) => change,
  });
}

function runTable({ runs, commit, commits, isTested }: CommitsContent): TableSpec<unknown> {
  return tableOf<number>({
    caption: "Runs along the history",
    columns: [
      numberColumn("place", (place) => place + 1),
      { ...textColumn<number>("run", (place) => visible(runs[place])), cut: "middle" },
      textColumn("commit", (place) => (commit[place] < 0 ? "not known" : commits[commit[place]])),
      textColumn("tested", (place) => (isTested[place] === 1 ? "yes" : "no")),
    ],
    rows: [...runs.keys()],
    sortedBy: 0,
    ascending: true,
    markOf: () => undefined,
  });
}
