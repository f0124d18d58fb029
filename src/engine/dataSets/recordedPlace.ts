/** Where a recording says that a function is, whether or not its source is here. */
import { isPlaceholderName } from "../../model/frames";
import { NONE } from "../../model/ids";
import type { RecordedPlace } from "../comparisons/comparisonApi";
import type { OpenDataSet } from "./openDataSet";

/** @returns undefined where no file was recorded */
export function recordedPlaceOf(open: OpenDataSet, id: number): RecordedPlace | undefined {
  const { dataSet, functions } = open.measured?.flat ?? open;
  const { frames, tree } = dataSet;
  const own = functions.frame[id];
  const file = frames.file[own];
  if (file === NONE || isPlaceholderName(frames.strings.get(file))) return undefined;
  let line = frames.line[own] || Infinity;
  if (line === Infinity)
    functions.ofContext.forEach((of, context) => {
      const frame = tree.frame[context];
      if (of === id && frames.file[frame] === file && frames.line[frame] > 0) line = Math.min(line, frames.line[frame]);
    });
  return { file: frames.strings.get(file), ...(Number.isFinite(line) ? { line } : {}) };
}
