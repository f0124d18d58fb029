import type { GraphMessage } from "../../src/protocol/superGraph";
import type { HistogramsMessage } from "../../src/protocol/graphHalves";
import { Tooltip } from "../shared/tooltip";
import { barDetails, entryDetails, flowDetails } from "./details";
import type { Spot } from "./interaction";
import type { Scene } from "./scene";

/** Explains what is pointed at or has the focus, beside it. */
export class Explainer {
  private readonly tooltip: Tooltip;

  constructor(
    app: HTMLElement,
    private readonly drawing: SVGSVGElement,
  ) {
    this.tooltip = new Tooltip(app);
  }

  show(graph: GraphMessage, scene: Scene, { bar, entry, flow }: Spot, histograms?: HistogramsMessage): void {
    // A flow is as large as the drawing: what explains it stands beside the bar that it leads to.
    const beside = bar ?? (flow === undefined ? undefined : graph.flows[flow].target);
    if (beside === undefined) return;
    const square = entry === undefined ? undefined : scene.bars[beside].entries.at(entry);
    const { x, y, width, height } = square ?? scene.bars[beside];
    const { left, top } = this.drawing.getBoundingClientRect();
    this.tooltip.show(this.content(graph, beside, { bar, entry, flow }, histograms), {
      left: left + x,
      top: top + Math.max(0, y),
      right: left + x + width,
      bottom: top + y + height,
    });
  }

  hide(): void {
    this.tooltip.hide();
  }

  private content(
    graph: GraphMessage,
    beside: number,
    { bar, entry, flow }: Spot,
    histograms?: HistogramsMessage,
  ): Node[] {
    if (entry !== undefined) return entryDetails(graph, beside, entry);
    return bar === undefined && flow !== undefined ? flowDetails(graph, flow) : barDetails(graph, beside, histograms);
  }
}
