/** What an open document shows: heat of lines, costs of calls, CodeLenses, and the hover's details (semantics 4). */
import { rankSpread } from "../analysis/rankStatistics";
import { isFunctionKind } from "../model/frames";
import type { Task } from "../model/task";
import type {
  CallCost,
  DocumentCosts,
  DocumentText,
  FunctionCost,
  LineCost,
  LineDetails,
  RankStatistics,
  Scope,
} from "./api";
import type { Links } from "./links";
import type { OpenDataSet } from "./openDataSet";
import type { Placed } from "./placement";
import { ownContexts } from "./trees";

/** Contexts that a hover lists. */
const LISTED_CONTEXTS = 10;

type Ranges = (readonly [from: number, to: number])[];

export async function documentCosts(
  open: OpenDataSet,
  links: Links,
  scope: Scope,
  document: DocumentText,
  task: Task,
): Promise<DocumentCosts> {
  const placed = await links.placedIn(open, document, task);
  const { total } = open.numbers(scope);
  return {
    lines: lineCosts(open, scope, placed.here, total),
    calls: callCosts(open, scope, placed.calls, total),
    functions: functionCosts(open, scope, placed.here, total),
    drift: placed.drift,
  };
}

/** Heat: exclusive of the contexts that stand on each line; what has several places is kept apart, as text only. */
function lineCosts(open: OpenDataSet, scope: Scope, placed: readonly Placed[], total: number): LineCost[] {
  const groups = groupBy(placed, (one) => `${one.line},${one.link.places.length}`);
  const costs = [...groups.values()].map((group): LineCost => {
    const exclusive = open.cost(scope, oneByOne(group.map((one) => one.context)));
    return { line: group[0].line, exclusive, share: exclusive / total, ...oneOf(group[0]) };
  });
  return costs.filter((cost) => cost.exclusive !== 0).sort((a, b) => a.line - b.line);
}

/** Inclusive of what is called from a line, by callee. */
function callCosts(open: OpenDataSet, scope: Scope, calls: readonly Placed[], total: number): CallCost[] {
  const groups = groupBy(
    calls,
    (one) => `${one.line},${one.link.places.length},${open.functions.ofContext[one.context]}`,
  );
  const costs = [...groups.values()].map((group): CallCost => {
    const inclusive = open.cost(scope, subtrees(open, group));
    return {
      line: group[0].line,
      callee: open.functionName(open.functions.ofContext[group[0].context]),
      inclusive,
      share: inclusive / total,
      ...oneOf(group[0]),
    };
  });
  return costs.filter((cost) => cost.inclusive !== 0).sort((a, b) => a.line - b.line || b.inclusive - a.inclusive);
}

/** One a function whose definition, or region whose begin, stands here; calls of a library have their heat only. */
function functionCosts(open: OpenDataSet, scope: Scope, placed: readonly Placed[], total: number): FunctionCost[] {
  const costs = [...definitions(open, placed).values()].map((group): FunctionCost => {
    const id = open.functions.ofContext[group[0].context];
    const below = subtrees(open, group);
    const inclusive = open.cost(scope, below);
    const statistics = overRanks(open, scope, below);
    return {
      line: group[0].line,
      name: open.functionName(id),
      function: id,
      inclusive,
      exclusive: open.cost(scope, ownRanges(open, group)),
      share: inclusive / total,
      ...(statistics && Number.isFinite(statistics.imbalance) ? { imbalance: statistics.imbalance } : {}),
      ...oneOf(group[0]),
    };
  });
  return costs.sort((a, b) => a.line - b.line || (a.name < b.name ? -1 : 1));
}

export async function lineDetails(
  open: OpenDataSet,
  links: Links,
  scope: Scope,
  document: DocumentText,
  line: number,
  task: Task,
): Promise<LineDetails[]> {
  const { here } = await links.placedIn(open, document, task);
  const onLine = here.filter((one) => one.line === line);
  const numbers = open.numbers(scope);
  const byFunction = groupBy(onLine, (one) => open.functions.ofContext[one.context]);
  const details = [...byFunction].map(([id, group]): LineDetails => {
    // On its definition's line a call stands for all of its own cost; elsewhere a line stands for itself.
    const own = group.some((one) => isCall(open, one))
      ? ownRanges(open, group)
      : oneByOne(group.map((one) => one.context));
    const exclusive = open.cost(scope, own);
    const heaviest = [...group].sort(
      (a, b) => numbers.inclusive[b.context] - numbers.inclusive[a.context] || a.context - b.context,
    );
    return {
      line,
      name: open.functionName(id),
      function: id,
      exclusive,
      inclusive: open.cost(scope, subtrees(open, group)),
      share: exclusive / numbers.total,
      overRanks: overRanks(open, scope, own),
      ...recordedExtremes(open, scope, group),
      contexts: heaviest.slice(0, LISTED_CONTEXTS).map(({ context }) => ({
        context,
        path: open.pathOf(context).map((at) => open.contextName(at)),
        exclusive: numbers.exclusive[context],
        inclusive: numbers.inclusive[context],
      })),
      moreContexts: Math.max(0, group.length - LISTED_CONTEXTS),
      link: group[0].link,
    };
  });
  return details.sort((a, b) => b.exclusive - a.exclusive || b.inclusive - a.inclusive || (a.name < b.name ? -1 : 1));
}

/** Spread over the chosen ranks; undefined where there is one rank or none. */
export function overRanks(open: OpenDataSet, scope: Scope, ranges: Ranges): RankStatistics | undefined {
  const values = open.rankValues(scope);
  if (values.ranks.length < 2) return undefined;
  const { slowest, ...spread } = rankSpread(values.perRank(ranges));
  return { ranks: values.ranks.length, ...spread, slowestRank: values.ranks[slowest] };
}

/** The least recorded minimum and the largest recorded maximum, where the recording was reduced over ranks before. */
function recordedExtremes(open: OpenDataSet, scope: Scope, group: readonly Placed[]) {
  const { minimum, maximum } = open.metric(scope.metric);
  const least = reduceValues(open, minimum, group, Math.min);
  const largest = reduceValues(open, maximum, group, Math.max);
  return {
    ...(least === undefined ? {} : { recordedMinimum: least }),
    ...(largest === undefined ? {} : { recordedMaximum: largest }),
  };
}

function reduceValues(
  open: OpenDataSet,
  metric: number | undefined,
  group: readonly Placed[],
  pick: (a: number, b: number) => number,
): number | undefined {
  if (metric === undefined) return undefined;
  const { rowStart, value } = open.dataSet.values[metric];
  let result: number | undefined;
  for (const { context } of group) {
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
      if (Number.isFinite(value[at])) result = result === undefined ? value[at] : pick(result, value[at]);
    }
  }
  return result;
}

function definitions(open: OpenDataSet, placed: readonly Placed[]): Map<string, Placed[]> {
  const calls = placed.filter((one) => isCall(open, one) && one.link.rule !== "call");
  return groupBy(calls, (one) => `${open.functions.ofContext[one.context]},${one.line},${one.link.places.length}`);
}

function isCall(open: OpenDataSet, { context }: Placed): boolean {
  const { tree, frames } = open.dataSet;
  return isFunctionKind(frames.kindOf(tree.frame[context]));
}

/** The subtrees of contexts in preorder, none counted twice where one lies in another (Recursion). */
function subtrees(open: OpenDataSet, placed: readonly Placed[]): Ranges {
  const ranges: [number, number][] = [];
  for (const context of ascending(placed.map((one) => one.context))) {
    if (ranges.length === 0 || context >= ranges[ranges.length - 1][1])
      ranges.push([context, open.dataSet.tree.end[context]]);
  }
  return ranges;
}

/** The contexts whose cost is that of these calls themselves. */
function ownRanges(open: OpenDataSet, placed: readonly Placed[]): Ranges {
  return oneByOne(
    placed.flatMap((one) =>
      open.callOf[one.context] === one.context ? [...ownContexts(open, one.context)] : [one.context],
    ),
  );
}

function oneByOne(contexts: readonly number[]): Ranges {
  return ascending([...new Set(contexts)]).map((context) => [context, context + 1] as const);
}

function ascending(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}

function oneOf({ link }: Placed): { oneOf?: number } {
  return link.places.length > 1 ? { oneOf: link.places.length } : {};
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
