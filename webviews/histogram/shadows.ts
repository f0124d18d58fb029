/**
 * Shadow lines (dissertation 3.3.2) on canvases: all of them, above them those of what is chosen or pointed at. However many there
 * are, a frame draws a bounded number, and the next frames the rest.
 */
import { FIRST_MEMBER, type HistogramContent } from "../../src/protocol/histogram";
import { clearCanvas } from "../kit/stage/painters";
import type { DrawView, Emphasis, Layer, Scene, Shape } from "../kit/stage/scene";
import { html } from "../shared/dom";
import type { HistogramScene } from "./drawing";

/** Shadows in one path: a path of thousands that cross each other takes far longer than its pieces do. */
const PIECE = 64;
/** Pieces that a frame draws. */
const PIECES_A_FRAME = 5;
/** Shadows with outlines. */
const FEW = 300;
/** How much of what lies below shows through. */
const PLAIN = 0.24;
const NEAR = 0.62;

export class Shadows implements Layer {
  readonly element: HTMLElement;
  private readonly all = html("canvas", { "aria-hidden": "true" });
  private readonly near = html("canvas", { "aria-hidden": "true" });
  private paths: string[][] = [];
  private view: DrawView | undefined;
  /** Bins whose shadows stand out, by their colours. */
  private shown = new Map<number, string>();
  private pending: { readonly bin: number; readonly path: string }[] = [];
  private isDrawing = false;

  constructor(private readonly content: () => HistogramContent | undefined) {
    this.element = html("div", { class: "layer" }, this.all, this.near);
  }

  draw(scene: Scene | undefined, view: DrawView): void {
    const content = this.content();
    this.view = view;
    this.paths = content && scene ? shadowPaths(content, scene as HistogramScene) : [];
    this.shown.clear();
    this.pending = [];
    clearCanvas(this.near, view);
    const context = clearCanvas(this.all, view);
    if (!context) return;
    const isFew = this.paths.reduce((sum, pieces) => sum + pieces.length, 0) <= FEW / PIECE + this.paths.length;
    context.fillStyle = view.theme.outline;
    context.strokeStyle = view.theme.faint;
    context.lineWidth = 0.75;
    for (const path of this.paths.flat().map((d) => new Path2D(d))) {
      context.globalAlpha = PLAIN;
      context.fill(path);
      context.globalAlpha = 1;
      if (isFew) context.stroke(path);
    }
  }

  emphasise({ chosen, pointed }: Emphasis): void {
    const { view } = this;
    const content = this.content();
    if (!view || !content) return;
    const bin = pointed === undefined || pointed < FIRST_MEMBER ? pointed : content.binOf[pointed - FIRST_MEMBER];
    const wanted = new Map<number, string>();
    if (bin !== undefined && bin >= 0) wanted.set(bin, view.theme.soft);
    for (const mark of chosen?.keys() ?? []) if (mark < FIRST_MEMBER) wanted.set(mark, view.theme.heat(1));
    const isMore = [...this.shown].every(([known, color]) => wanted.get(known) === color);
    if (!isMore) {
      clearCanvas(this.near, view);
      this.shown.clear();
      this.pending = [];
    }
    for (const [next, color] of wanted) {
      if (this.shown.has(next)) continue;
      this.shown.set(next, color);
      for (const path of this.paths.at(next) ?? []) this.pending.push({ bin: next, path });
    }
    if (!this.isDrawing) this.drawSome();
  }

  shapes(): Shape[] {
    const { view } = this;
    if (!view) return [];
    return this.paths.flatMap((pieces, bin): Shape[] => {
      const near = this.shown.get(bin);
      const fill = near ?? view.theme.outline;
      return pieces.length === 0 ? [] : [{ kind: "path", d: pieces.join(""), fill, fillOpacity: near ? NEAR : PLAIN }];
    });
  }

  /** The rest comes in the next frames: what is brushed meanwhile need not wait for it. */
  private drawSome(): void {
    const context = this.near.getContext("2d");
    if (!context) return;
    context.globalAlpha = NEAR;
    for (const { bin, path } of this.pending.splice(0, PIECES_A_FRAME)) {
      context.fillStyle = this.shown.get(bin) ?? "";
      context.fill(new Path2D(path));
    }
    this.isDrawing = this.pending.length > 0;
    if (this.isDrawing) requestAnimationFrame(() => this.drawSome());
  }
}

/**
 * From a bin's foot to its members. Members side by side share a ribbon, and the foot is divided among a bin's ribbons in the
 * order of the line, so that they do not cross each other.
 *
 * @returns path data of each bin's shadows, in pieces
 */
function shadowPaths({ binOf, counts }: HistogramContent, { bins, shadowTop, line }: HistogramScene): string[][] {
  const onLine = new Array<number>(counts.length).fill(0);
  for (const bin of binOf) if (bin >= 0) onLine[bin]++;
  const paths = Array.from(counts, (): string[] => []);
  const used = new Array<number>(counts.length).fill(0);
  const step = line.width / binOf.length;
  const middle = tenth((shadowTop + line.y) / 2);
  const [upper, lower] = [tenth(shadowTop), tenth(line.y)];
  for (let from = 0, to = 0; from < binOf.length; from = to) {
    const bin = binOf[from];
    for (to = from + 1; to < binOf.length && binOf[to] === bin;) to++;
    if (bin < 0) continue;
    const { x, y, width, height } = bins[bin];
    const share = (members: number) => tenth(x + (members / onLine[bin]) * width);
    const [left, right] = [share(used[bin]), share((used[bin] += to - from))];
    const first = tenth(line.x + from * step);
    // Thinner than a pixel it would not be seen.
    const last = Math.max(first + 1, tenth(line.x + to * step));
    paths[bin].push(
      `M${left},${tenth(y + height)}V${upper}C${left},${middle} ${first},${middle} ${first},${lower}H${last}C${last},${middle} ${right},${middle} ${right},${upper}V${tenth(y + height)}Z`,
    );
  }
  return paths.map((all) =>
    Array.from({ length: Math.ceil(all.length / PIECE) }, (_, at) => all.slice(at * PIECE, (at + 1) * PIECE).join("")),
  );
}

function tenth(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
