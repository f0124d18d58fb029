import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Baselines } from "../../../src/source/drift";
import { lineHashes, matchLines } from "../../../src/source/lineDiff";
import { miniheat } from "../../recordings";
import { folderWith } from "./program";

const solver = fs.readFileSync(path.join(miniheat, "src/solver.cpp"), "utf8");
const file = "/p/src/solver.cpp";

const text = (saved: string, modifiedAt?: number) => () => Promise.resolve({ text: saved, modifiedAt });

function storedFile(storage: string): string {
  const [name] = fs.readdirSync(path.join(storage, "baselines"));
  return path.join(storage, "baselines", name);
}

describe("edited source", () => {
  it("moves lines with an edit, in the same window and after a restart", async () => {
    const storage = folderWith({});
    const first = new Baselines(storage);
    await first.remember("r", file, text(solver));
    expect(first.mapLines("r", file, solver).unchanged).toBe(true);
    const edited = `${"// new\n".repeat(10)}${solver}`;
    for (const baselines of [first, new Baselines(storage)]) {
      await baselines.remember("r", file, text(edited));
      const map = baselines.mapLines("r", file, edited);
      expect(map.unchanged).toBe(false);
      expect([1, 9, 18, 45].map((line) => map.toCurrent(line))).toEqual([11, 19, 28, 55]);
      expect([11, 28, 5].map((line) => map.toRecorded(line))).toEqual([1, 18, undefined]);
    }
  });

  it("says that a line is gone, and finds a line that was only indented anew", async () => {
    const baselines = new Baselines(folderWith({}));
    await baselines.remember("r", file, text("a();\nb();\nc();\n"));
    const map = baselines.mapLines("r", file, "if (x) {\n    a();\n    c();\n}\n");
    expect([1, 2, 3].map((line) => map.toCurrent(line))).toEqual([2, undefined, 3]);
    expect(map.toCurrent(99)).toBeUndefined();
  });

  it("keeps the baselines of recordings and files apart", async () => {
    const baselines = new Baselines(folderWith({}));
    await baselines.remember("old", file, text("a\nb\n"));
    await baselines.remember("new", file, text("x\na\nb\n"));
    expect(baselines.mapLines("old", file, "x\na\nb\n").toCurrent(1)).toBe(2);
    expect(baselines.mapLines("new", file, "x\na\nb\n").toCurrent(1)).toBe(1);
    expect(baselines.mapLines("new", "/p/other.cpp", "x\n").unchanged).toBe(true);
  });

  it("marks a file that was newer than the recording at the first opening, and keeps that", async () => {
    const storage = folderWith({});
    await new Baselines(storage).remember("r", file, text("a\n", 2000), 1000);
    const again = new Baselines(storage);
    await again.remember("r", file, text("a\n", 500), 1000);
    expect(again.mapLines("r", file, "a\n").newerThanRecording).toBe(true);
    await again.remember("r", "/p/b.cpp", text("a\n", 500), 1000);
    expect(again.mapLines("r", "/p/b.cpp", "a\n").newerThanRecording).toBe(false);
  });

  it("takes a damaged baseline for none", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(200), fc.integer({ min: 1, max: 255 }), fc.boolean(), async (at, change, cut) => {
        const storage = folderWith({});
        await new Baselines(storage).remember("r", file, text("a\nb\nc\n"));
        const stored = storedFile(storage);
        const bytes = fs.readFileSync(stored);
        bytes[at % bytes.length] ^= change;
        fs.writeFileSync(stored, cut ? bytes.subarray(0, at % bytes.length) : bytes);
        const map = new Baselines(storage).mapLines("r", file, "new\na\nb\nc\n");
        expect(map.unchanged).toBe(true);
        expect(map.toCurrent(1)).toBe(1);
      }),
      // The mark of a file that is newer than its recording: once it was not in the checksum.
      { numRuns: 60, examples: [[4, 1, false]] },
    );
  });

  it("keeps nothing of the text, and nothing without storage", async () => {
    const storage = folderWith({});
    await new Baselines(storage).remember("r", file, text("secret_name();\n"));
    expect(fs.readFileSync(storedFile(storage)).includes("secret")).toBe(false);
    const none = new Baselines(undefined);
    await none.remember("r", file, text("a\n"));
    expect(none.mapLines("r", file, "b\na\n").toCurrent(1)).toBe(1);
  });

  it("does without a storage that cannot be written", async () => {
    const storage = path.join(folderWith({ blocked: "a file" }), "blocked");
    const baselines = new Baselines(storage);
    await baselines.remember("r", file, text("a\nb\n"));
    expect(baselines.mapLines("r", file, "x\na\nb\n").toCurrent(1)).toBe(2);
  });

  it("reads no file that has a baseline, and lists all baselines once, not at each write", async () => {
    const storage = folderWith({});
    const first = new Baselines(storage);
    const listings = vi.spyOn(fs.promises, "readdir");
    for (let at = 0; at < 50; at++) await first.remember("r", `/p/${at}.cpp`, text("a\n"));
    expect(listings).toHaveBeenCalledTimes(1);
    listings.mockRestore();
    const reads = vi.fn(text("a\n"));
    const again = new Baselines(storage);
    for (const baselines of [first, again])
      for (let at = 0; at < 51; at++) await baselines.remember("r", `/p/${at}.cpp`, reads);
    // The last one is new to the first of the two.
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it("lets the oldest go where there are too many", async () => {
    const storage = folderWith({});
    const baselines = new Baselines(storage, 1000);
    // 28 bytes each: header and three lines.
    for (let at = 0; at < 60; at++) {
      await baselines.remember("r", `/p/${at}.cpp`, text("a\nb\n"));
      const [newest] = fs
        .readdirSync(path.join(storage, "baselines"))
        .map((name) => path.join(storage, "baselines", name))
        .filter((one) => fs.statSync(one).mtimeMs > 1.1e12);
      fs.utimesSync(newest, 1e9 + at, 1e9 + at);
    }
    const kept = Array.from({ length: 60 }, (_, at) => at).filter(
      (at) => new Baselines(storage).mapLines("r", `/p/${at}.cpp`, "x\na\nb\n").toCurrent(1) === 2,
    );
    expect(kept.length).toBeGreaterThan(25);
    expect(kept.length * 28).toBeLessThanOrEqual(1000);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 60 - kept.length + at));
  });
});

describe("matching lines", () => {
  const hashes = (lines: readonly number[]) => Int32Array.from(lines);

  it("gives equal lines only, in order, and nothing is lost of an unchanged text", () => {
    const lines = fc.array(fc.nat(6), { maxLength: 60 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const matched = matchLines(hashes(before), hashes(after));
        let last = -1;
        matched.forEach((line, at) => {
          if (line < 0) return;
          expect(after[line]).toBe(before[at]);
          expect(line).toBeGreaterThan(last);
          last = line;
        });
        const kept = matched.filter((line) => line >= 0).length;
        expect(kept).toBe(longestCommon(before, after));
      }),
    );
  });

  it("holds on to unique lines when two texts differ too much for an exact diff", () => {
    const count = 100_000;
    const before = Array.from({ length: count }, (_, line) => (line % 10 === 0 ? line : 1_000_000 + line));
    const after = before
      .map((line) => (line >= 1_000_000 ? line + 5_000_000 : line))
      .flatMap((line) => [line, -line - 1]);
    const matched = matchLines(hashes(before), hashes(after));
    for (let line = 0; line < count; line += 10) expect(matched[line]).toBe(line * 2);
    expect(matched.filter((line) => line >= 0).length).toBe(count / 10);
  });

  it("hashes lines whatever ends them", () => {
    expect(lineHashes("a\r\nb\rc")).toEqual(lineHashes("a\nb\nc"));
  });
});

/** Length of the longest common subsequence, by the textbook's table. */
function longestCommon(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    b.forEach((y, at) => next.push(x === y ? row[at] + 1 : Math.max(row[at + 1], next[at])));
    row = next;
  }
  return row[b.length];
}
