import path from "node:path";
import { NONE } from "../../../model/ids";
import { compareText } from "../../../model/strings";
import { globalsOf, worldSizesOf } from "./runGlobals";
import type { Recording } from "../decode/recording";

/** What tells of which run a file is. */
export type RunFile = Pick<Recording, "file" | "locations" | "globals" | "format">;

/**
 * Sorts recordings into runs (semantics 7, One run): program, world size and channel agree and no rank comes twice.
 * Recordings without ranks are runs of their own. Ordered by start, so that the ranks of two runs are not mixed.
 */
export function runsOf<File extends RunFile>(recordings: readonly File[]): File[][] {
  const runs: { key: string; ranks: Set<number>; recordings: File[] }[] = [];
  const byStart = [...recordings].sort((a, b) => startOf(a) - startOf(b) || compareText(a.file, b.file));
  for (const recording of byStart) {
    const ranks = new Set(recording.locations.map(({ rank }) => rank).filter((rank) => rank !== NONE));
    const key = runKey(recording);
    const run = runs.find(
      (one) => one.key === key && ranks.size > 0 && ![...ranks].some((rank) => one.ranks.has(rank)),
    );
    if (run === undefined) {
      runs.push({ key: ranks.size > 0 ? key : "", ranks, recordings: [recording] });
    } else {
      run.recordings.push(recording);
      for (const rank of ranks) run.ranks.add(rank);
    }
  }
  const sorted = runs.map((run) => run.recordings.sort((a, b) => compareText(a.file, b.file)));
  return sorted.sort((a, b) => compareText(a[0].file, b[0].file));
}

/** The file's name; of several files their folder, and which of its files where it holds several runs. */
export function runName(run: readonly Pick<Recording, "file">[], runs: number): string {
  const names = run.map(({ file }) => path.basename(file));
  if (names.length === 1) return names[0];
  const folder = path.basename(path.dirname(run[0].file));
  if (runs === 1) return folder;
  const [first] = names;
  let before = 0;
  while (names.every((name) => before < name.length && name[before] === first[before])) before++;
  let after = 0;
  while (names.every((name) => after < name.length - before && name.at(-1 - after) === first.at(-1 - after))) after++;
  return `${folder}/${first.slice(0, before)}*${first.slice(first.length - after)}`;
}

/** What files of one run have in common: format, program, world size and channel. */
export function runKey(recording: Omit<RunFile, "locations">): string {
  const one = (name: string) => [...globalsOf([recording], name)].sort();
  const program = one("executablepath").length > 0 ? one("executablepath") : one("cmdline");
  return JSON.stringify([recording.format.id, program, worldSizesOf(recording), one("cali.channel")]);
}

function startOf({ globals }: Pick<RunFile, "globals">): number {
  const first = (name: string) => Number([...(globals.get(name) ?? [])].at(0) ?? 0);
  const seconds = first("starttime.sec");
  const nanoseconds = first("starttime.nsec");
  return seconds + nanoseconds / 1e9 || 0;
}
