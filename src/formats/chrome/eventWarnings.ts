import type { Warning } from "../../model/dataSet";
import { countedWarnings } from "../warnings";
import { MAX_TIME_US, type TraceEvents } from "./decode/traceEvents";

/** What a user should know about events that are not as they should be, one sentence per kind. */
export function eventWarnings({ oddities, flows, counters }: TraceEvents, file: string, isKineto: boolean): Warning[] {
  const said: [number, string, string][] = [
    [
      oddities.withoutPhase,
      "events do not say what they are (ph): they were left out",
      "event does not say what it is (ph): it was left out",
    ],
    [oddities.withoutTime, "events have no time stamp: they were left out", "event has no time stamp: it was left out"],
    [
      oddities.tooLate,
      `events have a time stamp above ${MAX_TIME_US} µs, too large to be exact: they were left out, and no metric contains their time. The tool may have written nanoseconds instead of microseconds`,
      `event has a time stamp above ${MAX_TIME_US} µs, too large to be exact: it was left out, and no metric contains its time. The tool may have written nanoseconds instead of microseconds`,
    ],
    [
      oddities.negative,
      "events have a duration that is negative or beyond all bounds: they are shown without one",
      "event has a duration that is negative or beyond all bounds: it is shown without one",
    ],
    [
      oddities.summaries,
      'events are sums over the others ("Total …", of clang): they were left out',
      'event is a sum over the others ("Total …", of clang): it was left out',
    ],
    [
      oddities.unfinished,
      "events were never ended: they last to the end of the recording",
      "event was never ended: it lasts to the end of the recording",
    ],
    [
      oddities.unmatched,
      "ends belong to no beginning that is open: they were left out",
      "end belongs to no beginning that is open: it was left out",
    ],
    [
      oddities.notShown,
      "events are of kinds that are not shown (object snapshots, memory dumps)",
      "event is of a kind that is not shown (object snapshots, memory dumps)",
    ],
    [
      counters.leftOut,
      "values are of counters beyond the first 10,000: they were left out",
      "value is of a counter beyond the first 10,000: it was left out",
    ],
    // Kineto's arrows have ends without starts by design.
    [
      isKineto ? 0 : flows.unfinished + flows.leftOut,
      "ends of arrows have no other end: these arrows are not shown",
      "end of an arrow has no other end: this arrow is not shown",
    ],
  ];
  return countedWarnings(file, said);
}
