/** Boxes in boxes, as hot as they were used, and lines between those that data went between. Pure. */
import { largestIn, smallestIn } from "../../src/model/longLists";
import { formatValue } from "../../src/model/units";
import type { HardwareBox, HardwareContent, HardwareLine } from "../../src/protocol/hardware";
import { TEXT_SIZE as SIZE } from "../kit/axis";
import type { Box, DrawView, Mark, Paint, Point, Scene, Shape } from "../kit/stage/scene";
import type { SeenViewport } from "../kit/stage/viewport";
import { highlightFrame } from "../kit/highlight";
import type { Theme } from "../kit/theme/theme";
import { cutName, fitName, type Measure, visible } from "../shared/text";
import { boxFacts, lineFacts, lineName, systemShares, useWordings } from "./describe";
import { HEADER } from "./layout";
import { placedBoxes } from "./sight";

/** Lower boxes, and narrower ones, have no text; pixels. */
const LOWEST = 12;
const NARROWEST = 24;
/** Two lines of text need so much. */
const TWO_LINES = 32;
const LINE = 14;
const INSET = 5;
/** A cut name has so many characters at least. */
const FEWEST = 6;
/** Lines are as wide as they take data, the widest so wide; where some pass behind other boxes, all of them are narrower. */
const WIDEST = 7;
const WIDEST_BEHIND = 2;
const THIN = 1;
/** Parts of the text's colour, from idle to always busy. */
const GREYS = { least: 0.14, most: 0.75 } as const;
const PILL = { height: 17, inset: 6 } as const;

export function draw(content: HardwareContent, view: DrawView, seen?: SeenViewport): Scene {
  const { theme } = view;
  const { elements, links } = content;
  const boxes = placedBoxes(content, view, seen);
  const holds = new Uint8Array(elements.length);
  for (const { parent } of elements) if (parent >= 0) holds[parent] = 1;
  const lines = links.map((link) => lineBetween(boxes[link.from], boxes[link.to]));
  const fastest = Math.max(largestIn(links.map((link) => speedOf(link) ?? 0)), 0);
  const widest = links.some((link, at) => isHidden(link, lines[at], elements, boxes)) ? WIDEST_BEHIND : WIDEST;
  const isSystem = systemShares(content);
  const drawn = elements.map((element, at) => {
    const fill = element.share === null ? undefined : fillOf(element.share, isSystem[at], theme);
    return boxMark(content, element, at, boxes[at], { isHolder: holds[at] === 1, fill }, view);
  });
  const pills = links.flatMap((link, at) =>
    link.of === "topology"
      ? []
      : [
          pillMark(
            content,
            link,
            elements.length + at,
            lines[at],
            Math.min(boxes[link.from].width, boxes[link.to].width),
            view,
          ),
        ],
  );
  return {
    below: [
      ...boxes.map((box): Shape => ({ kind: "box", box, ...edged(theme.background, theme) })),
      ...links.map((link, at) => lineShape(link, lines[at], { fastest, widest }, view)),
    ],
    marks: [...drawn.map(({ mark }) => mark), ...pills],
    above: [
      ...drawn.flatMap(({ texts }) => texts),
      ...[...boxes.map((box, at) => ({ id: at, box })), ...pills]
        .filter(({ id }) => view.highlighted?.places.has(id))
        .map(({ box }) => highlightFrame(box, view)),
    ],
    move: (from, key) => moved(content, from, key),
  };
}

/** Heat of what the recording used; grey of what the system saw, whatever ran. */
export function fillOf(share: number, isSystem: boolean, theme: Theme): string {
  const part = Math.min(1, share);
  return isSystem ? theme.faded(theme.text, GREYS.least + (GREYS.most - GREYS.least) * part) : theme.heat(part);
}

/** A box that holds others is as hot as it was used at its top alone. */
function boxMark(
  content: HardwareContent,
  { name, share, by, kind, together, type }: HardwareBox,
  at: number,
  box: Box,
  { isHolder, fill: known }: { readonly isHolder: boolean; readonly fill: string | undefined },
  { theme, measure }: DrawView,
): { readonly mark: Mark; readonly texts: readonly Shape[] } {
  const part = isHolder ? { ...box, height: Math.min(HEADER, box.height / 3) } : box;
  // Lines pass behind boxes of which nothing is known, too.
  const fill = known ?? theme.background;
  const hasText = part.height >= LOWEST && part.width >= NARROWEST;
  const isBand = part.height < TWO_LINES;
  const room = part.width - 2 * INSET;
  const ink = share === null ? theme.text : theme.ink(fill);
  const isExpected = by !== null || ["machine", "core", "GPU", "hardware thread"].includes(kind);
  const wordings = isExpected ? useWordings({ share, by }) : [];
  const wide = measure(SIZE, isHolder ? 600 : undefined);
  const shown = hasText ? nameIn(visible(name), room, wide) : "";
  const text = (content_: string, x: number, y: number, more: Partial<Shape & { kind: "text" }> = {}): Shape => ({
    kind: "text",
    at: { x, y },
    text: content_,
    size: SIZE,
    fill: ink,
    of: at,
    ...more,
  });
  const baseline = isBand ? part.y + part.height / 2 + 4 : part.y + INSET + 10;
  const left = part.x + INSET;
  const behind = wide(shown) + 10;
  const texts: Shape[] = shown === "" ? [] : [text(shown, left, baseline, isHolder ? { weight: 600 } : {})];
  const isKnown = share !== null;
  if (shown !== "" && (!isBand || isKnown || isHolder)) {
    const use = wordings.find((one) => measure(SIZE)(one) <= (isBand ? room - behind : room));
    const muted = isKnown ? {} : { fill: theme.muted };
    if (use !== undefined)
      texts.push(text(use, isBand ? left + behind : left, isBand ? baseline : baseline + LINE, muted));
  }
  return {
    mark: {
      id: at,
      key: `${type} ${at} ${together}`,
      box,
      name: visible(name),
      paint: edged(fill, theme),
      ...(isHolder ? { d: outline(part) } : {}),
      facts: () => boxFacts(content, at),
    },
    texts,
  };
}

/** What tells a box from those beside it: both ends of its name, else the number at one of them. */
function nameIn(name: string, room: number, measure: Measure): string {
  if (measure(name) <= room) return name;
  const [count] = /^\d+(?= )/.exec(name) ?? [];
  const number = count ?? /\D(\d{1,9})$/.exec(name)?.[1] ?? "";
  const cut = count === undefined ? cutName(name, room, measure, () => true, FEWEST) : "";
  const begun = fitName(name, room, measure);
  if (cut !== "") return cut;
  return number !== "" && measure(number) <= room ? number : begun;
}

function edged(fill: string, { edge, outline }: Theme): Paint {
  return { fill, stroke: edge ?? outline, strokeWidth: 1 };
}

function outline({ x, y, width, height }: Box): string {
  return `M${x},${y}h${width}v${height}h${-width}Z`;
}

/** Bytes per second that a line takes, else that went over it while something did. */
function speedOf({ capacity, rate }: HardwareLine): number | null {
  return capacity ?? rate;
}

/** From edge to edge of two boxes. */
function lineBetween(a: Box, b: Box): readonly [Point, Point] {
  const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });
  const overlap = (from: number, to: number, other: number, until: number) =>
    Math.min(to, until) > Math.max(from, other) ? (Math.max(from, other) + Math.min(to, until)) / 2 : undefined;
  const clampTo = ({ x, y, width, height }: Box, to: Point): Point => ({
    x: Math.min(x + width, Math.max(x, to.x)),
    y: Math.min(y + height, Math.max(y, to.y)),
  });
  // Where they stand above or beside each other, straight across.
  const x = overlap(a.x, a.x + a.width, b.x, b.x + b.width);
  const y = overlap(a.y, a.y + a.height, b.y, b.y + b.height);
  const target = { x: x ?? middle(b).x, y: y ?? middle(b).y };
  const start = clampTo(a, target);
  const end = clampTo(b, { x: x ?? start.x, y: y ?? start.y });
  return [start, end];
}

/** Whether a line passes behind a box that holds neither of its ends. */
function isHidden(
  { from, to }: HardwareLine,
  line: readonly [Point, Point],
  elements: readonly HardwareBox[],
  boxes: readonly Box[],
): boolean {
  const around = new Set<number>();
  for (const end of [from, to]) for (let at = end; at >= 0; at = elements[at].parent) around.add(at);
  return boxes.some((box, at) => !around.has(at) && passes(line, box));
}

/** Whether a line goes through the inside of a box. */
function passes([a, b]: readonly [Point, Point], { x, y, width, height }: Box): boolean {
  let [first, last] = [0, 1];
  for (const [start, way, least, most] of [
    [a.x, b.x - a.x, x, x + width],
    [a.y, b.y - a.y, y, y + height],
  ]) {
    if (way === 0 && (start <= least || start >= most)) return false;
    if (way === 0) continue;
    const ends = [(least - start) / way, (most - start) / way];
    first = Math.max(first, smallestIn(ends));
    last = Math.min(last, largestIn(ends));
  }
  return first < last;
}

function lineShape(
  link: HardwareLine,
  [from, to]: readonly [Point, Point],
  { fastest, widest }: { readonly fastest: number; readonly widest: number },
  { theme }: DrawView,
): Shape {
  const speed = speedOf(link);
  const strokeWidth = speed === null || fastest === 0 ? THIN : Math.max(THIN, widest * Math.sqrt(speed / fastest));
  const stroke = link.share === null ? theme.flowInk : theme.heat(Math.min(1, link.share));
  return { kind: "path", d: `M${from.x},${from.y}L${to.x},${to.y}`, stroke, strokeWidth };
}

/** What went over a line in the window, in its middle. */
function pillMark(
  content: HardwareContent,
  link: HardwareLine,
  id: number,
  [from, to]: readonly [Point, Point],
  room: number,
  { theme, measure }: DrawView,
): Mark {
  const bytes = link.bytes === null ? "" : formatValue(link.bytes + (link.bytesBack ?? 0), "B");
  const wide = measure(SIZE)(bytes) + 2 * PILL.inset;
  // Beside each other, texts would lie on one another.
  const text = wide <= room ? bytes : "";
  const width = text === "" ? PILL.inset * 2 : wide;
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const fill = link.share === null ? theme.background : theme.heat(Math.min(1, link.share));
  return {
    id,
    key: `link ${link.from} ${link.to} ${link.of}`,
    name: lineName(content, link),
    box: { x: x - width / 2, y: y - PILL.height / 2, width, height: PILL.height },
    paint: edged(fill, theme),
    label: { kind: "text", at: { x, y: y + 4 }, text, size: SIZE, anchor: "middle", fill: theme.ink(fill) },
    facts: () => lineFacts(content, link),
  };
}

/** As in a tree: into a box and out of it, and along what lies beside it; lines come after the outermost boxes. */
function moved({ elements, links }: HardwareContent, from: number, key: string): number | undefined {
  const isPill = (link: number) => links[link].of !== "topology";
  const pills = [...links.keys()].filter(isPill).map((link) => elements.length + link);
  const inside = (parent: number) => [...elements.keys()].filter((at) => elements[at].parent === parent);
  const parent = from < elements.length ? elements[from].parent : -1;
  if (key === "ArrowUp") return parent < 0 ? from : parent;
  if (key === "ArrowDown") return from < elements.length ? (inside(from).at(0) ?? from) : from;
  const beside = [...inside(parent), ...(parent < 0 ? pills : [])];
  return beside.at(Math.max(0, beside.indexOf(from) + (key === "ArrowLeft" ? -1 : 1))) ?? from;
}
