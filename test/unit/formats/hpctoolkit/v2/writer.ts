import fs from "node:fs";

/** A node of the tree; `own` is what each thread spent in it itself, which only statements do. */
export interface WrittenNode {
  readonly element: "PF" | "Pr" | "C" | "L" | "S";
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly own?: readonly number[];
  readonly children?: readonly WrittenNode[];
}

export interface WrittenDatabase {
  readonly version?: string;
  readonly doctype?: string;
  /** Name with its unit: `CPUTIME (usec)`. */
  readonly metric?: string;
  /** Threads as rank and number, in the order of `own`. */
  readonly threads: readonly (readonly [rank: number, thread: number])[];
  readonly modules?: readonly string[];
  readonly files?: readonly string[];
  readonly procedures?: readonly string[];
  readonly roots: readonly WrittenNode[];
  /** Elements that stand behind the other metrics; their numbers start at 10. */
  readonly moreMetrics?: string;
  /** Values of those, by node number: elements M. */
  readonly moreValues?: (id: number) => string;
  readonly trace?: string;
}

/** The sum of the tool's definitions: everything below, and the statements of the same procedure or loop. */
interface Laid {
  readonly node: WrittenNode;
  readonly id: number;
  readonly children: readonly Laid[];
  readonly inclusive: readonly number[];
  readonly exclusive: readonly number[];
}

const escaped = (text: string | number): string =>
  String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/** Six digits, as the tool prints. */
const printed = (value: number): string => String(Number(value.toPrecision(6)));

/** `experiment.xml`: summary metrics 2 and 3, thread metrics 0 and 1, as hpcprof-mpi numbers them. */
export function experimentXml(database: WrittenDatabase): string {
  const { metric = "CPUTIME (usec)", modules = [], files = [], procedures = [] } = database;
  const table = (element: string, names: readonly string[]) =>
    `<${element}Table>${names.map((name, i) => `<${element} i="${i + 1}" n="${escaped(name)}"/>`).join("\n")}</${element}Table>\n`;
  const summary = (i: number, partner: number, type: string) =>
    `<Metric i="${i}" n="${escaped(metric)}:Sum (${type[0].toUpperCase()})" v="derived-incr" t="${type}" partner="${partner}" show="1" show-percent="1">` +
    `<MetricFormula t="combine" frm="sum($${i}, $${i})"/><MetricFormula t="finalize" frm="$${i}"/><Info><NV n="units" v="events"/></Info></Metric>\n`;
  const stored = (i: number, partner: number, type: string) =>
    `<MetricDB i="${i}" n="${escaped(metric)} (${type[0].toUpperCase()})" t="${type}" partner="${partner}" db-glob="*.metric-db" db-id="${i}" db-num-metrics="2" db-header-sz="24"/>\n`;
  const { roots, whole } = laid(database);
  const values = (one: Pick<Laid, "id" | "inclusive" | "exclusive">) =>
    (["2", "3"] as const)
      .map((n) => [n, sum(n === "2" ? one.inclusive : one.exclusive)] as const)
      .filter(([, value]) => value !== 0)
      .map(([n, value]) => `<M n="${n}" v="${printed(value)}"/>`)
      .join("") + (database.moreValues?.(one.id) ?? "");
  const element = (one: Laid): string => {
    const { node, id, children } = one;
    const attributes = Object.entries({ i: id, ...node.attributes }).map(
      ([key, value]) => ` ${key}="${escaped(value)}"`,
    );
    return `<${node.element}${attributes.join("")}>\n${values(one)}${children.map(element).join("")}</${node.element}>\n`;
  };
  return (
    `<?xml version="1.0"?>\n${database.doctype ?? ""}<HPCToolkitExperiment version="${database.version ?? "2.2"}">\n` +
    `<Header n="program"><Info/></Header>\n<SecCallPathProfile i="0" n="program">\n<SecHeader>\n` +
    `<MetricTable>${summary(2, 3, "inclusive")}${summary(3, 2, "exclusive")}${database.moreMetrics ?? ""}</MetricTable>\n` +
    `<MetricDBTable>${stored(0, 1, "inclusive")}${stored(1, 0, "exclusive")}</MetricDBTable>\n${database.trace ?? ""}` +
    `${table("LoadModule", modules)}${table("File", files)}${table("Procedure", procedures)}<Info/></SecHeader>\n` +
    `<SecCallPathProfileData>\n${values(whole)}${roots.map(element).join("")}</SecCallPathProfileData>\n` +
    `</SecCallPathProfile>\n</HPCToolkitExperiment>\n`
  );
}

/** The values of one thread, as a file of their own. */
export function metricDb(database: WrittenDatabase, thread: number): Buffer {
  const { roots, whole } = laid(database);
  const rows: (readonly [number, number])[] = [[whole.inclusive[thread], 0]];
  const visit = (one: Laid): void => {
    rows.push([one.inclusive[thread], one.exclusive[thread]]);
    one.children.forEach(visit);
  };
  roots.forEach(visit);
  const bytes = Buffer.alloc(32 + 16 * rows.length);
  bytes.write("HPCPROF-metricdb__00.10b", "latin1");
  bytes.writeUInt32BE(rows.length, 24);
  bytes.writeUInt32BE(2, 28);
  rows.flat().forEach((value, at) => bytes.writeDoubleBE(value, 32 + 8 * at));
  return bytes;
}

/** Samples of one thread: times in the units of the trace, numbers as `it` has them. */
export function hpctrace(
  samples: readonly (readonly [time: bigint, context: number])[],
  dataCentric = false,
  version: "01.00" | "01.01" = "01.01",
): Buffer {
  const size = dataCentric ? 16 : 12;
  const head = version === "01.00" ? 24 : 32;
  const bytes = Buffer.alloc(head + size * samples.length);
  bytes.write(`HPCRUN-trace______${version}b`, "latin1");
  if (version !== "01.00") bytes.writeBigUInt64BE(dataCentric ? 1n : 0n, 24);
  samples.forEach(([time, context], at) => {
    bytes.writeBigUInt64BE(time, head + size * at);
    bytes.writeUInt32BE(context, head + 8 + size * at);
  });
  return bytes;
}

/** Files of threads in one, as the viewer merges them. */
export function merged(
  parts: readonly { readonly rank: number; readonly thread: number; readonly bytes: Buffer }[],
): Buffer {
  const head = Buffer.alloc(8 + 16 * parts.length);
  head.writeInt32BE(3, 0);
  head.writeInt32BE(parts.length, 4);
  let offset = head.length;
  parts.forEach(({ rank, thread, bytes }, at) => {
    head.writeInt32BE(rank, 8 + 16 * at);
    head.writeInt32BE(thread, 12 + 16 * at);
    head.writeBigInt64BE(BigInt(offset), 16 + 16 * at);
    offset += bytes.length;
  });
  return Buffer.concat([head, ...parts.map(({ bytes }) => bytes), Buffer.from("ffffffffdeadf00d", "hex")]);
}

/** What hpcrun calls the file of a thread. */
export function threadFile([rank, thread]: readonly [number, number], ending: string): string {
  const digits = (value: number, count: number) => String(value).padStart(count, "0");
  return `1.program-${digits(rank, 6)}-${digits(thread, 3)}-a8c00270-${160443 + rank}-0.${ending}`;
}

/** A whole database with one file of values a thread. */
export function databaseFiles(database: WrittenDatabase): Record<string, string | Buffer> {
  const files = database.threads.map((thread, index) => [threadFile(thread, "metric-db"), metricDb(database, index)]);
  return { "experiment.xml": experimentXml(database), ...Object.fromEntries(files) };
}

function laid({ roots, threads }: WrittenDatabase): { roots: Laid[]; whole: Laid } {
  let next = 2;
  const zero = threads.map(() => 0);
  const lay = (node: WrittenNode): Laid => {
    const id = next++;
    const children = (node.children ?? []).map(lay);
    const inclusive = added([node.own ?? zero, ...children.map((child) => child.inclusive)]);
    return { node, id, children, inclusive, exclusive: node.element === "C" ? zero : added(statements(node, zero)) };
  };
  const all = roots.map(lay);
  const whole = {
    node: roots[0],
    id: 1,
    children: all,
    inclusive: added([zero, ...all.map((one) => one.inclusive)]),
    exclusive: zero,
  };
  return { roots: all, whole };
}

/** Values of the statements that the tool counts as a procedure's or loop's own. */
function statements(node: WrittenNode, zero: readonly number[]): (readonly number[])[] {
  const inside = (node.children ?? []).filter(
    ({ element }) => element === "S" || (element !== "C" && element !== "PF" && node.element !== "L"),
  );
  return [node.own ?? zero, ...inside.flatMap((child) => statements(child, zero))];
}

function added(rows: readonly (readonly number[])[]): number[] {
  return rows[0].map((_, at) => rows.reduce((total, row) => total + row[at], 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Children of each procedure, and calls below calls, of the generated tree. */
const FAN = 4;
const DEPTH = 9;
const GENERATED_PROCEDURES = 2000;

/**
 * Writes a database of sums alone, as large as asked for: procedures that call others, loops and statements, line for line as
 * hpcprof prints them.
 *
 * @returns bytes written and the number of nodes
 */
export function writeLargeExperiment(file: string, bytes: number): { bytes: number; records: number } {
  const out = fs.openSync(file, "w");
  let written = 0;
  let waiting: string[] = [];
  const put = (text: string) => {
    waiting.push(text);
    if (waiting.length < 4096) return;
    written += fs.writeSync(out, waiting.join(""));
    waiting = [];
  };
  const names = Array.from({ length: GENERATED_PROCEDURES }, (_, at) => `solver::Kernel<double, ${at}>::apply(int)`);
  const empty = experimentXml({
    threads: [],
    modules: ["/usr/bin/program"],
    files: ["./src/home/solver.cpp"],
    procedures: names,
    roots: [],
  });
  const [head, tail] = empty.split(/(?<=<SecCallPathProfileData>\n)/);
  put(head);
  let id = 2;
  let seed = 4711;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed % below;
  };
  const procedure = (depth: number): void => {
    if (written >= bytes) return;
    const n = 1 + random(GENERATED_PROCEDURES);
    // More than the four calls and the statement below have together.
    const inclusive = `<M n="2" v="${5 ** (DEPTH - depth) * 1_000_000}"/>`;
    const called = `<M n="2" v="${5 ** (DEPTH - depth - 1) * 1_000_000}"/>`;
    put(`<PF i="${id++}" s="${n}" l="${n}" lm="1" f="1" n="${n}">\n${inclusive}\n`);
    put(`<L i="${id++}" s="${n}" l="${n + 3}" f="1" v="0x${(4096 + n).toString(16)}">\n${inclusive}\n`);
    const own = random(100_000) + 1;
    put(`<S i="${id++}" s="${n + 1}" l="${n + 5}">\n<M n="2" v="${own}"/><M n="3" v="${own}"/>\n</S>\n`);
    for (let call = 0; call < FAN && depth < DEPTH; call++) {
      put(`<C i="${id++}" s="${n + call}" l="${n + 6 + call}" v="0x${(8192 + n + call).toString(16)}">\n${called}\n`);
      procedure(depth + 1);
      put("</C>\n");
    }
    put("</L>\n</PF>\n");
  };
  while (written < bytes) procedure(0);
  put(tail);
  written += fs.writeSync(out, waiting.join(""));
  fs.closeSync(out);
  return { bytes: written, records: id - 2 };
}
