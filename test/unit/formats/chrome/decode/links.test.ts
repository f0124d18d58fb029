import fc from "fast-check";
import { expect, test } from "vitest";
import { Flows, Launches } from "../../../../../src/formats/chrome/decode/links";
import type { TraceSink } from "../../../../../src/formats/trace/traceSink";

const unchecked = { check: () => undefined };

/** Calls and activities in any order, by a correlation of any size: negative, fractional, beyond 2^53. */
const sides = fc.array(
  fc.record({
    isCall: fc.boolean(),
    correlation: fc.oneof(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 0, max: 400 }).map((number) => number * 2 ** 31 + 7),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
  }),
  { maxLength: 3000, size: "max" },
);

test("every activity is joined to the first call of its correlation, whichever came first", () => {
  fc.assert(
    fc.property(sides, (order) => {
      const joined: [number, number][] = [];
      const sink = {
        message: (_kind: string, _from: number, _to: number, sent: number, received: number) =>
          joined.push([sent, received]),
      };
      const launches = new Launches(sink as unknown as TraceSink);
      const firstCall = new Map<number, number>();
      for (const [at, { isCall, correlation }] of order.entries()) {
        if (isCall) launches.call(correlation, 0, at);
        else launches.activity(correlation, 1, at);
        if (isCall && !firstCall.has(correlation)) firstCall.set(correlation, at);
      }
      launches.finish(unchecked);
      const expected = order.flatMap(({ isCall, correlation }, at) => {
        const call = firstCall.get(correlation);
        return isCall || call === undefined ? [] : [[call, at]];
      });
      expect(joined.sort(([, a], [, b]) => a - b)).toEqual(expected);
    }),
  );
});

type Point = Parameters<Flows["take"]>[0];

/** An arrow whose points stand in the order of time, or in any, as where each thread's buffer is written at another time. */
const arrow = fc
  .record({
    begins: fc.nat(50),
    steps: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 3 }),
    isShuffled: fc.boolean(),
    order: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
  })
  .map(({ begins, steps, isShuffled, order }) => {
    const times = [0, ...steps.sort((a, b) => a - b), 100].map((after) => begins + after);
    const points = times.map((seconds, at): [Point, number] => [
      at === 0 ? "start" : at < times.length - 1 ? "step" : "end",
      seconds,
    ]);
    const shuffled = points.map((point, at) => ({ point, key: order[at] })).sort((a, b) => a.key - b.key);
    return { times, points: isShuffled ? shuffled.map(({ point }) => point) : points };
  });

test("arrows go from each point to the next one in time, in whatever order they stand in the file", () => {
  fc.assert(
    fc.property(fc.array(arrow, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (arrows, keys) => {
      const drawn: [number, number][] = [];
      const sink = {
        message: (_kind: string, _from: number, _to: number, sent: number, received: number) =>
          drawn.push([sent, received]),
      };
      const flows = new Flows(sink as unknown as TraceSink);
      // Several arrows are under way at once.
      const waiting = arrows.map(({ points }, id) => ({ id, points: [...points] }));
      while (waiting.length > 0) {
        const at = (keys.next().value as number) % waiting.length;
        const { id, points } = waiting[at];
        const next = points.shift();
        if (next === undefined) waiting.splice(at, 1);
        else flows.take(next[0], id % 2, id, 0, next[1]);
      }
      flows.finish(unchecked);
      const expected = arrows.flatMap(({ times }) => times.slice(1).map((to, at): [number, number] => [times[at], to]));
      const byTime = (all: [number, number][]) => all.sort(([a, b], [c, d]) => a - c || b - d);
      expect(byTime(drawn)).toEqual(byTime(expected));
      expect([flows.unfinished, flows.leftOut]).toEqual([0, 0]);
    }),
  );
});

test("an arrow whose start was cut off does not keep later ones of its id from being drawn, and is counted", () => {
  const drawn: number[][] = [];
  const sink = { message: (...[, , , sent, received]: number[]) => drawn.push([sent, received]) };
  const flows = new Flows(sink as unknown as TraceSink);
  flows.take("end", 0, 7, 0, 1);
  for (const begins of [10, 20, 30]) {
    flows.take("start", 0, 7, 0, begins);
    flows.take("end", 0, 7, 0, begins + 5);
  }
  flows.take("start", 0, 7, 0, 40);
  flows.finish(unchecked);
  expect(drawn).toEqual([
    [10, 15],
    [20, 25],
    [30, 35],
  ]);
  expect(flows.unfinished).toBe(2);
});

test("an arrow that arrives before it starts, where clocks differ, is drawn in either order of the file", () => {
  for (const order of [
    ["start", "end"],
    ["end", "start"],
  ] as const) {
    const drawn: number[][] = [];
    const sink = { message: (...[, , , sent, received]: number[]) => drawn.push([sent, received]) };
    const flows = new Flows(sink as unknown as TraceSink);
    for (const point of order) flows.take(point, 0, 7, 0, point === "start" ? 10 : 4);
    flows.finish(unchecked);
    expect([drawn, flows.unfinished]).toEqual([[[10, 4]], 0]);
  }
});

test("a step that stands behind its arrow's end is in it, also where its id is used again; one that lies in none is counted", () => {
  const drawn: number[][] = [];
  const sink = { message: (...[, , , sent, received]: number[]) => drawn.push([sent, received]) };
  const flows = new Flows(sink as unknown as TraceSink);
  const take = (point: Point, seconds: number) => flows.take(point, 0, 7, 0, seconds);
  for (const begins of [0, 100]) {
    take("start", begins);
    take("step", begins + 40);
    take("end", begins + 50);
  }
  for (const seconds of [130, 20, 45, 10, 75]) take("step", seconds);
  flows.finish(unchecked);
  expect(drawn.sort(([a], [b]) => a - b)).toEqual([
    [0, 10],
    [10, 20],
    [20, 40],
    [40, 45],
    [45, 50],
    [100, 130],
    [130, 140],
    [140, 150],
  ]);
  // Of the step at 75 nobody knows from where it came, nor where it went on to.
  expect(flows.unfinished).toBe(2);
});

test("where clocks differ, an arrow that steps before it starts is drawn so", () => {
  const drawn: number[][] = [];
  const sink = { message: (...[, , , sent, received]: number[]) => drawn.push([sent, received]) };
  const flows = new Flows(sink as unknown as TraceSink);
  flows.take("start", 0, 7, 0, 10);
  flows.take("step", 0, 7, 0, 4);
  flows.take("end", 0, 7, 0, 6);
  // Of an arrow that was cut the part is drawn that is there, and the end that it lacks counts once.
  flows.take("start", 0, 8, 0, 20);
  flows.take("step", 0, 8, 0, 25);
  flows.finish(unchecked);
  expect(drawn).toEqual([
    [20, 25],
    [10, 4],
    [4, 6],
  ]);
  expect(flows.unfinished).toBe(1);
});
