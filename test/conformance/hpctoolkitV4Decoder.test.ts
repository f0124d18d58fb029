import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { ByteSource } from "../../src/formats/byteSource";
import { FileSource } from "../../src/formats/fileSource";
import { ContextDb } from "../unit/formats/hpctoolkit/v4/contextDb";
import { type MetaDb, readMetaDb } from "../../src/formats/hpctoolkit/v4/scan/metaDb";
import { ProfileDb } from "../../src/formats/hpctoolkit/v4/scan/profileDb";
import { TraceDb } from "../../src/formats/hpctoolkit/v4/scan/traceDb";
import { NONE } from "../../src/model/ids";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const folder = path.join(shared ?? "", "data/hpctoolkit-v4");
const databases = shared === undefined ? [] : fs.readdirSync(folder).filter((name) => isDatabase(name));

function isDatabase(name: string): boolean {
  return fs.existsSync(path.join(folder, name, "meta.db"));
}

async function reading<Result>(file: string, read: (source: ByteSource) => Promise<Result>): Promise<Result> {
  const source = await FileSource.open(path.join(folder, file));
  try {
    return await read(source);
  } finally {
    await source.close();
  }
}

/** Metric ids → value, by context id, of every profile. */
async function profileValues(database: string): Promise<Map<number, Map<number, number>>[]> {
  return reading(`${database}/profile.db`, async (source) => {
    const db = await ProfileDb.open(source, quietTask);
    const all: Map<number, Map<number, number>>[] = [];
    for (const profile of db.profiles) {
      const contexts = new Map<number, Map<number, number>>();
      for await (const { count, context, metric, value } of db.read(profile, quietTask)) {
        for (let row = 0; row < count; row++) {
          const values = contexts.get(context[row]) ?? new Map<number, number>();
          contexts.set(context[row], values.set(metric[row], value[row]));
        }
      }
      all.push(contexts);
    }
    return all;
  });
}

const scopeTypes = ["custom", "point", "execution", "transitive"];
const combinations = ["sum", "min", "max"];
const relations = ["lexical", "call", "inlined_call"];
const lexicalTypes = ["function", "loop", "line", "instruction"];
const contextFlags = ["has_function", "has_srcloc", "has_point"];
const entryTypes = ["unknown_entry", "main_thread", "application_thread"];

/** Sorted: the dump has them in any order. */
const namesOf = (flags: number, names: readonly string[]) => names.filter((_, bit) => (flags >> bit) & 1).sort();

interface DumpedContext {
  children: DumpedContext[];
}

/** meta.db in the shape of the tool's own dump, numbers as it writes them. */
function dumpOfMeta(meta: MetaDb): unknown {
  const scope = ({ name, type, propagationIndex }: MetaDb["scopes"][number]) => ({
    scope_name: name,
    type: scopeTypes[type],
    propagation_index: BigInt(propagationIndex),
  });
  const modules = meta.modules.map((one) => ({ flags: [], path: one.path }));
  const files = meta.files.map((one) => ({ flags: namesOf(one.flags, ["copied"]), path: one.path }));
  const module = (index: number) => (index === NONE ? null : modules[index]);
  const file = (index: number) => (index === NONE ? null : files[index]);
  const functions = meta.functions.map((one) => ({
    name: one.name ?? null,
    module: module(one.module),
    offset: one.module === NONE ? null : one.offset,
    file: file(one.file),
    line: one.file === NONE ? null : BigInt(one.line),
    flags: [],
  }));
  const { contexts } = meta;
  const rows: DumpedContext[] = [];
  for (let row = 0; row < contexts.size; row++) {
    const children: DumpedContext[] = [];
    const entry = contexts.entries[row];
    const own = entry
      ? { ctx_id: BigInt(contexts.id[row]), entry_point: entryTypes[entry.type], pretty_name: entry.name, children }
      : {
          ctx_id: BigInt(contexts.id[row]),
          flags: namesOf(contexts.flags[row], contextFlags),
          relation: relations[contexts.relation[row]],
          lexical_type: lexicalTypes[contexts.lexicalType[row]],
          propagation: BigInt(contexts.propagation[row]),
          function: contexts.function[row] === NONE ? null : functions[contexts.function[row]],
          file: file(contexts.file[row]),
          line: contexts.file[row] === NONE ? null : BigInt(contexts.line[row]),
          module: module(contexts.module[row]),
          offset: contexts.module[row] === NONE ? null : contexts.offset[row],
          children,
        };
    rows.push(own);
    if (!entry) rows[contexts.parent[row]].children.push(own);
  }
  return {
    general: { title: meta.title, description: meta.description },
    id_names: { names: meta.idNames },
    metrics: {
      scopes: meta.scopes.map(scope),
      metrics: meta.metrics.map((metric) => ({
        name: metric.name,
        scope_insts: metric.scopes.map((one) => ({ scope: scope(one.scope), prop_metric_id: BigInt(one.id) })),
        summaries: metric.statistics.map((one) => ({
          scope: scope(one.scope),
          formula: one.formula,
          combine: combinations[one.combine],
          stat_metric_id: BigInt(one.id),
        })),
      })),
    },
    modules: { modules },
    files: { files },
    functions: { functions },
    context: { entry_points: rows.slice(0, contexts.entries.length) },
  };
}

/** How many numbers and texts a plain value holds. */
function leaves(value: unknown): number {
  if (value === null || typeof value !== "object") return 1;
  const parts: unknown[] = value instanceof Map ? [...value.values()] : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + leaves(part), 0);
}

describe.runIf(shared !== undefined)("the decoder of HPCToolkit 4 databases", () => {
  it.each(["small", "small.nostruct"])("gives every value of the tool's own dump of %s", async (name) => {
    const text = fs.readFileSync(path.join(folder, `${name}.yaml`), "utf8");
    const sorted = (key: unknown, value: unknown) => (key === "flags" ? [...(value as string[])].sort() : value);
    const dump = parse(text, sorted, { intAsBigInt: true, logLevel: "silent" }) as Record<string, never>;
    const meta = await reading(`${name}.d/meta.db`, (source) => readMetaDb(source, quietTask));
    const ofMeta = dumpOfMeta(meta);
    expect(ofMeta).toEqual(dump.meta);

    const values = await profileValues(`${name}.d`);
    const profiles = await reading(`${name}.d/profile.db`, async (source) => {
      const db = await ProfileDb.open(source, quietTask);
      return db.profiles.map(({ ids, flags, index }) => ({
        id_tuple:
          ids.length === 0
            ? null
            : {
                ids: ids.map((id) => ({
                  kind: BigInt(id.kind),
                  flags: namesOf(id.flags, ["is_physical"]),
                  logical_id: BigInt(id.logicalId),
                  physical_id: id.physicalId,
                })),
              },
        flags: namesOf(flags, ["is_summary"]),
        values: bigKeys(values[index]),
      }));
    });
    expect({ profile_infos: { profiles } }).toEqual(dump.profile);

    const contexts = await reading(`${name}.d/cct.db`, async (source) => {
      const db = await ContextDb.open(source);
      const all = [];
      for (let context = 0; context < db.contexts; context++) {
        const { metric, profile, value } = await db.read(context);
        const own = new Map<number, Map<number, number>>();
        metric.forEach((id, row) => own.set(id, (own.get(id) ?? new Map()).set(profile[row], value[row])));
        all.push({ values: bigKeys(own) });
      }
      return all;
    });
    expect({ ctx_infos: { contexts } }).toEqual(dump.context);

    const trace = await reading(`${name}.d/trace.db`, async (source) => {
      const db = await TraceDb.open(source, quietTask);
      const traces = [];
      for (const line of db.lines) {
        const samples: unknown[] = [];
        for await (const { count, nanoseconds, context } of db.read(line, quietTask))
          for (let row = 0; row < count; row++)
            samples.push({
              timestamp: db.earliest + BigInt(nanoseconds[row]),
              ctx_id: BigInt(context[row]),
            });
        traces.push({ prof_index: BigInt(line.profile), line: samples });
      }
      return { ctx_traces: { timestamp_range: { min: db.earliest, max: db.latest }, traces } };
    });
    expect(trace).toEqual(dump.trace);
    const compared = leaves(ofMeta) + leaves(profiles) + leaves(contexts) + leaves(trace);
    expect(compared).toBeGreaterThan(250);
    noteConformance("HPCToolkit v4", { recordings: 0, values: compared, largestDifference: 0 });
  });

  it.each(["small", "loops-cputime-t", "pipit-ping-pong"])("agrees with an independent reader on %s", async (name) => {
    const golden = JSON.parse(fs.readFileSync(path.join(folder, `golden/${name}.json`), "utf8")) as Golden;
    const database = isDatabase(name) ? name : `${name}.d`;
    const meta = await reading(`${database}/meta.db`, (source) => readMetaDb(source, quietTask));
    const [summary] = await profileValues(database);
    const { contexts } = meta;
    const path_ = (index: number) => (index === NONE ? null : meta.files[index].path);
    const module = (index: number) => (index === NONE ? null : meta.modules[index].path);
    const decoded = Array.from({ length: contexts.size }, (_, row) => {
      const entry = contexts.entries[row];
      const fn = contexts.function[row] === NONE ? undefined : meta.functions[contexts.function[row]];
      const hasPlace = (contexts.flags[row] & 2) !== 0;
      return {
        id: contexts.id[row],
        parent: contexts.parent[row] === NONE ? 0 : contexts.id[contexts.parent[row]],
        rel: entry ? null : contexts.relation[row],
        lex: entry ? null : contexts.lexicalType[row],
        entry: entry?.name ?? null,
        fn: fn?.name ?? null,
        fnFile: fn ? path_(fn.file) : null,
        fnLine: fn?.line ?? null,
        fnModule: fn ? module(fn.module) : null,
        file: path_(contexts.file[row]),
        line: hasPlace ? contexts.line[row] : null,
        module: module(contexts.module[row]),
        offset: contexts.module[row] === NONE ? null : Number(contexts.offset[row]),
        summary: Object.fromEntries(summary.get(contexts.id[row]) ?? []),
      };
    });
    decoded.sort((a, b) => a.id - b.id);
    expect(decoded).toEqual(golden.contexts);
    expect(meta.title).toBe(golden.title);
    expect(meta.scopes.map((one) => [one.name, one.type, one.propagationIndex])).toEqual(golden.scopes);
    noteConformance("HPCToolkit v4", { recordings: 0, values: leaves(decoded), largestDifference: 0 });
  });

  it.each(databases)("finds cct.db of %s to be profile.db transposed", async (database) => {
    const profiles = await reading(`${database}/profile.db`, async (source) => {
      const { profiles } = await ProfileDb.open(source, quietTask);
      return profiles;
    });
    const cells = new Map<string, number>();
    for (const [index, contexts] of (await profileValues(database)).entries()) {
      if (profiles[index].isSummary) continue;
      for (const [context, metrics] of contexts)
        for (const [metric, value] of metrics) cells.set(`${index} ${context} ${metric}`, value);
    }
    const { size } = cells;
    await reading(`${database}/cct.db`, async (source) => {
      const db = await ContextDb.open(source);
      for (let context = 0; context < db.contexts; context++) {
        const { metric, profile, value } = await db.read(context);
        for (let row = 0; row < value.length; row++) {
          const key = `${profile[row]} ${context} ${metric[row]}`;
          if (cells.get(key) !== value[row]) throw new Error(`${key}: ${cells.get(key)} and ${value[row]}`);
          cells.delete(key);
        }
      }
    });
    expect([...cells]).toEqual([]);
    noteConformance("HPCToolkit v4", { recordings: 0, values: size, largestDifference: 0 });
  });
});

interface Golden {
  readonly title: string;
  readonly scopes: unknown;
  readonly contexts: unknown;
}

/** Keys as the dump has them. */
function bigKeys(values: ReadonlyMap<number, ReadonlyMap<number, number>>): unknown {
  const entries = [...values].map(([key, inner]) => [key, Object.fromEntries(inner)]);
  return Object.fromEntries(entries) as unknown;
}
