/** What a tool that runs within the program has cost it, in CPU time (semantics 16, Tools of the traced build). */
import { formatRatio, formatShare, formatValue } from "./units";

/** Of all processes and threads of a run that were recorded to their ends. */
export interface RecordingCost {
  /** CPU time of recording: what one region takes in this program, times regions. */
  readonly seconds: number;
  /** CPU time of the program's threads, recording included. */
  readonly processorSeconds: number;
}

/** From this share of the CPU time on, 1.5 times as long, headings have it. */
const LARGE_SHARE = 1 / 3;
/** The measured cost is up to so much too high: what waits for memory overlaps with the program. */
const TOO_HIGH = 0.1;

/** Beginning of the sentence, among what was not recorded, on functions that the tool left out. */
export const LEFT_OUT = "no functions of files with ";

/** Share of the CPU time, at most 1. */
export function costShare({ seconds, processorSeconds }: RecordingCost): number {
  return processorSeconds > 0 ? Math.min(1, seconds / processorSeconds) : 0;
}

/** Whether the tool may have changed which functions are hot. */
export function isLargeCost(cost: RecordingCost | undefined): cost is RecordingCost {
  return cost !== undefined && costShare(cost) > LARGE_SHARE;
}

/** CPU time of the recorded program by that of the same program without the tool: a lower bound. */
export function slowdown(cost: RecordingCost): number {
  return 1 / (1 - (1 - TOO_HIGH) * costShare(cost));
}

/** `recording took 2.97 s (92.6 %) of the CPU time: at least 6.00× as much as without it`. */
export function costText(cost: RecordingCost): string {
  const { seconds, processorSeconds } = cost;
  const recording = `${formatValue(Math.min(seconds, processorSeconds), "s")} (${formatShare(costShare(cost))})`;
  return `recording took ${recording} of the CPU time: at least ${formatRatio(slowdown(cost))} as much as without it`;
}

/** What a list of hot functions says above its rows. */
export function rankingText(cost: RecordingCost): string {
  return `The ranking may be the tool's: ${costText(cost)}.`;
}
