/** Through the run, window after window. Pure. */
import type { Stretch } from "../../src/protocol/panel";
import type { TreemapContent } from "../../src/protocol/treemap";

/** Windows of a run that is shown as a whole. */
const STEPS = 12;

/** As long as the one that is shown; undefined: that was the last one. */
export function nextWindow(
  { run, window }: Pick<TreemapContent, "run" | "window">,
  begins: boolean,
): Stretch | undefined {
  const [all, length] = [run.to - run.from, window.to - window.from];
  if (!(all > 0)) return undefined;
  const isWhole = length >= all;
  const step = isWhole ? all / STEPS : length;
  const from = isWhole ? run.from : window.to;
  // What is left at the end may be shorter; of next to nothing there is no picture.
  if (run.to - from > step * 1e-6) return { from, to: Math.min(run.to, from + step) };
  return begins ? { from: run.from, to: run.from + step } : undefined;
}
