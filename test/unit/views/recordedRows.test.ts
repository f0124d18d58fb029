import { describe, expect, it } from "vitest";
import type { DataSetInfo, Engine, LaneRow, TraceOutline } from "../../../src/engine/api";
import type { Session } from "../../../src/session/session";
import type { Row } from "../../../src/views/row";
import { dataSetRows } from "../../../src/views/dataSetRows";
import { RecordedContent } from "../../../src/views/recordedContent";
import {
  categoryRow,
  counterRow,
  iterationRow,
  laneRow,
  messagePairRow,
  recordedRows,
  resourceRow,
  transferRow,
} from "../../../src/views/recordedRows";
import { dataSetInfo } from "../session/sampleInfo";

const trace: TraceOutline = {
  lanes: 64,
  events: 15_712,
  startSeconds: 0.5,
  endSeconds: 8.8,
  counters: 3,
  counterNames: ["a", "b", "c"],
  messages: { count: 2232, bytes: 4_571_136 },
  arrows: 7,
  transfers: { count: 3, bytes: 3_221_225_472, directions: [] },
  links: 2239,
  categories: 1,
};

const lane: LaneRow = {
  lane: 3,
  name: "rank 3",
  kind: "intervals",
  events: 1964,
  startSeconds: 1,
  endSeconds: 5,
  coveredSeconds: 3,
  uncoveredSeconds: 1,
  frames: [
    { name: "MPI_Wait", seconds: 2 },
    { name: "", seconds: 1 },
  ],
  moreFrames: 12,
};

const told = (rows: readonly Row[]) => rows.map(({ label, description }) => `${label}: ${description}`);

describe("rows of what a recording has beside profiles", () => {
  it("have counts and totals of everything that happened in time", () => {
    expect(told(recordedRows(dataSetInfo({ trace })))).toEqual([
      "Lanes: 64 · 15,712 events in 8.30 s",
      "Categories: 1",
      "Counters: 3",
      "Messages: 2,232 · 4.57 MB",
      "Flows and launches: 7",
      "Transfers: 3 · 3.22 GB",
    ]);
    const directions = [
      { name: "HtoD", count: 3, bytes: 3_221_225_472 },
      { name: "memset", count: 12_345, bytes: 1e12 },
      { name: "pagefaults.gpu", count: 2, bytes: 0 },
    ];
    const kinds = recordedRows(dataSetInfo({ trace: { ...trace, transfers: { ...trace.transfers, directions } } }));
    expect(told(kinds).at(-1)).toBe("Transfers: 3 · 3.22 GB, memset 12,345, pagefaults.gpu 2");
    const category = { name: "gpu_memcpy", kind: "transfer", events: 3, seconds: 0.25 } as const;
    expect(told([categoryRow(1, category)])).toEqual(["gpu_memcpy: 3 events · 250 ms"]);
  });

  it("are not there for what is not there", () => {
    expect(recordedRows(dataSetInfo())).toEqual([]);
    const nothing = { ...trace, counters: 0, arrows: 0, messages: { count: 0, bytes: 0 }, categories: 0 };
    const rows = recordedRows(
      dataSetInfo({ trace: { ...nothing, transfers: { count: 0, bytes: 0, directions: [] } } }),
    );
    expect(told(rows)).toEqual(["Lanes: 64 · 15,712 events in 8.30 s"]);
  });

  it("are written in the singular where there is one", () => {
    const [lanes] = recordedRows(dataSetInfo({ trace: { ...trace, lanes: 1, events: 1 } }));
    expect(told([lanes])).toEqual(["Lanes: 1 · 1 event in 8.30 s"]);
  });

  it("have no size of messages where none was recorded", () => {
    const rows = recordedRows(dataSetInfo({ trace: { ...trace, messages: { count: 17, bytes: 0 } } }));
    expect(told(rows)).toContain("Messages: 17");
    expect(told([messagePairRow(1, { from: "a", to: "b", count: 17, bytes: 0 })])).toEqual(["a → b: 17 messages"]);
  });

  it("name a few types of resources, and count the others", () => {
    const resources = Array.from({ length: 11 }, (_, at) => ({ type: `type${at}`, count: at + 1 }));
    const [row] = recordedRows(dataSetInfo({ resources }));
    expect(row.description).toMatch(/^type0: 1, type1: 2, .*type7: 8, 3 more types$/);
  });

  it("have one row a loop, with its metrics below", () => {
    const series = [
      { name: "timestep", metric: 0, iterations: 20, rows: 160 },
      { name: "solve", metric: 0, iterations: 1200, rows: 1200 },
      { name: "timestep", metric: 1, iterations: 20, rows: 40 },
    ];
    const rows = recordedRows(dataSetInfo({ series }));
    expect(told(rows)).toEqual(["Iterations of timestep: 20 · 2 metrics", "Iterations of solve: 1,200 · 1 metric"]);
    expect(told(rows[0].children ?? [])).toEqual(["time: 160 values", "bytes: 40 values"]);
    // Each leads to its own values.
    const contents = rows.flatMap(({ children }) => children ?? []).map(({ content }) => content);
    expect(contents).toEqual([0, 2, 1].map((index) => ({ kind: "iterations", series: index })));
  });

  it("say what is not recorded, unfolded", () => {
    const [row] = recordedRows(dataSetInfo({ notRecorded: ["no messages in this recording"] }));
    expect(row).toMatchObject({ label: "Not recorded", expanded: true });
    expect(row.children?.map(({ label }) => label)).toEqual(["No messages in this recording."]);
  });

  it("stand below their data set, and say which contexts are estimated", () => {
    const info = dataSetInfo({ trace, estimated: true });
    const [row] = dataSetRows([info], [], () => undefined, info.id);
    const rows = told(row.children ?? []);
    expect(rows).toContain("Messages: 2,232 · 4.57 MB");
    expect(rows).toContain("Calling contexts: 12 in 10 functions · estimated from a call graph");
  });

  it("of a lane have its covered and uncovered time, and its heaviest states with their share", () => {
    const row = laneRow(1, lane);
    expect(told([row])).toEqual(["rank 3: 1,964 events · 3.00 s covered · 1.00 s uncovered"]);
    expect(told(row.children ?? [])).toEqual([
      "MPI_Wait: 2.00 s · 50.0 %",
      "(no name): 1.00 s · 25.0 %",
      "12 more: undefined",
    ]);
    expect(told([laneRow(1, { ...lane, kind: "instants", events: 1 })])).toEqual(["rank 3: 1 event"]);
  });

  it("of counters, messages, transfers, iterations and resources have their numbers", () => {
    const counter = {
      counter: 0,
      name: "power",
      unit: "W",
      resource: "GPU 0",
      points: 90,
      minimum: 50,
      maximum: 75.5,
      mean: 60,
    };
    const pair = { from: "rank 0", to: "", count: 1, bytes: 2048 };
    const transfer = { direction: "HtoD", fromDevice: -1, toDevice: 0, count: 2, bytes: 2e9, seconds: 0.5 };
    const resource = {
      resource: 4,
      name: "GPU 0",
      type: "GPU",
      children: 8,
      properties: [{ name: "memory", value: "16 GB" }],
    };
    const rows = [
      counterRow(1, counter),
      counterRow(1, { ...counter, resource: "", points: 0, minimum: NaN, maximum: NaN, mean: NaN }),
      messagePairRow(1, pair),
      transferRow(1, transfer),
      transferRow(1, { ...transfer, direction: "memset", toDevice: -1, seconds: 0 }),
      iterationRow(1, 0, "s", { iteration: 12, value: 0.25 }),
      resourceRow(1, resource),
    ];
    expect(told(rows)).toEqual([
      "power: GPU 0 · 50 W to 75.5 W · mean 60 W · 90 points",
      "power: 0 points",
      "rank 0 → not recorded: 1 message · 2.05 kB",
      "HtoD: host → device 0 · 2 · 2.00 GB · 500 ms · 4.00 GB/s",
      "memset: 2 · 2.00 GB · 0 s",
      "12: 250 ms",
      "GPU 0: GPU · 8 inside",
    ]);
    expect(rows[6]).toMatchObject({ tooltip: "GPU\nmemory: 16 GB", content: { kind: "resources", parent: 4 } });
    expect(new Set(rows.slice(2).map(({ key }) => key)).size).toBe(rows.length - 2);
  });
});

describe("lists below such rows", () => {
  function opened(info: DataSetInfo, engine: Partial<Engine>) {
    const session = { dataSets: [info], engine };
    const content = new RecordedContent(session as unknown as Session);
    const [row] = recordedRows(info);
    return { session, content, row, list: () => content.childrenOf(row, { kind: "lanes" }) };
  }

  it("are asked for once, page by page, and a last row goes on", async () => {
    const asked: number[] = [];
    const all = Array.from({ length: 450 }, (_, at) => ({ ...lane, lane: at, name: `rank ${at}` }));
    const { content, row, list } = opened(dataSetInfo({ trace }), {
      lanes: async ({ limit }) => (asked.push(limit), { rows: all.slice(0, limit), more: Math.max(0, 450 - limit) }),
    });
    const first = await list();
    expect(first).toHaveLength(101);
    expect(first[100]).toMatchObject({ label: "350 more…", continues: row.key });
    await list();
    expect(asked).toEqual([100]);
    content.showMore(1, row.key);
    expect(await list()).toHaveLength(401);
    content.showMore(1, row.key);
    const last = await list();
    expect(last).toHaveLength(450);
    expect(last[449].label).toBe("rank 449");
    expect(new Set(last.map(({ key }) => key)).size).toBe(450);
  });

  it("are asked for again when the data set was read again, or asking failed", async () => {
    let asked = 0;
    const { session, list } = opened(dataSetInfo({ trace }), {
      lanes: async () => {
        if (++asked === 1) throw new Error("not now");
        return { rows: [lane], more: 0 };
      },
    });
    await expect(list()).rejects.toThrow("not now");
    await list();
    session.dataSets = [dataSetInfo({ trace })];
    await list();
    expect(asked).toBe(3);
    session.dataSets = [];
    expect(await list()).toEqual([]);
  });
});
