import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { durationBins, nextOccurrence, occurrences } from "../../../../src/engine/traces/occurrences";
import { quietTask } from "../../../../src/model/task";
import { naiveTrace } from "../../formats/trace/naiveTrace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { namedFrames, toldTrace } from "./toldTraces";

describe("occurrences of a function", () => {
  it("are all of its events, the longest first, and each leads to the next and the one before", async () => {
    const frames = namedFrames();
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.nat(6), async (told, most) => {
        const { trace } = await toldTrace(told);
        const states = eventStates({ frames } as never, trace);
        const naive = naiveTrace(told).lanes;
        const lanes = naive.map((_, lane) => lane);
        const stateOf = ({ frame, category }: { readonly frame: number; readonly category: number }) =>
          states.of[trace.states.frame.findIndex((f, at) => f === frame && trace.states.category[at] === category)];
        for (const state of states.states.keys()) {
          const all = naive
            .flatMap(({ events }, lane) => events.map((event, at) => ({ ...event, lane, event: at })))
            .filter((event) => stateOf(event) === state)
            .sort((a, b) => a.start - b.start || a.lane - b.lane || a.event - b.event);
          const found = await occurrences(trace, states, { state, lanes, most }, quietTask);
          const lengths = all.map(({ start, end }) => end - start);
          expect(found.count).toBe(all.length);
          expect(found.totalSeconds).toBe(lengths.reduce((sum, one) => sum + one, 0));
          expect(found.bins).toEqual(durationBins(Float64Array.from(lengths)));
          // A stable sort: of equal ones the earliest.
          const longest = [...all].sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, most);
          expect(Array.from(found.longest.event, (event, at) => [found.longest.lane[at], event])).toEqual(
            longest.map(({ lane, event }) => [lane, event]),
          );
          for (const [at, { lane, event }] of all.entries())
            for (const isBackwards of [false, true]) {
              const to = all[at + (isBackwards ? -1 : 1)] as (typeof all)[number] | undefined;
              const next = await nextOccurrence(trace, states, { state, lanes, lane, event, isBackwards }, quietTask);
              expect(next && [next.lane, next.event]).toEqual(to && [to.lane, to.event]);
            }
        }
        await trace.close();
      }),
      { numRuns: casesOf(100) },
    );
  });
});

describe("bins of lengths", () => {
  it("have every length once, between its edges; by factors where lengths span more than two decades", () => {
    const length = fc.oneof(
      fc.double({ min: 0, max: 2, noNaN: true }),
      fc.constantFrom(0, 1),
      fc.double({ min: 1e-9, max: 1e3, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(length, { maxLength: 60 }), (lengths) => {
        const { edges, counts, isLog, instants } = durationBins(Float64Array.from(lengths));
        const positive = lengths.filter((one) => one > 0);
        expect(isLog).toBe(positive.length > 0 && Math.max(...positive) > 100 * Math.min(...positive));
        expect(instants).toBe(isLog ? lengths.length - positive.length : 0);
        const binned = isLog ? positive : lengths;
        const expected = Array.from(counts, (_, bin) => {
          const isLast = bin === counts.length - 1;
          // Below the first edge and beyond the last there may be what rounding leaves.
          return binned.filter((one) => (bin === 0 || one >= edges[bin]) && (isLast || one < edges[bin + 1])).length;
        });
        expect([...counts]).toEqual(expected);
        expect(counts.reduce((sum, one) => sum + one, 0)).toBe(binned.length);
      }),
    );
  });
});
