import { expect, test } from "vitest";
import { startsText } from "../../../../src/panels/timeline/rankStarts";
import type { TimelineShown } from "../../../../src/panels/timeline/shown";

const facts = { lanes: [{ name: "rank 0" }, { name: "rank 3" }] } as unknown as TimelineShown["facts"];
const waits = (from: number, to: number, lastSeconds: number | undefined) => ({
  rows: [],
  missing: [],
  range: { from, to },
  ...(lastSeconds === undefined ? {} : { starts: { firstSeconds: 0.1, lastSeconds, lastLane: 1 } }),
});
const said = (...of: Parameters<typeof waits>) => startsText({ facts, waits: waits(...of) }).replaceAll("\u00a0", " ");

test("that ranks began apart is said where the stretch has some of that, and where it is more than how they were started", () => {
  const words = "Ranks began 420 ms apart, rank 3 last: that is in no wait.";
  expect([said(0, 10, 0.52), said(0.4, 10, 0.52)]).toEqual([words, words]);
  expect([said(0.52, 10, 0.52), said(0, 1000, 0.52), said(0, 10, 0.1), said(0, 10, undefined)]).toEqual([
    "",
    "",
    "",
    "",
  ]);
  expect(startsText({ facts, waits: undefined })).toBe("");
});
