import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { activityOf } from "../../../../src/engine/application/activity";
import { quietTask } from "../../../../src/model/task";
import { naiveTrace } from "../../formats/trace/naiveTrace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { toldTrace } from "../traces/toldTraces";

describe("when contexts are active", () => {
  it("is in each column of the run in which an event of them, or of what they call, runs or begins", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.nat(5), async (told, seed) => {
        const { trace } = await toldTrace(told);
        const { lanes, start, end } = naiveTrace(told);
        const isChosen = (lane: number) => (lane + seed) % 4 !== 0;
        const all = lanes.flatMap(({ events }, lane) => (isChosen(lane) ? events : []));
        const size = 1 + Math.max(0, ...lanes.flatMap(({ events }) => events.map(({ context }) => context)));
        // Each context is called by one before it.
        const parent = Int32Array.from({ length: size }, (_, at) => Math.floor((at - 1) / 2));
        parent[0] = -1;
        const found = await activityOf({ size, parent }, trace, isChosen, `${seed}`, quietTask);
        const calls = (caller: number, context: number): boolean =>
          context === caller || (context > 0 && calls(caller, parent[context]));
        const width = (end - start) / 64;
        for (let context = 0; context < size; context++) {
          expect(found.events[context]).toBe(all.filter((event) => event.context === context).length);
          if (!(width > 0)) continue;
          const own = all.filter((event) => event.context >= 0 && calls(context, event.context));
          for (let column = 0; column < 64; column++) {
            const [from, to] = [start + column * width, start + (column + 1) * width];
            const isOn = own.some(
              (event) =>
                (event.start < to && event.end > from) || (event.start >= from && (event.start < to || column === 63)),
            );
            const word = column < 32 ? found.first[context] : found.second[context];
            expect((word >>> (column % 32)) & 1, `context ${context}, column ${column}`).toBe(Number(isOn));
          }
        }
      }),
      { numRuns: casesOf(200) },
    );
  });
});
