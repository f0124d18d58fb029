import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { grammars } from "../engine/miniheat";

interface Commits {
  readonly commits: readonly {
    readonly function: string;
    readonly before: string;
    readonly after: string;
    readonly means: readonly number[];
    readonly ratio: number;
    readonly p: number;
    readonly runs: readonly string[];
  }[];
}

let folder: string;
let commits: string[];

/** Four runs of each commit; `solve` takes twice as long from the third one on, `read` what it takes each time. */
const RUNS_EACH = 4;
const costOf = (commit: number, run: number) => (commit < 2 ? 1000 : 2000) + 10 * run;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-commits-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { encoding: "utf8" });
  git("init", "-q");
  commits = [0, 1, 2, 3].map((at) => {
    git("commit", "-q", "--allow-empty", "-m", `change ${at}`);
    return git("rev-parse", "HEAD").trim();
  });
  // Names are in another order than the history, and one commit is named by its first digits.
  const runs = commits.flatMap((commit, at) =>
    Array.from({ length: RUNS_EACH }, (_, run) =>
      runFile(`${"dbca"[at]}${run}`, costOf(at, run), at === 3 ? commit.slice(0, 9) : commit),
    ),
  );
  const dirty = runFile("dirty", 90_000, commits[0], { "commit.dirty": "true" });
  const unknown = runFile("unknown", 80_000, "0123456789012345678901234567890123456789");
  fs.writeFileSync(path.join(folder, "all.heatflow-runs.json"), JSON.stringify({ runs: [...runs, dirty, unknown] }));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

function runFile(name: string, solve: number, commit: string, more: Readonly<Record<string, string>> = {}) {
  const file = `callgrind.out.${name}`;
  const text = `# callgrind format\nevents: Ir\n\nfl=solve.cpp\nfn=main\n1 5\ncfn=solve\ncalls=1 2\n3 ${solve}\ncfn=read\ncalls=1 9\n4 7\n\nfn=solve\n2 ${solve}\n\nfn=read\n9 7\n\ntotals: ${solve + 12}\n`;
  fs.writeFileSync(path.join(folder, file), text);
  return { files: file, name, parameters: { commit, ...more } };
}

async function printed(...args: string[]): Promise<string> {
  const request = ensembleArguments([path.join(folder, "all.heatflow-runs.json"), ...args], process.cwd());
  return request.text(await request.run(localEngine(grammars)));
}

describe("heatflow ensemble along the history of commits", () => {
  it("names the two commits between which a function changes, and no other change", async () => {
    const { commits: changes } = JSON.parse(await printed("--commits", folder, "--json")) as Commits;
    const mean = (of: readonly number[]) =>
      of
        .flatMap((commit) => Array.from({ length: RUNS_EACH }, (_, run) => costOf(commit, run)))
        .reduce((a, b) => a + b) /
      (of.length * RUNS_EACH);
    const means = [mean([0, 1]), mean([2, 3])];
    expect(changes).toHaveLength(1);
    const [{ p, ...change }] = changes;
    expect(change).toMatchObject({ function: "solve", before: commits[1], after: commits[2], means });
    expect(change).toMatchObject({ ratio: means[1] / means[0], runs: ["b3", "c0"] });
    expect(p).toBeLessThanOrEqual(0.05);
  });

  it("says what it left out", async () => {
    const text = await printed("--commits", folder);
    expect(text).toMatch(
      /\n16 runs along the history; left out: 1 run of no known commit, 1 run with changes that were not committed\n/,
    );
    expect(text).toMatch(/\nsolve +1015 +2015 +\+1000 +\+98\.5 % +/);
  });

  it("says where there is no history", async () => {
    const none = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-none-"));
    await expect(printed("--commits", none)).rejects.toThrow(/--commits takes the folder of a git repository: fatal: /);
    fs.rmdirSync(none);
  });

  it("starts nothing that the repository's settings name, where commits are missing that it says to fetch", async () => {
    const hostile = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-hostile-"));
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", hostile, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { encoding: "utf8" });
    git("init", "-q");
    for (const change of ["1", "2", "3"]) git("commit", "-q", "--allow-empty", "-m", change);
    const missing = git("rev-parse", "HEAD~1").trim();
    fs.rmSync(path.join(hostile, ".git", "objects", missing.slice(0, 2), missing.slice(2)));
    const trace = path.join(hostile, "started");
    git("config", "core.repositoryformatversion", "1");
    git("config", "extensions.partialClone", "origin");
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.url", hostile);
    git("config", "remote.origin.uploadpack", `touch '${trace}'; false`);
    git("config", "protocol.allow", "always");
    await expect(printed("--commits", hostile)).rejects.toThrow(/--commits takes the folder of a git repository: /);
    expect(fs.existsSync(trace)).toBe(false);
    fs.rmSync(hostile, { recursive: true });
  });
});
