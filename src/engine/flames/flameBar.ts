/** The inside of one bar of the super graph, as rectangles: its contexts, what they call out of it, what is hidden in them. */
import { type FlameShape, type FlameSource, ShapeBuilder } from "../../analysis/flameShape";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import type { InsideOfBar } from "../graphs/graphs";

/** What a rectangle that is no context of the bar stands for. */
export interface BarShape extends FlameShape {
  /** Keys from here on are bars that are called, by their index. */
  readonly firstBar: number;
  /** The key of what the filter hides. */
  readonly hidden: number;
}

/**
 * @param inside what makes the bars: of this data set, or of a comparison that it is part of
 * @param together contexts of one function below one caller are one rectangle
 */
export function barShape(source: FlameSource, inside: InsideOfBar, together: boolean, task: Task): BarShape {
  const { tree, functions, callOf } = source;
  const { structure, bar, contextOf } = inside;
  const { kept, bars } = structure;
  const firstBar = together ? functions.size : tree.size;
  const hidden = firstBar + bars.size;
  const shape = new ShapeBuilder(source, task);
  // Where each kept context stands, and what it hides: a bar is not entered again below itself, since the graph has no cycles.
  const standsAt = new Int32Array(tree.size).fill(NONE);
  for (let context = 0; context < tree.size; context++) {
    shape.look();
    const joined = contextOf(context);
    const home = kept.home[joined];
    if (home === NONE) continue;
    const parent = tree.parent[context];
    const above = parent === NONE ? NONE : standsAt[parent];
    const isInside = bars.ofContext[home] === bar;
    if (kept.original[home] !== joined) {
      standsAt[context] = above;
      shape.nodeOf[context] = isInside && above !== NONE ? shape.child(above, hidden) : above;
      continue;
    }
    if (isInside) {
      const isPart = bars.entryOf[home] !== home && together && callOf[context] !== context;
      standsAt[context] = isPart ? above : shape.child(above, together ? functions.ofContext[context] : context);
    } else if (above !== NONE) {
      const leaves = bars.ofContext[kept.parent[home]] === bar;
      standsAt[context] = leaves ? shape.child(above, firstBar + bars.ofContext[home]) : above;
    }
    shape.nodeOf[context] = standsAt[context];
  }
  return { ...shape.build(together ? "functions" : "contexts"), firstBar, hidden };
}
