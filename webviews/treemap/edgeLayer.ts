/** Thousands of lines between marks, on a canvas; those of what is selected or pointed at on a second one, in heat. */
import { html } from "../shared/dom";
import { clearCanvas, paint } from "../kit/stage/painters";
import type { DrawView, Emphasis, Layer, Scene, Shape } from "../kit/stage/scene";
import { TOPOLOGY } from "../../src/protocol/treemap";
import { type DrawnEdge, WIDEST } from "./topologyDrawing";

export interface EdgeScene extends Scene {
  readonly edges?: readonly DrawnEdge[];
}

/** Where flows are as strong as these, position on the ramp. */
const NEAR = 0.62;
const PLAIN = 0.3;

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
    if (context && scene) paint(context, this.shapes(scene, view), view.theme.font);
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
    paint(
      context,
      lines(near, () => view.theme.heat(NEAR), 0.75),
      view.theme.font,
    );
  }

  shapes(scene: EdgeScene, { theme }: DrawView): Shape[] {
    const plain = theme.isHighContrast ? theme.outline : theme.faded(theme.text, PLAIN);
    return lines(
      scene.edges ?? [],
      (width) => (width > 1 && !theme.isHighContrast ? theme.flow(width / WIDEST) : plain),
      0,
    );
  }
}

/** One path for each width. */
function lines(edges: readonly DrawnEdge[], stroke: (width: number) => string, wider: number): Shape[] {
  const paths = new Map<number, string[]>();
  for (const { from, to, width } of edges) {
    const rounded = Math.max(0.5, Math.round(width * 2) / 2);
    const path = paths.get(rounded) ?? [];
    paths.set(rounded, path);
    path.push(`M${from.x.toFixed(1)},${from.y.toFixed(1)}L${to.x.toFixed(1)},${to.y.toFixed(1)}`);
  }
  // The lightest first: what weighs more lies on top.
  return [...paths]
    .sort(([a], [b]) => a - b)
    .map(([width, path]): Shape => ({
      kind: "path",
      d: path.join(""),
      stroke: stroke(width),
      strokeWidth: width + wider,
    }));
}
