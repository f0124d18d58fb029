import type { FrameTable } from "../../../model/frames";
import { NONE } from "../../../model/ids";
import { cancellable, STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import type { CostTable } from "../decode/costTable";
import type { NamedFunction } from "./functionNodes";
import { distinctLines, type LineBlocks } from "./orderedLines";
import { RowSorter } from "./orderedRows";

/** Files by name, from 1; 0 is no file. */
export interface FilesInOrder {
  readonly names: readonly string[];
  /** By place of the table. */
  readonly ofPlace: Int32Array;
}

export function filesInOrder({ places, strings }: CostTable, task: Task): FilesInOrder {
  const used = new Set<number>();
  for (let place = 0; place < places.size; place++) {
    if (place % STEPS_BETWEEN_CHECKS === 0) task.check();
    if (places.second[place] !== NONE) used.add(places.second[place]);
  }
  const order = Int32Array.from(used).sort(cancellable((a, b) => (strings.get(a) < strings.get(b) ? -1 : 1), task));
  const ranks = new Map<number, number>([[NONE, 0]]);
  order.forEach((string, at) => ranks.set(string, at + 1));
  return {
    names: ["", ...Array.from(order, (string) => strings.get(string))],
    ofPlace: places.second.subarray(0, places.size).map((file) => ranks.get(file) ?? 0),
  };
}

/** Lines of a table that get frames. */
export interface PlacedLines {
  readonly blocks: LineBlocks;
  /** Lines of the blocks, ascending in each; their frames afterwards, {@link NONE} where no line is known. */
  readonly line: Int32Array;
  /** File and line of each call; its frame afterwards, as above. */
  readonly call: { readonly file: Int32Array; readonly line: Int32Array };
}

/**
 * Makes the frames of a table, in canonical order: functions and files by name, so a frame of a line is its place in the order
 * of files and lines as well. There may be millions of lines: their frames take the place of their numbers, file by file.
 *
 * @param frames has none yet
 * @returns the frame of each function
 */
export function placeFrames(
  files: readonly string[],
  functions: readonly NamedFunction[],
  { blocks, line, call }: PlacedLines,
  frames: FrameTable,
  task: Task,
): Int32Array {
  const blockOrder = new RowSorter(blocks.count).sortBy(blocks.file, undefined, task).take();
  const callOrder = new RowSorter(call.line.length).sortBy(call.file, undefined, task).take();
  // Each line where its frame will be: the frames take this over. What is never written takes no memory.
  const known = new Int32Array(functions.length + line.length + call.line.length);
  const end = new Int32Array(files.length);
  let distinct = 0;
  let made = 0;
  let steps = 0;
  for (let file = 0, block = 0, row = 0; file < files.length; file++) {
    let [nextBlock, nextCall] = [block, row];
    // Each function has one frame; those whose names are before the file's have theirs before its lines.
    while (file > 0 && made < functions.length && functions[made].name <= files[file]) made++;
    const first = made + distinct;
    let next = first;
    while (nextBlock < blocks.count && blocks.file[blockOrder[nextBlock]] === file) {
      if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
      const own = blockOrder[nextBlock++];
      const lines = line.subarray(blocks.start[own], blocks.start[own + 1]);
      if (file === 0) lines.fill(NONE);
      else known.set(lines, next);
      next += lines.length;
    }
    while (nextCall < callOrder.length && call.file[callOrder[nextCall]] === file) {
      if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
      const own = callOrder[nextCall++];
      if (file === 0) call.line[own] = NONE;
      else known[next] = call.line[own];
      next++;
    }
    if (file > 0) {
      const lines = known.subarray(first, next);
      const linesOfFile = lines.subarray(0, distinctLines(lines, task));
      const finder = new Finder(linesOfFile);
      for (; block < nextBlock; block++) {
        const own = blockOrder[block];
        for (let at = blocks.start[own]; at < blocks.start[own + 1]; at++) {
          if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
          line[at] = first + finder.indexOf(line[at]);
        }
      }
      for (; row < nextCall; row++) {
        const own = callOrder[row];
        if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
        call.line[own] = first + finder.indexOf(call.line[own]);
      }
      distinct += linesOfFile.length;
    }
    [block, row] = [nextBlock, nextCall];
    end[file] = distinct;
  }
  task.check();
  return addFrames(files, functions, known, end, frames, task);
}

/**
 * @param lines by frame; taken over
 * @param end where the lines of each file end among all lines
 */
function addFrames(
  files: readonly string[],
  functions: readonly NamedFunction[],
  lines: Int32Array<ArrayBuffer>,
  end: Int32Array,
  frames: FrameTable,
  task: Task,
): Int32Array {
  const distinct = end[files.length - 1];
  frames.reserve(functions.length + distinct, distinct, lines);
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
  for (let file = 1; file < files.length; file++) {
    makeFunctions(files[file]);
    const string = frames.strings.intern(files[file]);
    for (let at = end[file - 1]; at < end[file]; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      frames.addLine(string, lines[frames.size]);
    }
  }
  makeFunctions(undefined);
  return functionFrames;
}

/** Finds numbers in an ascending list, of which most follow the one that was found before. */
class Finder {
  private last = -1;

  constructor(private readonly list: Int32Array) {}

  indexOf(one: number): number {
    const { list } = this;
    const next = this.last + 1;
    if (next < list.length && list[next] === one) return (this.last = next);
    let from = 0;
    let to = list.length - 1;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (list[middle] < one) from = middle + 1;
      else to = middle;
    }
    return (this.last = from);
  }
}
