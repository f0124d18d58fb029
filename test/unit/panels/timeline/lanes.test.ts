import { describe, expect, it } from "vitest";
import type { TimelineFacts } from "../../../../src/engine/api";
import {
  laneGroups,
  lanesText,
  laneText,
  laneTypes,
  orderOf,
  pinnedLanes,
  shownLanes,
  shownText,
} from "../../../../src/panels/timeline/lanes";

/** @param resources name, type and parent @param lanes name and resource */
function factsOf(
  resources: readonly (readonly [name: string, type: string, parent: number])[],
  lanes: readonly (readonly [name: string, resource: number])[],
): TimelineFacts {
  return {
    startSeconds: 0,
    endSeconds: 1,
    events: 0,
    messages: 0,
    states: [],
    shownNames: new Map(),
    byTime: new Int32Array(0),
    phases: [],
    counters: 0,
    changingCounters: 0,
    resources: resources.map(([name, type, parent]) => ({ name, type, parent })),
    lanes: lanes.map(([name, resource]) => ({
      name,
      resource,
      isChosen: true,
      isBrief: false,
      kind: "intervals",
      events: name.endsWith("idle") ? 0 : 1,
      depths: 1,
      busiestDepth: 0,
      startSeconds: 0,
      endSeconds: 0,
      coveredSeconds: 0,
      communicationSeconds: 0,
    })),
  };
}

const cluster = factsOf(
  [
    ["cluster", "site", -1],
    ["node 0", "node", 0],
    ["node 1", "node", 0],
    ["rank 0", "process", 1],
    ["rank 1", "process", 1],
    ["rank 2", "process", 2],
    ["GPU 0", "GPU", 1],
  ],
  [
    ["rank 0", 3],
    ["rank 2", 5],
    ["rank 1", 4],
    ["GPU 0, stream 7", 6],
    ["counters", -1],
  ],
);

describe("lanes", () => {
  it("stand together by the outermost resource that not all are of, where that has several", () => {
    const { names, of } = laneGroups(
      factsOf(
        [...cluster.resources].map(({ name, type, parent }) => [name, type, parent]),
        [
          ["rank 0", 3],
          ["rank 2", 5],
          ["rank 1", 4],
          ["GPU 0, stream 7", 6],
        ],
      ),
    );
    expect(names).toEqual(["node 0"]);
    expect([...of]).toEqual([0, -1, 0, 0]);
  });

  it("of one thing, or each of its own, stand by themselves", () => {
    const ranks = factsOf(
      [
        ["rank 0", "process", -1],
        ["rank 1", "process", -1],
      ],
      [
        ["rank 0", 0],
        ["rank 1", 1],
      ],
    );
    expect(laneGroups(ranks)).toEqual({ names: [], of: new Int32Array([-1, -1]) });
    const threads = factsOf(
      [["process", "process", -1]],
      [
        ["thread 1", 0],
        ["thread 2", 0],
      ],
    );
    expect(laneGroups(threads)).toEqual({ names: [], of: new Int32Array([-1, -1]) });
  });

  it("are chosen by the types of their resources, and counted by what they are", () => {
    expect(laneTypes(cluster)).toEqual(["process", "GPU"]);
    const gpus = shownLanes(cluster, { lanes: "GPU" });
    expect(gpus).toEqual([false, false, false, true, false]);
    expect(lanesText(cluster, gpus)).toBe("1 lane");
    expect(lanesText(cluster, shownLanes(cluster, {}))).toBe("5 lanes");
    expect(lanesText(cluster, shownLanes(cluster, { lanes: "process" }))).toBe("3 ranks");
  });
});

describe("lanes by name", () => {
  it("have a text in their names, or in those of what they belong to; pinned ones stay, on top as they were pinned", () => {
    expect(shownLanes(cluster, { filter: "rank 1, stream" })).toEqual([false, false, true, true, false]);
    expect(shownLanes(cluster, { filter: "NODE 0" })).toEqual([true, false, true, true, false]);
    expect(shownLanes(cluster, { filter: "rank", lanes: "GPU" })).toEqual([false, false, false, false, false]);
    expect(shownLanes(cluster, { filter: " , " })).toEqual([true, true, true, true, true]);
    const shown = shownLanes(cluster, { filter: "node 1" }, ["counters", "rank 0", "gone"]);
    expect(shown).toEqual([true, true, false, false, true]);
    expect(pinnedLanes(cluster, shown, ["counters", "rank 0", "gone"])).toEqual([4, 0]);
    expect(shownText(cluster, shown)).toBe("3 lanes, 2 hidden");
    const lanes = cluster.lanes.map((lane, at) => ({ ...lane, isChosen: at > 0 }));
    expect(shownLanes({ ...cluster, lanes }, {}, ["rank 0"])[0]).toBe(false);
  });
});

describe("the order of lanes", () => {
  it("is the recording's, or by name, communication or covered time", () => {
    const facts = factsOf(
      [],
      [
        ["rank 10", -1],
        ["rank 9", -1],
        ["rank 2", -1],
      ],
    );
    const lanes = facts.lanes.map((lane, at) => ({ ...lane, communicationSeconds: [1, 3, 3][at], coveredSeconds: at }));
    const ordered = { ...facts, lanes };
    expect(orderOf(ordered, 3)).toEqual([0, 1, 2]);
    expect(orderOf(ordered, 3, "name")).toEqual([2, 1, 0]);
    expect(orderOf(ordered, 3, "communication")).toEqual([1, 2, 0]);
    expect(orderOf(ordered, 3, "busy")).toEqual([2, 1, 0]);
  });
});

it("leaves out lanes without events, unless they are asked for", () => {
  const facts = factsOf(
    [["rank 0", "process", -1]],
    [
      ["busy", 0],
      ["idle", 0],
    ],
  );
  expect(shownLanes(facts, {})).toEqual([true, false]);
  expect(shownLanes(facts, { filter: "idle" })).toEqual([false, true]);
  expect(shownLanes(facts, {}, ["idle"])).toEqual([true, true]);
});

it("names a thread by its number and what it is of", () => {
  expect(laneText("muscle (20068), thread 20070")).toBe("thread 20070 (muscle)");
  expect(laneText("rank 3")).toBe("rank 3");
  expect(laneText("GPU 0, stream 7")).toBe("GPU 0, stream 7");
});
