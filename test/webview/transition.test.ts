import { describe, expect, it } from "vitest";
import type { PlacedBar } from "../../webviews/superGraph/placed";
import { startBoxes, Transition } from "../../webviews/superGraph/transition";

/** Longer than any transition may take. */
const MOST_MS = 600;

const bar = (x: number, y: number, height: number): PlacedBar => ({
  x,
  y,
  width: 10,
  height,
  hiddenHeight: height / 10,
  entries: [{ x: x + 1, y: y + 1, width: 3, height: 3 }],
});

describe("where bars begin", () => {
  it("is where they were; parts share the place of the whole, in the order in which they end", () => {
    const before = [bar(0, 0, 50), bar(40, 20, 60)];
    const ends = [bar(0, 0, 50), bar(60, 70, 10), bar(60, 10, 30), bar(80, 0, 5)];
    expect(startBoxes(before, Int32Array.of(0, 1, 1, -1), ends)).toEqual([
      { x: 0, y: 0, width: 10, height: 50 },
      { x: 40, y: 65, width: 10, height: 15 },
      { x: 40, y: 20, width: 10, height: 45 },
      undefined,
    ]);
  });
});

describe("a transition", () => {
  const end = [bar(0, 0, 50), bar(60, 10, 40), bar(80, 0, 5)];
  const transition = new Transition([bar(0, 0, 50), bar(40, 20, 60), bar(90, 90, 1)], Int32Array.of(0, 1, -1), 1000);

  it("takes flows away before a bar moves, and brings them back when all have arrived", () => {
    let [gone, arrived] = [false, false];
    let last = -1;
    for (let time = 0; time < MOST_MS; time += 5) {
      const moment = transition.at(1000 + time, end);
      if (!moment) {
        arrived = true;
        continue;
      }
      expect(arrived).toBe(false);
      const [still, moving] = moment.bars;
      // What is in the same place in both graphs stays there.
      expect(still).toBe(end[0]);
      if (moment.before > 0) expect(moving).toMatchObject({ x: 40, y: 20, height: 60 });
      else gone = true;
      if (moment.flows > 0) expect(moving).toEqual(end[1]);
      expect(moment.before === 0 || moment.flows === 0).toBe(true);
      expect(moving.x).toBeGreaterThanOrEqual(last);
      last = moving.x;
    }
    expect([gone, arrived]).toEqual([true, true]);
  });

  it("knows what is new and what is gone, and when nothing would be seen", () => {
    expect([transition.isNew(0), transition.isNew(2), transition.gone]).toEqual([false, true, [2]]);
    expect(transition.isStill(end)).toBe(false);
    expect(new Transition(end, Int32Array.of(0, 1, 2), 0).isStill(end)).toBe(true);
  });
});
