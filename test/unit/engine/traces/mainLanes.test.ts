import { expect, it } from "vitest";
import { summaryPlaces } from "../../../../src/engine/traces/summaryPlaces";
import { read } from "../../formats/chrome/readAs";

/** Two processes, whose main threads have their lowest numbers. */
const EVENTS = [
  { ph: "X", pid: 1, tid: 11, ts: 0, dur: 100, name: "main of 1" },
  { ph: "X", pid: 1, tid: 12, ts: 0, dur: 20, name: "feed" },
  { ph: "X", pid: 2, tid: 20, ts: 5, dur: 30, name: "main of 2" },
  { ph: "X", pid: 2, tid: 103, ts: 0, dur: 100, name: "logger" },
];

it.each([
  ["as threads began", [0, 1, 2, 3]],
  ["another buffer first", [1, 0, 3, 2]],
  ["the other process first", [3, 2, 1, 0]],
])("the main thread of a process is the same whichever thread a file begins with: %s", async (_, order) => {
  const dataSet = await read(JSON.stringify(order.map((at) => EVENTS[at])));
  if (!dataSet.trace) throw new Error("no trace");
  const { lanes } = dataSet.trace;
  const { mainLanes, unit } = summaryPlaces(dataSet, dataSet.trace, undefined);
  expect(unit).toBe("process");
  expect(mainLanes.map((lane) => lanes[lane].name.replace(/^.*, /, "")).sort()).toEqual(["thread 11", "thread 20"]);
});
