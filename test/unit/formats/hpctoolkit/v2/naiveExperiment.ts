import fs from "node:fs";
import path from "node:path";

/** One element of the tree, as plain text search finds it. */
export interface NaiveNode {
  readonly id: number;
  readonly element: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: NaiveNode | undefined;
  /** Values by number of the metric. */
  readonly values: Map<number, number>;
}

export interface NaiveExperiment {
  readonly nodes: readonly NaiveNode[];
  /** Name of each entry of a table, by element and number. */
  readonly tables: ReadonlyMap<string, string>;
}

/** Reads `experiment.xml` by searching for tags in the whole text: another way than the reader's, for real files only. */
export function readExperimentNaively(file: string): NaiveExperiment {
  const text = fs.readFileSync(file, "utf8").replace(/<!DOCTYPE[^[>]*\[[^]*?\]>/, "");
  const tables = new Map<string, string>();
  const root: NaiveNode = { id: 1, element: "root", attributes: new Map(), parent: undefined, values: new Map() };
  const nodes = [root];
  const open: NaiveNode[] = [root];
  for (const [, closing, element, rest, single] of text.matchAll(
    /<(\/?)([A-Za-z]+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>/g,
  )) {
    const attributes = new Map([...rest.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, plain(value)]));
    if (element === "M") open.at(-1)?.values.set(Number(attributes.get("n")), Number(attributes.get("v")));
    else if (["PF", "Pr", "L", "C", "S"].includes(element)) {
      if (closing) {
        open.pop();
        continue;
      }
      const id = Number(attributes.get("i"));
      const node: NaiveNode = { id, element, attributes, parent: open.at(-1), values: new Map() };
      nodes.push(node);
      if (!single) open.push(node);
    } else if (!closing && attributes.has("i"))
      tables.set(`${element} ${attributes.get("i")}`, attributes.get("n") ?? "");
  }
  return { nodes, tables };
}

function plain(text: string): string {
  return text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&");
}

/**
 * What makes a node the same context as another one: the names of the procedures above it with the lines of their calls. Where
 * there is no line, the static number or address stands in for it.
 */
export function naivePath({ tables }: NaiveExperiment, node: NaiveNode): string {
  const parts: string[] = [];
  for (let at: NaiveNode | undefined = node; at?.parent; at = at.parent) {
    const of = (key: string) => at?.attributes.get(key) ?? "";
    const line = of("l");
    if (at.element === "PF" || at.element === "Pr") parts.push(procedureName({ tables }, at));
    else if (at.element === "L") parts.push(`loop ${fileOf(tables, at)} ${line}`);
    else if (line !== "0") parts.push(`line ${fileOf(tables, at)} ${line}`);
    else parts.push(`at ${of("v") === "" ? Number(of("s")) : Number(of("v"))}`);
  }
  return parts.reverse().join("\n");
}

/** A procedure's name; the library that stands behind it in brackets is its load module. */
export function procedureName({ tables }: Pick<NaiveExperiment, "tables">, { attributes }: NaiveNode): string {
  const library = path.basename(tables.get(`LoadModule ${attributes.get("lm")}`) ?? "");
  const name = tables.get(`Procedure ${attributes.get("n")}`) ?? "?";
  return name.startsWith("<") ? name : name.replace(` [${library}]`, "");
}

function fileOf(tables: ReadonlyMap<string, string>, node: NaiveNode): string {
  let at: NaiveNode | undefined = node;
  while (at && !at.attributes.has("f")) at = at.parent;
  const name = tables.get(`File ${at?.attributes.get("f")}`) ?? "";
  return /^(?:<unknown file>|\[)|^$/.test(name) ? "" : path.basename(name);
}

/** Values of one thread, by node number and column. */
export interface NaiveThread {
  readonly rank: number;
  readonly thread: number;
  readonly value: (id: number, column: number) => number;
}

/** Reads the value files of a folder, merged ones too, field by field. */
export function readValuesNaively(folder: string): NaiveThread[] {
  const threads: NaiveThread[] = [];
  for (const name of fs.readdirSync(folder).sort()) {
    if (!/\.(?:metric-db|mdb)$/.test(name)) continue;
    const bytes = fs.readFileSync(path.join(folder, name));
    if (name.endsWith(".metric-db")) {
      const [, rank, thread] = /-(\d+)-(\d+)-\w+-\d+-\d+\.metric-db$/.exec(name) ?? [];
      threads.push(threadOf(bytes, Number(rank), Number(thread)));
    } else if (name.endsWith(".mdb")) {
      for (let entry = 0; entry < bytes.readInt32BE(4); entry++) {
        const at = 8 + 16 * entry;
        const offset = Number(bytes.readBigInt64BE(at + 8));
        threads.push(threadOf(bytes.subarray(offset), bytes.readInt32BE(at), bytes.readInt32BE(at + 4)));
      }
    }
  }
  return threads;
}

function threadOf(bytes: Buffer, rank: number, thread: number): NaiveThread {
  const columns = bytes.readUInt32BE(28);
  return { rank, thread, value: (id, column) => bytes.readDoubleBE(32 + 8 * ((id - 1) * columns + column)) };
}
