/** Share of work that is done, as text. Pure. */
import type { ProgressState } from "./model";

/** `35 %`; empty if it is not known, or if all of it is done but for the answer: `100 %` beside a spinner says both. */
export function percentDone({ fraction }: ProgressState): string {
  return fraction === undefined || fraction >= 1 ? "" : `${Math.floor(fraction * 100)}\u00a0%`;
}
