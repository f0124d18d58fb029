import path from "node:path";
import { writeEventFile } from "./eventFile";
import { writeJsonSplit } from "./jsonSplitFile";

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
  /** MB a second on one core that are aimed at. */
  readonly aim: number;
  /** Writes about so many bytes. */
  write(folder: string, bytes: number): Promise<Written>;
}

const MB = 1e6;

/** Large enough that start-up does not count, small enough that all of them take minutes. */
export const INPUT_BYTES = 150 * MB;

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
  jsonSplit: {
    label: "Caliper json-split",
    kind: "profile",
    aim: 250,
    async write(folder, bytes) {
      const file = path.join(folder, "profile.json");
      return { path: file, ...writeJsonSplit(file, bytes) };
    },
  },
};
