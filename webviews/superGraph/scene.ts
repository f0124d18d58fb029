/** A super graph as marks and shapes in pixels: what is placed once for each view, and what is put around it. Pure. */
import { type Box, type DrawView, type Mark, rounded, type Scene, type Shape } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { fit, visible } from "../shared/text";
import { blocksOf, NAME_SIZE, NAMED } from "./blocks";
import { entriesOf, entryMark, type Graph, isLaidOut, type LaidOutGraph, markOf } from "./graph";
import { marksOf } from "./marks";
import { neighbour } from "./order";
import { HAIRLINE, placeGraph, type Placed, type PlacedBar, toY } from "./placed";
import { type Seen, viewportOf } from "./seen";

export interface GraphScene extends Scene {
  readonly placed: Placed;
  /** What of this is drawn. */
  readonly hasHistograms: boolean;
  readonly hasImbalance: boolean;
  readonly hasEntries: boolean;
  readonly hasHidden: boolean;
  readonly hasBroken: boolean;
  /** A flow in sight is so thin that it is a hairline. */
  readonly hasHairlines: boolean;
  /** Flows in sight that are drawn on pointing alone; 0 in a saved picture, which has all of them. */
  readonly thinFlows: number;
}

/** The title of one of two graphs, at its upper left corner. */
interface Title extends Box {
  readonly text: string;
  /** Whether a line stands above it, between the graphs. */
  readonly line: boolean;
}

const LINE_HEIGHT = 16;
const TITLE_LEFT = 12;
/** Between the line and the title below it. */
const TITLE_GAP = 3;
/** Between the lines of a hatch. */
const HATCH = 6;
/** Between a bar and the outline of the other one. */
const BESIDE_BAR = 2.5;
export const OUTLINE_DASH = [3, 2];
/** Width and height of a zigzag's tooth. */
const TOOTH = 5;

/** A graph with nothing pointed at. */
export function draw(graph: Graph, view: DrawView, seen?: Seen): GraphScene {
  if (!isLaidOut(graph)) throw new Error("A graph without a layout is not drawn.");
  const placed = placeGraph(graph, viewportOf(graph, view, seen), view);
  return sceneOf(placed, marksOf(placed, placed.bars, view.theme), view, []);
}

/**
 * Titles and labels around the marks.
 *
 * @param first bars whose labels are placed before all others: selected, pointed at
 */
export function sceneOf(placed: Placed, marks: readonly Mark[], view: DrawView, first: readonly number[]): GraphScene {
  const { graph, bars, flows } = placed;
  const { thin } = graph.layout.flows;
  const { theme, width, height } = view;
  const titles = titlesOf(placed, view);
  const between = titles
    .filter(({ line }) => line)
    .map(({ y }): Box => ({ x: 0, y: y - 2 * TITLE_GAP, width, height: TITLE_GAP }));
  const { shapes, signs, ...has } = blocksOf(placed, [...titles, ...between], view, first);
  // An outline in its usual colour cannot be seen on the hottest bars of light themes.
  const fills = new Map(marks.map(({ id, paint }) => [id, paint.fill]));
  const isInSight = ({ x, y, width: wide, height: high }: Box) =>
    x < width && x + wide > 0 && y < height && y + high > 0;
  return {
    placed,
    marks,
    signs,
    ...has,
    hasHidden: bars.some((bar) => bar.hiddenHeight > 0 && isInSight(bar)),
    hasBroken: bars.some((bar) => bar.brokenAt !== undefined && isInSight(bar)),
    hasHairlines: flows.some((ribbon, flow) => ribbon && thin[flow] === 0 && ribbon.thickness < HAIRLINE),
    thinFlows: flows.reduce((count, ribbon, flow) => count + (ribbon ? thin[flow] : 0), 0),
    below: [],
    above: [
      ...bars.flatMap((bar, at) => [
        ...hatchShapes(bar, at, theme.ink(fills.get(at) ?? theme.background)),
        ...zigzag(bar, at, theme),
        ...otherOutline(bar, at, theme),
      ]),
      ...titles.flatMap((title) => titleShapes(title, width, theme)),
      ...shapes,
    ],
    move: (from, key) => moveFrom(graph, bars, from, key),
  };
}

/**
 * Left and right follow flows. Down goes through a bar's segments that are high enough to be named before it goes on to the next bar, up
 * from the first of them to the bar; those that are lower, which may be thousands, are reached by Tab.
 */
function moveFrom(graph: LaidOutGraph, bars: readonly PlacedBar[], from: number, key: string): number | undefined {
  const { bar, entry } = markOf(graph, from);
  if (bar === undefined) return undefined;
  const { entries } = bars[bar];
  const { first } = entriesOf(graph, bar);
  const isNamed = (at: number) => entries.length > 1 && at in entries && entries[at].height >= NAMED;
  if (entry === undefined)
    return key === "ArrowDown" && isNamed(0) ? entryMark(graph, first) : neighbour(graph, bar, key);
  const at = entry - first;
  if (key === "ArrowLeft" || key === "ArrowUp") return at === 0 ? bar : from - 1;
  const goesOn = isNamed(at + 1) || (!isNamed(at) && at + 1 in entries);
  return goesOn ? from + 1 : neighbour(graph, bar, "ArrowDown");
}

function titlesOf({ graph, viewport }: Placed, { measure, width }: DrawView): Title[] {
  const { pair, layout } = graph;
  if (!pair || pair.merged || !layout.headings) return [];
  const measureTitle = measure(NAME_SIZE, 600);
  return layout.headings.map((top, half): Title => {
    const text = fit(visible(pair.halves[half].title), width - 2 * TITLE_LEFT, measureTitle);
    const y = toY(top, viewport) + TITLE_GAP;
    return { x: TITLE_LEFT, y, width: measureTitle(text), height: LINE_HEIGHT, text, line: half > 0 };
  });
}

function titleShapes({ x, y, height, text, line }: Title, width: number, theme: Theme): Shape[] {
  const at = { x, y: y + height - (LINE_HEIGHT - NAME_SIZE) };
  const title: Shape = { kind: "text", at, text, size: NAME_SIZE, weight: 600, fill: theme.text };
  return line ? [{ kind: "path", d: `M0,${y - 3}H${width}`, stroke: theme.line }, title] : [title];
}

/** Diagonal lines over the part of a bar that the filter hid. */
function hatchShapes(
  { x, y, width, height: room, hiddenHeight, both }: PlacedBar,
  bar: number,
  stroke: string,
): Shape[] {
  if (hiddenHeight === 0) return [];
  const height = both?.[0] ?? room;
  const [top, bottom, right] = [y + height - hiddenHeight, y + height, x + width];
  let d = `M${rounded(x)},${rounded(top)}H${rounded(right)}`;
  for (let sum = Math.ceil((x + top) / HATCH) * HATCH; sum < right + bottom; sum += HATCH) {
    const [x0, x1] = [Math.max(x, sum - bottom), Math.min(right, sum - top)];
    d += `M${rounded(x0)},${rounded(sum - x0)}L${rounded(x1)},${rounded(sum - x1)}`;
  }
  return [{ kind: "path", d, stroke, strokeWidth: 0.75, of: bar }];
}

/** The bar in the other of two graphs that are drawn as one: from the same top, around what is drawn. */
function otherOutline({ x, y, width, both }: PlacedBar, bar: number, theme: Theme): Shape[] {
  if (both === undefined || both[1] < 1) return [];
  const box = { x: x - BESIDE_BAR, y, width: width + 2 * BESIDE_BAR, height: both[1] };
  return [{ kind: "box", box, stroke: theme.text, strokeWidth: 1, dash: OUTLINE_DASH, of: bar }];
}

/** A gap across a bar that is not to scale, with teeth: a bar that is cut straight would look like two. */
function zigzag({ x, width, brokenAt }: PlacedBar, bar: number, theme: Theme): Shape[] {
  if (brokenAt === undefined) return [];
  const teeth = Math.max(2, Math.round(width / TOOTH));
  const along = Array.from({ length: teeth + 1 }, (_, at) => {
    const up = at % 2 === 0 ? 1 : -1;
    return [rounded(x - 1 + ((width + 2) * at) / teeth), rounded(brokenAt + (up * TOOTH) / 2)] as const;
  });
  const line = (points: readonly (readonly [number, number])[]) => points.map(([px, py]) => `${px},${py}`).join("L");
  const below = along.map(([px, py]) => [px, rounded(py + TOOTH)] as const);
  return [
    { kind: "path", d: `M${line(along)}L${line(below.slice().reverse())}Z`, fill: theme.background, of: bar },
    { kind: "path", d: `M${line(along)}M${line(below)}`, stroke: theme.text, strokeWidth: 1, of: bar },
  ];
}
