import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { integralOf } from "../../../../src/engine/hardware/counterUse";
import { elementsOf } from "../../../../src/engine/hardware/elements";
import { usesOf } from "../../../../src/engine/hardware/use";
import { statesOfLanes, stateSums } from "../../../../src/engine/resources/quantities";
import { resourceTree } from "../../../../src/engine/resources/resourceTree";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { NONE } from "../../../../src/model/ids";
import { quietTask } from "../../../../src/model/task";
import type { Trace } from "../../../../src/model/trace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { namedFrames, toldTrace } from "../traces/toldTraces";

const resource = (name: string, type: string, parent: number) => ({ name, type, parent, location: NONE });
const resources = [
  resource("node", "Machine", NONE),
  resource("Package 0", "Package", 0),
  resource("Package 1", "Package", 0),
];
const edge = fc.integer({ min: 0, max: 120 }).map((eighth) => eighth / 8);

describe("the use of a machine's parts in a topology", () => {
  it("follows from what was added up of its lanes, whose events are read once", async () => {
    const dataSet = { frames: namedFrames(), format: { id: "told" }, name: "told" } as never;
    let known = 0;
    await fc.assert(
      fc.asyncProperty(toldFiles, edge, edge, async (told, one, other) => {
        fc.pre(one !== other);
        const window = { from: Math.min(one, other), to: Math.max(one, other) };
        const { trace: recorded } = await toldTrace(told);
        const lanes = recorded.lanes.map((lane, at) => ({ ...lane, resource: 1 + (at % 2) }));
        let reads = 0;
        const readEvents: Trace["readEvents"] = (...asked) => (reads++, recorded.readEvents(...asked));
        const trace = Object.create(recorded, { lanes: { value: lanes }, readEvents: { value: readEvents } }) as Trace;
        const found = elementsOf({ resources, links: [] }, trace);
        const states = eventStates(dataSet, trace, {});
        const isChosen = () => true;
        const tree = resourceTree(resources, trace);
        const shown = statesOfLanes(dataSet, trace, states, {}, isChosen);
        const { computing } = await stateSums(trace, tree, shown, { ...window, isLast: false }, states, quietTask);
        const asked = { trace, states, window, isChosen };
        const alone = await usesOf({}, found, asked, quietTask);
        reads = 0;
        const uses = await usesOf({}, found, { ...asked, computing }, quietTask);
        expect(reads).toBe(0);
        expect(uses.map(({ by }) => by)).toEqual(alone.map(({ by }) => by));
        uses.forEach(({ share }, element) => {
          if (share > 0) known++;
          if (Number.isNaN(share)) expect(alone[element].share).toBeNaN();
          else expect(share).toBeCloseTo(alone[element].share, 9);
        });
      }),
      { numRuns: casesOf(400) },
    );
    expect(known).toBeGreaterThan(0);
  });
});

describe("the integral of a counter with many points", () => {
  it("of a window is read from near its begin, and is what each point holds until the next", async () => {
    const points = 100_000;
    const counters = [{ points }];
    let read = 0;
    const readCounter = (_: number, first: number, count: number) => {
      const length = Math.min(count, points - first);
      read += length;
      const seconds = Float64Array.from({ length }, (_one, at) => 1 + (first + at) / 2);
      return Promise.resolve({ count: length, seconds, value: seconds.map((second) => (2 * second) % 7) });
    };
    const trace = { counters, readCounter } as unknown as Trace;
    for (const [from, to] of [
      [0, 3.25],
      [40_000.25, 40_010.75],
      [49_000, 60_000],
      [0, 60_000],
    ]) {
      read = 0;
      let [amount, seconds] = [0, 0];
      for (let point = 0; point < points; point++) {
        const begin = 1 + point / 2;
        const end = point + 1 < points ? begin + 0.5 : Infinity;
        const part = Math.min(to, end) - Math.max(from, begin);
        if (part > 0) [amount, seconds] = [amount + part * ((2 * begin) % 7), seconds + part];
      }
      const found = await integralOf(trace, 0, { from, to }, quietTask);
      expect(found.amount).toBeCloseTo(amount, 4);
      expect(found.seconds).toBeCloseTo(seconds, 6);
      if (to - from < 20) expect(read).toBeLessThan(20_000);
    }
  });
});
