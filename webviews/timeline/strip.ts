/** The whole trace as a small picture above the drawing. */
import { eventKinds, type TimelineContent } from "../../src/protocol/timeline";
import { axisTicks } from "../kit/axis";
import type { StripPicture } from "../kit/strip";
import type { Theme } from "../kit/theme/theme";
import { kindFill } from "./colours";
import { areaOf, seenOf, type TimelineSeen } from "./seen";
import { momentText } from "./times";
import type { DrawView } from "../kit/stage/scene";

/** Texts along it. */
const TICKS = 9;

export function stripOf(content: TimelineContent, seen: TimelineSeen | undefined, view: DrawView): StripPicture {
  const { start, end, strip } = content;
  const { from, to } = seenOf(content, seen);
  const length = end - start || 1;
  const share = (seconds: number) => Math.min(1, Math.max(0, (seconds - start) / length));
  return {
    ...{ label: content.lanesText, left: areaOf(content, view).x, right: 0 },
    ...{ of: strip.kind, from: share(from), to: share(to) },
    paint: (context, width, height) => paint(strip, view.theme, context, width, height),
    ticks: axisTicks(start, end, TICKS, "s").map(({ value, text }) => ({ at: share(value), text })),
    says: (at) => momentText(start + at * length, length / 1000),
  };
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
