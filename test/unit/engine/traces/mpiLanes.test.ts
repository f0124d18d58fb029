import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callKinds, LaneCalls, RunningCalls } from "../../../../src/engine/traces/mpiLanes";
import { casesOf } from "../../randomCases";

/** Counts how often a call is looked at. */
class CountedCalls extends LaneCalls {
  looks = 0;
  override times(call: number) {
    this.looks++;
    return super.times(call);
  }
}

const FUNCTIONS = [
  { name: "recv", kinds: callKinds.receive + callKinds.blockingReceive },
  { name: "send", kinds: callKinds.blockingSend },
];

describe("calls that run at ascending moments", () => {
  it("are those that have begun and not ended, in the order of their begin", () => {
    const call = fc.record({ start: fc.nat(40), length: fc.nat(12), of: fc.nat(1) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), fc.array(fc.nat(60), { maxLength: 20 }), (all, moments) => {
        const sorted = [...all].sort((a, b) => a.start - b.start);
        const calls = new LaneCalls(FUNCTIONS);
        sorted.forEach(({ start, length, of }, event) => calls.add(start, start + length, event, of));
        const running = new RunningCalls(calls, calls.numbers(callKinds.receive));
        for (const moment of moments.sort((a, b) => a - b)) {
          const expected = [...sorted.keys()].filter((at) => {
            const { start, length, of } = sorted[at];
            return of === 0 && start <= moment && start + length >= moment;
          });
          expect([...running.at(moment)]).toEqual(expected);
        }
      }),
      { numRuns: casesOf(400) },
    );
  });

  // A wrapper, a phase, a call that waits from beginning to end: whatever lies around all others.
  it.each([0, 1, 3])("cost the same for each moment, with %i calls around all others", (around) => {
    const looksFor = (count: number) => {
      const calls = new CountedCalls(FUNCTIONS);
      for (let at = 0; at < around; at++) calls.add(0, 10 * count, at, 0);
      for (let at = 0; at < count; at++) calls.add(10 * at + 1, 10 * at + 5, around + at, 0);
      const running = new RunningCalls(calls, calls.numbers());
      for (let at = 0; at < count; at++) expect(running.at(10 * at + 3)).toHaveLength(around + 1);
      return calls.looks;
    };
    expect(looksFor(4000)).toBeLessThanOrEqual(2.1 * looksFor(2000));
    expect(looksFor(2000)).toBeLessThanOrEqual((around + 5) * 2000);
  });
});
