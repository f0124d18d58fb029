/**
 * What the page of treemap and topology draws: nodes of a hierarchy with values, and marks with links between them. A mark of the page is a
 * node, or, from {@link TOPOLOGY} on, a mark of the topology. Seconds of the run; what was not recorded is NaN.
 */
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { amount, byName, count, list, MARK_LIMIT, name } from "./bounds";
import { integers, numbers, numbersOrNone, ownColors } from "./columns";
import { stretch } from "./panel";

export { eventKinds };

/** Nodes that a page draws; marks, and edges between them. */
export const NODE_LIMIT = 8000;
export const EDGE_LIMIT = MARK_LIMIT;
/** Numbers of marks of the topology begin here; those of a node's parts further on. */
export const TOPOLOGY = 1_000_000;
/** From here on there is room for both drawings, side by side. */
export const WIDE = 700;
const MOST_PARTS = 300;

export const shapes = ["square", "diamond", "circle"] as const;
export const edgeKinds = ["links", "inside", "messages"] as const;

const keys = list(name, 1000);

/** Which groups of a hierarchy are closed: those at a depth, but for the ones that were opened or closed by themselves. */
export const cutState = v.object({
  depth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))),
  closed: keys,
  opened: keys,
});
export type CutState = v.InferOutput<typeof cutState>;

export const treemapState = v.object({
  /** Which drawings are wanted; in narrow panels the last one that was chosen is there. */
  shows: v.picklist(["treemap", "topology", "both"]),
  narrow: v.picklist(["treemap", "topology"]),
  quantity: v.optional(name),
  stateType: v.optional(name),
  every: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1024)),
  ...cutState.entries,
  size: v.optional(name),
  fill: v.optional(name),
  /** States have the colours that the recording says, where it does. */
  ownColors: v.optional(v.boolean()),
  shapes: byName(v.picklist(shapes), 1000),
});
export type TreemapState = v.InferOutput<typeof treemapState>;

const texts = list(name, NODE_LIMIT);
const perShape = v.tuple([name, name, name]);

export const treemapContent = v.pipe(
  v.object({
    /** Names the recording and its grouping: numbers of nodes are of these. */
    subject: name,
    run: stretch,
    window: stretch,
    shows: v.picklist(["treemap", "topology", "both"]),
    narrow: v.picklist(["treemap", "topology"]),
    /** Empty: nothing can be summed. */
    quantity: name,
    unit: name,
    parts: list(name, MOST_PARTS),
    partKinds: integers(-1, eventKinds.length - 1),
    partColors: ownColors(MOST_PARTS),
    nodes: v.object({
      id: integers(0, 2 ** 31 - 1),
      names: texts,
      types: texts,
      parent: integers(-1, NODE_LIMIT),
      isClosed: integers(0, 1),
      leaves: integers(0, 2 ** 31 - 1),
      /** Whether the timeline has lanes of it, and what numbers can be restricted to. */
      hasLane: integers(0, 1),
      canRestrict: integers(0, 1),
    }),
    values: numbers(2 ** 21),
    states: list(name, MOST_PARTS),
    stateKinds: integers(-1, eventKinds.length - 1),
    stateColors: ownColors(MOST_PARTS),
    marks: v.object({
      node: integers(0, NODE_LIMIT),
      shape: integers(0, shapes.length - 1),
      together: integers(0, 2 ** 31 - 1),
      within: numbers(),
      size: numbersOrNone(),
      used: numbersOrNone(),
      share: numbersOrNone(),
      x: numbers(),
      y: numbers(),
    }),
    /** Marks stand on a ring around the middle of the layout. */
    isRing: v.boolean(),
    stateSeconds: numbers(2 ** 21),
    edges: v.object({
      from: integers(0, MARK_LIMIT),
      to: integers(0, MARK_LIMIT),
      of: integers(0, edgeKinds.length - 1),
      together: numbers(),
      bytes: numbersOrNone(),
    }),
    /** By shape: what areas and fillings are, and their units. */
    sizes: perShape,
    fills: perShape,
    sizeUnits: perShape,
    depth: count,
    deepest: count,
    uncovered: v.optional(amount),
  }),
  v.check(({ nodes, parts, partColors, values, marks, edges, states, stateColors, stateSeconds }) => {
    const nodeCount = nodes.id.length;
    const markCount = marks.node.length;
    return (
      [nodes.names, nodes.types, nodes.parent, nodes.isClosed, nodes.leaves].every(
        ({ length }) => length === nodeCount,
      ) &&
      nodes.parent.every((parent, at) => parent < at) &&
      partColors.length === parts.length &&
      stateColors.length === states.length &&
      values.length === nodeCount * parts.length &&
      stateSeconds.length === markCount * states.length &&
      [marks.shape, marks.within, marks.size, marks.used, marks.share, marks.x, marks.y].every(
        ({ length }) => length === markCount,
      ) &&
      marks.node.every((node) => node < nodeCount) &&
      [edges.from, edges.to].every((ends) => ends.every((mark) => mark < markCount))
    );
  }),
);
export type TreemapContent = v.InferOutput<typeof treemapContent>;

/** The drawings that there are in a panel of this width. */
export function shownIn(
  { shows, narrow }: Pick<TreemapContent, "shows" | "narrow">,
  width: number,
): { readonly treemap: boolean; readonly topology: boolean } {
  const one = shows === "both" && width < WIDE ? narrow : shows;
  return { treemap: one !== "topology", topology: one !== "treemap" };
}
