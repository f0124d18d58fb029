import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet, Hierarchy } from "../../src/model/dataSet";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { naiveMetric } from "../unit/formats/caliper/naiveMetric";
import { readNaively } from "../unit/formats/caliper/naiveCali";
import { jsonOf, splitOf } from "../unit/formats/caliper/jsonOf";
import { cellsOf, metricNamed, pathsOf, plainDataSet } from "../unit/formats/plainDataSet";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const root = shared ?? "";
const profiles = path.join(root, "miniapp/profiles");
const edge = path.join(root, "data/caliper-edge");
/** Half of the last of the six decimals that Caliper's JSON has, with room for rounding. */
const PRINTED = 5.1e-7;

async function open(file: string, hierarchy?: Hierarchy): Promise<DataSet> {
  const dataSets = await openRecordings([file], { hierarchy }, quietTask);
  expect(dataSets).toHaveLength(1);
  return dataSets[0];
}

function filesIn(folder: string, ending: string): string[] {
  if (shared === undefined) return [];
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name))
    .sort();
}

function json<T>(...parts: string[]): T {
  return JSON.parse(fs.readFileSync(path.join(...parts), "utf8")) as T;
}

/** Values of a metric by joined path and rank; the golden files join paths in the same way, and add equal paths up. */
function byPathAndRank(dataSet: DataSet, metric: number): Map<string, number> {
  const paths = pathsOf(dataSet);
  const sums = new Map<string, number>();
  for (const [context, place, value] of cellsOf(dataSet, metric)) {
    const key = `${paths[context].join("/")} @${dataSet.locations[place].rank}`;
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}

/** Golden records by joined path and rank. */
function goldenByPathAndRank(records: readonly Record<string, unknown>[], column: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const record of records) {
    const value = record[column];
    if (typeof value !== "number") continue;
    const key = `${(record.path as string | undefined) ?? ""} @${(record["mpi.rank"] as number | undefined) ?? -1}`;
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}

function largestDifference(found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): number {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  return Math.max(0, ...[...found].map(([key, value]) => Math.abs(value - (expected.get(key) ?? Number.NaN))));
}

/** Caliper's own JSON writes nan and inf bare. */
function looseJson<T>(...parts: string[]): T {
  const text = fs.readFileSync(path.join(...parts), "utf8");
  return JSON.parse(text.replace(/:(-?)(nan|inf)\b/g, ':"$1$2"')) as T;
}

function note(form: string, recordings: number, values: number, largestDifference: number): void {
  noteConformance(`Caliper ${form}`, { recordings, values, largestDifference });
}

describe.skipIf(shared === undefined)("Caliper recordings", () => {
  it.each(["data/caliper", "data/caliper-edge", "miniapp/profiles"].flatMap((folder) => filesIn(folder, ".cali")))(
    "%s: every value equals that of a naive reader exactly",
    async (name) => {
      const file = path.join(root, name);
      const dataSet = await open(file, "regions");
      const naive = readNaively(fs.readFileSync(file, "utf8"));
      expect(dataSet.records).toBe(naive.records);
      // A recording without its end has no globals record; what its other records say of the run is taken then.
      if (naive.globals.size > 0)
        expect([...dataSet.globals].sort()).toEqual(
          [...naive.globals].map(([key, values]) => [key, [...new Set(values)]]).sort(),
        );
      let values = 0;
      for (const [index, metric] of dataSet.metrics.entries()) {
        const found = new Map<string, number>();
        const paths = pathsOf(dataSet).map((one) => JSON.stringify(one));
        for (const [context, place, value] of cellsOf(dataSet, index)) {
          const { rank, thread } = dataSet.locations[place];
          const key = `${paths[context]} ${rank < 0 ? "" : rank},${thread < 0 ? "" : thread}`;
          expect(found.has(key)).toBe(false);
          found.set(key, value);
        }
        expect(found, metric.recordedName).toEqual(naiveMetric(naive, metric.recordedName));
        values += found.size;
      }
      expect(values > 0 || /empty/.test(name)).toBe(true);
      note(".cali, exact", 1, values, 0);
    },
  );

  it.each(["data/caliper", "data/caliper-edge", "miniapp/profiles"].flatMap((folder) => filesIn(folder, ".cali")))(
    "%s: written as json and json-split by a naive writer, every value is the same",
    async (name) => {
      const file = path.join(root, name);
      const naive = readNaively(fs.readFileSync(file, "utf8"));
      if (naive.rows.length === 0) return; // a list without records says nothing of its format
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-json-"));
      try {
        const cali = await open(file, "regions");
        for (const [form, written] of [
          ["json", jsonOf(naive, "object")],
          ["json-split", splitOf(naive)],
        ]) {
          fs.writeFileSync(path.join(folder, "written.json"), written);
          const other = await open(path.join(folder, "written.json"), "regions");
          // json-split does not say what adds up, so it may offer numbers that the others know to be none.
          if (form === "json") expect(other.metrics).toEqual(cali.metrics);
          let values = 0;
          for (const [index, { name: metric }] of cali.metrics.entries()) {
            const found = byPathAndRank(other, metricNamed(other, metric));
            expect(found).toEqual(byPathAndRank(cali, index));
            values += found.size;
          }
          expect(other.trace?.events).toBe(cali.trace?.events);
          for (const { name: loop, metric, rows } of cali.series ?? []) {
            const same = metricNamed(other, cali.metrics[metric].name);
            expect(other.series?.find((one) => one.name === loop && one.metric === same)?.rows).toBe(rows);
          }
          note(`${form}, exact`, 1, values, 0);
        }
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    },
  );

  it.each(
    [...filesIn("miniapp/profiles/golden", ".json"), "data/caliper-edge/golden/edge.profile.json-records.json"].filter(
      (name) => !name.includes("supergraph"),
    ),
  )("%s, as cali-query wrote it: every number is the text's", async (name) => {
    const records = looseJson<Record<string, unknown>[]>(root, name);
    const dataSet = await open(path.join(root, name), "regions");
    expect(dataSet.records).toBe(records.length);
    expect(dataSet.metrics.length).toBeGreaterThan(0);
    let largest = 0;
    for (const [index, { recordedName, note: said }] of dataSet.metrics.entries()) {
      expect(said).toBeUndefined();
      const found = byPathAndRank(dataSet, index);
      largest = Math.max(largest, largestDifference(found, goldenByPathAndRank(records, recordedName)));
      note("json of cali-query", 0, found.size, largest);
    }
    expect(largest).toBeLessThan(1e-12);
    note("json of cali-query", 1, 0, largest);
  });

  const splitFiles = [...filesIn("data", ".json"), ...filesIn("miniapp/profiles", ".json")].filter((name) =>
    /caliper-[^/]*json\/|json-split|profile-8ranks\.json/.test(name),
  );
  it.each(splitFiles)("%s: every value equals the text's", async (name) => {
    type Split = {
      data: (number | null)[][];
      columns: string[];
      column_metadata: { is_value: boolean }[];
      nodes: { label: string; parent?: number }[];
    };
    const split = looseJson<Split>(root, name);
    const dataSet = await open(path.join(root, name), "regions");
    const labels = (at: number | null): string[] => {
      if (at === null) return [];
      const { label, parent } = split.nodes[at];
      return [...labels(parent ?? null), label];
    };
    const path_ = split.columns.indexOf("path");
    const rank = split.columns.indexOf("mpi.rank");
    let [values, largest] = [0, 0];
    for (const [metric, { name: shown, recordedName, note: said, additive }] of dataSet.metrics.entries()) {
      // Samples make a time too; that is their count in another unit.
      if (shown === "time" && recordedName === "count") continue;
      expect(additive).toBe(true);
      const column = split.columns.indexOf(recordedName);
      const divisor = said?.includes("microseconds") ? 1e6 : 1;
      const expected = new Map<string, number>();
      for (const row of split.data) {
        const value = row[column];
        if (value === null) continue;
        const key = `${(path_ < 0 ? [] : labels(row[path_])).join("/")} @${rank < 0 ? -1 : (row[rank] ?? -1)}`;
        expected.set(key, (expected.get(key) ?? 0) + value / divisor);
      }
      const found = byPathAndRank(dataSet, metric);
      largest = Math.max(largest, largestDifference(found, expected));
      values += found.size;
    }
    expect(largest).toBeLessThan(1e-9);
    expect(values).toBeGreaterThan(0);
    note("json-split", 1, values, largest);
  });

  it("profile-8ranks equals what cali-query reads", async () => {
    const dataSet = await open(path.join(profiles, "profile-8ranks.cali"));
    const golden = json<Record<string, unknown>[]>(profiles, "golden/profile-8ranks.records.json");
    const expected = goldenByPathAndRank(golden, "sum#sum#time.duration");
    expect(expected.size).toBe(192);
    const difference = largestDifference(byPathAndRank(dataSet, metricNamed(dataSet, "time")), expected);
    expect(difference).toBeLessThan(PRINTED);
    note("against cali-query", 1, expected.size, difference);
  });

  it("profile-8ranks.json equals its .cali twin within what JSON prints", async () => {
    const [cali, split] = [
      await open(path.join(profiles, "profile-8ranks.cali")),
      await open(path.join(profiles, "profile-8ranks.json")),
    ];
    const difference = largestDifference(
      byPathAndRank(split, metricNamed(split, "time")),
      byPathAndRank(cali, metricNamed(cali, "time")),
    );
    expect(difference).toBeLessThan(PRINTED);
    expect(difference).toBeGreaterThan(0);
    note("json-split, six decimals", 1, 192, difference);
    expect(split.locations).toEqual(cali.locations);
    expect(split.metrics).toEqual(cali.metrics.map((metric) => ({ ...metric, recordedName: expect.any(String) })));
  });

  it("edge.profile equals what cali-query reads, names with separators, quotes and control characters among them", async () => {
    const dataSet = await open(path.join(edge, "edge.profile.cali"));
    const golden = looseJson<Record<string, unknown>[]>(edge, "golden/edge.profile.json-records.json");
    const time = byPathAndRank(dataSet, metricNamed(dataSet, "time"));
    // Two contexts share the path `main/`: bytes that Caliper drops made their names equal. Six decimals each.
    const difference = largestDifference(time, goldenByPathAndRank(golden, "sum#sum#time.duration"));
    expect(difference).toBeLessThan(2 * PRINTED);
    note("against cali-query", 1, time.size, difference);
    const calls = byPathAndRank(dataSet, metricNamed(dataSet, "Calls"));
    expect(largestDifference(calls, goldenByPathAndRank(golden, "sum#rc.count"))).toBe(0);
    // The tool prints doubles with all their digits or six decimals: those are compared as far as it prints them.
    const [globals] = json<Record<string, string>[]>(edge, "golden/edge.profile.globals.json");
    expect([...dataSet.globals.keys()].sort()).toEqual(Object.keys(globals).sort());
    for (const [name, values] of dataSet.globals) {
      if (name.startsWith("edge.double")) expect(Number(values[0])).toBeCloseTo(Number(globals[name]), 6);
      else expect([name, values]).toEqual([name, [globals[name]]]);
    }
  });

  it("edge.profile as json-split, as cali-query writes it, equals the .cali", async () => {
    const cali = await open(path.join(edge, "edge.profile.cali"));
    const split = await open(path.join(edge, "golden/edge.profile.json-split.json"));
    const [a, b] = [cali, split].map((one) => byPathAndRank(one, metricNamed(one, "time")));
    const difference = largestDifference(a, b);
    expect(difference).toBeLessThan(2 * PRINTED);
    note("json-split, six decimals", 1, a.size, difference);
  });

  it("crlf.cali equals its twin with plain line ends", async () => {
    const text = fs.readFileSync(path.join(edge, "crlf.cali"), "latin1");
    expect(text).toContain("\r\n");
    const { mkdtempSync, writeFileSync, rmSync } = fs;
    const folder = mkdtempSync(path.join(os.tmpdir(), "heatflow-crlf-"));
    try {
      writeFileSync(path.join(folder, "lf.cali"), text.replaceAll("\r\n", "\n"), "latin1");
      const [crlf, lf] = [await open(path.join(edge, "crlf.cali")), await open(path.join(folder, "lf.cali"))];
      expect(plainDataSet(crlf)).toEqual(plainDataSet(lf));
      expect(crlf.warnings).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("a truncated file opens with what it has and says where it ends; an empty one says so", async () => {
    const truncated = await open(path.join(edge, "truncated-mid-line.cali"));
    expect(truncated.warnings).toMatchObject([
      { at: { byte: 20000 }, message: expect.stringContaining("middle of a line") },
    ]);
    expect(truncated.tree.size).toBeGreaterThan(50);
    for (const name of ["empty.profile.cali", "empty.trace.cali"]) {
      const empty = await open(path.join(edge, name));
      expect(empty.warnings).toMatchObject([{ message: expect.stringContaining("no records") }]);
      expect(empty.tree.size).toBe(0);
    }
  });

  it("nan and inf stay in the data and are counted", async () => {
    const dataSet = await open(path.join(edge, "edge.trace.cali"));
    const values = [...cellsOf(dataSet, metricNamed(dataSet, "my.double"))].map(([, , value]) => value);
    expect(values.some((value) => !Number.isFinite(value))).toBe(true);
    expect(dataSet.warnings.map(({ message }) => message).join()).toMatch(
      /my\.double has \d+ values that are nan or inf/,
    );
  });

  it("samples-1rank: samples a line and a region equal cali-query's", async () => {
    const file = path.join(profiles, "samples-1rank.cali");
    const combined = await open(file);
    const lines = json<{ "sourceloc#cali.sampler.pc": string; samples: number }[]>(
      profiles,
      "golden/samples-1rank.by-line.json",
    );
    const byLine = new Map<string, number>();
    for (const [context, , value] of cellsOf(combined, metricNamed(combined, "count"))) {
      const frame = combined.frames.get(combined.tree.frame[context] as never);
      const name = frame.kind === "line" ? `${frame.file}:${frame.line}` : "UNKNOWN:0";
      byLine.set(name, (byLine.get(name) ?? 0) + value);
    }
    expect(byLine).toEqual(new Map(lines.map((one) => [one["sourceloc#cali.sampler.pc"], one.samples])));
    const regions = await open(file, "regions");
    const golden = json<Record<string, unknown>[]>(profiles, "golden/samples-1rank.by-region.json");
    const byRegion = new Map(
      [...byPathAndRank(regions, metricNamed(regions, "count"))].map(([key, value]) => [
        key.replace(/ @0$/, " @-1"),
        value,
      ]),
    );
    expect(byRegion).toEqual(goldenByPathAndRank(golden, "samples"));
  });

  it.each(["samples-1rank.cali", "samples-4ranks-callpath.cali"])(
    "%s: as many samples in each hierarchy, a rank",
    async (name) => {
      const totals = [];
      for (const hierarchy of ["combined", "regions", "callPaths"] as const) {
        const dataSet = await open(path.join(profiles, name), hierarchy);
        expect(dataSet.hierarchies[0]).toBe(hierarchy);
        expect([...dataSet.hierarchies].sort()).toEqual(["callPaths", "combined", "regions"]);
        const ranks = new Map<number, number>();
        for (const [, place, value] of cellsOf(dataSet, metricNamed(dataSet, "count")))
          ranks.set(dataSet.locations[place].rank, (ranks.get(dataSet.locations[place].rank) ?? 0) + value);
        totals.push([...ranks].sort());
      }
      expect(totals[1]).toEqual(totals[0]);
      expect(totals[2]).toEqual(totals[0]);
      expect(totals[0].length).toBe(name.includes("4ranks") ? 4 : 1);
    },
  );

  it("the 16 files of trace are two runs of 8 ranks, whose MPI functions sum up to cali-query's", async () => {
    const folder = path.join(profiles, "trace");
    const runs = await openRecordings([folder], {}, quietTask);
    expect(runs.map(({ name }) => name)).toEqual(["trace/events-*.cali", "trace/messages-*.cali"]);
    expect(runs.map(({ locations }) => locations.map(({ rank }) => rank))).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [0, 1, 2, 3, 4, 5, 6, 7],
    ]);
    type Row = { path?: string; "mpi.rank": number; n: number; ns: number };
    const golden = json<Row[]>(profiles, "golden/events.mpi-functions.json");
    const [events] = runs;
    const found = new Map<string, number>();
    const metric = metricNamed(events, "time.duration.ns");
    for (const [context, place, value] of cellsOf(events, metric)) {
      const frame = events.tree.frame[context];
      const name = events.frames.originOf(frame) === "mpi" ? events.frames.nameOf(frame) : "";
      const key = `${name} @${events.locations[place].rank}`;
      found.set(key, (found.get(key) ?? 0) + Math.round(value * 1e9));
    }
    expect(found).toEqual(new Map(golden.map((row) => [`${row.path ?? ""} @${row["mpi.rank"]}`, row.ns])));
  });

  it("files of one run are one data set in any order, and others are further ones", async () => {
    const folder = path.join(profiles, "ensemble");
    const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
    const runs = await openRecordings([...files].reverse(), {}, quietTask);
    expect(runs.map(({ files: [file] }) => path.basename(file))).toEqual(
      files.map((file) => path.basename(file)).sort(),
    );
    const trace = filesIn("miniapp/profiles/trace", ".cali").map((name) => path.join(root, name));
    const [one, other] = [
      await openRecordings(trace, {}, quietTask),
      await openRecordings([...trace].reverse(), {}, quietTask),
    ];
    expect(one.map(plainDataSet)).toEqual(other.map(plainDataSet));
    expect(one).toHaveLength(2);
  });

  it("a thicket's own JSON is no profile, and the error says what would be", async () => {
    const file = path.join(root, "data/caliper/thicket/example-json/user_ensemble.json");
    await expect(open(file)).rejects.toThrow(/found JSON that is no profile; expected a recording: .*json-split/);
  });

  it("call paths hang below the region whose function they continue", async () => {
    const dataSet = await open(path.join(profiles, "samples-4ranks-callpath.cali"));
    const paths = pathsOf(dataSet);
    expect(paths).toContainEqual(["main", "timestep", "advance", "updateConductivity", "src/physics.cpp:30"]);
    // Every call path starts at `_start` and goes through `main`, which is a region: nothing above it stays.
    expect(paths.filter((one) => one.includes("_start") || one.lastIndexOf("main") > 0)).toEqual([]);
  });
});
