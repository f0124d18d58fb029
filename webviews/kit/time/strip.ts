/** The whole run as a small picture above the drawing, along its axis of time. Pure. */
import type { Stretch } from "../../../src/protocol/panel";
import { axisTicks, TEXT_SIZE, type Tick } from "../axis";
import type { Box, DrawView } from "../stage/scene";
import type { StripPicture } from "../strip";
import { momentText } from "./times";
import type { Run } from "./window";

/** Texts along it, and pixels between them. */
const TICKS = 9;
const APART = 8;

/** @param area of the rows: the picture lies above it */
export function timeStrip(
  { start, end }: Run,
  { from, to }: Stretch,
  area: Box,
  picture: Pick<StripPicture, "label" | "of" | "paint">,
  view: Pick<DrawView, "measure">,
): StripPicture {
  const length = end - start || 1;
  const share = (seconds: number) => Math.min(1, Math.max(0, (seconds - start) / length));
  return {
    ...picture,
    left: area.x,
    right: 0,
    from: share(from),
    to: share(to),
    ticks: (width) => ticksOf({ start, end }, width, view).map(({ value, text }) => ({ at: share(value), text })),
    says: (at) => momentText(start + at * length, length / 1000),
  };
}

/** As many round moments as have room for their texts: all of them, so that none seems to be farther from the next than others. */
function ticksOf(
  { start, end }: Pick<Run, "start" | "end">,
  width: number,
  { measure }: Pick<DrawView, "measure">,
): Tick[] {
  const wide = measure(TEXT_SIZE);
  const pixels = width / (end - start || 1);
  const fits = (ticks: readonly Tick[]) =>
    ticks.slice(1).every(({ value }, at) => {
      const { value: before, text } = ticks[at];
      return (value - before) * pixels >= wide(text) + APART;
    });
  for (let about = TICKS; about > 1; about--) {
    const ticks = axisTicks(start, end, about, "s");
    if (fits(ticks)) return ticks;
  }
  return axisTicks(start, end, 1, "s").slice(0, 1);
}
