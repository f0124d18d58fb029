/** The topology: squares, diamonds and circles, as large as what they are of, filled by what was used of it, and lines between them. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import { edgeKinds, TOPOLOGY, type TreemapContent } from "../../src/protocol/treemap";
import { type Box, type DrawView, type Mark, meets, type Point, type Scene, type Shape } from "../kit/stage/scene";
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
/** Room for names beside a ring. */
const RING_EDGE = { x: 72, y: 32 } as const;
const LABEL_LINE = 13;
const LABEL_GAP = 4;
/** Smaller marks of a ring are too near to each other for two lines. */
const CROWDED = 26;
/** Names of a ring stand at its sides, but near its top and foot above and below. */
const STEEP = 1.4;
/** Of a line, in pixels; among many lines. */
const WIDEST = 3;
const WIDEST_OF_MANY = 1.5;
const MANY_LINES = 64;
/** Frames of marks say how much stays within, as lines say what goes between. */
const FRAME = 3;
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
  /** Lines bend to this point. */
  readonly bend?: Point | undefined;
}

export interface DrawnTopology extends Pick<Scene, "marks" | "paintMarks"> {
  readonly texts: readonly Shape[];
  readonly frames: readonly Shape[];
  readonly edges: DrawnEdges;
}

/** Everything is in sight: from the layout's lengths to pixels. */
export function fittedViewport({ marks: { x, y }, isRing }: TreemapContent, area: Box): Viewport {
  const [left, right] = extent(x);
  const [top, bottom] = extent(y);
  const edge = isRing ? RING_EDGE : { x: EDGE, y: EDGE };
  const scale = Math.min(
    LARGEST / FILLED,
    (area.width - 2 * edge.x) / (right - left + 1),
    (area.height - 2 * edge.y) / (bottom - top + 1),
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
  { x, y }: Pick<Viewport, "x" | "y">,
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
    frames: isMany ? [] : framesOf(content, boxes, seen, theme),
    edges: edgesBetween(content, boxes, isIn, content.isRing ? { x, y } : undefined),
  };
}

function isInside(box: Box, area: Box): boolean {
  return meets(box, area) && box.x >= area.x && box.x + box.width <= area.x + area.width;
}

function weightOf({ edges }: TreemapContent, at: number): number {
  return edges.bytes[at] >= 0 ? edges.bytes[at] : edges.together[at];
}

/** Of lines, and of what stays within a mark. */
function heaviestIn(content: TreemapContent): number {
  const within = content.marks.within.reduce((most, one) => Math.max(most, one), 0);
  return content.edges.from.reduce((most, _, at) => Math.max(most, weightOf(content, at)), within);
}

/** Around marks with messages inside, in heat. */
function framesOf(content: TreemapContent, boxes: readonly Box[], seen: readonly number[], theme: Theme): Shape[] {
  const heaviest = heaviestIn(content);
  const { within } = content.marks;
  return seen.flatMap((at): Shape[] => {
    if (!(within[at] > 0)) return [];
    const { x, y, width, height } = boxes[at];
    const off = FRAME / 2 + 1;
    const box = { x: x - off, y: y - off, width: width + 2 * off, height: height + 2 * off };
    return [{ kind: "box", box, stroke: theme.heat(Math.sqrt(within[at] / heaviest)), strokeWidth: FRAME }];
  });
}

/** Those with an end in sight. */
function edgesBetween(
  content: TreemapContent,
  boxes: readonly Box[],
  isIn: Uint8Array,
  bend: Point | undefined,
): DrawnEdges {
  const { edges } = content;
  const heaviest = heaviestIn(content);
  const widest = edges.from.length > MANY_LINES ? WIDEST_OF_MANY : WIDEST;
  const seen: number[] = [];
  edges.from.forEach((from, at) => {
    if (isIn[from] === 1 || isIn[edges.to[at]] === 1) seen.push(at);
  });
  const widthOf = (at: number) => {
    const isWeighed = edgeKinds[edges.of[at]] === "messages" && heaviest > 0;
    return isWeighed ? Math.max(0.75, widest * Math.sqrt(weightOf(content, at) / heaviest)) : 1;
  };
  return {
    from: Int32Array.from(seen, (at) => edges.from[at]),
    to: Int32Array.from(seen, (at) => edges.to[at]),
    width: Float64Array.from(seen, widthOf),
    x: Float64Array.from(boxes, ({ x, width }) => x + width / 2),
    y: Float64Array.from(boxes, ({ y, height }) => y + height / 2),
    bend,
  };
}

function markAt(content: TreemapContent, at: number, box: Box, fills: readonly string[], theme: Theme): Mark[] {
  const { marks, fills: by, states, stateSeconds } = content;
  const shape = marks.shape[at];
  const id = TOPOLOGY + at;
  const key = markKey(content, at);
  const [d, outline] = [pathOf(shape, box), outlineOf(shape, box)];
  const outer: Mark = {
    id,
    key,
    box,
    name: markName(content, at),
    facts: () => markFacts(content, at),
    paint: edgePaint(theme, EDGES[box.width < SMALL ? 0 : 1]),
    ...(d === undefined ? {} : { d }),
    ...(outline ? { outline } : {}),
    ...(shape === CIRCLE ? { isRound: true } : {}),
  };
  const inner: Mark[] = [];
  const fill = (number: number, from: number, to: number, color: string) => {
    if (!(to > from)) return;
    inner.push({
      id: fillId(at, number),
      key: `${key} ${number}`,
      within: id,
      isPassive: true,
      box,
      d: partPath(shape, box, from, to),
      name: outer.name,
      paint: { fill: color },
      facts: () => [],
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

/** Names beside marks, largest first, wherever nothing is in their way; of a ring outside of it. */
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
  const isFree = (room: Box) =>
    room.x >= area.x + 2 &&
    room.x + room.width <= area.x + area.width - 2 &&
    room.y >= area.y + 2 &&
    room.y + room.height <= area.y + area.height - 2 &&
    !taken.some((one) => meets(one, room));
  for (const at of order) {
    const found = labelWordings(content, at, boxes[at], measure).flatMap(({ name, value, width, height }) => {
      const place = placesOf(boxes[at], { width, height }, content, at).find(({ room }) => isFree(room));
      return place ? [{ ...place, name, value }] : [];
    })[0];
    if (!found) continue;
    const { room, anchor, name, value } = found;
    taken.push({ ...room, x: room.x - LABEL_GAP, width: room.width + 2 * LABEL_GAP });
    const x = anchor === "start" ? room.x : anchor === "end" ? room.x + room.width : room.x + room.width / 2;
    const words = (text: string, y: number, weight: number, fill: string) =>
      texts.push({
        kind: "text",
        at: { x, y },
        text,
        size: SIZE,
        weight,
        anchor,
        fill,
        halo: theme.background,
        of: TOPOLOGY + at,
      });
    words(name, room.y + 10, 600, theme.text);
    if (value !== "") words(value, room.y + 23, 400, theme.muted);
  }
  return texts;
}

/** Name with value, then the name alone, then the number at its end. Small marks of a ring have no values, and numbers alone at its top and foot. */
function labelWordings(content: TreemapContent, at: number, { width: wide }: Box, measure: DrawView["measure"]) {
  const name = fitName(markName(content, at), 110, measure(SIZE, 600));
  const value = valueText(content, at);
  const number = /\D(\d{1,9})$/.exec(name)?.[1] ?? "";
  const isCrowded = content.isRing && wide < CROWDED;
  const wordings = [
    ...(isCrowded ? [] : [[name, value]]),
    ...(isCrowded && number !== "" && isStacked(content, at) ? [] : [[name, ""]]),
    [number, ""],
  ];
  return wordings.flatMap(([words, amount]) =>
    words === ""
      ? []
      : [
          {
            name: words,
            value: amount,
            height: amount === "" ? LABEL_LINE : 2 * LABEL_LINE,
            width: Math.max(measure(SIZE, 600)(words), measure(SIZE)(amount)),
          },
        ],
  );
}

interface LabelPlace {
  readonly room: Box;
  readonly anchor: "start" | "end" | "middle";
}

/** Right of a mark, left, below and above; on a ring first the side that looks outwards. */
function placesOf(
  { x, y, width: wide, height: high }: Box,
  { width, height }: Pick<Box, "width" | "height">,
  { marks, isRing }: Pick<TreemapContent, "marks" | "isRing">,
  at: number,
): LabelPlace[] {
  const [left, top] = [x + wide / 2 - width / 2, y + high / 2 - height / 2];
  const size = { width, height };
  const right: LabelPlace = { room: { ...size, x: x + wide + BESIDE, y: top }, anchor: "start" };
  const before: LabelPlace = { room: { ...size, x: x - BESIDE - width, y: top }, anchor: "end" };
  const below: LabelPlace = { room: { ...size, x: left, y: y + high + BESIDE }, anchor: "middle" };
  const above: LabelPlace = { room: { ...size, x: left, y: y - height - BESIDE }, anchor: "middle" };
  if (!isRing) return [right, before, below, above];
  const beside = marks.x[at] < 0 ? before : right;
  const stacked = marks.y[at] < 0 ? above : below;
  const corner: LabelPlace = {
    room: { ...beside.room, y: marks.y[at] < 0 ? y - height : y + high },
    anchor: beside.anchor,
  };
  return isStacked({ marks }, at) ? [stacked, beside, corner] : [beside, stacked, corner];
}

/** Whether a mark of a ring has its name above or below. */
function isStacked({ marks }: Pick<TreemapContent, "marks">, at: number): boolean {
  return Math.abs(marks.x[at]) * STEEP < Math.abs(marks.y[at]);
}
