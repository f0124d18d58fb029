import fc from "fast-check";
import { expect, test } from "vitest";
import { casesOf } from "../../../randomCases";
import { read } from "../readAs";

const span = fc.record({
  begins: fc.nat(60),
  length: fc.integer({ min: 1, max: 15 }),
  category: fc.constantFrom("net", "disk"),
});

/** How many of them there are at the moment at which most are: where one begins as another ends, that one is over. */
function mostAtOnce(spans: readonly { readonly begins: number; readonly length: number }[]): number {
  const at = (moment: number) =>
    spans.filter(({ begins, length }) => begins <= moment && moment < begins + length).length;
  return Math.max(0, ...spans.map(({ begins }) => at(begins)));
}

test("ids of a category have lanes one after the other: as many as there are at one time, and none overlap", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(span, { minLength: 1, maxLength: 40 }), async (spans) => {
      const sides = spans.flatMap(({ begins, length, category }, id) => [
        { ph: "b", ts: begins, cat: category, id, name: "request", pid: 1, tid: 1 },
        { ph: "e", ts: begins + length, cat: category, id, name: "request", pid: 1, tid: 1 },
      ]);
      sides.sort((a, b) => a.ts - b.ts || Number(a.ph === "b") - Number(b.ph === "b"));
      const { trace } = await read(JSON.stringify(sides));
      const found: string[] = [];
      const lanes = { net: 0, disk: 0 };
      for (const [lane, { name, events }] of (trace?.lanes ?? []).entries()) {
        const category = name.includes("net") ? "net" : "disk";
        lanes[category]++;
        const columns = await trace?.readEvents(lane, 0, events);
        for (let at = 0; at < events; at++) {
          expect(columns?.depth[at]).toBe(0);
          const [start, end] = [columns?.startSeconds[at] ?? 0, columns?.endSeconds[at] ?? 0].map((one) =>
            Math.round((one - (trace?.startSeconds ?? 0)) * 1e6),
          );
          found.push(`${category} ${start} ${end}`);
        }
      }
      const first = Math.min(...spans.map(({ begins }) => begins));
      const expected = spans.map(
        ({ begins, length, category }) => `${category} ${begins - first} ${begins + length - first}`,
      );
      expect(found.sort()).toEqual(expected.sort());
      const of = (own: string) => mostAtOnce(spans.filter(({ category }) => category === own));
      expect(lanes).toEqual({ net: of("net"), disk: of("disk") });
      await trace?.close();
    }),
    { numRuns: casesOf(200) },
  );
});
