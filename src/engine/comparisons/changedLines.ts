/** Where two runs differ most: of a function the line whose cost changed most (semantics 4 and 10). */
import { differenceOf } from "../../model/differences";
import { isFunctionKind } from "../../model/frames";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import { fileName } from "../../model/placeText";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { hotPlaces } from "../lines/hotPlaces";
import type { HotPlace } from "../lines/lineApi";
import { oneByOne } from "../lines/lineGroups";
import { measuredOf, type Run } from "./comparable";
import type { ChangedLine } from "./comparisonApi";

/** A function's number in the baseline and in the candidate; {@link NONE}: that has none. */
export type FunctionPair = readonly [baseline: number, candidate: number];

/** Contexts by the line that they stand on. */
type ByLine = ReadonlyMap<string, number[]>;

/**
 * The line of each function that changed most, in the candidate where that has it. What changed of a line is what changed both of the
 * function's part of it and of the line as a whole: code that is only inlined into another function now is no change of its lines. Where
 * one side has the function but none of its lines it is the hottest line of the other side, and where both were recorded from unlike
 * texts, or without lines, the candidate's.
 *
 * @returns in the order of the functions; undefined where neither side has a context of one
 */
export async function changedLines(
  state: EngineState,
  runs: readonly [Run, Run],
  functions: readonly FunctionPair[],
  task: Task,
): Promise<(ChangedLine | undefined)[]> {
  const ofFunction = runs.map((run, side) => contextsOf(run, new Set(functions.map((pair) => pair[side]))));
  const ownLines = functions.map((pair) =>
    runs.map((run, side) => byLine(run, ofFunction[side].get(pair[side]) ?? [])),
  );
  const wanted = new Set(ownLines.flatMap((sides) => sides.flatMap((own) => [...own.keys()])));
  const allLines = runs.map((run) => byLine(run, measuredOf(run).functions.ofContext.keys(), wanted));
  return Promise.all(
    functions.map(async (pair, at) => {
      const own = runs.map((_, side) => ofFunction[side].get(pair[side]) ?? []);
      const last = own[1].length > 0 ? 1 : 0;
      const hottestOf = (side: number, contexts: readonly number[] = own[side]) =>
        placeOf(state, runs[side], contexts, task);
      const [had, has] = ownLines[at];
      const isOnBoth = own.every(({ length }) => length > 0);
      if (isOnBoth && (had.size === 0) !== (has.size === 0)) return hottestOf(has.size > 0 ? 1 : 0);
      const line = changedMost(runs, [had, has], allLines);
      if (line === undefined) return hottestOf(last);
      const [was, is] = [await hottestOf(0, had.get(line) ?? []), await hottestOf(1, has.get(line) ?? [])];
      return isOtherText(state, runs, [was, is]) ? hottestOf(last) : (is ?? was);
    }),
  );
}

/** Ties by what changed of the function's part alone, then by file and line. */
function changedMost(runs: readonly Run[], own: readonly ByLine[], all: readonly ByLine[]): string | undefined {
  const costs = (lines: readonly ByLine[], line: string) => {
    const [had, has] = runs.map(({ scope }, side) =>
      measuredOf(runs[side]).cost(scope, oneByOne(Int32Array.from(lines[side].get(line) ?? []))),
    );
    return differenceOf(had, has);
  };
  const found = [...new Set(own.flatMap((lines) => [...lines.keys()]))].map((line) => {
    const [part, whole] = [costs(own, line), costs(all, line)];
    const change = Math.sign(part) === Math.sign(whole) ? Math.min(Math.abs(part), Math.abs(whole)) : 0;
    return { line, change, part: Math.abs(part) };
  });
  found.sort((a, b) => b.change - a.change || b.part - a.part || compareText(a.line, b.line));
  return found.at(0)?.line;
}

async function placeOf(
  state: EngineState,
  run: Run,
  contexts: readonly number[],
  task: Task,
): Promise<ChangedLine | undefined> {
  return (await hotPlaces(measuredOf(run), state.links, run.scope, contexts, 1, false, task)).at(0);
}

/** Whether what is known of both texts says that lines of one are not those of the other. */
function isOtherText(
  { links }: EngineState,
  [before, after]: readonly [Run, Run],
  places: readonly (HotPlaceLink | undefined)[],
): boolean {
  const [was, is] = places.map((place) => place?.link.places.at(0)?.file);
  return was !== undefined && is !== undefined && links.recordedFromOtherText(before.open, was, after.open, is);
}

type HotPlaceLink = Pick<HotPlace, "link">;

function contextsOf(run: Run, wanted: ReadonlySet<number>): ReadonlyMap<number, number[]> {
  const found = new Map<number, number[]>();
  measuredOf(run).functions.ofContext.forEach((id, context) => {
    if (id !== NONE && wanted.has(id)) entryOf(found, id, () => []).push(context);
  });
  return found;
}

/**
 * Contexts that are lines or loops, by base name and number: two builds lie in folders of their own.
 *
 * @param wanted lines that count; all unless said
 */
function byLine(run: Run, contexts: Iterable<number>, wanted?: ReadonlySet<string>): ByLine {
  const { dataSet, callOf } = measuredOf(run);
  const { frames, tree } = dataSet;
  const found = new Map<string, number[]>();
  const nameOf = (file: number, frame: number) =>
    `${fileName(frames.strings.get(file))}:${`${frames.line[frame]}`.padStart(10, "0")}`;
  const ofFrame = new Map<number, string>();
  for (const context of contexts) {
    const frame = tree.frame[context];
    if (frames.line[frame] === 0 || isFunctionKind(frames.kindOf(frame))) continue;
    const own = frames.file[frame];
    const call = callOf[context];
    // A line without a file stands in that of the call around it.
    const file = own !== NONE || call === NONE ? own : frames.file[tree.frame[call]];
    if (file === NONE) continue;
    const line = file === own ? entryOf(ofFrame, frame, () => nameOf(file, frame)) : nameOf(file, frame);
    if (!wanted || wanted.has(line)) entryOf(found, line, () => []).push(context);
  }
  return found;
}
