import { expect, it } from "vitest";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { runTotals } from "../../../../src/engine/dataSets/runTotals";
import { ComparedSubject } from "../../../../src/engine/graphs/comparedSubject";
import { Graphs } from "../../../../src/engine/graphs/graphs";
import { SingleSubject } from "../../../../src/engine/graphs/graphSubject";
import type { Links } from "../../../../src/engine/lines/links";
import { jointFunctions } from "../../../../src/model/jointFunctions";
import type { OverRanks } from "../../../../src/model/metrics";
import { quietTask } from "../../../../src/model/task";
import { type Cost, openRecording, recordingOf } from "../recordings";

/** Two ranks, and 276 ms of none. */
const costs: readonly Cost[] = [
  [["main"], 0, 2],
  [["main"], 1, 4],
  [["main", "MPI_Wait"], 1, 1],
  [["outside"], -1, 0.276],
];
/** All of no rank. */
const outside = { exclusive: 0.276, inclusive: 0.276 };

it("what has no rank is shown as what it is where its mean over ranks is 0", async () => {
  const { open } = openRecording(costs);
  const graphs = new Graphs(new SingleSubject(open, { notes: () => [] } as unknown as Links));
  const bars = async (over: OverRanks) => {
    const query = { scope: { dataSet: 1, metric: 0, over }, filter: 0, groupBy: "function", barsOnly: true } as const;
    const graph = await graphs.superGraph(query, quietTask);
    return new Map(graph.bars.map(({ id, inclusive, noRank }) => [id, [inclusive, noRank]]));
  };
  expect(await bars("mean")).toEqual(
    new Map([
      ["main", [3.5, undefined]],
      ["outside", [0, outside]],
      ["MPI_Wait", [0.5, undefined]],
    ]),
  );
  expect((await bars("sum")).get("outside")).toEqual([0.276, undefined]);
  // The smallest of several ranks may be 0 though another one has something.
  for (const over of ["min", { rank: 0 }] as const) {
    expect((await bars(over)).get("MPI_Wait")).toEqual([0, undefined]);
    expect((await bars(over)).get("outside")).toEqual([0, outside]);
  }
});

it("of two recordings that are compared, what one of them lacks is 0 there, and not without a rank", async () => {
  const fresh: Cost = [["main", "fresh"], 1, 2];
  const runs = [costs, [...costs, fresh]].map((own, at) => new OpenDataSet(at + 1, recordingOf(own), 0));
  const links = { notes: () => [] } as unknown as Links;
  const [scope, compared] = [1, 2].map((dataSet) => ({ dataSet, metric: 0, over: "mean" }) as const);
  const joint = jointFunctions(runs.map(({ functions, dataSet }) => ({ functions, frames: dataSet.frames })));
  const subject = new ComparedSubject(runs, joint, links);
  const query = { scope, compared, filter: 0, groupBy: "function", barsOnly: true } as const;
  const graphs = new Graphs(subject);
  const { bars } = await graphs.superGraph(query, quietTask);
  expect(bars.filter(({ isMissing }) => isMissing).map(({ id }) => id)).toEqual(["fresh"]);
  const back = await graphs.superGraph({ ...query, scope: compared, compared: scope }, quietTask);
  expect(back.bars.filter(({ isMissing }) => isMissing)).toEqual([]);
  const found = new Map(bars.map(({ id, inclusive, noRank }) => [id, [inclusive, noRank]]));
  expect([found.get("fresh"), found.get("outside")]).toEqual([
    [0, undefined],
    [0, outside],
  ]);
});

it("what has no rank is said of a bar's exclusive alone, where only what it calls is of ranks", async () => {
  const { open } = openRecording([...costs, [["setup"], -1, 0.5], [["setup", "read"], 0, 3]]);
  const graphs = new Graphs(new SingleSubject(open, { notes: () => [] } as unknown as Links));
  const query = { filter: 0, groupBy: "function", barsOnly: true } as const;
  const graph = async (over: OverRanks) => {
    const { bars } = await graphs.superGraph({ ...query, scope: { dataSet: 1, metric: 0, over } }, quietTask);
    return bars.find(({ id }) => id === "setup");
  };
  expect(await graph("mean")).toMatchObject({ inclusive: 1.5, exclusive: 0, noRank: { exclusive: 0.5, inclusive: 0 } });
  expect(await graph("sum")).toMatchObject({ inclusive: 3.5, exclusive: 0.5 });
  expect((await graph("sum"))?.noRank).toBeUndefined();
});

it("a recording's totals have MPI with all that is in it, how ranks differ, and what has no rank", () => {
  const { open } = openRecording(costs);
  const scope = { dataSet: 1, metric: 0, over: "mean" } as const;
  const { spread, noRank = NaN, ...totals } = runTotals(open, scope);
  expect(totals).toEqual({ total: 3.5, mpi: 0.5 });
  expect(noRank).toBeCloseTo(0.276, 12);
  expect(spread).toMatchObject({ imbalance: 5 / 3.5, slowest: "1", members: 2 });
  expect(runTotals(open, { ...scope, over: "sum" })).toMatchObject({ total: 7.276, mpi: 1 });
  const alone = openRecording([
    [["main"], 0, 2],
    [["outside"], -1, 1],
  ]);
  expect(runTotals(alone.open, scope)).toEqual({ total: 3 });
});
