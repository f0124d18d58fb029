/** What git knows of a repository: its commits, and its files as they were. Nothing that a repository's settings name is started. */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { RequestError } from "../../model/errors";

/** Names of a million commits. */
const MOST_BYTES = 41e6;
/**
 * Commits that are missing are not fetched: the repository's own settings say from where, and which program does it. Paths are no patterns.
 */
const ENVIRONMENT = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_LITERAL_PATHSPECS: "1" };

/** A commit's whole name. */
export function isCommitName(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/**
 * @param folder a folder of a repository
 * @returns names of commits, parents first, as `git log --topo-order --reverse` has them
 * @throws RequestError where git knows no history of the folder, in git's words
 */
export async function commitHistory(folder: string): Promise<string[]> {
  // The order of `git log`, without what a repository's own settings add to that, or start for it.
  const text = await git(folder, ["rev-list", "--topo-order", "--reverse", "HEAD"]);
  return text.split("\n").filter((line) => line !== "");
}

/**
 * A file of a repository as it was in a commit, without filters or conversions.
 *
 * @param folder a folder of the repository
 * @param file an absolute path
 * @returns undefined where the commit has no such file
 * @throws RequestError where the file is not in the repository, or git does not know the commit
 */
export async function fileAtCommit(folder: string, file: string, commit: string): Promise<string | undefined> {
  if (!isCommitName(commit)) throw new RequestError("This is no commit's name.");
  const root = (await git(folder, ["rev-parse", "--show-toplevel"])).replace(/\r?\n$/, "");
  const relative = path.relative(await fs.realpath(root), await fs.realpath(file));
  if (relative === "" || relative.split(path.sep)[0] === ".." || path.isAbsolute(relative))
    throw new RequestError(`${file} is not in the repository ${root}.`);
  const inCommit = relative.split(path.sep).join("/");
  const listed = await git(root, ["ls-tree", "--full-tree", "-z", commit, "--", inCommit]);
  const blob = /^\d{6} blob ([0-9a-f]{40,64})\t/.exec(listed)?.[1];
  return blob === undefined ? undefined : git(root, ["cat-file", "blob", blob]);
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...ENVIRONMENT };
  try {
    return (await promisify(execFile)("git", ["-C", folder, ...args], { maxBuffer: MOST_BYTES, env })).stdout;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.split("\n")[0] ?? "";
    throw new RequestError(said || (error as Error).message);
  }
}
