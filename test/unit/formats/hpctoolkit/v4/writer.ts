/**
 * Writes HPCToolkit 4 databases: small ones of any shape for tests, large ones as a stream of pieces. Written from the
 * description of the format, not from the reader.
 */

export interface WrittenContext {
  readonly id: number;
  readonly children?: readonly WrittenContext[];
  /** Names of a function, its file and line, its module: equal ones become one entry of the file's tables. */
  readonly function?: WrittenFunction;
  readonly inlined?: boolean;
  /** A line, or with `loop` a loop. */
  readonly file?: string;
  readonly line?: number;
  readonly loop?: boolean;
  /** An instruction, or with a line or loop where it lies. */
  readonly module?: string;
  readonly offset?: bigint;
  /** Numbers of a kind that is not known yet. */
  readonly lexicalType?: number;
  readonly relation?: number;
}

export interface WrittenFunction {
  readonly name?: string;
  readonly file?: string;
  readonly line?: number;
  readonly module?: string;
  readonly offset?: bigint;
}

export interface WrittenProfile {
  /** `[kind, logical id]`; kinds: 1 node, 2 rank, 3 thread, 4 GPU, 5 GPU context, 6 GPU stream, 7 core. */
  readonly ids: readonly (readonly [kind: number, id: number])[];
  readonly summary?: boolean;
  /** By context: `[metric, value]`. */
  readonly values: ReadonlyMap<number, readonly (readonly [metric: number, value: number])[]>;
}

export interface WrittenTrace {
  readonly profile: number;
  readonly samples: readonly (readonly [nanoseconds: bigint, context: number])[];
}

export interface Written {
  readonly title?: string;
  /** Names of metrics; metric m has the ids 4m point, 4m + 1 function, 4m + 2 lex_aware, 4m + 3 execution. */
  readonly metrics?: readonly string[];
  readonly entries: readonly {
    readonly id: number;
    readonly name: string;
    readonly children: readonly WrittenContext[];
  }[];
  readonly profiles: readonly WrittenProfile[];
  readonly traces?: readonly WrittenTrace[];
  /** Paths of files that lie in the database as copies: `src/a.c`. */
  readonly copied?: readonly string[];
  /** Added to every stride that the file stores: a later minor version. */
  readonly wider?: number;
}

const ID_NAMES = ["SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"];
const SCOPES: readonly (readonly [string, number, number])[] = [
  ["point", 1, 255],
  ["function", 3, 0],
  ["lex_aware", 0, 255],
  ["execution", 2, 255],
];

/** Bytes that grow; all numbers little-endian. */
class Bytes {
  private bytes = Buffer.alloc(1024);
  length = 0;

  space(count: number, align = 8): number {
    this.length = Math.ceil(this.length / align) * align;
    const at = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const wider = Buffer.alloc(Math.max(2 * this.bytes.length, this.length));
      this.bytes.copy(wider);
      this.bytes = wider;
    }
    return at;
  }
  u8(at: number, value: number) {
    this.bytes[at] = value;
  }
  u16(at: number, value: number) {
    this.bytes.writeUInt16LE(value, at);
  }
  u32(at: number, value: number) {
    this.bytes.writeUInt32LE(value, at);
  }
  u64(at: number, value: number | bigint) {
    this.bytes.writeBigUInt64LE(BigInt(value), at);
  }
  f64(at: number, value: number) {
    this.bytes.writeDoubleLE(value, at);
  }
  text(text: string): number {
    const encoded = Buffer.from(`${text}\0`);
    const at = this.space(encoded.length, 1);
    encoded.copy(this.bytes, at);
    return at;
  }
  /** Header with places for sections; they are set with {@link section}. */
  header(kind: string, sections: number) {
    const at = this.space(16 + 16 * sections);
    Buffer.from(`HPCTOOLKIT${kind}\x04\x00`, "latin1").copy(this.bytes, at);
  }
  section(index: number, position: number, size: number) {
    this.u64(16 + 16 * index, size);
    this.u64(24 + 16 * index, position);
  }
  end(footer: string): Buffer {
    const at = this.space(8);
    Buffer.from(footer).copy(this.bytes, at);
    return this.bytes.subarray(0, this.length);
  }
}

/** The four files of a database, by name. */
export function database(written: Written): {
  "meta.db": Buffer;
  "profile.db": Buffer;
  "cct.db": Buffer;
  "trace.db": Buffer;
} {
  return {
    "meta.db": metaDb(written),
    "profile.db": profileDb(written.profiles, written.wider),
    "cct.db": contextDb(written.profiles, written.wider),
    "trace.db": traceDb(written.traces ?? [], written.wider),
  };
}

/** Index of each distinct value, in the order of arrival. */
class Distinct<Value> {
  readonly values: Value[] = [];
  private readonly known = new Map<string, number>();
  of(value: Value): number {
    const key = JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

export function metaDb({
  title = "program",
  metrics = ["CPUTIME (sec)"],
  entries,
  copied = [],
  wider = 0,
}: Written): Buffer {
  const modules = new Distinct<string>();
  const files = new Distinct<string>();
  const functions = new Distinct<WrittenFunction>();
  // All that is pointed to first, so that pointers are known.
  for (const context of allOf(entries)) {
    if (context.function) {
      functions.of(context.function);
      if (context.function.module !== undefined) modules.of(context.function.module);
      if (context.function.file !== undefined) files.of(context.function.file);
    }
    if (context.file !== undefined) files.of(context.file);
    if (context.module !== undefined) modules.of(context.module);
  }
  const out = new Bytes();
  out.header("meta", 8);
  const general = out.space(16);
  out.u64(general, out.text(title));
  out.u64(general + 8, out.text("a test"));
  const idNames = out.space(16);
  const names = out.space(8 * ID_NAMES.length);
  ID_NAMES.forEach((name, index) => out.u64(names + 8 * index, out.text(name)));
  out.u64(idNames, names);
  out.u8(idNames + 8, ID_NAMES.length);
  out.section(0, general, 16);
  out.section(1, idNames, 16);
  writeMetrics(out, metrics, wider);
  const moduleAt = table(out, 5, modules.values.length, 16 + wider, (at, index) => {
    out.u64(at + 8, out.text(modules.values[index]));
  });
  const fileAt = table(out, 6, files.values.length, 16 + wider, (at, index) => {
    out.u32(at, copied.includes(files.values[index]) ? 1 : 0);
    out.u64(at + 8, out.text(files.values[index]));
  });
  const functionAt = table(out, 7, functions.values.length, 40 + wider, (at, index) => {
    const { name, module, offset = 0n, file, line = 0 } = functions.values[index];
    if (name !== undefined) out.u64(at, out.text(name));
    if (module !== undefined) out.u64(at + 8, moduleAt(modules.of(module)));
    out.u64(at + 16, offset);
    if (file !== undefined) out.u64(at + 24, fileAt(files.of(file)));
    out.u32(at + 32, line);
  });
  const entryBytes = 32 + wider;
  const tree = out.space(16);
  const entryTable = out.space(entryBytes * entries.length);
  out.u64(tree, entryTable);
  out.u16(tree + 8, entries.length);
  out.u8(tree + 10, entryBytes);
  out.section(3, tree, 16);
  const waiting: { at: number; children: readonly WrittenContext[] }[] = [];
  entries.forEach(({ id, name, children }, index) => {
    const at = entryTable + index * entryBytes;
    out.u32(at + 16, id);
    out.u16(at + 20, index === 0 ? 1 : 2);
    out.u64(at + 24, out.text(name));
    waiting.push({ at, children });
  });
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at: above, children } = next;
    const sizes = children.map((context) => 32 + 8 * wordsOf(context));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    if (size === 0) continue;
    let at = out.space(size);
    out.u64(above, size);
    out.u64(above + 8, at);
    children.forEach((context, index) => {
      const { function: fn, file, module } = context;
      const isFunction = fn !== undefined || (file === undefined && module === undefined);
      out.u32(at + 16, context.id);
      out.u8(at + 20, (fn ? 1 : 0) | (file !== undefined ? 2 : 0) | (module !== undefined ? 4 : 0));
      out.u8(at + 21, context.relation ?? (isFunction ? (context.inlined ? 2 : 1) : 0));
      out.u8(at + 22, context.lexicalType ?? (isFunction ? 0 : context.loop ? 1 : file !== undefined ? 2 : 3));
      out.u8(at + 23, wordsOf(context));
      out.u16(at + 24, isFunction ? 0 : 1);
      let word = at + 32;
      if (fn) out.u64((word += 8) - 8, functionAt(functions.of(fn)));
      if (file !== undefined) {
        out.u64(word, fileAt(files.of(file)));
        out.u32(word + 8, context.line ?? 0);
        word += 16;
      }
      if (module !== undefined) {
        out.u64(word, moduleAt(modules.of(module)));
        out.u64(word + 8, context.offset ?? 0n);
      }
      waiting.push({ at, children: context.children ?? [] });
      at += sizes[index];
    });
  }
  out.section(4, 16, 0);
  return out.end("_meta.db");
}

function writeMetrics(out: Bytes, metrics: readonly string[], wider: number): void {
  const [metricBytes, instanceBytes, statisticBytes, scopeBytes] = [32 + wider, 16 + wider, 24 + wider, 16 + wider];
  const section = out.space(32);
  const list = out.space(metricBytes * metrics.length);
  const scopes = out.space(scopeBytes * SCOPES.length);
  SCOPES.forEach(([name, type, index], scope) => {
    const at = scopes + scope * scopeBytes;
    out.u64(at, out.text(name));
    out.u8(at + 8, type);
    out.u8(at + 9, index);
  });
  metrics.forEach((name, metric) => {
    const at = list + metric * metricBytes;
    const instances = out.space(instanceBytes * SCOPES.length);
    const statistics = out.space(statisticBytes * SCOPES.length);
    out.u64(at, out.text(name));
    out.u64(at + 8, instances);
    out.u64(at + 16, statistics);
    out.u16(at + 24, SCOPES.length);
    out.u16(at + 26, SCOPES.length);
    SCOPES.forEach((_, scope) => {
      out.u64(instances + scope * instanceBytes, scopes + scope * scopeBytes);
      out.u16(instances + scope * instanceBytes + 8, 4 * metric + scope);
      out.u64(statistics + scope * statisticBytes, scopes + scope * scopeBytes);
      out.u64(statistics + scope * statisticBytes + 8, out.text("$$"));
      out.u16(statistics + scope * statisticBytes + 18, 4 * metric + scope);
    });
  });
  out.u64(section, list);
  out.u32(section + 8, metrics.length);
  [metricBytes, instanceBytes, statisticBytes].forEach((bytes, index) => out.u8(section + 12 + index, bytes));
  out.u64(section + 16, scopes);
  out.u16(section + 24, SCOPES.length);
  out.u8(section + 26, scopeBytes);
  out.section(2, section, 32);
}

/** A section with a header of its own. @returns where each row is */
function table(out: Bytes, section: number, count: number, stride: number, write: (at: number, index: number) => void) {
  const header = out.space(16);
  const rows = out.space(stride * count);
  out.u64(header, rows);
  out.u32(header + 8, count);
  out.u16(header + 12, stride);
  for (let index = 0; index < count; index++) write(rows + index * stride, index);
  out.section(section, header, 16);
  return (index: number) => rows + index * stride;
}

function* allOf(entries: Written["entries"]): Generator<WrittenContext> {
  const waiting = entries.flatMap(({ children }) => [...children]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    for (const child of next.children ?? []) waiting.push(child);
  }
}

function wordsOf({ function: fn, file, module }: WrittenContext): number {
  return (fn ? 1 : 0) + (file === undefined ? 0 : 2) + (module === undefined ? 0 : 2);
}

export function profileDb(profiles: readonly WrittenProfile[], wider = 0): Buffer {
  const stride = 48 + wider;
  const out = new Bytes();
  out.header("prof", 2);
  const section = out.space(16);
  const infos = out.space(stride * profiles.length);
  out.u64(section, infos);
  out.u32(section + 8, profiles.length);
  out.u8(section + 12, stride);
  out.section(0, section, 16);
  const tuples = out.length;
  profiles.forEach(({ ids }, index) => {
    if (ids.length === 0) return;
    const tuple = out.space(8 + 16 * ids.length);
    out.u16(tuple, ids.length);
    ids.forEach(([kind, id], at) => {
      out.u8(tuple + 8 + 16 * at, kind);
      out.u32(tuple + 8 + 16 * at + 4, id);
      out.u64(tuple + 8 + 16 * at + 8, id);
    });
    out.u64(infos + index * stride + 32, tuple);
  });
  out.section(1, tuples, out.length - tuples);
  profiles.forEach(({ values, summary }, index) => {
    const info = infos + index * stride;
    const contexts = [...values].sort(([a], [b]) => a - b);
    const rows = contexts.flatMap(([, some]) => [...some]);
    const at = out.space(10 * rows.length, 2);
    rows.forEach(([metric, value], row) => {
      out.u16(at + 10 * row, metric);
      out.f64(at + 10 * row + 2, value);
    });
    const table = out.space(12 * contexts.length, 4);
    let start = 0;
    contexts.forEach(([context, some], row) => {
      out.u32(table + 12 * row, context);
      out.u64(table + 12 * row + 4, start);
      start += some.length;
    });
    out.u64(info, rows.length);
    out.u64(info + 8, at);
    out.u32(info + 16, contexts.length);
    out.u64(info + 24, table);
    out.u32(info + 40, summary ? 1 : 0);
  });
  return out.end("_prof.db");
}

export function contextDb(profiles: readonly WrittenProfile[], wider = 0): Buffer {
  const stride = 32 + wider;
  const cells = new Map<number, Map<number, [number, number][]>>();
  profiles.forEach(({ values, summary }, profile) => {
    if (summary) return;
    for (const [context, some] of values)
      for (const [metric, value] of some) {
        const byMetric = cells.get(context) ?? new Map<number, [number, number][]>();
        cells.set(context, byMetric);
        byMetric.set(metric, [...(byMetric.get(metric) ?? []), [profile, value]]);
      }
  });
  const count = Math.max(0, ...cells.keys()) + 1;
  const out = new Bytes();
  out.header("ctxt", 1);
  const section = out.space(16);
  const infos = out.space(stride * count);
  out.u64(section, infos);
  out.u32(section + 8, count);
  out.u8(section + 12, stride);
  out.section(0, section, 16);
  for (const [context, byMetric] of cells) {
    const metrics = [...byMetric].sort(([a], [b]) => a - b);
    const rows = metrics.flatMap(([, some]) => some);
    const at = out.space(12 * rows.length, 4);
    rows.forEach(([profile, value], row) => {
      out.u32(at + 12 * row, profile);
      out.f64(at + 12 * row + 4, value);
    });
    const table = out.space(10 * metrics.length, 2);
    let start = 0;
    metrics.forEach(([metric, some], row) => {
      out.u16(table + 10 * row, metric);
      out.u64(table + 10 * row + 2, start);
      start += some.length;
    });
    const info = infos + context * stride;
    out.u64(info, rows.length);
    out.u64(info + 8, at);
    out.u16(info + 16, metrics.length);
    out.u64(info + 24, table);
  }
  return out.end("__ctx.db");
}

export function traceDb(traces: readonly WrittenTrace[], wider = 0): Buffer {
  const stride = 24 + wider;
  const out = new Bytes();
  out.header("trce", 1);
  const section = out.space(32);
  const lines = out.space(stride * traces.length);
  const times = traces.flatMap(({ samples }) => samples.map(([time]) => time));
  out.u64(section, lines);
  out.u32(section + 8, traces.length);
  out.u8(section + 12, stride);
  out.u64(
    section + 16,
    times.reduce((least, time) => (time < least ? time : least), times[0] ?? 0n),
  );
  out.u64(
    section + 24,
    times.reduce((most, time) => (time > most ? time : most), times[0] ?? 1n),
  );
  out.section(0, section, 32);
  traces.forEach(({ profile, samples }, index) => {
    const at = out.space(12 * samples.length, 4);
    samples.forEach(([time, context], row) => {
      out.u64(at + 12 * row, time);
      out.u32(at + 12 * row + 8, context);
    });
    out.u32(lines + index * stride, profile);
    out.u64(lines + index * stride + 8, at);
    out.u64(lines + index * stride + 16, at + 12 * samples.length);
  });
  return out.end("trace.db");
}

/**
 * A large profile.db in pieces: every profile has the inclusive value (metric 3) and the function value (metric 1) of the
 * contexts 1 to `contexts`.
 *
 * @param valueOf value of a context in a profile; not 0
 */
export function* largeProfileDb(
  profiles: number,
  contexts: number,
  valueOf: (profile: number, context: number, metric: number) => number,
): Generator<Buffer> {
  const head = 16 + 32 + 16;
  const tuples = head + 48 * profiles;
  const first = tuples + 40 * profiles;
  const values = 2 * contexts * 10;
  const each = Math.ceil((values + 12 * contexts) / 8) * 8;
  const out = new Bytes();
  out.header("prof", 2);
  const section = out.space(16);
  out.u64(section, head);
  out.u32(section + 8, profiles);
  out.u8(section + 12, 48);
  out.section(0, section, 16);
  out.section(1, tuples, 40 * profiles);
  out.space(88 * profiles);
  for (let profile = 0; profile < profiles; profile++) {
    const [info, tuple, at] = [head + 48 * profile, tuples + 40 * profile, first + each * profile];
    out.u64(info, 2 * contexts);
    out.u64(info + 8, at);
    out.u32(info + 16, contexts);
    out.u64(info + 24, at + values);
    out.u64(info + 32, tuple);
    out.u16(tuple, 2);
    [2, 3].forEach((kind, index) => {
      out.u8(tuple + 8 + 16 * index, kind);
      out.u32(tuple + 12 + 16 * index, kind === 2 ? profile : 0);
    });
  }
  const header = out.end("");
  yield header.subarray(0, first);
  for (let profile = 0; profile < profiles; profile++) {
    const block = Buffer.alloc(each);
    for (let context = 1, at = 0; context <= contexts; context++)
      for (const metric of [1, 3]) {
        block.writeUInt16LE(metric, at);
        block.writeDoubleLE(valueOf(profile, context, metric), at + 2);
        at += 10;
      }
    for (let row = 0; row < contexts; row++) {
      block.writeUInt32LE(row + 1, values + 12 * row);
      block.writeBigUInt64LE(BigInt(2 * row), values + 12 * row + 4);
    }
    yield block;
  }
  yield Buffer.from("_prof.db");
}
