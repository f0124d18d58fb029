/** What an open document shows: heat of lines, costs of calls, CodeLenses, and the hover's details (semantics 4). */
import { imbalancePart, statisticsOver } from "../../analysis/rankStatistics";
import { IntColumn } from "../../model/columns";
import { isFunctionKind } from "../../model/frames";
import { NONE } from "../../model/ids";
import { largestIn } from "../../model/longLists";
import { groupBy } from "../../model/maps";
import type { SourceLink } from "../../model/sourceLinks";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { MemberStatistics } from "../../analysis/rankStatistics";
import { heaviestFirst } from "../rows";
import type { CallCost, DocumentCosts, DocumentText, FunctionCost, LineCost, LineDetails } from "./lineApi";
import type { Scope } from "../scope";
import type { Links } from "./links";
import { measuredCallCosts, measuredFunctionCosts, measuredLineDetails } from "./measuredDocuments";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { noRankPart, unrankedCost } from "../dataSets/unranked";
import type { Placed } from "./placement";
import {
  listedContexts,
  oneByOne,
  otherLinks,
  type LineGroup,
  ownRanges,
  type Ranges,
  lineGroups,
  subtrees,
  union,
} from "./lineGroups";

export async function documentCosts(
  open: OpenDataSet,
  links: Links,
  scope: Scope,
  document: DocumentText,
  task: Task,
): Promise<DocumentCosts> {
  const { measured } = open;
  // What was measured stands on lines and functions; what was estimated stands nowhere.
  const shown = measured?.flat ?? open;
  const placed = await links.placedIn(shown, document, task);
  const { total } = open.numbers(scope);
  return {
    lines: lineCosts(shown, scope, placed.here, total),
    calls: measured
      ? measuredCallCosts(open, measured, scope, placed.here)
      : callCosts(open, scope, placed.calls, total),
    functions: measured
      ? measuredFunctionCosts(open, measured, scope, functionCosts(shown, scope, placed.here, total))
      : functionCosts(open, scope, placed.here, total),
    drift: placed.drift,
  };
}

/** Heat: exclusive of the contexts that stand on each line; what has several places is kept apart, as text only. */
function lineCosts(open: OpenDataSet, scope: Scope, placed: readonly Placed[], total: number): LineCost[] {
  const groups = onLines(placed);
  const begins = placed.filter(({ link }) => link.rule !== "call");
  const definitions = lineGroups(
    open,
    begins,
    () => "",
    (context) => isFunctionItself(open, context),
  );
  const definedHere = new Set(definitions.map((one) => one.function));
  const costs = [...groups.values()].map((group): LineCost => {
    const exclusive = open.cost(scope, oneByOne(union(group)));
    const mostly = mainPart(open, scope, group, exclusive, definedHere);
    return {
      line: group[0].line,
      exclusive,
      share: exclusive / total,
      ...oneOf(group[0]),
      ...(mostly ? { mostly } : {}),
    };
  });
  return costs.filter((cost) => cost.exclusive !== 0).sort((a, b) => a.line - b.line);
}

/** What stands on each line; what has several places is kept apart. */
export function onLines(placed: readonly Placed[]): Map<string, Placed[]> {
  return groupBy(placed, (one) => `${one.line},${one.link.places.length}`);
}

/**
 * Whose more than half of a line's cost is, where that is not the function around it.
 *
 * @param definedHere functions whose definitions are in the same document: their lines are their own, whatever file was recorded of them
 */
function mainPart(
  open: OpenDataSet,
  scope: Scope,
  group: readonly Placed[],
  whole: number,
  definedHere: ReadonlySet<number>,
): LineCost["mostly"] {
  const calls = group.filter(({ link }) => link.rule === "call");
  const places = group.filter(({ link }) => link.rule !== "call");
  const kinds = [
    {
      kind: "call",
      functions: lineGroups(
        open,
        calls,
        () => "",
        (context) => isCall(open, context),
      ),
    },
    {
      kind: "function",
      functions: lineGroups(
        open,
        places,
        () => "",
        (context) => isFunctionItself(open, context),
      ),
    },
    {
      kind: "inlined",
      functions: lineGroups(
        open,
        group,
        () => "",
        (context) => isInlined(open, context) && !definedHere.has(open.functions.ofContext[context]),
      ),
    },
  ] as const;
  for (const { kind, functions } of kinds) {
    if (functions.length === 0) continue;
    const exclusive = open.cost(scope, oneByOne(union(functions)));
    if (!(exclusive > whole / 2)) continue;
    const costs = functions.map(({ contexts }) => open.cost(scope, oneByOne(contexts)));
    const others = costs.filter((cost) => cost !== 0).length - 1;
    const name = open.shownFunction(functions[costs.indexOf(largestIn(costs))].function);
    return { kind, exclusive, name, others };
  }
  return undefined;
}

/** Whether a line is recorded in another file than the function that it was compiled into. */
function isInlined(open: OpenDataSet, context: number): boolean {
  const { tree, frames } = open.dataSet;
  const call = open.callOf[context];
  if (call === NONE || isCall(open, context)) return false;
  const [own, around] = [frames.file[tree.frame[context]], frames.file[tree.frame[call]]];
  return own !== NONE && around !== NONE && own !== around;
}

/** Inclusive of what is called from a line, by callee. */
function callCosts(open: OpenDataSet, scope: Scope, calls: readonly Placed[], total: number): CallCost[] {
  const costs = lineGroups(open, calls, numberOfPlaces).map((callee): CallCost => {
    const inclusive = open.cost(scope, subtrees(open, callee.contexts));
    const share = inclusive / total;
    const { line, function: id } = callee;
    return { line, callee: open.shownFunction(id), function: id, inclusive, share, ...oneOf(callee) };
  });
  return costs.filter((cost) => cost.inclusive !== 0).sort((a, b) => a.line - b.line || b.inclusive - a.inclusive);
}

/** One per function whose definition, or region whose begin, stands here; calls of a library have their heat only. */
function functionCosts(open: OpenDataSet, scope: Scope, placed: readonly Placed[], total: number): FunctionCost[] {
  const costs = definitionsIn(open, placed).map((definition): FunctionCost => {
    const { line, function: id, contexts } = definition;
    const below = subtrees(open, contexts);
    const own = ownRanges(open, contexts);
    const inclusive = open.cost(scope, below);
    return {
      line,
      ...open.namedFunction(id),
      function: id,
      inclusive,
      exclusive: open.cost(scope, own),
      ...noRankPart(unrankedCost(open, scope, own), unrankedCost(open, scope, below)),
      share: inclusive / total,
      ...imbalancePart(overRanks(open, scope, below)),
      ...oneOf(definition),
    };
  });
  return costs.sort((a, b) => a.line - b.line || compareText(a.name, b.name));
}

/** The functions whose definitions stand here, with their calls. */
export function definitionsIn(open: OpenDataSet, placed: readonly Placed[]): LineGroup[] {
  const begins = placed.filter(({ link }) => link.rule !== "call");
  return lineGroups(open, begins, numberOfPlaces, (context) => isCall(open, context));
}

export async function lineDetails(
  open: OpenDataSet,
  links: Links,
  scope: Scope,
  document: DocumentText,
  line: number,
  task: Task,
): Promise<LineDetails[]> {
  const shown = open.measured?.flat ?? open;
  const { here } = await links.placedIn(shown, document, task);
  const onLine = here.filter((one) => one.line === line);
  const others = otherLinks(shown, onLine);
  const withOthers = (details: LineDetails): LineDetails => {
    const links = others.get(details.function);
    return links ? { ...details, otherLinks: links } : details;
  };
  if (open.measured)
    return measuredLineDetails(open, open.measured, scope, lineGroups(shown, onLine), line).map(withOthers);
  const numbers = open.numbers(scope);
  const details = lineGroups(open, onLine).map(({ function: id, contexts, link }): LineDetails => {
    // On its definition's line a call stands for all of its own cost; elsewhere a line stands for itself.
    const isOfCalls = contexts.some((context) => isCall(open, context));
    const own = isOfCalls ? ownRanges(open, contexts) : oneByOne(contexts);
    const below = subtrees(open, contexts);
    const exclusive = open.cost(scope, own);
    return {
      line,
      ...open.namedFunction(id),
      function: id,
      exclusive,
      inclusive: open.cost(scope, below),
      ...noRankPart(unrankedCost(open, scope, own), unrankedCost(open, scope, below)),
      share: exclusive / numbers.total,
      overRanks: overRanks(open, scope, own),
      ...imbalancePart(overRanks(open, scope, isOfCalls ? below : subtrees(open, contextsOfFunction(open, id)))),
      ...recordedExtremes(open, scope, contexts),
      ...listedContexts(open, contexts, numbers),
      link,
    };
  });
  return details.map(withOthers).sort(heaviestFirst);
}

/** Spread over the chosen ranks; undefined where there is one rank or none. */
export function overRanks(open: OpenDataSet, scope: Scope, ranges: Ranges): MemberStatistics | undefined {
  const values = open.rankValues(scope);
  return statisticsOver(values.members, () => values.perRank(ranges));
}

function contextsOfFunction(open: OpenDataSet, id: number): Int32Array {
  const contexts = new IntColumn();
  open.functions.ofContext.forEach((own, context) => {
    if (own === id) contexts.push(context);
  });
  return contexts.values.subarray(0, contexts.length);
}

/** The least recorded minimum and the largest recorded maximum, where the recording was reduced over ranks before. */
function recordedExtremes(open: OpenDataSet, scope: Scope, contexts: Int32Array) {
  const { minimum, maximum } = open.metric(scope.metric);
  const least = reduceValues(open, minimum, contexts, Math.min);
  const largest = reduceValues(open, maximum, contexts, Math.max);
  return {
    ...(least === undefined ? {} : { recordedMinimum: least }),
    ...(largest === undefined ? {} : { recordedMaximum: largest }),
  };
}

function reduceValues(
  open: OpenDataSet,
  metric: number | undefined,
  contexts: Int32Array,
  pick: (a: number, b: number) => number,
): number | undefined {
  if (metric === undefined) return undefined;
  const { rowStart, value } = open.dataSet.values[metric];
  let result: number | undefined;
  for (const context of contexts) {
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
      if (Number.isFinite(value[at])) result = result === undefined ? value[at] : pick(result, value[at]);
    }
  }
  return result;
}

function isCall(open: OpenDataSet, context: number): boolean {
  const { tree, frames } = open.dataSet;
  return isFunctionKind(frames.kindOf(tree.frame[context]));
}

/** Whether a context is a function, not a region, and no line of it: what it costs was recorded without lines. */
function isFunctionItself(open: OpenDataSet, context: number): boolean {
  const kind = open.dataSet.frames.kindOf(open.dataSet.tree.frame[context]);
  return kind === "function" || kind === "inlined";
}

function numberOfPlaces(link: SourceLink): number {
  return link.places.length;
}

function oneOf({ link }: Pick<Placed, "link">): { oneOf?: number } {
  return link.places.length > 1 ? { oneOf: link.places.length } : {};
}
