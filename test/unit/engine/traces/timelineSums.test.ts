import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { runningEvents } from "../../../../src/engine/traces/runningEvents";
import { timelineSums } from "../../../../src/engine/traces/timelineSums";
import { quietTask } from "../../../../src/model/task";
import { stretches } from "../../formats/trace/naiveSpans";
import { type NaiveEvent, naiveTrace } from "../../formats/trace/naiveTrace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { namedFrames, toldTrace } from "./toldTraces";

// Times of the traces are quarters of a second: windows begin and end at them, and between them.
const edge = fc.integer({ min: -4, max: 120 }).map((eighth) => eighth / 8);

/** Time of a window in which some event of a function is open. */
function inclusiveOf(
  events: readonly NaiveEvent[],
  isOf: (event: NaiveEvent) => boolean,
  from: number,
  to: number,
): number {
  const own = events.filter(isOf);
  const times = [...new Set(own.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  return times.slice(1).reduce((sum, until, at) => {
    const isOpen = own.some(({ start, end }) => start <= times[at] && end >= until);
    return isOpen ? sum + Math.max(0, Math.min(until, to) - Math.max(times[at], from)) : sum;
  }, 0);
}

describe("sums of a window", () => {
  it("are those of the events, cut at its edges", async () => {
    const frames = namedFrames();
    await fc.assert(
      fc.asyncProperty(toldFiles, edge, edge, async (told, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const { trace } = await toldTrace(told);
        // What begins with the run's last moment is part of a window that ends there.
        const until = to >= trace.endSeconds ? Number.POSITIVE_INFINITY : to;
        const states = eventStates({ frames } as never, trace);
        const naive = naiveTrace(told).lanes;
        const lanes = naive.map((_, lane) => lane);
        const { rows, coveredSeconds } = await timelineSums(
          trace,
          states,
          { lanes, fromSeconds: from, toSeconds: to },
          quietTask,
        );
        const nameOf = ({ frame, category }: Pick<NaiveEvent, "frame" | "category">) => {
          const at = trace.states.frame.findIndex(
            (known, state) => known === frame && trace.states.category[state] === category,
          );
          return states.of[at];
        };
        const expected = states.states.flatMap((_, state) => {
          const isOf = (event: NaiveEvent) => nameOf(event) === state;
          const exclusive = naive.flatMap(({ events }) =>
            stretches(events).flatMap((piece) =>
              isOf(piece.event) ? [Math.max(0, Math.min(piece.end, to) - Math.max(piece.start, from))] : [],
            ),
          );
          const begun = naive.flatMap(({ events }) =>
            events.filter((event) => isOf(event) && event.start >= from && event.start < until),
          );
          const lengths = begun.map(({ start, end }) => end - start);
          const inclusive = naive.reduce((sum, { events }) => sum + inclusiveOf(events, isOf, from, to), 0);
          if (begun.length === 0 && inclusive === 0) return [];
          const running = naive.flatMap(({ events }, lane) =>
            events.flatMap((event, at) =>
              isOf(event) && event.start < until && (event.end > from || event.start >= from)
                ? [{ lane, event: at, length: event.start >= from ? event.end - event.start : -1 }]
                : [],
            ),
          );
          const { lane, event } = running.reduce((long, one) => (one.length > long.length ? one : long));
          return [
            {
              state,
              exclusiveSeconds: exclusive.reduce((sum, part) => sum + part, 0),
              inclusiveSeconds: inclusive,
              count: begun.length,
              shortestSeconds: lengths.length > 0 ? Math.min(...lengths) : Number.NaN,
              meanSeconds: lengths.reduce((sum, length) => sum + length, 0) / lengths.length,
              longestSeconds: lengths.length > 0 ? Math.max(...lengths) : Number.NaN,
              lane,
              event,
            },
          ];
        });
        expect([...rows].sort((a, b) => a.state - b.state)).toEqual(expected);
        expect(coveredSeconds).toBe(expected.reduce((sum, { exclusiveSeconds }) => sum + exclusiveSeconds, 0));
        await trace.close();
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("over the parts of a run are those of the run: times and counts", async () => {
    const frames = namedFrames();
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.uniqueArray(edge, { maxLength: 5 }), async (told, cuts) => {
        const { trace } = await toldTrace(told);
        const states = eventStates({ frames } as never, trace);
        const lanes = trace.lanes.map((_, lane) => lane);
        // Behind the end, so that what begins with the last moment counts.
        const inner = cuts.filter((cut) => cut < trace.endSeconds).sort((a, b) => a - b);
        const edges = [-10, ...inner, 100];
        const sumsOf = async (fromSeconds: number, toSeconds: number) =>
          (await timelineSums(trace, states, { lanes, fromSeconds, toSeconds }, quietTask)).rows;
        const parts = [];
        for (let at = 0; at + 1 < edges.length; at++) parts.push(...(await sumsOf(edges[at], edges[at + 1])));
        for (const whole of await sumsOf(-10, 100)) {
          const own = parts.filter(({ state }) => state === whole.state);
          const total = (key: "exclusiveSeconds" | "inclusiveSeconds" | "count") =>
            own.reduce((sum, row) => sum + row[key], 0);
          expect([total("exclusiveSeconds"), total("inclusiveSeconds"), total("count")]).toEqual([
            whole.exclusiveSeconds,
            whole.inclusiveSeconds,
            whole.count,
          ]);
        }
        await trace.close();
      }),
      { numRuns: casesOf(200) },
    );
  });
});

describe("what runs at a moment", () => {
  it("is every event that has begun and not ended", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, edge, async (told, seconds) => {
        const { trace } = await toldTrace(told);
        for (const [lane, { events }] of naiveTrace(told).lanes.entries()) {
          const running = events.flatMap(({ start, end }, event) => (start <= seconds && end > seconds ? [event] : []));
          expect(await runningEvents(trace, lane, seconds, quietTask)).toEqual(running);
        }
        await trace.close();
      }),
      { numRuns: casesOf(200) },
    );
  });
});
