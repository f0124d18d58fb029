/** What the page of the grid of clocks draws: one clock for each open recording with events. */
import * as v from "valibot";
import { amount, list, name } from "./bounds";
import { clockSchema } from "./clock";

/** Recordings whose clocks fit into a message. */
export const MOST_CLOCKS = 200;

/** What the panel remembers. */
export const clocksState = v.object({
  /** All clocks go as long as the longest run takes: their sectors are of one length. */
  compares: v.boolean(),
});
export type ClocksState = v.InferOutput<typeof clocksState>;

const run = v.object({
  name,
  seconds: amount,
  clock: clockSchema,
  /** `ranks 0–3`: what its numbers are restricted to; "": nothing. */
  restriction: name,
  isCurrent: v.boolean(),
});
export type RunClock = v.InferOutput<typeof run>;

export const clocksContent = v.object({
  /** Longest first. */
  runs: list(run, MOST_CLOCKS),
  compares: v.boolean(),
});
export type ClocksContent = v.InferOutput<typeof clocksContent>;
