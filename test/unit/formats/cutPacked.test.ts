import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRecordings } from "../../../src/formats/registry";
import { FormatError } from "../../../src/model/errors";
import { quietTask } from "../../../src/model/task";
import type { Warning } from "../../../src/model/warning";
import { isFull } from "../randomCases";
import { profile } from "./caliper/caliFixtures";
import { jsonOf, splitOf } from "./caliper/jsonOf";
import { readNaively } from "./caliper/naiveCali";
import { kinetoFile, plainTraceFile } from "./chrome/chromeFixtures";
import { plain } from "./formatLaws";
import { smallTrace } from "./paje/writer";
import { written } from "./tracker/trackerWriter";

const cali = profile().text();
const naive = readNaively(cali);
const perfText = `solve 12 7.000001: 5 cycles: \n\t1 main (/solve)\n\nsolve 12 7.000002: 7 cycles: \n\t2 g (/solve)\n\n`;
const callgrindText = `# callgrind format\nversion: 1\nevents: Ir\n\nfl=a.c\nfn=main\n3 5\ncfn=g\ncalls=1 7\n4 7\n\nfn=g\n7 7\n`;

const RECORDINGS: Readonly<Record<string, readonly [name: string, text: string]>> = {
  "chrome's format": ["a.json", plainTraceFile],
  Kineto: ["a.json", kinetoFile],
  perf: ["a.txt", perfText],
  callgrind: ["callgrind.out.1", callgrindText],
  Paje: ["a.trace", smallTrace()],
  "Caliper's own": ["a.cali", cali],
  "Caliper's json": ["a.json", jsonOf(naive, "object")],
  "Caliper's json-split": ["a.json", splitOf(naive)],
  "the tracker's": ["heatflow-1.json", written({ startNanoseconds: 5, threads: [[{ name: "dot", steps: [7] }]] }).text],
};
/** Positions of cuts for each recording. */
const CUTS = isFull ? 400 : 40;
/** What is said of a packed file that was cut at a place that its own format cannot notice. */
const OF_PACKING = /^the file ends early: its packed data is not whole/;

let folder = "";
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-cut-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What is read of one file of these bytes, or the error. */
async function read(name: string, bytes: Uint8Array): Promise<{ numbers: unknown; warnings: readonly Warning[] }> {
  const file = path.join(folder, name);
  fs.writeFileSync(file, bytes);
  fs.utimesSync(file, 1_000_000, 1_000_000);
  try {
    const dataSets = await openRecordings([file], {}, quietTask);
    const numbers = await plain(dataSets.map((one) => ({ ...one, warnings: [] })));
    await Promise.all(dataSets.map(({ trace }) => trace?.close()));
    return { numbers, warnings: dataSets.flatMap(({ warnings }) => warnings) };
  } catch (problem) {
    if (!(problem instanceof FormatError)) throw problem;
    return { numbers: problem.message, warnings: [] };
  }
}

describe("a packed recording that was cut", () => {
  it.each(Object.entries(RECORDINGS))("of %s is read as its text cut there", async (_, [name, text]) => {
    const packed = zlib.gzipSync(text, { level: 9 });
    const cuts = new Set(Array.from({ length: CUTS }, (_, at) => Math.ceil(((at + 1) * (packed.length - 1)) / CUTS)));
    let compared = 0;
    for (const cut of cuts) {
      const part = packed.subarray(0, cut);
      const unpacked = cut < 18 ? Buffer.alloc(0) : zlib.gunzipSync(part, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
      if (unpacked.length === 0) continue;
      const wanted = await read(name, unpacked);
      const found = await read(name, part);
      compared++;
      expect(found.numbers, `cut after ${cut} of ${packed.length}`).toEqual(wanted.numbers);
      const ofPacking = found.warnings.filter(({ message }) => OF_PACKING.test(message));
      expect(found.warnings.filter((one) => !ofPacking.includes(one))).toEqual(wanted.warnings);
      const isRead = typeof found.numbers !== "string";
      const isKnown = wanted.warnings.some(({ isCut }) => isCut === true);
      expect(ofPacking, `cut after ${cut} of ${packed.length}`).toEqual(
        isRead && !isKnown
          ? [
              {
                message: expect.stringMatching(OF_PACKING),
                file: path.join(folder, name),
                at: { byte: cut },
                isCut: true,
              },
            ]
          : [],
      );
    }
    expect(compared).toBeGreaterThan(10);
  });
});
