/** The treemap: groups with headings, what they hold as rectangles that are divided by state. Pure. */
import type { TreemapContent } from "../../src/protocol/treemap";
import { TEXT_SIZE as SIZE } from "../kit/axis";
import { type Box, type DrawView, type Fact, type Mark, type Shape } from "../kit/stage/scene";
import { formatShare } from "../../src/model/units";
import type { Theme } from "../kit/theme/theme";
import { fitName, type Measure, visible } from "../shared/text";
import { type Named, nodeName, shareText } from "./describe";
import { HEADING, type PlacedNode, placeTreemap } from "./treemapLayout";

const NAME = 12;
const INSET = 5;
const LINE = 14;
const BESIDE = 4;
/** Smaller rectangles have no text. */
const LEAST = { width: 34, height: 16 } as const;
/** Parts of a rectangle that are not so large are drawn as its largest one. */
const LEAST_PART = 1.5;
/** Parts' numbers are beyond those of all nodes. */
const PARTS_FROM = 100_000;
const MOST_PARTS = 64;

export interface DrawnTreemap {
  readonly marks: readonly Mark[];
  readonly texts: readonly Shape[];
  readonly placed: readonly PlacedNode[];
}

/** What is drawn of a hierarchy. */
export type DrawnTree = Named & {
  readonly nodes: Pick<TreemapContent["nodes"], "id" | "parent" | "isClosed">;
};

/** @param fillOf a part of a node @param factsOf a node */
export function drawTreemap(
  content: DrawnTree,
  area: Box,
  fillOf: (part: number, node: number) => string,
  factsOf: (node: number) => Fact[],
  view: DrawView,
): DrawnTreemap {
  const placed = placeTreemap(content, area);
  const numbers = numbersOfMany(content);
  const marks: Mark[] = [];
  const texts: Shape[] = [];
  for (const one of placed) {
    if (content.nodes.isClosed[one.node] === 0) {
      if (one.heading > 0) marks.push(headingMark(content, one, factsOf, texts, view));
      continue;
    }
    leafMarks(content, one, fillOf, factsOf, marks, texts, view, numbers[one.node]);
  }
  return { marks, texts, placed };
}

function headingMark(
  content: DrawnTree,
  { node, box }: PlacedNode,
  factsOf: (node: number) => Fact[],
  texts: Shape[],
  { theme, measure }: DrawView,
): Mark {
  // Frames are beside the text, not across it.
  const heading: Box = { x: box.x - BESIDE, y: box.y, width: box.width + BESIDE, height: HEADING };
  const wide = measure(NAME, 600);
  const name = fitName(nodeName(content, node), box.width - 4, wide);
  const at = { x: box.x, y: box.y + 11 };
  if (name !== "") texts.push({ kind: "text", at, text: name, size: NAME, weight: 600, fill: theme.text, of: node });
  const left = box.x + wide(name) + 8;
  const [value, share] = shareText(content, node);
  const said = [`${value} · ${share}`, value].find((text) => left + measure(SIZE)(text) <= box.x + box.width);
  if (name !== "" && said !== undefined)
    texts.push({ kind: "text", at: { x: left, y: at.y }, text: said, size: SIZE, fill: theme.muted, of: node });
  return {
    id: node,
    key: `node ${content.nodes.id[node]}`,
    box: heading,
    name: nodeName(content, node),
    paint: {},
    facts: () => factsOf(node),
  };
}

function leafMarks(
  content: DrawnTree,
  { node, box, parts, value }: PlacedNode,
  fillOf: (part: number, node: number) => string,
  factsOf: (node: number) => Fact[],
  marks: Mark[],
  texts: Shape[],
  { theme, measure }: DrawView,
  numberOfMany: string | undefined,
): void {
  const [first] = parts;
  const key = `node ${content.nodes.id[node]}`;
  const name = nodeName(content, node);
  const fill = fillOf(first?.part ?? 0, node);
  marks.push({ id: node, key, box, name, paint: paintOf(fill, theme), facts: () => factsOf(node) });
  const seen = parts
    .slice(1, MOST_PARTS)
    .filter((part) => part.box.width >= LEAST_PART && part.box.height >= LEAST_PART);
  for (const part of seen)
    marks.push({
      id: PARTS_FROM + node * MOST_PARTS + parts.indexOf(part),
      key: `${key} ${part.part}`,
      within: node,
      isPassive: true,
      box: part.box,
      name: visible(content.parts[part.part]) || "unnamed",
      paint: paintOf(fillOf(part.part, node), theme),
      facts: () => factsOf(node),
    });
  const room = first?.box ?? box;
  const [wide, high] = [room.width - 2 * INSET + 2, room.height];
  if (room.width < LEAST.width || high < LEAST.height) return;
  const ink = theme.ink(fill);
  const line = (text: string, y: number, weight?: number) =>
    texts.push({
      kind: "text",
      at: { x: room.x + INSET - 1, y },
      text,
      size: SIZE,
      fill: ink,
      of: node,
      ...(weight === undefined ? {} : { weight }),
    });
  const top = room.y + 12;
  const said = namedIn(name, wide, measure(SIZE, 600), numberOfMany);
  const share = first && value > 0 ? formatShare(first.value / value) : "";
  const amount = content.parts.length > 1 ? share : shareText(content, node)[0];
  // The value goes last: it is written wherever there is room for two lines.
  if (said !== "") line(said, top, 600);
  const hasAmount = measure(SIZE)(amount) <= wide && high >= LINE + LEAST.height;
  if (hasAmount) line(amount, high >= 3.4 * LINE ? room.y + high - 5 : top + LINE);
  if (content.parts.length > 1 && first && high >= 3.4 * LINE) {
    const state = namedIn(visible(content.parts[first.part]), wide, measure(SIZE));
    if (state !== "") line(state, top + LINE);
  }
}

function paintOf(fill: string, theme: Theme): Mark["paint"] {
  const stroke = theme.edgeOf(fill);
  return stroke === undefined ? { fill } : { fill, stroke, strokeWidth: 0.75 };
}

/** Characters of a cut name, and of a name without its scopes. Neighbours stay different. */
const MIN_CUT = 12;
const MIN_BARE = 6;
/** One of many: `rank 12`, `griffon-12`. In `_mm_loadu_si128` the number names nothing. */
const NUMBERED = /^(\p{L}+[ #-])(\d{1,9})$/u;

/** The number of each node of whose siblings at least half have its name: the number alone names it then, not `oddLoop 1` among functions. */
function numbersOfMany(content: DrawnTree): (string | undefined)[] {
  const { parent } = content.nodes;
  const found = Array.from(parent, (_, node) => NUMBERED.exec(nodeName(content, node)));
  const siblings = new Map<number, number>();
  const alike = new Map<string, number>();
  const keyOf = (node: number) => `${parent[node]} ${found[node]?.[1]}`;
  for (let node = 0; node < parent.length; node++) {
    siblings.set(parent[node], (siblings.get(parent[node]) ?? 0) + 1);
    alike.set(keyOf(node), (alike.get(keyOf(node)) ?? 0) + 1);
  }
  return found.map((match, node) =>
    2 * (alike.get(keyOf(node)) ?? 0) >= (siblings.get(parent[node]) ?? 0) ? match?.[2] : undefined,
  );
}

function namedIn(name: string, room: number, measure: Measure, numberOfMany?: string): string {
  if (measure(name) <= room) return name;
  if (numberOfMany !== undefined && measure(numberOfMany) <= room) return numberOfMany;
  const cut = fitName(name, room, measure);
  if (cut.length >= MIN_CUT) return cut;
  const bare = cut.replace(/^…::/, "");
  return bare.length >= MIN_BARE && name.endsWith(`::${bare}`) ? bare : "";
}
