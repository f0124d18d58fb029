/** Contexts as circles, calls as curves, and beside each context when it was active and how much of that is in the window. Pure. */
import { linkHorizontal } from "d3-shape";
import {
  ACTIVITY_COLUMNS,
  type ApplicationContent,
  type ApplicationNode,
  eventKinds,
} from "../../src/protocol/application";
import { TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { kindFill } from "../kit/kinds";
import {
  circle,
  type Box,
  type DrawView,
  type Mark,
  type Paint,
  type Point,
  type Scene,
  type Shape,
  type Sign,
  standsBack,
} from "../kit/stage/scene";
import type { SeenViewport } from "../kit/stage/viewport";
import type { Theme } from "../kit/theme/theme";
import { fitName, visible } from "../shared/text";
import { foldedText, isActive, nodeFacts } from "./describe";
import { type Placed, placedNodes } from "./sight";
import { appendAll } from "../../src/model/longLists";

/** Radius of the heaviest context and of the lightest; what a ring is away. */
const LARGEST = 11;
const SMALLEST = 2.5;
const RING = 3;
/** Curves are as wide as what they cost. */
const WIDEST = 12;
/** Rows that are lower have no bars. */
const WITH_BARS = 30;
const LINE = 14;
/** Of small letters, above their baseline. */
const LETTER = 6;
/** Pixels that names are cut to, where longer ones would lie on something else. */
const LENGTHS = [220, 120, 90];
/** Names that are cut to fewer characters tell nothing apart. */
const LEAST = 12;
const BARS = { width: ACTIVITY_COLUMNS, height: 4, gap: 2 } as const;
const APART = 6;
/** Of kinds that stand back for those that are highlighted. */
const LEFT_OUT = 0.4;

export function draw(content: ApplicationContent, view: DrawView, seen?: SeenViewport): Scene {
  const { nodes } = content;
  const placed = placedNodes(content, view, seen);
  const radii = nodes.map((node) => radiusOf(node, content, placed.row));
  const texts = textsOf(content, placed, radii, view);
  return {
    below: [
      ...nodes.flatMap((node, at) => (node.parent < 0 ? [] : [curve(content, placed, at, view)])),
      ...nodes.flatMap((node, at) => (isActive(node) ? [ring(placed.at[at], radii[at], at, view)] : [])),
    ],
    marks: nodes.map((node, at) => markOf(content, node, at, placed.at[at], radii[at], view)),
    above: texts.shapes,
    signs: texts.signs,
    move: (from, key) => moved(nodes, from, key),
  };
}

function radiusOf({ inclusive }: ApplicationNode, { total }: ApplicationContent, row: number): number {
  const share = total > 0 ? Math.min(1, Math.max(0, inclusive / total)) : 0;
  return Math.max(1.5, Math.min(SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(share), row / 2 - 0.5));
}

const curveOf = linkHorizontal<{ source: Point; target: Point }, Point>()
  .x(({ x }) => x)
  .y(({ y }) => y);

function curve({ nodes, total }: ApplicationContent, { at: points }: Placed, at: number, { theme }: DrawView): Shape {
  const { parent, inclusive } = nodes[at];
  const share = total > 0 ? Math.min(1, Math.max(0, inclusive / total)) : 0;
  const d = curveOf({ source: points[parent], target: points[at] }) ?? "";
  return { kind: "path", d, stroke: theme.flowNear(0.7), strokeWidth: Math.max(1, WIDEST * share), of: at };
}

/** Twice, so that it is seen on whatever lies below. */
function ring({ x, y }: Point, radius: number, at: number, { theme }: DrawView): Shape {
  const around = radius + RING;
  const box = { x: x - around, y: y - around, width: 2 * around, height: 2 * around };
  return { kind: "path", d: circle(box), fill: theme.background, stroke: theme.text, strokeWidth: 1.5, of: at };
}

function markOf(
  content: ApplicationContent,
  { name, kind, context }: ApplicationNode,
  at: number,
  { x, y }: Point,
  radius: number,
  view: DrawView,
): Mark {
  const { theme } = view;
  const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
  const paint: Paint = {
    ...{ fill: kindFill(eventKinds[kind], theme), stroke: theme.edge ?? theme.outline, strokeWidth: 1 },
    ...(standsBack(view, eventKinds[kind]) ? { fillOpacity: LEFT_OUT } : {}),
  };
  return {
    ...{ id: at, key: `${context}`, box, isRound: true, d: circle(box), paint, name: visible(name) },
    note: () =>
      [content.metric, content.over]
        .filter((text) => text !== "")
        .map(visible)
        .join(", "),
    facts: () => nodeFacts(content, at),
  };
}

/** Names, counts of what is folded, and bars: of the heaviest first, where they lie on nothing else. */
function textsOf(
  content: ApplicationContent,
  { at: points, column, row }: Placed,
  radii: readonly number[],
  view: DrawView,
) {
  const { theme, measure } = view;
  const { nodes } = content;
  const words = wordsAt(theme);
  const shapes: Shape[] = [];
  const signs: Sign[] = [];
  const taken: Box[] = points.map(({ x, y }, at) => {
    const radius = radii[at] + RING + 1;
    return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
  });
  const isFree = ({ x, y, width, height }: Box, own: number) =>
    taken.every(
      (one, at) =>
        at === own || one.x >= x + width || one.x + one.width <= x || one.y >= y + height || one.y + one.height <= y,
    );
  const order = [...nodes.keys()].sort((a, b) => nodes[b].inclusive - nodes[a].inclusive || a - b);
  for (const at of order) {
    const { x, y } = points[at];
    if (x < -column || x > view.width || y < -row || y > view.height + row) continue;
    const left = x + radii[at] + RING + APART;
    const mayHaveBars = row >= WITH_BARS && nodes[at].time !== undefined;
    const name = visible(nodes[at].name);
    const tried = LENGTHS.flatMap((most) =>
      [true, false].map((hasBars) => ({ most, hasBars: hasBars && mayHaveBars })),
    );
    const found = tried
      .flatMap(({ most, hasBars }) => {
        const text = fitName(name, most, measure(SIZE));
        const high = LINE + (hasBars ? 2 * BARS.height + 2 * BARS.gap : 0);
        const width = Math.max(measure(SIZE)(text), hasBars ? BARS.width : 0);
        const beside = { text, hasBars, box: { x: left, y: y - high / 2, width, height: high } };
        // Where there is no room to the right: above its middle, else below, or a little to the right of that.
        const [around, last] = [radii[at] + RING + 1, view.width - 2 - width];
        const others = [x - width / 2, Math.min(x - radii[at], last)].flatMap((from) =>
          [y - around - high, y + around + 1].map((top) => ({
            ...{ text, hasBars },
            box: { x: Math.min(from, last), y: top, width, height: high },
          })),
        );
        return hasBars ? [beside] : [beside, ...others];
      })
      .find(
        ({ text, box }) =>
          (text === name || text.length >= LEAST) &&
          box.x >= 0 &&
          box.x + box.width <= view.width &&
          box.y >= 0 &&
          box.y + box.height <= view.height &&
          isFree(box, at),
      );
    if (!found) continue;
    const { text, hasBars, box } = found;
    const top = box.y;
    const fold = foldedText(content, nodes[at]);
    taken.push(box);
    // An underscore, a quarter of the size below the baseline, stands clear of the bars.
    shapes.push(
      ground(box.x, top + 10, measure(SIZE)(text), at, theme),
      words(box.x, top + 10, text, { halo: theme.background, of: at, title: name }),
    );
    signs.push({ box, mark: at });
    if (hasBars) appendAll(shapes, barsOf(content, nodes[at], at, { x: left, y: top + LINE }, view));
    if (fold === "") continue;
    const wide = measure(SIZE)(fold);
    const beside = { x: box.x + box.width + APART, y: y - LINE / 2, width: wide, height: LINE };
    const below = { x: box.x, y: top + box.height, width: wide, height: LINE };
    const free = [beside, below].find((one) => one.x + wide <= view.width && isFree(one, at));
    if (!free) continue;
    taken.push(free);
    shapes.push(
      ground(free.x, free.y + 11, wide, at, theme),
      words(free.x, free.y + 11, fold, { fill: theme.muted, halo: theme.background, of: at }),
    );
    signs.push({ box: free, mark: at, does: "toggle" });
  }
  return { shapes, signs };
}

/** Behind letters, where rims leave gaps that lines would be seen in: above underscores, between words. */
function ground(x: number, baseline: number, width: number, of: number, theme: Theme): Shape {
  return { kind: "box", box: { x, y: baseline - LETTER, width, height: LETTER }, fill: theme.background, of };
}

/** When it was active in the run, with the shown window; below, how much of its time lies in that. */
function barsOf(
  { run, window }: ApplicationContent,
  { time, kind }: ApplicationNode,
  of: number,
  { x, y }: Point,
  { theme }: DrawView,
): Shape[] {
  if (!time || !run || !window) return [];
  const fill = kindFill(eventKinds[kind], theme);
  const bar = (from: number, width: number, top: number, paint: Paint): Shape => ({
    ...{ kind: "box", box: { x: x + from, y: top, width, height: BARS.height }, of, ...paint },
  });
  const isOn = (column: number) => ((time.active[column >> 5] >>> (column % 32)) & 1) === 1;
  const runs: [number, number][] = [];
  for (let column = 0; column < ACTIVITY_COLUMNS; column++) {
    const last = runs.at(-1);
    if (!isOn(column)) continue;
    if (last?.[1] === column) last[1]++;
    else runs.push([column, column + 1]);
  }
  const scale = run.to > run.from ? BARS.width / (run.to - run.from) : 0;
  const share = time.runSeconds > 0 ? Math.min(1, time.windowSeconds / time.runSeconds) : 0;
  const ground = { fill: theme.background, stroke: theme.grid, strokeWidth: 1 };
  const below = y + BARS.height + BARS.gap;
  return [
    bar(0, BARS.width, y, ground),
    ...runs.map(([from, to]) => bar(from, to - from, y, { fill })),
    bar((window.from - run.from) * scale, Math.max(1, (window.to - window.from) * scale), y, {
      stroke: theme.text,
      strokeWidth: 1,
    }),
    bar(0, BARS.width, below, ground),
    ...(share > 0 ? [bar(0, Math.max(1, BARS.width * share), below, { fill: theme.muted })] : []),
  ];
}

/** To the caller, to the heaviest callee, and along the callees of one caller. */
function moved(nodes: readonly ApplicationNode[], from: number, key: string): number {
  const { parent } = nodes[from];
  if (key === "ArrowLeft") return parent < 0 ? from : parent;
  const callee = nodes.findIndex((node) => node.parent === from);
  if (key === "ArrowRight") return callee < 0 ? from : callee;
  const beside = nodes.flatMap((node, at) => (node.parent === parent ? [at] : []));
  const next = beside.indexOf(from) + (key === "ArrowUp" ? -1 : 1);
  return beside.at(Math.max(0, next)) ?? from;
}
