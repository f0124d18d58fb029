import fc from "fast-check";

/** A frame of a random sample. */
export interface WrittenFrame {
  readonly name: string;
  /** Offset from the function's beginning; with the name it decides on address and source line. */
  readonly offset: number;
  readonly module: string;
  /** Called inlined: of the address of the frame around it, or of an address of its own, as perf has it of functions with two names. */
  readonly inlined: "no" | "yes" | "alone";
}

export interface WrittenSample {
  readonly command: string;
  readonly process: number;
  readonly thread: number;
  readonly microseconds: number;
  readonly period: number;
  readonly event: string;
  /** Innermost first. */
  readonly frames: readonly WrittenFrame[];
}

/** What was asked of `perf script`. */
export interface Writing {
  readonly header?: boolean;
  readonly processes?: boolean;
  readonly processors?: boolean;
  readonly periods?: boolean;
  readonly nanoseconds?: boolean;
  readonly places?: boolean;
  readonly newline?: string;
}

const NAMES = [
  "main",
  "operator new(unsigned long)",
  "sort(int, char (*)[3])",
  "std::vector<int, std::allocator<int> >::push_back(int&&)",
  "dot [clone .isra.0]",
  "Ljava/lang/Object;::<init>",
  "grid::operator()(int) const",
  "größe",
  "a;b c",
  "[unknown]",
  "<unknown procedure>",
  "0x7f12ab",
];
/** Names that are none: perf writes the first one, other tools the others. */
const NO_NAMES: ReadonlySet<string> = new Set(["[unknown]", "<unknown procedure>", "0x7f12ab"]);
const MODULES = [
  "/usr/lib/libc.so.6",
  "/home/user/my program (deleted)",
  "/tmp/(a)/b) c",
  "[kernel.kallsyms]",
  "[JIT] tid 12",
  "[unknown]",
];
const COMMANDS = ["solve", "my program 7", "kworker/0:1-events", "(sd-pam)", "#1 12 [003] x", ":12", "bad"];
const EVENTS = [
  "cycles:u",
  "cpu-clock:ppp",
  "task-clock",
  "sched:sched_switch",
  "cpu/event=0x3c,umask=0x1/",
  "page-faults",
];

const frame = fc
  .record({
    name: fc.constantFrom(...NAMES),
    offset: fc.nat(3),
    module: fc.constantFrom(...MODULES),
    inlined: fc.constantFrom("no", "yes", "alone"),
  } as const)
  // Code without a name is nothing that perf could know as inlined.
  .map((one) => (NO_NAMES.has(one.name) ? { ...one, inlined: "no" as const } : one));

/** Random samples: recursion, inlined functions, names that look like something else, several threads, samples without frames. */
export const randomSamples = fc.array(
  fc.record({
    command: fc.constantFrom(...COMMANDS),
    process: fc.constantFrom(7, 4711),
    thread: fc.constantFrom(7, 4711, 4712),
    microseconds: fc.nat(10_000_000),
    period: fc.nat(5_000_000),
    event: fc.constantFrom(...EVENTS),
    frames: fc.array(frame, { maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 20 },
);

export const randomWriting = fc.record({
  header: fc.boolean(),
  processes: fc.boolean(),
  processors: fc.boolean(),
  periods: fc.boolean(),
  nanoseconds: fc.boolean(),
  places: fc.boolean(),
  newline: fc.constantFrom("\n", "\r\n"),
});

/** Addresses of all frames; those of the kernel are beyond 2^63. */
export function addressesOf(frames: readonly WrittenFrame[]): bigint[] {
  const addresses: bigint[] = [];
  for (const { name, offset, module, inlined } of frames.toReversed()) {
    const start = BigInt(NAMES.indexOf(name) + 1) * 4096n + BigInt(MODULES.indexOf(module) + 1) * 65536n;
    const own = start + BigInt(offset) + (module === "[kernel.kallsyms]" ? 0xffffffff81000000n : 0n);
    const around = addresses.at(-1);
    addresses.push(inlined === "yes" && around !== undefined ? around : inlined === "no" ? own : own + 0x1000000n);
  }
  return addresses.reverse();
}

/** Not all lines are known. */
export function placeOf({ name, offset }: WrittenFrame): string | undefined {
  return offset === 0 ? undefined : `/home/user/my src/${NAMES.indexOf(name)}.cpp:${10 + offset}`;
}

/** What `perf script` prints of samples with call chains. */
export function written(samples: readonly WrittenSample[], writing: Writing = {}): string {
  const lines = writing.header ? headerOf(samples) : [];
  for (const sample of samples) {
    lines.push(`${eventText(sample, writing)} `);
    const addresses = addressesOf(sample.frames);
    for (const [at, one] of sample.frames.entries()) {
      const isInlined = one.inlined !== "no";
      const symbol = NO_NAMES.has(one.name) ? one.name : `${one.name}+0x${one.offset.toString(16)}`;
      const inlined = isInlined ? " (inlined)" : "";
      const text = `\t${addresses[at].toString(16).padStart(16)} ${symbol}${isInlined ? "" : ` (${one.module})`}`;
      if (writing.places) lines.push(text, `  ${placeOf(one) ?? "??:0"}${inlined}`);
      else lines.push(`${text}${inlined}`);
    }
    lines.push("");
  }
  return lines.map((line) => line + (writing.newline ?? "\n")).join("");
}

/** What it prints of samples without call chains: the sampled function stands in their own lines. */
export function writtenFlat(samples: readonly WrittenSample[], writing: Writing = {}): string {
  const lines = writing.header ? headerOf(samples) : [];
  for (const sample of samples) {
    const one = sample.frames.at(-1);
    if (one === undefined) throw new Error("each sample has a function here");
    const symbol = NO_NAMES.has(one.name) ? one.name : `${one.name}+0x${one.offset.toString(16)}`;
    const [address] = addressesOf([one]).map((bits) => bits.toString(16).padStart(16));
    lines.push(`          ${eventText(sample, writing)}  ${address} ${symbol} (${one.module})`);
    if (writing.places) lines.push(`  ${placeOf(one) ?? "??:0"}`);
  }
  return lines.map((line) => line + (writing.newline ?? "\n")).join("");
}

function headerOf(samples: readonly WrittenSample[]): string[] {
  const last = Math.max(...samples.map(({ microseconds }) => microseconds));
  return [
    "# ========",
    "# captured on    : Mon Nov 23 18:12:04 2026",
    "# hostname : login1",
    "# cmdline : /usr/bin/perf record -g ./solve 24: all ",
    `# time of last sample : ${seconds(last)}`,
    "# CPU_TOPOLOGY info available, use -I to display",
    "# ========",
    "#",
  ];
}

function eventText(sample: WrittenSample, writing: Writing): string {
  const { command, process, thread, microseconds, period, event } = sample;
  const ids = writing.processes
    ? `${String(process).padStart(5)}/${String(thread).padEnd(5)}`
    : String(thread).padStart(5);
  const processor = writing.processors ? "[003] " : "";
  const time = `${seconds(microseconds)}${writing.nanoseconds ? "000" : ""}`;
  const amount = writing.periods ? `${String(period).padStart(10)} ` : "";
  return `${command} ${ids} ${processor}${time.padStart(12)}: ${amount}${event}:`;
}

function seconds(microseconds: number): string {
  return ((12_345_000_000 + microseconds) / 1e6).toFixed(6);
}

/** Frames without a name side by side, of one load module, are one, at the innermost one's place. */
function withoutNamelessRuns(path: readonly string[]): string[] {
  const kept: string[] = [];
  for (const frame of path) {
    const last = kept.findLastIndex((one) => !one.startsWith("line "));
    const isSame = frame.startsWith("function [unknown] (") && kept[last] === frame;
    // What is between both is the place of the one around.
    if (isSame) kept.length = last;
    kept.push(frame);
  }
  return kept;
}

/** Contexts of a sample from outside in: kind, name and load module of each. */
function pathOf(sample: WrittenSample, writing: Writing): string[] {
  const path: string[] = [];
  let module = "";
  const addresses = addressesOf(sample.frames).reverse();
  for (const [at, one] of sample.frames.toReversed().entries()) {
    const isInlined = one.inlined !== "no" && addresses[at] === addresses[at - 1];
    if (!isInlined) module = one.inlined !== "no" || one.module === "[unknown]" ? "" : one.module;
    const name = NO_NAMES.has(one.name) ? "[unknown]" : one.name;
    path.push(`${isInlined ? "inlined" : "function"} ${name} (${module})`);
    const place = writing.places ? placeOf(one) : undefined;
    if (place !== undefined) path.push(`line ${place} ()`);
  }
  return path.length === 0 ? ["function [unknown] ()"] : withoutNamelessRuns(path);
}

/** Sums by thread, event and path, counted sample by sample: their number, and their periods. */
export function expectedSums(samples: readonly WrittenSample[], writing: Writing): Map<string, [number, number]> {
  const sums = new Map<string, [number, number]>();
  for (const sample of samples) {
    const key = `${sample.thread} ${sample.event} ${pathOf(sample, writing).join("/")}`;
    const [count, amount] = sums.get(key) ?? [0, 0];
    sums.set(key, [count + 1, amount + (writing.periods ? sample.period : 0)]);
  }
  return sums;
}

/** Number of samples on whose stacks each function is, by name and load module. An inlined function is the one that is called, too. */
export function expectedOnStack(samples: readonly WrittenSample[], writing: Writing): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sample of samples) {
    const functions = pathOf(sample, writing).filter((one) => !one.startsWith("line "));
    for (const one of new Set(functions.map((text) => text.slice(text.indexOf(" ") + 1))))
      counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}
