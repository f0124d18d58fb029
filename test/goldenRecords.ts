/** The records of the sample's 8-rank profile as `cali-query` prints them, and what follows from them by definition. */
import fs from "node:fs";
import path from "node:path";
import { miniheat } from "./recordings";

interface GoldenRecord {
  /** Names joined by `/`; absent outside any region. */
  readonly path?: string;
  readonly "mpi.rank": number;
  /** Exclusive seconds. */
  readonly "sum#sum#time.duration": number;
}

export type RankTest = (rank: number) => boolean;
export const everyRank: RankTest = () => true;

const file = path.join(miniheat, "profiles", "golden", "profile-8ranks.records.json");
const records = JSON.parse(fs.readFileSync(file, "utf8")) as readonly GoldenRecord[];

/** Exclusive seconds of everything that a test of paths takes, over the ranks that count. */
export function goldenSum(isTaken: (path: string) => boolean, isCounted: RankTest): number {
  const taken = records.filter((record) => isCounted(record["mpi.rank"]) && isTaken(record.path ?? ""));
  return taken.reduce((sum, record) => sum + record["sum#sum#time.duration"], 0);
}

/** Inclusive seconds of one path. */
export function goldenInclusive(of: string, isCounted: RankTest): number {
  return goldenSum((one) => one === of || one.startsWith(`${of}/`), isCounted);
}

/** Exclusive seconds of one function, wherever it is called. */
export function goldenExclusive(name: string, isCounted: RankTest): number {
  return goldenSum((one) => one.split("/").at(-1) === name, isCounted);
}

/** Walks down from a path as a person would: to the largest sum below, while it keeps so much of the one above. */
export function goldenHotPath(from: string, threshold: number, isCounted: RankTest): string[] {
  const names = from.split("/");
  for (;;) {
    const here = names.join("/");
    const below = records.flatMap((record) => (record.path?.startsWith(`${here}/`) ? [record.path] : []));
    const children = [...new Set(below.map((one) => one.slice(here.length + 1).split("/")[0]))];
    const sum = (name: string) => goldenInclusive(`${here}/${name}`, isCounted);
    const [heaviest] = children.sort((a, b) => sum(b) - sum(a));
    if (heaviest === undefined || sum(heaviest) < threshold * goldenInclusive(here, isCounted)) return names;
    names.push(heaviest);
  }
}
