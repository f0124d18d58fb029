/** Flows on a canvas, which draws thousands of them while nobody waits, and those of what is pointed at on a second one above it. */
import { clearCanvas, gradientOf } from "../kit/stage/painters";
import type { DrawView, Emphasis, Layer, Mark, Scene, Shape } from "../kit/stage/scene";
import { heatPosition, type Theme } from "../kit/theme/theme";
import { html } from "../shared/dom";
import { factsOfFlow, flowName, overText } from "./describe";
import { flowMark, markOf } from "./graph";
import { Remembered } from "./remembered";
import { drawLines, drawRibbon, gapTo, MOST_OF_A_LINE, type Ribbon, ribbonPath } from "./ribbon";
import { HAIRLINE, type Placed } from "./placed";
import type { GraphScene } from "./scene";

const EDGE_WIDTH = 0.75;
/** Pixels from a flow within which the pointer still means it: most are thinner than a hand is steady. */
const REACH = 3;
const LEFT_OUT = 0.25;

export class FlowCanvas implements Layer {
  readonly element: HTMLElement;
  private readonly all = html("canvas", { class: "flow-canvas", "aria-hidden": "true" });
  /** Above it: what belongs to the selection and to what is pointed at, so that the others stay as they are. */
  private readonly near = html("canvas", { class: "near-canvas", "aria-hidden": "true" });
  private readonly drawn = new Remembered();
  private readonly drawnNear = new Remembered();
  private scene: GraphScene | undefined;
  private view: DrawView | undefined;
  /** Bars that are pointed at or selected: all of their flows are drawn. */
  private nearBars: readonly number[] = [];
  /** Of another graph, while it fades out. */
  private before: GraphScene | undefined;

  constructor() {
    this.element = html("div", { class: "layer" }, this.all, this.near);
  }

  /** Of a drawing that is on its way: what is still seen of the one before, and how much; undefined: all of this one. */
  fade(opacity: number | undefined, before?: GraphScene): void {
    this.before = before;
    this.element.style.opacity = opacity === undefined ? "" : String(opacity);
  }

  draw(scene: Scene | undefined, view: DrawView): void {
    this.scene = scene as GraphScene | undefined;
    this.view = view;
    if (scene) return;
    for (const canvas of [this.all, this.near]) clearCanvas(canvas, view);
    this.drawn.forget();
    this.drawnNear.forget();
  }

  emphasise({ found, pointed, selected }: Emphasis): void {
    const { scene, view, before } = this;
    if (!scene || !view) return;
    const { placed } = before ?? scene;
    const { graph, flows } = placed;
    const { source, target, thin } = graph.layout.flows;
    const dots = window.devicePixelRatio || 1;
    const what = [flows, view, found, dots];
    const brush = (canvas: HTMLCanvasElement, isDrawn: (flow: number) => boolean, near: boolean) => {
      const context = clearCanvas(canvas, view);
      if (!context) return false;
      const brush = new Brush(context, view.theme, dots);
      flows.forEach((ribbon, flow) => {
        if (!ribbon || !isDrawn(flow)) return;
        const isBack = found && !found.has(source[flow]) && !found.has(target[flow]);
        brush.draw(ribbon, () => heatsOf(placed, flow), near, isBack ? LEFT_OUT : 1);
      });
      brush.finish();
      return true;
    };
    this.drawn.get(what, () => brush(this.all, (flow) => thin[flow] === 0, false));
    this.nearBars = before === undefined ? [pointed, selected].flatMap((mark) => this.barOf(mark) ?? []) : [];
    const isNear = (flow: number) => this.isNear(source[flow]) || this.isNear(target[flow]);
    // An empty canvas stays as it is.
    const isNone = this.nearBars.length === 0;
    this.drawnNear.get(isNone ? [] : [...what, ...this.nearBars], () => brush(this.near, isNear, true));
  }

  /** The flow at a point of the drawing, the one on top where there are several; where there is none, the next above or below. */
  markAt(x: number, y: number): Mark | undefined {
    const { scene, before } = this;
    // What is still seen is of another graph.
    if (!scene || before) return undefined;
    const { graph, flows, bars } = scene.placed;
    const { source, target, thin } = graph.layout.flows;
    const isDrawn = (flow: number) => thin[flow] === 0 || this.isNear(source[flow]) || this.isNear(target[flow]);
    let [nearest, least] = [-1, REACH];
    for (let flow = flows.length - 1; flow >= 0 && least > 0; flow--) {
      const ribbon = isDrawn(flow) ? flows[flow] : undefined;
      const gap = ribbon && gapTo(ribbon, x, y);
      if (gap !== undefined && gap < least) [nearest, least] = [flow, gap];
    }
    if (nearest < 0) return undefined;
    return {
      id: flowMark(graph, nearest),
      key: `flow ${nearest}`,
      name: flowName(graph, nearest),
      paint: {},
      // As large as the drawing, it is explained beside the bar that it leads to.
      box: bars[target[nearest]],
      facts: () => factsOfFlow(graph, nearest),
      note: () => overText(graph, source[nearest]),
    };
  }

  /** All flows: in a saved picture nothing can be pointed at. */
  shapes(scene: Scene, { theme }: DrawView): Shape[] {
    const { placed } = scene as GraphScene;
    return placed.flows.flatMap((ribbon, flow): Shape[] => {
      if (!ribbon) return [];
      const d = ribbonPath(ribbon);
      if (ribbon.thickness < HAIRLINE) return [{ kind: "path", d, fill: theme.flowInk }];
      const paint = paintOf(ribbon, heatsOf(placed, flow), (heat) => theme.flow(heat));
      return [{ kind: "path", d, ...paint, stroke: theme.flowInk, strokeWidth: EDGE_WIDTH }];
    });
  }

  private isNear(bar: number): boolean {
    return this.nearBars.includes(bar);
  }

  private barOf(mark: number | undefined): number | undefined {
    return mark === undefined || !this.scene ? undefined : markOf(this.scene.placed.graph, mark).bar;
  }
}

/** Where the ends of a flow stand in the heat: by the exclusive of what it leaves and of what it leads to. */
type Heats = readonly [source: number, target: number];

function heatsOf({ graph, hottest, largestDifference }: Placed, flow: number): Heats {
  const { bars, layout } = graph;
  const heat = (bar: number) => (largestDifference === undefined ? heatPosition(bars.exclusive[bar], hottest) : 0);
  return [heat(layout.flows.source[flow]), heat(layout.flows.target[flow])];
}

/** From the colour of its source to that of its target. */
function paintOf({ points }: Ribbon, [source, target]: Heats, color: (heat: number) => string) {
  const [fill, to] = [color(source), color(target)];
  return fill === to ? { fill } : { fill, blend: { to, from: points[0], until: points[points.length - 2] } };
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
  ) {}

  /** @param heats asked for where its colours show: most are lines */
  draw(ribbon: Ribbon, heats: () => Heats, near: boolean, opacity: number): void {
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
    if (ribbon.thickness < HAIRLINE) {
      context.fillStyle = near ? theme.outline : theme.flowInk;
      return context.fill();
    }
    const { fill, blend } = paintOf(ribbon, heats(), (heat) => (near ? theme.flowNear(heat) : theme.flow(heat)));
    context.fillStyle = blend ? gradientOf(context, fill, blend) : fill;
    context.fill();
    context.strokeStyle = near ? theme.outline : theme.flowInk;
    context.lineWidth = EDGE_WIDTH;
    context.stroke();
  }

  /** Draws the lines that wait for others. */
  finish(): void {
    const { context, theme, dots } = this;
    context.strokeStyle = theme.flowInk;
    context.lineWidth = 1 / dots;
    if (this.hasLines) context.stroke();
    this.hasLines = false;
  }
}
