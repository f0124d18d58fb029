import { NONE } from "../../../model/ids";
import { compareText } from "../../../model/strings";
import { cancellable, type Task } from "../../../model/task";
import type { CostTable } from "../decode/costTable";

/** What a level of recursion is named by where callgrind keeps levels apart (`--separate-recs`). */
const LEVEL = /^(.+)'(\d{1,9})$/s;

/** The functions of a table in canonical order, levels of recursion apart, outermost first. */
export interface FunctionNodes {
  readonly count: number;
  /** Node of each function of the table. */
  readonly nodeOf: Int32Array;
  /** Function of each node: the levels of one function are one. */
  readonly functionOf: Int32Array;
  /** Name, file and load module of each function, by canonical order; empty where not known. */
  readonly functions: readonly NamedFunction[];
}

export interface NamedFunction {
  readonly name: string;
  readonly file: string;
  readonly module: string;
}

/** @param levels names may end in a level of recursion */
export function functionNodes(table: CostTable, levels: boolean, task: Task): FunctionNodes {
  const { functions } = table;
  const named: NamedFunction[] = [];
  const level = new Int32Array(functions.size);
  for (let own = 0; own < functions.size; own++) {
    if (own % 1024 === 0) task.check();
    const recorded = table.strings.get(functions.first[own]);
    const found = levels ? LEVEL.exec(recorded) : null;
    level[own] = found ? Number(found[2]) : 1;
    const name = found ? found[1] : recorded;
    named.push({ name, file: table.text(functions.second[own]), module: table.text(functions.third[own]) });
  }
  const compare = (a: number, b: number) => compareFunctions(named[a], named[b]) || level[a] - level[b];
  const order = new Int32Array(functions.size).map((_, own) => own).sort(cancellable(compare, task));
  const nodeOf = new Int32Array(functions.size);
  const functionOf: number[] = [];
  const distinct: NamedFunction[] = [];
  let last: number = NONE;
  for (const own of order) {
    const again = last !== NONE && compareFunctions(named[last], named[own]) === 0;
    if (!again) distinct.push(named[own]);
    if (!again || level[last] !== level[own]) functionOf.push(distinct.length - 1);
    nodeOf[own] = functionOf.length - 1;
    last = own;
  }
  return { count: functionOf.length, nodeOf, functionOf: Int32Array.from(functionOf), functions: distinct };
}

/** In the order of {@link FrameTable.canonicalRanks}. */
function compareFunctions(a: NamedFunction, b: NamedFunction): number {
  return compareText(a.name, b.name) || compareText(a.module, b.module) || compareText(a.file, b.file);
}
