/** Shapes below the marks on a canvas, which draws thousands of them, and those of what stands out on a second one above it. */
import { html } from "../../shared/dom";
import { clearCanvas, paint } from "./painters";
import type { DrawView, Emphasis, Layer, Mark, Scene, Shape } from "./scene";

/** @typeParam Drawn a scene, with what it was made from */
export interface Painted<Drawn extends Scene> {
  shapes(scene: Drawn, view: DrawView): readonly Shape[];
  /** What is drawn again, brighter. */
  near(scene: Drawn, view: DrawView, emphasis: Emphasis): readonly Shape[];
  /** What of it can be pointed at. */
  markAt(scene: Drawn, x: number, y: number): Mark | undefined;
}

export class ShapeLayer<Drawn extends Scene> implements Layer {
  readonly element: HTMLElement;
  private readonly all = html("canvas", { "aria-hidden": "true" });
  private readonly near = html("canvas", { "aria-hidden": "true" });
  private scene: Drawn | undefined;
  private view: DrawView | undefined;
  private nearShown = "";

  constructor(private readonly painted: Painted<Drawn>) {
    this.element = html("div", { class: "layer" }, this.all, this.near);
  }

  draw(scene: Scene | undefined, view: DrawView): void {
    // The page's own drawing made it.
    this.scene = scene as Drawn | undefined;
    this.view = view;
    this.nearShown = "";
    clearCanvas(this.near, view);
    const context = clearCanvas(this.all, view);
    if (context && this.scene) paint(context, this.painted.shapes(this.scene, view), view.theme.font);
  }

  emphasise(emphasis: Emphasis): void {
    const { scene, view } = this;
    if (!scene || !view) return;
    const { pointed, selected } = emphasis;
    const shown = `${pointed} ${selected}`;
    if (shown === this.nearShown) return;
    this.nearShown = shown;
    const context = clearCanvas(this.near, view);
    if (context) paint(context, this.painted.near(scene, view, emphasis), view.theme.font);
  }

  markAt(x: number, y: number): Mark | undefined {
    return this.scene && this.painted.markAt(this.scene, x, y);
  }

  shapes(scene: Scene, view: DrawView): readonly Shape[] {
    return this.painted.shapes(scene as Drawn, view);
  }
}
