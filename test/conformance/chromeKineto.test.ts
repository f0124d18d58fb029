import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet } from "../../src/model/dataSet";
import { NONE } from "../../src/model/ids";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const data = path.join(shared ?? "", "data");
const resnet = path.join(data, "other/kineto/resnet50_worker0.pt.trace.json.gz");

/** An event as JSON.parse gives it. */
interface Plain {
  readonly ph: string;
  readonly cat?: string;
  readonly name: string;
  readonly pid: number | string;
  readonly tid: number | string;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: Record<string, unknown>;
}

function plainEvents(file: string): Plain[] {
  const bytes = fs.readFileSync(file);
  const text = (file.endsWith(".gz") ? zlib.gunzipSync(bytes) : bytes).toString("utf8");
  return (JSON.parse(text) as { traceEvents: Plain[] }).traceEvents;
}

function files(): string[] {
  if (shared === undefined) return [];
  const all = ["dmtracker/gemm-fill", "dmtracker/gemm-kernels"].flatMap((folder) =>
    fs
      .readdirSync(path.join(data, folder))
      .flatMap((name) => (name.endsWith(".json") ? [path.join(data, folder, name)] : [])),
  );
  return [resnet, path.join(data, "other/kineto/gpu_metrics_input.json"), ...all];
}

const nameOf = (file: string) => path.relative(data, file);

/** One row an event: what can be compared without knowing lanes by name. */
interface Row {
  readonly category: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const compareRows = (a: Row, b: Row) =>
  a.start - b.start ||
  a.end - b.end ||
  (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
  (a.category < b.category ? -1 : 1);

async function rowsOf({ trace, frames }: DataSet): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, lane] of (trace?.lanes ?? []).entries()) {
    const events = await trace?.readEvents(index, 0, lane.events);
    for (let at = 0; events && at < events.count; at++)
      rows.push({
        category: trace?.categories[events.category[at]].name ?? "",
        name: frames.nameOf(events.frame[at]),
        start: events.startSeconds[at],
        end: events.endSeconds[at],
      });
  }
  return rows.sort(compareRows);
}

describe.skipIf(shared === undefined).each(files())("Kineto and DMTracker trace %#", (file) => {
  const plain = plainEvents(file);
  const shown = plain.filter(({ ph }) => ph === "X" || ph === "i");
  const opened = openRecordings([file], {}, quietTask).then(([dataSet]) => dataSet);

  it(`${nameOf(file)}: every event with category, name and times as an independent reading gives them`, async () => {
    const dataSet = await opened;
    const zero = Number((dataSet.trace?.zeroNanoseconds ?? 0n) / 1000n);
    const wanted = shown
      .map(({ cat, name, ts, dur = 0 }) => ({
        category: cat ?? "no category",
        name,
        start: (ts - zero) / 1e6,
        end: (ts - zero + dur) / 1e6,
      }))
      .sort(compareRows);
    const rows = await rowsOf(dataSet);
    expect(rows).toEqual(wanted);
    // A recording of DMTracker's may have rows of metrics beside the events.
    if (fs.existsSync(file.replace(/(\.json|\.gz)$/, ".csv"))) expect(dataSet.records).toBeGreaterThan(plain.length);
    else expect(dataSet.records).toBe(plain.length);
    noteConformance("Kineto, DMTracker (JSON)", { recordings: 1, values: 4 * rows.length, largestDifference: 0 });
  });

  it(`${nameOf(file)}: every lane has the events of its thread or stream`, async () => {
    const { trace } = await opened;
    const counts = new Map<string, number>();
    for (const { ph, pid, tid } of shown) {
      const key = `${ph} ${pid} ${tid}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const sorted = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);
    expect(sorted((trace?.lanes ?? []).map(({ events }) => events))).toEqual(sorted(counts.values()));
  });

  it(`${nameOf(file)}: every transfer with bytes, direction and bandwidth`, async () => {
    const { trace } = await opened;
    const wanted = plain
      .filter(({ ph, cat }) => ph === "X" && /mem(cpy|set)$/i.test(cat ?? ""))
      .sort((a, b) => a.ts - b.ts);
    const transfers = await trace?.readTransfers(0, trace.transfers);
    expect(transfers?.count).toBe(wanted.length);
    wanted.forEach(({ name, args = {} }, at) => {
      const bandwidth = args["memory bandwidth (GB/s)"];
      expect(transfers?.bytes[at]).toBe(args.bytes);
      expect(transfers?.bandwidth[at]).toBe(typeof bandwidth === "number" ? bandwidth * 1e9 : Number.NaN);
      const direction = trace?.transferDirections[transfers?.direction[at] ?? -1] ?? "";
      expect(name.startsWith(direction === "memset" ? "Memset" : `Memcpy ${direction}`)).toBe(true);
      const host = { HtoD: "from", DtoH: "to", memset: "from" }[direction];
      expect(transfers?.fromDevice[at]).toBe(host === "from" ? NONE : args.device);
      expect(transfers?.toDevice[at]).toBe(host === "to" ? NONE : args.device);
    });
    noteConformance("Kineto, DMTracker (JSON)", { recordings: 0, values: 5 * wanted.length, largestDifference: 0 });
  });

  it(`${nameOf(file)}: every activity joined to the call with its correlation`, async () => {
    const { trace } = await opened;
    const isCall = ({ cat }: Plain) => /runtime$/i.test(cat ?? "");
    const calls = new Map(plain.filter(isCall).map(({ args, ts }) => [args?.correlation, ts]));
    const zero = Number((trace?.zeroNanoseconds ?? 0n) / 1000n);
    const wanted = plain
      .filter(({ cat, args }) => /^(gpu_)?(kernel|memcpy|memset)$/i.test(cat ?? "") && calls.has(args?.correlation))
      .map(({ args, ts }) => [
        args?.correlation as number,
        ((calls.get(args?.correlation) ?? NaN) - zero) / 1e6,
        (ts - zero) / 1e6,
      ]);
    const links = await trace?.readMessages(0, trace.links);
    const found = Array.from({ length: links?.count ?? 0 }, (_, at) => [
      links?.tag[at] ?? NaN,
      links?.sentSeconds[at] ?? NaN,
      links?.receivedSeconds[at] ?? NaN,
    ]);
    const inOrder = (rows: number[][]) => rows.sort((a, b) => a[0] - b[0] || a[2] - b[2]);
    expect(inOrder(found)).toEqual(inOrder(wanted));
    noteConformance("Kineto, DMTracker (JSON)", { recordings: 0, values: 3 * found.length, largestDifference: 0 });
  });
});

describe.skipIf(shared === undefined)("the ResNet-50 recording", () => {
  it("has 75,718 events", async () => {
    const [{ records }] = await openRecordings([resnet], {}, quietTask);
    expect(records).toBe(75718);
  });

  it("puts every operator below its recorded call stack", async () => {
    const [dataSet] = await openRecordings([resnet], {}, quietTask);
    const { trace, tree, frames } = dataSet;
    const stacks = new Map<string, string>();
    const zero = Number((trace?.zeroNanoseconds ?? 0n) / 1000n);
    for (const { name, tid, ts, dur = 0, args } of plainEvents(resnet)) {
      const stack = args?.["Call stack"];
      if (typeof stack === "string")
        stacks.set(`${tid} ${name} ${(ts - zero) / 1e6} ${(ts - zero + dur) / 1e6}`, stack);
    }
    let compared = 0;
    for (const [index, lane] of (trace?.lanes ?? []).entries()) {
      const thread = dataSet.locations[lane.location]?.thread;
      const events = await trace?.readEvents(index, 0, lane.events);
      for (let at = 0; events && at < events.count; at++) {
        const key = `${thread} ${frames.nameOf(events.frame[at])} ${events.startSeconds[at]} ${events.endSeconds[at]}`;
        const stack = stacks.get(key);
        if (stack === undefined) continue;
        const path: string[] = [];
        for (let up = tree.parent[events.context[at]]; up !== NONE; up = tree.parent[up]) {
          const { name, kind, file, line } = frames.get(tree.frame[up] as never);
          if (kind === "function") path.push(`${file}(${line}): ${name}`);
        }
        expect(path.join(";")).toBe(stack);
        expect(tree.frame[events.context[at]]).toBe(events.frame[at]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(14_000);
    noteConformance("Kineto, DMTracker (JSON)", { recordings: 0, values: compared, largestDifference: 0 });
  });

  it("spends every microsecond that some event covers once", async () => {
    const [dataSet] = await openRecordings([resnet], {}, quietTask);
    const plain = plainEvents(resnet).filter(({ ph, cat }) => ph === "X" && cat !== "Trace");
    // Brute force: mark every covered microsecond of every thread.
    const start = Math.min(...plain.map(({ ts }) => ts));
    const covered = new Map<string, Uint8Array>();
    for (const { pid, tid, ts, dur = 0 } of plain) {
      const key = `${pid} ${tid}`;
      let marks = covered.get(key);
      if (marks === undefined) covered.set(key, (marks = new Uint8Array(2_000_000)));
      marks.fill(1, ts - start, ts - start + dur);
    }
    let largest = 0;
    const sum = (marks: Uint8Array) => marks.reduce((total, mark) => total + mark, 0);
    const totalOf = (metric: string) => {
      const index = dataSet.metrics.findIndex(({ name }) => name === metric);
      return dataSet.values[index].value.reduce((total, value) => total + value, 0);
    };
    const wanted: [string, number][] = [
      [
        "time",
        sum(covered.get("25738 25738") ?? new Uint8Array()) + sum(covered.get("25738 25772") ?? new Uint8Array()),
      ],
      ["time (GPU streams)", sum(covered.get("0 stream 7") ?? new Uint8Array())],
    ];
    for (const [metric, microseconds] of wanted) {
      const difference = Math.abs(totalOf(metric) - microseconds / 1e6);
      largest = Math.max(largest, difference);
      expect(difference, metric).toBeLessThan(1e-12);
    }
    noteConformance("Kineto, DMTracker (JSON)", { recordings: 0, values: 2, largestDifference: largest });
  });
});
