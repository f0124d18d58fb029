/** The whole run as a small picture above the drawing, along its axis of time. Pure. */
import type { Stretch } from "../../../src/protocol/panel";
import { axisTicks } from "../axis";
import type { Box } from "../stage/scene";
import type { StripPicture } from "../strip";
import { momentText } from "./times";
import type { Run } from "./window";

/** Texts along it. */
const TICKS = 9;

/** @param area of the rows: the picture lies above it */
export function timeStrip(
  { start, end }: Run,
  { from, to }: Stretch,
  area: Box,
  picture: Pick<StripPicture, "label" | "of" | "paint">,
): StripPicture {
  const length = end - start || 1;
  const share = (seconds: number) => Math.min(1, Math.max(0, (seconds - start) / length));
  return {
    ...picture,
    ...{ left: area.x, right: 0, from: share(from), to: share(to) },
    ticks: axisTicks(start, end, TICKS, "s").map(({ value, text }) => ({ at: share(value), text })),
    says: (at) => momentText(start + at * length, length / 1000),
  };
}
