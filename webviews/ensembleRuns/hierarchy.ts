/**
 * What is inside of a bar, as an icicle: a cell is an axis from 0 at its left to its largest run, grey where runs are, with an edge in the heat
 * of its largest exclusive; what the target lacks is not filled. Pure.
 */
import { formatValue } from "../../src/model/units";
import { CELL_BINS, type HierarchyContent } from "../../src/protocol/ensembleRuns";
import { gradientColor } from "../ensemble/painted";
import { TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { tableOf, type TableSpec } from "../kit/definition";
import { heatLegend, rampLegend, wordLegend } from "../kit/legend";
import type { Box, DrawView, Fact, Mark, Scene, Shape } from "../kit/stage/scene";
import { numberColumn, textColumn } from "../kit/table/columns";
import { heatPosition } from "../kit/theme/theme";
import { fitName, plural, visible } from "../shared/text";
import { lineSign, type RunsViewPage } from "./view";

const MARGIN = { left: 12, right: 6, top: 10, bottom: 10 } as const;
const [LEAST_ROW, MOST_ROW] = [18, 110];
const EDGE = 5;
const APART = 1.5;
/** Narrower cells are not drawn: their callers stand for them, and the table has them. */
const NARROWEST = 3;

export const hierarchyPage: RunsViewPage<HierarchyContent> = {
  draw,
  tables: (content) => [cellTable(content)],
  legend: (content, theme) => [
    rampLegend(theme, "runs", ["0", "", content.fullest.toLocaleString("en")], (share) =>
      gradientColor(theme, share * content.fullest, content.fullest),
    ),
    heatLegend(theme, "edge: largest exclusive", hottestOf(content), content.unit),
    ...(content.target
      ? [
          { parts: [lineSign("M8,0V10", theme.link), `target ${visible(content.target.name)}`] },
          wordLegend("not filled", "not in this run"),
        ]
      : []),
  ],
  hint: "double click: hottest line",
  summary({ inside, names, allRuns, target }) {
    const of = inside === "" ? "all calls" : `inside ${visible(inside).slice(0, 80)}`;
    const counts = [plural(names.length, "call"), plural(allRuns, "run")];
    const lacks = target ? [`${[...target.inclusive].filter(Number.isNaN).length} not in ${visible(target.name)}`] : [];
    return [[of, ...counts, ...lacks], [of, ...counts], [of], counts].map((parts) => parts.join(" · "));
  },
  name: ({ inside }) => (inside === "" ? "All calls" : `Inside ${visible(inside)}`),
  nouns: ["call", "calls"],
  named: ({ names }) => [{ first: 0, names }],
  facts,
};

function hottestOf({ exclusive }: HierarchyContent): number {
  return exclusive.reduce((most, value) => Math.max(most, value), 0);
}

/**
 * Cells below each other. What is in one shares its width as the ends of an ensemble's flows share a bar's height (semantics 10, Flow): by the
 * largest inclusive, of all that is in it together or its own largest.
 */
export function boxesOf({ parent, inclusive }: HierarchyContent, width: number, height: number): (Box | undefined)[] {
  const depth = new Int32Array(parent.length);
  const inside = new Float64Array(parent.length);
  let roots = 0;
  parent.forEach((above, cell) => {
    if (above < 0) roots += inclusive[cell];
    else {
      depth[cell] = depth[above] + 1;
      inside[above] += inclusive[cell];
    }
  });
  const rows = depth.reduce((most, one) => Math.max(most, one), 0) + 1;
  const free = height - MARGIN.top - MARGIN.bottom;
  const row = Math.max(LEAST_ROW, Math.min(MOST_ROW, free / rows));
  const whole = Math.max(40, width - MARGIN.left - MARGIN.right);
  const boxes: (Box | undefined)[] = [];
  const next = new Float64Array(parent.length);
  let nextRoot: number = MARGIN.left;
  parent.forEach((above, cell) => {
    const outer = above < 0 ? undefined : boxes[above];
    const y = MARGIN.top + depth[cell] * row;
    if ((above >= 0 && !outer) || y + row > height) return void boxes.push(undefined);
    const share = inclusive[cell] / (above < 0 ? roots : Math.max(inside[above], inclusive[above])) || 0;
    const own = share * (outer?.width ?? whole);
    const x = outer ? outer.x + next[above] : nextRoot;
    if (outer) next[above] += own;
    else nextRoot += own;
    boxes.push(own < NARROWEST ? undefined : { x, y, width: own, height: row });
  });
  return boxes;
}

function draw(content: HierarchyContent, view: DrawView): Scene {
  const { theme } = view;
  const measure = view.measure(SIZE);
  const hottest = hottestOf(content);
  const drawn = boxesOf(content, view.width, view.height).flatMap((box, cell) =>
    box ? [{ cell, box: { ...box, width: Math.max(1.5, box.width - APART), height: box.height - APART } }] : [],
  );
  const marks = drawn.map(({ cell, box }): Mark => {
    const { x, y, width, height } = box;
    const isMissing = content.target !== undefined && Number.isNaN(content.target.inclusive[cell]);
    return {
      id: cell,
      key: keyOf(content, cell),
      name: visible(content.names[cell]) || "(no name)",
      box,
      place: content.places[cell] || undefined,
      d: `M${x},${y}h${width}v${height}h${-width}Z`,
      paint: { fill: "none", stroke: theme.outline, strokeWidth: 1, ...(isMissing ? { dash: [3, 2] } : {}) },
      facts: () => facts(content, cell),
      note: () => content.over,
    };
  });
  return {
    below: drawn.flatMap(({ cell, box }) => filling(content, cell, box, hottest, view)),
    marks,
    above: drawn.flatMap(({ cell, box }): Shape[] => {
      const room = box.width - EDGE - 8;
      const name = room < 34 ? "" : fitName(visible(content.names[cell]), room, measure);
      const base = box.y + Math.min(14, box.height / 2 + 4);
      const target = targetLine(content, cell, box, view);
      if (name === "") return target;
      const halo = theme.background;
      const value = `≤ ${formatValue(content.inclusive[cell], content.unit)}`;
      const hasRoom = box.height >= 30 && measure(value) <= room;
      const x = box.x + EDGE + 4;
      return [
        ...target,
        wordsAt(theme)(x, base, name, { halo, of: cell, title: visible(content.names[cell]) }),
        ...(hasRoom ? [wordsAt(theme)(x, base + 14, value, { halo, of: cell, fill: theme.soft })] : []),
      ];
    }),
  };
}

/** Its path of names, which no other cell has. */
function keyOf({ names, parent }: HierarchyContent, cell: number): string {
  const path: string[] = [];
  for (let at = cell; at >= 0; at = parent[at]) path.push(names[at]);
  return `${cell} ${path.slice(0, 3).join(" < ")}`;
}

function filling(content: HierarchyContent, cell: number, box: Box, hottest: number, { theme }: DrawView): Shape[] {
  const { x, y, width, height } = box;
  if (content.target && Number.isNaN(content.target.inclusive[cell])) return [];
  const edge = Math.min(EDGE, width / 3);
  const step = (width - edge) / CELL_BINS;
  const own = content.counts.subarray(cell * CELL_BINS, (cell + 1) * CELL_BINS);
  const fill = (runs: number) => gradientColor(theme, runs, content.fullest);
  return [
    { kind: "box", box: { x: x + edge, y, width: width - edge, height }, fill: fill(0), of: cell },
    ...[...own].flatMap((runs, bin): Shape[] =>
      runs === 0
        ? []
        : [{ kind: "box", box: { x: x + edge + bin * step, y, width: step, height }, fill: fill(runs), of: cell }],
    ),
    {
      kind: "box",
      box: { x, y, width: edge, height },
      of: cell,
      fill: theme.heat(heatPosition(content.exclusive[cell], hottest)),
    },
  ];
}

function targetLine(content: HierarchyContent, cell: number, box: Box, { theme }: DrawView): Shape[] {
  const own = content.target?.inclusive[cell] ?? NaN;
  if (Number.isNaN(own) || !(content.inclusive[cell] > 0)) return [];
  const edge = Math.min(EDGE, box.width / 3);
  const share = Math.max(0, Math.min(1, own / content.inclusive[cell]));
  const x = box.x + edge + share * (box.width - edge) - 1;
  return [{ kind: "box", box: { x, y: box.y, width: 2, height: box.height }, fill: theme.link, of: cell }];
}

function facts({ inclusive, exclusive, runs, allRuns, unit, target }: HierarchyContent, cell: number): Fact[] {
  const own = target?.inclusive[cell];
  return [
    ["largest inclusive", formatValue(inclusive[cell], unit)],
    ["largest exclusive", formatValue(exclusive[cell], unit)],
    ["in runs", `${runs[cell]} of ${allRuns}`],
    ...(target && own !== undefined
      ? [[visible(target.name).slice(0, 60), Number.isNaN(own) ? "not in this run" : formatValue(own, unit)] as const]
      : []),
  ];
}

function cellTable(content: HierarchyContent): TableSpec<unknown> {
  const { names, parent, places, inclusive, exclusive, runs, unit, target } = content;
  const column = (title: string, values: Float64Array) =>
    numberColumn<number>(
      title,
      (cell) => values[cell],
      (cell) => (Number.isNaN(values[cell]) ? "not in this run" : formatValue(values[cell], unit)),
    );
  return tableOf<number>({
    caption: "Calls",
    columns: [
      textColumn("function", (cell) => visible(names[cell])),
      textColumn("called by", (cell) => (parent[cell] < 0 ? "" : visible(names[parent[cell]]))),
      column("largest inclusive", inclusive),
      column("largest exclusive", exclusive),
      ...(target ? [column("target", target.inclusive)] : []),
      numberColumn("runs", (cell) => runs[cell]),
      textColumn("defined at", (cell) => visible(places[cell])),
    ],
    rows: [...names.keys()],
    sortedBy: 2,
    markOf: (cell) => cell,
  });
}
