import { expect, it } from "vitest";
import { derivedRows } from "../../../../src/engine/traces/derivedSteps";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { lanesAside } from "../../../../src/engine/traces/lanesAside";
import { quietTask } from "../../../../src/model/task";
import { read } from "../../formats/chrome/readAs";

const event = (ph: string, tid: number, ts: number, name: string, more: object = {}) => ({
  ph,
  pid: 1,
  tid,
  ts,
  name,
  ...more,
});

async function opened(events: readonly object[]) {
  const dataSet = await read(JSON.stringify(events));
  if (!dataSet.trace) throw new Error("no trace");
  return { dataSet, trace: dataSet.trace };
}

const request = (id: number, from: number, to: number) => [
  event("b", 1, from, "request", { cat: "net", id }),
  event("e", 1, to, "request", { cat: "net", id }),
];

it("asynchronous events beside threads are no lanes that compute", async () => {
  const { dataSet, trace } = await opened([
    event("X", 1, 0, "solve", { dur: 100 }),
    event("X", 2, 20, "pack", { dur: 30 }),
    ...request(1, 10, 60),
    ...request(2, 15, 90),
  ]);
  const isAside = lanesAside(dataSet, trace);
  expect(trace.lanes.filter((_, lane) => !isAside(lane)).map(({ name }) => name)).toEqual(["thread 1", "thread 2"]);
  const computing = derivedRows(dataSet, trace, eventStates(dataSet, trace)).find(
    ({ name }) => name === "lanes computing",
  );
  const steps: number[][] = [];
  (await computing?.transitions(0, 1e-4, quietTask))?.each(0, 1e-4, (seconds, value) =>
    steps.push([Math.round(seconds * 1e6), value]),
  );
  expect(steps.filter(([at]) => at < 100)).toEqual([
    [0, 1],
    [20, 2],
    [50, 1],
  ]);
});

it("are all that a recording without threads has, which is not nothing", async () => {
  const { dataSet, trace } = await opened(request(1, 10, 60));
  const isAside = lanesAside(dataSet, trace);
  expect(trace.lanes.map((_, lane) => isAside(lane))).toEqual([false]);
});
