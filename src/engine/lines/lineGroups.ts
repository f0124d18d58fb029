/** Sets of contexts as they stand in a document: by line and function, as columns, since they may be a million. */
import { IntColumn } from "../../model/columns";
import { entryOf } from "../../model/maps";
import type { SourceLink } from "../../model/sourceLinks";
import type { Numbers, OpenDataSet } from "../dataSets/openDataSet";
import type { LineDetails } from "./lineApi";
import type { Placed } from "./placement";
import { innermostPath, ownContexts } from "../trees/trees";

/** Contexts that a hover lists. */
const LISTED_CONTEXTS = 10;

/** Half-open ranges of the preorder, ascending, none overlapping another. */
export type Ranges = Iterable<readonly [from: number, to: number]>;

/** The contexts of one function on one line. */
export interface LineGroup {
  readonly line: number;
  readonly function: number;
  /** Of the first of the contexts. */
  readonly link: SourceLink;
  /** Ascending, each once. */
  readonly contexts: Int32Array;
}

/**
 * Splits what stands in a document by line and function.
 *
 * @param apart what else keeps contexts of one line and function apart
 * @param counts which contexts are taken; all unless said
 */
export function lineGroups(
  open: OpenDataSet,
  placed: readonly Placed[],
  apart: (link: SourceLink) => string | number = () => "",
  counts: (context: number) => boolean = () => true,
): LineGroup[] {
  const found = new Map<string, { function: number; parts: Placed[] }>();
  for (const { line, link, contexts } of placed) {
    const byFunction = new Map<number, IntColumn>();
    for (const context of contexts) {
      if (!counts(context)) continue;
      const id = open.functions.ofContext[context];
      entryOf(byFunction, id, () => new IntColumn()).push(context);
    }
    for (const [id, { values, length }] of byFunction) {
      const key = `${line},${id},${apart(link)}`;
      const known = found.get(key) ?? { function: id, parts: [] };
      found.set(key, known);
      known.parts.push({ line, link, contexts: values.slice(0, length) });
    }
  }
  return [...found.values()].map(({ function: id, parts }) => {
    const first = parts.reduce((a, b) => (b.contexts[0] < a.contexts[0] ? b : a));
    return { line: first.line, function: id, link: first.link, contexts: union(parts) };
  });
}

/**
 * The links that lead to one line beside the one that its group has, by function: lines of headers that are not here stand on
 * their function's definition, each for a reason of its own (semantics 5).
 */
export function otherLinks(open: OpenDataSet, placed: readonly Placed[]): ReadonlyMap<number, readonly SourceLink[]> {
  const apart = lineGroups(open, placed, ({ rule, reason }) => `${rule} ${reason}`);
  apart.sort((a, b) => a.contexts[0] - b.contexts[0]);
  const ofFunction = new Map<number, SourceLink[]>();
  const first = new Set<number>();
  for (const { function: id, link } of apart) {
    if (!first.has(id)) first.add(id);
    else entryOf(ofFunction, id, () => []).push(link);
  }
  return ofFunction;
}

/** The contexts of several parts, ascending, each once. */
export function union(parts: readonly Pick<Placed, "contexts">[]): Int32Array {
  if (parts.length === 1) return parts[0].contexts;
  const all = new Int32Array(parts.reduce((sum, { contexts }) => sum + contexts.length, 0));
  let at = 0;
  for (const { contexts } of parts) {
    all.set(contexts, at);
    at += contexts.length;
  }
  return distinct(all);
}

/** Each context by itself, without what is below it. */
export function oneByOne(contexts: Int32Array): Ranges {
  return {
    *[Symbol.iterator]() {
      for (const context of contexts) yield [context, context + 1] as const;
    },
  };
}

/** The subtrees of contexts, none counted twice where one lies in another (Recursion). */
export function subtrees(open: OpenDataSet, contexts: Int32Array): Ranges {
  const { end } = open.dataSet.tree;
  return {
    *[Symbol.iterator]() {
      let covered = 0;
      for (const context of contexts) {
        if (context < covered) continue;
        covered = end[context];
        yield [context, covered] as const;
      }
    },
  };
}

/** The contexts whose cost is that of these calls themselves. */
export function ownRanges(open: OpenDataSet, contexts: Int32Array): Ranges {
  const own = new IntColumn();
  for (const context of contexts) {
    if (open.callOf[context] !== context) own.push(context);
    else for (const one of ownContexts(open, context)) own.push(one);
  }
  return oneByOne(distinct(own.values.slice(0, own.length)));
}

/** The contexts that a hover lists, heaviest first, and how many more there are. */
export function listedContexts(
  open: OpenDataSet,
  contexts: Int32Array,
  { exclusive, inclusive }: Pick<Numbers, "exclusive" | "inclusive">,
): Pick<LineDetails, "contexts" | "moreContexts"> {
  return {
    contexts: heaviest(contexts, inclusive, LISTED_CONTEXTS).map((context) => ({
      context,
      path: innermostPath(open, context),
      exclusive: exclusive[context],
      inclusive: inclusive[context],
    })),
    moreContexts: Math.max(0, contexts.length - LISTED_CONTEXTS),
  };
}

/** The contexts with the largest weights, ties in their order. */
export function heaviest(contexts: Int32Array, weight: Float64Array, count: number): number[] {
  const most: number[] = [];
  for (const context of contexts) {
    let at = most.length;
    while (at > 0 && weight[most[at - 1]] < weight[context]) at--;
    if (at >= count) continue;
    most.splice(at, 0, context);
    if (most.length > count) most.pop();
  }
  return most;
}

/** Sorts in place, and leaves out what stands there twice. */
function distinct(contexts: Int32Array): Int32Array {
  contexts.sort();
  let kept = 0;
  for (const context of contexts) if (kept === 0 || contexts[kept - 1] !== context) contexts[kept++] = context;
  return contexts.subarray(0, kept);
}
