import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { windowValues } from "../../../../src/engine/traces/windowValues";
import { quietTask } from "../../../../src/model/task";
import { stretches } from "../../formats/trace/naiveSpans";
import { naiveTrace } from "../../formats/trace/naiveTrace";
import { FRAMES, toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { toldTrace } from "./toldTraces";

const edge = fc.integer({ min: -4, max: 120 }).map((eighth) => eighth / 8);

describe("the values of a window", () => {
  it("are the time in which events of each context were innermost in it, lane by lane", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, edge, edge, async (told, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other) + 0.125];
        const { trace } = await toldTrace(told);
        const { location } = trace.lanes[0] ?? { location: 0 };
        const sizes = { tree: { size: FRAMES }, locations: [{}, {}, {}] };
        const { rowStart, column, value } = await windowValues(sizes as never, trace, { from, to }, quietTask);
        expect(location).toBeGreaterThanOrEqual(0);
        const expected = new Map<string, number>();
        for (const [lane, { events }] of naiveTrace(told).lanes.entries())
          for (const { start, end, event } of stretches(events)) {
            const seconds = Math.min(end, to) - Math.max(start, from);
            const key = `${event.context} ${trace.lanes[lane].location}`;
            if (seconds > 0 && event.context >= 0) expected.set(key, (expected.get(key) ?? 0) + seconds);
          }
        const found = new Map<string, number>();
        for (let context = 0; context < FRAMES; context++)
          for (let at = rowStart[context]; at < rowStart[context + 1]; at++)
            found.set(`${context} ${column[at]}`, value[at]);
        expect([...found].sort()).toEqual([...expected].sort());
        await trace.close();
      }),
      { numRuns: casesOf(300) },
    );
  });
});
