/** One recording of each format that has contexts, and what a person is to see of it, computed from its own text or bytes. */
import fs from "node:fs";
import path from "node:path";
import { exclusiveByRank } from "./golden";
import { textbook } from "./correlation";
import { entering, exclusiveOf, readVersion2, readVersion4 } from "./rawHpctoolkit";
import { goldenSum } from "../goldenRecords";
import { miniheat } from "../recordings";

/** Ranks or threads of a recording, and one bar's exclusive on each. */
export interface Spread {
  /** Title of the histogram. */
  readonly title: string;
  /** Entry of "Over", where it is not what the histogram begins with. */
  readonly over?: string;
  readonly keys: readonly string[];
  readonly exclusive: readonly number[];
  /** The bins from this one on, of 20, are brushed. */
  readonly from: number;
  /** Chip of what is then chosen. */
  readonly chip: string;
  /** Inclusive of the bar for the chosen members, and for the others, as the panel combines them. */
  readonly halves: readonly [number, number];
}

export interface FormatCase {
  readonly title: string;
  /** In the workspace; opened by a click. */
  readonly file: string;
  /** What its page says. */
  readonly page: readonly string[];
  /** Unit of the metric shown. */
  readonly unit: string;
  /** A supernode, by source file, and what it is divided into, by the menu entry and by the file or function that calls. */
  readonly bar: string;
  readonly split: { readonly entry: string; readonly parts: Readonly<Record<string, number>> };
  /** By mouse and by keyboard; undefined: the recording has no ranks and no threads. */
  readonly spreads: Readonly<Record<"mouse" | "keyboard", Spread>> | undefined;
  /** What is chosen in the panel after "Correlate with…" on the bar, and what comes of it. */
  readonly correlation: {
    readonly choices: Readonly<Record<string, string>>;
    readonly r: number;
    readonly points: string;
  };
  /** Where the hottest line of a bar is. */
  readonly line: { readonly bar: string; readonly file: string; readonly line: number };
  /** A bar whose source is not in the workspace, and what is said of that. */
  readonly missing?: { readonly bar: string; readonly why: string };
}

/** Puts the recordings into a workspace, with file names by which tools write them. */
export function copyRecordings(shared: string, workspace: string): void {
  const copy = (from: string, to: string) => {
    fs.mkdirSync(path.join(workspace, path.dirname(to)), { recursive: true });
    // Written anew: the originals may not be written to, and their copies are to be removed again.
    fs.writeFileSync(path.join(workspace, to), fs.readFileSync(path.join(shared, "data", from)));
  };
  for (const [from, to] of [
    ["hpctoolkit-v4/viewer-inline.meta.db", "inline"],
    ["hpctoolkit-v2/hpctoolkit-allgather-database", "allgather"],
  ])
    for (const file of fs.readdirSync(path.join(shared, "data", from), { recursive: true, withFileTypes: true }))
      if (file.isFile()) {
        const relative = path.relative(path.join(shared, "data", from), path.join(file.parentPath, file.name));
        copy(path.join(from, relative), path.join(to, relative));
      }
  copy("other/callgrind/callgrind.example.log", "calls/callgrind.out.1");
  // The hand-written sample names two files: one is here, with func2 where its only cost is, and one is not.
  const source = Array.from({ length: 30 }, (_, at) => `/* line ${at + 1} */`);
  source.splice(18, 3, "int func2(int n) {", "  return n * n;", "}");
  fs.writeFileSync(path.join(workspace, "file2.c"), source.join("\n"));
}

export function formatCases(shared: string): FormatCase[] {
  const data = path.join(shared, "data");
  return [
    inline(path.join(data, "hpctoolkit-v4/viewer-inline.meta.db")),
    allgather(path.join(data, "hpctoolkit-v2/hpctoolkit-allgather-database")),
    callgrind(path.join(data, "other/callgrind/callgrind.example.log")),
    caliper(),
  ];
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;

/** Which members lie in the bins from this one on: 20 bins of equal width from the least to the most. */
export function membersFrom({ keys, exclusive, from }: Pick<Spread, "keys" | "exclusive" | "from">): string[] {
  const [least, most] = [Math.min(...exclusive), Math.max(...exclusive)];
  return keys.filter((_, at) => binOf(exclusive[at], least, most) >= from);
}

function binOf(value: number, least: number, most: number): number {
  return Math.min(20, 1 + Math.floor(((value - least) / (most - least)) * 20));
}

interface SpreadInput extends Omit<Spread, "halves"> {
  readonly inclusive: readonly number[];
  readonly combine: (values: readonly number[]) => number;
}

function spread({ inclusive, combine, ...rest }: SpreadInput): Spread {
  const chosen = membersFrom(rest);
  const half = (isChosen: boolean) => combine(inclusive.filter((_, at) => chosen.includes(rest.keys[at]) === isChosen));
  return { ...rest, halves: [half(true), half(false)] };
}

/** Eight threads of one process; counts of cycles add up over them. */
function inline(folder: string): FormatCase {
  const raw = readVersion4(folder);
  const bar = "par_forloop.h";
  const exclusive = exclusiveOf(raw, "cycles", bar);
  const over = spread({
    title: `${bar} · exclusive cycles · 8 threads`,
    keys: raw.locations,
    exclusive,
    from: 15,
    chip: "threads 0, 2, 5, 7",
    inclusive: entering(raw, "cycles", bar),
    combine: sum,
  });
  const hot = raw.lines
    .filter(({ caller }) => caller?.file === bar)
    .sort((a, b) => sum(b.inclusive("cycles")) - sum(a.inclusive("cycles")))[0];
  return {
    title: "HPCToolkit 4, 8 threads",
    file: "inline/meta.db",
    page: ["HPCToolkit 4", "thread: 8"],
    unit: "cycles",
    bar,
    split: {
      entry: "Split by caller group",
      parts: {
        "team.c": sum(entering(raw, "cycles", bar, "team.c")),
        "parallel.c": sum(entering(raw, "cycles", bar, "parallel.c")),
      },
    },
    spreads: { mouse: over, keyboard: over },
    correlation: {
      choices: { "y.metric": "instructions" },
      r: textbook(exclusive, exclusiveOf(raw, "instructions", bar)),
      points: "8 threads",
    },
    line: { bar, file: hot.file, line: hot.line },
    missing: { bar: "team.c", why: "Recorded from team.c, which is not in these folders." },
  };
}

/** Ten ranks of two threads each, the second of which only waits. */
function allgather(folder: string): FormatCase {
  const raw = readVersion2(folder);
  const bar = "psm_queue.c";
  const metric = "CPUTIME (usec) (I)";
  const seconds = (values: readonly number[]) => values.map((value) => value / 1e6);
  const [exclusive, inclusive] = [seconds(exclusiveOf(raw, metric, bar)), seconds(entering(raw, metric, bar))];
  const rankOf = (location: string) => location.split(".")[0];
  const ranks = [...new Set(raw.locations.map(rankOf))];
  const perRank = (values: readonly number[]) =>
    ranks.map((rank) => sum(values.filter((_, at) => rankOf(raw.locations[at]) === rank)));
  return {
    title: "HPCToolkit 2, 10 ranks of 2 threads",
    file: "allgather/experiment.xml",
    page: ["HPCToolkit 2", "10 (0–9)", "20 locations"],
    unit: "s",
    bar,
    split: {
      entry: "Split by caller group",
      parts: Object.fromEntries(
        ["helper_fns.c", "ch3_shmem_coll.c", "barrier_osu.c"].map((from) => [
          from,
          mean(perRank(seconds(entering(raw, metric, bar, from)))),
        ]),
      ),
    },
    spreads: {
      mouse: spread({
        title: `${bar} · exclusive CPUTIME · 10 ranks`,
        keys: ranks,
        exclusive: perRank(exclusive),
        from: 12,
        chip: "ranks 1, 7–8",
        inclusive: perRank(inclusive),
        combine: mean,
      }),
      keyboard: spread({
        title: `${bar} · exclusive CPUTIME · 20 threads`,
        over: "threads",
        keys: raw.locations,
        exclusive,
        from: 15,
        chip: "threads 1.0, 7.0, 8.0",
        inclusive,
        combine: mean,
      }),
    },
    correlation: {
      choices: { "x.value": "inclusive" },
      r: textbook(perRank(inclusive), perRank(exclusive)),
      points: "10 ranks",
    },
    line: { bar: "osu_allgather.c", file: "osu_allgather.c", line: 14 },
    missing: { bar, why: "Recorded from psm_queue.c, which is not in these folders." },
  };
}

/** The example of callgrind's manual: functions, their own costs and those of their calls. */
function callgrind(file: string): FormatCase {
  const self = new Map<string, number>();
  const calls = new Map<string, number>();
  let [from, to] = ["", ""];
  let isCall = false;
  for (const line of fs.readFileSync(file, "utf8").split("\n")) {
    const [, key, name] = /^(fn|cfn|calls)=(.*)$/.exec(line) ?? [];
    if (key === "fn") from = name;
    else if (key === "cfn") to = name;
    else if (key === "calls") isCall = true;
    else if (/^\d+ \d+$/.test(line)) {
      const cost = Number(line.split(" ")[1]);
      const [table, entry] = isCall ? [calls, `${from}>${to}`] : [self, from];
      table.set(entry, (table.get(entry) ?? 0) + cost);
      isCall = false;
    }
  }
  const functions = [...self.keys()];
  const called = (by: string) => sum([...calls].filter(([pair]) => pair.startsWith(`${by}>`)).map(([, cost]) => cost));
  const exclusive = functions.map((name) => self.get(name) ?? 0);
  const inclusive = functions.map((name, at) => exclusive[at] + called(name));
  const total = sum(exclusive);
  return {
    title: "callgrind",
    file: "calls/callgrind.out.1",
    page: [`Instructions (shown) ${total}`, "func2 700 Instructions", "file2.c:20"],
    unit: "Instructions",
    bar: "file2.c",
    split: {
      entry: "Split by caller function",
      parts: { main: calls.get("main>func2") ?? NaN, func1: calls.get("func1>func2") ?? NaN },
    },
    spreads: undefined,
    correlation: { choices: { "x.value": "inclusive" }, r: textbook(inclusive, exclusive), points: "3 functions" },
    line: { bar: "file2.c", file: "file2.c", line: 20 },
    missing: { bar: "file1.c", why: "file1.c: no file of that name is in the folders" },
  };
}

/** Eight ranks of the sample program. */
function caliper(): FormatCase {
  const isMpi = (one: string) => /(^|\/)MPI_[^/]*$/.test(one);
  const ranks = [...Array(8).keys()];
  const ofRank = (isTaken: (one: string) => boolean) =>
    ranks.map((rank) => goldenSum(isTaken, (counted) => counted === rank));
  const mpi = ofRank(isMpi);
  const from = (caller: string) => mean(ofRank((one) => isMpi(one) && one.split("/").at(-2) === caller));
  const over = spread({
    title: "MPI · exclusive time · 8 ranks",
    keys: ranks.map(String),
    exclusive: mpi,
    from: 15,
    chip: "ranks 1–3, 5–7",
    inclusive: mpi,
    combine: mean,
  });
  const source = fs.readFileSync(path.join(miniheat, "src", "physics.cpp"), "utf8").split("\n");
  return {
    title: "Caliper, 8 ranks",
    file: "profiles/profile-8ranks.cali",
    page: ["Caliper", "8 (0–7)"],
    unit: "s",
    bar: "MPI",
    split: {
      entry: "Split by caller function",
      parts: { globalSum: from("globalSum"), halo_transfer: from("halo_transfer") },
    },
    spreads: { mouse: over, keyboard: over },
    correlation: {
      choices: { "x.of": "whole recording" },
      r: textbook(
        ofRank(() => true),
        mpi,
      ),
      points: "8 ranks",
    },
    line: { bar: "physics.cpp", file: "physics.cpp", line: 1 + hottestOf(source) },
  };
}

/** Where the definition begins that most seconds of the file are spent in. */
function hottestOf(source: readonly string[]): number {
  const definitions = source.flatMap((line, at) => {
    const name = /^\w[\w ]* (\w+)\(/.exec(line)?.[1];
    return name === undefined ? [] : [{ at, seconds: sum(exclusiveByRank(name)) }];
  });
  return definitions.sort((a, b) => b.seconds - a.seconds)[0].at;
}
