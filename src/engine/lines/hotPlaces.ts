import { isFunctionKind, isPlaceholderName } from "../../model/frames";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import { isNamedAsMpi } from "../../model/mpiNames";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { SourceLink } from "../../model/sourceLinks";
import type { HotPlace } from "./lineApi";
import type { Scope } from "../scope";
import type { Links } from "./links";
import { FINDING_LINES } from "./placement";
import { estimatedContext } from "../trees/measuredCallers";
import type { OpenDataSet } from "../dataSets/openDataSet";

/** What stands on one line, or is one function. */
interface Costs {
  readonly frame: number;
  readonly contexts: number[];
  sum: number;
  heaviest: number;
  /** Functions with a cost here, where they are several. */
  functions: Set<number> | undefined;
}

/**
 * Where to go: the frames of a set of contexts by exclusive cost, heaviest first, ties by name, each with the link of its
 * heaviest context (semantics 4, "hot line of a bar"). A line of a file that is not here leads to the function that it was
 * compiled into: it is another line in each function.
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
  const { ofContext } = open.functions;
  const { exclusive } = open.numbers(scope);
  const isAway = await linesAway(open, links, task);
  // Extremes over ranks are taken of each place as a whole, so they need its contexts; anything else adds up.
  const extremes = scope.over === "max" || scope.over === "min";
  const costs = new Map<number | string, Costs>();
  for (const context of contexts) {
    const frame = tree.frame[context];
    if (skipRuntime && isRuntime(open, context)) continue;
    const key = isAway(frame) ? `${frame} in ${ofContext[context]}` : frame;
    const known = costs.get(key);
    if (!known) {
      costs.set(key, { frame, contexts: [context], sum: exclusive[context], heaviest: context, functions: undefined });
      continue;
    }
    known.sum += exclusive[context];
    if (extremes) known.contexts.push(context);
    if (exclusive[context] !== 0 && ofContext[context] !== ofContext[known.heaviest])
      known.functions = (known.functions ?? new Set([ofContext[known.heaviest]])).add(ofContext[context]);
    if (exclusive[context] > exclusive[known.heaviest]) known.heaviest = context;
  }
  if (extremes) {
    for (const place of costs.values())
      place.sum = open.cost(
        scope,
        place.contexts.map((context) => [context, context + 1]),
      );
  }
  const isFunction = ({ frame }: Costs) => isFunctionKind(frames.kindOf(frame));
  const functionName = ({ heaviest }: Costs) => open.functionName(ofContext[heaviest]);
  const order = [...costs.values()].sort(
    (a, b) =>
      b.sum - a.sum ||
      // Where none has a cost of its own, a function says more than one of its lines.
      Number(isFunction(b)) - Number(isFunction(a)) ||
      compareText(frames.nameOf(a.frame), frames.nameOf(b.frame)) ||
      a.frame - b.frame ||
      compareText(functionName(a), functionName(b)),
  );
  const places: HotPlace[] = [];
  for (const [at, place] of order.slice(0, limit).entries()) {
    task.progress(at / Math.min(limit, order.length), FINDING_LINES);
    const { heaviest, functions } = place;
    const link = await links.link(open, heaviest, task);
    const recordedFile = recordedFileOf(open, heaviest);
    const line = frames.line[place.frame];
    const kind = frames.kindOf(place.frame);
    const definition = isFunction(place) ? undefined : await definitionOf(open, links, heaviest, task);
    places.push({
      ...open.namedIn(functionName(place), ofContext[heaviest]),
      context: heaviest,
      function: ofContext[heaviest],
      functions: functions?.size ?? 1,
      exclusive: place.sum,
      ...(isMpi(open, heaviest) ? { isMpi: true } : {}),
      ...(kind === "function" || kind === "inlined" ? { isFunction: true } : {}),
      link,
      ...(definition ? { definition, ...(isElsewhere(link, definition) ? { isInlined: true } : {}) } : {}),
      ...(recordedFile === undefined ? {} : { recordedFile }),
      // The line of a function is where it begins; that of a region, and a line in a name, is where it stands.
      ...(line === 0 || kind === "function" || kind === "inlined" ? {} : { recordedLine: line }),
    });
  }
  return places;
}

async function definitionOf(open: OpenDataSet, links: Links, context: number, task: Task) {
  const call = open.callOf[context];
  return call === NONE ? undefined : links.link(open, call, task);
}

/** Whether both are known, and in different files. */
function isElsewhere({ places }: SourceLink, definition: SourceLink): boolean {
  const files = new Set(definition.places.map(({ file }) => file));
  return places.length > 0 && files.size > 0 && !places.some(({ file }) => files.has(file));
}

/** Of frames: whether one is a line of a file that is not here. */
async function linesAway(open: OpenDataSet, links: Links, task: Task): Promise<(frame: number) => boolean> {
  const { frames } = open.dataSet;
  const hasFile = await links.filesHere(open, task);
  const isAway = new Map<number, boolean>();
  return (frame) => {
    if (isFunctionKind(frames.kindOf(frame))) return false;
    const file = frames.file[frame];
    if (file === NONE) return false;
    return entryOf(isAway, file, () => !hasFile(frames.strings.get(file)));
  };
}

/**
 * As {@link hotPlaces} where a call graph was measured: lines and functions with what was measured of them. A function that
 * cost nothing has no context in the estimated tree, and is left out.
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
  skipRuntime: boolean,
  task: Task,
): Promise<HotPlace[]> {
  const estimated = new Set(open.functions.ofContext);
  const contexts = flatContexts(flat, (id) => estimated.has(id) && (only === undefined || id === only));
  const places = await hotPlaces(flat, links, scope, contexts, limit, skipRuntime, task);
  return places.map((place) => ({
    ...place,
    context: estimatedContext(open, scope, place.function, flat.dataSet.tree.frame[place.context]),
  }));
}

/** Where a function leads to by what was measured of it, also where it cost nothing. */
export async function measuredLink(
  flat: OpenDataSet,
  links: Links,
  scope: Scope,
  id: number,
  task: Task,
): Promise<SourceLink | undefined> {
  const contexts = flatContexts(flat, (one) => one === id);
  return (await hotPlaces(flat, links, scope, contexts, 1, false, task)).at(0)?.link;
}

function flatContexts(flat: OpenDataSet, isWanted: (id: number) => boolean): number[] {
  const { ofContext } = flat.functions;
  return [...ofContext.keys()].filter((context) => isWanted(ofContext[context]));
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
  if (call === NONE) return false;
  const origin = frames.originOf(tree.frame[call]);
  return origin === "runtime" || origin === "outside" || isMpi(open, context);
}

/** Whether a context is an MPI call, or one of its lines. */
export function isMpi({ dataSet: { tree, frames }, callOf }: OpenDataSet, context: number): boolean {
  const call = callOf[context];
  if (call === NONE) return false;
  return frames.originOf(tree.frame[call]) === "mpi" || isNamedAsMpi(frames.nameOf(tree.frame[call]));
}
