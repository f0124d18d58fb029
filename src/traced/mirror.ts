import fs from "node:fs/promises";
import path from "node:path";
import { isInside } from "./definition";

/** Folders that are no sources of a build. */
export const SKIPPED: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".pc",
  "node_modules",
  ".vscode",
  ".heatflow",
]);
/** What is larger is data, and is linked. */
const MOST_BYTES = 16 << 20;
/** Behind the copy's name: what was copied the last time, so that what is gone from the folder goes from the copy. */
const COPIED = ".copied.json";

/**
 * Copies a folder's files where they are new or changed, so that a build in the copy leaves the folder as it is and compiles only what
 * was edited. Objects and programs that an ordinary build has left are not taken, or they would pass for ones with other flags.
 *
 * @param target its own files (what the build made) stay
 */
export async function mirror(source: string, target: string, signal: AbortSignal): Promise<void> {
  const copied = await new Copying(source, target, signal).all();
  const list = target + COPIED;
  const before = await fs.readFile(list, "utf8").then(namesIn, () => []);
  for (const name of before) if (!copied.has(name)) await removeFrom(target, name);
  await fs.writeFile(list, JSON.stringify([...copied]));
}

/** Paths within the copy, of a list that a build may have written over. */
function namesIn(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    const isName = (one: unknown): one is string =>
      typeof one === "string" && one !== "" && isInside(`/x/${one}`, "/x");
    return Array.isArray(list) ? list.filter(isName) : [];
  } catch {
    return [];
  }
}

/** Only what lies in the copy itself: a folder of it may have become a link to elsewhere. */
async function removeFrom(target: string, name: string): Promise<void> {
  const at = path.join(target, name);
  const folder = await fs.realpath(path.dirname(at)).catch(() => undefined);
  if (folder === undefined || !isInside(folder, await fs.realpath(target))) return;
  const known = await fs.lstat(at).catch(() => undefined);
  if (known?.isDirectory() === false) await fs.rm(at);
}

class Copying {
  private readonly copied = new Set<string>();

  constructor(
    private readonly source: string,
    private readonly target: string,
    private readonly signal: AbortSignal,
  ) {}

  /** @returns paths of files and links, relative to the folder */
  async all(): Promise<ReadonlySet<string>> {
    await this.folder("");
    return this.copied;
  }

  private async folder(within: string): Promise<void> {
    const { source, target, signal } = this;
    await makeRoom(path.join(target, within), "isDirectory");
    await fs.mkdir(path.join(target, within), { recursive: true });
    for (const entry of await fs.readdir(path.join(source, within), { withFileTypes: true })) {
      signal.throwIfAborted();
      const name = path.join(within, entry.name);
      const [from, to] = [path.join(source, name), path.join(target, name)];
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && from !== target && !target.startsWith(from + path.sep)) await this.folder(name);
      } else if (entry.isSymbolicLink()) await this.link(await this.linked(from), to, name);
      else if (entry.isFile() && (await isTaken(from))) await this.file(from, to, name);
    }
  }

  private async file(from: string, to: string, name: string): Promise<void> {
    const status = await fs.stat(from);
    if (status.size > MOST_BYTES) return this.link(from, to, name);
    this.copied.add(name);
    await makeRoom(to, "isFile");
    const known = await fs.lstat(to).catch(() => undefined);
    if (known?.size === status.size && Math.abs(known.mtimeMs - status.mtimeMs) < 1) return;
    // A copy of a file that must not be written must not be written either.
    await fs.rm(to, { force: true });
    await fs.copyFile(from, to);
    // What was edited is newer than what was built from it; what was not keeps its time, so that make leaves it alone.
    await fs.utimes(to, status.atime, status.mtime);
  }

  private async link(to: string, at: string, name: string): Promise<void> {
    this.copied.add(name);
    if ((await fs.readlink(at).catch(() => undefined)) === to) return;
    await fs.rm(at, { force: true, recursive: true });
    await fs.symlink(to, at);
  }

  /** Where the copy of a link leads: to the copy of what it names, or a build would write into the folder through it. */
  private async linked(link: string): Promise<string> {
    const { source, target } = this;
    const named = path.resolve(path.dirname(link), await fs.readlink(link));
    const status = isInside(named, source) ? await fs.stat(named).catch(() => undefined) : undefined;
    const isCopied = status?.isDirectory() === true || (status?.isFile() === true && (await isTaken(named)));
    return isCopied ? path.join(target, path.relative(source, named)) : named;
  }
}

/** Removes what is of another kind: a copy must never be written through a link to where the user's own files are. */
async function makeRoom(at: string, kind: "isFile" | "isDirectory"): Promise<void> {
  const known = await fs.lstat(at).catch(() => undefined);
  if (known !== undefined && !known[kind]()) await fs.rm(at, { force: true, recursive: true });
}

/** Whether a file is more than what an ordinary build has left. */
async function isTaken(file: string): Promise<boolean> {
  return !/\.(?:o|obj|a|so|mod|gcda|gcno)$/.test(file) && !(await isElf(file));
}

/** Whether a file is a program or library of Linux. */
export async function isElf(file: string): Promise<boolean> {
  const opened = await fs.open(file, "r").catch(() => undefined);
  if (opened === undefined) return false;
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.toString("latin1") === "\x7fELF";
  } finally {
    await opened.close();
  }
}
