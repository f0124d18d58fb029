/** What may be asked of a whole trace at a glance (semantics 11). */
import type { GroupMap } from "../../supergraph/query";

/** Slices of time, resources, or both are aggregated. */
export type OverviewKind = "temporal" | "hierarchical" | "spatiotemporal";

/**
 * What a cell of the microscopic model has of a state: seconds, events that begin in it, or both divided (an event that only goes on in it
 * counts as one); or the mean of a variable, weighted by time.
 */
export type OverviewMetric = "duration" | "mean" | "count" | "variable";

/**
 * Groups of resources: the initial hierarchy, that of the recording, a number of leaves per group, or by the path
 * of each leaf's name.
 */
export type OverviewHierarchy =
  | { readonly kind: "first" }
  | { readonly kind: "recorded" }
  | { readonly kind: "every"; readonly count: number; readonly name: string }
  | { readonly kind: "paths"; readonly paths: readonly (readonly [leaf: string, path: readonly string[]])[] };

/** Quantity of cells: of states, or of the variable of this name. */
export type OverviewMeasure = Pick<OverviewQuery, "metric" | "variable">;

/** Initial hierarchy of resources. */
export interface OverviewFirst {
  /** `recorded`, `hosts`, `every 8` (neighbours), or `none`. */
  readonly hierarchy: string;
  /** Whether the data shows it, and nothing says it. */
  readonly found: boolean;
  /** A variable has no share of time, by which groups are found. */
  readonly isOfVariable?: true;
}

/** The partition that is shown before anyone chose one. */
export interface OverviewStart extends OverviewFirst {
  readonly p: number;
  readonly parts: number;
  /** Part of the largest loss, from 0 to 1. */
  readonly loss: number;
}

/** What states are: what was recorded, the kinds of work that these are, or the load modules that functions are of. */
export type OverviewBy = "function" | "category" | "module";

export interface OverviewQuery {
  readonly dataSet: number;
  readonly kind: OverviewKind;
  readonly slices: number;
  readonly normalize: boolean;
  readonly metric: OverviewMetric;
  /** Name of the variable, where that is the metric. */
  readonly variable?: string;
  readonly hierarchy: OverviewHierarchy;
  /** Of traces whose lanes have several types of states; absent: the one with most time. */
  readonly stateType?: string;
  /** Seconds; absent: from 0 to the run's end. */
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
  readonly categories?: GroupMap;
  /** Absent: "function". */
  readonly by?: OverviewBy;
  /** Names of states that are left out before anything is aggregated. */
  readonly without?: readonly string[];
  /** Names of the leaves that are looked at; absent: all. */
  readonly only?: readonly string[];
  /** The nearest that is known will do for now, where the exact answer takes long. */
  readonly orNearest?: true;
}

/** A state with what it looks like. */
export interface DrawnState {
  /** As it was recorded: what questions call it. */
  readonly name: string;
  /** As people read it: a mangled name is written out. */
  readonly readable: string;
  /** Index into `eventKinds`; -1: of several, or no kind of work. */
  readonly kind: number;
  /** The recording's own colour, 0xRRGGBB; -1: it has none. */
  readonly color: number;
}

export interface OverviewNode {
  readonly name: string;
  /** Index into the nodes; -1: the root. */
  readonly parent: number;
}

export interface OverviewPart {
  readonly node: number;
  /** First and last slice. */
  readonly start: number;
  readonly end: number;
  /** Index into the states, -1 where the part is empty; and its part of all values. */
  readonly mode: number;
  readonly share: number;
}

/** One partition of the trace, from one strength of aggregation on. */
export interface OverviewPartition {
  readonly p: number;
  readonly gain: number;
  readonly loss: number;
  readonly parts: readonly OverviewPart[];
}

export interface OverviewFinding {
  /** Kind of finding: leaves over time or over resources, or groups. */
  readonly kind: "time" | "space" | "group";
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Indices into the nodes. */
  readonly leaves: readonly number[];
  readonly strength: number;
  /** A sentence in two parts: when, and who does what there, against whom. */
  readonly when: string;
  readonly what: string;
}

export interface Overview {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly slices: number;
  readonly states: readonly string[];
  /** Leaves first. */
  readonly nodes: readonly OverviewNode[];
  /** Seconds of all leaves together in which no event was recorded. */
  readonly uncoveredSeconds: number;
  /** By ascending p. */
  readonly partitions: readonly OverviewPartition[];
  readonly unlike: readonly OverviewFinding[];
  /** Present if the hierarchy is the initial one. */
  readonly first?: OverviewStart;
}

/** What a view of it is made of, whatever the strength of aggregation. */
export interface OverviewFacts {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly slices: number;
  /** With their kinds (indices into `eventKinds`; of several states as one -1), the recording's own colours, and their seconds, or events, in all. */
  readonly states: readonly (DrawnState & { readonly total: number })[];
  /** Of the recording's lanes; one: there is no choice. */
  readonly stateTypes: readonly string[];
  readonly stateType: string;
  readonly leaves: number;
  /** Of the recording, where only some are looked at. */
  readonly allLeaves: number;
  /** The most slices that an aggregation of this kind has time for. */
  readonly mostSlices: number;
  /** Leaves first; each with the place of its first leaf in the order of the tree, and how many leaves it has. */
  readonly nodes: readonly (OverviewNode & { readonly first: number; readonly size: number })[];
  readonly uncoveredSeconds: number;
  /** By ascending p. */
  readonly entries: readonly {
    readonly p: number;
    readonly gain: number;
    readonly loss: number;
    readonly parts: number;
  }[];
  /** The entry that is shown at first. */
  readonly initial: number;
  /** The initial hierarchy, if it is in use. */
  readonly first?: OverviewFirst;
  /** Leaves by their places. */
  readonly unlike: readonly (OverviewFinding & { readonly mode: number })[];
  /** Whether functions are of load modules that are known. */
  readonly hasModules: boolean;
  /** Names of variables of the recording. */
  readonly variables: readonly string[];
  /** All of it is the nearest that was known: boundaries between slices are not where the model's are. */
  readonly isNear?: true;
}

/** The parts of one entry as they are drawn. */
export interface OverviewPartsQuery {
  readonly query: OverviewQuery;
  readonly entry: number;
  /** That there is room for. */
  readonly rows: number;
  /** What every part has of every state is wanted, too. */
  readonly withMeans?: boolean;
}

/** What is in an area: leaves by their places, first and last slice. */
export interface OverviewAreaQuery {
  readonly query: OverviewQuery;
  readonly first: number;
  readonly size: number;
  readonly start: number;
  readonly end: number;
}

/** What is in an area: states with their sums, shares of all of it, and how its cells differ; largest first. */
export interface OverviewArea {
  readonly states: readonly {
    readonly state: number;
    readonly value: number;
    readonly share: number;
    /** Of its cells: what they have in the mean, and how far they are from that (standard deviation). */
    readonly mean: number;
    readonly deviation: number;
  }[];
  readonly cells: number;
  /** Names of its first resources. */
  readonly members: readonly string[];
}

/** The cells of an area, leaf by leaf in their places: the state that each is in most (-1: empty), and its share. */
export interface OverviewCells {
  readonly mode: Int32Array;
  readonly share: Float64Array;
}

export interface OverviewLanesQuery {
  readonly query: Pick<OverviewQuery, "dataSet" | "stateType">;
  /** Of leaves. */
  readonly names: readonly string[];
  /** The trace's columns are waited for: a view that shows lanes reads them. */
  readonly waits?: true;
}

export interface OverviewPlacesQuery {
  readonly query: OverviewQuery;
  readonly lanes: readonly number[];
}

export type { VisualParts } from "./visualParts";
