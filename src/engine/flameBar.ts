/** The inside of one bar of the super graph, as rectangles: its contexts, what they call out of it, what is hidden in them. */
import { type FlameShape, type FlameSource, ShapeBuilder } from "../analysis/flameShape";
import { NONE } from "../model/ids";
import type { Task } from "../model/task";
import type { GraphStructure } from "../supergraph/superGraph";

/** What a rectangle that is no context of the bar stands for. */
export interface BarShape extends FlameShape {
  /** Keys from here on are bars that are called, by their index. */
  readonly firstBar: number;
  /** The key of what the filter hides. */
  readonly hidden: number;
}

/** @param together contexts of one function below one caller are one rectangle */
export function barShape(
  source: FlameSource,
  { kept, bars }: GraphStructure,
  bar: number,
  together: boolean,
  task: Task,
): BarShape {
  const { tree, functions, callOf } = source;
  const firstBar = together ? functions.size : tree.size;
  const hidden = firstBar + bars.size;
  const shape = new ShapeBuilder(source, task);
  // By kept context: a bar is not entered again below itself, since the graph has no cycles.
  const nodeOfKept = new Int32Array(kept.size).fill(NONE);
  for (let at = 0; at < kept.size; at++) {
    shape.look();
    const parent = kept.parent[at];
    const above = parent === NONE ? NONE : nodeOfKept[parent];
    const context = kept.original[at];
    if (bars.ofContext[at] === bar) {
      const isPart = bars.entryOf[at] !== at && together && callOf[context] !== context;
      nodeOfKept[at] = isPart ? above : shape.child(above, together ? functions.ofContext[context] : context);
    } else if (above !== NONE) {
      const leaves = bars.ofContext[parent] === bar;
      nodeOfKept[at] = leaves ? shape.child(above, firstBar + bars.ofContext[at]) : above;
    }
  }
  for (let context = 0; context < tree.size; context++) {
    shape.look();
    const home = kept.home[context];
    if (home === NONE || nodeOfKept[home] === NONE) continue;
    const isHidden = kept.original[home] !== context && bars.ofContext[home] === bar;
    shape.nodeOf[context] = isHidden ? shape.child(nodeOfKept[home], hidden) : nodeOfKept[home];
  }
  return { ...shape.build(together ? "functions" : "contexts"), firstBar, hidden };
}
