import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { CorrelationQuery, DataSetInfo, Engine, GraphQuery, Scope, Target } from "../../../../src/engine/api";
import { chosenRanks } from "../../../../src/model/members";
import { miniheat } from "../../../recordings";
import { openMiniheat } from "../miniheat";

interface GoldenRecord {
  readonly path?: string;
  readonly "mpi.rank"?: number;
  readonly "sum#sum#time.duration": number;
}

/** Seconds on each of the 8 ranks of the records whose innermost frame is chosen, as Caliper's own tool printed them. */
function goldenSeconds(isChosen: (frame: string) => boolean): number[] {
  const file = path.join(miniheat, "profiles/golden/profile-8ranks.records.json");
  const records = JSON.parse(fs.readFileSync(file, "utf8")) as GoldenRecord[];
  const seconds = new Array<number>(8).fill(0);
  for (const record of records) {
    const rank = record["mpi.rank"];
    const frame = record.path?.split("/").at(-1);
    if (rank !== undefined && frame !== undefined && isChosen(frame)) seconds[rank] += record["sum#sum#time.duration"];
  }
  return seconds;
}

/** Pearson's correlation and slope as a textbook has them. */
function textbook(x: readonly number[], y: readonly number[]) {
  const n = x.length;
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const cross = (a: readonly number[], b: readonly number[]) =>
    sum(a.map((value, at) => value * b[at])) - (sum(a) * sum(b)) / n;
  return { r: cross(x, y) / Math.sqrt(cross(x, x) * cross(y, y)), slope: cross(x, y) / cross(x, x) };
}

describe("how two values go together", () => {
  let engine: Engine;
  let info: DataSetInfo;
  let scope: Scope;
  let mpi: Target;
  let conductivity: Target;
  const ask = (query: Partial<CorrelationQuery>) =>
    engine.correlation({
      x: { scope, value: "exclusive" },
      y: { scope, value: "inclusive" },
      points: "rank",
      mostPoints: 20_000,
      ...query,
    });

  beforeAll(async () => {
    ({ engine, info, scope } = await openMiniheat());
    const query: GraphQuery = { scope, filter: 0, groupBy: "file" };
    mpi = { kind: "bar", query, bar: "MPI" };
    const rows = await engine.hotFunctions({ scope, by: "exclusive", limit: 100 });
    const id = rows.find(({ name }) => name === "updateConductivity")?.function ?? NaN;
    conductivity = { kind: "function", function: id };
  });

  it("is below -0.99 for the ranks' updateConductivity and MPI: two ranks compute, the others wait", async () => {
    // The tool prints microseconds.
    const expectedX = goldenSeconds((frame) => frame === "updateConductivity");
    const expectedY = goldenSeconds((frame) => frame.startsWith("MPI_"));
    const expected = textbook(expectedX, expectedY);
    expect(expected.r).toBeLessThan(-0.99);
    const answer = await ask({
      x: { scope, value: "exclusive", target: conductivity },
      y: { scope, value: "exclusive", target: mpi },
    });
    expect(answer.names).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
    expectedX.forEach((seconds, rank) => expect(answer.x[rank]).toBeCloseTo(seconds, 5));
    expectedY.forEach((seconds, rank) => expect(answer.y[rank]).toBeCloseTo(seconds, 5));
    if (answer.fit.kind !== "line") throw new Error(answer.fit.kind);
    expect(answer.fit).toMatchObject({ points: 8, leftOut: 0 });
    expect(answer.fit.r).toBeCloseTo(expected.r, 4);
    expect(answer.fit.slope / expected.slope).toBeCloseTo(1, 4);
    expect(answer.fit.r).toBeLessThan(-0.99);
  });

  it("takes a metric for each axis: samples are a count at a frequency, so time is a line of it", async () => {
    const sampled = await openMiniheat("profiles/samples-4ranks-callpath.cali");
    const axis = (name: string) => {
      const metric = sampled.info.metrics.findIndex((candidate) => candidate.name === name);
      return { scope: { ...sampled.scope, metric }, value: "inclusive" } as const;
    };
    const names = sampled.info.metrics.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["count", "time"]));
    const query: CorrelationQuery = { x: axis("count"), y: axis("time"), points: "function", mostPoints: 20_000 };
    const { fit, x, y } = await sampled.engine.correlation(query);
    if (fit.kind !== "line") throw new Error(fit.kind);
    expect(fit.r).toBeCloseTo(1, 9);
    expect(fit.slope).toBeCloseTo(y[0] / x[0], 9);
    expect(fit.intercept).toBeCloseTo(0, 9);
  });

  it("does not follow a restriction of members, and says which are chosen", async () => {
    const restricted = { ...scope, chosen: chosenRanks([0, 4]) };
    const answer = await ask({ x: { scope: restricted, value: "exclusive" } });
    const { chosen, ...rest } = answer;
    expect(rest).toEqual(await ask({}));
    expect([...(chosen ?? [])]).toEqual([1, 0, 0, 0, 1, 0, 0, 0]);
  });

  it("says where both values are the same: of the whole recording, and of one bar asked for in two ways", async () => {
    expect((await ask({})).same).toBe(true);
    const query: GraphQuery = { groupBy: "file", filter: 0, scope: { ...scope, chosen: chosenRanks([0]) } };
    const again: Target = { kind: "bar", query, bar: "MPI" };
    const axis = { scope, value: "exclusive" } as const;
    const ofMpi = { ...axis, target: mpi };
    expect((await ask({ x: ofMpi, y: { ...axis, target: again } })).same).toBe(true);
    expect((await ask({ x: ofMpi, y: { ...axis, target: conductivity } })).same).toBe(false);
    expect((await ask({ points: "function" })).same).toBe(false);
    expect((await ask({ points: "function", mostPoints: 1 })).same).toBe(false);
  });

  it("has a point for each context and function with a value, with the numbers that lists have", async () => {
    for (const chosen of [undefined, chosenRanks([0, 4])]) {
      const asked: Scope = { ...scope, over: "mean", ...(chosen ? { chosen } : {}) };
      const axes = { x: { scope: asked, value: "exclusive" }, y: { scope: asked, value: "inclusive" } } as const;
      const ofFunctions = await ask({ ...axes, points: "function" });
      const rows = await engine.hotFunctions({ scope: asked, by: "inclusive", limit: 1000 });
      const present = rows.filter(({ exclusive, inclusive }) => exclusive !== 0 || inclusive !== 0);
      expect(ofFunctions.count).toBe(present.length);
      expect(ofFunctions.count + ofFunctions.without).toBe(info.functions);
      for (const row of present) {
        const at = ofFunctions.ids.indexOf(row.function);
        const point = { name: ofFunctions.names[at], x: ofFunctions.x[at], y: ofFunctions.y[at] };
        expect(point).toEqual({ name: row.name, x: row.exclusive, y: row.inclusive });
      }
      const ofContexts = await ask({ ...axes, points: "context" });
      expect(ofContexts.count + ofContexts.without).toBe(info.contexts);
      const total = [...ofContexts.x].reduce((sum, value) => sum + value, 0);
      expect(total).toBeCloseTo(await engine.total(asked), 9);
    }
  });

  it("counts points by cell where there are more than asked for, and fits all of them", async () => {
    const all = await ask({ points: "context" });
    const counted = await ask({ points: "context", mostPoints: 10 });
    expect(all.density).toBeUndefined();
    expect(counted.fit).toEqual(all.fit);
    expect(counted.count).toBe(all.count);
    expect([...(counted.density?.counts ?? [])].reduce((sum, count) => sum + count, 0)).toBe(all.count);
    expect(counted.names.length).toBe(counted.density?.cells.length);
    counted.ids.forEach((id, cell) => {
      const at = all.ids.indexOf(id);
      expect([counted.names[cell], counted.x[cell], counted.y[cell]]).toEqual([all.names[at], all.x[at], all.y[at]]);
    });
  });

  it("says that one thread is too few for a line", async () => {
    const { fit, names } = await ask({ points: "host" });
    expect(names.length).toBeLessThan(3);
    expect(fit).toEqual({ kind: "too-few", points: names.length, leftOut: 0 });
  });
});
