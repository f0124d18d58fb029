import fs from "node:fs";
import path from "node:path";
import { miniheat } from "./folders.mjs";

/**
 * A copy of the sample program for tests that edit it.
 *
 * @returns the copy's folder, named as the original, below `folder`
 */
export function copyMiniheat(folder) {
  const copy = path.join(folder, "miniheat");
  fs.cpSync(miniheat, copy, { recursive: true, preserveTimestamps: true });
  return fs.realpathSync(copy);
}
