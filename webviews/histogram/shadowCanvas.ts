/**
 * Shadow lines and members on canvases: all of them, above them the shadows and above those the members that are chosen or
 * pointed at. However many there are, a frame draws a bounded number of shadows, and the next frames the rest.
 */
import type { HistogramMessage } from "../../src/protocol/histogram";
import { html } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { binHeat, type Emphasis } from "./drawing";
import { memberBox, type Scene } from "./scene";

/** How much of what lies below shows through. */
const PLAIN = 0.24;
const NEAR = 0.62;
/** Pieces of shadows that a frame draws. */
const PIECES_A_FRAME = 5;
/** Chosen members stand out of the line. */
const OUT = 5;

/** A piece to be drawn yet. */
interface Pending {
  readonly bin: number;
  readonly piece: number;
}

export class ShadowCanvas {
  readonly elements = [canvas(), canvas(), canvas()] as const;
  private paths: Path2D[][] = [];
  /** Bins whose shadows stand out, on the second canvas, by how they do. */
  private shown = new Map<number, string>();
  private pending: Pending[] = [];
  private isDrawing = false;

  /** Everything, when data, size or theme have changed. */
  layOut(histogram: HistogramMessage, scene: Scene, theme: Theme): void {
    this.paths = scene.shadows.map((pieces) => pieces.map((path) => new Path2D(path)));
    this.shown.clear();
    this.pending = [];
    start(this.elements[1], scene);
    const context = start(this.elements[0], scene);
    if (!context) return;
    const { fewShadows } = scene;
    context.fillStyle = theme.outline;
    context.strokeStyle = theme.flowEdge;
    context.lineWidth = 0.75;
    this.paths.forEach((pieces, bin) => {
      if (pieces.length === 0) return;
      context.globalAlpha = PLAIN;
      fillFoot(context, scene, bin);
      for (const path of pieces) context.fill(path);
      context.globalAlpha = 1;
      if (fewShadows) for (const path of pieces) context.stroke(path);
    });
    drawMembers(context, histogram, scene, theme, histogram.line.keys.keys());
  }

  /** What is chosen or pointed at. */
  emphasise(histogram: HistogramMessage, scene: Scene, theme: Theme, emphasis: Emphasis): void {
    this.showShadows(histogram, scene, theme, emphasis);
    const context = start(this.elements[2], scene);
    if (!context) return;
    const { chosenMembers, found } = emphasis;
    if (chosenMembers) drawMembers(context, histogram, scene, theme, chosenMembers, OUT);
    if (found) drawMarks(context, scene, theme, histogram.line.keys.length, found);
  }

  clear(): void {
    this.paths = [];
    this.pending = [];
    this.shown.clear();
    for (const element of this.elements) element.width = 0;
  }

  private showShadows(histogram: HistogramMessage, scene: Scene, theme: Theme, emphasis: Emphasis): void {
    const { chosen, pointedBin, pointedMember } = emphasis;
    const binOfMember = pointedMember === undefined ? -1 : histogram.line.bins[pointedMember];
    const wanted = new Map<number, string>();
    this.paths.forEach((_, bin) => {
      if (chosen !== undefined && chosen.bins[bin] > 0) wanted.set(bin, theme.amount(1));
      else if (bin === pointedBin || bin === binOfMember) wanted.set(bin, theme.flowNear);
    });
    const isMore = [...this.shown].every(([bin, color]) => wanted.get(bin) === color);
    if (!isMore) {
      start(this.elements[1], scene);
      this.shown.clear();
      this.pending = [];
    }
    for (const [bin, color] of wanted) {
      if (this.shown.has(bin)) continue;
      this.shown.set(bin, color);
      this.paths[bin].forEach((_, piece) => this.pending.push({ bin, piece }));
    }
    if (!this.isDrawing) this.drawSome(scene);
  }

  /** The rest comes in the next frames: what is brushed meanwhile need not wait for it. */
  private drawSome(scene: Scene): void {
    const context = this.elements[1].getContext("2d");
    if (!context) return;
    context.globalAlpha = NEAR;
    for (const { bin, piece } of this.pending.splice(0, PIECES_A_FRAME)) {
      context.fillStyle = this.shown.get(bin) ?? "";
      if (piece === 0) fillFoot(context, scene, bin);
      context.fill(this.paths[bin][piece]);
    }
    this.isDrawing = this.pending.length > 0;
    if (this.isDrawing) requestAnimationFrame(() => this.drawSome(scene));
  }
}

/** A foot runs on from its bin, below the texts of the values. */
function fillFoot(context: CanvasRenderingContext2D, { bins, plot, shadowTop }: Scene, bin: number): void {
  const top = plot.y + plot.height + 1;
  context.fillRect(bins[bin].x, top, bins[bin].width, shadowTop - top);
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
