/** Shadow lines and members on two canvases: all of them, and above what is chosen or pointed at. */
import type { HistogramMessage } from "../../src/protocol/histogram";
import { html } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { binHeat, type Emphasis } from "./drawing";
import { memberBox, type Scene } from "./scene";

/** How much of what lies below shows through. */
const PLAIN = 0.24;
const NEAR = 0.62;
/** Chosen members stand out of the line. */
const OUT = 5;

export class ShadowCanvas {
  readonly elements = [canvas(), canvas()] as const;
  private paths: Path2D[] = [];

  /** Everything, when data, size or theme have changed. */
  layOut(histogram: HistogramMessage, scene: Scene, theme: Theme): void {
    this.paths = scene.shadows.map((path) => new Path2D(path));
    const context = start(this.elements[0], scene);
    if (!context) return;
    const { counts } = histogram;
    const { bins, plot, shadowTop, fewShadows } = scene;
    context.fillStyle = theme.outline;
    context.strokeStyle = theme.flowEdge;
    context.lineWidth = 0.75;
    this.paths.forEach((path, bin) => {
      if (counts[bin] === 0) return;
      context.globalAlpha = PLAIN;
      context.fill(path);
      // The foot runs on below the texts of the values.
      context.fillRect(bins[bin].x, plot.y + plot.height + 1, bins[bin].width, shadowTop - plot.y - plot.height - 1);
      context.globalAlpha = 1;
      if (fewShadows) context.stroke(path);
    });
    const all = histogram.line.keys.keys();
    drawMembers(context, histogram, scene, theme, all);
  }

  /** What is chosen or pointed at; cheap enough for every frame of a brush. */
  emphasise(histogram: HistogramMessage, scene: Scene, theme: Theme, emphasis: Emphasis): void {
    const context = start(this.elements[1], scene);
    if (!context) return;
    const { chosen, chosenMembers, pointedBin, pointedMember, found } = emphasis;
    const binOfMember = pointedMember === undefined ? -1 : histogram.line.bins[pointedMember];
    context.globalAlpha = NEAR;
    this.paths.forEach((path, bin) => {
      const isChosen = chosen !== undefined && chosen.bins[bin] > 0;
      if (!isChosen && bin !== pointedBin && bin !== binOfMember) return;
      context.fillStyle = isChosen ? theme.amount(1) : theme.flowNear;
      context.fill(path);
      const { x, width } = scene.bins[bin];
      const { plot, shadowTop } = scene;
      context.fillRect(x, plot.y + plot.height + 1, width, shadowTop - plot.y - plot.height - 1);
    });
    context.globalAlpha = 1;
    if (chosenMembers) drawMembers(context, histogram, scene, theme, chosenMembers, OUT);
    if (found) drawMarks(context, scene, theme, histogram.line.keys.length, found);
  }

  clear(): void {
    this.paths = [];
    for (const element of this.elements) element.width = 0;
  }
}

function canvas(): HTMLCanvasElement {
  return html("canvas", { "aria-hidden": "true" });
}

function start(element: HTMLCanvasElement, { width, height }: Scene): CanvasRenderingContext2D | undefined {
  const dots = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * dots), Math.round(height * dots)];
  if (element.width !== wide || element.height !== high) {
    element.width = wide;
    element.height = high;
  }
  const context = element.getContext("2d");
  context?.setTransform(dots, 0, 0, dots, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context ?? undefined;
}

/** @param out how far they stand out of the line, up and down, with a rim */
function drawMembers(
  context: CanvasRenderingContext2D,
  histogram: HistogramMessage,
  scene: Scene,
  theme: Theme,
  positions: Iterable<number>,
  out = 0,
): void {
  const { keys, bins } = histogram.line;
  const colors = histogram.counts.map((_, bin) => theme.amount(binHeat(histogram, bin)));
  for (const position of positions) {
    const { x, y, width, height } = memberBox(scene, keys.length, position);
    const gap = width > 4 ? 1 : 0;
    const wide = Math.max(1, width - gap);
    if (out > 0) {
      context.fillStyle = theme.foreground;
      context.fillRect(x, y - out, wide, height + 2 * out);
    }
    const rim = out > 0 && wide > 4 ? 1.5 : 0;
    context.fillStyle = bins[position] < 0 ? theme.background : colors[bins[position]];
    context.fillRect(x + rim, y - (out > 0 ? 2 : 0), wide - 2 * rim, height + (out > 0 ? 4 : 0));
    if (out === 0 && wide > 4) {
      context.strokeStyle = theme.outline;
      context.lineWidth = 1;
      context.strokeRect(x + 0.5, y + 0.5, wide - 1, height - 1);
    }
  }
}

/** Triangles above what was found. */
function drawMarks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  theme: Theme,
  members: number,
  found: ReadonlySet<number>,
): void {
  context.fillStyle = theme.focus;
  context.beginPath();
  for (const position of found) {
    const { x, y, width } = memberBox(scene, members, position);
    const middle = x + width / 2;
    context.moveTo(middle, y - 1);
    context.lineTo(middle - 5, y - 10);
    context.lineTo(middle + 5, y - 10);
  }
  context.fill();
}
