/** What one document shows of a comparison: differences of its lines, where both sides are of one text, and of its functions (semantics 10). */
import fs from "node:fs";
import { differenceOf } from "../../model/differences";
import { NONE } from "../../model/ids";
import { largestIn } from "../../model/longLists";
import { entryOf, groupBy } from "../../model/maps";
import { fileName } from "../../model/placeText";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { EngineState } from "../engineState";
import { functionSets } from "../ensembles/comparedRuns";
import { documentCosts } from "../lines/documents";
import type { DocumentCosts, DocumentText, FunctionCost, LineCost } from "../lines/lineApi";
import type { Scope } from "../scope";
import { definitionOf } from "../lines/functionPlace";
import { otherTextAtCommits } from "./commitTexts";
import { functionsIn, joinFunctions, sidesOf } from "./comparison";
import type {
  ComparedFunction,
  ComparedLine,
  ComparedPair,
  ComparedSide,
  ComparedValue,
  DocumentDifferences,
} from "./comparisonApi";

/** One side: what it has in the document, and its functions among those of both. */
interface Side {
  readonly open: OpenDataSet;
  readonly scope: Scope;
  readonly jointOf: Int32Array;
  /** Its function for each joint one; {@link NONE}: it has none. */
  readonly idOf: Int32Array;
  readonly costs: DocumentCosts;
  /** A recorded file that is not here, whose lines stand at definitions in this document. */
  readonly missingFile: string | undefined;
}

/** Functions whose definitions are looked up to find the file that a build in another folder was made of. */
const MOST_LOOKED_UP = 20;

/** Costs of a side in the file that its functions are defined in. */
interface Twin {
  readonly costs: DocumentCosts;
  readonly file?: string;
  readonly otherText?: string;
  readonly missingFile?: string;
}

/** @param folders in which git may be asked whether runs of several commits are of one text */
export async function documentDifferences(
  state: EngineState,
  pair: ComparedPair,
  document: DocumentText,
  task: Task,
  folders: readonly string[] = [],
): Promise<DocumentDifferences> {
  const [[before], [after]] = sidesOf(state, { baseline: [pair.baseline], candidate: [pair.candidate] });
  const joint = joinFunctions(state, [before, after], pair, task);
  const sideOf = async (at: 0 | 1): Promise<Side> => {
    const run = [before, after][at];
    const { open, scope } = run;
    const jointOf = joint.ofRun[at];
    const idOf = functionsIn(run, joint, at);
    const all = await documentCosts(open, state.links, scope, document, task);
    const costs = { ...all, functions: all.functions.filter((cost) => idOf[jointOf[cost.function]] !== NONE) };
    const { here } = await state.links.placedIn(open.measured?.flat ?? open, document, task);
    const missingFile = here.find(({ link }) => link.missingFile !== undefined)?.link.missingFile;
    return { open, scope, jointOf, idOf, costs, missingFile };
  };
  const own = [await sideOf(0), await sideOf(1)] as const;
  const twins = [
    await twinOf(state, own[0], own[1], document, task),
    await twinOf(state, own[1], own[0], document, task),
  ];
  const sides = own.map((side, at) => ({
    ...side,
    costs: twins[at]?.costs ?? side.costs,
    file: twins[at]?.file ?? document.file,
    missingFile: side.missingFile ?? twins[at]?.missingFile,
  }));
  const [baseline, candidate] = sides;
  const functionsOnly =
    twins.find((twin) => twin?.otherText !== undefined)?.otherText ??
    absentText(baseline, candidate) ??
    otherText(state, baseline, candidate) ??
    (await otherTextAtCommits(state, pair, document.file, folders));
  const largest = largestIn(sides.map(({ open, scope }) => open.numbers(scope).total));
  const setsOf = functionSets(state, before.scope, after.scope, task);
  const functions = comparedFunctions(baseline, candidate, largest).map((one) =>
    setsOf ? { ...one, sets: setsOf(one.function) } : one,
  );
  return {
    lines:
      functionsOnly === undefined
        ? comparedLines(baseline.costs, candidate.costs, largest)
        : atDefinitions(functions, largest),
    functions,
    ...(functionsOnly === undefined ? {} : { functionsOnly }),
    drift: isEmpty(candidate.costs) ? baseline.costs.drift : candidate.costs.drift,
  };
}

function isEmpty({ lines, functions }: DocumentCosts): boolean {
  return lines.length + functions.length === 0;
}

/**
 * Where nothing of a side stands in a document although it has functions that are defined there: what stands in the file that these
 * are defined in for it. The build lies in another folder then, which may not be here.
 */
async function twinOf(
  state: EngineState,
  side: Side,
  other: Side,
  document: DocumentText,
  task: Task,
): Promise<Twin | undefined> {
  if (!isEmpty(side.costs)) return undefined;
  let missingFile: string | undefined;
  for (const { function: id } of other.costs.functions.slice(0, MOST_LOOKED_UP)) {
    const own = side.idOf[other.jointOf[id]];
    if (own === NONE) continue;
    const link = await definitionOf(state, side.open, own, task);
    if (link?.missingFile !== undefined && fileName(link.missingFile) === fileName(document.file))
      missingFile ??= link.missingFile;
    if (link?.places.length !== 1) continue;
    const [{ file }] = link.places;
    const text = document.text ?? textOf(document.file);
    const isSame = text !== undefined && textOf(file) === (textOf(document.file) ?? text);
    if (!isSame)
      return {
        costs: side.costs,
        otherText: `${side.open.dataSet.name} was recorded from another text of this file: ${file}.`,
      };
    const costs = await documentCosts(side.open, state.links, side.scope, { file, text: document.text }, task);
    return { costs, file };
  }
  return missingFile === undefined ? undefined : { costs: side.costs, missingFile };
}

function textOf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined; // gone: nothing says that it is the same
  }
}

/** Why lines of one side have no place here, where those of the other have. */
function absentText(...sides: readonly Side[]): string | undefined {
  const absent = sides.filter(({ missingFile }) => missingFile !== undefined);
  if (absent.length !== 1) return undefined;
  const [{ open, missingFile }] = absent;
  return `${open.dataSet.name} was recorded from ${missingFile}, which is not here: the setting heatflow.sourceMap can say where it is.`;
}

/** A side with the file that it has what stands in the document from. */
type SideOfFile = Side & { readonly file: string };

/** Why lines of both sides are not of the same text, as far as is known. */
function otherText(state: EngineState, before: SideOfFile, after: SideOfFile): string | undefined {
  const [wasNewer, isNewer] = [before, after].map(({ costs }) => costs.drift.newerThanRecording);
  if (wasNewer !== isNewer)
    return `This file was changed after the ${wasNewer ? "baseline" : "candidate"} was recorded, and before the other.`;
  if (!state.links.recordedFromOtherText(before.open, before.file, after.open, after.file)) return undefined;
  return "This file was changed between the two recordings.";
}

function comparedLines(before: DocumentCosts, after: DocumentCosts, total: number): ComparedLine[] {
  const values = new Map<string, { of: LineCost; baseline: number | null; candidate: number | null }>();
  for (const [name, costs] of [["baseline", before] as const, ["candidate", after] as const])
    for (const of of costs.lines)
      entryOf(values, keyOf(of), () => ({ of, baseline: null, candidate: null }))[name] = of.exclusive;
  return [...values.values()]
    .map(({ of: { line, oneOf }, baseline, candidate }) => ({
      line,
      baseline,
      candidate,
      share: shareOf({ baseline, candidate }, total),
      ...(oneOf === undefined ? {} : { oneOf }),
    }))
    .sort((a, b) => a.line - b.line);
}

function atDefinitions(functions: readonly ComparedFunction[], total: number): ComparedLine[] {
  return [...groupBy(functions, ({ line }) => line)].map(([line, here]): ComparedLine => {
    const sum = (side: ComparedSide) =>
      here.every(({ exclusive }) => exclusive[side] === null)
        ? null
        : here.reduce((all, { exclusive }) => all + (exclusive[side] ?? 0), 0);
    const value = { baseline: sum("baseline"), candidate: sum("candidate") };
    const oneOf = here.find((one) => one.oneOf !== undefined)?.oneOf;
    return { line, ...value, share: shareOf(value, total), ...(oneOf === undefined ? {} : { oneOf }) };
  });
}

/**
 * Functions that either side has at a line; what stands on several lines is told apart by them. Where one side has none of a function's
 * lines here although it has the function, the whole function is compared: nothing says how its cost lies on the lines of the other.
 */
function comparedFunctions(baseline: Side, candidate: Side, total: number): ComparedFunction[] {
  const [before, after] = [placesByFunction(baseline), placesByFunction(candidate)];
  const found = [...new Set([...after.keys(), ...before.keys()])].flatMap((joint) => {
    const own = after.get(joint) ?? before.get(joint) ?? [];
    const side = after.has(joint) ? "candidate" : "baseline";
    const other = side === "candidate" ? baseline : candidate;
    const isElsewhere = !(before.has(joint) && after.has(joint)) && other.idOf[joint] !== NONE;
    if (isElsewhere) {
      const [had, has] = [wholeOf(baseline, joint), wholeOf(candidate, joint)];
      return [compared({ of: own[0], side, baseline: had, candidate: has }, total)];
    }
    const [had, has] = [before.get(joint) ?? [], after.get(joint) ?? []].map((costs) => groupBy(costs, keyOf));
    return [...new Set([...has.keys(), ...had.keys()])].flatMap((key) => {
      const [was, is] = [had.get(key)?.[0], has.get(key)?.[0]];
      const of = is ?? was;
      return of ? [compared({ of, side: is ? "candidate" : "baseline", baseline: was, candidate: is }, total)] : [];
    });
  });
  return found.sort((a, b) => a.line - b.line || compareText(a.name, b.name));
}

function keyOf({ line, oneOf }: Pick<LineCost, "line" | "oneOf">): string {
  return `${line} ${oneOf ?? 1}`;
}

/** What a side has in the document, by joint function. */
function placesByFunction({ costs, jointOf }: Side): ReadonlyMap<number, readonly FunctionCost[]> {
  return groupBy(costs.functions, (cost) => jointOf[cost.function]);
}

type SideCost = Pick<FunctionCost, "exclusive" | "inclusive" | "atMost">;

/** All that a side has of a joint function, which it has. */
function wholeOf({ open, scope, idOf }: Side, joint: number): SideCost {
  const { functionExclusive, functionInclusive } = open.numbers(scope);
  const id = idOf[joint];
  const atMost = open.measured?.callGraph.atMost[id] === 1;
  return { exclusive: functionExclusive[id], inclusive: functionInclusive[id], atMost };
}

/** @param one the place, the side that it is of, and what both sides have there */
function compared(
  one: {
    readonly of: FunctionCost;
    readonly side: ComparedSide;
    readonly baseline: SideCost | undefined;
    readonly candidate: SideCost | undefined;
  },
  total: number,
): ComparedFunction {
  const { of, side, baseline, candidate } = one;
  const exclusive = { baseline: baseline?.exclusive ?? null, candidate: candidate?.exclusive ?? null };
  const inclusive = { baseline: baseline?.inclusive ?? null, candidate: candidate?.inclusive ?? null };
  const bounds = (["baseline", "candidate"] as const).filter((name) => one[name]?.atMost === true);
  return {
    line: of.line,
    name: of.name,
    shown: of.shown,
    side,
    function: of.function,
    exclusive,
    inclusive,
    ...(bounds.length > 0
      ? { bounds, share: shareOf(exclusive, total) }
      : { share: Math.max(shareOf(exclusive, total), shareOf(inclusive, total)) }),
    ...(of.oneOf === undefined ? {} : { oneOf: of.oneOf }),
  };
}

function shareOf({ baseline, candidate }: ComparedValue, total: number): number {
  return total > 0 ? Math.abs(differenceOf(baseline, candidate)) / total : 0;
}
