/** Shapes below the marks on canvases, one for each part that is drawn anew by itself, and one above for what stands out. */
import { html } from "../../shared/dom";
import { clearCanvas, paint } from "./painters";
import type { DrawView, Emphasis, Layer, Mark, Scene, Shape } from "./scene";
import { standing } from "./stage";

/** @typeParam Drawn a scene, with what it was made from */
export interface PaintedPart<Drawn extends Scene> {
  /** What it is made from: while that stays the same, as it is by identity, what was painted stays. */
  of(scene: Drawn): readonly unknown[];
  /** Its shapes belong to marks, and stand back where these do. */
  readonly standsBack?: true;
  shapes(scene: Drawn, view: DrawView): readonly Shape[];
}

/** @typeParam Drawn a scene, with what it was made from */
export interface Painted<Drawn extends Scene> {
  /** What lies below first. */
  readonly parts: readonly PaintedPart<Drawn>[];
  /** What is drawn again, brighter. */
  near(scene: Drawn, view: DrawView, emphasis: Emphasis): readonly Shape[];
  /** What of it can be pointed at. */
  markAt(scene: Drawn, x: number, y: number): Mark | undefined;
}

export class ShapeLayer<Drawn extends Scene> implements Layer {
  readonly element: HTMLElement;
  private readonly canvases: readonly HTMLCanvasElement[];
  private readonly near = html("canvas", { "aria-hidden": "true", hidden: true });
  private readonly drawn: (readonly unknown[])[] = [];
  private scene: Drawn | undefined;
  private view: DrawView | undefined;
  private nearShown = "";

  constructor(private readonly painted: Painted<Drawn>) {
    this.canvases = painted.parts.map(() => html("canvas", { "aria-hidden": "true", hidden: true }));
    this.element = html("div", { class: "layer" }, this.canvases, this.near);
  }

  draw(scene: Scene | undefined, view: DrawView): void {
    // The page's own drawing made it.
    this.scene = scene as Drawn | undefined;
    this.view = view;
    this.nearShown = "";
    this.near.hidden = true;
    // Where there is a scene, it is said next what stands out of it.
    this.painted.parts.forEach((part, at) => {
      if (!this.scene || !part.standsBack) this.paint(part, at, view);
    });
  }

  emphasise(emphasis: Emphasis): void {
    const { scene, view } = this;
    if (!scene || !view) return;
    this.painted.parts.forEach((part, at) => {
      if (part.standsBack) this.paint(part, at, view, emphasis);
    });
    const { pointed, selected } = emphasis;
    const shown = pointed === undefined && selected === undefined ? "" : `${pointed} ${selected}`;
    if (shown === this.nearShown) return;
    this.nearShown = shown;
    this.near.hidden = shown === "";
    const context = clearCanvas(this.near, view);
    if (context && shown !== "") paint(context, this.painted.near(scene, view, emphasis), view.theme.font);
  }

  private paint(part: PaintedPart<Drawn>, at: number, view: DrawView, emphasis?: Emphasis): void {
    const { scene } = this;
    const of = scene ? [view, ...part.of(scene), emphasis?.found, emphasis?.chosen] : [];
    const known = this.drawn.at(at);
    if (known?.length === of.length && of.every((one, index) => one === known[index])) return;
    this.drawn[at] = of;
    const shapes = scene ? part.shapes(scene, view) : [];
    // What was empty and stays so is not put on screen anew.
    const canvas = this.canvases[at];
    if (shapes.length === 0 && canvas.hidden) return;
    canvas.hidden = shapes.length === 0;
    const context = clearCanvas(canvas, view);
    const shown = emphasis ? shapes.map((shape) => standing(shape, emphasis)) : shapes;
    if (context) paint(context, shown, view.theme.font);
  }

  markAt(x: number, y: number): Mark | undefined {
    return this.scene && this.painted.markAt(this.scene, x, y);
  }

  shapes(scene: Scene, view: DrawView): readonly Shape[] {
    return this.painted.parts.flatMap((part) => part.shapes(scene as Drawn, view));
  }
}
