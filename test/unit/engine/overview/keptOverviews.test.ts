import { describe, expect, it } from "vitest";
import { keptOverview } from "../../../../src/engine/overview/keptOverviews";
import type { OverviewQuery } from "../../../../src/engine/overview/overviewApi";
import type { TraceModel } from "../../../../src/engine/overview/modelParts";
import type { TraceOutline } from "../../../../src/model/trace";

const query: OverviewQuery = {
  ...{ dataSet: 0, kind: "spatiotemporal", slices: 30, normalize: false, metric: "duration" },
  hierarchy: { kind: "recorded" },
};

/** Two leaves over 12 s, each in one state as long as its slice, and what is asked of the trace. */
function reading() {
  const asked: number[] = [];
  const trace = { lanes: 2, endSeconds: 12 } as TraceOutline;
  const make = ({ slices, fromSeconds = 0, toSeconds = 12 }: OverviewQuery) => {
    asked.push(slices);
    const model: TraceModel = {
      ...{ leaves: 2, states: 1, slices, parents: Int32Array.of(2, 2, -1), names: ["a"], kinds: [0] },
      values: new Float64Array(2 * slices).fill((toSeconds - fromSeconds) / slices),
      amounts: new Float64Array(2 * slices).fill((toSeconds - fromSeconds) / slices),
      counts: new Float64Array(2 * slices).fill(60 / slices),
      nodes: [-1, -1, -1].map((parent, at) => ({ name: `${at}`, parent: at < 2 ? 2 : parent })),
      ...{ variables: [], stateTypes: [], stateType: "", fromSeconds, toSeconds, uncoveredSeconds: 0, allLeaves: 2 },
    };
    return Promise.resolve(model);
  };
  return { asked, ask: (more: Partial<OverviewQuery>) => keptOverview(trace, { ...query, ...more }, make) };
}

describe("an overview that is looked at", () => {
  it("is answered without the events for other numbers of slices, other kinds, and windows between its slices", async () => {
    const { asked, ask } = reading();
    for (const slices of [30, 10, 20, 50, 100]) {
      const { model } = await ask({ slices });
      expect(model.slices).toBe(slices);
      model.values.forEach((value) => expect(value).toBeCloseTo(12 / slices, 9));
    }
    await ask({ kind: "temporal" });
    await ask({ normalize: true });
    const { model } = await ask({ slices: 10, fromSeconds: 4, toSeconds: 8 });
    expect([model.fromSeconds, model.toSeconds, model.slices]).toEqual([4, 8, 10]);
    model.values.forEach((value) => expect(value).toBeCloseTo(0.4, 9));
    expect(asked).toEqual([300]);
  });

  it("reads events for what does not follow, and keeps the wider model", async () => {
    const { asked, ask } = reading();
    await ask({});
    await ask({ fromSeconds: 1.2345, toSeconds: 7 });
    await ask({ slices: 20 });
    expect(asked).toEqual([300, 300]);
    for (const [metric, value] of [
      ["count", 2],
      ["mean", 0.2],
      ["duration", 0.4],
    ] as const)
      for (const one of (await ask({ metric })).model.values) expect(one).toBeCloseTo(value, 9);
    const { model } = await ask({ metric: "variable", variable: "power" });
    // The mean of what has been this much per second.
    model.values.forEach((value) => expect(value).toBeCloseTo(0.2, 9));
    await ask({ hierarchy: { kind: "every", count: 2, name: "host" } });
    expect(asked).toEqual([300, 300, 300, 300]);
  });

  it("refuses more slices than there is time for, and says how many fit", async () => {
    const { ask } = reading();
    await expect(ask({ slices: 1500 })).rejects.toThrow("1500 slices of 3 resources are too many; 1259 slices fit.");
    await expect(ask({ slices: 1259 })).resolves.toMatchObject({ model: { slices: 1259 } });
  });
});
