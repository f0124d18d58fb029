/** Hot paths: where they begin, what they pass, and the lines at their ends. */
import { heaviestOf, walkHotPath } from "../../analysis/hotPath";
import { isFunctionKind } from "../../model/frames";
import { NONE } from "../../model/ids";
import type { SourceLink } from "../../model/sourceLinks";
import type { Task } from "../../model/task";
import type { GraphQuery, Scope, Target } from "../scope";
import type { Graphs } from "../graphs/graphs";
import type { HotPath, HotPathStep } from "./hotPathApi";
import type { Links } from "./links";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { childrenOf } from "../trees/trees";

/** Calls of a path that are listed, from its beginning and from its end. */
const FIRST_STEPS = 40;
const LAST_STEPS = 40;
/** Contexts above the end that are asked for a line. */
const MOST_ANCESTORS = 200;

export async function hotPath(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  links: Links,
  scope: Scope,
  target: Target | undefined,
  threshold: number,
  task: Task,
): Promise<HotPath | undefined> {
  const { inclusive } = open.numbers(scope);
  const from = heaviestOf(await beginnings(open, graphsOf, target, task), inclusive);
  if (from === NONE) return undefined;
  const { contexts, end } = walkHotPath(open.dataSet.tree, inclusive, from, threshold);
  const last = contexts[contexts.length - 1];
  const link = await links.link(open, last, task);
  return {
    ...stepsOf(open, contexts, inclusive),
    depth: open.pathOf(last).length,
    stopped: end.why === "share" ? { ...end, name: open.shownContext(end.heaviest) } : end,
    link,
    nearest: link.places.length > 0 ? undefined : await nearestLine(open, links, last, task),
    estimated: open.measured !== undefined,
  };
}

/** Contexts of which the heaviest is where the path begins. */
async function beginnings(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  target: Target | undefined,
  task: Task,
): Promise<Iterable<number>> {
  if (target === undefined) return childrenOf(open, NONE);
  if (target.kind === "context") return [open.checkContext(target.context)];
  if (target.kind === "bar") return (await graphsOf(target.query).membersOfBar(target.query, target.bar, task)).entries;
  return outermost(open, open.checkFunction(target.function));
}

/** The contexts of a function that lie in no other context of it. */
function* outermost({ functions, dataSet }: OpenDataSet, id: number): Iterable<number> {
  const { ofContext } = functions;
  for (let context = 0; context < ofContext.length;) {
    if (ofContext[context] === id) {
      yield context;
      context = dataSet.tree.end[context];
    } else context++;
  }
}

function stepsOf(
  open: OpenDataSet,
  contexts: Int32Array,
  inclusive: Float64Array,
): Pick<HotPath, "steps" | "leftOut" | "leftOutAfter"> {
  const { tree, frames } = open.dataSet;
  const isEnd = (at: number) => at === 0 || at === contexts.length - 1;
  const calls = contexts.filter((context, at) => isEnd(at) || isFunctionKind(frames.kindOf(tree.frame[context])));
  const leftOut = Math.max(0, calls.length - FIRST_STEPS - LAST_STEPS);
  const listed = leftOut === 0 ? [...calls] : [...calls.slice(0, FIRST_STEPS), ...calls.slice(-LAST_STEPS)];
  const steps = listed.map((context): HotPathStep => ({
    context,
    name: open.shownContext(context),
    inclusive: inclusive[context],
  }));
  return { steps, leftOut, leftOutAfter: leftOut === 0 ? steps.length : FIRST_STEPS };
}

async function nearestLine(
  open: OpenDataSet,
  links: Links,
  context: number,
  task: Task,
): Promise<{ name: string; link: SourceLink } | undefined> {
  const { parent } = open.dataSet.tree;
  let above = parent[context];
  for (let looked = 0; above !== NONE && looked < MOST_ANCESTORS; looked++, above = parent[above]) {
    task.check();
    const link = await links.link(open, above, task);
    if (link.places.length > 0) return { name: open.shownContext(above), link };
  }
  return undefined;
}
