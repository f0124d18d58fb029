import fc from "fast-check";
import { addTo } from "../../../../src/model/maps";
import { withoutRuns } from "./naivePerf";

/** Which fields `perf script -F` was asked for; perf prints them in one order, whatever the order of the question. */
export interface Fields {
  readonly comm: boolean;
  readonly pid: boolean;
  readonly tid: boolean;
  readonly cpu: boolean;
  readonly misc: boolean;
  readonly tod: boolean;
  readonly time: boolean;
  readonly period: boolean;
  readonly event: boolean;
  readonly addr: boolean;
  readonly dataSource: boolean;
  readonly weight: boolean;
  readonly offset: boolean;
  readonly module: boolean;
  /** How the branches of a sample are printed, with or without what newer versions have behind the cycles. */
  readonly branches: "none" | "addresses" | "symbols" | "modules" | "newer";
  readonly behind: "" | "insn" | "phys" | "page" | "ipc";
  readonly chain: boolean;
  /** simpleperf parts fields by tabs. */
  readonly tabs: boolean;
  readonly newline: string;
}

interface FieldSample {
  readonly comm: string;
  readonly pid: number;
  readonly tid: number;
  readonly microseconds: number;
  readonly period: number;
  readonly event: string;
  /** Innermost first: name and load module. */
  readonly frames: readonly (readonly [name: string, module: string])[];
}

const NAMES = [
  "main",
  "operator new(unsigned long)",
  "std::map<int, char (*)[3]>::at(int const&)",
  "Lorg/app/Grid;::solve",
  "LazyCompile:~body_0 evalmachine.<anonymous>:1",
  "RegExp:[&<>\"']",
  "a;b c",
  "decode_0x12+0x4",
  "f.isra.0",
  "[unknown]",
];
const MODULES = [
  "/opt/app/solver",
  "/opt/app/my solver (deleted)",
  "[kernel.kallsyms]",
  "/tmp/perf-4711.map",
  "/tmp/jitted-4711-1.so",
  "[unknown]",
];
const EVENTS = [
  "cycles",
  "cycles:u",
  "cpu/mem-loads,ldlat=30/P",
  "cpu_core/cycles/",
  "LLC-load-misses:uppp",
  "page-faults",
];
const COMMS = [
  "solver",
  "my solver",
  "a:b",
  "kworker/0:1-events",
  "(sd-pam)",
  "Web Content",
  "java",
  "x 7 y",
  "[vsyscall]",
];

const sample = fc.record({
  comm: fc.constantFrom(...COMMS),
  pid: fc.constantFrom(4711, 12),
  tid: fc.constantFrom(4711, 12, 4_194_304),
  microseconds: fc.nat(10_000_000),
  period: fc.integer({ min: 1, max: 5_000_000 }),
  event: fc.constantFrom(...EVENTS),
  frames: fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...MODULES)), { minLength: 1, maxLength: 5 }),
});

/** Samples and the fields that are printed of them: a thread or a time at least, and an event where there is no time. */
export const randomFields = fc
  .record({
    ...Object.fromEntries(
      [
        "comm",
        "pid",
        "tid",
        "cpu",
        "misc",
        "tod",
        "time",
        "period",
        "event",
        "addr",
        "dataSource",
        "weight",
        "offset",
      ].map((name) => [name, fc.boolean()] as const),
    ),
    module: fc.boolean(),
    branches: fc.constantFrom("none", "none", "addresses", "symbols", "modules", "newer"),
    behind: fc.constantFrom("", "", "insn", "phys", "page", "ipc"),
    chain: fc.boolean(),
    tabs: fc.boolean(),
    newline: fc.constantFrom("\n", "\r\n"),
  } as Record<string, fc.Arbitrary<unknown>>)
  .map((fields) => fields as unknown as Fields)
  .filter(({ time, event, tid, pid }) => (time || (event && tid)) && (tid || !pid))
  // What stands behind an event without its name could be a period as well.
  .map((fields) => (fields.event ? fields : { ...fields, addr: false, dataSource: false, weight: false }))
  // Text without load modules tells frames of a sample's own line from its other fields only by their columns.
  .map((fields) => ({ ...fields, module: fields.module || !fields.chain }))
  .map((fields) => ({
    ...fields,
    tabs: fields.tabs && fields.comm && fields.chain && fields.cpu && fields.tid && fields.time && fields.event,
  }));

/** A name that ends like an offset cannot be told from one with an offset: where none are printed, none has it. */
function nameOf(name: string, { offset }: Fields): string {
  return offset || !name.includes("+0x") ? name : "decode";
}

export const randomFieldSamples = fc.array(sample, { minLength: 1, maxLength: 12 });

/** What `perf script` prints, field by field, as `process_event` of its source does. */
export function writtenFields(samples: readonly FieldSample[], fields: Fields): string {
  return samples
    .flatMap((one) => {
      const head = headOf(one, fields);
      if (!fields.chain) return [`${head} ${framesOf(one, fields)[0]}${behindOf(one, fields)}`];
      const behind = behindOf(one, fields);
      const frames = framesOf(one, fields).map((frame) => `\t${frame}`);
      return [head, ...frames, ...(behind === "" ? [] : [behind]), ""];
    })
    .map((line) => line + fields.newline)
    .join("");
}

function headOf(one: FieldSample, fields: Fields): string {
  const number = (value: number, columns: number) => String(value).padStart(columns);
  const hex = (value: bigint) => value.toString(16).padStart(16);
  const ids = fields.pid
    ? `${number(one.pid, 7)}/${String(one.tid).padEnd(7)} `
    : fields.tid
      ? `${number(one.tid, 7)} `
      : "";
  const seconds = `${(12_000_000_000 + one.microseconds) / 1e6}`.includes(".")
    ? ((12_000_000_000 + one.microseconds) / 1e6).toFixed(6)
    : `${(12_000_000_000 + one.microseconds) / 1e6}.000000`;
  const parts: string[] = [];
  if (fields.comm) parts.push(fields.chain ? `${one.comm} ` : `${one.comm.padStart(16)} `);
  parts.push(ids);
  if (fields.cpu) parts.push("[003] ");
  if (fields.misc) parts.push("U     ");
  if (fields.tod) parts.push("2026-11-23 18:12:04.000001 ");
  if (fields.time) parts.push(`${seconds.padStart(12)}: `);
  if (fields.period) parts.push(`${number(one.period, 10)} `);
  if (fields.event) parts.push(`${one.event.padStart(12)}: `);
  if (fields.addr) parts.push(hex(0x7ffd11223344n));
  if (fields.dataSource)
    parts.push(`${hex(0x5080021n)} |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A   `);
  if (fields.weight) parts.push(number(14, 16));
  const head = parts.join("");
  return fields.tabs ? head.replace(/ +(?=\d+ \[)/, "\t").replace(/: +(?=\d)/, ":\t\t") : head;
}

function framesOf({ frames }: FieldSample, fields: Fields): string[] {
  return frames.map(([name, module], at) => {
    const address = (0x401000n + BigInt(16 * NAMES.indexOf(name) + at)).toString(16).padStart(16);
    const offset = fields.offset && name !== "[unknown]" ? "+0x16" : "";
    return `${address}${fields.tabs ? "\t" : " "}${nameOf(name, fields)}${offset}${fields.module ? ` (${module})` : ""}`;
  });
}

function behindOf({ frames }: FieldSample, { branches, behind }: Fields): string {
  const ends = { none: [], addresses: ["0x401150/0x401120"], symbols: ["main+0x10/f+0x0"] } as const;
  const [[, module]] = frames;
  const pairs =
    branches === "modules"
      ? [`0x401150(${module})/0x401120(${module})`]
      : branches === "newer"
        ? ["0x1/0x2"]
        : ends[branches];
  const entries = [...pairs, ...pairs].map((pair) => ` ${pair}/P/-/-/3${branches === "newer" ? "/COND/-" : ""} `);
  const others = {
    "": "",
    insn: " insn: 48 89 e5",
    phys: 0x1234abcdn.toString(16).padStart(16),
    page: " 4K",
    ipc: " \t IPC: 1.50 (3/2) ",
  };
  return entries.join("") + others[behind];
}

/** Sums by thread, event and path, from outside in, counted sample by sample: their number, and their periods. */
export function expectedFields(samples: readonly FieldSample[], fields: Fields): Map<string, [number, number]> {
  const counts = new Map<string, number>();
  const periods = new Map<string, number>();
  for (const { tid, event, period, frames } of samples) {
    const called = fields.chain ? frames.toReversed() : frames.slice(0, 1);
    const path = called.map(([name, module]) => {
      const shown = fields.module && module !== "[unknown]" ? module : "";
      return `function ${nameOf(name, fields)} (${shown})`;
    });
    const key = `${fields.tid ? tid : -1} ${fields.event ? event : ""} ${withoutRuns(path).join("/")}`;
    addTo(counts, key, 1);
    addTo(periods, key, fields.period ? period : 0);
  }
  return new Map([...counts].map(([key, count]) => [key, [count, periods.get(key) ?? 0]]));
}
