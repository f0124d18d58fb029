import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet } from "../../src/model/dataSet";
import { NONE } from "../../src/model/ids";
import { quietTask } from "../../src/model/task";
import { messageKinds } from "../../src/model/trace";
import { recordings } from "../recordings";
import { readNaively } from "../unit/formats/caliper/naiveCali";
import { traceNaively } from "../unit/formats/caliper/naiveTrace";
import { eventRows, messageRows, naiveEventRows, naiveMessageRows } from "../unit/formats/caliper/traceRows";
import { cellsOf, metricNamed, pathsOf } from "../unit/formats/plainDataSet";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const root = shared ?? "";
const profiles = path.join(root, "miniapp/profiles");
const ranks = [0, 1, 2, 3, 4, 5, 6, 7];

async function open(...files: string[]): Promise<DataSet> {
  const dataSets = await openRecordings(files, {}, quietTask);
  expect(dataSets).toHaveLength(1);
  return dataSets[0];
}

function json<T>(...parts: string[]): T {
  return JSON.parse(fs.readFileSync(path.join(...parts), "utf8")) as T;
}

const text = (file: string) => fs.readFileSync(file, "utf8");
const traceFiles = (kind: string) => ranks.map((rank) => path.join(profiles, "trace", `${kind}-${rank}.cali`));

describe.skipIf(shared === undefined)("Caliper event traces", () => {
  it.each(["events", "messages"])("%s of 8 ranks equal those of a naive reader, to the nanosecond", async (kind) => {
    const files = traceFiles(kind);
    const dataSet = await open(...files);
    const naive = traceNaively(files.map(text));
    expect(dataSet.trace?.zeroNanoseconds).toBe(naive.zero);
    const rows = await eventRows(dataSet);
    expect(rows).toEqual(naiveEventRows(naive));
    expect(rows.length).toBe(15_712);
    const messages = await messageRows(dataSet);
    expect(messages).toEqual(naiveMessageRows(naive));
    expect(dataSet.trace?.lanes.map(({ name }) => name)).toEqual(ranks.map((rank) => `rank ${rank}`));
    expect(dataSet.topology?.resources).toHaveLength(8);
    noteConformance("Caliper events and messages", {
      recordings: files.length,
      values: rows.length + messages.length,
      largestDifference: 0,
    });
  });

  it("the messages are those of cali-query, a pair of ranks", async () => {
    type Row = { bytes: number; n: number; "mpi.rank": number; "mpi.msg.dst"?: number; "mpi.msg.src"?: number };
    const dataSet = await open(...traceFiles("messages"));
    const { trace, topology } = dataSet;
    const sums = new Map<string, [number, number]>();
    const rows = (await trace?.readMessages(0, trace.links)) ?? { count: 0 };
    if (!("from" in rows) || topology === undefined) throw new Error("no messages");
    const rankOf = (resource: number) => dataSet.locations[topology.resources[resource].location].rank;
    const collectives = new Map<number, [number, number]>();
    for (let at = 0; at < rows.count; at++) {
      if (messageKinds[rows.kind[at]] === "collective") {
        const [bytes, n] = collectives.get(rankOf(rows.from[at])) ?? [0, 0];
        collectives.set(rankOf(rows.from[at]), [bytes + rows.bytes[at], n + 1]);
        continue;
      }
      const key = `${rankOf(rows.from[at])} to ${rankOf(rows.to[at])}`;
      const [bytes, n] = sums.get(key) ?? [0, 0];
      sums.set(key, [bytes + rows.bytes[at], n + 1]);
      expect(Number.isNaN(rows.sentSeconds[at]) || Number.isNaN(rows.receivedSeconds[at])).toBe(false);
    }
    const golden = json<Row[]>(profiles, "golden/messages.matrix.json");
    const sent = golden.filter((row) => row["mpi.msg.dst"] !== undefined);
    const received = golden.filter((row) => row["mpi.msg.src"] !== undefined);
    expect(sums).toEqual(
      new Map(sent.map((row) => [`${row["mpi.rank"]} to ${row["mpi.msg.dst"]}`, [row.bytes, row.n]])),
    );
    expect([...sums].sort()).toEqual(
      received.map((row) => [`${row["mpi.msg.src"]} to ${row["mpi.rank"]}`, [row.bytes, row.n]]).sort(),
    );
    expect(trace?.messages).toEqual({ count: 2232, bytes: 2232 * 2048 });
    // What has no partner: of its records most have no size.
    const others = golden.filter((row) => row["mpi.msg.dst"] === undefined && row["mpi.msg.src"] === undefined);
    expect(new Map([...collectives].map(([rank, [bytes]]) => [rank, bytes]))).toEqual(
      new Map(others.map((row) => [row["mpi.rank"], row.bytes])),
    );
    noteConformance("Caliper against cali-query", { recordings: 1, values: golden.length, largestDifference: 0 });
  });

  it("calls of MPI functions are as many as cali-query counts", async () => {
    type Row = { path?: string; "mpi.rank": number; n: number };
    const dataSet = await open(...traceFiles("events"));
    const { trace, frames } = dataSet;
    const calls = new Map<string, number>();
    for (const [index, lane] of trace?.lanes.entries() ?? []) {
      const events = await trace?.readEvents(index, 0, lane.events);
      for (let at = 0; at < (events?.count ?? 0); at++) {
        if (events === undefined || trace?.categories[events.category[at]].kind !== "communication") continue;
        const key = `${frames.nameOf(events.frame[at])} @${dataSet.locations[lane.location].rank}`;
        calls.set(key, (calls.get(key) ?? 0) + 1);
      }
    }
    // A call has a begin, whose record is its parent's, and an end, which is its own: one record a call.
    const golden = json<Row[]>(profiles, "golden/events.mpi-functions.json").filter((row) => row.path !== undefined);
    expect(calls).toEqual(new Map(golden.map((row) => [`${row.path} @${row["mpi.rank"]}`, row.n])));
    noteConformance("Caliper against cali-query", { recordings: 1, values: golden.length, largestDifference: 0 });
  });

  it("edge.trace: hostile names, a recursion 60 deep, attributes that are no regions", async () => {
    const file = path.join(root, "data/caliper-edge/edge.trace.cali");
    const dataSet = await open(file);
    const rows = await eventRows(dataSet);
    expect(rows).toEqual(naiveEventRows(traceNaively([text(file)])));
    const depths = rows.filter((row) => row.includes(" | recurse | ")).map((row) => Number(row.split(" | ").at(-1)));
    expect(Math.max(...depths) - Math.min(...depths)).toBe(59);
    expect(dataSet.trace?.counters.map(({ name, points }) => [name, points])).toEqual([
      ["my.double", 4],
      ["my.int", 1],
    ]);
    noteConformance("Caliper events and messages", { recordings: 1, values: rows.length, largestDifference: 0 });
  });

  it.each([
    ["miniapp/profiles/iterations-8ranks.cali", "iteration#timestep", "timestep", "sum#time.duration.ns"],
    [
      "data/caliper/caliper-timeseries-cali/timeseries.cali",
      "loop.start_iteration",
      "lulesh.cycle",
      "sum#time.duration.ns",
    ],
    [
      "data/caliper/caliper-timeseries-cali/230711-163829_2055495_OV0UMVFsW6yp.cali",
      "loop.start_iteration",
      "mainloop",
      "sum#time.duration.ns",
    ],
  ])(
    "%s: the series of each iteration equals a naive reader's, and sums up to the profile",
    async (name, counter, loop, quantity) => {
      const file = path.join(root, name);
      const dataSet = await open(file);
      const { rows } = readNaively(text(file));
      const expected = new Map<string, number>();
      const without = new Map<string, number>();
      for (const row of rows) {
        const first = (of: string) => row.find((entry) => entry.of.name === of)?.data;
        const value = first(quantity);
        if (value === undefined) continue;
        const names = row.filter((entry) => entry.of.properties & 256).map(({ data }) => data);
        const place = `${JSON.stringify(names)} @${first("mpi.rank") ?? NONE}`;
        const iteration = first(counter);
        const [sums, key] = iteration === undefined ? [without, place] : [expected, `${place} #${Number(iteration)}`];
        sums.set(key, (sums.get(key) ?? 0) + Number(value));
      }
      const metric = metricNamed(dataSet, quantity);
      const series = dataSet.series?.find((one) => one.metric === metric && one.name === loop);
      if (series === undefined) throw new Error(`no series ${loop}`);
      const paths = pathsOf(dataSet);
      const found = new Map<string, number>();
      const sums = new Map(without);
      for (let row = 0; row < series.rows; row++) {
        const place = `${JSON.stringify(paths[series.context[row]])} @${dataSet.locations[series.location[row]].rank}`;
        const nanoseconds = Math.round(series.value[row] * 1e9);
        found.set(`${place} #${series.iteration[row]}`, nanoseconds);
        sums.set(place, (sums.get(place) ?? 0) + nanoseconds);
      }
      expect(found).toEqual(expected);
      expect(found.size).toBeGreaterThan(10);
      const profile = [...cellsOf(dataSet, metric)].map(([context, place, value]): [string, number] => [
        `${JSON.stringify(paths[context])} @${dataSet.locations[place].rank}`,
        Math.round(value * 1e9),
      ]);
      expect(sums).toEqual(new Map(profile));
      noteConformance("Caliper values by iteration", { recordings: 1, values: found.size, largestDifference: 0 });
    },
  );

  it("sw4 on a GPU: its activity is a time of its own, beside that of the host", async () => {
    const folder = path.join(root, "data/caliper/caliper-sw4-cuda-activity-profile-cali");
    const file = path.join(folder, fs.readdirSync(folder)[0]);
    const dataSet = await open(file);
    const { values } = readNaively(text(file));
    const total = (name: string) =>
      [...cellsOf(dataSet, metricNamed(dataSet, name))].reduce((sum, [, , one]) => sum + one, 0);
    const recorded = [...(values.get("sum#scale#cupti.activity.duration")?.values() ?? [])].flatMap((places) =>
      [...places.values()].flat(),
    );
    expect(recorded.length).toBeGreaterThan(50);
    expect(total("sum#scale#cupti.activity.duration")).toBeCloseTo(
      recorded.reduce((sum, value) => sum + value, 0),
      9,
    );
    expect(dataSet.metrics[0].name).toBe("inclusive#scale#sum#cupti.host.duration");
    expect(dataSet.metrics[1].note).toMatch(/^GPU time/);
    const origins = new Set(Array.from(dataSet.tree.frame, (frame) => dataSet.frames.originOf(frame)));
    expect(origins).toContain("runtime");
    noteConformance("Caliper device times", { recordings: 1, values: recorded.length, largestDifference: 0 });
  });

  it("page faults and migrations of unified memory, with the region that they fell into", async () => {
    const file = path.join(root, "data/dmtracker/prototype/test-1,s=1,uvm/uvm-tracking.json");
    const { caliper } = await import("../../src/formats/caliper/format");
    const { readFixture } = await import("../unit/formats/formatLaws");
    const [dataSet] = await readFixture(caliper, { "uvm.json": fs.readFileSync(file) });
    const lines = text(file).split("\n");
    const field = (line: string, name: string) =>
      new RegExp(`"${name.replaceAll(".", "\\.")}":"?([^",}]*)`).exec(line)?.[1];
    const expected = lines.flatMap((line) => {
      const [kind, start] = [field(line, "cupti.uvm.kind"), field(line, "cupti.activity.start")];
      if (kind === undefined || start === undefined) return [];
      const zero = BigInt(field(line, "cupti.starttime") ?? 0);
      const end = field(line, "cupti.activity.end") ?? start;
      const bytes = Number(field(line, "cupti.uvm.bytes") ?? Number.NaN);
      return [[kind, BigInt(start) - zero, BigInt(end) - zero, bytes, field(line, "path")].join(" | ")];
    });
    const { trace } = dataSet;
    const rows = await trace?.readTransfers(0, trace.transfers);
    const paths = pathsOf(dataSet);
    const found = Array.from({ length: rows?.count ?? 0 }, (_, at) =>
      rows === undefined
        ? ""
        : [
            trace?.transferDirections[rows.direction[at]],
            Math.round(rows.startSeconds[at] * 1e9),
            Math.round(rows.endSeconds[at] * 1e9),
            rows.bytes[at],
            paths[rows.context[at]].filter((name) => !name.startsWith("unified memory")).join("/"),
          ].join(" | "),
    );
    expect(found.length).toBe(372);
    expect(found.sort()).toEqual(expected.sort());
    noteConformance("Caliper device times", { recordings: 1, values: found.length, largestDifference: 0 });
  });
});
