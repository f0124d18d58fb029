/** Flows on a canvas, for graphs with more marks than elements can be drawn for. */
import type { GraphMessage } from "../../src/protocol/superGraph";
import { html } from "../shared/dom";
import type { Theme } from "../shared/theme";
import type { Emphasis } from "./drawing";
import { drawEdges, drawRibbon, type Ribbon } from "./ribbon";
import type { Scene } from "./scene";

const LINE_WIDTH = 0.75;
/** Dots of the screen: where less shows between the edges of a flow, its area has no colour of its own. */
const UNSEEN = 0.5;

export class FlowCanvas {
  readonly element = html("canvas", { class: "flow-canvas", "aria-hidden": "true" });
  private flows: readonly (Ribbon | undefined)[] = [];
  /** Made when the pointer comes near. */
  private paths = new Map<Ribbon, Path2D>();

  update(graph: GraphMessage, scene: Scene, theme: Theme, { selected, pointed, found }: Emphasis): void {
    const { element } = this;
    const dots = window.devicePixelRatio || 1;
    element.width = Math.round(scene.width * dots);
    element.height = Math.round(scene.height * dots);
    this.show(scene.flows);
    const context = element.getContext("2d");
    if (!context) return;
    context.setTransform(dots, 0, 0, dots, 0, 0);
    const brush = new Brush(context, theme, dots);
    const isNear = (bar: number) => bar === selected || bar === pointed;
    // What belongs to the selection lies on top.
    for (const near of [false, true]) {
      scene.flows.forEach((ribbon, flow) => {
        const { source, target } = graph.flows[flow];
        if (!ribbon || (isNear(source) || isNear(target)) !== near) return;
        brush.draw(ribbon, near, found && !found.has(source) && !found.has(target) ? 0.25 : 1);
      });
    }
    brush.finish();
  }

  /** What is still seen is of another graph: no flow of this one is there. */
  forget(): void {
    this.show([]);
  }

  clear(): void {
    this.show([]);
    this.element.width = 0;
  }

  /** The flow at a point of the drawing, the one on top where there are several. */
  flowAt(x: number, y: number): number | undefined {
    const context = this.element.getContext("2d");
    if (!context) return undefined;
    const dots = window.devicePixelRatio || 1;
    for (let flow = this.flows.length - 1; flow >= 0; flow--) {
      const ribbon = this.flows[flow];
      if (ribbon && context.isPointInPath(this.pathOf(ribbon), x * dots, y * dots)) return flow;
    }
    return undefined;
  }

  private show(flows: readonly (Ribbon | undefined)[]): void {
    this.flows = flows;
    this.paths.clear();
  }

  private pathOf(ribbon: Ribbon): Path2D {
    let path = this.paths.get(ribbon);
    if (!path) {
      path = new Path2D();
      drawRibbon(ribbon, path);
      this.paths.set(ribbon, path);
    }
    return path;
  }
}

/** Draws flows in the order given. Most are a line's width, and lines of one kind are drawn together. */
class Brush {
  private hasLines = false;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly theme: Theme,
    private readonly dots: number,
  ) {
    context.lineWidth = LINE_WIDTH;
    context.strokeStyle = theme.flowEdge;
  }

  draw(ribbon: Ribbon, near: boolean, opacity: number): void {
    const { context, theme } = this;
    const isLine = !near && (ribbon.thickness - LINE_WIDTH) * this.dots < UNSEEN;
    if (!isLine || context.globalAlpha !== opacity) this.finish();
    context.globalAlpha = opacity;
    if (isLine) {
      if (!this.hasLines) context.beginPath();
      this.hasLines = true;
      return drawEdges(ribbon, context);
    }
    context.beginPath();
    drawRibbon(ribbon, context);
    context.fillStyle = near ? theme.flowNear : theme.flow;
    context.fill();
    context.stroke();
  }

  /** Draws the lines that wait for others. */
  finish(): void {
    if (this.hasLines) this.context.stroke();
    this.hasLines = false;
  }
}
