import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** Why runs under valgrind are not tested here; undefined where they are. */
export function missingTools(): string | undefined {
  const missing = ["valgrind", "callgrind_annotate", "g++"].filter(
    (tool) => spawnSync(tool, ["--version"]).status !== 0 && spawnSync("which", [tool]).status !== 0,
  );
  return missing.length > 0 ? `${missing.join(" and ")} not found` : undefined;
}

export function compile(program: string, sources: readonly string[]): void {
  execFileSync("g++", [
    "-std=c++17",
    "-O1",
    "-g",
    "-fno-optimize-sibling-calls",
    "-pthread",
    "-o",
    program,
    ...sources,
  ]);
}

/** Runs a program under one of valgrind's tools. @returns the files that it wrote into the folder, sorted */
export function record(
  folder: string,
  tool: "callgrind" | "cachegrind",
  options: readonly string[],
  command: readonly string[],
): string[] {
  fs.mkdirSync(folder);
  const out = path.join(folder, `${tool}.out.%p`);
  execFileSync("valgrind", [`--tool=${tool}`, `--${tool}-out-file=${out}`, ...options, ...command], {
    stdio: "ignore",
  });
  return fs.readdirSync(folder).map((name) => path.join(folder, name));
}

/** Sums of the lines `totals:` (`summary:` for cachegrind) of files, by column. */
export function recordedTotals(files: readonly string[], key: "totals" | "summary"): number[] {
  const sums: number[] = [];
  for (const file of files)
    for (const [, numbers] of fs.readFileSync(file, "utf8").matchAll(new RegExp(`^${key}: (.*)$`, "gm")))
      numbers.split(" ").forEach((number, at) => (sums[at] = (sums[at] ?? 0) + Number(number)));
  return sums;
}

function annotate(file: string, options: readonly string[]): string {
  // From a folder that holds no source: names below the current folder are shortened.
  return execFileSync("callgrind_annotate", ["--threshold=100", "--show-percs=no", ...options, file], {
    encoding: "utf8",
    cwd: "/usr/bin",
    maxBuffer: 1 << 28,
  });
}

const numberOf = (text: string) => Number(text.replaceAll(",", ""));

/**
 * First event by function, all files and load modules together, as callgrind_annotate says. Its inclusive costs are those of
 * the function where it stands with its load module; in rows of inlined files they are counted once more.
 */
export function annotatedFunctions(file: string, inclusive: boolean): Map<string, number> {
  const found = new Map<string, number>();
  const text = annotate(file, ["--auto=no", `--inclusive=${inclusive ? "yes" : "no"}`]);
  const table = text.slice(text.indexOf("file:function"));
  for (const [, cost, place] of table.matchAll(/^ *([\d,]+) {2}(\S.*)$/gm)) {
    if (inclusive && !place.endsWith("]")) continue;
    const name = place.replace(/ \[[^\]]*\]$/, "").replace(/^[^:]*:/, "");
    found.set(name, (found.get(name) ?? 0) + numberOf(cost));
  }
  return found;
}

/** First event by line of one source file, and what the calls on a line cost. */
export function annotatedLines(file: string, source: string): { own: Map<number, number>; calls: Map<string, number> } {
  const text = annotate(file, ["--auto=yes", "--context=1000000"]);
  const start = text.indexOf(`-- Auto-annotated source: ${source}\n`);
  if (start < 0) throw new Error(`callgrind_annotate does not show ${source}`);
  const own = new Map<number, number>();
  const calls = new Map<string, number>();
  let line = 0;
  // After the title: a rule, the names of events, an empty line.
  for (const row of text.slice(start).split("\n").slice(4)) {
    if (row.startsWith("-----")) break;
    const call = /^ *([\d,]+) {2}=> [^:]*:(.*) \(\d+x\)(?: \[.*\])?$/.exec(row);
    if (call) {
      calls.set(`${line} ${call[2]}`, numberOf(call[1]));
      continue;
    }
    line++;
    const cost = /^ *([\d,]+) {2}/.exec(row);
    if (cost) own.set(line, numberOf(cost[1]));
  }
  return { own, calls };
}
