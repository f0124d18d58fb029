import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openRecordings } from "../../src/formats/registry";
import { quietTask, type Task } from "../../src/model/task";
import { writeEventFile } from "./eventFile";

/** One line of the report: what was measured, the figure, and how it was measured. */
export interface LoadRow {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const RECORDS = 2_000_000;
const ROUNDS = 5;

/**
 * Load time and peak memory of a generated `.cali` event file of 2 million records, summed by path and rank, beside a
 * newline scan of the same bytes in the same run. Rounds alternate, and medians are compared, so that what else the
 * machine does falls on both.
 *
 * @throws Error when what was read is not what was written
 */
export async function benchLoad(records = RECORDS): Promise<LoadRow[]> {
  const idle = process.memoryUsage.rss();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-"));
  try {
    const file = path.join(folder, "events.cali");
    const written = writeEventFile(file, records);
    const megabytes = written.bytes / 1e6;
    scanNewlines(file); // the first scan brings the file into the page cache
    const scans: number[] = [];
    const loads: number[] = [];
    let peak = 0;
    for (let round = 0; round < ROUNDS; round++) {
      scans.push(scanNewlines(file));
      const watch: Task = {
        check: () => undefined,
        progress: () => {
          peak = Math.max(peak, process.memoryUsage.rss() - idle);
        },
      };
      const start = performance.now();
      const [dataSet] = await openRecordings([file], {}, round === 0 ? watch : quietTask);
      loads.push((performance.now() - start) / 1000);
      const nanoseconds = dataSet.values[0].value.reduce((sum, seconds) => sum + Math.round(seconds * 1e9), 0);
      if (dataSet.records !== written.records || nanoseconds !== written.nanoseconds)
        throw new Error(`read ${dataSet.records} records and ${nanoseconds} ns, wrote ${JSON.stringify(written)}`);
    }
    const [load, scan] = [median(loads), median(scans)];
    const speed = (seconds: number) => megabytes / seconds;
    return [
      { what: "event file", value: megabytes, unit: "MB", note: `${written.records} records` },
      { what: "load", value: speed(load), unit: "MB/s", note: `median of ${ROUNDS}: ${load.toFixed(3)} s` },
      { what: "load, first in the process", value: speed(loads[0]), unit: "MB/s", note: `${loads[0].toFixed(3)} s` },
      { what: "newline scan of the same bytes", value: speed(scan), unit: "MB/s", note: `${scan.toFixed(3)} s` },
      { what: "load / newline scan", value: load / scan, unit: "×" },
      { what: "peak memory of the load, above idle", value: peak / 1e6, unit: "MB" },
      { what: "peak memory / file", value: peak / written.bytes, unit: "×", note: "budget 3" },
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds that it takes to find every newline of a file, over pieces of 1 MB. */
function scanNewlines(file: string): number {
  const start = performance.now();
  const handle = fs.openSync(file, "r");
  const buffer = Buffer.alloc(1 << 20);
  let lines = 0;
  for (let got = fs.readSync(handle, buffer); got > 0; got = fs.readSync(handle, buffer)) {
    const piece = buffer.subarray(0, got);
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
  }
  fs.closeSync(handle);
  if (lines === 0) throw new Error("no lines");
  return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
