import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { grammars } from "../miniheat";
import { gitIn, type MeasuredHistory, measuredHistory } from "./measuredHistory";

const engine = localEngine(grammars);
let folder: string;
let elsewhere: string;
let history: MeasuredHistory;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-history-"));
  elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-elsewhere-"));
  history = measuredHistory(folder);
});
afterAll(() => [folder, elsewhere].forEach((one) => fs.rmSync(one, { recursive: true })));

describe("the history of a folder", () => {
  it("has its commits, oldest first, also where another folder has none", async () => {
    expect(await engine.commitHistory({ folders: [elsewhere, folder] })).toEqual(history.commits);
  });

  it("is not there where no folder is trusted, or git knows none", async () => {
    await expect(engine.commitHistory({ folders: [] })).rejects.toThrow("No folder of a trusted workspace is open");
    await expect(engine.commitHistory({ folders: [elsewhere] })).rejects.toThrow(/^fatal: not a git repository/);
  });
});

describe("a file of a commit", () => {
  const textAt = (commit: string, file = history.source, folders: readonly string[] = [folder]) =>
    engine.textAtCommit({ folders, file, commit });

  it("is as it was, whatever is in the folder now", async () => {
    expect(await Promise.all(history.commits.map((commit) => textAt(commit)))).toEqual(history.texts);
  });

  it("is none where the commit has no such file", async () => {
    const file = path.join(folder, "later.cpp");
    fs.writeFileSync(file, "later\n");
    expect(await textAt(history.commits[0], file)).toBeUndefined();
  });

  it("is found in a folder whose name would be a pattern, from a folder below the repository's", async () => {
    const below = path.join(folder, "a[b]*");
    fs.mkdirSync(below);
    const file = path.join(below, ":(top)x.cpp");
    fs.writeFileSync(file, "pattern\n");
    gitIn(folder, "--literal-pathspecs", "add", "a[b]*");
    gitIn(folder, "commit", "-q", "-m", "below");
    expect(await textAt(gitIn(folder, "rev-parse", "HEAD"), file, [below])).toBe("pattern\n");
  });

  it.each(["HEAD", "--all", "HEAD:solve.cpp", "0123456", ""])(
    "is refused for what is no commit's name: %s",
    async (commit) => {
      await expect(textAt(commit)).rejects.toThrow("This is no commit's name.");
    },
  );

  it("is refused outside of the repository, also through a link", async () => {
    const outside = path.join(elsewhere, "outside.cpp");
    fs.writeFileSync(outside, "outside\n");
    const link = path.join(folder, "link.cpp");
    fs.symlinkSync(outside, link);
    for (const file of [outside, link])
      await expect(textAt(history.commits[0], file)).rejects.toThrow("is not in the repository");
  });

  it("starts nothing that the repository's settings and attributes name", async () => {
    const trace = path.join(elsewhere, "started");
    gitIn(folder, "config", "diff.evil.textconv", `touch '${trace}'; cat`);
    gitIn(folder, "config", "filter.evil.smudge", `touch '${trace}'; cat`);
    gitIn(folder, "config", "core.fsmonitor", `touch '${trace}'; false`);
    fs.writeFileSync(path.join(folder, ".gitattributes"), "*.cpp diff=evil filter=evil\n");
    expect(await textAt(history.commits[1])).toBe(history.texts[1]);
    expect(fs.existsSync(trace)).toBe(false);
  });
});
