/** Folded stacks, which flame graph tools read: a line per context, `main;solve 1.25`, exclusive and over all locations. */
import type { DataSet } from "../model/dataSet";
import type { Output } from "./output";
import { escapedName, frameName } from "../model/writtenNames";
import { plainDecimal } from "./texts";
import { PathWalk } from "../model/pathWalk";

/** @param warn gets a sentence on what the numbers are, since the format has no place for it */
export async function writeCollapsed(
  dataSet: DataSet,
  metric: number,
  output: Output,
  warn: (message: string) => void,
): Promise<void> {
  const { tree, frames, metrics, values } = dataSet;
  const { rowStart, value } = values[metric];
  const { name, unit } = metrics[metric];
  const walk = new PathWalk(tree, (context) => escapedName(frameName(frames.get(tree.frame[context] as never))));
  let negative = 0;
  for (let context = 0; context < tree.size; context++) {
    let sum = 0;
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++)
      if (Number.isFinite(value[cell])) sum += value[cell];
    if (sum < 0) negative++;
    if (!(sum > 0)) continue;
    const wait = output.write(`${walk.moveTo(context).join(";")} ${plainDecimal(sum)}\n`);
    if (wait) await wait;
  }
  warn(`the stacks are ${name}${unit === "1" ? "" : ` in ${unit}`}, exclusive, summed over all ranks and threads`);
  if (negative > 0) {
    const contexts = negative === 1 ? "context with a negative sum is" : "contexts with a negative sum are";
    warn(`${negative} ${contexts} left out: a stack has no width below 0`);
  }
}
