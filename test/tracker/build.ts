import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** The tracker as it is shipped. */
export const trackerFolder = path.resolve("tracker");

/** Flags that are silent in a program that includes the tracker. */
const WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/** A folder of its own for a test's programs and recordings. */
export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-tracker-"));
}

/** Programs by what they are made of. */
const built = new Map<string, string>();

/**
 * Compiles and links sources with the tracker's header, once for each way.
 *
 * @param sources paths inside `tracker`, or absolute ones
 * @returns the program
 */
export function build(
  folder: string,
  sources: readonly string[],
  { compiler = "g++", standard = "c++17", flags = [] as readonly string[] } = {},
): string {
  const way = [folder, ...sources, compiler, standard, ...flags].join(" ");
  const known = built.get(way);
  if (known !== undefined) return known;
  const program = path.join(folder, `program-${built.size}`);
  // Of the tracker's own sources nothing is looked up, and debug information is a third of the time.
  const debug = sources.every((source) => source.startsWith("src/")) ? "-g0" : "-g";
  compile(compiler, [`-std=${standard}`, debug, "-O1", "-pthread", ...filesOf(sources), ...flags, "-o", program]);
  built.set(way, program);
  return program;
}

/** @throws where a compiler has anything to say about sources of the tracker */
export function checkSyntax(
  sources: readonly string[],
  compiler: string,
  standard: string,
  flags: readonly string[] = [],
): void {
  compile(compiler, [`-std=${standard}`, "-fsyntax-only", ...filesOf(sources), ...flags]);
}

function filesOf(sources: readonly string[]): string[] {
  return sources.map((source) => path.resolve(trackerFolder, source));
}

function compile(compiler: string, args: readonly string[]): void {
  const include = `-I${path.join(trackerFolder, "include")}`;
  execFileSync(compiler, [include, ...WARNINGS, ...args], { stdio: ["ignore", "ignore", "inherit"] });
}

/** What a program said, and what it wrote. */
export interface Ran {
  readonly status: number | null;
  readonly said: string;
  readonly complained: string;
  readonly output: string;
}

/** Ten times as many regions in a full run, which the thread sanitizer slows down most. */
const LONGEST_RUN = process.env.HEATFLOW_FULL ? 540_000 : 120_000;

/** Runs a program that records into a file of this folder. */
export function run(
  folder: string,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Ran {
  const output = path.join(folder, `recording-${fs.readdirSync(folder).length}.json`);
  const env = { ...process.env, HEATFLOW_OUTPUT: output, ...environment };
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8", timeout: LONGEST_RUN });
  return { status, said: stdout, complained: stderr, output };
}
