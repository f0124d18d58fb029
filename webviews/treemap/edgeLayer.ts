/** Thousands of lines between marks, on a canvas; those of what is selected or pointed at on a second one, in heat. */
import { html } from "../shared/dom";
import { clearCanvas } from "../kit/stage/painters";
import { type DrawView, type Emphasis, type Layer, rounded, type Scene, type Shape } from "../kit/stage/scene";
import { TOPOLOGY } from "../../src/protocol/treemap";
import { type DrawnEdge, WIDEST } from "./topologyDrawing";

export interface EdgeScene extends Scene {
  readonly edges?: readonly DrawnEdge[];
}

/** Where flows are as strong as these, position on the ramp. */
const NEAR = 0.62;
const PLAIN = 0.3;
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
    clearCanvas(this.near, view);
    const context = clearCanvas(this.all, view);
    if (context && scene) stroke(context, scene.edges ?? [], plain(view), 0);
  }

  emphasise({ selected, pointed }: Emphasis): void {
    if (!this.drawn) return;
    const { scene, view } = this.drawn;
    const context = clearCanvas(this.near, view);
    const ends = [selected, pointed].flatMap((mark) =>
      mark === undefined || mark < TOPOLOGY ? [] : [mark - TOPOLOGY],
    );
    if (!context || ends.length === 0) return;
    const near = (scene.edges ?? []).filter(({ ends: own }) => own.some((end) => ends.includes(end)));
    stroke(context, near, () => view.theme.heat(NEAR), 0.75);
  }

  shapes(scene: EdgeScene, view: DrawView): Shape[] {
    const colour = plain(view);
    return byWidth(scene.edges ?? []).map(([width, edges]): Shape => ({
      kind: "path",
      d: edges
        .map(({ from, to }) => `M${rounded(from.x)},${rounded(from.y)}L${rounded(to.x)},${rounded(to.y)}`)
        .join(""),
      stroke: colour(width),
      strokeWidth: width,
    }));
  }
}

function plain({ theme }: DrawView): (width: number) => string {
  const colour = theme.isHighContrast ? theme.outline : theme.faded(theme.text, PLAIN);
  return (width) => (width > 1 && !theme.isHighContrast ? theme.flow(width / WIDEST) : colour);
}

/** The lightest first: what weighs more lies on top. */
function byWidth(edges: readonly DrawnEdge[]): [width: number, edges: DrawnEdge[]][] {
  const groups = new Map<number, DrawnEdge[]>();
  for (const edge of edges) {
    const width = Math.max(0.5, Math.round(edge.width * 2) / 2);
    const group = groups.get(width);
    if (group) group.push(edge);
    else groups.set(width, [edge]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

function stroke(
  context: CanvasRenderingContext2D,
  edges: readonly DrawnEdge[],
  colour: (width: number) => string,
  wider: number,
): void {
  for (const [width, lines] of byWidth(edges)) {
    context.strokeStyle = colour(width);
    context.lineWidth = width + wider;
    for (let first = 0; first < lines.length; first += PIECE) {
      context.beginPath();
      for (const { from, to } of lines.slice(first, first + PIECE)) {
        context.moveTo(from.x, from.y);
        context.lineTo(to.x, to.y);
      }
      context.stroke();
    }
  }
}
