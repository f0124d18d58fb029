/** Marks on a canvas, where there are more than elements can be drawn for. */
import { html } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { type Emphasis, stateOf } from "./drawing";
import type { Scene } from "./scene";
import { shape } from "./shapes";

export class PointCanvas {
  readonly element = html("canvas", { class: "point-canvas", "aria-hidden": "true" });

  update(scene: Scene, theme: Theme, { chosen, selected, found }: Emphasis): void {
    const { element } = this;
    const dots = window.devicePixelRatio || 1;
    element.width = Math.round(scene.width * dots);
    element.height = Math.round(scene.height * dots);
    const context = element.getContext("2d");
    if (!context) return;
    context.setTransform(dots, 0, 0, dots, 0, 0);
    if (scene.cells) {
      scene.cells.forEach(({ x, y, width, height, share }, mark) => {
        context.globalAlpha = found && !found.has(mark) ? 0.25 : 1;
        context.fillStyle = theme.amount(share);
        context.fillRect(x, y, width, height);
        if (mark !== selected) return;
        context.strokeStyle = theme.foreground;
        context.strokeRect(x, y, width, height);
      });
      return;
    }
    // What is chosen, found or selected lies on top.
    for (const onTop of [false, true]) {
      for (let mark = 0; mark < scene.x.length; mark++) {
        const state = stateOf(mark, chosen);
        const isSpecial = state === "chosen" || mark === selected || found?.has(mark) === true;
        if (isSpecial !== onTop) continue;
        const path = new Path2D(shape(state, scene.x[mark], scene.y[mark], scene.radius));
        context.globalAlpha = found && !found.has(mark) ? 0.25 : 1;
        context.fillStyle = state === "out" ? theme.background : theme.amount(state === "chosen" ? 1 : 0.7);
        context.strokeStyle = isSpecial ? theme.foreground : theme.outline;
        context.lineWidth = mark === selected ? 3 : isSpecial ? 1.5 : 0.75;
        context.fill(path);
        context.stroke(path);
      }
    }
  }

  clear(): void {
    this.element.width = 0;
  }
}
