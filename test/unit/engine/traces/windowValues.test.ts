import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventPart } from "../../../../src/engine/dataSets/openDataSet";
import { windowValues } from "../../../../src/engine/traces/windowValues";
import type { DataSet } from "../../../../src/model/dataSet";
import { type EventKind, eventKinds } from "../../../../src/model/eventKinds";
import { quietTask } from "../../../../src/model/task";
import { location } from "../../../../src/model/locations";
import type { Trace } from "../../../../src/model/trace";
import { stretches } from "../../formats/trace/naiveSpans";
import { naiveTrace } from "../../formats/trace/naiveTrace";
import { FRAMES, type Told, toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { FRAME_NAMES, namedFrames, toldTrace } from "./toldTraces";

const edge = fc.integer({ min: -4, max: 120 }).map((eighth) => eighth / 8);
const window = fc.tuple(edge, edge).map(([one, other]) => ({
  from: Math.min(one, other),
  to: Math.max(one, other) + 0.125,
}));

const dataSet = {
  frames: namedFrames(),
  tree: {
    size: FRAMES,
    parent: new Int32Array(FRAMES).fill(-1),
    frame: Int32Array.from({ length: FRAMES }, (_, context) => context),
    end: Int32Array.from({ length: FRAMES }, (_, context) => context + 1),
  },
  locations: [location({}), location({}), location({})],
} as unknown as DataSet;

/** What the names of the frames mean, written down by hand: their categories say nothing, and "init" is what the user says. */
const KIND_OF: Readonly<Record<string, EventKind>> = {
  solve: "computing",
  MPI_Wait: "communication",
  memcpy: "data movement",
  init: "I/O",
};
const named = { "I/O": ["init"] };

/** Seconds by context and location. */
type Sums = Map<string, number>;

/** Of innermost stretches that are found by looking at every event for every moment. */
function naiveSums(told: Told[], trace: Trace, { window: within, kinds }: EventPart): Sums {
  const { from, to } = within ?? { from: -Infinity, to: Infinity };
  const sums: Sums = new Map();
  for (const [lane, { events }] of naiveTrace(told).lanes.entries())
    for (const { start, end, event } of stretches(events)) {
      const seconds = Math.min(end, to) - Math.max(start, from);
      const isChosen = kinds === undefined || kinds.of.includes(KIND_OF[FRAME_NAMES[event.frame]]);
      // The first location has no parts: lanes that are no location are there.
      const key = `${event.context} ${Math.max(0, trace.lanes[lane].location)}`;
      if (seconds > 0 && event.context >= 0 && isChosen) sums.set(key, (sums.get(key) ?? 0) + seconds);
    }
  return sums;
}

async function sumsOf(trace: Trace, part: EventPart): Promise<Sums> {
  const { rowStart, column, value } = await windowValues(dataSet, trace, part, quietTask);
  const sums: Sums = new Map();
  for (let context = 0; context < FRAMES; context++)
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++) sums.set(`${context} ${column[at]}`, value[at]);
  return sums;
}

function added(all: readonly Sums[]): Sums {
  const sums: Sums = new Map();
  for (const one of all) for (const [key, seconds] of one) sums.set(key, (sums.get(key) ?? 0) + seconds);
  return sums;
}

const sorted = (sums: Sums) => [...sums].sort();

describe("the values of a window", () => {
  it("are the time in which events of each context were innermost in it, lane by lane", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, window, async (told, within) => {
        const { trace } = await toldTrace(told);
        const part = { window: within };
        expect(sorted(await sumsOf(trace, part))).toEqual(sorted(naiveSums(told, trace, part)));
        await trace.close();
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("are, of some kinds of work, those of events of these kinds, also of the whole run", async () => {
    const some = fc.subarray([...eventKinds], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.option(window, { nil: undefined }), some, async (told, within, of) => {
        const { trace } = await toldTrace(told);
        const part = { window: within, kinds: { of, named } };
        expect(sorted(await sumsOf(trace, part))).toEqual(sorted(naiveSums(told, trace, part)));
        await trace.close();
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("add up to the run's, window by window and kind by kind", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.array(edge, { maxLength: 5 }), async (told, inner) => {
        const { trace } = await toldTrace(told);
        // Eighths of seconds add up exactly, in any order.
        const run = sorted(await sumsOf(trace, {}));
        const cuts = [...new Set([-10, ...inner, 1000])].sort((a, b) => a - b);
        const windows = cuts.slice(1).map((to, at) => ({ window: { from: cuts[at], to } }));
        const ofWindows = await Promise.all(windows.map((part) => sumsOf(trace, part)));
        expect(sorted(added(ofWindows))).toEqual(run);
        const kinds = eventKinds.map((kind) => ({ kinds: { of: [kind], named } }));
        expect(sorted(added(await Promise.all(kinds.map((part) => sumsOf(trace, part)))))).toEqual(run);
        await trace.close();
      }),
      { numRuns: casesOf(200) },
    );
  });
});
