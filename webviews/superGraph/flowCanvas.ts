/** Flows on a canvas, for graphs with more marks than elements can be drawn for. */
import type { GraphMessage } from "../../src/protocol/superGraph";
import { html } from "../shared/dom";
import type { Theme } from "../shared/theme";
import type { Emphasis } from "./drawing";
import type { Scene } from "./scene";

export class FlowCanvas {
  readonly element = html("canvas", { class: "flow-canvas", "aria-hidden": "true" });
  private paths: (Path2D | undefined)[] = [];

  update(graph: GraphMessage, scene: Scene, theme: Theme, { selected, pointed, found }: Emphasis): void {
    const { element } = this;
    const dots = window.devicePixelRatio || 1;
    element.width = Math.round(scene.width * dots);
    element.height = Math.round(scene.height * dots);
    const context = element.getContext("2d");
    if (!context) return;
    context.setTransform(dots, 0, 0, dots, 0, 0);
    context.lineWidth = 0.75;
    context.strokeStyle = theme.flowEdge;
    this.paths = scene.flows.map((path) => (path === "" ? undefined : new Path2D(path)));
    const isNear = (bar: number) => bar === selected || bar === pointed;
    // What belongs to the selection lies on top.
    for (const near of [false, true]) {
      this.paths.forEach((path, flow) => {
        const { source, target } = graph.flows[flow];
        if (!path || (isNear(source) || isNear(target)) !== near) return;
        context.globalAlpha = found && !found.has(source) && !found.has(target) ? 0.25 : 1;
        context.fillStyle = near ? theme.flowNear : theme.flow;
        context.fill(path);
        context.stroke(path);
      });
    }
  }

  /** What is still seen is of another graph: no flow of this one is there. */
  forget(): void {
    this.paths = [];
  }

  clear(): void {
    this.paths = [];
    this.element.width = 0;
  }

  /** The flow at a point of the drawing, the one on top where there are several. */
  flowAt(x: number, y: number): number | undefined {
    const context = this.element.getContext("2d");
    if (!context) return undefined;
    const dots = window.devicePixelRatio || 1;
    for (let flow = this.paths.length - 1; flow >= 0; flow--) {
      const path = this.paths[flow];
      if (path && context.isPointInPath(path, x * dots, y * dots)) return flow;
    }
    return undefined;
  }
}
