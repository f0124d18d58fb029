import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { ByteSource } from "../../src/formats/byteSource";
import { FileSource } from "../../src/formats/fileSource";
import { type MetaDb, readMetaDb } from "../../src/formats/hpctoolkit/v4/scan/metaDb";
import { ProfileDb, type ProfileInfo } from "../../src/formats/hpctoolkit/v4/scan/profileDb";
import { openRecordings } from "../../src/formats/registry";
import { inclusive } from "../../src/model/contextTree";
import type { DataSet } from "../../src/model/dataSet";
import { NONE } from "../../src/model/ids";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const folder = path.join(shared ?? "", "data/hpctoolkit-v4");
const databases =
  shared === undefined
    ? []
    : fs.readdirSync(folder).filter((name) => fs.existsSync(path.join(folder, name, "meta.db")));

async function reading<Result>(file: string, read: (source: ByteSource) => Promise<Result>): Promise<Result> {
  const source = await FileSource.open(path.join(folder, file));
  try {
    return await read(source);
  } finally {
    await source.close();
  }
}

interface StoredProfile extends ProfileInfo {
  /** `context metric` → value. */
  readonly stored: ReadonlyMap<string, number>;
}

/** A database as the decoder gives it, which is compared with the tool's own dump elsewhere. */
async function decoded(database: string): Promise<{ meta: MetaDb; profiles: StoredProfile[] }> {
  const meta = await reading(`${database}/meta.db`, (source) => readMetaDb(source, quietTask));
  const profiles = await reading(`${database}/profile.db`, async (source) => {
    const db = await ProfileDb.open(source, quietTask);
    const all: StoredProfile[] = [];
    for (const profile of db.profiles) {
      const stored = new Map<string, number>();
      for await (const { count, context, metric, value } of db.read(profile, quietTask))
        for (let row = 0; row < count; row++) stored.set(`${context[row]} ${metric[row]}`, value[row]);
      all.push({ ...profile, stored });
    }
    return all;
  });
  return { meta, profiles };
}

async function opened(database: string): Promise<DataSet> {
  const dataSets = await openRecordings([path.join(folder, database)], {}, quietTask);
  expect(dataSets).toHaveLength(1);
  return dataSets[0];
}

/** The path of each context of meta.db in words: what a reader of the specification would call its steps. */
function storedPaths({ contexts, functions, files, modules, ...meta }: MetaDb): string[] {
  const file = (index: number) => (files[index].copied ? files[index].path.slice(3) : files[index].path);
  const paths: string[] = [];
  for (let row = 0; row < contexts.size; row++) {
    const above = contexts.parent[row] === NONE ? "" : paths[contexts.parent[row]];
    let step: string;
    if (row < contexts.entries.length) step = contexts.entries[row].name;
    else if (contexts.function[row] !== NONE) {
      const { name, module } = functions[contexts.function[row]];
      const base = module === NONE ? "" : path.basename(modules[module].path).replace(/^<(\w+)\..*>$/, "$1");
      step = (name ?? "?").startsWith("<") ? (name ?? "?") : (name ?? "?").replace(` [${base}]`, "");
    } else if (contexts.lexicalType[row] === 0) step = "<unknown procedure>";
    else if (contexts.file[row] !== NONE && !files[contexts.file[row]].path.startsWith("["))
      step = `${contexts.lexicalType[row] === 1 ? "loop at " : ""}${file(contexts.file[row])}:${contexts.line[row]}`;
    else {
      const stored = contexts.file[row] === NONE ? "line not known" : files[contexts.file[row]].path;
      const module = contexts.module[row] === NONE ? undefined : path.basename(modules[contexts.module[row]].path);
      const point = module === undefined ? stored : `${module}+0x${contexts.offset[row].toString(16)}`;
      step = contexts.lexicalType[row] === 2 ? stored : contexts.lexicalType[row] === 1 ? `loop at ${point}` : point;
    }
    paths.push(`${above} > ${step}`);
  }
  expect(meta.title).not.toBe("");
  return paths;
}

/** Path → inclusive value at a location, as our tree has it. */
function ownInclusive(dataSet: DataSet, metric: number, location: number): Map<string, number> {
  const { tree, frames } = dataSet;
  const { rowStart, column, value } = dataSet.values[metric];
  const exclusive = new Float64Array(tree.size);
  for (let context = 0; context < tree.size; context++)
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++)
      if (column[cell] === location) exclusive[context] += value[cell];
  const sums = inclusive(tree, exclusive);
  const paths: string[] = [];
  const found = new Map<string, number>();
  for (let context = 0; context < tree.size; context++) {
    const above = tree.parent[context] === NONE ? "" : paths[tree.parent[context]];
    paths.push(`${above} > ${frames.nameOf(tree.frame[context])}`);
    found.set(paths[context], (found.get(paths[context]) ?? 0) + sums[context]);
  }
  return found;
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

describe.runIf(shared !== undefined)("HPCToolkit 4 databases", () => {
  it.each(databases)("%s has the tool's inclusive value at every context and thread", async (database) => {
    const { meta, profiles } = await decoded(database);
    const dataSet = await opened(database);
    const paths = storedPaths(meta);
    let values = 0;
    let largest = 0;
    for (const metric of meta.metrics) {
      const execution = metric.scopes.find(({ scope }) => scope.name === "execution");
      const own = dataSet.metrics.findIndex((one) => one.recordedName === metric.name && one.additive);
      expect(execution).toBeDefined();
      if (execution === undefined) continue;
      // Profiles of processes without a number share a location.
      const byLocation = new Map<number, StoredProfile[]>();
      for (const profile of profiles) {
        if (profile.isSummary) continue;
        const at = dataSet.locations.findIndex((place) =>
          profile.ids.every(({ kind, logicalId }) => {
            const part = { NODE: "node", RANK: "rank", THREAD: "thread", GPUDEVICE: "device", GPUSTREAM: "stream" };
            const key = (part as Record<string, keyof typeof place>)[meta.idNames[kind]];
            return key === undefined || place[key] === logicalId;
          }),
        );
        byLocation.set(at, [...(byLocation.get(at) ?? []), profile]);
      }
      for (const [location, some] of byLocation) {
        const expected = new Map<string, number>();
        for (const { stored } of some) {
          for (let row = 0; row < paths.length; row++) {
            const value = stored.get(`${meta.contexts.id[row]} ${execution.id}`);
            if (value !== undefined) expected.set(paths[row], (expected.get(paths[row]) ?? 0) + value);
          }
        }
        if (expected.size === 0) continue;
        expect(location).toBeGreaterThanOrEqual(0);
        expect(own).toBeGreaterThanOrEqual(0);
        const total = sum(some.map(({ stored }) => stored.get(`0 ${execution.id}`) ?? 0));
        const found = ownInclusive(dataSet, own, location);
        for (const [name, value] of expected) {
          const difference = Math.abs((found.get(name) ?? Number.NaN) - value) / total;
          if (!(difference < 1e-12)) throw new Error(`${metric.name} of ${name}: ${found.get(name)}, not ${value}`);
          largest = Math.max(largest, difference);
          values++;
        }
        const roots = [...found].filter(([name]) => name.indexOf(" > ", 3) < 0).map(([, value]) => value);
        expect(Math.abs(sum(roots) - total) / total).toBeLessThan(1e-12);
      }
    }
    expect(values).toBeGreaterThan(0);
    noteConformance("HPCToolkit v4", { recordings: 1, values, largestDifference: largest });
  });

  it.each(databases)("%s: sums over threads are the tool's own summary", async (database) => {
    const { meta, profiles } = await decoded(database);
    const summary = profiles.find(({ isSummary }) => isSummary);
    const single = profiles.filter(({ isSummary }) => !isSummary);
    let values = 0;
    let largest = 0;
    for (const metric of meta.metrics) {
      for (const { scope, formula, combine, id } of metric.statistics) {
        // hpcprof itself leaves threads out of its summary of `lex_aware` at some loops.
        if (formula !== "$$" || combine !== 0 || scope.name === "lex_aware") continue;
        const stored = metric.scopes.find((one) => one.scope === scope)?.id;
        const total = summary?.stored.get(`0 ${id}`) ?? sum(single.map(({ stored }) => sum(stored.values())));
        for (const [key, value] of summary?.stored ?? []) {
          const [context, at] = key.split(" ");
          if (Number(at) !== id) continue;
          const found = sum(single.map((one) => one.stored.get(`${context} ${stored}`) ?? 0));
          const difference = Math.abs(found - value) / (Math.abs(total) || 1);
          if (!(difference < 1e-9)) throw new Error(`${metric.name} ${scope.name} ${key}: ${found}, not ${value}`);
          largest = Math.max(largest, difference);
          values++;
        }
      }
    }
    expect(values).toBeGreaterThan(0);
    noteConformance("HPCToolkit v4", { recordings: 0, values, largestDifference: largest });
  });

  it("have the metrics of their taxonomies: GPU occupancy is the share of active groups of threads", async () => {
    const { meta, profiles } = await decoded("loops-cuda-nvidia-t.d");
    const stored = (name: string) => {
      const id = meta.metrics
        .find((metric) => metric.name === name)
        ?.statistics.find(({ scope }) => scope.name === "lex_aware")?.id;
      return [...(profiles[0].stored ?? [])].filter(([key]) => key.endsWith(` ${id}`));
    };
    const dataSet = await opened("loops-cuda-nvidia-t.d");
    const occupancy = dataSet.metrics.findIndex(({ name }) => name === "GKER:OCC_THR (exclusive)");
    expect(dataSet.metrics[occupancy]).toMatchObject({ additive: false, reducedOverRanks: true });
    const most = new Map(stored("GKER:FGP_MAX_ACUMU"));
    const known = new Set(meta.contexts.id);
    const expected = stored("GKER:FGP_ACT_ACUMU")
      .map(([key, active]) => {
        const [context] = key.split(" ");
        const id = meta.metrics.find(({ name }) => name === "GKER:FGP_MAX_ACUMU")?.statistics[2].id;
        return known.has(Number(context)) ? (100 * active) / (most.get(`${context} ${id}`) ?? 0) : Number.NaN;
      })
      .filter((value) => Number.isFinite(value));
    expect(expected.length).toBeGreaterThan(0);
    expect([...dataSet.values[occupancy].value]).toEqual(expected);
  });
});
