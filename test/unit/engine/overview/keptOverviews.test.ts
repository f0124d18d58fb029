import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestModel } from "../../../../src/engine/overview/fold";
import { keptOverview, mostSlicesOf } from "../../../../src/engine/overview/keptOverviews";
import type { OverviewQuery } from "../../../../src/engine/overview/overviewApi";
import type { TraceModel } from "../../../../src/engine/overview/namedModel";
import { checkCells } from "../../../../src/engine/overview/slicedCells";
import { RequestError } from "../../../../src/model/errors";
import type { TraceOutline } from "../../../../src/model/trace";

const END = 12;
const query: OverviewQuery = {
  dataSet: 0,
  kind: "spatiotemporal",
  slices: 30,
  normalize: false,
  metric: "duration",
  hierarchy: { kind: "recorded" },
};

/** Of each row (a state of one of two leaves) what it has in each slice. */
function modelOf(
  rows: readonly (readonly number[])[],
  { fromSeconds = 0, toSeconds = END }: Pick<OverviewQuery, "fromSeconds" | "toSeconds">,
): TraceModel {
  const slices = rows[0].length;
  const amounts = Float64Array.from(rows.flat());
  return {
    leaves: 2,
    states: rows.length / 2,
    slices,
    parents: Int32Array.of(2, 2, -1),
    values: amounts,
    amounts,
    counts: amounts.map((one) => 5 * one),
    names: rows.slice(rows.length / 2).map((_, at) => `${at}`),
    kinds: rows.slice(rows.length / 2).map(() => 0),
    nodes: [-1, -1, -1].map((parent, at) => ({ name: `${at}`, parent: at < 2 ? 2 : parent })),
    variables: [],
    stateTypes: [],
    stateType: "",
    fromSeconds,
    toSeconds,
    uncoveredSeconds: 0,
    allLeaves: 2,
  };
}

/** Two leaves over 12 s, each in one state as long as its slice, and what is asked of the trace. */
function reading({ lanes = 2, events = 100 } = {}) {
  const asked: number[] = [];
  const trace = { lanes, endSeconds: END } as TraceOutline;
  const make = (wanted: OverviewQuery) => {
    const { slices, fromSeconds = 0, toSeconds = END } = wanted;
    asked.push(slices);
    const row = Array.from({ length: slices }, () => (toSeconds - fromSeconds) / slices);
    return Promise.resolve(modelOf([row, row], wanted));
  };
  const source = { make, events: () => events, endSeconds: () => END };
  return {
    asked,
    source,
    ask: (more: Partial<OverviewQuery>) => keptOverview(trace, { ...query, ...more }, source),
  };
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

  it("reads events for what does not follow, and keeps the wider model and the one of the last window", async () => {
    const { asked, ask } = reading();
    await ask({});
    const window = { fromSeconds: 1.2345, toSeconds: 7 };
    await ask(window);
    await ask({ slices: 20 });
    await ask({ ...window, slices: 50 });
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

  it("keeps no more finer models than have room: of many lanes one with fewer slices, of more none", async () => {
    // 16 bytes a cell, 16 states: 64 MB are 250 slices of 1,000 lanes, and 2 of 100,000.
    const many = reading({ lanes: 1000 });
    for (const slices of [30, 10, 20, 50]) await many.ask({ slices });
    expect(many.asked).toEqual([240, 250]);
    const most = reading({ lanes: 100_000 });
    await most.ask({});
    expect(most.asked).toEqual([30]);
  });

  it("refuses more slices than there is time for, and says how many fit", async () => {
    const { ask } = reading();
    await expect(ask({ slices: 1500 })).rejects.toThrow("1500 slices of 3 resources are too many; 1259 slices fit.");
    await expect(ask({ slices: 1259 })).resolves.toMatchObject({ model: { slices: 1259 } });
  });

  it("has no more slices than there is memory for, however little time they would take", () => {
    // Gain, loss and choice of each node and stretch of slices: 18 bytes, 512 MB in all.
    for (const nodes of [20_001, 150_001]) {
      const most = mostSlicesOf("spatiotemporal", { nodes, series: nodes });
      const bytesOf = (slices: number) => nodes * ((slices * (slices + 1)) / 2) * 18;
      expect([bytesOf(most) <= 512e6, bytesOf(most + 1) > 512e6]).toEqual([true, true]);
    }
  });

  it("has up to 10,000 slices over time alone, as states of resources leave time for them", () => {
    expect(mostSlicesOf("temporal", { nodes: 150_001, series: 40 })).toBe(10_000);
    expect(mostSlicesOf("temporal", { nodes: 150_001, series: 320 })).toBe(3535);
    expect(mostSlicesOf("temporal", { nodes: 1, series: 0 })).toBe(10_000);
  });

  it("is as fine as it is asked for where there are too many states to be kept in finer slices", async () => {
    const { asked, source } = reading();
    const make = (wanted: OverviewQuery) => {
      // So many states that 16,000,000 values are 60 slices of them.
      checkCells(266_666, wanted.slices);
      return source.make(wanted);
    };
    const trace = { lanes: 2 } as TraceOutline;
    await keptOverview(trace, query, { ...source, make });
    expect(asked).toEqual([30]);
    await expect(keptOverview(trace, { ...query, slices: 100 }, { ...source, make })).rejects.toThrow(
      "in 100 slices are more than the 16,000,000 values that are kept: choose fewer slices",
    );
    // What is wrong with a question itself is not asked twice.
    let times = 0;
    const refuse = () => (times++, Promise.reject(new RequestError("no")));
    const other = { ...query, metric: "count" } as const;
    await expect(keptOverview({ ...trace }, other, { ...source, make: refuse })).rejects.toThrow("no");
    expect(times).toBe(1);
  });
});

describe("an overview that takes long", () => {
  const large = () => reading({ events: 1e8 });

  it("is the nearest that is known where that will do, and the exact one as soon as it was asked for", async () => {
    const { asked, ask } = large();
    // Of a trace of which nothing is known there is nothing near.
    expect((await ask({ orNearest: true })).isNear).toBeUndefined();
    const window = { fromSeconds: 1.2345, toSeconds: 7 };
    const near = await ask({ ...window, orNearest: true });
    expect([near.isNear, near.model.slices, near.model.fromSeconds, near.model.toSeconds]).toEqual([
      true,
      30,
      1.2345,
      7,
    ]);
    // What is asked of it meanwhile is of the same.
    expect(await ask({ ...window, orNearest: true })).toBe(near);
    expect(asked).toEqual([300]);
    const exact = await ask(window);
    expect(exact.isNear).toBeUndefined();
    expect(asked).toEqual([300, 300]);
    expect(await ask({ ...window, orNearest: true })).toBe(exact);
  });

  it("is exact at once where slices divide, where little is read, and of what was not looked at before", async () => {
    const { asked, ask, source } = large();
    await ask({});
    expect((await ask({ slices: 50, orNearest: true })).isNear).toBeUndefined();
    expect((await ask({ without: ["a"], orNearest: true })).isNear).toBeUndefined();
    expect(asked).toEqual([300, 300]);
    source.events = () => 100;
    await ask({});
    expect((await ask({ slices: 37, orNearest: true })).isNear).toBeUndefined();
  });

  it("knows nothing near beyond the window that was read", async () => {
    const { asked, ask } = large();
    await ask({ fromSeconds: 2, toSeconds: 5 });
    expect((await ask({ fromSeconds: 1, toSeconds: 5, orNearest: true })).isNear).toBeUndefined();
    expect(asked).toEqual([300, 300]);
  });

  it("stays near while the exact one is on its way, also where that ends without an answer", async () => {
    const { ask, source } = large();
    await ask({});
    const near = await ask({ slices: 37, orNearest: true });
    source.make = () => Promise.reject(new Error("It was cancelled."));
    await expect(ask({ slices: 37 })).rejects.toThrow("It was cancelled.");
    expect(await ask({ slices: 37, orNearest: true })).toBe(near);
  });
});

describe("the nearest of a finer model", () => {
  /** Slices of the model have so many moments each, so do those that are asked for. */
  const cases = fc
    .record({
      fine: fc.integer({ min: 1, max: 12 }),
      moments: fc.integer({ min: 1, max: 6 }),
      slices: fc.integer({ min: 1, max: 9 }),
      wide: fc.integer({ min: 1, max: 9 }),
      skipped: fc.nat(40),
      values: fc.infiniteStream(fc.nat(1000)),
    })
    .filter(({ fine, moments, slices, wide, skipped }) => skipped + slices * wide <= fine * moments);

  it("has of each moment what its slice of the model has in the mean, so that nothing is lost or made up", () => {
    fc.assert(
      fc.property(cases, ({ fine, moments, slices, wide, skipped, values }) => {
        const next = () => Number(values.next().value);
        const rows = Array.from({ length: 4 }, () => Array.from({ length: fine }, next));
        const model = modelOf(rows, { fromSeconds: 3, toSeconds: 3 + fine * moments });
        const asked = { ...query, slices, fromSeconds: 3 + skipped, toSeconds: 3 + skipped + slices * wide };
        const { amounts, counts } = nearestModel(model, asked, END) ?? expect.fail("nothing near");
        rows.forEach((row, at) => {
          const every = row.flatMap((one) => Array.from({ length: moments }, () => one / moments));
          for (let slice = 0; slice < slices; slice++) {
            const from = skipped + slice * wide;
            const sum = every.slice(from, from + wide).reduce((all, one) => all + one, 0);
            expect(amounts[at * slices + slice]).toBeCloseTo(sum, 6);
            expect(counts[at * slices + slice]).toBeCloseTo(5 * sum, 6);
          }
        });
      }),
    );
  });

  it("has of the whole window all that the model has", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 60 }),
        (row, slices) => {
          const model = modelOf([row, row], {});
          const { amounts, uncoveredSeconds } = nearestModel(model, { ...query, slices }, END) ?? expect.fail();
          const sum = (of: Iterable<number>) => [...of].reduce((all, one) => all + one, 0);
          expect(sum(amounts)).toBeCloseTo(2 * sum(row), 6);
          expect(uncoveredSeconds).toBe(model.uncoveredSeconds);
        },
      ),
    );
  });
});
