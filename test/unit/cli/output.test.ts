import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { miniheat } from "../../recordings";
import { grammars } from "../engine/miniheat";

let folder: string;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-cli-"));
  await build({
    entryPoints: ["src/cli.ts"],
    outfile: path.join(folder, "cli.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
    alias: { "web-tree-sitter": createRequire(import.meta.url).resolve("web-tree-sitter") },
  });
  for (const file of Object.values(grammars)) fs.copyFileSync(file, path.join(folder, path.basename(file)));
});

afterAll(() => fs.rmSync(folder, { recursive: true }));

function run(args: readonly string[], node: readonly string[] = []) {
  return spawn(process.execPath, [...node, path.join(folder, "cli.js"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function ended(child: ReturnType<typeof run>): Promise<number | null> {
  return new Promise((resolve) => child.on("close", resolve));
}

const recording = path.join(miniheat, "profiles/profile-8ranks.cali");

it.each([
  ["graph", recording, "--source", path.join(miniheat, "src"), "--json"],
  ["summary", recording],
  ["export", recording],
])("%s ends quietly when nobody reads the output any more", async (...args) => {
  const child = run(args);
  child.stdout.destroy();
  const code = ended(child);
  expect(await text(child.stderr)).toBe("");
  expect(await code).toBe(0);
});

it.each([
  [["summary", "/there/is/nothing"], 1, /nothing: found no such file/],
  [["export", "/there/is/nothing"], 1, /nothing: found no such file/],
  [["export"], 2, /at least one file/],
  [["summary", "x", "--events"], 2, /--events/],
  [["draw"], 2, /unknown command 'draw'/],
  [
    ["graph", recording, "--op", "hide"],
    2,
    /^heatflow: --op: 'hide': a group is missing\. Operations are: filter PERCENT; /,
  ],
  [
    ["graph", recording, "--group-by", "module", "--op", "hide nobody"],
    1,
    /^heatflow: There is no group "nobody"\. There are "\(no region\)", "MPI", "not known"\.\n$/,
  ],
])("%j ends with code %i and says why", async (args, code, message) => {
  const child = run(args);
  const ending = ended(child);
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([await ending, out]).toEqual([code, ""]);
  expect(errors).toMatch(message);
});

it("writes a million values with no more heap than a thousand", async () => {
  const file = path.join(folder, "wide.json");
  // 1,000 regions on 1,000 ranks: more text than the heap may hold. The data set itself lies outside of it.
  fs.writeFileSync(file, wideRecording(1000, 1000));
  const heap = ["--max-old-space-size=24", "--max-semi-space-size=2"];
  const child = run(["export", file], heap);
  const ending = ended(child);
  let lines = 0;
  let bytes = 0;
  let sum = 0;
  let rest = "";
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    bytes += piece.length;
    const pieces = (rest + piece.toString()).split("\n");
    rest = pieces.pop() ?? "";
    for (const line of pieces) if (lines++ % 1000 === 0) sum += (JSON.parse(line) as { exclusive: number }).exclusive;
  }
  expect(await text(child.stderr)).toBe("");
  expect(await ending).toBe(0);
  expect([lines, rest]).toEqual([1_000_000, ""]);
  expect(bytes).toBeGreaterThan(100e6);
  // The first value of each region: the region's number, plus 0 for the first rank.
  expect(sum).toBe((999 * 1000) / 2);
});

it("writes hundreds of thousands of events with no more heap than a few", async () => {
  const events = 300_000;
  const file = path.join(folder, "events.json");
  const lines = Array.from({ length: events }, (_, at) => JSON.stringify(completeEvent(at)));
  fs.writeFileSync(file, `[${lines.join(",\n")}]`);
  const child = run(["export", file, "--events"], ["--max-old-space-size=24", "--max-semi-space-size=2"]);
  const ending = ended(child);
  let written = 0;
  for await (const piece of child.stdout as AsyncIterable<Buffer>) for (const byte of piece) if (byte === 10) written++;
  expect(await text(child.stderr)).toBe("");
  expect([await ending, written]).toEqual([0, events]);
});

/** A Chrome trace's event: 8 threads, one after the other. */
function completeEvent(at: number) {
  return { ph: "X", name: `step ${at % 97}`, cat: "compute", pid: 1, tid: at % 8, ts: 2 * at, dur: 1.5 };
}

/** A json-split file with a value in every region and rank. */
function wideRecording(regions: number, ranks: number): string {
  const rows: string[] = [];
  for (let region = 0; region < regions; region++)
    for (let rank = 0; rank < ranks; rank++) rows.push(`[${region + rank * 0.5},${rank},${region}]`);
  const name = (region: number) => `a region of the program with number ${String(region).padStart(6, "0")}`;
  const nodes = Array.from({ length: regions }, (_, region) => JSON.stringify({ label: name(region), column: "path" }));
  const metadata = [{ is_value: true, "attribute.unit": "sec" }, { is_value: true }, { is_value: false }];
  return `{"data":[${rows.join()}],"columns":["time","mpi.rank","path"],"column_metadata":${JSON.stringify(metadata)},"nodes":[${nodes.join()}]}`;
}
