/** What differs between two sets of runs, function by function or group by group (semantics 10, Difference). */
import { differenceOf } from "../../model/differences";
import { RequestError } from "../../model/errors";
import { NONE } from "../../model/ids";
import type { JointFunctions } from "../../model/jointFunctions";
import { shownNames } from "../../model/shownNames";
import { entryOf } from "../../model/maps";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import { demangled } from "../../source/signature";
import { unrankedCost, unrankedIn } from "../dataSets/unranked";
import type { EngineState } from "../engineState";
import { hadByRuns } from "../ensembles/comparedRuns";
import { placeOfFunction } from "../lines/functionPlace";
import type { FunctionPlace } from "../lines/lineApi";
import { oneByOne, subtrees } from "../lines/lineGroups";
import { firstRows } from "../rows";
import type { Scope } from "../scope";
import { changedLines, type FunctionPair } from "./changedLines";
import { checkComparable, type Run } from "./comparable";
import { inlinedInto } from "./inlinedInto";
import type {
  ChangedLine,
  ComparedRow,
  ComparedRuns,
  Comparison,
  ComparisonQuery,
  FunctionOfRun,
} from "./comparisonApi";

/** One run's value of each thing that is compared; NaN where it has none. */
type Column = Float64Array;

/** @throws RequestError where a side has no run, metrics differ, or a grouping is asked of several runs */
export async function compareRuns(state: EngineState, query: ComparisonQuery, task: Task): Promise<Comparison> {
  const { limit, linked, groupBy = "function", changedFrom = 0 } = query;
  const [baseline, candidate] = sidesOf(state, query);
  const runs = [...baseline, ...candidate];
  const joint = joinFunctions(state, runs, query, task);
  const things =
    groupBy === "function" ? functionsOf(runs, joint, query) : await groupsOf(state, runs, { ...query, groupBy }, task);
  const before = meanOf(things.columns.slice(0, baseline.length));
  const after = meanOf(things.columns.slice(baseline.length));
  const rows = things.names.flatMap((name, at): ComparedRow[] => {
    const [had, has] = [before(at), after(at)];
    if (had.runs + has.runs === 0) return [];
    return [
      {
        name,
        ...shownAs(things.shownName?.(at)),
        ...things.functionsOf(at, baseline.length),
        ...noRankOf(things, at, baseline.length),
        baseline: had.value,
        candidate: has.value,
        difference: differenceOf(had.value, has.value),
        baselineRuns: had.runs,
        candidateRuns: has.runs,
      },
    ];
  });
  rows.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || compareText(a.name, b.name));
  const shown = firstRows(rows, limit, (row) => row);
  const totals = { baselineTotal: meanTotal(baseline), candidateTotal: meanTotal(candidate) };
  const least = changedFrom * Math.max(totals.baselineTotal, totals.candidateTotal);
  return {
    ...totals,
    rows: (await withLinks(state, query, shown.rows, linked, task)).map((row, at) =>
      at < linked ? withInlined([baseline, candidate], joint, row) : row,
    ),
    more: shown.more,
    changed: rows.filter(({ difference }) => Math.abs(difference) > least).length,
    unpaired: joint.unpaired,
  };
}

const knownNames = new WeakMap<JointFunctions["jointOf"], ReadonlyMap<string, string>>();

/** What is shown of functions whose names are shown shorter: each unlike all others of all runs. */
function shownNamesOf({ jointOf }: Pick<JointFunctions, "jointOf">, names: readonly string[]) {
  return entryOf(knownNames, jointOf, () => shownNames(names, demangled));
}

function shownAs(shown: string | undefined) {
  return shown === undefined ? {} : { shown };
}

/** What has no rank, of sides of one run. */
function noRankOf({ unranked }: Things, at: number, baselines: number) {
  const before = baselines === 1 ? unranked[0](at) : 0;
  const after = unranked.length - baselines === 1 ? unranked[baselines](at) : 0;
  return { ...(before > 0 ? { baselineNoRank: before } : {}), ...(after > 0 ? { candidateNoRank: after } : {}) };
}

/** The runs of both sides. @throws RequestError where what they measured differs, or a side has none */
export function sidesOf(state: EngineState, runs: ComparedRuns): readonly [readonly Run[], readonly Run[]] {
  const runOf = (scope: Scope): Run => ({ open: state.get(scope.dataSet).open, scope });
  const sides = [runs.baseline.map(runOf), runs.candidate.map(runOf)] as const;
  if (sides.some((side) => side.length === 0)) throw new RequestError("A comparison needs a run on each side.");
  checkComparable(sides.flat());
  return sides;
}

/** What is compared: names, each run's values, and the functions that a thing is. */
interface Things {
  readonly names: readonly string[];
  /** What is shown of a name; undefined: all of it. */
  shownName?(at: number): string | undefined;
  readonly columns: readonly Column[];
  /** Of each run: the sum of a thing that has no rank, where its value over ranks is 0 for that. */
  readonly unranked: readonly ((at: number) => number)[];
  functionsOf(at: number, baselines: number): Pick<ComparedRow, "baselineFunction" | "candidateFunction">;
}

/** The functions of all runs as one list, the same for the same data sets in any order. */
export function joinFunctions(
  state: EngineState,
  runs: readonly Pick<Run, "open">[],
  { renamed = [] }: Pick<ComparedRuns, "renamed">,
  task: Task,
) {
  const all = runs.map(({ open }) => open);
  const { dataSets: order, joint } = state.join(all, renamed, task);
  return { ...joint, ofRun: all.map((open) => joint.jointOf[order.indexOf(open)]), order };
}

function functionsOf(runs: readonly Run[], joint: ReturnType<typeof joinFunctions>, query: ComparisonQuery): Things {
  const inRun = runs.map((run, at) => functionsIn(run, joint, at));
  const names = Array.from({ length: joint.size }, (_, at) =>
    joint.order[joint.firstIn[at]].functionName(joint.firstId[at]),
  );
  const shown = shownNamesOf(joint, names);
  return {
    names,
    shownName(at) {
      const placed = joint.order[joint.firstIn[at]].placedFunction(joint.firstId[at]);
      return placed === names[at] ? shown.get(names[at]) : placed;
    },
    columns: runs.map(({ open, scope }, run) => {
      const { functionExclusive, functionInclusive } = open.numbers(scope);
      const values = query.value === "exclusive" ? functionExclusive : functionInclusive;
      return Float64Array.from(inRun[run], (id) => (id === NONE ? NaN : values[id]));
    }),
    unranked: runs.map(({ open, scope }, run) => {
      const of = query.value === "exclusive" ? "functionExclusive" : "functionInclusive";
      const unranked = unrankedIn(open, scope, (numbers) => numbers[of]);
      return (at) => (inRun[run][at] === NONE ? 0 : unranked(inRun[run][at]));
    }),
    functionsOf(at, baselines) {
      const firstOf = (from: number, to: number): FunctionOfRun | undefined => {
        const run = inRun.findIndex((ids, one) => one >= from && one < to && ids[at] !== NONE);
        return run < 0 ? undefined : { run: run - from, function: inRun[run][at] };
      };
      const baselineFunction = firstOf(0, baselines);
      const candidateFunction = firstOf(baselines, runs.length);
      return { ...(baselineFunction ? { baselineFunction } : {}), ...(candidateFunction ? { candidateFunction } : {}) };
    },
  };
}

/** As {@link inverse}, {@link NONE} also where no run has the function that a side's scope keeps of an ensemble. */
export function functionsIn({ open, scope }: Run, joint: ReturnType<typeof joinFunctions>, run: number): Int32Array {
  const ids = inverse(joint, joint.ofRun[run]);
  const had = hadByRuns(open, scope);
  return had ? ids.map((id) => (id === NONE || had.functions[id] === 0 ? NONE : id)) : ids;
}

/** The function of a run that each joint function is; {@link NONE}: it has none. */
export function inverse({ size }: Pick<JointFunctions, "size">, ofRun: Int32Array): Int32Array {
  const ids = new Int32Array(size).fill(NONE);
  ofRun.forEach((at, id) => (ids[at] = id));
  return ids;
}

async function groupsOf(
  state: EngineState,
  runs: readonly Run[],
  { baseline, candidate, renamed, groupBy, value }: ComparisonQuery & Required<Pick<ComparisonQuery, "groupBy">>,
  task: Task,
): Promise<Things> {
  if (runs.length > 2) throw new RequestError(`Several runs are compared by function, not by ${groupBy}.`);
  const query = { scope: baseline[0], compared: candidate[0], renamed, filter: 0, groupBy };
  const { names, ofFunction } = await state.graphsOf(query, task).groupsOfFunctions(query, task);
  const costs = runs.map(({ open, scope }) => {
    const functionIn = state.graphsOf(query, task).functionsIn(scope.dataSet);
    const contexts = new Map<number, number[]>();
    const shown = value === "exclusive" ? (open.measured?.flat ?? open) : open;
    shown.functions.ofContext.forEach((id, context) => {
      if (functionIn[id] !== NONE) entryOf(contexts, ofFunction[functionIn[id]], () => []).push(context);
    });
    const ranges = names.map((_, at) => {
      const own = contexts.get(at);
      const all = own && Int32Array.from(own);
      return all && (value === "exclusive" ? oneByOne(all) : subtrees(shown, all));
    });
    return {
      column: Float64Array.from(ranges, (all) => (all ? shown.cost(scope, all) : NaN)),
      unranked: (at: number) => unrankedCost(shown, scope, ranges[at] ?? []),
    };
  });
  return {
    names,
    columns: costs.map(({ column }) => column),
    unranked: costs.map(({ unranked }) => unranked),
    functionsOf: () => ({}),
  };
}

/** A side's value of each thing: the mean of its runs, those without it counting as 0; null where none has it. */
function meanOf(columns: readonly Column[]): (at: number) => { value: number | null; runs: number } {
  return (at) => {
    const values = columns.map((column) => column[at]).filter((value) => !Number.isNaN(value));
    const sum = values.reduce((all, value) => all + value, 0);
    return { value: values.length === 0 ? null : sum / columns.length, runs: values.length };
  };
}

function meanTotal(runs: readonly Run[]): number {
  return runs.reduce((sum, { open, scope }) => sum + open.numbers(scope).total, 0) / runs.length;
}

/** Says of a function that one run has and the other has not whether the other's code has its lines. */
function withInlined(
  [baseline, candidate]: readonly [readonly Run[], readonly Run[]],
  { ofRun }: ReturnType<typeof joinFunctions>,
  row: ComparedRow,
): ComparedRow {
  const { baselineFunction, candidateFunction } = row;
  const own = baselineFunction ?? candidateFunction;
  if (!own || (baselineFunction && candidateFunction) || baseline.length + candidate.length !== 2) return row;
  const [side, other] = baselineFunction ? [0, 1] : [1, 0];
  const runs = [baseline[0], candidate[0]];
  const known = new Set(ofRun[side]);
  const into = inlinedInto(runs[side], own.function, runs[other], (id) => known.has(ofRun[other][id]));
  return into === undefined ? row : { ...row, inlinedInto: runs[other].open.shownFunction(into) };
}

/** Adds where the first rows are: of two runs the line that changed most, of several the definition; in the candidate where that has it. */
async function withLinks(
  state: EngineState,
  { baseline, candidate }: ComparedRuns,
  rows: readonly ComparedRow[],
  linked: number,
  task: Task,
): Promise<ComparedRow[]> {
  const pairOf = ({ baselineFunction, candidateFunction }: ComparedRow): FunctionPair => [
    baselineFunction?.function ?? NONE,
    candidateFunction?.function ?? NONE,
  ];
  const isPair = baseline.length === 1 && candidate.length === 1;
  const runs = [baseline[0], candidate[0]].map((scope) => ({ open: state.get(scope.dataSet).open, scope }));
  const lines = isPair ? await changedLines(state, [runs[0], runs[1]], rows.slice(0, linked).map(pairOf), task) : [];
  return Promise.all(
    rows.map(async (row, at) => {
      const { candidateFunction, baselineFunction } = row;
      const of = candidateFunction ?? baselineFunction;
      if (!of || at >= linked) return row;
      const scope = (candidateFunction ? candidate : baseline)[of.run];
      const place = await placeOfFunction(state, scope, of.function, task);
      return { ...row, ...place, ...linePlace(lines.at(at)) };
    }),
  );
}

/** Of a line: where it leads, and as it was recorded. */
function linePlace(line: ChangedLine | undefined): Pick<FunctionPlace, "link" | "recorded"> {
  if (!line) return {};
  const { link, recordedFile: file, recordedLine } = line;
  return {
    link,
    ...(file === undefined || recordedLine === undefined ? {} : { recorded: { file, line: recordedLine } }),
  };
}
