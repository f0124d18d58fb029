/**
 * The topology at a cut: closed groups as one mark for each shape of what is in them, links between these (Schnorr, Legrand, Vincent: "Detection
 * and Analysis of Resource Usage Anomalies in Large Distributed Systems Through Multi-Scale Visualization", INRIA RR-8079 2012). Pure.
 */
import type { HardwareKind } from "../../model/hardware";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { ShownCut } from "./cut";
import { type NodeShape, nodeShapes, type TopologyEdge, type TopologyMark } from "./resourceApi";
import type { ResourceTree } from "./resourceTree";

const CIRCLES: readonly (HardwareKind | undefined)[] = ["router", "cache", "memory"];

/** How a resource is drawn unless somebody chooses. */
export function usualShape(kind: HardwareKind | undefined): NodeShape {
  return kind === "link" ? "diamond" : CIRCLES.includes(kind) ? "circle" : "square";
}

/** What a mark stands for. */
export interface MarkMembers {
  readonly node: number;
  readonly shape: NodeShape;
  /** Leaves of the tree, or, of an open part of a machine, itself. */
  readonly members: readonly number[];
}

export interface CutMarks {
  readonly marks: readonly MarkMembers[];
  /** By node of the tree: the mark that it is in; NONE: none. */
  readonly markOf: Int32Array;
}

/**
 * A closed group is a square for its hosts and a diamond for its links; its routers are part of the square, else of the diamond, and a circle
 * where it has nothing else. An open part of a machine is a mark beside those of what it holds.
 */
export function marksOf(tree: ResourceTree, cut: ShownCut, shapeOf: (node: number) => NodeShape): CutMarks {
  const { parent, kinds } = tree;
  const isInner = new Uint8Array(parent.length);
  for (let at = 1; at < parent.length; at++) isInner[parent[at]] = 1;
  const members = Array.from(cut.nodes, () => new Map<NodeShape, number[]>());
  for (let at = 0; at < parent.length; at++)
    if (!isInner[at] && cut.shownAs[at] !== NONE) entryOf(members[cut.shownAs[at]], shapeOf(at), () => []).push(at);
  const marks: MarkMembers[] = [];
  const markOf = new Int32Array(parent.length).fill(NONE);
  cut.nodes.forEach((own, node) => {
    const shapes = members[node];
    const isPart = kinds[own] !== undefined && kinds[own] !== "zone";
    if (!cut.isClosed[node]) {
      if (isPart && cut.shownAs[own] === NONE)
        markOf[own] = marks.push({ node, shape: shapeOf(own), members: [own] }) - 1;
      return;
    }
    const circles = shapes.get("circle");
    const into = nodeShapes.find((shape) => shape !== "circle" && shapes.has(shape));
    for (const shape of nodeShapes) {
      const leaves = shapes.get(shape);
      if (!leaves || (shape === "circle" && into !== undefined)) continue;
      const mark = marks.push({ node, shape, members: leaves }) - 1;
      for (const leaf of leaves) markOf[leaf] = mark;
      if (shape === into) for (const leaf of circles ?? []) markOf[leaf] = mark;
    }
    // Of what is inside of a closed group: links may lead to it, too.
    if (isInner[own])
      markOf[own] = marks.findLastIndex((mark) => mark.node === node && mark.shape === (into ?? "circle"));
  });
  return { marks, markOf };
}

/** A connection of two nodes of the tree. */
export interface Connection {
  readonly from: number;
  readonly to: number;
  readonly together: number;
  readonly bytes: number;
}

/** Connections between marks: those of one pair are one, those inside of a mark are none. */
export function edgesOf(
  of: TopologyEdge["of"],
  connections: Iterable<Connection>,
  markOf: (node: number) => number,
): TopologyEdge[] {
  const edges = new Map<string, { from: number; to: number; together: number; bytes: number }>();
  for (const { from, to, together, bytes } of connections) {
    const [a, b] = [markOf(from), markOf(to)];
    if (a === NONE || b === NONE || a === b) continue;
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const edge = entryOf(edges, `${low} ${high}`, () => ({ from: low, to: high, together: 0, bytes: 0 }));
    edge.together += together;
    edge.bytes += bytes;
  }
  return [...edges.values()].map((edge) => ({ ...edge, of })).sort((a, b) => a.from - b.from || a.to - b.to);
}

/** Bytes of connections inside of each mark, else how many they are. */
export function insideMarks(connections: Iterable<Connection>, markOf: (node: number) => number, count: number) {
  const within = new Float64Array(count);
  for (const { from, to, together, bytes } of connections) {
    const mark = markOf(from);
    if (mark !== NONE && mark === markOf(to)) within[mark] += Number.isNaN(bytes) ? together : bytes;
  }
  return within;
}

/** What is in what, of parts of a machine that are marks of their own. */
export function insides({ marks, markOf }: CutMarks, tree: ResourceTree, cut: ShownCut): Connection[] {
  return marks.flatMap(({ node }): Connection[] => {
    let outer = tree.parent[cut.nodes[node]];
    while (outer > 0 && markOf[outer] === NONE) outer = tree.parent[outer];
    const own = cut.nodes[node];
    return outer > 0 ? [{ from: outer, to: own, together: 1, bytes: NaN }] : [];
  });
}

/** Sum of a column over what a mark stands for; NaN where of none anything is known. */
export function memberSum({ members }: Pick<MarkMembers, "members">, sums: Float64Array, known: Float64Array): number {
  let [sum, count] = [0, 0];
  for (const member of members) {
    sum += sums[member];
    count += known[member];
  }
  return count > 0 ? sum : NaN;
}

export type { TopologyMark };
