/**
 * Every view of every recording of DMTracker: each has something to show or says why not, and what was moved is the same number in all
 * of them, that of the records. What is selected in one view is highlighted in the others.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { CommunicationMatrix, DataSetInfo } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import type { EventKind } from "../../src/model/eventKinds";
import { quietTask } from "../../src/model/task";
import { application } from "../../src/panels/application/definition";
import { communication } from "../../src/panels/communication/definition";
import { hardware } from "../../src/panels/hardware/definition";
import type { PanelDefinition, View } from "../../src/panels/kit/definition";
import { metrics } from "../../src/panels/metrics/definition";
import { summary } from "../../src/panels/summary/definition";
import { timeline as timelineOf } from "../../src/panels/timeline/definition";
import { TimelineNotesStore } from "../../src/panels/timeline/notes";
import { applicationContent } from "../../src/protocol/application";
import { parse } from "../../src/protocol/bounds";
import { communicationContent, ROW_LIMIT } from "../../src/protocol/communication";
import { hardwareContent } from "../../src/protocol/hardware";
import { metricsContent } from "../../src/protocol/metrics";
import { summaryContent } from "../../src/protocol/summary";
import { laneMark, timelineContent } from "../../src/protocol/timeline";
import type { Highlight, Session } from "../../src/session/session";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { memoryStorage } from "../unit/panels/memoryStorage";
import { noteConformance } from "./conformanceTable";

vi.mock("vscode", () => import("../webview/fakeVsCode"));

const shared = recordings();
const root = path.join(shared ?? "", "data/dmtracker");
const timeline = timelineOf(new TimelineNotesStore(memoryStorage()));

interface Shown<Of, Content> {
  readonly shown: Of;
  readonly content: Content;
  readonly notes: readonly unknown[];
}

async function opened(paths: readonly string[]) {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [], sourceMap: {} });
  const [info, ...others] = await engine.open({ paths: [...paths] });
  expect(others).toEqual([]);
  const dataSet = { ...info, key: "a-key" };
  const session = { engine, dataSets: [dataSet] } as unknown as Session;
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
  const viewOf = <State>(state: State) =>
    ({
      session,
      dataSet,
      scope,
      metric: info.metrics.at(Math.max(0, info.defaultMetric)),
      state,
      size: { width: 1000, height: 600 },
      selection: undefined,
    }) as unknown as View<State>;
  const show = async <State extends object, Of, Content, Part>(
    definition: PanelDefinition<State, Of, Content, never, Part>,
    schema: Parameters<typeof parse>[0],
  ): Promise<Shown<Of, Content>> => {
    // Metrics over time show rows that do not change only if these are asked for; other states ignore it.
    const view = viewOf({ ...definition.start, constant: true });
    expect(definition.unmeasured?.(info), definition.id).toBeUndefined();
    const shown = await definition.ask(view, quietTask, []);
    const content = definition.content(shown, view);
    expect(parse(schema, content), definition.id).toEqual(content);
    return { shown, content, notes: definition.notes?.(shown, view) ?? [] };
  };
  return { engine, info, show, viewOf };
}

function highlight({ id: dataSet }: Pick<DataSetInfo, "id">, lanes: readonly number[]): Highlight {
  return { dataSet, lanes, kinds: [], name: "" };
}

const sumOf = (values: Iterable<number | null>) => [...values].reduce<number>((sum, one) => sum + (one ?? 0), 0);

const gemm = ["gemm-kernels", "gemm-fill"].flatMap((folder) =>
  shared
    ? fs
        .readdirSync(path.join(root, folder))
        .filter((name) => name.endsWith(".json"))
        .map((name) => [name, path.join(root, folder, name)])
    : [],
);

describe.skipIf(shared === undefined)("views of DMTracker's recordings", () => {
  it.each(gemm)("have the bytes and times of the records of %s, and say what is missing", async (_, file) => {
    const { traceEvents } = JSON.parse(fs.readFileSync(file, "utf8")) as {
      traceEvents: { ph: string; cat?: string; ts: number; dur?: number; args?: { bytes?: number } }[];
    };
    const copies = traceEvents.filter(({ cat }) => cat === "gpu_memcpy");
    const bytes = sumOf(copies.map(({ args }) => args?.bytes ?? 0));
    const timed = traceEvents.filter(({ ph }) => ph !== "M");
    const table = file.replace(/json$/, "csv");
    // Nanoseconds beside microseconds.
    const points = fs.existsSync(table)
      ? fs
          .readFileSync(table, "utf8")
          .trim()
          .split("\n")
          .slice(1)
          .map((line) => BigInt(line.split(",")[0]))
      : [];
    const starts = timed.map(({ ts }) => BigInt(ts) * 1000n);
    const ends = timed.map(({ ts, dur = 0 }) => BigInt(ts + dur) * 1000n);
    const begin = [...starts, ...points].reduce((one, other) => (one < other ? one : other));
    const end = [...ends, ...points].reduce((one, other) => (one > other ? one : other));
    const { engine, info, show } = await opened([file]);
    const events = await show(timeline, timelineContent);
    expect(events.content.events).toBe(timed.filter(({ ph }) => ph === "X" || ph === "i").length);
    expect(events.content.end - events.content.start).toBeCloseTo(Number(end - begin) / 1e9, 9);
    expect(events.notes).toEqual([]);
    const matrix = await show(communication, communicationContent);
    expect(matrix.content.total).toMatchObject({ bytes, count: copies.length });
    expect(matrix.notes).toEqual([]);
    const clock = await show(summary, summaryContent);
    expect(sumOf(clock.content.clock.bytes)).toBeCloseTo(bytes, 0);
    const machine = await show(hardware, hardwareContent);
    expect(sumOf(machine.content.links.flatMap((link) => [link.bytes, link.bytesBack]))).toBeCloseTo(bytes, 0);
    const rows = await show(metrics, metricsContent);
    const moving = rows.content.names.indexOf("transfers under way");
    const mean = rows.content.ownMean[moving];
    expect((mean * (rows.content.end - rows.content.start)) / bytes).toBeCloseTo(1, 9);
    expect(rows.notes).toEqual(points.length > 0 ? [] : [expect.stringContaining("No counters were recorded")]);
    expect(info.notRecorded).toContain("no source lines in this recording");
    // Events of one thread nest: their contexts have all of its time.
    expect(info.contexts).toBeGreaterThan(0);
    expect(application.unmeasured?.(info)).toBeUndefined();
    noteConformance("Views of DMTracker", { recordings: 1, values: 6, largestDifference: 0 });
    await engine.dispose();
  });

  it.each(["test-1,s=1,exp", "test-1,s=1,uvm"])(
    "have the migrations of the older kind on its regions: %s",
    async (name) => {
      const folder = path.join(root, "prototype", name);
      const lines = fs.readFileSync(path.join(folder, "uvm-tracking.json"), "utf8").split("\n");
      const moved = lines.flatMap((line) => {
        const kind = /"cupti\.uvm\.kind":"([^"]*)"/.exec(line)?.[1] ?? "";
        const size = /"cupti\.uvm\.bytes":"?(\d+)/.exec(line)?.[1];
        const region = /"path":"([^"]*)"/.exec(line)?.[1] ?? "";
        return /HtoD|DtoH/.test(kind) ? [{ region, bytes: Number(size ?? 0) }] : [];
      });
      const { engine, show, info } = await opened([folder]);
      const events = await show(timeline, timelineContent);
      expect(events.notes).toEqual([]);
      const tree = await show(application, applicationContent);
      // Regions are in no lane of a rank: their time counts all the same.
      const { start, end } = events.content;
      const outermost = tree.content.nodes.find(({ parent }) => parent < 0);
      const inside = outermost?.time?.runSeconds ?? 0;
      expect(inside / (end - start)).toBeGreaterThan(0.9);
      expect(tree.content.nodes.every(({ time }) => (time?.runSeconds ?? 0) > 0 || time?.events === 0)).toBe(true);
      if (moved.length === 0) expect(info.trace?.transfers.bytes ?? 0).toBe(0);
      else {
        const matrix = await show(communication, communicationContent);
        expect(matrix.content.total).toMatchObject({
          bytes: sumOf(moved.map(({ bytes }) => bytes)),
          count: moved.length,
        });
        // The call of a cell is the region with most of its bytes.
        const byRegion = new Map<string, number>();
        for (const { region, bytes } of moved) byRegion.set(region, (byRegion.get(region) ?? 0) + bytes);
        const [[heaviest]] = [...byRegion].sort(([, a], [, b]) => b - a);
        expect(matrix.content.calls[matrix.content.cells.call[0]]).toBe(heaviest.split("/").at(-1));
      }
      await engine.dispose();
    },
  );

  it("highlight in each other what is selected in one of them: a GPU with its lane, counters and cells", async () => {
    const { engine, info, show, viewOf } = await opened([path.join(root, "gemm-kernels/kernel-opt-5-0.json")]);
    const events = await show(timeline, timelineContent);
    const machine = await show(hardware, hardwareContent);
    const rows = await show(metrics, metricsContent);
    const matrix = await show(communication, communicationContent);
    const lane = events.shown.facts.lanes.findIndex(({ name }) => name.includes("stream"));
    const gpu = machine.content.elements.findIndex(({ name }) => name === "GPU 0");
    const counters = rows.content.places.flatMap((place, row) => (place === "GPU 0" ? [row] : []));
    const onGpu = [1, ROW_LIMIT + 1];
    expect(counters.length).toBe(13);
    const selected = [
      await timeline.subject?.(events.shown, laneMark(lane), viewOf(timeline.start), quietTask),
      await hardware.subject?.(machine.shown, gpu, viewOf(hardware.start), quietTask),
      await metrics.subject?.(rows.shown, counters[0], viewOf(metrics.start), quietTask),
      await communication.subject?.(matrix.shown, 0, viewOf(communication.start), quietTask),
    ];
    for (const [at, subject] of selected.entries()) {
      const own = highlight(info, subject?.at?.lanes ?? []);
      expect(own.lanes, `${at}`).toContain(lane);
      expect(await timeline.highlighted?.(events.shown, own, viewOf(timeline.start))).toContain(lane);
      expect(await hardware.highlighted?.(machine.shown, own, viewOf(hardware.start))).toContain(gpu);
      expect(await communication.highlighted?.(matrix.shown, own, viewOf(communication.start))).toEqual(
        expect.arrayContaining(onGpu),
      );
      expect(await metrics.highlighted?.(rows.shown, own, viewOf(metrics.start))).toEqual(counters);
    }
    // A kind of work is highlighted where parts of the machine, and lines between them, are used for it.
    const ofKind = (kind: EventKind) => {
      const { elements, links } = machine.shown;
      const found = hardware.highlighted?.(
        machine.shown,
        { ...highlight(info, []), kinds: [kind] },
        viewOf(hardware.start),
      );
      return Array.isArray(found)
        ? found.map((at: number) => elements.at(at)?.name ?? links[at - elements.length].of)
        : [];
    };
    expect(ofKind("GPU")).toEqual(["GPU 0"]);
    expect(new Set(ofKind("data movement"))).toEqual(new Set(["transfers"]));
    expect(ofKind("idle")).toEqual([]);
    await engine.dispose();
  });

  it("highlight a rank of miniheat in its lane and in its row and column", async () => {
    const files = Array.from({ length: 8 }, (_, rank) =>
      path.join(shared ?? "", `miniapp/profiles/trace/messages-${rank}.cali`),
    );
    const { engine, info, show, viewOf } = await opened(files);
    const events = await show(timeline, timelineContent);
    const matrix = await show(communication, communicationContent);
    const own = highlight(info, [3]);
    expect(events.shown.facts.lanes[3].name).toBe("rank 3");
    const placesOf = ({ rows, columns }: CommunicationMatrix, name: string) => [
      rows.groups.findIndex((group) => group.name === name),
      ROW_LIMIT + columns.groups.findIndex((group) => group.name === name),
    ];
    expect(await communication.highlighted?.(matrix.shown, own, viewOf(communication.start))).toEqual(
      placesOf(matrix.shown, "rank 3"),
    );
    const cell = [...matrix.content.cells.row.keys()].find(
      (at) => matrix.content.rows.names[matrix.content.cells.row[at]] === "rank 3",
    );
    const subject = await communication.subject?.(matrix.shown, cell, viewOf(communication.start), quietTask);
    expect(subject?.at?.lanes).toContain(3);
    // The call is selected, too: the matrix itself finds the pair of it with most bytes.
    expect(subject?.target).toBeDefined();
    const selection = { dataSet: info.id, target: subject?.target, name: subject?.name, origin: "timeline" } as never;
    const marked = await communication.markOf?.(matrix.shown, selection, viewOf(communication.start));
    const { bytes, call } = matrix.content.cells;
    expect(bytes[Number(marked)]).toBe(Math.max(...bytes.filter((_, at) => call[at] === call[cell ?? 0])));
    await engine.dispose();
  });
});
