import path from "node:path";
import { AmbiguityError } from "../../../model/errors";
import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import { counted } from "../../../model/texts";
import type { Recording } from "../decode/recording";
import { globalsOf } from "./runGlobals";
import { runKey } from "./runs";

/** Files that may be one rank each of one run. */
interface RankFiles {
  readonly recordings: readonly Recording[];
  /** The rank of each, should they be ranks. */
  readonly ranks: readonly number[];
}

const RANKS = "ranks";
const RUNS = "runs";

/**
 * Gives the files of classic Caliper, which writes one per rank with no rank inside, their ranks where the answer is that they
 * are ranks (semantics 7, One run): as many files as the world had processes, whose names differ in one number only.
 *
 * @param answer of an earlier opening
 * @throws AmbiguityError where there are such files and no answer
 */
export function settleRankFiles(recordings: readonly Recording[], answer: string | undefined): void {
  const found = rankFiles(recordings);
  if (found.length === 0 || answer === RUNS) return;
  if (answer !== RANKS) throw question(found);
  for (const { recordings, ranks } of found) recordings.forEach((recording, at) => recording.isOfRank(ranks[at]));
}

function rankFiles(recordings: readonly Recording[]): RankFiles[] {
  const groups = new Map<string, Map<number, Recording>>();
  for (const recording of recordings) {
    if (recording.locations.some(({ rank }) => rank !== NONE)) continue;
    const { dir, base } = path.parse(recording.file);
    for (const { 0: digits, index } of base.matchAll(/\d+/g)) {
      const around = [dir, base.slice(0, index), base.slice(index + digits.length)];
      const key = JSON.stringify([...around, runKey(recording), worldSize(recording)]);
      entryOf(groups, key, () => new Map<number, Recording>()).set(Number(digits), recording);
    }
  }
  const found: RankFiles[] = [];
  const taken = new Set<Recording>();
  for (const group of groups.values()) {
    const numbers = [...group.keys()].sort((a, b) => a - b);
    const members = numbers.flatMap((number) => group.get(number) ?? []);
    if (members.length < 2 || members.length !== worldSize(members[0]) || members.some((one) => taken.has(one)))
      continue;
    for (const one of members) taken.add(one);
    // Numbers from 0 on are the ranks; others are in their order.
    found.push({ recordings: members, ranks: members.map((_, at) => at) });
  }
  return found;
}

function worldSize(recording: Recording): number {
  const sizes = [...globalsOf([recording], "mpi.world.size")];
  return sizes.length === 1 ? Number(sizes[0]) : Number.NaN;
}

function question(found: readonly RankFiles[]): AmbiguityError {
  const files = found.flatMap(({ recordings }) => recordings);
  const [first, last] = [files[0], files[files.length - 1]].map(({ file }) => path.basename(file));
  const runs = counted(files.length, "run");
  const ranks =
    found.length === 1 ? `${files.length} ranks of one run` : `${files.length} ranks of ${found.length} runs`;
  const names = `${first} … ${last}`;
  return new AmbiguityError(
    `${names}: ${runs}, or ${ranks}? Nothing in these files says which rank they are of.`,
    [
      { id: RANKS, label: ranks, detail: "the numbers in their names are the ranks" },
      { id: RUNS, label: runs, detail: "each file is a recording of its own, over all ranks" },
    ],
    RUNS,
  );
}
