import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { filePatterns } from "../../../src/cli/filePatterns";
import { casesOf, seed } from "../randomCases";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
});

/** A new folder with a name that a shell would take apart. @returns it, with empty files of these names in it */
function folderWith(names: Iterable<string>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow it's $HOME "));
  made.push(folder);
  for (const name of names) fs.writeFileSync(path.join(folder, name), "");
  return folder;
}

/** What a shell makes of arguments. */
function expanded(patterns: string): string[] {
  const text = execFileSync("sh", ["-c", `printf '%s\\0' ${patterns}`], { encoding: "utf8" });
  return text.split("\0").slice(0, -1).sort();
}

describe("patterns of files", () => {
  it("are one for each run of a folder, if no other file has such a name", () => {
    const names = ["events-0.cali", "events-1.cali", "events-10.cali", "messages-0.cali", "messages-1.cali"];
    const namesIn = () => names;
    const of = (start: string) => names.filter((name) => name.startsWith(start)).map((name) => `/runs/trace/${name}`);
    expect(filePatterns(of("events"), namesIn)).toBe("/runs/trace/events-*.cali");
    expect(filePatterns(of("messages"), namesIn)).toBe("/runs/trace/messages-*.cali");
    expect(filePatterns(of("events-1"), namesIn)).toBe("/runs/trace/events-1*.cali");
    expect(filePatterns(["/runs/trace/events-0.cali", "/runs/trace/events-1.cali"], namesIn)).toBe(
      "/runs/trace/events-0.cali /runs/trace/events-1.cali",
    );
    expect(filePatterns(["/runs/trace/events-0.cali"], namesIn)).toBe("/runs/trace/events-0.cali");
  });

  it("give a shell exactly the files, whatever they are called", () => {
    const name = fc
      .array(fc.constantFrom("a", "b", "-", ".", " ", "*", "'", "$", "0", "ü", "😀", "😁"), {
        minLength: 1,
        maxLength: 5,
      })
      .map((parts) => parts.join(""))
      .filter((text) => text !== "." && text !== "..");
    const set = fc.uniqueArray(name, { minLength: 2, maxLength: 8 });
    const run = ([names, count]: readonly [string[], number]) => {
      const folder = folderWith(names);
      const files = names.slice(0, 1 + (count % names.length)).map((one) => path.join(folder, one));
      expect(expanded(filePatterns(files))).toEqual([...files].sort());
    };
    fc.assert(fc.property(fc.tuple(set, fc.nat()), run), { seed, numRuns: casesOf(1000) });
  });
});
