import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine, Scope } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { RequestError } from "../../../../src/model/errors";
import { grammars, openMiniheat } from "../miniheat";
import { chosenRanks } from "../../../../src/model/members";

/** One region `main` with `work` below it; each record is `branch, attributes, values`. */
const head = `__rec=node,id=21,attr=10,data=77,parent=1
__rec=node,id=22,attr=8,data=mpi.rank,parent=21
__rec=node,id=34,attr=10,data=2113,parent=5
__rec=node,id=35,attr=8,data=sum#time.duration,parent=34
__rec=node,id=37,attr=8,data=max#time.duration,parent=34
__rec=node,id=36,attr=8,data=count,parent=34
__rec=node,id=39,attr=10,data=276,parent=3
__rec=node,id=40,attr=8,data=region,parent=39
__rec=node,id=41,attr=40,data=main
__rec=node,id=42,attr=40,data=work,parent=41
__rec=node,id=43,attr=40,data=again,parent=41
__rec=node,id=44,attr=40,data=work,parent=43
`;
let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-numbers-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function open(...records: string[]): Promise<{ engine: Engine; scopeOf: (metric: string) => Scope }> {
  const engine = localEngine(grammars);
  const file = path.join(folder, "numbers.cali");
  fs.writeFileSync(file, `${head}${records.join("\n")}\n__rec=globals\n`);
  const [info] = await engine.open({ paths: [file] });
  const scopeOf = (name: string): Scope => ({
    dataSet: info.id,
    metric: info.metrics.findIndex((metric) => metric.recordedName === name),
    over: "sum",
  });
  return { engine, scopeOf };
}

describe("a metric that does not add up", () => {
  it("makes no super graph, however ranks are combined", async () => {
    const { engine, scopeOf } = await open(
      "__rec=ctx,ref=41,attr=22=35=37,data=0=1.5=5.5",
      "__rec=ctx,ref=42,attr=22=35=37,data=1=2.5=9.5",
    );
    const scope = scopeOf("max#time.duration");
    for (const over of ["sum", "mean", "max", "min"] as const) {
      const asked = engine.superGraph({ scope: { ...scope, over }, filter: 0, groupBy: "function" });
      await expect(asked).rejects.toThrow(RequestError);
    }
  });
});

describe("a metric none of whose values has a rank", () => {
  it("counts as one rank though other metrics have ranks, and is in no chosen rank", async () => {
    const { engine, scopeOf } = await open(
      "__rec=ctx,ref=41,attr=22=35,data=0=1.5",
      "__rec=ctx,ref=42,attr=22=35,data=1=2.5",
      "__rec=ctx,ref=42,attr=36,data=7",
    );
    const count = scopeOf("count");
    for (const over of ["sum", "mean", "max", "min"] as const) {
      expect(await engine.total({ ...count, over })).toBe(7);
      const graph = await engine.superGraph({ scope: { ...count, over }, filter: 0, groupBy: "function" });
      const costs = new Map(graph.bars.map(({ id, exclusive }) => [id, exclusive]));
      expect(costs).toEqual(new Map(Object.entries({ main: 0, again: 0, work: 7 })));
    }
    expect(await engine.total({ ...count, over: "mean", chosen: chosenRanks([0]) })).toBe(0);
    expect(await engine.total({ ...scopeOf("sum#time.duration"), over: "mean" })).toBe(2);
  });
});

describe("a branch whose rank is no number", () => {
  it("gives no rank, rather than rank 0", async () => {
    const { engine, scopeOf } = await open(
      "__rec=node,id=50,attr=22,data=",
      "__rec=node,id=51,attr=22,data=3",
      "__rec=node,id=52,attr=22,data=4",
      "__rec=ctx,ref=41=50,attr=35,data=1.5",
      "__rec=ctx,ref=41=51,attr=35,data=2.5",
      "__rec=ctx,ref=41=52,attr=35,data=3.5",
    );
    const time = scopeOf("sum#time.duration");
    expect(await engine.total(time)).toBe(7.5);
    // Of two ranks; with a rank 0 it were of three.
    expect(await engine.total({ ...time, over: "mean" })).toBe(3);
  });
});

describe("the hottest places", () => {
  it("are the extremes over ranks of a frame as a whole, not sums of extremes", async () => {
    const { engine, scopeOf } = await open(
      "__rec=ctx,ref=42,attr=22=35,data=0=3.5",
      "__rec=ctx,ref=44,attr=22=35,data=1=2.5",
      "__rec=ctx,ref=41,attr=22=35,data=0=5.5",
    );
    const scope = { ...scopeOf("sum#time.duration"), over: "max" } as const;
    const places = await engine.hotPlaces({ scope, limit: 2 });
    expect(places.map(({ name, exclusive }) => [name, exclusive])).toEqual([
      ["main", 5.5],
      ["work", 3.5],
    ]);
  });
});

it("the total that is listed is the one that shares are of, to the last digit", async () => {
  const { engine, info, scope } = await openMiniheat();
  expect(info.metrics[scope.metric].total).toBe(await engine.total(scope));
});
