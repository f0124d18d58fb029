/** Thousands of lines between marks, on a canvas; those of what is selected or pointed at on a second one, in heat. */
import { html } from "../shared/dom";
import { clearCanvas } from "../kit/stage/painters";
import {
  type DrawView,
  type Emphasis,
  type Layer,
  type Point,
  rounded,
  type Scene,
  type Shape,
} from "../kit/stage/scene";
import { TOPOLOGY } from "../../src/protocol/treemap";
import type { DrawnEdges } from "./topologyDrawing";

export interface EdgeScene extends Scene {
  readonly edges?: DrawnEdges | undefined;
}

/** Where flows are as strong as these, position on the ramp. */
const NEAR = 0.62;
/** Part of the way to the middle of a ring that a line bends. */
const BENT = 0.45;
/** Lines in one path: one of thousands that cross each other takes far longer than its pieces do. */
const PIECE = 64;

export class EdgeLayer implements Layer {
  readonly element: HTMLElement;
  private readonly all = html("canvas", { "aria-hidden": "true" });
  private readonly near = html("canvas", { "aria-hidden": "true" });
  private drawn: { readonly scene: EdgeScene; readonly view: DrawView } | undefined;

  constructor() {
    this.element = html("div", { class: "layer" }, this.all, this.near);
  }

  draw(scene: EdgeScene | undefined, view: DrawView): void {
    this.drawn = scene && { scene, view };
    const context = clearCanvas(this.all, view);
    if (context && scene?.edges) stroke(context, scene.edges, byWidth(scene.edges), view.theme.flowInk, 0);
  }

  emphasise({ selected, pointed }: Emphasis): void {
    if (!this.drawn) return;
    const { scene, view } = this.drawn;
    const { edges } = scene;
    const ends = [selected, pointed].flatMap((mark) =>
      mark === undefined || mark < TOPOLOGY ? [] : [mark - TOPOLOGY],
    );
    // An empty canvas that is cleared again is drawn again.
    this.near.hidden = !edges || ends.length === 0;
    const context = edges && ends.length > 0 ? clearCanvas(this.near, view) : undefined;
    if (!context || !edges) return;
    const near = byWidth(edges, (at) => ends.includes(edges.from[at]) || ends.includes(edges.to[at]));
    stroke(context, edges, near, view.theme.heat(NEAR), 0.75);
  }

  shapes({ edges }: EdgeScene, view: DrawView): Shape[] {
    if (!edges) return [];
    const { from, to, x, y } = edges;
    const point = (at: Point) => `${rounded(at.x)},${rounded(at.y)}`;
    const middle = (mark: number) => point({ x: x[mark], y: y[mark] });
    const way = (at: number) => {
      const knee = kneeOf(edges, at);
      return `M${middle(from[at])}${knee ? `Q${point(knee)} ` : "L"}${middle(to[at])}`;
    };
    return byWidth(edges).map(([width, lines]): Shape => ({
      kind: "path",
      d: lines.map(way).join(""),
      stroke: view.theme.flowInk,
      strokeWidth: width,
    }));
  }
}

/** The control point of a line that bends. */
function kneeOf({ from, to, x, y, bend }: DrawnEdges, line: number): Point | undefined {
  if (!bend) return undefined;
  const [a, b] = [from[line], to[line]];
  const towards = (one: number, other: number, middle: number) =>
    (one + other) / 2 + (middle - (one + other) / 2) * BENT;
  return { x: towards(x[a], x[b], bend.x), y: towards(y[a], y[b], bend.y) };
}

/** Lines of each width, the lightest first: what weighs more lies on top. */
function byWidth(edges: DrawnEdges, isWanted?: (line: number) => boolean): [width: number, lines: number[]][] {
  const groups = new Map<number, number[]>();
  edges.width.forEach((own, at) => {
    if (isWanted?.(at) === false) return;
    const width = Math.max(0.5, Math.round(own * 2) / 2);
    const group = groups.get(width);
    if (group) group.push(at);
    else groups.set(width, [at]);
  });
  return [...groups].sort(([a], [b]) => a - b);
}

function stroke(
  context: CanvasRenderingContext2D,
  edges: DrawnEdges,
  groups: readonly (readonly [width: number, lines: readonly number[]])[],
  colour: string,
  wider: number,
): void {
  const { from, to, x, y } = edges;
  context.strokeStyle = colour;
  for (const [width, lines] of groups) {
    context.lineWidth = width + wider;
    for (let first = 0; first < lines.length; first += PIECE) {
      context.beginPath();
      for (let at = first; at < Math.min(lines.length, first + PIECE); at++) {
        context.moveTo(x[from[lines[at]]], y[from[lines[at]]]);
        const [endX, endY] = [x[to[lines[at]]], y[to[lines[at]]]];
        const knee = kneeOf(edges, lines[at]);
        if (knee) context.quadraticCurveTo(knee.x, knee.y, endX, endY);
        else context.lineTo(endX, endY);
      }
      context.stroke();
    }
  }
}
