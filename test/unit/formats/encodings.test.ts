import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memorySource, PieceWindow } from "../../../src/formats/byteSource";
import { decoded, decodedHead, Utf16Decoder } from "../../../src/formats/decoded";
import { encodingOf, type TextEncoding } from "../../../src/formats/textEncoding";
import { openRecordings } from "../../../src/formats/registry";
import { FormatError } from "../../../src/model/errors";
import { quietTask } from "../../../src/model/task";
import { profile } from "./caliper/caliFixtures";
import { jsonOf, splitOf } from "./caliper/jsonOf";
import { readNaively } from "./caliper/naiveCali";
import { kinetoFile, plainTraceFile } from "./chrome/chromeFixtures";
import { counters, drawing, hwlocXml, traceJson } from "./dmtracker/recordings";
import { type Fixture, plain } from "./formatLaws";
import { sumsAlone } from "./hpctoolkit/v2/databases";
import { headOf, smallTrace } from "./paje/writer";
import { openPath } from "./openPath";
import { written } from "./tracker/trackerWriter";

/** Text in UTF-16, unit by unit. */
function utf16(text: string, isBig: boolean): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return isBig ? bytes.swap16() : bytes;
}

const MARK = "\ufeff";
const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  "UTF-8 with a mark": (text) => Buffer.from(MARK + text),
  "UTF-16, little end first, with a mark": (text) => utf16(MARK + text, false),
  "UTF-16, big end first, with a mark": (text) => utf16(MARK + text, true),
  "UTF-16, little end first": (text) => utf16(text, false),
  "UTF-16, big end first": (text) => utf16(text, true),
};

/** Characters of one to four bytes in UTF-8. */
const NAME = "mäin漢😀";
const cali = profile().text().replaceAll("main", NAME);
const perfText = `solve 12 7.000001: 5 cycles: \n\t1 ${NAME} (/solve)\n\nsolve 12 7.000002: 7 cycles: \n\t2 g (/solve)\n\n`;
const callgrindText = `# callgrind format\nversion: 1\nevents: Ir\n\nfl=a.c\nfn=${NAME}\n3 5\ncfn=g\ncalls=1 7\n4 7\n\nfn=g\n7 7\n`;
const [naive] = [readNaively(cali)];

const RECORDINGS: Readonly<Record<string, Fixture>> = {
  "chrome's format": { "a.json": plainTraceFile.replaceAll("work", NAME) },
  Kineto: { "a.json": kinetoFile },
  perf: { "a.txt": perfText },
  callgrind: { "callgrind.out.1": callgrindText },
  Paje: { "a.trace": smallTrace() },
  "Paje in two files": {
    "a.trace": `${headOf()}18 0 0 b.trace\n`,
    "b.trace": smallTrace().replaceAll("half way", NAME),
  },
  "Caliper's own": { "a.cali": cali },
  "Caliper's json": { "a.json": jsonOf(naive, "object") },
  "Caliper's json-split": { "a.json": splitOf(naive) },
  DMTracker: { "gemm-5-0.json": traceJson, "gemm-5-0.csv": counters, "gemm-5-0.svg": drawing },
  hwloc: { "machine.xml": hwlocXml },
  "a table of counters": { "other.csv": counters },
  HPCToolkit: sumsAlone,
  "the tracker's": {
    "heatflow-1.json": written({ startNanoseconds: 5, threads: [[{ name: "dot", steps: [7] }]] }).text,
  },
};

let folder = "";
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-encodings-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** All of a recording that anyone sees, as it is written into the same files. */
async function read(fixture: Fixture, encode: (text: string) => Buffer): Promise<unknown> {
  const files = Object.entries(fixture).map(([name, content]) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, typeof content === "string" ? encode(content) : content);
    fs.utimesSync(file, 1_000_000, 1_000_000);
    return file;
  });
  const dataSets = await openRecordings(files.slice(0, 1), {}, quietTask);
  expect(dataSets.length).toBeGreaterThan(0);
  const seen = await plain(dataSets);
  await Promise.all(dataSets.map(({ trace }) => trace?.close()));
  return seen;
}

describe("a recording of text", () => {
  it.each(Object.entries(RECORDINGS))("of %s is the same in every encoding", async (_, fixture) => {
    const wanted = await read(fixture, (text) => Buffer.from(text));
    for (const [name, encode] of Object.entries(ENCODINGS)) {
      expect(await read(fixture, encode), name).toEqual(wanted);
      expect(await read(fixture, (text) => zlib.gzipSync(encode(text))), `${name}, packed`).toEqual(wanted);
    }
  });

  it("names the place of an error in the file as it is stored", async () => {
    const text = `{"traceEvents":[{"ph":"X","name":"${NAME}","ts":1,"dur":2,"pid":1,"tid":1},{"ph" "X"}]}`;
    for (const [name, encode] of Object.entries(ENCODINGS)) {
      const file = path.join(folder, "a.json");
      fs.writeFileSync(file, encode(text));
      const problem: unknown = await openRecordings([file], {}, quietTask).catch((reason: unknown) => reason);
      if (!(problem instanceof FormatError)) throw new Error("it is damaged");
      expect(problem.problem.at, name).toEqual({ byte: encode(text.slice(0, text.indexOf('"X"}'))).length });
    }
  });

  it("is decoded as a stream: 40 MB that become 60, with characters of all lengths", async () => {
    const line = `${NAME}${"x".repeat(30)}漢漢漢漢漢漢漢\n`;
    const text = `begin${line.repeat(500_000)}`;
    const file = path.join(folder, "large.txt");
    fs.writeFileSync(file, utf16(MARK + text, false));
    const source = await openPath(file);
    try {
      const window = new PieceWindow(source, quietTask);
      const wanted = Buffer.from(text);
      let at = 0;
      while (await window.more()) {
        const piece = window.bytes.subarray(window.start, window.end);
        expect(wanted.subarray(at, at + piece.length).equals(piece)).toBe(true);
        at += piece.length;
        window.start = window.end;
      }
      expect(at).toBe(wanted.length);
      expect(window.positionOf(window.end)).toBe(fs.statSync(file).size);
    } finally {
      await source.close();
    }
  });
});

describe("text of two bytes per character", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });

  it("becomes UTF-8 in pieces of any size, as Node makes it", () => {
    fc.assert(
      fc.property(
        text,
        fc.boolean(),
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1 }),
        (text, isBig, sizes) => {
          const decoder = new Utf16Decoder(isBig ? "UTF-16BE" : "UTF-16LE");
          const bytes = utf16(text, isBig);
          const parts: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            // A piece of nothing changes nothing.
            const size = turn % 7 === 6 ? 1 : sizes[turn % sizes.length];
            parts.push(decoder.decode(bytes.subarray(at, at + size)).slice());
            at += size;
          }
          parts.push(decoder.finish().slice());
          expect(Buffer.concat(parts).toString()).toBe(text);
        },
      ),
    );
  });

  it("has a sign for what is no character: half a pair, in the middle and at the end, and half a unit", () => {
    const decoder = new Utf16Decoder("UTF-16LE");
    const units = [0xd83d, 0x61, 0xde00, 0xd83d, 0xd83d, 0xde00, 0xd83d];
    const bytes = Buffer.concat([Buffer.from(Uint16Array.from(units).buffer), Buffer.from([7])]);
    const all = Buffer.concat([decoder.decode(bytes).slice(), decoder.finish().slice()]).toString();
    expect(all).toBe("\ufffda\ufffd\ufffd😀\ufffd\ufffd");
  });

  it("has its places in the file, wherever a piece ends", async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom(...Object.keys(ENCODINGS)),
        fc.integer({ min: 1, max: 9 }),
        async (text, name, pieceBytes) => {
          const whole = `begins so${text}`;
          const bytes = ENCODINGS[name](whole);
          const encoding = encodingOf(bytes);
          fc.pre(encoding !== undefined);
          const window = new PieceWindow(decoded(memorySource(bytes), encoding), quietTask, pieceBytes);
          let seen = "";
          const decoder = new TextDecoder();
          while (await window.more()) {
            const piece = window.bytes.subarray(window.start, window.end);
            // Where a character begins, what stands before it has all of its bytes.
            seen += decoder.decode(piece, { stream: true });
            const isWhole = Buffer.from(seen).length > 0 && !seen.endsWith("\ufffd");
            window.start = window.end;
            if (isWhole && Buffer.from(seen).equals(Buffer.from(whole).subarray(0, Buffer.from(seen).length)))
              expect(window.positionOf(window.end)).toBeGreaterThanOrEqual(ENCODINGS[name](seen).length);
          }
          expect(seen).toBe(whole);
          expect(window.positionOf(window.end)).toBe(bytes.length);
        },
      ),
    );
  });

  it("is known by its mark, or by the letters that a format begins with; nothing else is", () => {
    const of = (bytes: Uint8Array): TextEncoding["name"] | undefined => encodingOf(bytes)?.name;
    expect(of(utf16(`${MARK}漢字`, false))).toBe("UTF-16LE");
    expect(of(utf16(`${MARK}漢字`, true))).toBe("UTF-16BE");
    expect(of(utf16("[\r\n{\t}", false))).toBe("UTF-16LE");
    expect(of(utf16("[\r\n{\t}", true))).toBe("UTF-16BE");
    expect(of(Buffer.from(`${MARK}a`))).toBe("UTF-8");
    const none = [
      Buffer.from("plain text, of any length"),
      Buffer.from("漢字漢字漢字"),
      Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), // UTF-32
      Buffer.from([0xff, 0xfe, 1, 0, 2, 0, 3, 0]),
      Buffer.from("HPCTOOLKITprof\u0004\u0000\u0001\u0000\u0000\u0000", "latin1"),
      Buffer.from("SQLite format 3\u0000", "latin1"),
      new Uint8Array(64),
      Buffer.from(Float64Array.from([1, 2, 3, 4]).buffer),
      new Uint8Array(0),
      Buffer.from([0xff]),
    ];
    for (const bytes of none) expect(of(bytes), bytes.toString()).toBe(undefined);
  });

  it("has a head of UTF-8 that is no longer than asked for", () => {
    const bytes = utf16(`${MARK}${"漢".repeat(100)}`, false);
    const encoding = encodingOf(bytes);
    if (encoding === undefined) throw new Error("it has a mark");
    expect(decodedHead({ bytes, whole: true }, encoding, 300)).toMatchObject({ whole: true });
    const { bytes: head, whole } = decodedHead({ bytes, whole: true }, encoding, 299);
    expect([head.length, whole]).toEqual([299, false]);
  });
});
