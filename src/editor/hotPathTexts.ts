/** What is said of a hot path. Pure. */
import type { HotPath } from "../engine/api";
import { placeText } from "../model/placeText";
import { shortName } from "../model/shortName";
import { formatShare, formatValue } from "../model/units";

/** Steps of a path that are written: a message is read in a few seconds. */
const MOST_STEPS = 8;
/** The beginning of a longer path that is kept. */
const FIRST_STEPS = 2;

/**
 * `main → timestep → solve → dot: 78.0 % of main, 1.24 s (mean over 8 ranks). It ends there: globalSum, the heaviest that it
 * calls, keeps 34.0 %.`
 *
 * @param over how ranks were combined; "" where there are none
 * @param threshold what a callee has to keep, 0 to 1
 */
export function hotPathText(path: HotPath, unit: string, over: string, threshold: number): string {
  const { steps, estimated } = path;
  const [first] = steps;
  const last = steps[steps.length - 1];
  const value = `${formatValue(last.inclusive, unit)}${over === "" ? "" : ` (${over})`}`;
  const share =
    first.inclusive > 0 ? `${formatShare(last.inclusive / first.inclusive)} of ${shortName(first.name)}, ` : "";
  return [
    `${stepsText(path)}: ${steps.length > 1 ? share : ""}${value}.`,
    endText(path, threshold),
    ...(estimated ? ["Estimated from a call graph."] : []),
    ...(path.link.places.length === 0 ? [`No line is known for ${shortName(last.name)}. ${path.link.reason}`] : []),
  ].join(" ");
}

/** Where the nearest line above the end is, as a button says it: `Go to solve (solver.cpp:97)`. */
export function nearestText({ name, link }: NonNullable<HotPath["nearest"]>): string {
  return `Go to ${shortName(name)} (${placeText(link) ?? "several places"})`;
}

function stepsText({ steps, leftOut, leftOutAfter }: HotPath): string {
  const names = steps.map(({ name }) => shortName(name));
  if (leftOut === 0 && names.length <= MOST_STEPS) return names.join(" → ");
  const last = MOST_STEPS - FIRST_STEPS;
  const between = names.length + leftOut - MOST_STEPS;
  // What is left out of the answer lies between what is written, since the answer has more steps than are written.
  const end = leftOut === 0 ? names.slice(-last) : names.slice(leftOutAfter).slice(-last);
  return [...names.slice(0, FIRST_STEPS), `${between} more`, ...end].join(" → ");
}

function endText({ steps, stopped }: HotPath, threshold: number): string {
  const where = steps.length > 1 ? "It ends there" : "It goes no further";
  switch (stopped.why) {
    case "leaf":
      return `${where}: nothing below it was recorded.`;
    case "nothing":
      return `${where}: it has no cost.`;
    case "share": {
      const least = formatShare(threshold);
      return `${where}: ${shortName(stopped.name)}, the heaviest below it, keeps ${formatShare(stopped.share)}, less than ${least}.`;
    }
  }
}
