import os from "node:os";
import fs from "node:fs";
import path from "node:path";
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
