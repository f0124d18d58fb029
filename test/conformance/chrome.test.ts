import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet } from "../../src/model/dataSet";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const folder = path.join(shared ?? "", "data/other/chrome-trace");

/**
 * What each recording holds, written by hand from its content: events in the order of their lanes, each as
 * `name start-end depth` in µs, and what a reader must be told. A thread with another number than 0 stands before its events.
 */
const expected: Readonly<Record<string, { events: string; warnings?: readonly RegExp[] }>> = {
  "bex-interaction": {
    // Equal times: what stands first in the file is around what follows; a longer event is around a shorter one.
    events:
      "A 0-2 0, B 0-2 1, C 10-12 0, D 10-12 1, F 20-22 0, E 20-21 1, G 30-32 0, H 30-31 1, J 40-42 0, I 41-42 1, K 50-52 0, L 51-52 1",
  },
  "end-event-with-empty-stack": { events: "alpha 0-1 0", warnings: [/^1 end belongs to no beginning/] },
  "end-non-top-of-stack": {
    // A's end comes while B is open: A ends, B never does.
    events: "A 0-10 0, B 1-11 1, Z 10-11 1",
    warnings: [/^1 event was never ended/],
  },
  "event-reordering-name-match": { events: "1: alpha 0-10 0, beta 1-2 1, gamma 1-2 2" },
  "hermes-multiple-frames": { events: "[root] 0-14 0, beta 1-2 1, gamma 4-13 1, beta 4-10 2" },
  "invalid-x-nesting": { events: "alpha 0-10 0, beta 5-15 1" },
  "matching-x": { events: "alpha 0-10 0, beta 1-2 1, gamma 1-2 2, gamma 5-6 1, beta 5-6 2" },
  "mismatched-args": { events: "A 0-10 0" },
  "mismatched-name": {
    events: "alpha 0-10 0",
    warnings: [/^1 event was never ended/, /^1 end belongs to no beginning/],
  },
  "multi-thread-with-samples": {
    events:
      "mqt_js (1): mqt_js 0-0 0, mqt_js (1): marks: [root] 1941575-1941575 0, function1 1962345-1962345 0, [GC Young Gen] 1975671-1975671 0, 2: mqt_js 0-0 0, thread 2: marks: [root thread 2] 1941575-1941575 0, function3 1962345-1962345 0, function4 1975671-1975671 0, [root thread 2] 1985671-1985671 0, [root thread 2] 1995671-1995671 0",
  },
  multiprocess: {
    events:
      "p0, p0t0: alpha 0-1 0, p0, p0t1: beta 0-1 0, p1, p1t0: gamma 0-1 0, p1, p1t1: delta 0-1 0, process 2, p2t0: epsilon 0-1 0, process 2, p2t1: phi 0-1 0, p3, thread 0: zeta 0-1 0, p3, thread 1: eta 0-1 0",
  },
  "must-retain-original-order": {
    events: "1: A 0-3 0, B 0-2 1, C 0-1 2, A 4-7 0, B 5-7 1, C 6-7 2, X 7-10 0",
  },
  "not-enough-end-events": { events: "A 0-11 0, A 1-11 1, A 10-11 2", warnings: [/^2 events were never ended/] },
  "only-begin-events": { events: "A 0-2 0, B 1-2 1, C 2-2 0", warnings: [/^3 events were never ended/] },
  "out-of-order-unbalanced-name": { events: "alpha 0-9 0, beta 1-10 1" },
  "out-of-order": { events: "A 0-10 0, B 1-9 1, C 2-8 2" },
  "simple-hermes": { events: "[root] 0-14 0, beta 1-13 1" },
  "simple-object": { events: "alpha 0-14 0, beta 1-13 1, (unnamed) 7-11 2" },
  "simple-partial-trailing-comma": {
    events: "alpha 0-14 0, beta 1-13 1, gamma 2-7 2, epsilon 7-11 2",
    warnings: [/^the file ends early: the list is not closed/],
  },
  "simple-partial-whitespace": {
    events: "alpha 0-14 0, beta 1-13 1, gamma 2-7 2, epsilon 7-11 2",
    warnings: [/^the file ends early: the list is not closed/],
  },
  "simple-partial": {
    events: "alpha 0-14 0, beta 1-13 1, gamma 2-7 2, epsilon 7-11 2",
    warnings: [/^the file ends early: the list is not closed/],
  },
  "simple-with-samples": {
    events:
      "mqt_js (7695): marks: [root] 0-0 0, [root] 4440-4440 0, function1 20770-20770 0, function3 34096-34096 0, [root] 44701-44701 0, [GC Young Gen] 54710-54710 0, [GC Young Gen] 64710-64710 0",
  },
  simple: { events: "alpha 0-14 0, beta 1-13 1, gamma 2-7 2, epsilon 7-11 2" },
  "simultaneous-anonymous-calls": {
    events: "anonymous 0-5 0, anonymous 1-3 1, function1 1-3 2, anonymous 1-3 3, anonymous 3-5 1, anonymous 3-5 2",
  },
  "too-many-end-events": { events: "alpha 0-14 0, beta 1-13 1", warnings: [/^2 ends belong to no beginning/] },
  "unbalanced-args": { events: "A 0-10 0, A 1-9 1" },
  "unbalanced-name": { events: "alpha 0-9 0, beta 1-10 1" },
  "x-events-matching-end": {
    events:
      "alpha 0-20 0, beta 1-3 1, gamma 2-3 2, gamma 5-7 1, beta 6-7 2, beta 9-11 1, gamma 10-11 2, gamma 14-16 1, beta 15-16 2",
  },
  "x-events-matching-start": {
    events:
      "alpha 0-20 0, beta 1-3 1, gamma 1-2 2, gamma 5-7 1, beta 5-6 2, gamma 9-11 1, beta 9-10 2, beta 13-15 1, gamma 13-14 2",
  },
  "zero-duration-events": { events: "A 0-10 0, B 1-1 1, C 2-2 1, D 3-3 1" },
};

describe.skipIf(shared === undefined)("Chrome traces with odd events", () => {
  it.each(Object.entries(expected))("%s", async (name, { events, warnings = [] }) => {
    const [dataSet] = await openRecordings([path.join(folder, `${name}.json`)], {}, quietTask);
    expect(await eventText(dataSet)).toBe(events);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual(warnings.map((one) => expect.stringMatching(one)));
    noteConformance("Chrome trace", { recordings: 1, values: 3 * (dataSet.trace?.events ?? 0), largestDifference: 0 });
  });
});

async function eventText({ trace, frames }: DataSet): Promise<string> {
  const parts: string[] = [];
  for (const [index, lane] of (trace?.lanes ?? []).entries()) {
    const events = await trace?.readEvents(index, 0, lane.events);
    if (events === undefined) continue;
    const thread = lane.name === "thread 0" ? "" : `${lane.name.replace(/^thread (\d+)$/, "$1")}: `;
    for (let at = 0; at < events.count; at++) {
      const micro = (seconds: number) => Math.round(seconds * 1e9) / 1e3;
      const times = `${micro(events.startSeconds[at])}-${micro(events.endSeconds[at])}`;
      parts.push(`${at === 0 ? thread : ""}${frames.nameOf(events.frame[at])} ${times} ${events.depth[at]}`);
    }
  }
  return parts.join(", ");
}
