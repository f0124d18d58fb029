import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openRecordings } from "../../src/formats/registry";
import { newCacheFolder, TraceCache } from "../../src/engine/traces/traceCache";
import type { DataSet } from "../../src/model/dataSet";
import type { Task } from "../../src/model/task";
import type { Trace } from "../../src/model/trace";
import { type Input, inputs, type Written } from "./inputs";

const ROUNDS = 3;
/** What may stay in memory of a trace beside its levels of detail (semantics 8). */
const TRACE_COLUMN_BYTES = 256 * 2 ** 20;
const MOST_CACHE_BYTES = 20e9;
/** Times the uncompressed input, for profiles. */
const PROFILE_MEMORY_RATIO = 3;

/** How fast one generated recording is read, beside a newline scan of the same bytes in the same process. */
export interface Reading {
  readonly label: string;
  readonly megabytes: number;
  /** Median of the rounds, MB a second of wall time. */
  readonly speed: number;
  /** MB a second of CPU time: what a busy machine does not change much. */
  readonly cpuSpeed: number;
  /** MB a second of wall time from the profile to the trace's columns; undefined where there are none, or made with the profile. */
  readonly columnSpeed?: number;
  readonly aim: number;
  readonly timesScan: number;
  readonly peakBytes: number;
  readonly mostBytes: number;
  readonly mostBytesAre: string;
  /** The longest time in which nobody looked whether the opening was cancelled, over all rounds, in milliseconds. */
  readonly longestDeafMs: number;
}

/**
 * Writes a recording in another process and reads it in this one, which should do nothing else: its peak is taken.
 *
 * @throws Error when what was read is not what was written
 */
export async function benchReading(name: string, bytes: number, rounds = ROUNDS): Promise<Reading> {
  const input = inputs[name];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-"));
  try {
    const written = generate(name, folder, bytes);
    const files = filesBelow(written.path);
    scanNewlines(files); // the first scan brings the files into the page cache
    global.gc?.();
    const idle = process.memoryUsage.rss();
    const measured: { scan: number; wall: number; cpu: number; columns: number }[] = [];
    let mostBytes = PROFILE_MEMORY_RATIO * written.bytes;
    let peakBytes = 0;
    let hasColumns = false;
    const ear = new Ear();
    const cache = new TraceCache({ folder: newCacheFolder(folder), mostBytes: MOST_CACHE_BYTES });
    for (let round = 0; round < rounds; round++) {
      const scan = scanNewlines(files);
      const before = process.cpuUsage();
      const start = performance.now();
      ear.listens();
      const columnFiles = cache.opening();
      const dataSets = await openRecordings([written.path], { columnFiles, outlineOnly: true }, ear);
      ear.listens();
      const wall = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(before);
      check(input, written, dataSets);
      const profileReady = performance.now();
      ear.listens();
      const traces: (Trace | undefined)[] = [];
      for (const { trace, readTrace } of dataSets) traces.push(trace ?? (await readTrace?.(columnFiles, ear)));
      ear.listens();
      const columns = (performance.now() - profileReady) / 1000;
      measured.push({ scan, wall, cpu: (user + system) / 1e6, columns });
      if (round === 0) {
        peakBytes = process.resourceUsage().maxRSS * 1024 - idle;
        if (input.kind === "trace") mostBytes = TRACE_COLUMN_BYTES + levelBytes(traces);
      }
      for (const trace of traces) await trace?.close();
      ear.rests();
      hasColumns ||= dataSets.some(({ readTrace }) => readTrace !== undefined);
    }
    const megabytes = written.bytes / 1e6;
    const wall = median(measured.map((one) => one.wall));
    return {
      label: input.label,
      megabytes,
      speed: megabytes / wall,
      cpuSpeed: megabytes / median(measured.map((one) => one.cpu)),
      ...(hasColumns ? { columnSpeed: megabytes / median(measured.map((one) => one.columns)) } : {}),
      aim: input.aim,
      timesScan: wall / median(measured.map((one) => one.scan)),
      peakBytes,
      mostBytes,
      longestDeafMs: ear.longestDeafMs,
      mostBytesAre: input.kind === "trace" ? "levels of detail + 256 MiB" : `${PROFILE_MEMORY_RATIO} × the input`,
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A task that only notes how long nobody looked at it: a cancel is heard no sooner. */
class Ear implements Task {
  longestDeafMs = 0;
  private last: number | undefined;

  listens(): void {
    const now = performance.now();
    if (this.last !== undefined) this.longestDeafMs = Math.max(this.longestDeafMs, now - this.last);
    this.last = now;
  }

  rests(): void {
    this.last = undefined;
  }

  check(): void {
    this.listens();
  }

  progress(): void {
    this.listens();
  }
}

/** What the generating process does. */
export async function writeInput(name: string, folder: string, bytes: number): Promise<Written> {
  return inputs[name].write(folder, bytes);
}

/** Writes a recording in another process, whose memory is not this one's. */
export function generate(name: string, folder: string, bytes: number): Written {
  const { status, stdout } = spawnSync(process.execPath, [process.argv[1], "--generate", name, folder, String(bytes)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`Writing the input of ${name} failed.`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Written;
}

function check({ label, warning }: Input, written: Written, dataSets: readonly DataSet[]): void {
  const records = dataSets.reduce((sum, dataSet) => sum + dataSet.records, 0);
  if (records !== written.records) throw new Error(`${label}: read ${records} records, wrote ${written.records}`);
  for (const { warnings } of dataSets) {
    const unexpected = warnings.find(({ message }) => warning?.test(message) !== true);
    if (unexpected) throw new Error(`${label}: ${unexpected.message}`);
  }
}

function levelBytes(traces: readonly (Trace | undefined)[]): number {
  return traces.reduce((sum, trace) => sum + (trace?.bytes ?? 0), 0);
}

function filesBelow(file: string): string[] {
  if (!fs.statSync(file).isDirectory()) return [file];
  return fs.readdirSync(file).map((name) => path.join(file, name));
}

/** Seconds that it takes to find every newline byte, over pieces of 1 MB. */
function scanNewlines(files: readonly string[]): number {
  const start = performance.now();
  const buffer = Buffer.alloc(1 << 20);
  for (const file of files) {
    const handle = fs.openSync(file, "r");
    for (let got = fs.readSync(handle, buffer); got > 0; got = fs.readSync(handle, buffer)) {
      const piece = buffer.subarray(0, got);
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1));
    }
    fs.closeSync(handle);
  }
  return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
