import fs from "node:fs/promises";
import path from "node:path";
import { isInside } from "./definition";
import { isElf, SKIPPED } from "./mirror";
import { isProgram } from "./machine";

/** `add_executable(name source…)`; of names with variables in them, only CMake knows what they are. */
const EXECUTABLE =
  /^[ \t]{0,99}add_executable[ \t]{0,9}\([ \t\r\n]{0,99}([\w.+-]{1,200})(?=[\s)])(?!\s{1,99}(?:IMPORTED|ALIAS)\b)/gim;
/** So many folders of a project are looked at. */
const MOST_FOLDERS = 500;

/** Names of the programs that a project's CMakeLists.txt say they make: before CMake has run, what can be told without. */
export async function cmakeProgramNames(folder: string): Promise<string[]> {
  const names = new Set<string>();
  const waiting = [folder];
  for (let looked = 0; looked < MOST_FOLDERS; looked++) {
    const at = waiting.shift();
    if (at === undefined) break;
    const entries = await fs.readdir(at, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(path.join(at, entry.name));
    // A folder that was configured as a build has what CMake made.
    if (entries.some(({ name }) => name === "CMakeCache.txt") && at !== folder) continue;
    const text = await fs.readFile(path.join(at, "CMakeLists.txt"), "utf8").catch(() => "");
    for (const [, name] of text.matchAll(EXECUTABLE)) names.add(name);
  }
  return [...names].sort();
}

/** Programs of a folder, those of its folders too, the newest first. */
export async function programsIn(folder: string): Promise<string[]> {
  const found: { file: string; time: number }[] = [];
  for (const entry of await fs.readdir(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\.(?:so(?:\.\d+)*|o)$/.test(entry.name) || file.includes("/CMakeFiles/")) continue;
    if (isProgram(file) && (await isElf(file))) found.push({ file, time: (await fs.stat(file)).mtimeMs });
  }
  return found.sort((a, b) => b.time - a.time).map(({ file }) => file);
}

/**
 * Programs that make has built: those in its folder, the newest first, then targets elsewhere (`../bin/app`).
 *
 * @param targets as make names them, relative to the folder
 */
export async function makePrograms(folder: string, targets: readonly string[]): Promise<string[]> {
  const elsewhere: string[] = [];
  for (const file of new Set(targets.map((target) => path.resolve(folder, target))))
    if (!isInside(file, folder) && isProgram(file) && (await isElf(file))) elsewhere.push(file);
  return [...(await programsIn(folder)), ...elsewhere];
}

/** Programs that earlier traced builds of a folder by make have made, relative to their builds. @param output of these builds */
export async function madeProgramNames(output: string): Promise<string[]> {
  const builds = path.join(output, "build");
  const names = new Set<string>();
  for (const entry of await fs.readdir(builds, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory())
      for (const file of await programsIn(path.join(builds, entry.name)))
        names.add(path.relative(path.join(builds, entry.name), file));
  return [...names].sort();
}
