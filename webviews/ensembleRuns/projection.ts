/** Runs in the plane: those that are alike stand together, coloured by cluster or by a parameter. Pure. */
import { scaleLinear } from "d3-scale";
import { symbol, symbolsFill } from "d3-shape";
import { formatShare, formatValue, threeDigits } from "../../src/model/units";
import type { ProjectionContent } from "../../src/protocol/ensembleRuns";
import { rule, wordsAt } from "../kit/axis";
import { tableOf, type TableSpec } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { rampLegend } from "../kit/legend";
import { type Box, type DrawView, type Fact, type Mark, rounded, type Scene } from "../kit/stage/scene";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Theme } from "../kit/theme/theme";
import { svg } from "../shared/dom";
import { plural, visible } from "../shared/text";
import { placeNames } from "./pointNames";
import type { RunsViewPage } from "./view";

const PADDING = 28;
const RADIUS = 5;
/** Names beyond would hardly find room. */
const MOST_NAMES = 200;
/** Groups with a shape and colour of their own: more could not be told apart. */
const MOST_GROUPS = symbolsFill.length;
/** Degrees between the hues of two groups, and where they begin: none is the heat's. */
const [HUE, FIRST_HUE] = [37, 0];

export const projectionPage: RunsViewPage<ProjectionContent> = {
  draw,
  tables: (content) => [runTable(content), weightTable(content)],
  legend,
  hint: "draw around runs: only these · Ctrl+click adds",
  summary(content) {
    const { names, clusters, silhouette, columns } = content;
    const counts = [plural(names.length, "run"), plural(clusters, "cluster")];
    const fits = silhouette === null ? [] : [`silhouette ${threeDigits(silhouette)}`];
    const by = `by ${columns.slice(0, 8).map(visible).join(", ").slice(0, 150)}`;
    return [[...counts, ...fits, by], [...counts, ...fits], counts].map((parts) => parts.join(" · "));
  },
  name: () => "Runs that are alike",
  nouns: ["run", "runs"],
  named: ({ names }) => [{ first: 0, names }],
  firstRun: () => 0,
  alike(content, run) {
    const { names, of } = groupsOf(content);
    const by = content.colour ? `${visible(content.colour.name)} ` : "";
    const marks = [...of.keys()].filter((other) => of[other] === of[run]);
    return { name: by + visible(names[of[run]]), marks };
  },
  facts,
  aside: ({ parameters, weights }) =>
    parameters.length === 0
      ? undefined
      : {
          title: "explains of the totals' variance",
          items: parameters.slice(0, 40).map((name, at) => ({ name: visible(name), number: formatShare(weights[at]) })),
        },
};

interface Groups {
  /** In the order of the legend; of each run, its group's number. */
  readonly names: readonly string[];
  readonly of: readonly number[];
}

/** Clusters, or values of the parameter that colours are of; all beyond the last that can be told apart are one. */
function groupsOf({ cluster, clusters, colour }: ProjectionContent): Groups {
  if (!colour)
    return limited(
      [...cluster],
      Array.from({ length: clusters }, (_, at) => `cluster ${at + 1}`),
    );
  const values = [...new Set(colour.texts)].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : a > b ? 1 : 0));
  const at = new Map(values.map((value, index) => [value, index]));
  return limited(
    colour.texts.map((text) => at.get(text) ?? 0),
    values.map((value) => (value === "" ? "none" : value)),
  );
}

function limited(of: readonly number[], names: readonly string[]): Groups {
  if (names.length <= MOST_GROUPS) return { names, of };
  return {
    names: [...names.slice(0, MOST_GROUPS - 1), `${names.length - MOST_GROUPS + 1} others`],
    of: of.map((group) => Math.min(group, MOST_GROUPS - 1)),
  };
}

function groupFill(group: number, theme: Theme): string {
  return theme.kind("computing", 0, FIRST_HUE + group * HUE);
}

/** Of numbers of more values than there are shapes: the share of the way from the least to the largest. */
function rampOf({ colour }: ProjectionContent): { least: number; most: number; numbers: Float64Array } | undefined {
  if (!colour?.numbers || new Set(colour.texts).size <= MOST_GROUPS) return undefined;
  const known = colour.numbers.filter(Number.isFinite);
  return {
    numbers: colour.numbers,
    least: known.reduce((a, b) => Math.min(a, b), Infinity),
    most: known.reduce((a, b) => Math.max(a, b), -Infinity),
  };
}

function rampFill(share: number, theme: Theme): string {
  return theme.faded(theme.link, 0.08 + 0.92 * (Number.isFinite(share) ? share : 0));
}

function draw(content: ProjectionContent, view: DrawView): Scene {
  const { x, y } = content;
  const { width, height, theme } = view;
  const plot: Box = { x: 8, y: 8, width: Math.max(40, width - 16), height: Math.max(40, height - 16) };
  const extent = (values: Float64Array): [number, number] => [
    values.reduce((a, b) => Math.min(a, b), 0),
    values.reduce((a, b) => Math.max(a, b), 0),
  ];
  const [[x0, x1], [y0, y1]] = [extent(x), extent(y)];
  // One scale for both axes: what is drawn are distances.
  const inner = { width: plot.width - 2 * PADDING, height: plot.height - 2 * PADDING };
  const perUnit = Math.min(inner.width / (x1 - x0 || 1), inner.height / (y1 - y0 || 1));
  const [middleX, middleY] = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  const toX = scaleLinear([(x0 + x1) / 2 - 1, (x0 + x1) / 2 + 1], [middleX - perUnit, middleX + perUnit]);
  const toY = scaleLinear([(y0 + y1) / 2 - 1, (y0 + y1) / 2 + 1], [middleY + perUnit, middleY - perUnit]);
  const groups = groupsOf(content);
  const ramp = rampOf(content);
  const marks = [...x.keys()]
    .sort((a, b) => x[a] - x[b] || y[a] - y[b] || a - b)
    .map((run) => runMark(content, run, [toX(x[run]), toY(y[run])], groups, ramp, view));
  const named = marks.slice(0, MOST_NAMES).map((mark) => ({ mark, name: mark.name }));
  return {
    below: [
      rule(`M${plot.x},${rounded(toY(0))}H${plot.x + plot.width}`, theme.grid),
      rule(`M${rounded(toX(0))},${plot.y}V${plot.y + plot.height}`, theme.grid),
    ],
    marks,
    above: placeNames(named, marks, plot, view, 140).map(({ x: left, base, text, of }) =>
      wordsAt(theme)(left, base, text, { fill: theme.soft, halo: theme.background, of }),
    ),
    brush: { x: 0, y: 0, width, height },
    lasso: true,
  };
}

function runMark(
  content: ProjectionContent,
  run: number,
  [atX, atY]: readonly [number, number],
  { of }: Groups,
  ramp: ReturnType<typeof rampOf>,
  { theme }: DrawView,
): Mark {
  const { names } = content;
  const [x, y] = [rounded(atX), rounded(atY)];
  const fill = ramp
    ? rampFill((ramp.numbers[run] - ramp.least) / (ramp.most - ramp.least), theme)
    : groupFill(of[run], theme);
  const same = names.slice(0, run).filter((other) => other === names[run]).length;
  return {
    id: run,
    key: `${same} ${names[run]}`,
    isRound: true,
    name: visible(names[run]) || "(no name)",
    box: { x: x - RADIUS, y: y - RADIUS, width: 2 * RADIUS, height: 2 * RADIUS },
    d: moved(shapeOf(ramp ? 0 : of[run]), x, y),
    paint: { fill, stroke: theme.edge ?? theme.outline, strokeWidth: 1 },
    facts: () => facts(content, run),
    note: () => content.over,
  };
}

/** d3's symbol around the origin. */
function shapeOf(group: number): string {
  return symbol(symbolsFill[group % symbolsFill.length], 1.9 * RADIUS ** 2)() ?? "";
}

/** A path of d3's symbols somewhere else: they have lines, arcs and closed ends with absolute places. */
function moved(d: string, x: number, y: number): string {
  const place = (text: string, by: number) => String(rounded(Number(text) + by));
  return d.replace(
    /([MLA])([^MLAHVhvZ]*)|([HV])([^MLAHVhvZ]*)/g,
    (whole, kind: string, rest: string, along: string, to: string) => {
      if (along === "H") return `H${place(to, x)}`;
      if (along === "V") return `V${place(to, y)}`;
      const numbers = rest.split(/[\s,]+/).filter((text) => text !== "");
      if (numbers.length < 2) return whole;
      const before = numbers.slice(0, -2);
      return `${kind}${[...before, place(numbers[numbers.length - 2], x), place(numbers[numbers.length - 1], y)].join(",")}`;
    },
  );
}

function facts({ totals, unit, cluster, colour, metric }: ProjectionContent, run: number): Fact[] {
  return [
    [`${visible(metric).slice(0, 60)} in all`, Number.isNaN(totals[run]) ? "none" : formatValue(totals[run], unit)],
    ["cluster", String(cluster[run] + 1)],
    ...(colour ? [[visible(colour.name), visible(colour.texts[run]) || "none"] as const] : []),
  ];
}

function legend(content: ProjectionContent, theme: Theme): LegendEntry[] {
  const ramp = rampOf(content);
  if (ramp) {
    const text = (value: number) => Number(value.toPrecision(6)).toLocaleString("en");
    const ends = [text(ramp.least), text((ramp.least + ramp.most) / 2), text(ramp.most)] as const;
    return [rampLegend(theme, visible(content.colour?.name ?? ""), ends, (share) => rampFill(share, theme))];
  }
  const { names } = groupsOf(content);
  const of = content.colour ? [{ parts: [{ strong: visible(content.colour.name) }] }] : [];
  return [
    ...of,
    ...names.map((name, group): LegendEntry => {
      const look = { fill: groupFill(group, theme), stroke: theme.edge ?? theme.outline };
      const sign = svg("path", { d: shapeOf(group), transform: "translate(6 6)", ...look });
      return { parts: [svg("svg", { width: 12, height: 12, "aria-hidden": "true" }, sign), visible(name)] };
    }),
  ];
}

function runTable({ names, totals, unit, cluster, x, y, colour }: ProjectionContent): TableSpec<unknown> {
  return tableOf<number>({
    caption: "Runs",
    columns: [
      { ...textColumn<number>("run", (run) => visible(names[run])), cut: "middle" },
      numberColumn(
        "total",
        (run) => totals[run],
        (run) => (Number.isNaN(totals[run]) ? "none" : formatValue(totals[run], unit)),
      ),
      numberColumn("cluster", (run) => cluster[run] + 1),
      ...(colour ? [textColumn<number>(visible(colour.name), (run) => visible(colour.texts[run]))] : []),
      numberColumn(
        "x",
        (run) => x[run],
        (run) => threeDigits(x[run]),
      ),
      numberColumn(
        "y",
        (run) => y[run],
        (run) => threeDigits(y[run]),
      ),
    ],
    rows: [...names.keys()],
    sortedBy: 1,
    markOf: (run) => run,
  });
}

function weightTable({ parameters, weights }: ProjectionContent): TableSpec<unknown> {
  return tableOf<number>({
    caption: "Parameters",
    columns: [
      textColumn("parameter", (at) => visible(parameters[at])),
      numberColumn(
        "explains of the totals' variance",
        (at) => weights[at],
        (at) => formatShare(weights[at]),
      ),
    ],
    rows: [...parameters.keys()],
    sortedBy: 1,
    markOf: () => undefined,
  });
}
