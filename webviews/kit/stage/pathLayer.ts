/**
 * Thousands of paths below the marks, on canvases: all of them, above them those that stand out. However many there are, a frame draws a
 * bounded number, and the next frames the rest.
 */
import { html } from "../../shared/dom";
import { clearCanvas } from "./painters";
import type { DrawView, Emphasis, Layer, Scene, Shape } from "./scene";

/** Paths in one piece: one of thousands that cross each other takes far longer than its pieces do. */
const PIECE = 64;
/** Pieces that a frame draws. */
const PIECES_A_FRAME = 5;
/** Paths with outlines. */
const FEW = 300;
/** How much of them is seen: what lies below shows through. */
const PLAIN = 0.75;
const NEAR = 0.62;

export interface PathGroups {
  /** Path data of each group's paths. */
  paths(scene: Scene): readonly (readonly string[])[];
  /** The colour of a group that does not stand out. */
  fill(group: number, view: DrawView): string;
  /** Groups that stand out, by their colours. */
  near(emphasis: Emphasis, view: DrawView): ReadonlyMap<number, string>;
}

export class PathLayer implements Layer {
  readonly element: HTMLElement;
  private readonly all = html("canvas", { "aria-hidden": "true" });
  private readonly near = html("canvas", { "aria-hidden": "true" });
  /** By group, in pieces. */
  private paths: readonly (readonly string[])[] = [];
  private view: DrawView | undefined;
  private shown = new Map<number, string>();
  private pending: { readonly group: number; readonly path: string }[] = [];
  private isDrawing = false;

  constructor(private readonly groups: PathGroups) {
    this.element = html("div", { class: "layer" }, this.all, this.near);
  }

  draw(scene: Scene | undefined, view: DrawView): void {
    const paths = scene ? this.groups.paths(scene) : [];
    const isFew = paths.reduce((sum, { length }) => sum + length, 0) <= FEW;
    this.view = view;
    this.paths = paths.map(inPieces);
    this.shown.clear();
    this.pending = [];
    clearCanvas(this.near, view);
    const context = clearCanvas(this.all, view);
    if (!context) return;
    context.strokeStyle = view.theme.faint;
    context.lineWidth = 0.75;
    this.paths.forEach((pieces, group) => {
      context.fillStyle = this.groups.fill(group, view);
      for (const path of pieces.map((d) => new Path2D(d))) {
        context.globalAlpha = PLAIN;
        context.fill(path);
        context.globalAlpha = 1;
        if (isFew) context.stroke(path);
      }
    });
  }

  emphasise(emphasis: Emphasis): void {
    const { view } = this;
    if (!view) return;
    const wanted = this.groups.near(emphasis, view);
    const isMore = [...this.shown].every(([known, color]) => wanted.get(known) === color);
    if (!isMore) {
      clearCanvas(this.near, view);
      this.shown.clear();
      this.pending = [];
    }
    for (const [group, color] of wanted) {
      if (this.shown.has(group)) continue;
      this.shown.set(group, color);
      for (const path of this.paths.at(group) ?? []) this.pending.push({ group, path });
    }
    if (!this.isDrawing) this.drawSome();
  }

  shapes(): Shape[] {
    const { view } = this;
    if (!view) return [];
    return this.paths.flatMap((pieces, group): Shape[] => {
      const near = this.shown.get(group);
      const fill = near ?? this.groups.fill(group, view);
      return pieces.length === 0 ? [] : [{ kind: "path", d: pieces.join(""), fill, fillOpacity: near ? NEAR : PLAIN }];
    });
  }

  /** The rest comes in the next frames: what is brushed meanwhile need not wait for it. */
  private drawSome(): void {
    const context = this.near.getContext("2d");
    if (!context) return;
    context.globalAlpha = NEAR;
    for (const { group, path } of this.pending.splice(0, PIECES_A_FRAME)) {
      context.fillStyle = this.shown.get(group) ?? "";
      context.fill(new Path2D(path));
    }
    this.isDrawing = this.pending.length > 0;
    if (this.isDrawing) requestAnimationFrame(() => this.drawSome());
  }
}

function inPieces(paths: readonly string[]): string[] {
  const count = Math.ceil(paths.length / PIECE);
  return Array.from({ length: count }, (_, at) => paths.slice(at * PIECE, (at + 1) * PIECE).join(""));
}
