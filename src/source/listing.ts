import fs from "node:fs";
import path from "node:path";
import type { Task } from "../model/task";
import { Pace } from "./pace";

/** Folders that hold no source of the user's: version control, packages, caches. */
const skipped = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  ".tox",
  ".cache",
  ".mypy_cache",
  ".vscode-test",
  "CMakeFiles",
  // Sources as they were before patches (quilt, as Debian has it).
  ".pc",
]);

/** More files than any source tree has: beyond it the listing stops and says so. */
const MOST_FILES = 500_000;

export interface Listing {
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  /** The folders hold more files than are listed. */
  readonly cut: boolean;
}

/**
 * All regular files below the folders. Symbolic links are not followed: what one points at inside a folder is listed at its
 * own place, and what it points at outside stays outside. Build folders (by the marks that CMake and others leave) are left out.
 */
export async function listFiles(folders: readonly string[], task: Task, most = MOST_FILES): Promise<Listing> {
  const files = new Set<string>();
  const waiting = folders.map((folder) => ({ folder, root: true }));
  const seen = new Set<string>();
  const pace = new Pace(task);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    await pace.breathe();
    if (seen.has(next.folder)) continue;
    seen.add(next.folder);
    const entries = entriesOf(next.folder);
    if (!next.root && isBuildFolder(entries)) continue;
    for (const entry of entries) {
      const full = path.join(next.folder, entry.name);
      if (entry.isDirectory() && !skipped.has(entry.name)) waiting.push({ folder: full, root: false });
      else if (entry.isFile()) files.add(full);
    }
    if (files.size >= most) break;
  }
  return { files: [...files].sort().slice(0, most), cut: files.size >= most };
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not readable, or gone meanwhile: there is nothing to list
  }
}

function isBuildFolder(entries: readonly fs.Dirent[]): boolean {
  const has = (name: string) => entries.some((entry) => entry.name === name);
  return has("CACHEDIR.TAG") || has("pyvenv.cfg") || (has("CMakeCache.txt") && !has("CMakeLists.txt"));
}
