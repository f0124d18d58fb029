/** Marks on a canvas, or as SVG. */
import { svg } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { FONT_SIZE, type Mark } from "./marks";

const DIMMED = 0.28;
const HATCH = 6;

export function paint(canvas: HTMLCanvasElement, marks: readonly Mark[], theme: Theme): void {
  const dots = window.devicePixelRatio || 1;
  const { width, height } = canvas.getBoundingClientRect();
  canvas.width = Math.round(width * dots);
  canvas.height = Math.round(height * dots);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(dots, 0, 0, dots, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `${FONT_SIZE}px ${theme.font}`;
  context.textBaseline = "middle";
  for (const mark of marks) {
    context.globalAlpha = mark.dimmed ? DIMMED : 1;
    context.fillStyle = mark.fill;
    context.fillRect(mark.x, mark.y, Math.max(0.5, mark.width), mark.height);
    if (mark.style === "hatched") hatch(context, mark, theme.outline);
    if (mark.outline !== undefined) {
      context.setLineDash(mark.style === "outgoing" ? [3, 3] : []);
      context.lineWidth = 1;
      context.strokeStyle = mark.outline;
      context.strokeRect(mark.x + 0.5, mark.y + 0.5, mark.width - 1, mark.height - 1);
    }
    if (mark.label !== "") {
      // Names stay as easy to read as before: what is dimmed is the area.
      context.globalAlpha = mark.dimmed ? 0.75 : 1;
      context.fillStyle = mark.dimmed ? theme.foreground : mark.ink;
      context.fillText(mark.label, Math.max(0, mark.x) + 4, mark.y + mark.height / 2 + 0.5);
    }
  }
}

function hatch(context: CanvasRenderingContext2D, mark: Mark, color: string): void {
  context.save();
  context.beginPath();
  context.rect(mark.x, mark.y, mark.width, mark.height);
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let x = mark.x - mark.height; x < mark.x + mark.width; x += HATCH) {
    context.moveTo(x, mark.y + mark.height);
    context.lineTo(x + mark.height, mark.y);
  }
  context.stroke();
  context.restore();
}

/** @param top where the marks' own 0 lies */
export function asSvg(marks: readonly Mark[], theme: Theme, top: number, height: number): SVGElement {
  const id = `pane-${top}`;
  const group = svg("g", { transform: `translate(0 ${top})`, "clip-path": `url(#${id})` });
  group.append(svg("clipPath", { id }, svg("rect", { width: 100_000, height })));
  for (const mark of marks) {
    const { x, y, width, fill, outline, style } = mark;
    const dash = style === "outgoing" ? "3 3" : style === "hatched" ? "1 2" : undefined;
    group.append(
      svg("rect", {
        x,
        y,
        width: Math.max(0.5, width),
        height: mark.height,
        fill,
        stroke: outline,
        "stroke-dasharray": dash,
        opacity: mark.dimmed ? DIMMED : undefined,
      }),
    );
    if (mark.label === "") continue;
    const ink = mark.dimmed ? theme.foreground : mark.ink;
    group.append(svg("text", { x: Math.max(0, x) + 4, y: y + mark.height - 5, fill: ink }, mark.label));
  }
  return group;
}
