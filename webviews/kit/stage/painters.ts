/** Shapes on SVG elements and on a canvas: the same shape looks the same on both. */
import { Mark as LiveElement, svg } from "../../shared/dom";
import type { Box, Mark, Paint, Shape } from "./scene";

/** Of a text's outline, half of which lies below its letters: a rim wide enough that a line behind a word ends beside it, not in it. */
const HALO = 6;

/** The shape that a mark is drawn as. */
export function shapeOf({ box, d, paint }: Mark): Shape {
  return d === undefined ? { kind: "box", box, ...paint } : { kind: "path", d, ...paint };
}

function paintAttributes({ fill, fillOpacity, stroke, strokeWidth, dash, opacity }: Paint) {
  return {
    fill: fill ?? "none",
    "fill-opacity": fillOpacity,
    stroke,
    "stroke-width": strokeWidth,
    "stroke-dasharray": dash?.join(" "),
    opacity,
  };
}

/** An element's tag and attributes: of one tag always the same, so that it can serve for another shape. */
function attributesOf(
  shape: Shape,
  font: string,
): [tag: "polygon" | "path" | "text", Record<string, string | number | undefined>] {
  const paint = paintAttributes(shape);
  switch (shape.kind) {
    case "box":
      return ["polygon", { points: corners(shape.box), ...paint }];
    case "path":
      return ["path", { d: shape.d, ...paint }];
    case "text": {
      const { at, size, weight, anchor, halo } = shape;
      const rim = halo === undefined ? {} : { stroke: halo, "stroke-width": HALO };
      return [
        "text",
        {
          ...at,
          ...paint,
          "font-family": font,
          "font-size": size,
          "font-weight": weight,
          "text-anchor": anchor,
          ...rim,
          "stroke-linejoin": halo === undefined ? undefined : "round",
          "paint-order": halo === undefined ? undefined : "stroke",
        },
      ];
    }
  }
}

/**
 * A rectangle as the points of a polygon. Place and size of a `rect` are properties of CSS, so that the browser works out the
 * style of each one that moves; points are none: of hundreds of marks that saves a seventh of what style costs.
 */
function corners({ x, y, width, height }: Box): string {
  const [right, bottom] = [x + width, y + height];
  return `${x},${y} ${right},${y} ${right},${bottom} ${x},${bottom}`;
}

/** For a picture. @param font family of texts */
export function elementOf(shape: Shape, font: string): SVGElement {
  const { element } = new ShapeElement(shape, font);
  const { fill, blend, graded } = shape;
  const tile = tileOf(shape);
  if (tile && fill !== undefined) return tiledElement(element, fill, tile);
  if (graded) return gradedElement(element, graded);
  if (!blend) return element;
  // Of one that is the same, wherever it is.
  const id = ["blend", fill, blend.to, blend.from, blend.until].join("-").replaceAll(/[^\w.-]/g, "");
  element.setAttribute("fill", `url(#${id})`);
  const stops = [fill, blend.to].map((color, offset) => svg("stop", { offset, "stop-color": color }));
  const units = { gradientUnits: "userSpaceOnUse", y1: 0, y2: 0 };
  return svg("g", {}, svg("linearGradient", { id, ...units, x1: blend.from, x2: blend.until }, stops), element);
}

function gradedElement(element: SVGElement, { colors, from, until }: NonNullable<Paint["graded"]>): SVGElement {
  const id = ["graded", from, until, ...colors].join("-").replaceAll(/[^\w.-]/g, "");
  element.setAttribute("fill", `url(#${id})`);
  const stops = colors.map((color, at) => svg("stop", { offset: stopOf(at, colors), "stop-color": color }));
  const units = { gradientUnits: "userSpaceOnUse", x1: 0, x2: 0 };
  return svg("g", {}, svg("linearGradient", { id, ...units, y1: from, y2: until }, stops), element);
}

/** A square that goes on in the squares around it. */
interface Tile {
  readonly name: string;
  /** Pixels. */
  readonly size: number;
  /** Of its lines, in pixels. */
  readonly d: string;
  readonly width: number;
}

function tileOf({ hatch, dotted }: Paint): Tile | undefined {
  if (hatch !== undefined) {
    const d = [-hatch, 0, hatch].map((x) => `M${x - 1},${hatch + 1}L${x + hatch + 1},-1`).join("");
    return { name: "hatch", size: hatch, d, width: 1 };
  }
  return dotted === undefined
    ? undefined
    : { name: "dots", size: 2 * dotted, d: `M0,${dotted}h${dotted}`, width: 2 * dotted };
}

function tiledElement(element: SVGElement, color: string, { name, size, d, width }: Tile): SVGElement {
  const id = [name, color, size].join("-").replaceAll(/[^\w.-]/g, "");
  element.setAttribute("fill", `url(#${id})`);
  const lines = svg("path", { d, stroke: color, "stroke-width": width });
  const square = { width: size, height: size, patternUnits: "userSpaceOnUse" };
  return svg("g", {}, svg("pattern", { id, ...square }, lines), element);
}

const patterns = new Map<string, CanvasPattern | null>();
const MOST_PATTERNS = 50;

/** A pattern in dots of the screen: stroking so many lines takes ten times as long. */
function patternOf(
  context: CanvasRenderingContext2D,
  color: string,
  { name, size, d, width }: Tile,
): CanvasPattern | string {
  const dots = window.devicePixelRatio || 1;
  const key = `${name} ${color} ${size} ${dots}`;
  let pattern = patterns.get(key);
  if (pattern === undefined) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = Math.round(size * dots);
    const own = tile.getContext("2d");
    own?.scale(tile.width / size, tile.height / size);
    if (own) [own.strokeStyle, own.lineWidth] = [color, width];
    own?.stroke(new Path2D(d));
    pattern = context.createPattern(tile, "repeat");
    pattern?.setTransform(new DOMMatrix([size / tile.width, 0, 0, size / tile.height, 0, 0]));
    if (patterns.size > MOST_PATTERNS) patterns.clear();
    patterns.set(key, pattern);
  }
  return pattern ?? color;
}

/** Each colour stands in the middle of its part. */
function stopOf(at: number, colors: readonly string[]): number {
  return (at + 0.5) / colors.length;
}

/** A shape on screen: made once, it serves for one shape of its kind after another, and the browser hears of what changes. */
export class ShapeElement {
  private readonly mark: LiveElement<"polygon" | "path" | "text">;
  private readonly text = document.createTextNode("");
  private title: SVGTitleElement | undefined;

  constructor(
    private readonly shape: Shape,
    font: string,
  ) {
    const [tag] = attributesOf(shape, font);
    this.mark = new LiveElement(tag);
    if (tag === "text") this.element.append(this.text);
    this.show(shape, font);
  }

  get element(): SVGElement {
    return this.mark.element;
  }

  /** Whether it can show a shape like this one. */
  suits(shape: Shape): boolean {
    return shape.kind === this.shape.kind;
  }

  /** @param more attributes, each time the same ones */
  show(shape: Shape, font: string, more: Readonly<Record<string, string | number | undefined>> = {}): void {
    this.mark.set(attributesOf(shape, font)[1]);
    this.mark.set(more);
    if (shape.kind !== "text") return;
    if (this.text.data !== shape.text) this.text.data = shape.text;
    const { title } = shape;
    if (this.title?.textContent === title) return;
    this.title?.remove();
    this.title = title === undefined ? undefined : svg("title", {}, title);
    if (this.title) this.element.prepend(this.title);
  }
}

/** Paints shapes onto a canvas whose unit is a pixel of the page. */
export function paint(context: CanvasRenderingContext2D, shapes: Iterable<Shape>, font: string): void {
  // Most texts are like the one before: what a canvas is told again it reads again.
  const worn: Worn = { font: "", align: "", dash: "" };
  const dots = window.devicePixelRatio || 1;
  context.setLineDash([]);
  for (const shape of shapes) {
    context.globalAlpha = shape.opacity ?? 1;
    if (shape.kind === "text") {
      paintText(context, shape, font, worn);
      continue;
    }
    const path = shape.kind === "path" ? pathOf(shape, dots) : undefined;
    const lines = shape.kind === "path" ? shape.traced?.lines : undefined;
    if (path && lines !== undefined) {
      if (worn.dash !== "") context.setLineDash([]);
      worn.dash = "";
      [context.strokeStyle, context.lineWidth] = [lines, 1 / dots];
      context.stroke(path);
      continue;
    }
    const { x, y, width, height } = shape.kind === "box" ? shape.box : { x: 0, y: 0, width: 0, height: 0 };
    if (shape.fill !== undefined) {
      context.globalAlpha = (shape.opacity ?? 1) * (shape.fillOpacity ?? 1);
      if (!isWorn(worn.fill, shape)) context.fillStyle = fillOf(context, shape.fill, shape);
      worn.fill = shape;
      if (path) context.fill(path);
      else context.fillRect(x, y, width, height);
      context.globalAlpha = shape.opacity ?? 1;
    }
    if (shape.stroke === undefined) continue;
    const dash = shape.dash?.join(" ") ?? "";
    if (worn.dash !== dash) context.setLineDash([...(shape.dash ?? [])]);
    worn.dash = dash;
    context.strokeStyle = shape.stroke;
    context.lineWidth = shape.strokeWidth ?? 1;
    if (path) context.stroke(path);
    else context.strokeRect(x, y, width, height);
  }
  context.globalAlpha = 1;
}

function pathOf(shape: Shape & { readonly kind: "path" }, dots: number): Path2D {
  if (!shape.traced) return new Path2D(shape.d);
  const path = new Path2D();
  shape.traced.trace(path, dots);
  return path;
}

/** What a canvas was told last. */
interface Worn {
  font: string;
  align: string;
  dash: string;
  fill?: Paint;
}

function isWorn(worn: Paint | undefined, { fill, hatch, dotted, blend, graded }: Paint): boolean {
  const isPlain = blend === undefined && graded === undefined;
  return (
    isPlain && worn?.fill === fill && worn?.hatch === hatch && worn?.dotted === dotted && !worn?.blend && !worn?.graded
  );
}

function fillOf(
  context: CanvasRenderingContext2D,
  fill: string,
  paint: Pick<Paint, "blend" | "graded" | "hatch" | "dotted">,
): string | CanvasGradient | CanvasPattern {
  const { blend, graded } = paint;
  const tile = tileOf(paint);
  if (tile) return patternOf(context, fill, tile);
  if (blend) return gradientOf(context, fill, blend);
  if (!graded) return fill;
  const { colors, from, until } = graded;
  const gradient = context.createLinearGradient(0, from, 0, until);
  colors.forEach((color, at) => {
    // Between two of its own colour it changes nothing, and most of hundreds of gradients is one colour.
    const isNeeded = colors.at(at - 1) !== color || colors.at(at + 1) !== color || at === 0;
    if (isNeeded) gradient.addColorStop(stopOf(at, colors), color);
  });
  return gradient;
}

/** From one colour to another, from left to right. */
export function gradientOf(
  context: CanvasRenderingContext2D,
  color: string,
  { to, from, until }: NonNullable<Paint["blend"]>,
): CanvasGradient {
  const gradient = context.createLinearGradient(from, 0, until, 0);
  gradient.addColorStop(0, color);
  gradient.addColorStop(1, to);
  return gradient;
}

function paintText(
  context: CanvasRenderingContext2D,
  shape: Extract<Shape, { kind: "text" }>,
  family: string,
  worn: Worn,
): void {
  const { x, y } = shape.at;
  const font = `${shape.weight ?? 400} ${shape.size}px ${family}`;
  const align = shape.anchor === "middle" ? "center" : (shape.anchor ?? "start");
  if (worn.font !== font) context.font = worn.font = font;
  if (worn.align !== align) context.textAlign = worn.align = align;
  if (shape.halo !== undefined) {
    context.setLineDash([]);
    context.strokeStyle = shape.halo;
    context.lineWidth = HALO;
    context.lineJoin = "round";
    context.strokeText(shape.text, x, y);
    context.lineJoin = "miter";
  }
  const fill = shape.fill ?? "#000";
  if (!isWorn(worn.fill, { fill })) context.fillStyle = fill;
  worn.fill = { fill };
  context.fillText(shape.text, x, y);
}

/** Makes a canvas as large as the drawing, in dots of the screen, and empty. */
export function clearCanvas(
  canvas: HTMLCanvasElement,
  { width, height }: { width: number; height: number },
): CanvasRenderingContext2D | undefined {
  const dots = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * dots), Math.round(height * dots)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext("2d");
  context?.setTransform(dots, 0, 0, dots, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context ?? undefined;
}
