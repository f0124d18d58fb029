/** Overhead of a tool that runs within the program, in CPU time (semantics 16, Tools of the traced build). */
import { formatRatio, formatShare, formatValue } from "./units";

/** Sums over all processes and threads of a run that were recorded to their ends. */
export interface RecordingCost {
  /** CPU time of recording: time per region, measured in this program, times the number of regions. */
  readonly seconds: number;
  /** CPU time of the program's threads, recording included. */
  readonly processorSeconds: number;
}

/** Headings show the overhead above this share of the CPU time, a slowdown of 1.5. */
const LARGE_SHARE = 1 / 3;
/** Share by which the measured overhead may be too high: its waits for memory overlap with the program. */
const TOO_HIGH = 0.1;

/** Beginning of the sentence in `notRecorded` on functions that the tool left out. */
export const LEFT_OUT = "no functions of files with ";

/** Share of the CPU time, at most 1. */
export function costShare({ seconds, processorSeconds }: RecordingCost): number {
  return processorSeconds > 0 ? Math.min(1, seconds / processorSeconds) : 0;
}

/** Whether the tool may have changed which functions are hot. */
export function isLargeCost(cost: RecordingCost | undefined): cost is RecordingCost {
  return cost !== undefined && costShare(cost) > LARGE_SHARE;
}

/** CPU time of the recorded program divided by that of the program without the tool: a lower bound. */
export function slowdown(cost: RecordingCost): number {
  return 1 / (1 - (1 - TOO_HIGH) * costShare(cost));
}

/** `recording took 2.97 s (92.6 %) of the CPU time, a slowdown of at least 6.00×`. */
export function costText(cost: RecordingCost): string {
  const { seconds, processorSeconds } = cost;
  const recording = `${formatValue(Math.min(seconds, processorSeconds), "s")} (${formatShare(costShare(cost))})`;
  return `recording took ${recording} of the CPU time, a slowdown of at least ${formatRatio(slowdown(cost))}`;
}

/** The sentence above a list of hot functions. */
export function rankingText(cost: RecordingCost): string {
  return `The ranking may be the tool's: ${costText(cost)}.`;
}

/** Heading of a result, one digit behind the point: `instrument · 8.0× as long`. */
export function badgeText(tool: string, cost: RecordingCost): string {
  return `${tool} · ${slowdown(cost).toFixed(1)}× as long`;
}
