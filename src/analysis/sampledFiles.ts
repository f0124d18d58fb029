import type { DataSet } from "../model/dataSet";
import type { FunctionTable } from "../model/functions";
import { NONE } from "../model/ids";
import { addTo, entryOf } from "../model/maps";
import { compareText } from "../model/strings";

/**
 * For samples: the recorded file with most of each function's cost (semantics 2.2), by the lines that were hit in it.
 *
 * @param weight exclusive value of each context, any unit
 * @returns one recorded file per function, undefined where no line of it has one; ties go to the first name
 */
export function mostSampledFiles(
  dataSet: DataSet,
  functions: FunctionTable,
  weight: Float64Array,
): (string | undefined)[] {
  const { tree, frames } = dataSet;
  const sums = new Map<number, Map<number, number>>();
  for (let context = 0; context < tree.size; context++) {
    const frame = tree.frame[context];
    if (frames.kindOf(frame) !== "line" || frames.file[frame] === NONE) continue;
    const id = functions.ofContext[context];
    const files = entryOf(sums, id, () => new Map<number, number>());
    addTo(files, frames.file[frame], weight[context]);
  }
  return Array.from({ length: functions.size }, (_, id) => {
    const ranked = [...(sums.get(id) ?? [])].map(([file, sum]) => ({ file: frames.strings.get(file), sum }));
    ranked.sort((a, b) => b.sum - a.sum || compareText(a.file, b.file));
    return ranked[0]?.file;
  });
}
