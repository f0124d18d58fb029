/** Contexts as circles, calls as curves, and beside each context when it was active and how much of that is in the window. Pure. */
import { linkHorizontal } from "d3-shape";
import { type ApplicationContent, type ApplicationNode, eventKinds } from "../../src/protocol/application";
import { kindFill } from "../kit/kinds";
import {
  circle,
  type DrawView,
  type Mark,
  type Paint,
  type Point,
  type Scene,
  type Shape,
  standsBack,
} from "../kit/stage/scene";
import type { SeenViewport } from "../kit/stage/viewport";
import { visible } from "../shared/text";
import { isActive, nodeFacts } from "./describe";
import { labelsOf } from "./labels";
import { type Placed, placedNodes } from "./sight";

/** Diameters of the heaviest context and of the lightest; what a ring is away. */
const LARGEST = 24;
const SMALLEST = 4;
const RING = 3;
/** Widths of curves. */
const [THINNEST, WIDEST] = [0.75, 12];
/** Of kinds that stand back for those that are highlighted. */
const LEFT_OUT = 0.4;

export function draw(content: ApplicationContent, view: DrawView, seen?: SeenViewport): Scene {
  const { nodes } = content;
  const placed = placedNodes(content, view, seen);
  const radii = nodes.map((node, at) => radiusOf(node, content, placed.rooms[at]));
  const texts = labelsOf(content, placed, radii, view);
  return {
    below: [
      ...nodes.flatMap((node, at) => (node.parent < 0 ? [] : [curve(content, placed, at, view)])),
      ...placed.folded.flatMap((point, at) => (point ? foldedShapes(content, placed.at[at], point, at, view) : [])),
      ...nodes.flatMap((node, at) => (isActive(node) ? [ring(placed.at[at], radii[at], at, view)] : [])),
    ],
    marks: nodes.map((node, at) => markOf(content, node, at, placed.at[at], radii[at], view)),
    above: texts.shapes,
    signs: texts.signs,
    move: (from, key) => moved(nodes, from, key),
  };
}

/** Areas are in proportion to inclusive values, as far as circles of one column do not touch. */
function radiusOf({ inclusive }: ApplicationNode, content: ApplicationContent, room: number): number {
  const diameter = Math.max(SMALLEST, LARGEST * Math.sqrt(shareOf(content, inclusive)));
  return Math.max(SMALLEST, Math.min(diameter, room - 1)) / 2;
}

function shareOf({ total }: ApplicationContent, value: number): number {
  return total > 0 ? Math.min(1, Math.max(0, value / total)) : 0;
}

/** A small circle for all callees that are not drawn. */
function foldedShapes(content: ApplicationContent, from: Point, to: Point, of: number, { theme }: DrawView): Shape[] {
  const strokeWidth = linkWidth(content, content.nodes[of].folded.value);
  const box = { x: to.x - SMALLEST / 2, y: to.y - SMALLEST / 2, width: SMALLEST, height: SMALLEST };
  return [
    { kind: "path", d: curveOf({ source: from, target: to }) ?? "", stroke: theme.flowInk, strokeWidth, of },
    { kind: "path", d: circle(box), fill: theme.background, stroke: theme.outline, strokeWidth: 1, of },
  ];
}

function linkWidth(content: ApplicationContent, value: number): number {
  return Math.max(THINNEST, WIDEST * shareOf(content, value));
}

const curveOf = linkHorizontal<{ source: Point; target: Point }, Point>()
  .x(({ x }) => x)
  .y(({ y }) => y);

function curve(content: ApplicationContent, { at: points }: Placed, at: number, { theme }: DrawView): Shape {
  const { parent, inclusive } = content.nodes[at];
  const d = curveOf({ source: points[parent], target: points[at] }) ?? "";
  return { kind: "path", d, stroke: theme.flowInk, strokeWidth: linkWidth(content, inclusive), of: at };
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
    fill: kindFill(eventKinds[kind], theme),
    stroke: theme.edge ?? theme.outline,
    strokeWidth: 1,
    ...(standsBack(view, eventKinds[kind]) ? { fillOpacity: LEFT_OUT } : {}),
  };
  return {
    id: at,
    key: `${context}`,
    box,
    isRound: true,
    d: circle(box),
    paint,
    name: visible(name),
    note: () =>
      [content.metric, content.over]
        .filter((text) => text !== "")
        .map(visible)
        .join(", "),
    facts: () => nodeFacts(content, at),
  };
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
