/** A git repository of four commits, and runs of each of them as an ensemble. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export interface MeasuredHistory {
  readonly manifest: string;
  /** Oldest first. */
  readonly commits: readonly string[];
  /** The file of the functions, and what it is in each commit. */
  readonly source: string;
  readonly texts: readonly string[];
  /** Of `solve`, up to the second commit, and from the third on. */
  readonly means: readonly [before: number, after: number];
}

/** Runs of each commit. */
const RUNS_EACH = 4;
const costOf = (commit: number, run: number) => (commit < 2 ? 1000 : 2000) + 10 * run;
const textOf = (commit: number) =>
  `int main() {\n  // change ${commit}\n  solve();\n  read();\n}\nvoid solve() {\n  work(${commit});\n}\nvoid read() {}\n`;

/** The same commits have the same names in each run. */
const DATE = "2026-01-01T00:00:00Z";

/** Starts git in a folder. @returns what it prints */
export function gitIn(folder: string, ...args: readonly string[]): string {
  const options = ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b"];
  const env = { ...process.env, GIT_AUTHOR_DATE: DATE, GIT_COMMITTER_DATE: DATE };
  return execFileSync("git", [...options, ...args], { encoding: "utf8", env }).trim();
}

/**
 * In each run `solve` takes what it takes in its commit, twice as long from the third one on, `read` always the same. Names of runs are in another
 * order than the history, one commit is named by its first digits, one run had changes that were in no commit, and one is of no commit.
 *
 * @param folder where it is made: the repository's folder
 */
export function measuredHistory(folder: string): MeasuredHistory {
  gitIn(folder, "init", "-q");
  const source = path.join(folder, "solve.cpp");
  const texts = [0, 1, 2, 3].map(textOf);
  const commits = texts.map((text, at) => {
    fs.writeFileSync(source, text);
    gitIn(folder, "add", "solve.cpp");
    gitIn(folder, "commit", "-q", "-m", `change ${at}`);
    return gitIn(folder, "rev-parse", "HEAD");
  });
  const runs = commits.flatMap((commit, at) =>
    Array.from({ length: RUNS_EACH }, (_, run) =>
      runFile(folder, `${"dbca"[at]}${run}`, costOf(at, run), { commit: at === 3 ? commit.slice(0, 9) : commit }),
    ),
  );
  const dirty = runFile(folder, "dirty", 90_000, { commit: commits[0], "commit.dirty": "true" });
  const unknown = runFile(folder, "unknown", 80_000, { commit: "0123456789012345678901234567890123456789" });
  const manifest = path.join(folder, "all.heatflow-runs.json");
  fs.writeFileSync(manifest, JSON.stringify({ runs: [...runs, dirty, unknown] }));
  return { manifest, commits, source, texts, means: [meanOf([0, 1]), meanOf([2, 3])] };
}

function meanOf(of: readonly number[]): number {
  const costs = of.flatMap((commit) => Array.from({ length: RUNS_EACH }, (_, run) => costOf(commit, run)));
  return costs.reduce((a, b) => a + b) / costs.length;
}

function runFile(folder: string, name: string, solve: number, parameters: Readonly<Record<string, string>>) {
  const file = `callgrind.out.${name}`;
  const text = `# callgrind format\nevents: Ir\n\nfl=solve.cpp\nfn=main\n1 5\ncfn=solve\ncalls=1 6\n3 ${solve}\ncfn=read\ncalls=1 9\n4 7\n\nfn=solve\n7 ${solve}\n\nfn=read\n9 7\n\ntotals: ${solve + 12}\n`;
  fs.writeFileSync(path.join(folder, file), text);
  return { files: file, name, parameters };
}
