import { describe, expect, it, vi } from "vitest";
import { memberHistogram } from "../../src/analysis/memberHistograms";
import type { ArgumentOf, BarHistograms } from "../../src/engine/api";
import { quietTask } from "../../src/model/task";
import { parse } from "../../src/protocol/bounds";
import { type GraphHistograms, MINI_BINS, superGraphPart } from "../../src/protocol/superGraph";
import { areDifferent, histogramShapes, histogramSize } from "../../webviews/superGraph/miniHistograms";
import { plainTheme } from "./kit/plainTheme";
import { definition, sampleGraph } from "./superGraphSamples";

vi.mock("vscode", () => import("./fakeVsCode"));

function histograms(values: readonly number[], more: Partial<GraphHistograms> = {}): GraphHistograms {
  const column = (value: number) => Float64Array.of(value);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    kind: "histograms",
    of: "exclusive",
    member: "rank",
    members: "ranks",
    slowest: [""],
    minimum: column(Math.min(...values)),
    mean: column(mean),
    maximum: column(Math.max(...values)),
    imbalance: column(1),
    first: Int32Array.of(0, 1),
    counts: Int32Array.of(values.length),
    counting: Int32Array.of(values.length),
    values: Float64Array.from(values),
    ...more,
  };
}

/** Left end and height of each column, in pixels. */
function columnsOf(of: GraphHistograms): [left: number, height: number][] {
  const { width, height } = histogramSize(of);
  const path = histogramShapes(of, 0, { x: 0, y: 0, width, height }, plainTheme).find(({ kind }) => kind === "path");
  const d = path?.kind === "path" ? path.d : "";
  return [...d.matchAll(/M([\d.]+),[\d.]+v-([\d.]+)/g)].map(([, left, high]) => [Number(left), Number(high)]);
}

describe("the small histograms of bars", () => {
  it("are there only where more than three members differ by more than 1 % of the mean", () => {
    expect(areDifferent(histograms([1, 2, 3, 4]), 0)).toBe(true);
    expect(areDifferent(histograms([1, 2, 3]), 0)).toBe(false);
    expect(areDifferent(histograms([100, 100.9, 100, 100]), 0)).toBe(false);
    expect(areDifferent(histograms([100, 101.1, 100, 100]), 0)).toBe(true);
    expect(areDifferent(histograms([0, 0, 0, 0]), 0)).toBe(false);
  });

  it("have a column for each of up to 32 members, in their order and as high as their value", () => {
    const few = columnsOf(histograms([6, 0, 12, 3]));
    expect(few.map(([, height]) => height)).toEqual([6, 12, 3]);
    expect(few.map(([left]) => left)).toEqual([0, 10, 15]);
    const all = columnsOf(histograms(Array.from({ length: 32 }, (_, at) => 1 + at)));
    expect(all).toHaveLength(32);
    expect(all.every(([left], at) => at === 0 || left > all[at - 1][0])).toBe(true);
  });

  it("have 16 bins for more members, as high as the members in them", () => {
    const counts = Int32Array.from({ length: 16 }, (_, bin) => bin % 4);
    const more = { values: new Float64Array(), first: Int32Array.of(0, 16), counts, counting: Int32Array.of(4096) };
    const many = columnsOf(histograms([1, 2, 3, 4], more));
    expect(histogramSize(histograms([1, 2, 3, 4], more)).width).toBe(32);
    expect(many.slice(0, 3).map(([, height]) => height)).toEqual([4, 8, 12]);
    expect(many).toHaveLength(12);
  });

  it("of two graphs are each judged by the members of their own, and have bins where these are not as many", async () => {
    const sample = await sampleGraph({ groupBy: "file", runs: true, state: { below: true } });
    const { view, shown } = sample;
    const count = sample.graph.bars.length;
    const [upper] = view.session.dataSets.slice(1);
    /** As an engine answers of 8 and of 2 ranks that differ. */
    const barHistograms = ({ query }: ArgumentOf<"barHistograms">): Promise<BarHistograms> => {
      const ranks = Array.from({ length: query.scope.dataSet === upper.id ? 8 : 2 }, (_, rank) => rank);
      const own = Float64Array.from(ranks, (rank) => 1 + rank);
      const numbers = { ...memberHistogram(own, Int32Array.from(ranks), MINI_BINS), imbalance: 1 };
      return Promise.resolve({
        by: "rank",
        members: ranks.map(String),
        counting: ranks.length,
        bars: Array.from({ length: count }, () => numbers),
        values: Float64Array.from(Array.from({ length: count }, () => [...own]).flat()),
      });
    };
    const engine = new Proxy(view.session.engine, {
      get: (target, name): unknown => (name === "barHistograms" ? barHistograms : Reflect.get(target, name)),
    });
    const session = { ...view.session, engine };
    const laters = definition.later?.map((part) => part.ask(shown, { ...view, session }, quietTask)) ?? [];
    const found = (await Promise.all(laters)).find((part) => part?.kind === "histograms");
    const part = parse(superGraphPart, found);
    if (part?.kind !== "histograms") throw new Error("There are no histograms.");
    expect(part.minimum).toHaveLength(2 * count);
    for (let bar = 0; bar < count; bar++)
      expect([areDifferent(part, bar), areDifferent(part, bar + count)]).toEqual([true, false]);
    expect([part.members, part.values.length]).toEqual(["ranks 0–7; ranks 0–1", 0]);
  });
});
