/** The commits of a repository, in the order in which they came. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ArgumentError } from "./arguments";

/** Names of a million commits. */
const MOST_BYTES = 41e6;
/** Commits that are missing are not fetched: the repository's own settings say from where, and which program does it. */
const NOT_FETCHING = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };

/**
 * @param folder a folder of a repository
 * @returns names of commits, parents first, as `git log --topo-order --reverse` has them
 * @throws ArgumentError where git knows no history of the folder
 */
export async function commitHistory(folder: string): Promise<string[]> {
  // The order of `git log`, without what a repository's own settings add to that, or start for it.
  const args = ["-C", folder, "rev-list", "--topo-order", "--reverse", "HEAD"];
  try {
    const { stdout } = await promisify(execFile)("git", args, {
      maxBuffer: MOST_BYTES,
      env: { ...process.env, ...NOT_FETCHING },
    });
    return stdout.split("\n").filter((line) => line !== "");
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.split("\n")[0] ?? "";
    throw new ArgumentError(`--commits takes the folder of a git repository: ${said || (error as Error).message}`);
  }
}
