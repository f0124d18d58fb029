import fs from "node:fs";
import path from "node:path";
import { writeLargeExperiment } from "../unit/formats/hpctoolkit/v2/writer";
import { largeTrace } from "../unit/formats/paje/writer";
import { type CallgrindShape, COUNTED, DENSE, writeCallgrindFile } from "./callgrindFile";
import { writeChromeTrace } from "./chromeFile";
import { writeDatabase } from "./databaseFiles";
import { writeEventFile } from "./eventFile";
import { writeJsonSplit } from "./jsonSplitFile";
import { writePerfScript } from "./perfFile";
import { RANK_FILE_BYTES, writeRankFiles } from "./rankFiles";

/** What a generator wrote, and what reading it must give. */
export interface Written {
  /** What is opened: a file, or the folder. */
  readonly path: string;
  /** Uncompressed, over all files. */
  readonly bytes: number;
  /** Number of records (samples, events) that the data set must have read. */
  readonly records: number;
}

/** A generated recording of one format, to be read as fast as its reader can. */
export interface Input {
  /** What people call it. */
  readonly label: string;
  readonly kind: "profile" | "trace";
  /** MB a second on one core that are aimed at; 0: no aim was set. */
  readonly aim: number;
  /** What the reader may warn of: of this input it is right to. */
  readonly warning?: RegExp;
  /** Writes about so many bytes. */
  write(folder: string, bytes: number): Promise<Written>;
}

const MB = 1e6;

/** Large enough that start-up does not count, small enough that all of them take minutes. */
export const INPUT_BYTES = 150 * MB;
/** From here on budgets hold. */
export const LEAST_INPUT_BYTES = 50 * MB;
/** Larger than what JavaScript takes in one buffer or string. */
export const LARGE_INPUT_BYTES = 2100 * MB;
export const LARGE_INPUTS = ["cali", "chrome"];

export const inputs: Readonly<Record<string, Input>> = {
  cali: {
    label: "Caliper .cali events",
    kind: "trace",
    aim: 400,
    async write(folder, bytes) {
      const file = path.join(folder, "events.cali");
      const written = writeEventFile(file, Math.round(bytes / 72.5));
      return { path: file, ...written };
    },
  },
  rankFiles: {
    label: "Caliper .cali profiles, a file per rank",
    kind: "profile",
    aim: 0,
    async write(folder, bytes) {
      return writeRankFiles(folder, Math.round(bytes / RANK_FILE_BYTES));
    },
  },
  jsonSplit: {
    label: "Caliper json-split",
    kind: "profile",
    aim: 250,
    async write(folder, bytes) {
      const file = path.join(folder, "profile.json");
      return { path: file, ...writeJsonSplit(file, bytes) };
    },
  },
  paje: {
    label: "Paje",
    kind: "trace",
    aim: 300,
    async write(folder, bytes) {
      const file = path.join(folder, "simulation.trace");
      return { path: file, ...writePaje(file, bytes) };
    },
  },
  chrome: {
    label: "Chrome trace (Kineto)",
    kind: "trace",
    aim: 200,
    async write(folder, bytes) {
      const file = path.join(folder, "worker.pt.trace.json");
      return { path: file, ...writeChromeTrace(file, bytes) };
    },
  },
  perf: {
    label: "perf script, with source lines",
    kind: "trace",
    aim: 0,
    async write(folder, bytes) {
      const file = path.join(folder, "program.perf-script");
      return { path: file, ...writePerfScript(file, bytes) };
    },
  },
  experimentXml: {
    label: "HPCToolkit experiment.xml",
    kind: "profile",
    aim: 25,
    async write(folder, bytes) {
      return { path: folder, ...writeLargeExperiment(path.join(folder, "experiment.xml"), bytes) };
    },
  },
  callgrind: callgrindInput("callgrind, a C++ program's lines", COUNTED),
  callgrindDense: callgrindInput("callgrind, nothing but distinct lines", DENSE),
  database: {
    label: "HPCToolkit 4 database",
    kind: "profile",
    aim: 800,
    async write(folder, bytes) {
      return { path: folder, ...writeDatabase(folder, bytes) };
    },
  },
};

function callgrindInput(label: string, shape: CallgrindShape): Input {
  return {
    label,
    kind: "profile",
    aim: 0,
    // Half a million functions are all called by each other.
    warning: /^calling contexts are estimated down to [\d.]+ % of the total only/,
    async write(folder, bytes) {
      const file = path.join(folder, "callgrind.out.4711");
      return { path: file, ...writeCallgrindFile(file, bytes, shape) };
    },
  };
}

/** Lines of the body are records; those that define event types are not. */
function writePaje(file: string, bytes: number): { bytes: number; records: number } {
  const out = fs.openSync(file, "w");
  let written = 0;
  let records = 0;
  for (const piece of largeTrace(bytes)) {
    written += fs.writeSync(out, piece);
    for (let at = 0; at < piece.length; at = piece.indexOf("\n", at) + 1) if (piece[at] !== "%") records++;
  }
  fs.closeSync(out);
  return { bytes: written, records };
}
