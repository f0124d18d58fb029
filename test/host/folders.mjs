import os from "node:os";
import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The rig's folder, with the packages that only it needs. */
export const hostFolder = path.dirname(fileURLToPath(import.meta.url));

/** The project's folder. */
export const root = path.resolve(hostFolder, "../..");

/** The sample program that the window opens. */
export const miniheat = path.join(root, "examples", "miniheat");

/** Logs, screenshots, reports and the windows' user data: never committed. */
export const outputFolder = path.join(root, ".vscode-test");

/** A new folder with a path so short that Unix sockets (at most 108 bytes) fit into it. */
export function socketFolder() {
  return fs.mkdtempSync(path.join(os.tmpdir(), "hf-"));
}

/** A new folder below {@link outputFolder}. */
export function runFolder(name) {
  fs.mkdirSync(outputFolder, { recursive: true });
  return fs.mkdtempSync(path.join(outputFolder, `${name}-`));
}

/** What tests write at a time, and what is left to everything else then. */
const neededBytes = 4e9;

/**
 * A folder for temporary files that is kept in memory, since thousands of small files take seconds on a disk that others write to as
 * well. Whoever asks removes it.
 *
 * @returns {string | undefined} nothing where there is none with room enough that programs may be started from, or TMPDIR is set
 */
export function folderInMemory(memory = "/dev/shm") {
  if (process.env.TMPDIR) return undefined;
  let folder;
  try {
    const { bavail, bsize } = fs.statfsSync(memory);
    if (Math.min(bavail * bsize, os.freemem() / 2) < neededBytes) return undefined;
    folder = fs.mkdtempSync(path.join(memory, "heatflow-"));
    const program = path.join(folder, "program");
    fs.writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (spawnSync(program).status === 0) return folder;
  } catch {
    // No such thing on this system.
  }
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
  return undefined;
}
