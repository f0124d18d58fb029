/**
 * HPCToolkit databases read without the project's readers, for expected values: only what a test needs of the formats
 * (docs/formats.md 1), by plain steps.
 */
import fs from "node:fs";
import path from "node:path";

/** A frame of the calling context tree; lines, loops and call sites belong to the nearest function above. */
export interface RawFunction {
  readonly name: string;
  /** Base name of the file of its definition. */
  readonly file: string;
  readonly line: number;
  /** The function that it was called in. */
  readonly caller: RawFunction | undefined;
  /** Inclusive values of a metric, one a location. */
  inclusive(metric: string): readonly number[];
}

export interface RawDatabase {
  /** Of each column of values: `0.1` is thread 1 of rank 0, `1` thread 1 of no rank. */
  readonly locations: readonly string[];
  readonly functions: readonly RawFunction[];
  /** Inclusive values of lines: file and line, and the function that it is in. */
  readonly lines: readonly RawFunction[];
}

const add = (a: readonly number[], b: readonly number[]) => a.map((value, at) => value + b[at]);
const subtract = (a: readonly number[], b: readonly number[]) => a.map((value, at) => value - b[at]);

/** Inclusive values of the visits of a file: of those that come from one other file, or from anywhere. */
export function entering({ functions, locations }: RawDatabase, metric: string, file: string, from?: string): number[] {
  return functions
    .filter((one) => one.file === file && one.caller?.file !== file)
    .filter((one) => from === undefined || one.caller?.file === from)
    .reduce((sum, one) => add(sum, one.inclusive(metric)), new Array<number>(locations.length).fill(0));
}

/** Exclusive values of a file: what goes in less what goes out. */
export function exclusiveOf(database: RawDatabase, metric: string, file: string): number[] {
  return database.functions
    .filter((one) => one.caller?.file === file && one.file !== file)
    .reduce((rest, one) => subtract(rest, one.inclusive(metric)), entering(database, metric, file));
}

/** `experiment.xml` with a `.metric-db` a thread. */
export function readVersion2(folder: string): RawDatabase {
  const xml = fs.readFileSync(path.join(folder, "experiment.xml"), "utf8");
  const text = xml.slice(xml.indexOf("]>"));
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".metric-db"))
    .sort();
  const tables = files.map((name) => fs.readFileSync(path.join(folder, name)));
  const locations = files.map((name) => {
    const [, rank, thread] = /-(\d{6})-(\d{3})-/.exec(name) ?? [];
    return `${Number(rank)}.${Number(thread)}`;
  });
  const named = (tag: string) =>
    new Map([...text.matchAll(new RegExp(`<${tag} i="(\\d+)" n="([^"]*)"`, "g"))].map(([, id, name]) => [id, name]));
  const [procedures, sources] = [named("Procedure"), named("File")];
  const columns = new Map(
    [...text.matchAll(/<MetricDB i="\d+" n="([^"]*)".*?db-id="(\d+)"/g)].map(([, n, id]) => [n, Number(id)]),
  );
  const functions: RawFunction[] = [];
  const open: (RawFunction | undefined)[] = [];
  for (const [tag, slash, kind, attributes, closed] of text.matchAll(/<(\/?)(PF|Pr|C|L|S)\b([^>]*?)(\/?)>/g)) {
    if (slash) {
      open.pop();
      continue;
    }
    const value = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
    let inside = open.at(-1);
    if (kind === "PF" || kind === "Pr") {
      const row = Number(value("i")) - 1;
      inside = {
        name: procedures.get(value("n")) ?? tag,
        file: path.basename(sources.get(value("f")) ?? ""),
        line: Number(value("l")),
        caller: inside,
        inclusive: (metric) => {
          const column = columns.get(metric) ?? fail(`no column ${metric}`);
          return tables.map((table) => table.readDoubleBE(32 + 8 * (row * table.readUInt32BE(28) + column)));
        },
      };
      functions.push(inside);
    }
    if (!closed) open.push(inside);
  }
  return { locations, functions, lines: [] };
}

/** `meta.db` and `profile.db`, of threads of one process. */
export function readVersion4(folder: string): RawDatabase {
  const meta = fs.readFileSync(path.join(folder, "meta.db"));
  const pointer = (at: number) => Number(meta.readBigUInt64LE(at));
  const string = (at: number) => meta.toString("utf8", at, meta.indexOf(0, at));
  const fileName = (at: number) => (at === 0 ? "" : path.basename(string(pointer(at + 8))));
  const { locations, valuesOf } = readProfiles(folder, metricsOf(meta));
  const functions: RawFunction[] = [];
  const lines: RawFunction[] = [];
  const pending: { at: number; end: number; caller: RawFunction | undefined }[] = [];
  const context = pointer(0x48);
  for (let entry = 0; entry < meta.readUInt16LE(context + 8); entry++) {
    const at = pointer(context) + entry * meta.readUInt8(context + 10);
    // An entry stands for a frame without a file.
    const root = { name: string(pointer(at + 24)), file: "", line: 0, caller: undefined };
    const frame = { ...root, inclusive: valuesOf(meta.readUInt32LE(at + 16)) };
    functions.push(frame);
    pending.push({ at: pointer(at + 8), end: pointer(at + 8) + pointer(at), caller: frame });
  }
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (let { at } = next; at < next.end; at += 32 + 8 * meta.readUInt8(at + 23)) {
      const [flags, lexical] = [meta.readUInt8(at + 20), meta.readUInt8(at + 22)];
      const inclusive = valuesOf(meta.readUInt32LE(at + 16));
      let { caller } = next;
      if (lexical === 0) {
        const found = (flags & 1) === 0 ? 0 : pointer(at + 32);
        const name = found === 0 || pointer(found) === 0 ? "" : string(pointer(found));
        const file = found === 0 ? "" : fileName(pointer(found + 24));
        caller = { name, file, line: found === 0 ? 0 : meta.readUInt32LE(found + 32), caller, inclusive };
        functions.push(caller);
      } else if (lexical === 2) {
        lines.push({ name: "", file: fileName(pointer(at + 32)), line: meta.readUInt32LE(at + 40), caller, inclusive });
      }
      if (pointer(at) > 0) pending.push({ at: pointer(at + 8), end: pointer(at + 8) + pointer(at), caller });
    }
  }
  return { locations, functions, lines };
}

/** Of each metric the number under which threads have its values of the scope `execution`: inclusive. */
function metricsOf(meta: Buffer): ReadonlyMap<string, number> {
  const pointer = (at: number) => Number(meta.readBigUInt64LE(at));
  const string = (at: number) => meta.toString("utf8", at, meta.indexOf(0, at));
  const section = pointer(0x38);
  const ids = new Map<string, number>();
  for (let metric = 0; metric < meta.readUInt32LE(section + 8); metric++) {
    const at = pointer(section) + metric * meta.readUInt8(section + 12);
    for (let instance = 0; instance < meta.readUInt16LE(at + 24); instance++) {
      const one = pointer(at + 8) + instance * meta.readUInt8(section + 13);
      if (string(pointer(pointer(one))) === "execution") ids.set(string(pointer(at)), meta.readUInt16LE(one + 8));
    }
  }
  return ids;
}

function readProfiles(folder: string, metrics: ReadonlyMap<string, number>) {
  const file = fs.readFileSync(path.join(folder, "profile.db"));
  const pointer = (at: number) => Number(file.readBigUInt64LE(at));
  const section = pointer(0x18);
  const profiles = Array.from({ length: file.readUInt32LE(section + 8) }, (_, profile) => {
    const at = pointer(section) + profile * file.readUInt8(section + 12);
    const tuple = pointer(at + 32);
    const ids = Array.from({ length: tuple === 0 ? 0 : file.readUInt16LE(tuple) }, (_, id) => tuple + 8 + 16 * id);
    const thread = ids.find((id) => file.readUInt8(id) === 3); // kind THREAD
    return { at, thread: thread === undefined ? undefined : file.readUInt32LE(thread + 4) };
  });
  const threads = profiles
    .filter(({ thread }) => thread !== undefined)
    .sort((a, b) => (a.thread ?? 0) - (b.thread ?? 0));
  const valueOf = (at: number, context: number, metric: number) => {
    const [count, values, contexts, index] = [
      pointer(at),
      pointer(at + 8),
      file.readUInt32LE(at + 16),
      pointer(at + 24),
    ];
    for (let one = 0; one < contexts; one++) {
      if (file.readUInt32LE(index + 12 * one) !== context) continue;
      const end = one + 1 < contexts ? pointer(index + 12 * (one + 1) + 4) : count;
      for (let value = pointer(index + 12 * one + 4); value < end; value++)
        if (file.readUInt16LE(values + 10 * value) === metric) return file.readDoubleLE(values + 10 * value + 2);
    }
    return 0;
  };
  return {
    locations: threads.map(({ thread }) => `${thread}`),
    valuesOf: (context: number) => (metric: string) =>
      threads.map(({ at }) => valueOf(at, context, metrics.get(metric) ?? fail(`no metric ${metric}`))),
  };
}

function fail(message: string): never {
  throw new Error(message);
}
