/** The topology: squares, diamonds and circles, as large as what they are of, filled by what was used of it, and lines between them. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import { edgeKinds, TOPOLOGY, type TreemapContent } from "../../src/protocol/treemap";
import { type Box, type DrawView, type Mark, meets, type Scene, type Shape } from "../kit/stage/scene";
import { type Viewport } from "../kit/stage/viewport";
import type { Theme } from "../kit/theme/theme";
import { fitName } from "../shared/text";
import { markFacts, markName, usedShare } from "./describe";
import { EDGES, edgePaint, fillId, markKey, MOST_FILLS, pinKey, SMALL } from "./markLook";
import { plainMarks } from "./plainMarks";
import { CIRCLE, outlineOf, partPath, pathOf } from "./shapeOutlines";

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

/** Lines between marks. */
export interface DrawnEdges {
  /** By line: the marks at both ends, and its width. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly width: Float64Array;
  /** By mark: its middle. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export interface DrawnTopology extends Pick<Scene, "marks" | "paintMarks"> {
  readonly texts: readonly Shape[];
  readonly edges: DrawnEdges;
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
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return values.length === 0 ? [0, 0] : [least, most];
}

/** Where marks are, in pixels. @param pins by key, in the layout's lengths */
export function placedMarks(
  content: TreemapContent,
  { scale, x, y }: Viewport,
  pins: ReadonlyMap<string, readonly [number, number]>,
): Box[] {
  const { marks } = content;
  const most = [0, 0, 0];
  marks.size.forEach((size, at) => {
    if (size > most[marks.shape[at]]) most[marks.shape[at]] = size;
  });
  const largest = Math.min(LARGEST, scale * FILLED);
  return Array.from(marks.node, (_, at): Box => {
    const pin = pins.size > 0 ? pins.get(pinKey(content, at)) : undefined;
    const left = pin ? pin[0] : marks.x[at];
    const top = pin ? pin[1] : marks.y[at];
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
  const isIn = Uint8Array.from(boxes, (box) => Number(isInside(box, area)));
  const seen = [...boxes.keys()].filter((at) => isIn[at] === 1);
  const isMany = boxes.length > MANY;
  return {
    ...(isMany
      ? plainMarks(content, boxes, seen, fills, theme)
      : { marks: seen.flatMap((at) => markAt(content, at, boxes[at], fills, theme)) }),
    texts: boxes.length > NEVER ? [] : labels(content, area, boxes, seen, view),
    edges: edgesBetween(content, boxes, isIn),
  };
}

function isInside(box: Box, area: Box): boolean {
  return meets(box, area) && box.x >= area.x && box.x + box.width <= area.x + area.width;
}

/** Those with an end in sight. */
function edgesBetween({ edges }: TreemapContent, boxes: readonly Box[], isIn: Uint8Array): DrawnEdges {
  const weightOf = (at: number) => (edges.bytes[at] >= 0 ? edges.bytes[at] : edges.together[at]);
  const heaviest = edges.from.reduce((most, _, at) => Math.max(most, weightOf(at)), 0);
  const seen: number[] = [];
  edges.from.forEach((from, at) => {
    if (isIn[from] === 1 || isIn[edges.to[at]] === 1) seen.push(at);
  });
  const widthOf = (at: number) => {
    const isWeighed = edgeKinds[edges.of[at]] === "messages" && heaviest > 0;
    return isWeighed ? Math.max(0.75, WIDEST * Math.sqrt(weightOf(at) / heaviest)) : 1;
  };
  return {
    from: Int32Array.from(seen, (at) => edges.from[at]),
    to: Int32Array.from(seen, (at) => edges.to[at]),
    width: Float64Array.from(seen, widthOf),
    x: Float64Array.from(boxes, ({ x, width }) => x + width / 2),
    y: Float64Array.from(boxes, ({ y, height }) => y + height / 2),
  };
}

function markAt(content: TreemapContent, at: number, box: Box, fills: readonly string[], theme: Theme): Mark[] {
  const { marks, fills: by, states, stateSeconds } = content;
  const shape = marks.shape[at];
  const id = TOPOLOGY + at;
  const key = markKey(content, at);
  const [d, outline] = [pathOf(shape, box), outlineOf(shape, box)];
  const outer: Mark = {
    ...{ id, key, box, name: markName(content, at), facts: () => markFacts(content, at) },
    paint: edgePaint(theme, EDGES[box.width < SMALL ? 0 : 1]),
    ...(d === undefined ? {} : { d }),
    ...(outline ? { outline } : {}),
    ...(shape === CIRCLE ? { isRound: true } : {}),
  };
  const inner: Mark[] = [];
  const fill = (number: number, from: number, to: number, color: string) => {
    if (!(to > from)) return;
    inner.push({
      ...{ id: fillId(at, number), key: `${key} ${number}`, within: id, isPassive: true, box },
      ...{ d: partPath(shape, box, from, to), name: outer.name, paint: { fill: color }, facts: () => [] },
    });
  };
  const share = usedShare(content, at);
  const seconds = Array.from(states.keys(), (state) => stateSeconds[at * states.length + state]);
  const all = seconds.reduce((sum, one) => sum + one, 0);
  if (by[shape] === "states" && all > 0) {
    const order = [...states.keys()].filter((state) => seconds[state] > 0).sort((a, b) => seconds[b] - seconds[a]);
    let from = 0;
    order.slice(0, MOST_FILLS).forEach((state, number) => {
      const to = from + seconds[state] / all;
      fill(number, from, to, fills[state] ?? theme.faint);
      from = to;
    });
  } else if (share > 0) fill(0, Math.max(0, 1 - share), 1, theme.heat(Math.min(1, share)));
  return [outer, ...inner];
}

/** What it is as large as, else how much of the window it was used. */
function valueText({ marks, sizeUnits }: TreemapContent, at: number): string {
  if (marks.size[at] >= 0) return formatValue(marks.size[at], sizeUnits[marks.shape[at]]);
  return marks.share[at] >= 0 ? formatShare(marks.share[at]) : "";
}

/** Names beside marks, largest first, wherever nothing is in their way. */
function labels(
  content: TreemapContent,
  area: Box,
  boxes: readonly Box[],
  seen: readonly number[],
  { theme, measure }: DrawView,
): Shape[] {
  const taken = seen.map((at) => boxes[at]);
  const order = seen.filter((at) => boxes[at].width >= 8);
  order.sort((a, b) => boxes[b].width - boxes[a].width || a - b);
  const texts: Shape[] = [];
  for (const at of order) {
    const box = boxes[at];
    const name = fitName(markName(content, at), 110, measure(SIZE, 600));
    if (name === "") continue;
    const value = valueText(content, at);
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
