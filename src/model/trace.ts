/**
 * What happened when: lanes of events, messages, counters and data transfers, on one clock.
 *
 * Times are seconds since the trace's own zero. Columns that a window needs lie in a cache file and are read back by lane and
 * range; in memory stay the levels of detail (semantics 8).
 */

import type { Task } from "./task";

/**
 * What the tool says that a category of events is, whatever it calls it. "compute" and "other" say nothing that an event's name could
 * not say better; `eventKinds.ts` has what all views show.
 */
export const categoryKinds = [
  "compute",
  "gpuCompute",
  "transfer",
  "runtime",
  "communication",
  "synchronization",
  "io",
  "idle",
  "other",
] as const;
export type CategoryKind = (typeof categoryKinds)[number];

export interface Category {
  /** The recording's own word (`gpu_memcpy`), or its state or event type. */
  readonly name: string;
  readonly kind: CategoryKind;
}

/** Where events follow one another or nest: a thread, a GPU stream, the states of one type of a container. */
export interface Lane {
  /** Complete by itself: `rank 3`, `rank 3, thread 1`, `GPU 0, stream 7`, `host1: PROCESS_STATE`. */
  readonly name: string;
  /** Index into the topology's resources, NONE where there is none. */
  readonly resource: number;
  /** Index into the data set's locations, NONE where the lane is no location. */
  readonly location: number;
  /** Instants have no duration: samples, marks, Paje events. */
  readonly kind: "intervals" | "instants";
  readonly events: number;
  /** From the first event's start to the last end, in seconds of the trace; NaN without events. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Time that some event covers, each moment once. */
  readonly coveredSeconds: number;
}

/** Some events of one lane, by ascending start; of equal starts the longer (enclosing) one first. */
export interface EventColumns {
  readonly count: number;
  readonly startSeconds: Float64Array;
  /** Equal to the start for instants; the end of the trace for events that were never finished. */
  readonly endSeconds: Float64Array;
  /** Frame of each event: its name, and its file and line where recorded. */
  readonly frame: Int32Array;
  /** Calling context, NONE where the recording has none. */
  readonly context: Int32Array;
  /** Number of events of the lane that are open when this one begins: its place on the path (semantics 8). */
  readonly depth: Uint16Array;
  /** Index into the trace's categories. */
  readonly category: Uint8Array;
}

/**
 * Why two places are joined: a message, a flow arrow of the trace, a runtime call and the GPU activity it started. What a rank gave to a
 * collective goes to nobody in particular, and has a sender and a time of sending alone.
 */
export const messageKinds = ["message", "flow", "launch", "collective"] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Whether it is drawn as an arrow that is no message. */
export function isArrow(kind: MessageKind | undefined): boolean {
  return kind === "flow" || kind === "launch";
}

/** Some messages, by ascending time of sending. */
export interface MessageColumns {
  readonly count: number;
  /** Resources of sender and receiver, NONE where only the other side was recorded. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** NaN where that side was not recorded. */
  readonly sentSeconds: Float64Array;
  readonly receivedSeconds: Float64Array;
  /** NaN if no size was recorded. */
  readonly bytes: Float64Array;
  /** NONE where there is none. */
  readonly tag: Int32Array;
  /** Index into {@link messageKinds}. */
  readonly kind: Uint8Array;
}

/** A quantity over time, a step function. */
export interface Counter {
  readonly name: string;
  readonly unit: string;
  /** A total so far: what is shown of it is its rate between points, and a fall restarts it at 0 (semantics 9). */
  readonly grows?: true;
  readonly resource: number;
  readonly points: number;
  readonly minimum: number;
  readonly maximum: number;
}

export interface CounterPoints {
  readonly count: number;
  readonly seconds: Float64Array;
  readonly value: Float64Array;
}

/** Some data transfers and memory operations of devices, by ascending start. */
export interface TransferColumns {
  readonly count: number;
  readonly lane: Int32Array;
  readonly startSeconds: Float64Array;
  readonly endSeconds: Float64Array;
  readonly bytes: Float64Array;
  /** Index into the trace's transfer directions: `HtoD`, `DtoH`, `DtoD`, `PtoP`, `memset`, `pagefaults.gpu`. */
  readonly direction: Uint8Array;
  /** Device numbers of the tool, NONE for the host. */
  readonly fromDevice: Int32Array;
  readonly toDevice: Int32Array;
  /** Bytes per second as the tool says; NaN where it does not. */
  readonly bandwidth: Float64Array;
  readonly frame: Int32Array;
  /** Calling context, NONE where there is none. */
  readonly context: Int32Array;
}

/**
 * One lane at a coarser resolution: time of the innermost events by bin and state. Bin b covers
 * `startSeconds + b · binSeconds` up to the next; its cells are `rowStart[b] … rowStart[b + 1] - 1`.
 */
export interface LaneLevel {
  readonly startSeconds: number;
  readonly binSeconds: number;
  readonly bins: number;
  readonly rowStart: Int32Array;
  /** Index into {@link TraceStates}. */
  readonly state: Int32Array;
  readonly seconds: Float64Array;
}

/**
 * Events of one row of a lane at one resolution (`formats/trace/spanRow.ts` says which events are one span), by ascending start. The
 * states of a span are its cells `cellsAt[span] … cellsAt[span + 1] - 1`. Columns may be longer than what counts.
 */
export interface SpanColumns {
  /** The step is 2^exponent seconds. */
  readonly exponent: number;
  readonly count: number;
  /** From the first event's start to the last end. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly events: Int32Array;
  /** Number of the first event in its lane. */
  readonly first: Int32Array;
  readonly cellsAt: Int32Array;
  /** Index into {@link TraceStates}. */
  readonly state: Int32Array;
  readonly seconds: Float64Array;
  readonly cellEvents: Int32Array;
}

/** The row of a lane in which each stretch of time is the innermost event's; depths are rows of their own, from 0 on. */
export const INNERMOST = -1;

/** What a lane was in: frames with the categories that their events have. */
export interface TraceStates {
  readonly frame: Int32Array;
  readonly category: Uint8Array;
}

/** A lane's depths. */
export interface LaneDepths {
  /** How many have a row; events that lie deeper have none. */
  readonly rows: number;
  /** Seconds in which the innermost event was at each of them. */
  readonly innermost: Float64Array;
  /** Whether some event of the lane ends after an event that it began in. */
  readonly hasCrossed: boolean;
}

/**
 * Whether device operations of this kind are transfers: copies and migrations are. Memory sets and page faults are kinds of their
 * own, whose bytes are none moved (semantics 9, Categories).
 */
export function isTransfer(direction: string): boolean {
  return !/^(?:mem(?:ory_)?set|pagefaults|thrashing|throttling)/i.test(direction);
}

/** What a trace is made of: known with the profile, before columns are made. Times in seconds of the trace. */
export interface TraceOutline {
  readonly lanes: number;
  readonly events: number;
  /** There are events, and all are samples or marks: none lasts. */
  readonly instantsOnly?: true;
  /** The trace's zero on the recording's own clock; absent if it is 0. */
  readonly zeroSeconds?: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly categories: number;
  readonly counters: number;
  /** Of counters, each once, by name. */
  readonly counterNames: readonly string[];
  /** As in {@link Trace}. */
  readonly messages: { readonly count: number; readonly bytes: number };
  readonly arrows: number;
  readonly links: number;
  readonly transfers: {
    /** Of copies and migrations; so are the bytes. */
    readonly count: number;
    readonly bytes: number;
    /** All kinds, heaviest first; see {@link isTransfer}. */
    readonly directions: readonly { readonly name: string; readonly count: number; readonly bytes: number }[];
  };
}

/** Whether lines may have moved data: by messages, collectives, transfers, or what devices do with memory. */
export function hasMovement({
  links,
  arrows,
  transfers,
}: Pick<TraceOutline, "links" | "arrows" | "transfers">): boolean {
  return links > arrows || transfers.directions.length > 0;
}

/** What devices do with memory beside transfers: kinds of their own, heaviest first. */
export function otherKinds({ transfers }: TraceOutline): TraceOutline["transfers"]["directions"] {
  return transfers.directions.filter(({ name }) => !isTransfer(name));
}

export interface Trace {
  /** The trace's zero in nanoseconds since the epoch; undefined where the clock is not a wall clock. */
  readonly zeroNanoseconds?: bigint;
  /**
   * `separate` if each rank has a clock with an unknown zero, so that times of different ranks cannot be compared; absent if all lanes
   * have one clock.
   */
  readonly clocks?: "separate";
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly lanes: readonly Lane[];
  readonly categories: readonly Category[];
  /** By category: how many events, and the seconds in which the innermost event was one of them, over all lanes. */
  readonly categoryUse: readonly { readonly events: number; readonly seconds: number }[];
  readonly counters: readonly Counter[];
  readonly transferDirections: readonly string[];
  /** Over all lanes. */
  readonly events: number;
  /** Messages whose sending was recorded, and their bytes; not receives without a sender. */
  readonly messages: { readonly count: number; readonly bytes: number };
  /** Flows and launches. */
  readonly arrows: number;
  /** Rows of {@link readMessages}: messages, receives without a sender, flows, launches and collectives. */
  readonly links: number;
  readonly transfers: number;
  /** Bytes that stay in memory. */
  readonly bytes: number;

  /** @returns the events `first … first + count - 1` of a lane, fewer at its end */
  readEvents(lane: number, first: number, count: number): Promise<EventColumns>;
  /**
   * Time of a lane's innermost events in a window, piece by piece in ascending order, with the calling context of the path that is open
   * then (semantics 8). Pieces may reach beyond the window. Undefined if events were recorded with their contexts.
   */
  contextTimes?(
    lane: number,
    fromSeconds: number,
    toSeconds: number,
    take: (frame: number, category: number, fromSeconds: number, toSeconds: number, context: number) => void,
    task: Pick<Task, "check">,
  ): Promise<void>;
  /**
   * Index of the lane's first event that starts at or after this time; with `covering`, of the first one that may still be
   * running then (an enclosing one at most).
   */
  eventAt(lane: number, seconds: number, covering?: boolean): Promise<number>;
  readMessages(first: number, count: number): Promise<MessageColumns>;
  readTransfers(first: number, count: number): Promise<TransferColumns>;
  readCounter(counter: number, first: number, count: number): Promise<CounterPoints>;
  /** Innermost time by state over the whole lane, heaviest first. */
  stateSeconds(lane: number): { readonly state: Int32Array; readonly seconds: Float64Array };
  /** The finest level of a lane whose bins are at least `binSeconds` wide, else its coarsest one; undefined without events. */
  level(lane: number, binSeconds: number): LaneLevel | undefined;
  readonly states: TraceStates;
  depths(lane: number): LaneDepths;
  /**
   * Rows of a lane (depths, or {@link INNERMOST}) at a resolution of 2^exponent seconds: the spans that begin from `fromSeconds` until
   * `toSeconds`, both multiples of the step, and those of a step or longer that began before and still run at `fromSeconds`.
   */
  spans(
    lane: number,
    rows: readonly number[],
    fromSeconds: number,
    toSeconds: number,
    exponent: number,
    task?: Pick<Task, "check">,
  ): Promise<readonly SpanColumns[]>;
  /** Gives back memory and removes the cache file. */
  close(): Promise<void>;
}
