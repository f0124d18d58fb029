import type { CallGraph } from "../../../model/callGraph";
import { EntryLog } from "../../../model/entryLog";
import { firstCell, type LineValues, locationOfCell, valuesUpTo } from "../../../model/lineValues";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import { identity, orderOf } from "./orderedRows";
import type { RecordedGraph } from "./recordedGraph";

/** Recorded rows in the order of measured ones: the levels of recursion of a function put together. */
interface Levels {
  readonly order: Int32Array;
  /** 1 where the first row of a measured line stands in `order`. */
  readonly begins: Uint8Array;
  readonly lines: CallGraph["lines"];
}

/** The lines of functions instead of levels of recursion, with their costs. */
export function measuredLines(
  recorded: RecordedGraph,
  locations: number,
  task: Task,
): Pick<CallGraph, "lines" | "exclusive"> {
  const { nodes, functions, lines, exclusive } = recorded;
  if (nodes === functions.length) return { lines, exclusive };
  const levels = putTogether(recorded, task);
  return { lines: levels.lines, exclusive: exclusive.map((values) => addedUp(values, levels, locations, task)) };
}

function putTogether({ nodes, functionOf, functions, lines }: RecordedGraph, task: Task): Levels {
  const order = identity(lines.count);
  const begins = new Uint8Array(lines.count);
  const start = new Int32Array(functions.length + 1);
  const frame = new Int32Array(lines.count);
  let count = 0;
  for (let node = 0, steps = 0; node < nodes;) {
    const id = functionOf[node];
    const from = lines.start[node];
    let levels = 0;
    for (; node < nodes && functionOf[node] === id; node++) levels++;
    const to = lines.start[node];
    if (levels > 1) {
      // From 0, which stands for no frame.
      const keys = lines.frame.subarray(from, to).map((own) => own + 1);
      orderOf(keys, task).forEach((own, at) => (order[from + at] = from + own));
    }
    start[id] = count;
    for (let at = from; at < to; at++) {
      if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
      const own = lines.frame[order[at]];
      if (at > from && own === frame[count - 1]) continue;
      begins[at] = 1;
      frame[count++] = own;
    }
  }
  start[functions.length] = count;
  return { order, begins, lines: { count, start, frame: count < lines.count ? frame.slice(0, count) : frame } };
}

function addedUp(values: LineValues, levels: Levels, locations: number, task: Task): LineValues {
  const { lines } = levels;
  // Few lines are of several rows.
  const several = new EntryLog();
  let severalLines = 0;
  let cells = 0;
  eachLine(levels, task, (from, to) => {
    if (to === from + 1) cells += cellsOf(values, levels.order[from]);
    else {
      for (let at = from; at < to; at++) {
        const end = firstCell(values, levels.order[at] + 1);
        for (let cell = firstCell(values, levels.order[at]); cell < end; cell++)
          several.add(severalLines, locationOfCell(values, cell), values.value[cell]);
      }
      severalLines++;
    }
  });
  const sums = several.build(severalLines, identity(severalLines), identity(locations), 1, 1, task);
  cells += sums.value.length;
  const most = sums.value.reduce((a, b) => Math.max(a, b), mostIn(values));
  const rowStart = values.column || cells < lines.count ? new Int32Array(lines.count + 1) : undefined;
  const column = values.column ? new Int32Array(cells) : undefined;
  const value = valuesUpTo(most, cells);
  let line = 0;
  let filled = 0;
  severalLines = 0;
  eachLine(levels, task, (from, to) => {
    if (rowStart) rowStart[line++] = filled;
    const [source, row] = to === from + 1 ? [values, levels.order[from]] : [sums, severalLines++];
    const end = firstCell(source, row + 1);
    for (let cell = firstCell(source, row); cell < end; cell++) {
      if (column) column[filled] = locationOfCell(source, cell);
      value[filled++] = source.value[cell];
    }
  });
  if (rowStart) rowStart[lines.count] = filled;
  return { rowStart, column, value };
}

/** What none of the values is above, by the room that they have. */
function mostIn({ value }: LineValues): number {
  return value instanceof Float64Array ? Infinity : 2 ** (8 * value.BYTES_PER_ELEMENT) - 1;
}

/** Calls back with where the rows of each measured line stand in the order. */
function eachLine({ order, begins }: Levels, task: Task, visit: (from: number, to: number) => void): void {
  for (let from = 0, to = 0; from < order.length; from = to) {
    do if (++to % STEPS_BETWEEN_CHECKS === 0) task.check();
    while (to < order.length && begins[to] === 0);
    visit(from, to);
  }
}

function cellsOf(values: LineValues, row: number): number {
  return firstCell(values, row + 1) - firstCell(values, row);
}
