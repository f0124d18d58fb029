import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InnermostEvents } from "../../../../src/engine/traces/innermostEvents";
import { InnermostCalls, LaneCalls } from "../../../../src/engine/traces/mpiLanes";
import { NONE } from "../../../../src/model/ids";
import { casesOf } from "../../randomCases";

/** Events that nest, overlap, have no length, or begin and end at the same moments, by ascending start, the longer one first. */
const events = fc
  .array(fc.record({ start: fc.integer({ min: -9, max: 30 }), length: fc.nat(14) }), { maxLength: 24 })
  .map((all) => all.toSorted((a, b) => a.start - b.start || b.length - a.length))
  .map((all) => all.map(({ start, length }) => ({ start, end: start + length })));
/** Between events, too. */
const moments = fc
  .array(fc.integer({ min: -22, max: 96 }), { maxLength: 30 })
  .map((all) => all.map((half) => half / 2).sort((a, b) => a - b));

describe("the innermost event at ascending moments", () => {
  it("is the last to begin of those that go on or begin then, else of those that end then", () => {
    const seen = { none: 0, goesOn: 0, ends: 0 };
    fc.assert(
      fc.property(events, moments, (all, ascending) => {
        const innermost = new InnermostEvents();
        let next = 0;
        for (const moment of ascending) {
          for (; next < all.length && all[next].start <= moment; next++)
            innermost.event(all[next].start, all[next].end, 7 * next, next);
          const begun = [...all.keys()].filter((at) => all[at].start <= moment);
          const goesOn = begun.findLast((at) => all[at].end > moment || all[at].start === moment);
          const ends = begun.findLast((at) => all[at].end === moment);
          const expected = goesOn ?? ends;
          seen[goesOn !== undefined ? "goesOn" : ends !== undefined ? "ends" : "none"]++;
          expect(innermost.at(moment)).toEqual(
            expected === undefined ? undefined : { frame: 7 * expected, number: expected },
          );
        }
      }),
      { numRuns: casesOf(4000) },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });
});

describe("the innermost call at ascending moments", () => {
  it("is the last to begin of those that have begun and not ended", () => {
    fc.assert(
      fc.property(events, moments, (all, ascending) => {
        const calls = new LaneCalls([{ name: "send", kinds: 0 }]);
        all.forEach(({ start, end }, event) => calls.add(start, end, event, 0));
        const innermost = new InnermostCalls(calls);
        for (const moment of ascending)
          expect(innermost.at(moment)).toBe(all.findLastIndex(({ start, end }) => start <= moment && end > moment));
      }),
      { numRuns: casesOf(4000) },
    );
    expect(new InnermostCalls(new LaneCalls([])).at(0)).toBe(NONE);
  });

  // Each call outlasts the one before it, so that a list from which only its last entries go would keep them all.
  it("looks at each call once in a chain of calls that overlap", () => {
    class CountedCalls extends LaneCalls {
      looks = 0;
      override times(call: number) {
        this.looks++;
        return super.times(call);
      }
    }
    const calls = new CountedCalls([{ name: "send", kinds: 0 }]);
    for (let at = 0; at < 5000; at++) calls.add(10 * at, 10 * at + 15, at, 0);
    const innermost = new InnermostCalls(calls);
    for (let at = 0; at < 5000; at++) expect(innermost.at(10 * at + 2)).toBe(at);
    expect(calls.looks).toBeLessThanOrEqual(10_000);
  });
});
