import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ReaderPool } from "../../src/engine/readers/readerPool";
import { openRecordings } from "../../src/formats/registry";
import { quietTask } from "../../src/model/task";
import { writeEventFile } from "./eventFile";

export const RANK_FILES = 8;
const RECORDS_PER_FILE = 600_000;
const ROUNDS = 3;

/** How fast a run of one file per rank is read with so many threads, by the median of the rounds. */
export interface ThreadedReading {
  readonly threads: number;
  readonly megabytes: number;
  /** MB a second of wall time. */
  readonly speed: number;
  /** Times as fast as with one thread. */
  readonly times: number;
}

/** @throws Error when the number of threads changes what was read */
export async function benchReadingThreads(): Promise<ThreadedReading[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-"));
  try {
    let bytes = 0;
    for (let rank = 0; rank < RANK_FILES; rank++)
      bytes += writeEventFile(path.join(folder, `events-${rank}.cali`), RECORDS_PER_FILE, rank).bytes;
    const seconds = new Map<number, number[]>();
    const found = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      // One after the other in each round: what else the machine does meets all of them.
      for (const threads of [1, 2]) {
        const readers = new ReaderPool({ script: path.resolve("dist", "reader.js"), threads });
        const start = performance.now();
        const [dataSet] = await openRecordings([folder], { outlineOnly: true, readers }, quietTask);
        seconds.set(threads, [...(seconds.get(threads) ?? []), (performance.now() - start) / 1000]);
        found.add(JSON.stringify([dataSet.records, dataSet.outline, dataSet.values.map(({ value }) => [...value])]));
      }
    }
    if (found.size !== 1) throw new Error("other numbers of threads read other values");
    const medianOf = (threads: number) => [...(seconds.get(threads) ?? [])].sort((a, b) => a - b)[ROUNDS >> 1];
    return [1, 2].map((threads) => ({
      threads,
      megabytes: bytes / 1e6,
      speed: bytes / 1e6 / medianOf(threads),
      times: medianOf(1) / medianOf(threads),
    }));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
