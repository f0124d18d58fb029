import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { openRecordings } from "../../src/formats/registry";
import { inclusive } from "../../src/model/contextTree";
import type { DataSet } from "../../src/model/dataSet";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import {
  naivePath,
  procedureName,
  type NaiveExperiment,
  type NaiveNode,
  readExperimentNaively,
  readValuesNaively,
} from "../unit/formats/hpctoolkit/v2/naiveExperiment";
import { cellsOf, metricNamed } from "../unit/formats/plainDataSet";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const root = path.join(shared ?? "", "data/hpctoolkit-v2");
const cpi = path.join(root, "hpctoolkit-cpi-database");
const allgather = path.join(root, "hpctoolkit-allgather-database");
const inline = path.join(root, "viewer-xml/inline.xml.db");
const lulesh = path.join(root, "callflow-lulesh");
const gauss = path.join(root, "gauss");
const PER_SECOND = 1e6;
/** The XML has six digits. */
const PRINTED = 5.1e-6;

async function open(...paths: string[]): Promise<DataSet> {
  const dataSets = await openRecordings(paths, {}, quietTask);
  expect(dataSets).toHaveLength(1);
  return dataSets[0];
}

/** Paths of our contexts, in the terms of {@link naivePath}. */
function pathsOf({ frames, tree }: DataSet): string[] {
  const paths: string[] = [];
  for (let context = 0; context < tree.size; context++) {
    const { name, kind, file, line, address } = frames.get(tree.frame[context] as never);
    const place = `${file === undefined ? "" : path.basename(file)} ${line ?? 0}`;
    const own =
      kind === "loop"
        ? `loop ${place}`
        : kind === "line"
          ? `line ${place}`
          : kind === "instruction"
            ? `at ${address}`
            : name;
    paths.push(tree.parent[context] < 0 ? own : `${paths[tree.parent[context]]}\n${own}`);
  }
  return paths;
}

/** Sums by path and a further key. */
class Sums {
  readonly sums = new Map<string, number>();

  add(key: string, value: number): void {
    this.sums.set(key, (this.sums.get(key) ?? 0) + value);
  }
}

/** Compares every sum; returns the largest difference as a share of the larger total. */
function compare(
  ours: Sums,
  theirs: Sums,
  tolerance: (value: number, most: number) => number,
): { values: number; largestDifference: number } {
  let largestDifference = 0;
  const most = Math.max(...theirs.sums.values());
  for (const key of new Set([...ours.sums.keys(), ...theirs.sums.keys()])) {
    const [a, b] = [ours.sums.get(key) ?? 0, theirs.sums.get(key) ?? 0];
    const difference = Math.abs(a - b);
    expect(difference, `${key}: ours ${a}, theirs ${b}`).toBeLessThanOrEqual(tolerance(b, most));
    largestDifference = Math.max(largestDifference, difference / most);
  }
  return { values: theirs.sums.size, largestDifference };
}

/** Ours, by path and rank. */
function oursBy(dataSet: DataSet, metric: number, key: (path: string, location: number) => string): Sums {
  const sums = new Sums();
  const paths = pathsOf(dataSet);
  for (const [context, location, value] of cellsOf(dataSet, metric)) sums.add(key(paths[context], location), value);
  return sums;
}

describe.skipIf(shared === undefined)("HPCToolkit 2 databases", () => {
  it("cpi has hatchet's exclusive and inclusive times at every node and rank", async () => {
    const dataSet = await open(cpi);
    const naive = readExperimentNaively(path.join(cpi, "experiment.xml"));
    const rows = hatchetRows(path.join(root, "hpctoolkit-cpi-graphframe.csv"));
    const byId = new Map(naive.nodes.map((node) => [node.id, node]));
    const pathOf = (id: number) => naivePath(naive, byId.get(id) as NaiveNode);
    const exclusive = new Sums();
    const whole = new Sums();
    for (const row of rows) {
      exclusive.add(`${pathOf(row.id)} rank ${row.rank}`, row.exclusive / PER_SECOND);
      if (row.type === "PF") whole.add(`${pathOf(row.id)} rank ${row.rank}`, row.inclusive / PER_SECOND);
    }
    const time = metricNamed(dataSet, "CPUTIME");
    const rankOf = (location: number) => dataSet.locations[location].rank;
    const keyed = (place: string, location: number) => `${place} rank ${rankOf(location)}`;
    const one = compare(oursBy(dataSet, time, keyed), exclusive, (_, most) => 1e-12 * most);
    const two = compare(inclusiveOfProcedures(dataSet, time, keyed), whole, (_, most) => 1e-12 * most);
    expect(rows).toHaveLength(34 * 4);
    noteConformance("HPCToolkit v2", {
      recordings: 1,
      values: 2 * rows.length,
      largestDifference: Math.max(one.largestDifference, two.largestDifference),
    });
  });

  it("allgather has main at its definition as the hottest place of a file that only calls", async () => {
    const engine = localEngine(grammars);
    await engine.configure({ folders: [], sourceMap: {} });
    const [info] = await engine.open({ paths: [allgather] });
    const scope = { dataSet: info.id, metric: 0, over: "mean" as const };
    const query = { scope, filter: 0, groupBy: "file" } as const;
    const [place] = await engine.hotPlaces({ scope, target: { kind: "bar", query, bar: "osu_allgather.c" }, limit: 1 });
    // Line 14 is main's in the file's table of procedures; its loops and calls have no cost of their own either.
    expect([place.name, place.exclusive, place.link.places.map(({ line }) => line)]).toEqual(["main", 0, [14]]);
  });

  it.each([
    ["cpi", cpi, 2],
    ["allgather", allgather, 2],
    ["inline", inline, 4],
  ])(
    "%s has the tool's own columns as the sums of its value files, and each thread's own values",
    async (_, folder, columns) => {
      const dataSet = await open(folder);
      const naive = readExperimentNaively(path.join(folder, "experiment.xml"));
      const threads = readValuesNaively(folder);
      expect(threads).toHaveLength(dataSet.locations.filter(({ rank }) => rank >= 0).length);
      for (let column = 0; column < columns; column += 2) {
        const metric = dataSet.metrics.findIndex(({ recordedName }) => recordedName === columnName(folder, column));
        const tool = dataSet.metrics[metric].toolExclusive ?? -1;
        const divisor = dataSet.metrics[metric].unit === "s" ? PER_SECOND : 1;
        expect(dataSet.metrics[tool].recordedName).toBe(columnName(folder, column + 1));
        expect(dataSet.metrics[tool].additive).toBe(false);
        // The tool's exclusive: every thread's value as stored, and the sum as the XML prints it.
        const stored = new Sums();
        const storedSums = new Sums();
        const storedInclusive = new Sums();
        const printed = new Sums();
        const printedInclusive = new Sums();
        for (const node of naive.nodes.slice(1)) {
          const place = naivePath(naive, node);
          printed.add(place, (node.values.get(column + 1 + columns) ?? 0) / divisor);
          if (isProcedure(node)) printedInclusive.add(place, (node.values.get(column + columns) ?? 0) / divisor);
          for (const { rank, thread, value } of threads) {
            stored.add(`${place} ${rank}.${thread}`, value(node.id, column + 1) / divisor);
            storedSums.add(place, value(node.id, column + 1) / divisor);
            if (isProcedure(node)) storedInclusive.add(`${place} ${rank}.${thread}`, value(node.id, column) / divisor);
          }
        }
        const keyed = (place: string, location: number) => {
          const { rank, thread } = dataSet.locations[location];
          return `${place} ${rank}.${thread}`;
        };
        const summed = (place: string) => place;
        const results = [
          compare(oursBy(dataSet, tool, keyed), stored, (_, most) => 1e-12 * most),
          compare(oursBy(dataSet, tool, summed), storedSums, (_, most) => 1e-12 * most),
          compare(inclusiveOfProcedures(dataSet, metric, keyed), storedInclusive, (_, most) => 1e-12 * most),
        ];
        noteConformance("HPCToolkit v2", {
          recordings: column === 0 ? 1 : 0,
          values: results.reduce((sum, { values }) => sum + values, 0),
          largestDifference: Math.max(...results.map(({ largestDifference }) => largestDifference)),
        });
        // The XML's own six digits; contexts of several nodes add their roundings up.
        compare(oursBy(dataSet, tool, summed), printed, withinDigits(naive));
        compare(inclusiveOfProcedures(dataSet, metric, summed), printedInclusive, withinDigits(naive));
      }
    },
  );

  it("inline has every sample of its traces", async () => {
    const { trace, frames, tree, locations } = await open(path.join(inline, "experiment.mt"));
    if (trace === undefined) throw new Error("no trace");
    const naive = readExperimentNaively(path.join(inline, "experiment.xml"));
    const bytes = fs.readFileSync(path.join(inline, "experiment.mt"));
    const procedureOf = new Map<number, string>();
    for (const node of naive.nodes) {
      const id = node.attributes.get("it");
      let at: NaiveNode | undefined = node;
      while (at && !isProcedure(at)) at = at.parent;
      if (id !== undefined && at) procedureOf.set(Number(id), procedureName(naive, at));
    }
    const zero = BigInt("1659713364904210000");
    const end = Number(BigInt("1659713370342819000") - zero) / 1e9;
    expect(trace.zeroNanoseconds).toBe(zero);
    expect(trace.endSeconds).toBe(end);
    expect(trace.lanes).toHaveLength(8);
    let samples = 0;
    for (let entry = 0; entry < bytes.readInt32BE(4); entry++) {
      const from = Number(bytes.readBigInt64BE(8 + 16 * entry + 8));
      // Behind the last part stands the end mark, eight bytes.
      const to = entry < 7 ? Number(bytes.readBigInt64BE(8 + 16 * entry + 24)) : bytes.length - 8;
      const lane = trace.lanes.findIndex(({ location }) => locations[location].thread === entry);
      const events = await trace.readEvents(lane, 0, trace.lanes[lane].events);
      const records = (to - from - 32) / 12;
      expect(events.count).toBe(records);
      for (let record = 0; record < records; record++) {
        const at = from + 32 + 12 * record;
        const start = Number(bytes.readBigUInt64BE(at) - zero) / 1e9;
        // The last one has no length.
        const next = record + 1 < records ? Number(bytes.readBigUInt64BE(at + 12) - zero) / 1e9 : start;
        expect([events.startSeconds[record], events.endSeconds[record]]).toEqual([start, next]);
        expect(frames.nameOf(events.frame[record])).toBe(procedureOf.get(bytes.readUInt32BE(at + 8)));
        expect(events.context[record]).toBeLessThan(tree.size);
      }
      samples += records;
    }
    expect(trace.events).toBe(samples);
    noteConformance("HPCToolkit v2", { recordings: 0, values: 3 * samples, largestDifference: 0 });
  });

  it("CallFlow's LULESH has every rank's values from the table beside it", async () => {
    const dataSet = await open(lulesh);
    const naive = readExperimentNaively(path.join(lulesh, "experiment.xml"));
    const byId = new Map(naive.nodes.map((node) => [node.id, node]));
    const lines = fs.readFileSync(path.join(lulesh, "metrics.json"), "utf8").trim().split("\n");
    const theirs = new Sums();
    const tool = new Sums();
    for (const line of lines) {
      const { id, inc, exc } = JSON.parse(line) as { id: number; inc: number[]; exc: number[] };
      const node = byId.get(id) as NaiveNode;
      if (id === 1) continue;
      inc.forEach((value, rank) => {
        if (isProcedure(node)) theirs.add(`${naivePath(naive, node)} rank ${rank}`, value / PER_SECOND);
        tool.add(`${naivePath(naive, node)} rank ${rank}`, exc[rank] / PER_SECOND);
      });
    }
    const metric = metricNamed(dataSet, "CPUTIME");
    const keyed = (place: string, location: number) => `${place} rank ${dataSet.locations[location].rank}`;
    const one = compare(inclusiveOfProcedures(dataSet, metric, keyed), theirs, (_, most) => 1e-12 * most);
    const two = compare(
      oursBy(dataSet, dataSet.metrics[metric].toolExclusive ?? -1, keyed),
      tool,
      (_, most) => 1e-12 * most,
    );
    noteConformance("HPCToolkit v2", {
      recordings: 1,
      values: one.values + two.values,
      largestDifference: Math.max(one.largestDifference, two.largestDifference),
    });
    // The sums over ranks that the XML prints.
    const printed = new Sums();
    for (const node of naive.nodes.slice(1))
      if (isProcedure(node)) printed.add(naivePath(naive, node), (node.values.get(2) ?? 0) / PER_SECOND);
    compare(
      inclusiveOfProcedures(dataSet, metric, (place) => place),
      printed,
      withinDigits(naive),
    );
  });

  it("gauss, of 2011, has the recorded sums over 64 threads beside the values of the 4 threads whose files are there", async () => {
    const dataSet = await open(gauss);
    const naive = readExperimentNaively(path.join(gauss, "experiment.xml"));
    const threads = readValuesNaively(gauss);
    expect(threads).toHaveLength(4);
    expect(dataSet.metrics.slice(0, 4).map(({ name }) => name)).toEqual([
      "WALLCLOCK",
      "WALLCLOCK (E)",
      "WALLCLOCK (4 of 64 threads)",
      "WALLCLOCK (E) (4 of 64 threads)",
    ]);
    const total = (metric: number) => dataSet.values[metric].value.reduce((sum, value) => sum + value, 0);
    expect(total(0)).toBeCloseTo(894.138, 2);
    expect(total(2)).toBeCloseTo(54.4557, 4);
    const summed = (place: string) => place;
    const keyed = (place: string, location: number) =>
      `${place} ${dataSet.locations[location].rank}.${dataSet.locations[location].thread}`;
    const [printed, printedTool, stored, storedTool] = [new Sums(), new Sums(), new Sums(), new Sums()];
    for (const node of naive.nodes.slice(1)) {
      const place = naivePath(naive, node);
      if (isProcedure(node)) printed.add(place, (node.values.get(2) ?? 0) / PER_SECOND);
      printedTool.add(place, (node.values.get(13) ?? 0) / PER_SECOND);
      for (const { rank, thread, value } of threads) {
        if (isProcedure(node)) stored.add(`${place} ${rank}.${thread}`, value(node.id, 0) / PER_SECOND);
        storedTool.add(`${place} ${rank}.${thread}`, value(node.id, 1) / PER_SECOND);
      }
    }
    const results = [
      // Six digits of every statement below, and of those above, whose differences they are.
      compare(
        inclusiveOfProcedures(dataSet, 0, summed),
        printed,
        (value, most) => 1e-5 * Math.abs(value) + 1e-5 * most,
      ),
      compare(oursBy(dataSet, 1, summed), printedTool, withinDigits(naive)),
      compare(inclusiveOfProcedures(dataSet, 2, keyed), stored, (_, most) => 1e-12 * most),
      compare(oursBy(dataSet, 3, keyed), storedTool, (_, most) => 1e-12 * most),
    ];
    expect(dataSet.warnings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("value files of 4 of 64 threads, with 54.5 s of 894 s of WALLCLOCK"),
    );
    noteConformance("HPCToolkit v2", {
      recordings: 1,
      values: results.reduce((sum, { values }) => sum + values, 0),
      largestDifference: Math.max(...results.slice(2).map(({ largestDifference }) => largestDifference)),
    });
  });

  it("gauss has every sample of its traces, which have no flags behind their header", async () => {
    const { trace, frames, outline } = await open(gauss);
    if (trace === undefined) throw new Error("no trace");
    expect(outline?.events ?? trace.events).toBe(35_464);
    const naive = readExperimentNaively(path.join(gauss, "experiment.xml"));
    const procedureOf = new Map<number, string>();
    for (const node of naive.nodes) {
      const id = node.attributes.get("it");
      let at: NaiveNode | undefined = node;
      while (at && !isProcedure(at)) at = at.parent;
      if (id !== undefined && at) procedureOf.set(Number(id), procedureName(naive, at));
    }
    const zero = 1305720300545607n;
    let values = 0;
    for (const [rank, name] of fs
      .readdirSync(gauss)
      .filter((one) => one.endsWith(".hpctrace"))
      .entries()) {
      const bytes = fs.readFileSync(path.join(gauss, name));
      const lane = trace.lanes.findIndex(({ name: own }) => own.startsWith(`rank ${rank},`));
      const events = await trace.readEvents(lane, 0, trace.lanes[lane].events);
      expect(events.count).toBe((bytes.length - 24) / 12);
      for (let record = 0; record < events.count; record++) {
        const at = 24 + 12 * record;
        expect(events.startSeconds[record]).toBe(Number(bytes.readBigUInt64BE(at) - zero) / 1e6);
        expect(frames.nameOf(events.frame[record])).toBe(procedureOf.get(bytes.readUInt32BE(at + 8)));
      }
      values += 2 * events.count;
    }
    noteConformance("HPCToolkit v2", { recordings: 0, values, largestDifference: 0 });
  });

  it("gauss restricted to all of its run has the time of its traces' samples, each until the next one", async () => {
    const engine = localEngine(grammars);
    await engine.configure({ folders: [], sourceMap: {} });
    const [info] = await engine.open({ paths: [gauss] });
    const metric = info.metrics.findIndex(({ ofEvents }) => ofEvents);
    expect(info.metrics[metric]).toMatchObject({ kind: "time", unit: "s" });
    const naive = readExperimentNaively(path.join(gauss, "experiment.xml"));
    const procedureOf = new Map<number, string>();
    for (const node of naive.nodes) {
      const id = node.attributes.get("it");
      let at: NaiveNode | undefined = node;
      while (at && !isProcedure(at)) at = at.parent;
      if (id !== undefined && at) procedureOf.set(Number(id), procedureName(naive, at));
    }
    const expected = new Map<string, number>();
    for (const name of fs.readdirSync(gauss).filter((one) => one.endsWith(".hpctrace"))) {
      const bytes = fs.readFileSync(path.join(gauss, name));
      for (let at = 24; at + 24 <= bytes.length; at += 12) {
        const procedure = procedureOf.get(bytes.readUInt32BE(at + 8)) ?? "";
        const seconds = Number(bytes.readBigUInt64BE(at + 12) - bytes.readBigUInt64BE(at)) / 1e6;
        expected.set(procedure, (expected.get(procedure) ?? 0) + seconds);
      }
    }
    const scope = { dataSet: info.id, metric, over: "sum", window: { from: -1, to: 1e6 } } as const;
    const rows = await engine.hotFunctions({ scope, by: "exclusive", limit: 1e6 });
    const found = new Map<string, number>();
    for (const { name, exclusive } of rows) found.set(name, (found.get(name) ?? 0) + exclusive);
    for (const [name, seconds] of expected)
      if (seconds > 0) expect(Math.abs((found.get(name) ?? 0) / seconds - 1), name).toBeLessThan(1e-6);
    const sum = (all: Iterable<number>) => [...all].reduce((whole, one) => whole + one, 0);
    expect(sum(found.values())).toBeCloseTo(sum(expected.values()), 6);
    // It is not the profile's: there are traces of 4 of 64 threads.
    expect(info.warnings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^the trace's samples have/),
    );
    noteConformance("HPCToolkit v2", { recordings: 0, values: expected.size, largestDifference: 1e-6 });
    await engine.dispose();
  });

  it.each(["bug-empty", "bug-nometric"])("%s opens and says that nothing was measured", async (name) => {
    const folder = path.join(root, "viewer-xml", name);
    const dataSet = await open(folder);
    expect(dataSet.tree.size).toBe(7);
    expect(dataSet.metrics.map((metric) => metric.name)).toEqual(name === "bug-empty" ? ["REALTIME"] : []);
    expect(dataSet.notRecorded?.[0]).toMatch(/^no (?:values|metrics) in this recording/);
    noteConformance("HPCToolkit v2", { recordings: 1, values: 7, largestDifference: 0 });
  });

  it("opens a database once, whichever of its files is named", async () => {
    const names = fs
      .readdirSync(cpi)
      .filter((name) => name !== "src")
      .map((name) => path.join(cpi, name));
    const whole = await open(cpi);
    for (const some of [names, ...names.map((name) => [name])]) {
      const { files, records } = await open(...some);
      expect({ files, records }).toEqual({ files: whole.files, records: whole.records });
    }
  });
});

function isProcedure({ element }: NaiveNode): boolean {
  return element === "PF" || element === "Pr";
}

function columnName(folder: string, column: number): string {
  const text = fs.readFileSync(path.join(folder, "experiment.xml"), "utf8");
  return new RegExp(`<MetricDB [^>]*n="([^"]*)"[^>]*db-id="${column}"`).exec(text)?.[1] ?? "";
}

/** Half of the sixth digit of each value that was printed and added up. */
function withinDigits({ nodes }: NaiveExperiment): (value: number) => number {
  expect(nodes.length).toBeGreaterThan(1);
  return (value) => PRINTED * Math.abs(value);
}

/** Inclusive values of functions and inlined functions. */
function inclusiveOfProcedures(
  dataSet: DataSet,
  metric: number,
  key: (path: string, location: number) => string,
): Sums {
  const sums = new Sums();
  const paths = pathsOf(dataSet);
  const kinds = ["function", "inlined"];
  dataSet.locations.forEach((_, location) => {
    const values = new Float64Array(dataSet.tree.size);
    for (const [context, at, value] of cellsOf(dataSet, metric)) if (at === location) values[context] = value;
    inclusive(dataSet.tree, values).forEach((value, context) => {
      if (kinds.includes(dataSet.frames.kindOf(dataSet.tree.frame[context])))
        sums.add(key(paths[context], location), value);
    });
  });
  return sums;
}

interface HatchetRow {
  readonly id: number;
  readonly rank: number;
  readonly type: string;
  readonly exclusive: number;
  readonly inclusive: number;
}

function hatchetRows(file: string): HatchetRow[] {
  const [, ...lines] = fs.readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => {
    const [, rank, inc, exc, id, type] = /^"[^"]*",(\d+),([\d.e+]+),([\d.e+]+),(\d+),.*?,(PF|S|L|Pr),/.exec(line) ?? [];
    return { id: Number(id), rank: Number(rank), type, exclusive: Number(exc), inclusive: Number(inc) };
  });
}
