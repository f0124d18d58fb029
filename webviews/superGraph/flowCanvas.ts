/** Flows on a canvas, where there are more of them than the browser draws as elements while nobody waits. */
import type { GraphMessage } from "../../src/protocol/superGraph";
import { html } from "../shared/dom";
import type { Theme } from "../shared/theme";
import type { Emphasis } from "./barElement";
import { drawLines, drawRibbon, gapTo, type Ribbon } from "./ribbon";
import { Remembered } from "./remembered";
import type { Scene } from "./scene";

const EDGE_WIDTH = 0.75;
/** A flow that is not thicker is a line: between its edges less than half a pixel would show. */
const MOST_OF_A_LINE = 1.25;
/** Pixels from a flow within which the pointer still means it: most are thinner than a hand is steady. */
const REACH = 3;

export class FlowCanvas {
  readonly element = html("canvas", { class: "flow-canvas", "aria-hidden": "true" });
  /** Above it: what belongs to the selection and to what is pointed at, so that the others stay as they are. */
  readonly nearElement = html("canvas", { class: "near-canvas", "aria-hidden": "true" });
  private flows: readonly (Ribbon | undefined)[] = [];
  private readonly drawn = new Remembered();
  private readonly drawnNear = new Remembered();

  update(graph: GraphMessage, { flows, ...size }: Scene, theme: Theme, { selected, pointed, found }: Emphasis): void {
    this.flows = flows;
    const dots = window.devicePixelRatio || 1;
    const what = [flows, theme, found, size.width, size.height, dots];
    const draw = (element: HTMLCanvasElement, isDrawn: (flow: number) => boolean, near: boolean) => {
      const context = emptied(element, size, dots);
      if (!context) return false;
      const brush = new Brush(context, theme, dots);
      flows.forEach((ribbon, flow) => {
        if (!ribbon || !isDrawn(flow)) return;
        const { source, target } = graph.flows[flow];
        brush.draw(ribbon, near, found && !found.has(source) && !found.has(target) ? 0.25 : 1);
      });
      brush.finish();
      return true;
    };
    this.drawn.get(what, () => draw(this.element, () => true, false));
    const isNear = (bar: number) => bar === selected || bar === pointed;
    this.drawnNear.get([...what, selected, pointed], () => {
      const near = graph.flows.map(({ source, target }) => isNear(source) || isNear(target));
      if (near.includes(true)) return draw(this.nearElement, (flow) => near[flow], true);
      this.nearElement.width = 0;
      return true;
    });
  }

  /** @param opacity undefined: all of it is seen */
  fade(opacity: number | undefined): void {
    for (const { style } of [this.element, this.nearElement])
      style.opacity = opacity === undefined ? "" : String(opacity);
  }

  /** What is still seen is of another graph: no flow of this one is there. */
  forget(): void {
    this.flows = [];
  }

  clear(): void {
    this.flows = [];
    this.drawn.forget();
    this.drawnNear.forget();
    this.element.width = this.nearElement.width = 0;
  }

  /** The flow at a point of the drawing, the one on top where there are several; where there is none, the next above or below. */
  flowAt(x: number, y: number): number | undefined {
    let [nearest, least] = [undefined as number | undefined, REACH];
    for (let flow = this.flows.length - 1; flow >= 0 && least > 0; flow--) {
      const ribbon = this.flows[flow];
      const gap = ribbon && gapTo(ribbon, x, y);
      if (gap !== undefined && gap < least) [nearest, least] = [flow, gap];
    }
    return nearest;
  }
}

/**
 * A canvas at least of this size with nothing on it. One that is higher keeps its memory, which takes longer to get than flows
 * to draw: notes above the stage take room from it and give it back, and what is below its edge is not seen.
 */
function emptied(element: HTMLCanvasElement, size: { width: number; height: number }, dots: number) {
  const [width, height] = [Math.round(size.width * dots), Math.round(size.height * dots)];
  const context = element.getContext("2d");
  if (element.width !== width || element.height < height) Object.assign(element, { width, height });
  else {
    context?.setTransform(1, 0, 0, 1, 0, 0);
    context?.clearRect(0, 0, width, element.height);
  }
  context?.setTransform(dots, 0, 0, dots, 0, 0);
  return context;
}

/**
 * Draws flows in the order given. Most are a pixel's width, and such lines of one kind are drawn together. What is as wide as a
 * dot of the screen is drawn three times as fast as what is a little wider, so a pixel of several dots is as many lines.
 */
class Brush {
  private hasLines = false;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly theme: Theme,
    private readonly dots: number,
  ) {
    context.strokeStyle = theme.flowEdge;
  }

  draw(ribbon: Ribbon, near: boolean, opacity: number): void {
    const { context, theme, dots } = this;
    const isLine = !near && ribbon.thickness < MOST_OF_A_LINE;
    if (!isLine || context.globalAlpha !== opacity) this.finish();
    context.globalAlpha = opacity;
    if (isLine) {
      if (!this.hasLines) context.beginPath();
      this.hasLines = true;
      return drawLines(ribbon, Math.max(1, Math.round(dots)), 1 / dots, context);
    }
    context.beginPath();
    drawRibbon(ribbon, context);
    context.fillStyle = near ? theme.flowNear : theme.flow;
    context.fill();
    context.lineWidth = EDGE_WIDTH;
    context.stroke();
  }

  /** Draws the lines that wait for others. */
  finish(): void {
    this.context.lineWidth = 1 / this.dots;
    if (this.hasLines) this.context.stroke();
    this.hasLines = false;
  }
}
