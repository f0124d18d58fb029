import type { RecordingCost } from "./recordingCost";
import type { CallGraph } from "./callGraph";
import type { ColumnFiles } from "./columnFile";
import type { ContextTree } from "./contextTree";
import type { FrameTable } from "./frames";
import type { Location } from "./locations";
import type { ReadInnermost } from "./innermost";
import type { Metric } from "./metrics";
import type { StateColors } from "./stateColors";
import type { Topology } from "./resources";
import type { Series } from "./series";
import type { Task } from "./task";
import type { Trace, TraceOutline } from "./trace";
import type { SparseValues } from "./values";
import type { Warning } from "./warning";

export type { Warning } from "./warning";

/** Copies of source files that lie inside a recording (an HPCToolkit database's `src`): the last resort of source links. */
export interface SourceCopies {
  /** Absolute path of the folder that holds them; nothing outside it is opened. */
  readonly folder: string;
  /** Recorded path → absolute path of its copy. */
  readonly files: ReadonlyMap<string, string>;
}

/** Which frames make the tree where a recording has regions and sampled call paths (semantics 1, Samples). */
export type Hierarchy = "combined" | "regions" | "callPaths";

/** Frames side by side without a name, which are one context. */
export interface NamelessFrames {
  /** Address of the innermost frame that most samples have. */
  readonly address: number;
  /** Maximum number of frames of a run with that address. */
  readonly frames: number;
}

/** One recording, decoded: what every view and command is computed from. Columns only, no object per context. */
export interface DataSet {
  /** What lists show: the file's or folder's name. */
  readonly name: string;
  /** Absolute paths of the files it came from. */
  readonly files: readonly string[];
  readonly format: { readonly id: string; readonly label: string; readonly version?: string };
  readonly frames: FrameTable;
  readonly tree: ContextTree;
  readonly locations: readonly Location[];
  readonly metrics: readonly Metric[];
  /** The metric that a window starts with, where it is another one than the command line's `time`: index into `metrics`. */
  readonly startingMetric?: number;
  /** Exclusive values, one matrix per metric, in the order of `metrics`. */
  readonly values: readonly SparseValues[];
  /** Metadata of the run, in the recording's order; several values where several files differ. */
  readonly globals: ReadonlyMap<string, readonly string[]>;
  readonly warnings: readonly Warning[];
  /** Hierarchies that this recording can be opened with; the first is the one it has now. */
  readonly hierarchies: readonly Hierarchy[];
  /** When it was recorded, or else when its file was written: milliseconds since the epoch. */
  readonly recordedAt?: number;
  /** When the run began, where the recording says it: milliseconds since the epoch. */
  readonly startedAt?: number;
  /** Number of records (or samples, events) that were read: what "how much is in it" shows. */
  readonly records: number;
  /** What is known of events, messages, counters and transfers with the profile, where the recording has any. */
  readonly outline?: TraceOutline;
  /** These themselves, where their columns were made already: else {@link readTrace} makes them. */
  readonly trace?: Trace;
  /**
   * Makes the columns of the trace in a further pass over the recording.
   *
   * @throws FormatError where its files have changed since they were read
   */
  readonly readTrace?: (columnFiles: ColumnFiles, task: Task) => Promise<Trace>;
  /** Tells its states in a further pass that keeps nothing, where the format can. */
  readonly readInnermost?: ReadInnermost;
  /** The machine, processes and streams that lanes and messages belong to. */
  readonly topology?: Topology;
  /** Where the recording says what its states look like. */
  readonly stateColors?: StateColors;
  /** Frames that the tool knew no name of, by the context that stands for them. */
  readonly nameless?: ReadonlyMap<number, NamelessFrames>;
  /** Values by iteration or time step. */
  readonly series?: readonly Series[];
  /** Where the format measures functions and calls instead of contexts; `tree` and `values` are then estimated from it. */
  readonly callGraph?: CallGraph;
  /** Opened where no folder of source has the recorded file. */
  readonly sourceCopies?: SourceCopies;
  /** Measured overhead of the recording tool. Absent if it was not measured. */
  readonly recordingCost?: RecordingCost;
  /** What views must say is not there, each a sentence without a full stop: "no calling contexts in this recording". */
  readonly notRecorded?: readonly string[];
}
