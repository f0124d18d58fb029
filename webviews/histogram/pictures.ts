/** The drawing as a picture of its own: SVG text with everything that the screen has on canvases. */
import type { HistogramMessage } from "../../src/protocol/histogram";
import { pictureText } from "../shared/pictureText";
import { setAll, svg } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { summary, title } from "./describe";
import { binHeat, Drawing, type Emphasis, FONT_SIZE } from "./drawing";
import { memberBox, type Scene } from "./scene";

const FOOT = 44;

/** @param dataSet what the picture is of */
export function svgText(
  histogram: HistogramMessage,
  scene: Scene,
  theme: Theme,
  emphasis: Emphasis,
  dataSet: string,
): string {
  const drawing = new Drawing();
  drawing.show(histogram);
  drawing.layOut(histogram, scene, theme);
  drawing.emphasise(histogram, scene, theme, { ...emphasis, pointedBin: undefined, pointedMember: undefined });
  drawing.handle.remove();
  const { element } = drawing;
  const height = pictureHeight(scene);
  const isChosen = (bin: number) => (emphasis.chosen?.bins[bin] ?? 0) > 0;
  const shadows = scene.shadows.map((pieces, bin) =>
    svg("path", {
      d: pieces.join(""),
      fill: isChosen(bin) ? theme.amount(1) : theme.outline,
      "fill-opacity": isChosen(bin) ? 0.62 : 0.24,
      stroke: scene.fewShadows ? theme.flowEdge : undefined,
      "stroke-width": scene.fewShadows ? 0.75 : undefined,
    }),
  );
  const { keys, bins } = histogram.line;
  const members = keys.map((_, position) => {
    const { x, y, width, height: high } = memberBox(scene, keys.length, position);
    const out = emphasis.chosenMembers?.has(position) ? 5 : 0;
    return svg("rect", {
      x: Math.round(x * 10) / 10,
      y: y - out,
      width: Math.max(1, Math.round((width - (width > 4 ? 1 : 0)) * 10) / 10),
      height: high + 2 * out,
      fill: bins[position] < 0 ? theme.background : theme.amount(binHeat(histogram, bins[position])),
      stroke: width > 4 ? (out > 0 ? theme.foreground : theme.outline) : undefined,
    });
  });
  setAll(element, { width: scene.width, height, viewBox: `0 0 ${scene.width} ${height}`, class: undefined });
  for (const mark of element.querySelectorAll("[tabindex]")) mark.removeAttribute("tabindex");
  element.prepend(
    svg("rect", { width: scene.width, height, fill: theme.background }),
    svg("g", {}, ...shadows),
    svg("g", {}, ...members),
  );
  const text = (y: number, content: string) =>
    svg("text", { x: 12, y, fill: theme.foreground, "font-family": theme.font, "font-size": FONT_SIZE }, content);
  element.append(
    text(scene.height + 14, `${dataSet} · ${title(histogram)}`),
    text(scene.height + 32, summary(histogram, emphasis.chosen)),
  );
  return pictureText(element);
}

export function pictureHeight(scene: Scene): number {
  return scene.height + FOOT;
}
