/** The topology: squares, diamonds and circles, as large as what they are of, filled by what was used of it, and lines between them. Pure. */
import { formatValue } from "../../src/model/units";
import { edgeKinds, TOPOLOGY, type TreemapContent } from "../../src/protocol/treemap";
import { type Box, circle, type DrawView, type Mark, meets, type Point, rounded, type Shape } from "../kit/stage/scene";
import { type Viewport } from "../kit/stage/viewport";
import type { Theme } from "../kit/theme/theme";
import { fitName } from "../shared/text";
import { markFacts, markName, usedShare } from "./describe";

const SIZE = 11;
/** Pixels: the largest mark, the smallest, and what has no size of its own. */
const LARGEST = 64;
const LEAST = 4;
const UNSIZED = 0.4;
/** Of the distance that two marks keep. */
const FILLED = 0.92;
const EDGE = 14;
/** Of a label, beside its mark: frames have room between them. */
const BESIDE = 9;
/** Of a line, in pixels. */
export const WIDEST = 3;
/** Beyond as many marks their states are not told apart, and names are not looked for. */
const MANY = 1500;
const NEVER = 600;
const FILLS_FROM = 10_000_000;
const MOST_FILLS = 8;

/** A line between two marks. */
export interface DrawnEdge {
  readonly from: Point;
  readonly to: Point;
  readonly ends: readonly [number, number];
  readonly width: number;
}

export interface DrawnTopology {
  readonly marks: readonly Mark[];
  readonly texts: readonly Shape[];
  readonly edges: readonly DrawnEdge[];
}

/** Everything is in sight: from the layout's lengths to pixels. */
export function fittedViewport({ marks: { x, y } }: TreemapContent, area: Box): Viewport {
  const [left, right] = extent(x);
  const [top, bottom] = extent(y);
  const scale = Math.min(
    LARGEST / FILLED,
    (area.width - 2 * EDGE) / (right - left + 1),
    (area.height - 2 * EDGE) / (bottom - top + 1),
  );
  return {
    scale: Math.max(0.01, scale),
    x: area.x + area.width / 2 - ((left + right) / 2) * scale,
    y: area.y + area.height / 2 - ((top + bottom) / 2) * scale,
  };
}

function extent(values: Float64Array): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return values.length === 0 ? [0, 0] : [least, most];
}

/** What a mark is called in every content about the recording: where somebody has dragged it. */
export function pinKey({ nodes, marks }: TreemapContent, mark: number): string {
  return `${nodes.id[marks.node[mark]]} ${marks.shape[mark]}`;
}

/** Where marks are, in pixels. @param pins by key, in the layout's lengths */
export function placedMarks(
  content: TreemapContent,
  { scale, x, y }: Viewport,
  pins: ReadonlyMap<string, readonly [number, number]>,
): Box[] {
  const { marks } = content;
  const most = [0, 1, 2].map((shape) =>
    marks.size.reduce((largest, size, at) => (marks.shape[at] === shape && size > largest ? size : largest), 0),
  );
  const largest = Math.min(LARGEST, scale * FILLED);
  return Array.from(marks.node, (_, at): Box => {
    const [left, top] = pins.get(pinKey(content, at)) ?? [marks.x[at], marks.y[at]];
    const shape = marks.shape[at];
    const share = marks.size[at] >= 0 && most[shape] > 0 ? Math.sqrt(marks.size[at] / most[shape]) : UNSIZED;
    const side = Math.max(Math.min(LEAST, largest), largest * share);
    return { x: left * scale + x - side / 2, y: top * scale + y - side / 2, width: side, height: side };
  });
}

export function drawTopology(
  content: TreemapContent,
  area: Box,
  boxes: readonly Box[],
  fills: readonly string[],
  view: DrawView,
): DrawnTopology {
  const { theme } = view;
  const { edges } = content;
  const isIn = boxes.map((box) => meets(box, area) && box.x >= area.x && box.x + box.width <= area.x + area.width);
  const drawn: Mark[] = [];
  boxes.forEach((box, at) => {
    if (isIn[at]) drawn.push(...markAt(content, at, box, fills, theme, boxes.length > MANY));
  });
  const weightOf = (at: number) => (edges.bytes[at] >= 0 ? edges.bytes[at] : edges.together[at]);
  const heaviest = edges.from.reduce((most, _, at) => Math.max(most, weightOf(at)), 0);
  const middle = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });
  return {
    marks: drawn,
    texts: boxes.length > NEVER ? [] : labels(content, area, boxes, isIn, view),
    edges: Array.from(edges.from, (from, at): DrawnEdge => {
      const isWeighed = edgeKinds[edges.of[at]] === "messages" && heaviest > 0;
      return {
        ...{ from: middle(boxes[from]), to: middle(boxes[edges.to[at]]), ends: [from, edges.to[at]] },
        width: isWeighed ? Math.max(0.75, WIDEST * Math.sqrt(weightOf(at) / heaviest)) : 1,
      };
    }).filter(({ ends: [from, to] }) => isIn[from] || isIn[to]),
  };
}

function markAt(
  content: TreemapContent,
  at: number,
  box: Box,
  fills: readonly string[],
  theme: Theme,
  isPlain: boolean,
): Mark[] {
  const { marks, fills: by, states, stateSeconds } = content;
  const shape = marks.shape[at];
  const id = TOPOLOGY + at;
  const key = `mark ${pinKey(content, at)}`;
  const stroke = theme.edge ?? theme.outline;
  const outer: Mark = {
    ...{ id, key, box, name: markName(content, at), facts: () => markFacts(content, at) },
    paint: { fill: theme.background, stroke, strokeWidth: box.width < 10 ? 0.75 : 1.25 },
    ...(shape === 0 ? {} : shape === 1 ? diamond(box) : { d: circle(box), isRound: true }),
  };
  const inner: Mark[] = [];
  const fill = (number: number, from: number, to: number, color: string) => {
    if (!(to > from)) return;
    const d = shapePart(shape, box, from, to);
    inner.push({
      ...{ id: FILLS_FROM + at * MOST_FILLS + number, key: `${key} ${number}`, within: id, isPassive: true, box, d },
      ...{ name: outer.name, paint: { fill: color }, facts: () => [] },
    });
  };
  const share = usedShare(content, at);
  if (by[shape] === "states") {
    const seconds = Array.from(states.keys(), (state) => stateSeconds[at * states.length + state]);
    const all = seconds.reduce((sum, one) => sum + one, 0);
    const order = [...states.keys()].filter((state) => seconds[state] > 0).sort((a, b) => seconds[b] - seconds[a]);
    let from = 0;
    order.slice(0, isPlain ? 1 : MOST_FILLS).forEach((state, number) => {
      const to = isPlain ? 1 : from + seconds[state] / all;
      fill(number, from, to, fills[state] ?? theme.faint);
      from = to;
    });
  } else if (share > 0) fill(0, Math.max(0, 1 - share), 1, theme.heat(Math.min(1, share)));
  return [outer, ...inner];
}

function diamond(box: Box): Pick<Mark, "d" | "outline"> {
  const { x, y, width, height } = box;
  const path = (off: number) => {
    const [right, down] = [width / 2 + off * Math.SQRT2, height / 2 + off * Math.SQRT2];
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    return `M${rounded(middleX)},${rounded(middleY - down)}L${rounded(middleX + right)},${rounded(middleY)}L${rounded(middleX)},${rounded(middleY + down)}L${rounded(middleX - right)},${rounded(middleY)}Z`;
  };
  const has = (at: Point) =>
    Math.abs(at.x - x - width / 2) / (width / 2) + Math.abs(at.y - y - height / 2) / (height / 2) <= 1.15;
  return { d: path(0), outline: { has, around: path } };
}

/** The part of a shape between two heights, as shares from its top. */
function shapePart(shape: number, { x, y, width, height }: Box, from: number, to: number): string {
  const steps = shape === 0 ? 1 : shape === 1 ? 8 : 12;
  const half = (share: number) => {
    if (shape === 0) return width / 2;
    if (shape === 1) return (width / 2) * (1 - Math.abs(2 * share - 1));
    return width * Math.sqrt(Math.max(0, share * (1 - share)));
  };
  const heights = Array.from({ length: steps + 1 }, (_, at) => from + ((to - from) * at) / steps);
  // The widest part of a diamond is a corner.
  if (shape === 1 && from < 0.5 && to > 0.5) heights.push(0.5);
  heights.sort((a, b) => a - b);
  const points = [
    ...heights.map((share) => [x + width / 2 + half(share), y + share * height]),
    ...heights.reverse().map((share) => [x + width / 2 - half(share), y + share * height]),
  ];
  return `M${points.map(([px, py]) => `${rounded(px)},${rounded(py)}`).join("L")}Z`;
}

/** Names beside marks, largest first, wherever nothing is in their way. */
function labels(
  content: TreemapContent,
  area: Box,
  boxes: readonly Box[],
  isIn: readonly boolean[],
  { theme, measure }: DrawView,
): Shape[] {
  const { marks, sizeUnits } = content;
  const taken = boxes.filter((_, at) => isIn[at]).slice();
  const order = [...boxes.keys()].filter((at) => isIn[at] && boxes[at].width >= 8);
  order.sort((a, b) => boxes[b].width - boxes[a].width || a - b);
  const texts: Shape[] = [];
  for (const at of order) {
    const box = boxes[at];
    const name = fitName(markName(content, at), 110, measure(SIZE, 600));
    if (name === "") continue;
    const value = marks.size[at] >= 0 ? formatValue(marks.size[at], sizeUnits[marks.shape[at]]) : "";
    const width = Math.max(measure(SIZE, 600)(name), measure(SIZE)(value));
    const height = value === "" ? 13 : 26;
    const middle = box.y + box.height / 2;
    const places: readonly (readonly [Box, "start" | "end" | "middle"])[] = [
      [{ x: box.x + box.width + BESIDE, y: middle - height / 2, width, height }, "start"],
      [{ x: box.x - BESIDE - width, y: middle - height / 2, width, height }, "end"],
      [{ x: box.x + box.width / 2 - width / 2, y: box.y + box.height + BESIDE, width, height }, "middle"],
      [{ x: box.x + box.width / 2 - width / 2, y: box.y - height - BESIDE, width, height }, "middle"],
    ];
    const place = places.find(
      ([room]) =>
        room.x >= area.x + 2 &&
        room.x + room.width <= area.x + area.width - 2 &&
        room.y >= area.y + 2 &&
        room.y + room.height <= area.y + area.height - 2 &&
        !taken.some((one) => meets(one, room)),
    );
    if (!place) continue;
    const [room, anchor] = place;
    taken.push(room);
    const x = anchor === "start" ? room.x : anchor === "end" ? room.x + width : room.x + width / 2;
    const words = (text: string, y: number, weight: number, fill: string) =>
      texts.push({
        ...{
          kind: "text",
          at: { x, y },
          text,
          size: SIZE,
          weight,
          anchor,
          fill,
          halo: theme.background,
          of: TOPOLOGY + at,
        },
      });
    words(name, room.y + 10, 600, theme.text);
    if (value !== "") words(value, room.y + 23, 400, theme.muted);
  }
  return texts;
}
