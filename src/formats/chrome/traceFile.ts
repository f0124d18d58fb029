import type { Warning } from "../../model/dataSet";
import type { ByteSource } from "../byteSource";
import type { TraceBuilder } from "../trace/traceBuilder";

/**
 * One trace file after reading: its events are in `sink`, and what else it says stands here. A reader of a tool that writes
 * further files (counters, topology) adds those to `sink` before it finishes the trace.
 */
export interface TraceFile {
  readonly source: Pick<ByteSource, "name" | "modifiedAt">;
  /** Resources, lanes, counters, messages and transfers may be added here until the trace is finished. */
  readonly sink: TraceBuilder;
  /** The clock's zero in nanoseconds since the epoch; undefined where the times of the file are no times of day. */
  readonly zeroNanoseconds: bigint | undefined;
  /** What its times count from, in nanoseconds since the epoch, where it says so. */
  readonly baseNanoseconds: bigint | undefined;
  /** Simple values of the file beside its events, by key; what is inside an object has the key `outer.inner`. */
  readonly globals: ReadonlyMap<string, string>;
  /** Properties of each GPU (`totalGlobalMem`, `numSms`), by the tool's device number. */
  readonly devices: ReadonlyMap<number, ReadonlyMap<string, string>>;
  /** The rank that wrote the file, and how many there were, where it says so. */
  readonly rank: number | undefined;
  readonly ranks: number | undefined;
  /** Number of events of the file, those included that are no event of a lane (metadata, flows). */
  readonly records: number;
  /** Events are named by categories as Kineto and DMTracker write them: kernels, transfers, runtime calls. */
  readonly isKineto: boolean;
  readonly warnings: readonly Warning[];
  /** The resource of a GPU by the tool's device number, made when it is new: where counters of a device belong. */
  gpu(device: number): number;
}
