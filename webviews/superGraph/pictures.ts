/** The drawing as a picture of its own: SVG text, or a PNG made from it. */
import { formatValue } from "../../src/model/units";
import type { GraphMessage } from "../../src/protocol/superGraph";
import { pictureText } from "../shared/pictureText";
import { setAll, svg } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { visible } from "../shared/text";
import { signed } from "./halves";
import { summary } from "./describe";
import type { Emphasis } from "./barElement";
import { Drawing } from "./drawing";
import { FONT_SIZE } from "./labelElement";
import type { Scene } from "./scene";

const FOOT = 44;

/** @param scene of everything, not zoomed */
export function svgText(graph: GraphMessage, scene: Scene, theme: Theme, emphasis: Emphasis, dataSet: string): string {
  const drawing = new Drawing();
  drawing.show(graph, true);
  drawing.update(scene, theme, emphasis);
  drawing.titleLabels(scene);
  const height = scene.height + FOOT;
  const { element } = drawing;
  setAll(element, { width: scene.width, height, viewBox: `0 0 ${scene.width} ${height}`, class: undefined });
  for (const mark of element.querySelectorAll("[tabindex]")) mark.removeAttribute("tabindex");
  element.prepend(svg("rect", { width: scene.width, height, fill: theme.background }));
  const text = (y: number, content: string) =>
    svg("text", { x: 12, y, fill: theme.foreground, "font-family": theme.font, "font-size": FONT_SIZE }, content);
  element.append(
    text(scene.height + 14, `${dataSet} · ${summary(graph)}`),
    text(scene.height + 32, `height: inclusive · colour: ${colourText(graph, scene)} · hatched: hidden by the filter`),
  );
  return pictureText(element);
}

/** Height of the picture of a scene. */
export function pictureHeight(scene: Scene): number {
  return scene.height + FOOT;
}

function colourText({ unit, pair }: GraphMessage, { hottest, largestDifference }: Scene): string {
  if (largestDifference === undefined || !pair) return `exclusive, 0 to ${formatValue(hottest, unit)}`;
  const name = visible(pair.halves[0].name).slice(0, 80);
  const [less, more] = [signed(-largestDifference, unit), signed(largestDifference, unit)];
  return `difference of exclusive, ${less} (blue: less in ${name}) to ${more} (orange: more)`;
}
