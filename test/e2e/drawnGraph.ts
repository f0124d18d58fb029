/** What of a super graph can be measured on its page. */
import type { Frame } from "playwright-core";

export interface DrawnText {
  /** Of a name that is cut: all of it. */
  readonly whole: string;
  readonly isName: boolean;
  readonly isTurned: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Boxes of letters are a little higher than their line: pixels on either side. */
const BESIDE_LINE = 2;
/** Pixels around bars, texts and leaders that are theirs: softened edges, a frame of the focus. */
const SOFT_EDGE = 6;
/** Parts of a colour, of 255, that neighbours in a blend differ by. */
const LIKENESS = 2;

/** Texts of bars, in pixels of the drawing. */
export function drawnTexts(frame: Frame): Promise<DrawnText[]> {
  return frame.locator(".drawing .above text").evaluateAll((all, beside) => {
    return (all as SVGGraphicsElement[]).map((text) => {
      const { x, y, width, height } = text.getBBox();
      return {
        whole: text.querySelector("title")?.textContent ?? text.textContent ?? "",
        isName: text.getAttribute("font-weight") === "600",
        isTurned: text.hasAttribute("transform"),
        x,
        y: y + beside,
        width,
        height: height - 2 * beside,
      };
    });
  }, BESIDE_LINE);
}

/** Pairs of texts that cover each other. */
export function overlapping(texts: readonly DrawnText[]): string[] {
  return texts.flatMap((one, at) =>
    texts.slice(at + 1).flatMap((other) => {
      const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
      const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
      return across > 0 && down > 0 ? [`${one.whole} on ${other.whole}`] : [];
    }),
  );
}

/** Contrasts of what is drawn between bars, texts and leaders, against the background. */
export interface FlowContrasts {
  /** Of the ink: edges and hairlines. */
  readonly ink: number;
  /** Least and most of what is filled. */
  readonly fills: readonly [least: number, most: number];
}

/** Reads the contrasts of flows from a screenshot of the drawing. */
export async function flowContrasts(frame: Frame): Promise<FlowContrasts> {
  const picture = await frame.locator(".drawing").screenshot({ animations: "disabled", caret: "hide" });
  return frame.evaluate(measured, [picture.toString("base64"), SOFT_EDGE, LIKENESS] as const);
}

/** Runs in the page: it can decode pictures. */
async function measured([base64, softEdge, likeness]: readonly [string, number, number]): Promise<FlowContrasts> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (!context) throw new Error("The page has no canvas.");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const colorAt = (pixel: number) => (data[4 * pixel] << 16) | (data[4 * pixel + 1] << 8) | data[4 * pixel + 2];

  const drawing = document.querySelector(".drawing")?.getBoundingClientRect();
  if (!drawing) throw new Error("There is no drawing.");
  // At the edge VS Code may draw a frame around the panel.
  const isOther = Uint8Array.from({ length: width * height }, (_, pixel) => {
    const x = pixel % width;
    return Math.min(x, width - 1 - x) < softEdge ? 1 : 0;
  });
  // Flows are on canvases, all else is shapes.
  for (const element of document.querySelectorAll(".drawing :is(path, rect, text, circle, polygon, line)")) {
    const box = element.getBoundingClientRect();
    if (box.width >= drawing.width) continue;
    const left = Math.max(0, Math.floor(box.left - drawing.left - softEdge));
    const right = Math.min(width, Math.ceil(box.right - drawing.left + softEdge));
    const bottom = Math.min(height, Math.ceil(box.bottom - drawing.top + softEdge));
    for (let y = Math.max(0, Math.floor(box.top - drawing.top - softEdge)); y < bottom && left < right; y++)
      isOther.fill(1, y * width + left, y * width + right);
  }

  const luminanceOf = (color: number) => {
    const [red, green, blue] = [16, 8, 0].map((bits) => {
      const part = ((color >> bits) & 0xff) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const counts = new Map<number, number>();
  for (let pixel = 0; pixel < isOther.length; pixel++)
    if (isOther[pixel] === 0) counts.set(colorAt(pixel), (counts.get(colorAt(pixel)) ?? 0) + 1);
  const [[background]] = [...counts].sort(([, a], [, b]) => b - a);
  const ground = luminanceOf(background);
  const contrastOf = (color: number) => {
    const own = luminanceOf(color);
    return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
  };
  const [inkColor] = [...counts.keys()].sort((a, b) => contrastOf(b) - contrastOf(a));
  // Filled is what is like all around it: no line and no edge is. Where edges meet they have the ink's colour.
  const isLike = (one: number, other: number) =>
    [16, 8, 0].every((bits) => Math.abs(((one >> bits) & 0xff) - ((other >> bits) & 0xff)) <= likeness);
  const around = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => down * width + right));
  const fills: [number, number] = [Infinity, 0];
  for (let pixel = 2 * width; pixel < isOther.length - 2 * width; pixel++) {
    const color = colorAt(pixel);
    if (isLike(color, background) || isLike(color, inkColor)) continue;
    if (!around.every((to) => isOther[pixel + to] === 0 && isLike(colorAt(pixel + to), color))) continue;
    fills[0] = Math.min(fills[0], contrastOf(color));
    fills[1] = Math.max(fills[1], contrastOf(color));
  }
  return { ink: contrastOf(inkColor), fills };
}

/** How many pixels of the flows that come from what is pointed at, or lead to it, lie before a bar's left edge. */
export function pointedFlowsInto(frame: Frame, key: string): Promise<number> {
  return frame.evaluate((barKey) => {
    const canvas = document.querySelector<HTMLCanvasElement>(".near-canvas");
    const bars = [...document.querySelectorAll<SVGElement>(".drawing [role=option]")];
    const bar = bars.find(({ dataset }) => dataset.key === barKey)?.getBoundingClientRect();
    const context = canvas?.getContext("2d");
    if (!canvas || !context || !bar) throw new Error(`There is no ${bar ? "canvas" : barKey}.`);
    const own = canvas.getBoundingClientRect();
    const dots = canvas.width / own.width;
    const [x, y] = [bar.left - own.left - 4, bar.top - own.top - 1];
    const { data } = context.getImageData(
      Math.round(x * dots),
      Math.round(y * dots),
      Math.ceil(3 * dots),
      Math.ceil((bar.height + 2) * dots),
    );
    return data.filter((_, at) => at % 4 === 3).reduce((count, opacity) => count + (opacity > 0 ? 1 : 0), 0);
  }, key);
}
