/** What may be asked of the resources of a recording: how much of a quantity each has in a window, and how they are connected. */
import type { Chosen } from "../../model/members";
import type { GroupMap } from "../../supergraph/query";
import type { DrawnState, OverviewBy } from "../overview/overviewApi";
import type { Scope } from "../scope";

/** Which groups of a hierarchy are closed: those at the depth, but for the ones that were opened or closed by themselves. */
export interface ResourceCut {
  /** Absent: the largest one at which there are not too many to be drawn. */
  readonly depth?: number;
  /** Keys of nodes ({@link ResourceNode.key}). */
  readonly closed?: readonly string[];
  readonly opened?: readonly string[];
}

/** Hosts are squares, links diamonds, routers circles (Schnorr, Legrand, Vincent: INRIA RR-8079, section 4.1). */
export const nodeShapes = ["square", "diamond", "circle"] as const;
export type NodeShape = (typeof nodeShapes)[number];

/**
 * `time`: seconds in which lanes were in some state; `count`: events that begin; `state NAME`: seconds in that state; `variable NAME`: the
 * integral of a variable.
 */
export type Quantity = "time" | "count" | `state ${string}` | `variable ${string}`;

export interface ResourcesQuery {
  readonly scope: Pick<Scope, "dataSet" | "chosen">;
  /** Undefined: from where the run begins, until its end. */
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
  readonly categories?: GroupMap;
  /** So many neighbours are a group; absent: as the recording has it. */
  readonly every?: number;
  /** Absent, or not recorded: the first one that is. */
  readonly quantity?: string;
  readonly stateType?: string;
  readonly by?: OverviewBy;
  readonly cut: ResourceCut;
  /** What areas of marks are by: `time`, or a variable's name; absent: capacity where it was recorded, else time. */
  readonly size?: string;
  /** What marks are filled by: `states`, or a variable's name; absent: use where it was recorded, else states. */
  readonly fill?: string;
  /** By type of resources. */
  readonly shapes?: Readonly<Record<string, NodeShape>>;
}

export interface ResourceNode {
  /** The same in every answer about a recording and its grouping. */
  readonly id: number;
  /** Names from the root down: what cuts call it. */
  readonly key: string;
  readonly name: string;
  /** The recording's own word; empty for groups that it does not have. */
  readonly type: string;
  /** Index of what it is in, NONE: the root, which stands first. */
  readonly parent: number;
  readonly depth: number;
  /** Whether what is in it is not shown; and how many resources without parts that is. */
  readonly isClosed: boolean;
  readonly leaves: number;
  /** Lanes of the timeline that are of it, or of what is in it and not shown. */
  readonly lanes: readonly number[];
  /** What numbers can be restricted to; undefined: nothing. */
  readonly members: Chosen | undefined;
}

/** One mark of the topology: a closed node's resources of one shape, as one. */
export interface TopologyMark {
  /** Index into the nodes. */
  readonly node: number;
  readonly shape: NodeShape;
  /** For how many resources it stands. */
  readonly together: number;
  /** Sum of what it is as large as, in the mean of the window; NaN: not recorded. */
  readonly size: number;
  /** Sum of what it is filled by, in the mean of the window; NaN: not recorded, or filled by its states. */
  readonly used: number;
  /** Bytes of messages inside of it, else their number; 0: none. Comparable with those of edges. */
  readonly within: number;
  /** Of a part of a machine without a size: the share of the window in which it was used; NaN: not recorded. */
  readonly share: number;
}

export interface TopologyEdge {
  /** Indices into the marks, the smaller one first. */
  readonly from: number;
  readonly to: number;
  /** Links that were recorded, what is in what, or messages and transfers of the window. */
  readonly of: "links" | "inside" | "messages";
  /** How many connections it stands for. */
  readonly together: number;
  /** NaN: not recorded. */
  readonly bytes: number;
}

export interface QuantityOffered {
  readonly id: Quantity;
  readonly name: string;
  readonly unit: string;
}

export interface Resources {
  /** Of the run; and the window. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly quantities: readonly QuantityOffered[];
  /** Index into these; NONE: there is nothing that could be summed. */
  readonly quantity: number;
  readonly stateTypes: readonly string[];
  readonly stateType: string;
  /** What values are divided by: states; of a variable one, that is the variable. */
  readonly parts: readonly DrawnState[];
  /** Of the cut and what it is in; parents before children. */
  readonly nodes: readonly ResourceNode[];
  /** By node and part. */
  readonly values: Float64Array;
  /** By mark and state of `states`: seconds in the window. */
  readonly states: readonly DrawnState[];
  readonly stateSeconds: Float64Array;
  readonly marks: readonly TopologyMark[];
  readonly edges: readonly TopologyEdge[];
  /** What sizes and fillings are, by shape: `power`, `time`; empty: nothing. */
  readonly sizes: Readonly<Record<NodeShape, string>>;
  readonly fills: Readonly<Record<NodeShape, string>>;
  /** Names of variables that there are, with their units. */
  readonly variables: readonly { readonly name: string; readonly unit: string }[];
  /** Of resources, with the shapes that they are drawn in. */
  readonly types: readonly { readonly type: string; readonly shape: NodeShape }[];
  /** Of the cut, and of the whole hierarchy. */
  readonly depth: number;
  readonly deepest: number;
}

/** How marks are to be laid out. */
export interface TopologyLayoutQuery {
  readonly count: number;
  /** Pairs of indices. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Of each mark: marks of one group begin near each other. */
  readonly group: Int32Array;
  /** Where marks were before; NaN: nowhere. Distances are in diameters of the largest mark. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Whether a mark stays where it is. */
  readonly isPinned: Uint8Array;
  /** Marks stand on a ring in their order, wherever they were before. */
  readonly isRing?: boolean;
}

export interface TopologyLayout {
  readonly x: Float64Array;
  readonly y: Float64Array;
}
