import { expect, it } from "vitest";
import type { Clock, CounterFacts } from "../../../../src/engine/api";
import { NONE } from "../../../../src/model/ids";
import { choiceOf, sideControls } from "../../../../src/panels/summary/sides";

/** A counter of one name on two resources of one name, in different nodes, and one beside them. */
const facts: CounterFacts = {
  startSeconds: 0,
  endSeconds: 1,
  resources: [
    { name: "node 1", type: "node", parent: NONE },
    { name: "CPU 0", type: "CPU", parent: 0 },
    { name: "node 2", type: "node", parent: NONE },
    { name: "CPU 0", type: "CPU", parent: 2 },
  ],
  rows: [
    { name: "load", resource: 1 },
    { name: "load", resource: 3 },
    { name: "power", resource: 3 },
  ].map((row) => ({ ...row, unit: "1", shows: "level", points: 1, least: 0, most: 1, variance: 0, isLeft: true })),
} as unknown as CounterFacts;

it("counters that are called alike are all offered, each by where it was recorded", () => {
  const shown = {
    clock: { bound: { unit: "CPU" }, fine: { cpu: new Float64Array() } } as unknown as Clock,
    counters: { facts },
  };
  const [{ choices }] = sideControls({} as never, shown);
  const counters = choices.filter((choice) => "group" in choice && choice.group === "counters");
  expect(counters.map(({ label }) => label)).toEqual([
    "load · node 1 / CPU 0",
    "load · node 2 / CPU 0",
    "power · CPU 0",
  ]);
  expect(counters.map(({ value }) => choiceOf(value))).toEqual([
    { counter: "load", of: "node 1 / CPU 0" },
    { counter: "load", of: "node 2 / CPU 0" },
    { counter: "power", of: "CPU 0" },
  ]);
});
