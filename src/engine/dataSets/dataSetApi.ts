/** What is asked of whole data sets, and what lists and the data set's page say of them. Plain data. */
import type { RecordingCost } from "../../model/recordingCost";
import type { TraceOutline } from "../../model/trace";
import type { EnsembleOptions } from "../ensembles/ensembleApi";
import type { SeriesInfo } from "../traces/traceApi";
import type { Hierarchy, Warning } from "../../model/dataSet";
import type { LocationUnit } from "../../model/members";
import type { Metric } from "../../model/metrics";

export interface OpenRequest {
  /** Absolute paths of files or folders, opened together. */
  readonly paths: readonly string[];
  readonly hierarchy?: Hierarchy;
  /** What the user answered where the same paths could be understood in several ways (AmbiguityError). */
  readonly answer?: string;
  /** They are runs of one ensemble, which is opened as one data set; folders in folders are searched too. */
  readonly ensemble?: EnsembleOptions;
}

export interface MetricInfo extends Omit<Metric, "minimum" | "maximum" | "toolExclusive"> {
  /** Sum over everything; what shares are shares of. */
  readonly total: number;
}

export interface EnsembleMembers {
  readonly names: readonly string[];
  /** Of each metric, the runs that lack it. */
  readonly lacking: readonly (readonly number[])[];
}

export interface DataSetInfo {
  readonly id: number;
  readonly name: string;
  readonly files: readonly string[];
  readonly format: { readonly id: string; readonly label: string; readonly version?: string };
  readonly runs: number;
  readonly ranks: readonly number[];
  readonly locations: number;
  readonly contexts: number;
  readonly functions: number;
  /** Whether any frame has a load module. */
  readonly hasModules: boolean;
  /** Share of the default metric that the kernel and libraries have; absent: not known. */
  readonly foreignShare?: number;
  readonly records: number;
  readonly metrics: readonly MetricInfo[];
  /** Index of `time`, else of the first metric that adds up; -1 where there is none. */
  readonly defaultMetric: number;
  /** The metric that a window starts with: the default one, unless a profile of the CPU beside it is what leads to the source. */
  readonly startingMetric: number;
  readonly globals: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly warnings: readonly Warning[];
  /** Measured overhead of the recording tool. Absent if it was not measured. */
  readonly recordingCost?: RecordingCost;
  /** What views must say is not there, each a sentence without a full stop: "no calling contexts in this recording". */
  readonly notRecorded: readonly string[];
  /** Calling contexts were not measured, but stand for a call graph (semantics 1, Call-graph formats). */
  readonly estimated: boolean;
  /** What values can be split by: kinds with two members or more. */
  readonly units: readonly {
    readonly by: LocationUnit;
    readonly members: readonly string[];
    /** Of hosts and runs: the ranks at each member. */
    readonly ranks?: readonly (readonly number[])[];
  }[];
  readonly locationCounts: { readonly ranks: number; readonly threads: number; readonly streams: number };
  /** What happened when, where the recording says so; counted with the profile. */
  readonly trace?: TraceOutline;
  /** Values by iteration or time step. */
  readonly series: readonly SeriesInfo[];
  /** Machines, processes, streams, containers: how many of each type, in the order of the recording. */
  readonly resources: readonly { readonly type: string; readonly count: number }[];
  readonly hierarchies: readonly Hierarchy[];
  /** Of an ensemble: its runs, as members of the kind `run` are numbered. */
  readonly ensemble?: EnsembleMembers;
  readonly recordedAt?: number;
  /** From the first byte read to the data set ready. */
  readonly seconds: number;
  /** The engine's own account of its array buffers, without columns of events that are made later. */
  readonly bytes: number;
}
