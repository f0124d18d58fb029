import type { FrameTable } from "../../model/frames";
import { NONE } from "../../model/ids";
import { cancellable, STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";
import type { CostTable } from "./costTable";
import type { NamedFunction } from "./functionNodes";
import { RowOrder } from "./orderedRows";

/** Rows of lines or calls in the order of files and lines, and the frame of the line of each. */
export interface PlacedRows {
  /** Rows by location, file, line. */
  readonly order: RowOrder;
  /** By row; NONE where no line is known. */
  frame: Int32Array;
}

/** Frames of functions and lines, in canonical order: a line's frame is its place in the order of files and lines as well. */
export interface PlaceFrames {
  readonly functions: Int32Array;
  readonly lines: PlacedRows;
  readonly calls: PlacedRows;
}

/**
 * Makes the frames of a table. There may be millions of lines: they come in order, so that nothing has to find or sort them.
 *
 * @param frames has none yet
 * @param locationRank final number of the location of each place
 */
export function placeFrames(
  table: CostTable,
  functions: readonly NamedFunction[],
  frames: FrameTable,
  locationRank: Int32Array,
  task: Task,
): PlaceFrames {
  const { places } = table;
  const files = filesInOrder(table, task);
  task.check();
  const fileRank = places.second.subarray(0, places.size).map((file) => files.rankOf(file));
  const ordered = (rows: Rows): PlacedRows => {
    const order = new RowOrder(rows.size);
    for (const [column, of] of [[rows.first, locationRank], [rows.second], [rows.first, fileRank]] as const)
      order.sortBy(column, of, task);
    return { order, frame: new Int32Array(rows.size) };
  };
  const lines = ordered(table.lines);
  const calls = ordered(table.calls);
  const walk = (visit: (file: number, line: number) => number) => {
    const of = [
      { rows: table.lines, order: lines.order.rows, frame: lines.frame, at: 0 },
      { rows: table.calls, order: calls.order.rows, frame: calls.frame, at: 0 },
    ];
    const keyAt = ({ rows, order, at }: (typeof of)[number]) =>
      at < order.length ? fileRank[rows.first[order[at]]] * LINES + rows.second[order[at]] : Infinity;
    for (let steps = 0; ;) {
      const key = Math.min(keyAt(of[0]), keyAt(of[1]));
      if (key === Infinity) return;
      const frame = visit(Math.floor(key / LINES), key % LINES);
      for (const one of of)
        while (keyAt(one) === key) {
          one.frame[one.order[one.at++]] = frame;
          if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
        }
    }
  };
  let distinct = 0;
  walk((file) => (file === 0 ? NONE : distinct++));
  frames.reserve(functions.length + distinct, distinct);
  const functionFrames = new Int32Array(functions.length);
  let made = 0;
  const makeFunctions = (upTo: string | undefined) => {
    for (; made < functions.length && (upTo === undefined || functions[made].name <= upTo); made++) {
      if (made % 1024 === 0) task.check();
      const { name, file, module } = functions[made];
      functionFrames[made] = frames.intern({
        name,
        kind: "function",
        file: file || undefined,
        module: module || undefined,
      });
    }
  };
  let last = 0;
  let string: number = NONE;
  walk((file, line) => {
    if (file === 0) return NONE;
    if (file !== last) {
      const name = files.names[file - 1];
      makeFunctions(name);
      string = frames.strings.intern(name);
      last = file;
    }
    return frames.addLine(string, line);
  });
  makeFunctions(undefined);
  return { functions: functionFrames, lines, calls };
}

interface Rows {
  readonly size: number;
  readonly first: Int32Array;
  readonly second: Int32Array;
}

/** One more than any line. */
const LINES = 2 ** 31;

/** The files of all places by name; their ranks begin at 1, 0 is no file. */
function filesInOrder({ places, strings }: CostTable, task: Task) {
  const used = new Set<number>();
  for (let place = 0; place < places.size; place++) {
    if (place % STEPS_BETWEEN_CHECKS === 0) task.check();
    if (places.second[place] !== NONE) used.add(places.second[place]);
  }
  const order = Int32Array.from(used).sort(cancellable((a, b) => (strings.get(a) < strings.get(b) ? -1 : 1), task));
  const ranks = new Map(Array.from(order, (string, at) => [string, at + 1]));
  return {
    names: Array.from(order, (string) => strings.get(string)),
    rankOf: (string: number) => (string === NONE ? 0 : (ranks.get(string) ?? 0)),
  };
}
