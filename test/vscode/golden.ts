/** What Caliper's own query tool says of the 8-rank profile: exclusive seconds of every region path and rank. */
import fs from "node:fs";
import { file } from "./heatflow";

interface Record {
  readonly path?: string;
  readonly "mpi.rank": number;
  readonly "sum#sum#time.duration"?: number;
}

export interface RankTimes {
  /** Seconds, by rank. */
  readonly seconds: readonly number[];
  readonly mean: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly slowestRank: number;
}

/** Exclusive time of all contexts whose innermost region has this name. */
export function exclusiveOf(region: string): RankTimes {
  const seconds = new Array<number>(8).fill(0);
  for (const record of records())
    if (record.path?.split("/").at(-1) === region) seconds[record["mpi.rank"]] += record["sum#sum#time.duration"] ?? 0;
  const maximum = Math.max(...seconds);
  return {
    seconds,
    mean: seconds.reduce((sum, value) => sum + value, 0) / seconds.length,
    minimum: Math.min(...seconds),
    maximum,
    slowestRank: seconds.indexOf(maximum),
  };
}

/** Over all regions and ranks, seconds. */
export function totalSeconds(): number {
  return records().reduce((sum, record) => sum + (record["sum#sum#time.duration"] ?? 0), 0);
}

function records(): Record[] {
  return JSON.parse(fs.readFileSync(file("profiles/golden/profile-8ranks.records.json").fsPath, "utf8"));
}
