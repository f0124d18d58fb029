/** Writes `meta.db`: metrics, modules, files, functions and the calling context tree. */
import { Bytes } from "./bytes";
import type { Written, WrittenContext, WrittenFunction } from "./written";

const ID_NAMES = ["SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"];
const SCOPES: readonly (readonly [string, number, number])[] = [
  ["point", 1, 255],
  ["function", 3, 0],
  ["lex_aware", 0, 255],
  ["execution", 2, 255],
];

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
