/** Shapes below the marks on canvases, one for each part that is drawn anew by itself, and one above for what stands out. */
import { html } from "../../shared/dom";
import { clearCanvas, paint } from "./painters";
import type { DrawView, Emphasis, Layer, Mark, Scene, Shape } from "./scene";

/** @typeParam Drawn a scene, with what it was made from */
export interface PaintedPart<Drawn extends Scene> {
  /** What it is made from: while that stays the same, as it is by identity, what was painted stays. */
  of(scene: Drawn): readonly unknown[];
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
  private readonly near = html("canvas", { "aria-hidden": "true" });
  private readonly drawn: (readonly unknown[])[] = [];
  private scene: Drawn | undefined;
  private view: DrawView | undefined;
  private nearShown = "";

  constructor(private readonly painted: Painted<Drawn>) {
    this.canvases = painted.parts.map(() => html("canvas", { "aria-hidden": "true" }));
    this.element = html("div", { class: "layer" }, ...this.canvases, this.near);
  }

  draw(scene: Scene | undefined, view: DrawView): void {
    // The page's own drawing made it.
    this.scene = scene as Drawn | undefined;
    this.view = view;
    if (this.nearShown !== "") clearCanvas(this.near, view);
    this.nearShown = "";
    this.painted.parts.forEach((part, at) => {
      const of = this.scene ? [view, ...part.of(this.scene)] : [];
      const known = this.drawn.at(at);
      if (known?.length === of.length && of.every((one, index) => one === known[index])) return;
      this.drawn[at] = of;
      const context = clearCanvas(this.canvases[at], view);
      if (context && this.scene) paint(context, part.shapes(this.scene, view), view.theme.font);
    });
  }

  emphasise(emphasis: Emphasis): void {
    const { scene, view } = this;
    if (!scene || !view) return;
    const { pointed, selected } = emphasis;
    const shown = pointed === undefined && selected === undefined ? "" : `${pointed} ${selected}`;
    if (shown === this.nearShown) return;
    this.nearShown = shown;
    const context = clearCanvas(this.near, view);
    if (context && shown !== "") paint(context, this.painted.near(scene, view, emphasis), view.theme.font);
  }

  markAt(x: number, y: number): Mark | undefined {
    return this.scene && this.painted.markAt(this.scene, x, y);
  }

  shapes(scene: Scene, view: DrawView): readonly Shape[] {
    return this.painted.parts.flatMap((part) => part.shapes(scene as Drawn, view));
  }
}
