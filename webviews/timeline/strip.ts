/** The whole trace as a small picture above the drawing. */
import { eventKinds, type TimelineContent } from "../../src/protocol/timeline";
import { kindFill } from "../kit/kinds";
import type { StripPicture } from "../kit/strip";
import type { Theme } from "../kit/theme/theme";
import { areaOf, seenOf, type TimelineSeen } from "./seen";
import { timeStrip } from "../kit/time/strip";
import type { DrawView } from "../kit/stage/scene";

export function stripOf(content: TimelineContent, seen: TimelineSeen | undefined, view: DrawView): StripPicture {
  const { strip, lanesText } = content;
  const picture: Pick<StripPicture, "label" | "of" | "paint"> = {
    label: lanesText,
    of: strip.kind,
    paint: (context, width, height) => paint(strip, view.theme, context, width, height),
  };
  return timeStrip(content, seenOf(content, seen), areaOf(content, view), picture, view);
}

function paint(
  { rows, columns, kind }: TimelineContent["strip"],
  theme: Theme,
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  const fills = eventKinds.map((one) => kindFill(one, theme));
  const row = height / Math.max(1, rows);
  for (let at = 0; at < rows; at++)
    for (let from = 0; from < columns;) {
      const one = kind[at * columns + from];
      let to = from + 1;
      while (to < columns && kind[at * columns + to] === one) to++;
      if (one > 0) {
        context.fillStyle = fills[one - 1];
        // Without gaps between stretches that meet within a pixel.
        const left = Math.floor((from / columns) * width);
        context.fillRect(
          left,
          at * row,
          Math.ceil((to / columns) * width) - left,
          Math.max(1, row - (row > 2 ? 0.5 : 0)),
        );
      }
      from = to;
    }
}
