/** Shapes on SVG elements and on a canvas: the same shape looks the same on both. */
import { setAll, svg } from "../../shared/dom";
import type { Mark, Paint, Shape } from "./scene";

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

/** An element's tag and attributes. */
function attributesOf(
  shape: Shape,
  font: string,
): [tag: "rect" | "path" | "text", Record<string, string | number | undefined>] {
  const paint = paintAttributes(shape);
  switch (shape.kind) {
    case "box":
      return ["rect", { ...shape.box, ...paint }];
    case "path":
      return ["path", { d: shape.d, ...paint }];
    case "text": {
      const { at, size, weight, anchor, halo } = shape;
      const rim =
        halo === undefined
          ? {}
          : { stroke: halo, "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke" };
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
        },
      ];
    }
  }
}

/** @param font family of texts */
export function elementOf(shape: Shape, font: string): SVGElement {
  const [tag, attributes] = attributesOf(shape, font);
  return shape.kind === "text" ? svg(tag, attributes, shape.text) : svg(tag, attributes);
}

/** Gives an element of the same kind of shape another look. */
export function repaint(element: SVGElement, shape: Shape, font: string): void {
  setAll(element, attributesOf(shape, font)[1]);
}

/** Paints shapes onto a canvas whose unit is a pixel of the page. */
export function paint(context: CanvasRenderingContext2D, shapes: Iterable<Shape>, font: string): void {
  for (const shape of shapes) {
    context.globalAlpha = shape.opacity ?? 1;
    if (shape.kind === "text") {
      paintText(context, shape, font);
      continue;
    }
    const path = shape.kind === "path" ? new Path2D(shape.d) : undefined;
    const { x, y, width, height } = shape.kind === "box" ? shape.box : { x: 0, y: 0, width: 0, height: 0 };
    if (shape.fill !== undefined) {
      context.globalAlpha = (shape.opacity ?? 1) * (shape.fillOpacity ?? 1);
      context.fillStyle = shape.fill;
      if (path) context.fill(path);
      else context.fillRect(x, y, width, height);
      context.globalAlpha = shape.opacity ?? 1;
    }
    if (shape.stroke === undefined) continue;
    context.setLineDash([...(shape.dash ?? [])]);
    context.strokeStyle = shape.stroke;
    context.lineWidth = shape.strokeWidth ?? 1;
    if (path) context.stroke(path);
    else context.strokeRect(x, y, width, height);
  }
  context.globalAlpha = 1;
}

function paintText(context: CanvasRenderingContext2D, shape: Extract<Shape, { kind: "text" }>, font: string): void {
  context.font = `${shape.weight ?? 400} ${shape.size}px ${font}`;
  context.textAlign = shape.anchor === "middle" ? "center" : (shape.anchor ?? "start");
  if (shape.halo !== undefined) {
    context.strokeStyle = shape.halo;
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeText(shape.text, shape.at.x, shape.at.y);
  }
  context.fillStyle = shape.fill ?? "#000";
  context.fillText(shape.text, shape.at.x, shape.at.y);
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
