/** Whether runs of an ensemble were recorded from one text of a file, by the commits that they name (semantics 10, Difference). */
import { shortCommits } from "../../model/commitNames";
import { someOf } from "../../model/texts";
import type { EngineState } from "../engineState";
import { commitsOfScopes } from "../ensembles/comparedRuns";
import { fileAtCommit } from "../history/git";
import type { ComparedPair } from "./comparisonApi";

/** Commits that a sentence names, and whose texts are looked at. */
const [MOST_NAMED, MOST_READ] = [3, 40];

/**
 * @param folders those in which git is asked
 * @returns why lines of the file are not compared; undefined: nothing says that its text differed
 */
export async function otherTextAtCommits(
  state: EngineState,
  { baseline, candidate }: Pick<ComparedPair, "baseline" | "candidate">,
  file: string,
  folders: readonly string[],
): Promise<string | undefined> {
  const commits = commitsOfScopes(state, [baseline, candidate]);
  if (commits.length < 2) return undefined;
  const named = someOf([...shortCommits(commits)].sort(), MOST_NAMED);
  const texts = commits.length > MOST_READ ? undefined : await textsOf(file, commits, folders);
  if (!texts) return `These runs are of the commits ${named}, and nothing says that this file is the same in them.`;
  return texts.size === 1 ? undefined : `This file is not the same in the commits ${named} of these runs.`;
}

/** The texts that a file had; undefined where no folder's repository knows them all. */
async function textsOf(
  file: string,
  commits: readonly string[],
  folders: readonly string[],
): Promise<ReadonlySet<string | undefined> | undefined> {
  for (const folder of folders)
    try {
      return new Set(await Promise.all(commits.map((commit) => fileAtCommit(folder, file, commit))));
    } catch {
      continue; // another folder may be the repository's
    }
  return undefined;
}
