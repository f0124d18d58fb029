import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { type MeasuredHistory, measuredHistory } from "../engine/history/measuredHistory";
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
let history: MeasuredHistory;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-commits-"));
  history = measuredHistory(folder);
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function printed(...args: string[]): Promise<string> {
  const request = ensembleArguments([history.manifest, ...args], process.cwd());
  return request.text(await request.run(localEngine(grammars)));
}

describe("heatflow ensemble along the history of commits", () => {
  it("names the two commits between which a function changes, and no other change", async () => {
    const { commits: changes } = JSON.parse(await printed("--commits", folder, "--json")) as Commits;
    const { commits, means } = history;
    expect(changes).toHaveLength(1);
    const [{ p, ...change }] = changes;
    expect(change).toMatchObject({ function: "solve", before: commits[1], after: commits[2], means });
    expect(change).toMatchObject({ ratio: means[1] / means[0], runs: ["b3", "c0"] });
    expect(p).toBeLessThanOrEqual(0.05);
  });

  it("has runs of one commit in the order in which they began, where they say it, and else of their names, whenever files were written", async () => {
    const file = (name: string) => path.join(folder, `callgrind.out.${name}`);
    const before = await printed("--commits", folder, "--json");
    ["b0", "b1", "b2", "b3", "c0", "c1", "c2", "c3"].forEach((name, at) =>
      fs.utimesSync(file(name), 9e8 - at, 9e8 - at),
    );
    expect(await printed("--commits", folder, "--json")).toBe(before);
    const facts = {
      version: 1,
      tool: "callgrind",
      program: "a",
      cwd: "/",
      args: [],
      flags: [],
      ranks: 1,
      seconds: 1,
      startedAt: "2026-01-02T00:00:00Z",
    };
    const began = path.join(folder, "began");
    fs.mkdirSync(began);
    fs.writeFileSync(path.join(began, "traced-run.json"), JSON.stringify(facts));
    fs.copyFileSync(file("c2"), path.join(began, "callgrind.out.c2"));
    const manifest = path.join(folder, "began.heatflow-runs.json");
    const given = fs.readFileSync(history.manifest, "utf8");
    fs.writeFileSync(manifest, given.replace('"callgrind.out.c2"', '"began/callgrind.out.c2"'));
    const request = ensembleArguments([manifest, "--commits", folder, "--json"], process.cwd());
    const { commits: changes } = JSON.parse(request.text(await request.run(localEngine(grammars)))) as Commits;
    expect(changes[0].runs).toEqual(["b3", "c2"]);
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
