import fc from "fast-check";
import { expect, it } from "vitest";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { timelineFind } from "../../../../src/engine/traces/timelineFind";
import { quietTask } from "../../../../src/model/task";
import { naiveTrace } from "../../formats/trace/naiveTrace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { FRAME_NAMES, namedFrames, toldTrace } from "./toldTraces";

it("finds every event of functions, the first ones from a moment on, then the last ones before it", async () => {
  const frames = namedFrames();
  const moment = fc.integer({ min: -4, max: 120 }).map((eighth) => eighth / 8);
  await fc.assert(
    fc.asyncProperty(
      toldFiles,
      moment,
      fc.constantFrom(...FRAME_NAMES),
      fc.integer({ min: 0, max: 6 }),
      async (...of) => {
        const [told, fromSeconds, name, most] = of;
        const { trace } = await toldTrace(told);
        const known = eventStates({ frames } as never, trace);
        const states = known.states.flatMap((state, at) => (state.name === name ? [at] : []));
        const naive = naiveTrace(told).lanes;
        const lanes = naive.map((_, lane) => lane);
        const all = naive
          .flatMap(({ events }, lane) =>
            events.map(({ start, end, frame, depth }, event) => ({
              lane,
              event,
              depth,
              start,
              end,
              name: frames.nameOf(frame),
            })),
          )
          .filter((event) => event.name === name)
          .sort((a, b) => a.start - b.start || a.lane - b.lane || a.event - b.event);
        const found = await timelineFind(trace, known, { states, lanes, fromSeconds, most }, quietTask);
        expect(found.count).toBe(all.length);
        const next = all.filter(({ start }) => start >= fromSeconds).slice(0, most);
        const before = all.filter(({ start }) => start < fromSeconds);
        const expected = [...before.slice(Math.max(0, before.length + next.length - most)), ...next];
        expect(
          Array.from(found.lane, (lane, at) => [
            lane,
            found.event[at],
            found.depth[at],
            found.startSeconds[at],
            found.endSeconds[at],
          ]),
        ).toEqual(expected.map(({ lane, event, depth, start, end }) => [lane, event, depth, start, end]));
      },
    ),
    { numRuns: casesOf(200) },
  );
});
