/** What may be asked of a trace event by event. Times in seconds of the trace. */
import type { Chosen } from "../../model/members";
import type { MessageKind } from "../../model/trace";
import type { SourceLink } from "../../model/sourceLinks";
import type { GroupMap } from "../../supergraph/query";
import type { Target } from "../scope";

export interface TimelineOf {
  readonly dataSet: number;
  /** The user's table of kinds, by {@link TimelineState} in all answers. */
  readonly categories?: GroupMap;
}

export interface TimelineLane {
  readonly name: string;
  readonly kind: "intervals" | "instants";
  /** Index into {@link TimelineFacts.resources}; -1: none. */
  readonly resource: number;
  /** The restriction leaves what is recorded at it. */
  readonly isChosen: boolean;
  /** What numbers can be restricted to, to be of this lane; undefined: it is all of the recording, or no member of its own. */
  readonly members?: Chosen;
  readonly events: number;
  /** How many depths have rows. */
  readonly depths: number;
  /** The first of the {@link SHOWN_DEPTHS} neighbouring depths in which the lane's events are innermost for longest. */
  readonly busiestDepth: number;
  /** NaN without events. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** In which some event covers it, and in which the innermost one is communication. */
  readonly coveredSeconds: number;
  readonly communicationSeconds: number;
  /** A thread of a recording without ranks with less than 1 % of the busiest lane's covered time, or samples. */
  readonly isBrief: boolean;
}

/** What a lane is in: a function and what kind of work that is. */
export interface TimelineState {
  readonly name: string;
  /** Index into `eventKinds`. */
  readonly kind: number;
  /** The recording's own, 0xRRGGBB; absent: it has none. */
  readonly color?: number;
}

/** Iterations or phases of one sort. */
export interface PhaseSeries {
  /** What they are asked for by; the same whenever the recording is read. */
  readonly id: string;
  /** "iterations of timestep" */
  readonly name: string;
  readonly kind: "iterations" | "phases" | "regions" | "marks";
}

/** What stays the same wherever one looks. */
export interface TimelineFacts {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly events: number;
  readonly messages: number;
  readonly lanes: readonly TimelineLane[];
  /** Of the topology; parents before their children, -1: a root. */
  readonly resources: readonly { readonly name: string; readonly type: string; readonly parent: number }[];
  readonly states: readonly TimelineState[];
  /** All of them, by their innermost time in all lanes, most first. */
  readonly byTime: Int32Array;
  /** What lists and labels call functions, where that is not their whole name: shorter, and as people read mangled ones. */
  readonly shownNames: ReadonlyMap<string, string>;
  /** Sorts of iterations and phases that there are. */
  readonly phases: readonly PhaseSeries[];
  /** How many recorded counters the restriction leaves. */
  readonly counters: number;
  /** How many of them have values that differ. */
  readonly changingCounters: number;
}

/** Rows of a lane that are wanted: so many depths from one on. */
export interface TimelineRows {
  readonly lane: number;
  readonly firstDepth: number;
  readonly depths: number;
}

export interface TimelineQuery extends TimelineOf {
  /** Every depth a row, or one row of what is innermost. */
  readonly look: "depth" | "state";
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Of one pixel. */
  readonly pixelSeconds: number;
  readonly lanes: readonly TimelineRows[];
  /** 20,000 unless said: steps are doubled until there are no more. */
  readonly mostMarks?: number;
}

/**
 * What is drawn, row by row, by ascending start. An event of a step or longer is a mark. Shorter ones are a cluster, as long as they follow
 * each other without a longer one between them, begin in one block of 64 steps, and less than a step passes between the end of what
 * began in one step and the start of what begins in another one, with the same main state in each step.
 */
export interface TimelineMarks {
  /** A power of two, at least two pixels. */
  readonly stepSeconds: number;
  /** What is here: whole blocks. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly count: number;
  readonly lane: Int32Array;
  /** 0 where one looks at what is innermost. */
  readonly depth: Int32Array;
  /** From the first event's start to the last end, also outside of the window. */
  readonly startSeconds: Float64Array;
  readonly endSeconds: Float64Array;
  /** 1: an event by itself. Of what is innermost, stretches in which one event is. */
  readonly events: Int32Array;
  /** Number of the first of them in its lane. */
  readonly event: Int32Array;
  /** With most time, of equal ones with most events, of those the first by name: index into the states. */
  readonly state: Int32Array;
  /** Its part of the events' time, 1 where they have none. */
  readonly share: Float64Array;
}

/** One event. */
export interface TimelineEvent {
  readonly name: string;
  /** Index into the states. */
  readonly state: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly depth: number;
  /** The recording's own word. */
  readonly category: string;
  /** Names from the outermost caller down, without the event's own; empty where no calling context is recorded. */
  readonly callers: readonly string[];
  /** Undefined where neither its context nor its function is in the profile. */
  readonly target: Target | undefined;
  readonly link: SourceLink | undefined;
}

/** A function in a window. */
export interface TimelineSum {
  /** Index into the states. */
  readonly state: number;
  /** In which its events were innermost, of the window alone. */
  readonly exclusiveSeconds: number;
  /** Seconds of the window in which any of its events is open. */
  readonly inclusiveSeconds: number;
  /** Events that begin in the window, and how long these are; NaN where none does. */
  readonly count: number;
  readonly shortestSeconds: number;
  readonly meanSeconds: number;
  readonly longestSeconds: number;
  /** Where the longest of them is, the first of equal ones; where none begins in the window, one that runs in it. */
  readonly lane: number;
  readonly event: number;
}

export interface TimelineSums {
  readonly coveredSeconds: number;
  /** Most exclusive time first. */
  readonly rows: readonly TimelineSum[];
}

/** Where the cause of a wait is, or why none is known, a part of a sentence. */
export type TimelineCause =
  | {
      readonly kind: "late sender" | "transfer" | "last rank";
      readonly lane: number;
      /** The call that sent, or the last rank's; NONE where no event is recorded there. */
      readonly event: number;
      /** When that began. */
      readonly seconds: number;
      readonly waitedSeconds: number;
      readonly message?: { readonly sentSeconds: number; readonly receivedSeconds: number; readonly bytes: number };
    }
  | { readonly kind: "none"; readonly why: string };

/** Events of some functions, by ascending start. */
export interface TimelineFound {
  /** Of all lanes that were searched. */
  readonly count: number;
  /** Of the first ones from a moment on; where these are fewer than were wanted, the last ones before it, too. */
  readonly lane: Int32Array;
  readonly event: Int32Array;
  /** Rows of a lane: a view that shows only some of them has to show this one. */
  readonly depth: Int32Array;
  readonly startSeconds: Float64Array;
  readonly endSeconds: Float64Array;
}

export interface TimelineMessagesQuery {
  readonly dataSet: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Messages with a side in one of them. */
  readonly lanes: readonly number[];
  readonly leastBytes: number;
  /** So many, largest first. */
  readonly most: number;
}

/** Messages, flows and launches that are under way at some moment of a window, by ascending time of sending. */
export interface TimelineMessages {
  readonly count: number;
  /** NONE for a side that was not recorded or has no lane. */
  readonly fromLane: Int32Array;
  readonly toLane: Int32Array;
  /** NaN where that side was not recorded. */
  readonly sentSeconds: Float64Array;
  readonly receivedSeconds: Float64Array;
  readonly bytes: Float64Array;
  /** Index into `messageKinds`. */
  readonly kind: Uint8Array;
  /** Of the window and these lanes; how many of them are left out, being smaller. */
  readonly total: number;
  readonly hidden: number;
}

export type TimelineMessageKind = MessageKind;

export interface TimelineStripQuery extends TimelineOf {
  readonly columns: number;
  readonly rows: number;
}

/** The whole trace as a small picture. */
export interface TimelineStrip {
  readonly rows: number;
  readonly lanesPerRow: number;
  /** Row by row: 1 + the kind with most time; 0 where most of the time of the row's lanes is uncovered. */
  readonly kind: Uint8Array;
}
