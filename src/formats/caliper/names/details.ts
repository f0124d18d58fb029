/** What an attribute says beside measurements, regions, places and samples: of events, iterations, messages and devices. */
import { PER_SECOND } from "../../timeUnits";
export type Detail =
  | { readonly kind: "event"; readonly phase: EventPhase; readonly of: string }
  /** Number of an iteration, of a block of them, or of a time step: see {@link IterationRank}. */
  | { readonly kind: "iteration"; readonly loop: string; readonly rank: IterationRank }
  | { readonly kind: "clock"; readonly perSecond: number }
  /** A number of a message, a transfer or the end of an event. */
  | { readonly kind: "number"; readonly field: NumberField }
  /** A point in time on a device's clock, which may be nanoseconds since 1970: more digits than a double has. */
  | { readonly kind: "deviceTime"; readonly field: "start" | "end" }
  | { readonly kind: "text"; readonly field: TextField };

export type EventPhase = "begin" | "end" | "set";

/** Of iteration numbers in one record only those of the lowest rank make series: a block of iterations ends in one of them. */
export type IterationRank = 0 | 1 | 2 | 3;

/** Series whose loop the records do not name themselves. */
export const BLOCKS = "loop.start_iteration";
export const TIME_STEPS = "timeseries.snapshot";

const NUMBERS = {
  "mpi.msg.dst": "destination",
  "mpi.msg.src": "source",
  "mpi.msg.tag": "tag",
  "mpi.msg.size": "messageBytes",
  "cupti.memcpy.bytes": "movedBytes",
  "cupti.uvm.bytes": "movedBytes",
  "rocm.activity.bytes": "movedBytes",
  "rocm.bytes": "movedBytes",
  "time.inclusive.duration.ns": "inclusiveNanoseconds",
} as const;
export type NumberField = (typeof NUMBERS)[keyof typeof NUMBERS];

const TEXTS = {
  "mpi.comm": "communicator",
  "mpi.comm.is_world": "isWorld",
  "cupti.activity.kind": "activity",
  "cupti.kernel.name": "kernel",
  "cupti.memcpy.kind": "memcpy",
  "cupti.uvm.kind": "uvm",
  "cupti.device.uuid": "device",
  "cupti.starttime": "deviceStart",
  "rocm.activity": "operation",
  "rocm.kernel.name": "kernel",
  "rocm.agent": "device",
  "rocm.activity.device": "device",
} as const;
export type TextField = (typeof TEXTS)[keyof typeof TEXTS];

const DETAILS: ReadonlyMap<string, Detail> = new Map<string, Detail>([
  ...Object.entries(NUMBERS).map(([name, field]): [string, Detail] => [name, { kind: "number", field }]),
  ...Object.entries(TEXTS).map(([name, field]): [string, Detail] => [name, { kind: "text", field }]),
  ["cupti.activity.start", { kind: "deviceTime", field: "start" }],
  ["cupti.activity.end", { kind: "deviceTime", field: "end" }],
  ["rocm.starttime", { kind: "deviceTime", field: "start" }],
  ["rocm.endtime", { kind: "deviceTime", field: "end" }],
  [BLOCKS, { kind: "iteration", loop: BLOCKS, rank: 0 }],
  ["block", { kind: "iteration", loop: "block", rank: 2 }],
  [TIME_STEPS, { kind: "iteration", loop: TIME_STEPS, rank: 3 }],
]);

/** @param unit of the attribute, where its metadata tells */
export function detailOf(name: string, unit: string | undefined): Detail | undefined {
  const event = /^event\.(begin|end|set)#([^]+)$/.exec(name);
  if (event) return { kind: "event", phase: event[1] as EventPhase, of: event[2] };
  if (name.startsWith("iteration#")) return { kind: "iteration", loop: name.slice("iteration#".length), rank: 1 };
  // Before 2.10 the clock had no `.ns` in its name, and counted microseconds unless it says otherwise.
  if (name === "time.offset.ns") return { kind: "clock", perSecond: 1e9 };
  if (name === "time.offset") return { kind: "clock", perSecond: PER_SECOND.get(unit ?? "") ?? 1e6 };
  return DETAILS.get(name);
}
