import { isPlaceholderName } from "../model/frames";
import { NONE } from "../model/ids";
import type { Task } from "../model/task";
import type { HotPlace, Scope } from "./api";
import type { Links } from "./links";
import { estimatedContext } from "./measuredCallers";
import type { OpenDataSet } from "./openDataSet";

/**
 * Where to go: the frames of a set of contexts by exclusive cost, heaviest first, ties by name, each with the link of its
 * heaviest context (semantics 4, "hot line of a bar").
 *
 * @param contexts the contexts that count
 * @param skipRuntime leave out MPI and runtime calls ("Go to hottest line")
 */
export async function hotPlaces(
  open: OpenDataSet,
  links: Links,
  scope: Scope,
  contexts: Iterable<number>,
  limit: number,
  skipRuntime: boolean,
  task: Task,
): Promise<HotPlace[]> {
  const { tree, frames } = open.dataSet;
  const { exclusive } = open.numbers(scope);
  // Extremes over ranks are taken of each frame as a whole, so they need its contexts; anything else adds up.
  const extremes = scope.over === "max" || scope.over === "min";
  const byFrame = new Map<number, { sum: number; heaviest: number; contexts: number[] }>();
  for (const context of contexts) {
    const frame = tree.frame[context];
    if (skipRuntime && isRuntime(open, context)) continue;
    const known = byFrame.get(frame);
    if (!known) {
      byFrame.set(frame, { sum: exclusive[context], heaviest: context, contexts: [context] });
      continue;
    }
    known.sum += exclusive[context];
    if (extremes) known.contexts.push(context);
    if (exclusive[context] > exclusive[known.heaviest]) known.heaviest = context;
  }
  if (extremes) {
    for (const place of byFrame.values())
      place.sum = open.cost(
        scope,
        place.contexts.map((context) => [context, context + 1]),
      );
  }
  const name = (frame: number) => frames.nameOf(frame);
  const order = [...byFrame].sort(
    ([a, costA], [b, costB]) => costB.sum - costA.sum || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b),
  );
  const places: HotPlace[] = [];
  for (const [, { sum, heaviest }] of order.slice(0, limit)) {
    const id = open.functions.ofContext[heaviest];
    const link = await links.link(open, heaviest, task);
    const recordedFile = recordedFileOf(open, heaviest);
    places.push({
      name: open.functionName(id),
      context: heaviest,
      function: id,
      exclusive: sum,
      link,
      ...(recordedFile === undefined ? {} : { recordedFile }),
    });
  }
  return places;
}

/**
 * As {@link hotPlaces} where a call graph was measured: lines and functions with what was measured of them. A place too small
 * for a context of its own in the estimated tree is left out.
 *
 * @param only the function whose lines count; undefined: all
 */
export async function measuredHotPlaces(
  open: OpenDataSet,
  flat: OpenDataSet,
  links: Links,
  scope: Scope,
  only: number | undefined,
  limit: number,
  task: Task,
): Promise<HotPlace[]> {
  const { ofContext } = flat.functions;
  const contexts = [...ofContext.keys()].filter((context) => only === undefined || ofContext[context] === only);
  const places = await hotPlaces(flat, links, scope, contexts, limit, only === undefined, task);
  return places.flatMap((place): HotPlace[] => {
    const context = estimatedContext(open, scope, place.function, flat.dataSet.tree.frame[place.context]);
    return context === NONE ? [] : [{ ...place, context }];
  });
}

/** A line or loop without a file stands in that of the call around it. */
function recordedFileOf(open: OpenDataSet, context: number): string | undefined {
  const { tree, frames } = open.dataSet;
  for (const one of [context, open.callOf[context]]) {
    const file = one === NONE ? NONE : frames.file[tree.frame[one]];
    if (file === NONE) continue;
    const name = frames.strings.get(file);
    if (!isPlaceholderName(name)) return name;
  }
  return undefined;
}

/** MPI and GPU runtime calls, and whatever stands inside them. */
function isRuntime(open: OpenDataSet, context: number): boolean {
  const { tree, frames } = open.dataSet;
  const call = open.callOf[context];
  if (call < 0) return false;
  const origin = frames.originOf(tree.frame[call]);
  return (
    origin === "mpi" || origin === "runtime" || origin === "outside" || /^P?MPI_/.test(frames.nameOf(tree.frame[call]))
  );
}
