/** The row that varies most, over the whole run, as a small picture. */
import type { MetricsContent } from "../../src/protocol/metrics";
import type { DrawView } from "../kit/stage/scene";
import type { StripPicture } from "../kit/strip";
import { bandOf } from "../kit/time/curves";
import { timeStrip } from "../kit/time/strip";
import { fitName } from "../shared/text";
import { RowAxis } from "./axes";
import { rowFill, rowLine } from "./colours";
import { rowName, runOf } from "./describe";
import { areaOf, type MetricsSeen, seenOf } from "./seen";

const SIZE = 10.5;
/** Of the picture, the name's line: there is no room beside it. */
const NAMED = 13;

export function stripOf(
  content: MetricsContent,
  seen: MetricsSeen | undefined,
  view: DrawView,
): StripPicture | undefined {
  const { strip, start, end } = content;
  if (!strip) return undefined;
  const picture: Pick<StripPicture, "label" | "of" | "paint"> = {
    label: "",
    of: strip,
    paint: (context, width, height) => {
      const values = new RowAxis({ ...content, scale: "zero" }, strip.row, NAMED, height - NAMED);
      const { area, band } = bandOf(strip, values, { from: start, to: end }, { x: 0, y: 0, width, height });
      context.save();
      context.fillStyle = rowFill(content, strip.row, view.theme);
      context.strokeStyle = rowLine(content, strip.row, view.theme);
      context.globalAlpha = 0.3;
      context.fill(new Path2D(area));
      context.globalAlpha = 1;
      context.fill(new Path2D(band));
      context.stroke(new Path2D(band));
      const text = fitName(rowName(content, strip.row), width - 8, view.measure(SIZE));
      context.font = `${SIZE}px ${view.theme.font}`;
      context.fillStyle = view.theme.soft;
      context.fillText(text, 4, SIZE);
      context.restore();
    },
  };
  return timeStrip(runOf(content), seenOf(content, seen), areaOf(view), picture, view);
}
