import { describe, expect, it } from "vitest";
import type { CorrelationAxis, CorrelationQuery } from "../../../../src/engine/api";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { correlationOf } from "../../../../src/engine/members/correlatedMembers";
import { chosenRanks } from "../../../../src/model/members";
import { quietTask } from "../../../../src/model/task";
import { openRecording, recordingOf, timeMetric } from "../recordings";

const withMpi = `
  main 1
    solve rank0=9 rank1=5 rank2=4
    MPI_Wait rank0=1 rank1=5 rank2=6
    MPI_Init 3`;

/** One recording of several metrics, each with its costs in the same tree. */
function several(...texts: readonly string[]): OpenDataSet {
  const [first, ...more] = texts.map(recordingOf);
  const metrics = texts.map((_, at) => ({ ...timeMetric, name: `metric${at}` }));
  return new OpenDataSet(1, { ...first, metrics, values: [first, ...more].flatMap(({ values }) => values) }, 0);
}

const axis = (more: Partial<CorrelationAxis> = {}, metric = 0): CorrelationAxis => ({
  scope: { dataSet: 1, metric, over: "sum" },
  value: "exclusive",
  ...more,
});
const mpi = axis({ value: "inclusive", target: { kind: "mpi" } });
const open = axis({ isOpen: true });

async function ask(data: OpenDataSet, query: Partial<CorrelationQuery>) {
  const asked = { x: mpi, y: open, points: "rank", mostPoints: 100, anyMetric: true, ...query } as const;
  const graphs = () => expect.fail("no graph is asked for");
  const { x, y, standIns, hasMpi, fit } = await correlationOf(data, graphs, asked, quietTask);
  return { x: [...x], y: [...y], standIns, hasMpi, isLine: fit.kind === "line" };
}

describe("what a correlation starts with", () => {
  it("is the hottest function but for MPI over MPI's time with all that is below it", async () => {
    const all = { x: [4, 8, 9], y: [9, 5, 4], hasMpi: true, isLine: true };
    const data = several(withMpi);
    expect(await ask(data, {})).toEqual({
      ...all,
      standIns: { y: { metric: 0, value: "exclusive", is: "hottest", name: "solve" } },
    });
    // Whatever is chosen: a brush changes no axis.
    const scope = { ...open.scope, chosen: chosenRanks([2]) };
    expect(await ask(data, { x: { ...mpi, scope }, y: { ...open, scope } })).toMatchObject(all);
  });

  it("says whose a function is whose name the tool did not know, on an axis and at its point", async () => {
    const unknown = { name: "<unknown procedure>", kind: "function", address: 16 } as const;
    const { open: data } = openRecording([
      [["main", { ...unknown, module: "/usr/lib64/libpsm.so.1" }], 0, 3],
      [["main", { ...unknown, module: "/usr/lib64/libpsm.so.1" }], 1, 5],
      [["main", { ...unknown, module: "/opt/libucp.so.0" }], 0, 4],
    ]);
    const called = ["main", "<unknown procedure> in libucp.so.0", "<unknown procedure> in libpsm.so.1"];
    expect((await ask(data, { x: axis(), y: open })).standIns?.y?.name).toBe(called[2]);
    const graphs = () => expect.fail("no graph is asked for");
    const query = { x: axis({ target: { kind: "function", function: 2 } }), y: axis(), mostPoints: 100 } as const;
    expect((await correlationOf(data, graphs, { ...query, points: "rank" }, quietTask)).functions?.x).toBe(called[2]);
    const answer = await correlationOf(data, graphs, { ...query, points: "function" }, quietTask);
    expect(answer.names).toEqual([unknown.name, unknown.name]);
    expect(answer.placed).toEqual(called.slice(1));
  });

  it("is of what is selected, where something is", async () => {
    const data = several(withMpi);
    const main = data.functions.ofContext[0];
    const y = axis({ value: "inclusive", target: { kind: "function", function: main } });
    expect(await ask(data, { y })).toEqual({
      x: [4, 8, 9],
      y: [14, 14, 14],
      standIns: {},
      hasMpi: true,
      isLine: false,
    });
  });

  it("is never the same on both axes: of MPI on y, x is of the hottest function", async () => {
    const { x, y, standIns } = await ask(several(withMpi), { x: open, y: mpi });
    expect([x, y, standIns?.x?.name]).toEqual([[9, 5, 4], [4, 8, 9], "solve"]);
  });

  it("leaves out what does not vary: the hottest function, and then the whole recording is on y", async () => {
    const { y, standIns } = await ask(
      several("main 100 \n  other rank0=1 rank1=2 rank2=4\n  MPI_Wait rank0=4 rank1=1 rank2=1"),
      {},
    );
    expect([y, standIns?.y?.is]).toEqual([[105, 103, 105], "whole"]);
  });

  it("without MPI is the two metrics whose totals vary most as parts of their means", async () => {
    const even = "main 100\n  solve 1";
    const little = "main rank0=100 rank1=101 rank2=102\n  solve 1";
    const most = "main 0.1\n  solve rank0=1 rank1=2 rank2=3";
    const second = "main 1\n  solve rank0=1000 rank1=1200 rank2=1000";
    const data = several(even.replace("100", "rank0=100 rank1=100 rank2=100"), little, second, most);
    const { x, y, standIns, hasMpi } = await ask(data, {});
    expect([standIns?.x?.metric, standIns?.y?.metric, hasMpi]).toEqual([3, 2, false]);
    [1.1, 2.1, 3.1].forEach((value, rank) => expect(x[rank]).toBeCloseTo(value, 12));
    expect(y).toEqual([1001, 1201, 1001]);
    // Of what is selected, both.
    const solve = { kind: "function", function: data.functions.ofContext[1] } as const;
    const selected = await ask(data, { y: axis({ target: solve }) });
    expect([selected.x, selected.y]).toEqual([
      [1, 2, 3],
      [1000, 1200, 1000],
    ]);
    // Time and samples of one recording are multiples of each other, but for rounding: no pair.
    const samples = "main rank0=550.001 rank1=1050 rank2=1550\n  solve 0";
    const withSamples = await ask(several(most, samples, second), {});
    expect([withSamples.standIns?.x?.metric, withSamples.standIns?.y?.metric]).toEqual([0, 2]);
    // Without another pair: the hottest function over the whole recording, not over itself.
    const twice = "main 0.2\n  solve rank0=2 rank1=4 rank2=6\n  other rank0=3 rank1=1 rank2=2";
    const half = "main 0.1\n  solve rank0=1 rank1=2 rank2=3\n  other rank0=1.5 rank1=0.5 rank2=1";
    const multiples = await ask(several(twice, half), {});
    expect(multiples.standIns).toMatchObject({
      x: { metric: 0, is: "whole" },
      y: { metric: 0, is: "hottest", name: "solve" },
    });
    expect([multiples.x.map(Math.round), multiples.y]).toEqual([
      [5, 5, 8],
      [2, 4, 6],
    ]);
    // A metric that was chosen stays.
    expect(
      (await ask(data, { anyMetric: false, y: axis({ isOpen: true }, 3), x: { ...mpi, scope: axis({}, 3).scope } }))
        .standIns,
    ).toMatchObject({
      x: { metric: 3, is: "whole" },
      y: { metric: 3, is: "hottest", name: "solve" },
    });
  });

  it("takes no metric that is a multiple of the first one, as samples are of their time", async () => {
    const seconds = "main 0\n  solve rank0=0.012024 rank1=0.004008 rank2=0.006012\n  f rank0=0.1 rank1=0.2 rank2=0.2";
    const samples = "main 0\n  solve rank0=6 rank1=2 rank2=3\n  f rank0=50 rank1=100 rank2=100";
    const other = "main 0\n  solve rank0=5 rank1=4 rank2=5\n  f 1";
    const { standIns } = await ask(several(seconds, samples), {});
    expect([standIns?.x, standIns?.y].map((one) => one?.is)).toEqual(["whole", "hottest"]);
    const three = (await ask(several(seconds, samples, other), {})).standIns;
    expect([three?.x?.metric, three?.y?.metric]).toEqual([0, 2]);
  });
});
