/**
 * HPCToolkit 4 `meta.db`: names of identifiers, metrics with their scopes, load modules, files, functions and the tree of
 * calling contexts. Arrays are stepped through by the sizes that the file stores; unknown numbers of a kind are kept as they
 * are (formats.md 1b).
 */
import type { Task } from "../../../../model/task";
import { PIECE_BYTES } from "../../../byteSource";
import type { ByteSource } from "../../../byteSource";
import { Cursor } from "../../../cursor";
import { NONE } from "../../../../model/ids";
import { openDbFile } from "./container";
import { type MetaContexts, readContexts, type PointedTable } from "./metaContexts";
import { MetaStrings } from "./metaStrings";

/** How values of a metric spread over the tree; `type`: 0 custom, 1 point, 2 execution, 3 transitive. */
export interface PropagationScope {
  readonly name: string;
  readonly type: number;
  /** Bit of {@link MetaContexts.propagation}, 255 for none. */
  readonly propagationIndex: number;
}

export interface MetaMetric {
  readonly name: string;
  /** What single profiles and cct.db store of it. */
  readonly scopes: readonly { readonly scope: PropagationScope; readonly id: number }[];
  /** What the summary profile stores of it; `combine`: 0 sum, 1 minimum, 2 maximum. */
  readonly statistics: readonly {
    readonly scope: PropagationScope;
    readonly formula: string;
    readonly combine: number;
    readonly id: number;
  }[];
}

export interface MetaFile {
  readonly flags: number;
  /** Below the database's folder where it was copied into it. */
  readonly path: string;
  readonly copied: boolean;
}

export interface MetaFunction {
  /** Undefined for functions without a name. */
  readonly name: string | undefined;
  /** Index into the modules, NONE for none. */
  readonly module: number;
  readonly offset: bigint;
  /** Index into the files, NONE for none. */
  readonly file: number;
  readonly line: number;
  readonly flags: number;
}

export interface MetaDb {
  readonly minor: number;
  readonly title: string;
  readonly description: string;
  /** By the kind of an identifier: SUMMARY, NODE, RANK, THREAD … */
  readonly idNames: readonly string[];
  readonly scopes: readonly PropagationScope[];
  readonly metrics: readonly MetaMetric[];
  readonly modules: readonly { readonly flags: number; readonly path: string }[];
  readonly files: readonly MetaFile[];
  readonly functions: readonly MetaFunction[];
  readonly contexts: MetaContexts;
}

/** @throws FormatError, CancelledError */
export async function readMetaDb(source: ByteSource, task: Task): Promise<MetaDb> {
  const { sections, minor } = await openDbFile(source, "meta");
  const bytes = await readAll(source, task);
  const meta = new MetaReader(source.name, bytes, task);
  const [general, idNames, metrics, contexts, , modules, files, functions] = sections.map(({ position }) => position);
  const { title, description } = meta.general(general);
  const names = meta.idNames(idNames);
  const { scopes, list } = meta.metrics(metrics);
  const moduleTable = meta.table(modules, 16, "modules");
  const fileTable = meta.table(files, 16, "files");
  const functionTable = meta.table(functions, 40, "functions");
  return {
    minor,
    title,
    description,
    idNames: names,
    scopes,
    metrics: list,
    modules: meta.rows(moduleTable, "module", (at) => ({
      flags: at.u32("flags"),
      path: (at.skip(4, ""), meta.text(at, "a module's path")),
    })),
    files: meta.rows(fileTable, "file", (at) => {
      const flags = at.u32("flags");
      at.skip(4, "flags");
      return { flags, copied: (flags & 1) !== 0, path: meta.text(at, "a file's path") };
    }),
    functions: meta.rows(functionTable, "function", (at) => ({
      name: meta.optionalText(at, "a function's name"),
      module: moduleTable.indexOf(at),
      offset: at.u64("offset"),
      file: fileTable.indexOf(at),
      line: at.u32("line"),
      flags: at.u32("flags"),
    })),
    contexts: readContexts(meta.cursor(contexts), meta.strings, { functionTable, fileTable, moduleTable }, task),
  };
}

class MetaReader {
  readonly strings: MetaStrings;
  private readonly whole: Cursor;

  constructor(
    file: string,
    bytes: Uint8Array,
    private readonly task: Task,
  ) {
    this.strings = new MetaStrings(file, bytes);
    this.whole = new Cursor(file, bytes, true);
  }

  cursor(position: number): Cursor {
    return this.whole.to(position, "a section");
  }

  text(at: Cursor, what: string): string {
    return this.strings.at(at.size(what), what);
  }

  optionalText(at: Cursor, what: string): string | undefined {
    const position = at.size(what);
    return position === 0 ? undefined : this.strings.at(position, what);
  }

  general(section: number): { title: string; description: string } {
    const at = this.cursor(section);
    return { title: this.text(at, "the title"), description: this.text(at, "the description") };
  }

  idNames(section: number): string[] {
    const at = this.cursor(section);
    const names = this.whole.to(at.size("names of identifiers"), "names of identifiers");
    const count = at.u8("number of identifier names");
    names.array(count, 8, "names of identifiers");
    return Array.from({ length: count }, () => this.text(names, "the name of an identifier"));
  }

  metrics(section: number): { scopes: PropagationScope[]; list: MetaMetric[] } {
    const at = this.cursor(section);
    const metricsAt = at.size("metrics");
    const count = at.u32("number of metrics");
    const [metricBytes, instanceBytes, statisticBytes] = [at.u8("size"), at.u8("size"), at.u8("size")];
    at.skip(1, "padding");
    const scopesAt = at.size("scopes");
    const scopeCount = at.u16("number of scopes");
    const scopeTable = this.tableAt(scopesAt, scopeCount, at.u8("size of a scope"), 10, "scopes");
    const scopes = this.rows(scopeTable, "scope", (one) => ({
      name: this.text(one, "a scope's name"),
      type: one.u8("type"),
      propagationIndex: one.u8("propagation index"),
    }));
    const scopeOf = (pointer: Cursor): PropagationScope => {
      const position = pointer.position;
      const index = scopeTable.indexOf(pointer);
      if (index === NONE) throw pointer.problem(position, "no scope", "a pointer to a scope");
      return scopes[index];
    };
    // Lists of one metric are its own: together they fit into the file.
    let room = this.whole.bytes.length;
    const own = (table: PointedTable) => {
      room -= table.count * table.stride;
      if (room < 0) throw this.whole.problem(table.at, "lists of metrics that overlap", "separate lists");
      return table;
    };
    const list = this.rows(this.tableAt(metricsAt, count, metricBytes, 28, "metrics"), "metric", (one): MetaMetric => {
      const name = this.text(one, "a metric's name");
      const [instancesAt, statisticsAt] = [one.size("scopes"), one.size("statistics")];
      const [instances, statistics] = [one.u16("number of scopes"), one.u16("number of statistics")];
      return {
        name,
        scopes: this.rows(own(this.tableAt(instancesAt, instances, instanceBytes, 10, "scopes")), "scope", (it) => ({
          scope: scopeOf(it),
          id: it.u16("metric id"),
        })),
        statistics: this.rows(
          own(this.tableAt(statisticsAt, statistics, statisticBytes, 20, "statistics")),
          "statistic",
          (it) => {
            const scope = scopeOf(it);
            const formula = this.text(it, "a formula");
            const combine = it.u8("combination");
            it.skip(1, "padding");
            return { scope, formula, combine, id: it.u16("metric id") };
          },
        ),
      };
    });
    return { scopes, list };
  }

  /** The table that the header of a section tells of: where, how many, of how many bytes each. */
  table(section: number, leastBytes: number, what: string): PointedTable {
    const at = this.cursor(section);
    return this.tableAt(at.size(what), at.u32(what), at.u16(what), leastBytes, what);
  }

  rows<Row>(table: PointedTable, what: string, read: (at: Cursor) => Row): Row[] {
    const rows: Row[] = [];
    const cursor = this.whole.to(table.at, what);
    for (let index = 0; index < table.count; index++) {
      if (index % 4096 === 0) this.task.check();
      cursor.at = table.at + index * table.stride;
      rows.push(read(cursor));
    }
    return rows;
  }

  private tableAt(at: number, count: number, stride: number, leastBytes: number, what: string): PointedTable {
    if (count > 0 && stride < leastBytes)
      throw this.whole.problem(at, `${what} of ${stride} bytes`, `at least ${leastBytes} bytes each`);
    if (count > 0) this.whole.to(at, what).array(count, stride, what);
    const indexOf = (pointer: Cursor): number => {
      const position = pointer.position;
      const target = pointer.size(what);
      if (target === 0) return NONE;
      const index = (target - at) / stride;
      if (Number.isInteger(index) && index >= 0 && index < count) return index;
      throw pointer.problem(position, `a pointer to byte ${target}`, `the start of one of the ${count} ${what}`);
    };
    return { at: count > 0 ? at : 0, count, stride, indexOf };
  }
}

async function readAll(source: ByteSource, task: Task): Promise<Uint8Array> {
  const bytes = new Uint8Array(source.size);
  const piece = source.pieceBytes ?? 4 * PIECE_BYTES;
  for (let at = 0; at < bytes.length; at += piece) {
    task.check();
    await source.read(bytes.subarray(at, at + piece), at);
  }
  return bytes;
}
