/** What the lines and functions of a document moved. */
import { isFunctionKind } from "../../model/frames";
import { NONE } from "../../model/ids";
import { entryOf, groupBy } from "../../model/maps";
import type { DataSet } from "../../model/dataSet";
import type { Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { lineGroups, type Ranges, subtrees, union } from "../lines/lineGroups";
import type { Links } from "../lines/links";
import type { Movement } from "./movement";
import type { DocumentMovement, DocumentMovementQuery, Moved } from "./movementApi";
import { movedBy } from "./movementSums";

export async function documentMovement(
  open: OpenDataSet,
  dataSet: DataSet,
  movement: Movement,
  links: Links,
  { scope, fromSeconds, toSeconds, document }: DocumentMovementQuery,
  task: Task,
): Promise<DocumentMovement> {
  const { trace } = movement;
  const { here } = await links.placedIn(open, document, task);
  const standing = await standingContexts(open, movement, links, task);
  const groupsOf = new Map<number, number[]>();
  let groups = 0;
  /** Moving contexts of a set become the next group. */
  const add = (contexts: readonly number[]) => {
    for (const context of contexts) entryOf(groupsOf, context, () => []).push(groups);
    return groups++;
  };
  const lines = [...groupBy(here, ({ line, link }) => `${line},${link.places.length}`).values()].map((placed) => {
    const [{ line, link }] = placed;
    const on = new Set(union(placed));
    return {
      line,
      ...severalOf(link.places.length),
      group: add(standing.filter(([, at]) => on.has(at)).map(([own]) => own)),
    };
  });
  const { tree, frames } = open.dataSet;
  const begins = lineGroups(
    open,
    here.filter(({ link }) => link.rule !== "call"),
    ({ places }) => places.length,
    (context) => isFunctionKind(frames.kindOf(tree.frame[context])),
  );
  const functions = begins.map(({ line, function: id, link, contexts }) => {
    const group = add(within(movement.movingContexts, subtrees(open, contexts)));
    return { line, function: id, ...severalOf(link.places.length), group };
  });
  const all = [add([NONE, ...movement.movingContexts])];
  const none: readonly number[] = [];
  const moved = await movedBy(
    dataSet,
    movement,
    { chosen: scope.chosen, fromSeconds, toSeconds },
    (context) => groupsOf.get(context) ?? none,
    groups,
    task,
  );
  const from = Math.max(fromSeconds ?? trace.startSeconds, trace.startSeconds);
  const to = Math.min(toSeconds ?? trace.endSeconds, trace.endSeconds);
  return {
    lines: withMovement(lines, moved),
    functions: withMovement(functions, moved),
    total: moved[all[0]],
    seconds: Math.max(0, to - from),
  };
}

function withMovement<Place extends { readonly line: number; readonly group: number }>(
  places: readonly Place[],
  moved: readonly Moved[],
): (Omit<Place, "group"> & Moved)[] {
  return places
    .map(({ group, ...place }) => ({ ...place, ...moved[group] }))
    .filter(
      ({ parts, messages, received, collectives }) =>
        parts.length + messages.count + received.count + collectives.count > 0,
    )
    .sort((a, b) => a.line - b.line);
}

function severalOf(places: number): { readonly oneOf?: number } {
  return places > 1 ? { oneOf: places } : {};
}

/**
 * Of each context that moved something, the one whose line says so: itself, else the nearest caller with a place, since what a device
 * copied is nowhere in the source.
 */
async function standingContexts(
  open: OpenDataSet,
  { movingContexts }: Movement,
  links: Links,
  task: Task,
): Promise<(readonly [moving: number, standing: number])[]> {
  const { parent } = open.dataSet.tree;
  const found: (readonly [number, number])[] = [];
  for (const context of movingContexts) {
    task.check();
    let at = context;
    while (at !== NONE && (await links.link(open, at, task)).places.length === 0) at = parent[at];
    found.push([context, at]);
  }
  return found;
}

/** Of ascending contexts those that lie in ranges. */
function within(contexts: Int32Array, ranges: Ranges): number[] {
  const found: number[] = [];
  for (const [from, to] of ranges) {
    let [low, high] = [0, contexts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (contexts[middle] < from) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < contexts.length && contexts[at] < to; at++) found.push(contexts[at]);
  }
  return found;
}
