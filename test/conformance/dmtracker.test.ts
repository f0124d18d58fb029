import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet } from "../../src/model/dataSet";
import type { Trace } from "../../src/model/trace";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { cellsOf, metricNamed, pathsOf } from "../unit/formats/plainDataSet";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const root = path.join(shared ?? "", "data/dmtracker");
const kernels = path.join(root, "gemm-kernels");
const fill = path.join(root, "gemm-fill");

async function open(...paths: string[]): Promise<DataSet[]> {
  return openRecordings(paths, {}, quietTask);
}

function traceOf({ trace }: DataSet): Trace {
  if (trace === undefined) throw new Error("no trace");
  return trace;
}

interface RawEvent {
  readonly ph: string;
  readonly cat?: string;
  readonly name: string;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly bytes?: number; readonly correlation?: number };
}

function eventsOf(file: string): RawEvent[] {
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { traceEvents: RawEvent[] }).traceEvents;
}

describe.skipIf(shared === undefined)("DMTracker recordings", () => {
  it("of GEMM size 5 move 2,147,483,648 bytes to the device and 1,073,741,824 back", async () => {
    const dataSets = [...(await open(kernels)), ...(await open(fill))];
    expect(dataSets.map(({ name }) => name)).toHaveLength(10);
    for (const dataSet of dataSets) {
      const trace = traceOf(dataSet);
      const raw = eventsOf(dataSet.files[0]);
      const rows = await trace.readTransfers(0, trace.transfers);
      const moved = (direction: string) =>
        rows.bytes.reduce(
          (sum, bytes, row) => sum + (trace.transferDirections[rows.direction[row]] === direction ? bytes : 0),
          0,
        );
      const expected = (direction: string) =>
        raw
          .filter(({ cat, name }) => cat === "gpu_memcpy" && name.includes(direction))
          .reduce((sum, { args }) => sum + (args?.bytes ?? 0), 0);
      expect(moved("HtoD")).toBe(expected("HtoD"));
      expect(moved("DtoH")).toBe(expected("DtoH"));
      if (/-5-/.test(dataSet.name)) expect([moved("HtoD"), moved("DtoH")]).toEqual([2_147_483_648, 1_073_741_824]);
      // Every event of a lane, and every pair of a runtime call and what it started.
      const kept = raw.filter(({ ph }) => ph === "X" || ph === "i");
      expect(trace.events).toBe(kept.length);
      const device = raw.filter(({ cat }) => /^(?:gpu_memcpy|gpu_memset|kernel)$/.test(cat ?? ""));
      const calls = new Set(raw.filter(({ cat }) => cat === "cuda_runtime").map(({ args }) => args?.correlation));
      expect(trace.links).toBe(device.filter(({ args }) => calls.has(args?.correlation)).length);
      noteConformance("DMTracker", { recordings: 1, values: kept.length + rows.count, largestDifference: 0 });
    }
  });

  it("have every value of their counters, on the clock of the trace", async () => {
    for (const dataSet of await open(kernels)) {
      const trace = traceOf(dataSet);
      const first = Math.min(...eventsOf(dataSet.files[0]).flatMap(({ ph, ts }) => (ph === "M" ? [] : [ts])));
      const [header, ...lines] = fs.readFileSync(dataSet.files[0].replace(/json$/, "csv"), "utf8").trim().split("\n");
      const names = header.split(",").map((name) => name.trim());
      let values = 0;
      for (const [column, name] of names.entries()) {
        if (column === 0) continue;
        const counter = trace.counters.findIndex((one) => one.name === name.replace(/_(?:w|mhz|mib)$/, ""));
        const points = await trace.readCounter(counter, 0, trace.counters[counter].points);
        expect(points.count).toBe(lines.length);
        const factor = /_(?:mib|mhz)$/.test(name) ? 1e6 : 1;
        for (const [row, line] of lines.entries()) {
          const fields = line.split(",").map((field) => field.trim());
          expect(points.value[row]).toBe(Number(fields[column]) * factor);
          expect(points.seconds[row]).toBe(Number(BigInt(fields[0]) - BigInt(first) * 1000n) / 1e9);
          values += 2;
        }
        const { unit, resource } = trace.counters[counter];
        expect(unit).toBe(unitOf(name));
        expect(dataSet.topology?.resources[resource].name).toBe("GPU 0");
      }
      noteConformance("DMTracker", { recordings: 0, values, largestDifference: 0 });
    }
  });

  it("have the machine's topology from the drawing that belongs to them", async () => {
    const expected: Record<string, string> = {
      "kernel-opt-5-2.json": "kernel-opt-5-2.svg",
      "fill-1-column-format.json": "topology-1.svg",
      "fill-5-row-format.json": "topology-5.svg",
    };
    for (const dataSet of [...(await open(kernels)), ...(await open(fill))]) {
      const drawing = dataSet.files.find((file) => file.endsWith(".svg")) ?? "";
      if (expected[dataSet.name] !== undefined) expect(path.basename(drawing)).toBe(expected[dataSet.name]);
      const rectangles = rectanglesOf(drawing);
      const resources = dataSet.topology?.resources ?? [];
      const types = new Set(rectangles.map(({ type }) => type));
      for (const type of types)
        // The trace has GPUs of its own, by the driver's numbers.
        expect(resources.filter((one) => one.type === type && !/^GPU \d$/.test(one.name))).toHaveLength(
          rectangles.filter((one) => one.type === type).length,
        );
      const chain = (at: number): string => (at < 0 ? "" : `${chain(resources[at].parent)}/${resources[at].type}`);
      const chains = resources.flatMap(({ type }, index) => (type === "PU" ? [chain(index)] : []));
      expect(chains.sort()).toEqual(
        rectangles
          .filter(({ type }) => type === "PU")
          .map((one) => around(one, rectangles))
          .sort(),
      );
      noteConformance("DMTracker", { recordings: 0, values: rectangles.length, largestDifference: 0 });
    }
  });

  it("have the properties of every GPU, those that did nothing too", async () => {
    const [dataSet] = await open(path.join(kernels, "kernel-opt-5-0.svg"));
    expect(dataSet.name).toBe("kernel-opt-5-0.json");
    const gpus = dataSet.topology?.resources.filter(({ name }) => /^GPU \d$/.test(name)) ?? [];
    expect(
      gpus.map(({ name, properties }) => [name, properties?.get("name"), properties?.get("totalGlobalMem")]),
    ).toEqual([
      ["GPU 0", "NVIDIA TITAN RTX", "25394348032"],
      ["GPU 1", "Quadro RTX 8000", "50962300928"],
      ["GPU 2", "Quadro RTX 8000", "50962300928"],
    ]);
  });

  it.each(["test-1,s=1,exp", "test-1,s=1,uvm"])("of the older kind are one data set: %s", async (name) => {
    const folder = path.join(root, "prototype", name);
    const [dataSet, ...others] = await open(folder);
    expect(others).toEqual([]);
    const trace = traceOf(dataSet);
    let values = 0;
    // Times of regions.
    const profile = JSON.parse(fs.readFileSync(path.join(folder, "region_profile.json"), "utf8")) as {
      data: [number, number | null][];
      nodes: { label: string; parent?: number }[];
    };
    const pathOf = (node: number | null): string[] => {
      if (node === null) return [];
      const { label, parent } = profile.nodes[node];
      return [...pathOf(parent ?? null), label];
    };
    const times = new Map(profile.data.map(([seconds, node]) => [pathOf(node).join("/"), seconds]));
    const paths = pathsOf(dataSet).map((names) => names.join("/"));
    const ours = new Map(
      [...cellsOf(dataSet, metricNamed(dataSet, "time"))].map(([context, , value]) => [paths[context], value]),
    );
    expect(ours).toEqual(times);
    values += times.size;
    // Events: each record's time is the sum so far.
    const lines = jsonLines(path.join(folder, "nvbit_trace.json"));
    let now = 0;
    const expected: [name: string, start: number, end: number][] = [];
    const open_: { name: string; start: number }[] = [];
    for (const line of lines) {
      now += Number(line.get("time.duration") ?? 0);
      for (const [key, value] of line) {
        if (key.startsWith("event.begin#"))
          open_.push({ name: key.includes("iteration#") ? key.slice(12) : value, start: now });
        const last = key.startsWith("event.end#") ? open_.pop() : undefined;
        if (last) expected.push([last.name, last.start, now]);
      }
    }
    const lane = trace.lanes.findIndex((one) => one.name === "regions");
    const events = await trace.readEvents(lane, 0, trace.lanes[lane].events);
    const found = Array.from(events.frame, (frame, at) => [
      dataSet.frames.nameOf(frame),
      events.startSeconds[at],
      events.endSeconds[at],
    ]);
    const inOrder = (a: unknown[], b: unknown[]) =>
      (a[1] as number) - (b[1] as number) || (b[2] as number) - (a[2] as number) || 0;
    expect(found).toHaveLength(expected.length);
    expect([...found].sort(inOrder)).toEqual([...expected].sort(inOrder));
    values += 2 * expected.length;
    // Migrations and page faults.
    const memory = jsonLines(path.join(folder, "uvm-tracking.json"));
    const zero = BigInt(memory[0].get("cupti.starttime") ?? "0");
    expect(trace.zeroNanoseconds).toBe(zero);
    const rows = memory.filter((line) => line.has("cupti.uvm.kind"));
    const transfers = await trace.readTransfers(0, trace.transfers);
    const seconds = (text: string) => Number(BigInt(text) - zero) / 1e9;
    const theirs = rows.map((row) => {
      const start = row.get("cupti.activity.start") ?? "";
      const label = row.get("alloc.label#cupti.fault.addr");
      const kind = row.get("cupti.uvm.kind") ?? "";
      const bytes = Number(row.get("cupti.uvm.bytes") ?? Number.NaN);
      return [
        kind,
        label === undefined ? kind : `${kind} ${label}`,
        seconds(start),
        seconds(row.get("cupti.activity.end") ?? start),
        bytes,
        row.get("path"),
      ].join();
    });
    const read = Array.from({ length: transfers.count }, (_, at) => {
      const frame = dataSet.frames.nameOf(transfers.frame[at]);
      const direction = trace.transferDirections[transfers.direction[at]];
      return [
        direction,
        frame,
        transfers.startSeconds[at],
        transfers.endSeconds[at],
        transfers.bytes[at],
        paths[transfers.context[at]],
      ].join();
    });
    expect(read.sort()).toEqual(theirs.sort());
    values += 5 * rows.length;
    const drawing = rectanglesOf(path.join(folder, "topology.svg"));
    const machines = drawing.filter(({ type }) => type === "Machine").length;
    for (const type of ["Machine", "Package", "Core", "PU", "NUMANode"])
      expect(dataSet.topology?.resources.filter((one) => one.type === type)).toHaveLength(
        // One file holds three drawings of the machine, one behind the other; a drawing may have a second, empty machine.
        drawing.filter((one) => one.type === type).length / (name.endsWith("exp") ? 3 : 1),
      );
    expect(machines).toBeGreaterThan(0);
    noteConformance("DMTracker", { recordings: 1, values, largestDifference: 0 });
  });
});

/** Records, one a line, of the first list in the file; addresses are bare hex, which is no JSON. */
function jsonLines(file: string): Map<string, string>[] {
  return fs
    .readFileSync(file, "utf8")
    .split("\n]")[0]
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [line.replace(/,$/, "")] : []))
    .map(
      (line) =>
        new Map(
          [...line.matchAll(/"([^"]*)":(?:"([^"]*)"|([^,}]*))/g)].map(([, key, text, bare]) => [key, text ?? bare]),
        ),
    );
}

function unitOf(name: string): string {
  if (name.endsWith("_w")) return "W";
  if (name.endsWith("_mhz")) return "Hz";
  if (name.endsWith("_mib")) return "B";
  return name.startsWith("temperature") ? "°C" : name.startsWith("utilization") ? "%" : "1";
}

interface Rectangle {
  readonly type: string;
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
}

function rectanglesOf(file: string): Rectangle[] {
  return [...fs.readFileSync(file, "utf8").matchAll(/<rect\s([^>]*)>/g)].flatMap(([, text]) => {
    const of = (key: string) => new RegExp(`\\b${key}='([^']*)'`).exec(text)?.[1] ?? "";
    if (of("class") === "") return [];
    const [x, y, width, height] = ["x", "y", "width", "height"].map((key) => Number(of(key)));
    return [{ type: of("class"), box: [x, y, x + width, y + height] as const }];
  });
}

/** Types of all rectangles around one, the largest first. */
function around(inner: Rectangle, all: readonly Rectangle[]): string {
  const area = ({ box: [left, top, right, bottom] }: Rectangle) => (right - left) * (bottom - top);
  const [left, top, right, bottom] = inner.box;
  const outer = all.filter(({ box }) => box[0] <= left && box[1] <= top && box[2] >= right && box[3] >= bottom);
  return outer
    .sort((a, b) => area(b) - area(a))
    .map(({ type }) => `/${type}`)
    .join("");
}
