import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSections } from "../../../src/traced/elfSections";
import { readLines } from "../../../src/traced/lineTable";
import { mutations, places, seeds } from "../randomCases";
import { DWARF_5_WAYS, debugFolder, debugProgram, isInstalled, rowsOf, sectionOf } from "./debugPrograms";

let folder: string;
beforeAll(() => void (folder = debugFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const linesOf = (file: string, addresses: Iterable<bigint>) =>
  readLines(file, [...addresses], new AbortController().signal);

/** As readelf names places: the compiler's own code has line 0, and no line here. */
async function expectRowsOfReadelf(program: string) {
  const rows = [...rowsOf(program)].filter(([, place]) => !place.endsWith(":0"));
  const lines = await linesOf(program, [...rows.map(([address]) => address), 0n, 1n, 2n ** 64n - 1n]);
  const named = [...lines].map(([address, { file, line }]) => [address, `${path.basename(file)}:${line}`] as const);
  expect(new Map(named)).toEqual(new Map(rows));
  expect(rows.length).toBeGreaterThan(100);
  for (const file of new Set([...lines.values()].map((line) => line.file)))
    expect([file, fs.existsSync(file)]).toEqual([file, true]);
  return lines;
}

describe("lines of a program's own table", () => {
  it.each(DWARF_5_WAYS)("are those that readelf reads, of files that are there (g++ %s)", async (how) => {
    const lines = await expectRowsOfReadelf(debugProgram(folder, how));
    const own = ["main.cpp", "inc/kernel.hpp", "inc/deep/twice.hpp"].map((name) => path.join(folder, name));
    expect([...lines.values()].map(({ file }) => file)).toEqual(expect.arrayContaining(own));
  });

  it.runIf(isInstalled("clang++")).each(["-O2 -gdwarf-5", "-O0 -gdwarf-5 -gz"])(
    "are those that readelf reads (clang++ %s)",
    async (how) => void (await expectRowsOfReadelf(debugProgram(folder, how, "clang++"))),
  );

  it("are the same in the DWARF of 64 bits", async () => {
    const short = debugProgram(folder, "-O2");
    const addresses = [...rowsOf(short).keys()];
    const lines = await linesOf(debugProgram(folder, "-O2 -gdwarf64"), addresses);
    expect(lines).toEqual(await linesOf(short, addresses));
    expect(lines.size).toBeGreaterThan(100);
  });

  it("are none in earlier versions, which do not say where the compiler was started", async () => {
    const program = debugProgram(folder, "-O2 -gdwarf-4");
    expect(await linesOf(program, rowsOf(program).keys())).toEqual(new Map());
  });

  it("are read in all forms of names and numbers, past what is not known", async () => {
    const [source, program] = [path.join(folder, "forms.s"), path.join(folder, "forms")];
    fs.writeFileSync(source, FORMS);
    execFileSync("cc", ["-nostdlib", "-static", "-Wl,-e,begin", source, "-o", program]);
    const rows = rowsOf(program);
    // Its table of rows does not know names in .debug_str.
    expect([...rows.values()].map((place) => place.split(":")[1])).toEqual(["13", "7", "8", "1"]);
    const lines = await linesOf(program, rows.keys());
    expect([...lines.values()].map(({ file, line }) => `${file}:${line}`)).toEqual([
      "/src/inc/b.hpp:13",
      "/src/a.cpp:7",
      "/opt/c.hpp:8",
      "/else/d.hpp:1",
    ]);
  });

  it("are none of what is no program, has no table, or is not there", async () => {
    const bare = path.join(folder, "bare");
    execFileSync("strip", [debugProgram(folder, "-O0"), "-o", bare]);
    for (const file of [path.join(folder, "main.cpp"), bare, path.join(folder, "gone"), folder])
      expect(await linesOf(file, [0x1000n, 0x1170n])).toEqual(new Map());
  });

  it("end with whoever waits for them", async () => {
    const program = debugProgram(folder, "-O2");
    expect(await readLines(program, [...rowsOf(program).keys()], AbortSignal.abort())).toEqual(new Map());
  });
});

describe("a damaged table of lines", () => {
  it("is none where names of sections are ends of one long text", async () => {
    const [sections, names] = [20_000, 1 << 20];
    const [from, bytes] = [64, 64];
    const file = Buffer.alloc(from + sections * bytes + names - 1, "a");
    file.fill(0, 0, from + sections * bytes);
    file.write("\x7fELF\x02\x01", 0, "latin1");
    file.writeBigUInt64LE(BigInt(from), 40);
    [bytes, sections, 0].forEach((value, at) => file.writeUInt16LE(value, 58 + 2 * at));
    for (let section = 0; section < sections; section++) {
      const header = from + section * bytes;
      file.writeUInt32LE(section, header);
      file.writeBigUInt64LE(BigInt(from + sections * bytes), header + 24);
      file.writeBigUInt64LE(BigInt(names), header + 32);
    }
    const program = path.join(folder, "names");
    fs.writeFileSync(program, Buffer.concat([file, Buffer.alloc(1)]));
    // They would be 20 GB.
    expect((await readSections(program)).size).toBe(0);
    expect(await linesOf(program, [1n])).toEqual(new Map());
  });

  const { count, milliseconds } = mutations(1 / 100);

  it.each(["-O2", "-O2 -gz"])("gives lines or none, and ends (%s)", { timeout: milliseconds }, async (how) => {
    const program = debugProgram(folder, how);
    const addresses = [...rowsOf(program).keys()];
    const whole = fs.readFileSync(program);
    const sections = [".debug_line", ".debug_line_str", ".shstrtab"].map((name) => sectionOf(program, name));
    // Of the table's beginning most depends; then the headers of file and sections.
    const parts = [
      { offset: sections[0].offset, bytes: 150 },
      ...sections,
      { offset: 0, bytes: 64 },
      { offset: whole.length - 64 * 40, bytes: 64 * 40 },
    ];
    for (const seed of seeds(count * 20).slice(0, count)) {
      const random = randomFrom(seed);
      const damaged = Buffer.from(whole);
      const { offset, bytes } = parts[random(parts.length)];
      for (let left = 1 + random(4); left > 0; left--)
        damaged[offset + random(bytes)] = [0, 0x7f, 0x80, 0xff, random(256)][random(5)];
      await expectSound(damaged, addresses, seed);
    }
  });

  it("gives lines or none where it ends early", async () => {
    const program = debugProgram(folder, "-O2");
    const addresses = [...rowsOf(program).keys()];
    const whole = fs.readFileSync(program);
    const { bytes } = sectionOf(program, ".debug_line");
    const header = headerOf(program, whole);
    for (const left of places(bytes, 200)) {
      whole.writeBigUInt64LE(BigInt(left), header + 32);
      await expectSound(whole, addresses, left);
    }
  });

  it("gives none, soon, where little is unpacked to tables without content", async () => {
    const program = debugProgram(folder, "-O2 -gz");
    const whole = fs.readFileSync(program);
    const header = headerOf(program, whole);
    const packing = Buffer.alloc(24);
    packing.writeUInt32LE(1);
    const packed = Buffer.concat([packing, zlib.deflateSync(Buffer.alloc(256 << 20), { level: 1 })]);
    whole.writeBigUInt64LE(BigInt(whole.length), header + 24);
    whole.writeBigUInt64LE(BigInt(packed.length), header + 32);
    const file = path.join(folder, "unpacked");
    fs.writeFileSync(file, Buffer.concat([whole, packed]));
    expect(sectionOf(file, ".debug_line")).toEqual({ offset: whole.length, bytes: packed.length });
    const addresses = [...rowsOf(program).keys()];
    const before = process.cpuUsage();
    expect(await linesOf(file, addresses)).toEqual(new Map());
    // Of this process alone, since others may have the machine.
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(4e6);
  });

  /** Where the header of the table's section stands in a program. */
  function headerOf(program: string, bytes: Buffer) {
    const { offset } = sectionOf(program, ".debug_line");
    const from = Number(bytes.readBigUInt64LE(40));
    const headers = Array.from({ length: bytes.readUInt16LE(60) }, (_, at) => from + 64 * at);
    const found = headers.find((header) => bytes.readBigUInt64LE(header + 24) === BigInt(offset));
    if (found === undefined) throw new Error("No section lies where readelf says.");
    return found;
  }

  async function expectSound(bytes: Buffer, addresses: readonly bigint[], seed: number) {
    const file = path.join(folder, "damaged");
    fs.writeFileSync(file, bytes);
    const wanted = new Set(addresses);
    for (const [address, { file: source, line }] of await linesOf(file, addresses)) {
      const isSound = wanted.has(address) && source !== "" && Number.isInteger(line) && line > 0;
      expect([seed, isSound]).toEqual([seed, true]);
    }
  }
});

/** Numbers below a limit, the same ones for the same seed (mulberry32). */
function randomFrom(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** A table by hand: names in place and in both sections of texts; numbers of each size; a block, a checksum; instructions unknown. */
const FORMS = `
  .text
  .globl begin
begin: .skip 64, 0x90
  .section .debug_str,"MS",@progbits,1
  .string "unused"
bname: .string "b.hpp"
  .section .debug_line_str,"MS",@progbits,1
incname: .string "inc"
  .section .debug_line,"",@progbits
  .long tail - start
start: .short 5
  .byte 8, 0
  .long program - lists
lists: .byte 1, 1, 1, -5, 14, 14
  .byte 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2
  .byte 1                     # folders: their names, in place
  .uleb128 1, 0x08
  .uleb128 3
  .string "/src"
  .string "inc"
  .string "/opt"
  .byte 5                     # files: name in .debug_str, folder of 2 bytes, checksum, a vendor's block, size
  .uleb128 1, 0x0e, 2, 0x05, 5, 0x1e, 0x2001, 0x09, 4, 0x0f
  .uleb128 4
  .long aname
  .short 0
  .skip 16, 1
  .byte 3, 1, 2, 3
  .uleb128 1000
  .long bname
  .short 1
  .skip 16, 2
  .byte 0
  .uleb128 5
  .long cname
  .short 2
  .skip 16, 3
  .byte 1, 9
  .uleb128 0
  .long dname
  .short 1
  .skip 16, 4
  .byte 0
  .uleb128 1
program:
  .byte 0, 9, 2
  .quad begin
  .byte 13, 3, 5              # an instruction that nobody knows, with two numbers
  .byte 3, 12, 1              # line 13 of file 1, which is never set
  .byte 4, 0, 3, 0x7a, 2, 4, 1
  .byte 0, 3, 0x90, 1, 2      # an extended one that nobody knows
  .byte 4, 2, 34              # 1 on in address and line
  .byte 8                     # by the constant
  .byte 4, 3, 3, 0x79, 9, 2, 0, 1
  .byte 2, 4, 0, 1, 1
tail:
  .section .debug_str
aname: .string "a.cpp"
cname: .string "c.hpp"
dname: .string "/else/d.hpp"
`;
