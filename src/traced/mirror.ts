import fs from "node:fs/promises";
import path from "node:path";

/** Folders that are no sources of a build. */
const SKIPPED = new Set([".git", ".hg", ".svn", "node_modules", ".vscode", ".heatflow"]);
/** What is larger is data, and is linked. */
const MOST_BYTES = 16 << 20;

/**
 * Copies a folder's files where they are new or changed, so that a build in the copy leaves the folder as it is and compiles only what
 * was edited. Objects and programs that an ordinary build has left are not taken, or they would pass for ones with other flags.
 *
 * @param target its own files (what the build made) stay
 */
export async function mirror(source: string, target: string, signal: AbortSignal): Promise<void> {
  await fs.mkdir(target, { recursive: true });
  for (const entry of await fs.readdir(source, { withFileTypes: true })) {
    signal.throwIfAborted();
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name) && from !== target && !target.startsWith(from + path.sep))
        await mirror(from, to, signal);
    } else if (entry.isSymbolicLink()) await link(path.resolve(source, await fs.readlink(from)), to);
    else if (entry.isFile() && !/\.(?:o|obj|a|so|mod|gcda|gcno)$/.test(entry.name)) await copy(from, to);
  }
}

async function copy(from: string, to: string): Promise<void> {
  const status = await fs.stat(from);
  if (status.size > MOST_BYTES) return link(from, to);
  if (await isElf(from)) return;
  const known = await fs.lstat(to).catch(() => undefined);
  if (known?.isFile() && known.size === status.size && Math.abs(known.mtimeMs - status.mtimeMs) < 1) return;
  await fs.copyFile(from, to);
  // What was edited is newer than what was built from it; what was not keeps its time, so that make leaves it alone.
  await fs.utimes(to, status.atime, status.mtime);
}

async function link(target: string, at: string): Promise<void> {
  if ((await fs.readlink(at).catch(() => undefined)) === target) return;
  await fs.rm(at, { force: true, recursive: true });
  await fs.symlink(target, at);
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
