import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readElf } from "../../../src/traced/elf";
import { thisMachine } from "../../../src/traced/machine";
import { addLines, buildIdsIn } from "../../../src/traced/perfLines";
import { DWARF_5_WAYS, debugFolder, debugProgram, isInstalled, rowsOf } from "./debugPrograms";

/** Places of interest have names of their own, which nm knows. */
const SOURCE = `static inline __attribute__((always_inline)) void inner(void) {
  __asm__ volatile(".globl inside\\ninside: nop");
}
__attribute__((noinline)) void work(void) {
  inner();
}
int main(void) {
  work();
  __asm__ volatile(".globl behind\\nbehind: nop");
  return 0;
}
`;
/** Where the linker places programs that are loaded at a fixed address. */
const FIXED = 0x400000;

let folder: string;
let source: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-lines-"));
  source = path.join(folder, "solve.c");
  fs.writeFileSync(source, SOURCE);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A program, what perf script says of a sample in it, and the number of its build. */
function compiled(name: string, ...flags: string[]) {
  const program = path.join(folder, name);
  execFileSync("cc", ["-g", "-O1", ...flags, source, "-o", program]);
  const symbols = execFileSync("nm", [program], { encoding: "utf8" });
  const offset = (symbol: string) => {
    const address = Number.parseInt(new RegExp(`^([0-9a-f]+) . ${symbol}$`, "m").exec(symbols)?.[1] ?? "", 16);
    return (address >= FIXED ? address - FIXED : address).toString(16);
  };
  const frames = [`\t ${offset("inside")} work+0x1 (${program})`, `\t ${offset("behind")} main+0x9 (${program})`];
  const [, buildId = ""] =
    /Build ID: ([0-9a-f]+)/.exec(execFileSync("readelf", ["-n", program], { encoding: "utf8" })) ?? [];
  return { program, frames, buildId };
}

const head = "solve 12/12 7.000001: 5 cycles: ";
const kernel = "\tffffffff81387d99 task_work_run+0x59 ([kernel.kallsyms])";

/** What becomes of a text. @param endedMs when the recording was made */
async function lined(lines: readonly string[], buildIds: ReadonlyMap<string, string>, endedMs = 0, areReturns = true) {
  const [from, to] = [path.join(folder, "plain.txt"), path.join(folder, "lines.txt")];
  fs.writeFileSync(from, `${lines.join("\n")}\n\n`);
  const machine = thisMachine("", {});
  await addLines(from, to, areReturns, machine, { buildIds, endedMs }, new AbortController().signal);
  return fs.readFileSync(to, "utf8").trimEnd().split("\n");
}

describe("lines of samples", () => {
  it.each([
    ["is loaded anywhere", "-pie", "-fPIE"],
    ["is loaded at a fixed address", "-no-pie", "-fno-pie"],
  ])(
    "are those of a program that %s, with what was inlined, and of calls, not of what is behind them",
    async (...given) => {
      const [, ...flags] = given;
      const { program, frames, buildId } = compiled("solve", ...flags);
      const [sampled, called] = frames;
      expect(await lined([head, sampled, called, kernel], new Map([[program, buildId]]))).toEqual([
        head,
        `\t${sampled.trim().split(" ")[0]} inner (inlined)`,
        `  ${source}:2`,
        sampled,
        `  ${source}:5`,
        called,
        `  ${source}:8`,
        kernel,
      ]);
    },
  );

  it("are not corrected twice where perf gives the calls themselves, and what it calls inlined is said once", async () => {
    const { program, frames, buildId } = compiled("solve");
    const [sampled, called] = frames;
    const address = sampled.trim().split(" ")[0];
    const text = [head, `\t ${address} inner (inlined)`, sampled, called];
    expect(await lined(text, new Map([[program, buildId]]), 0, false)).toEqual([
      head,
      `\t${address} inner (inlined)`,
      `  ${source}:2`,
      sampled,
      `  ${source}:5`,
      called,
      `  ${source}:9`,
    ]);
  });

  it("are none of a program that was built again, or is gone", async () => {
    const { program, frames, buildId } = compiled("solve");
    const text = [head, `\t 1 guess (inlined)`, ...frames];
    expect(
      await lined(text, new Map([[program, buildId.replace(/./, (first) => (first === "0" ? "1" : "0"))]])),
    ).toEqual(text);
    fs.rmSync(program);
    expect(await lined(text, new Map([[program, buildId]]))).toEqual(text);
  });

  it("are known by the program's time where it has no number of its build", async () => {
    const { program, frames, buildId } = compiled("solve", "-Wl,--build-id=none");
    expect([buildId, (await readElf(program))?.buildId]).toEqual(["", undefined]);
    const { mtimeMs } = fs.statSync(program);
    expect(await lined([head, ...frames], new Map(), mtimeMs - 1)).toEqual([head, ...frames]);
    expect(await lined([head, ...frames], new Map(), mtimeMs)).toHaveLength(7);
  });

  it("need no file that is a program", async () => {
    for (const bytes of ["", "\x7fELF", `\x7fELF\x02\x01${"\xff".repeat(200)}`]) {
      const file = path.join(folder, "other");
      fs.writeFileSync(file, bytes, "latin1");
      expect((await readElf(file))?.addressOf(0n)).toBeUndefined();
    }
    expect(await readElf(folder)).toBeUndefined();
  });
});

/** Innermost places of samples at addresses, by address. */
async function sampledLines(program: string, addresses: readonly bigint[]) {
  const sampled = addresses.map((address) => `\t${address.toString(16)} sampled+0x0 (${program})`);
  const lines = await lined(
    sampled.flatMap((frame) => ["", head, frame]),
    new Map(),
    Infinity,
  );
  const places = new Map<bigint, string>();
  lines.forEach((line, at) => {
    // The innermost function's line of code, inlined or not, comes first of a sample.
    if (line === head && lines[at + 2]?.startsWith("  ")) {
      const [hexadecimal] = lines[at + 1].trim().split(" ");
      places.set(BigInt(`0x${hexadecimal}`), lines[at + 2].trim());
    }
  });
  return places;
}

describe("lines of samples in functions of headers", () => {
  let debugged: string;
  beforeAll(() => void (debugged = debugFolder()));
  afterAll(() => fs.rmSync(debugged, { recursive: true, force: true }));

  it("are in the header where addr2line of binutils 2.40 names m.cpp:6, which has three lines", async () => {
    const header = `template <class T> __attribute__((noinline)) T work(T x) {
  T s = 0;
  for (int i = 0; i < 1000; ++i)
    s += x * i;
  return s;
}
`;
    const [source, program] = ["m.cpp", "m"].map((name) => path.join(debugged, name));
    fs.writeFileSync(path.join(debugged, "inc/k.hpp"), `#pragma once\n\n\n\n\n${header}`);
    fs.writeFileSync(
      source,
      '#include "inc/k.hpp"\n#include <cstdio>\nint main() { std::printf("%g\\n", work(2.0)); }\n',
    );
    execFileSync("g++", ["-O2", "-g", "m.cpp", "-o", "m"], { cwd: debugged });
    const symbols = execFileSync("nm", [program], { encoding: "utf8" });
    const address = BigInt(`0x${/^([0-9a-f]+) W _Z4workIdET_S0_$/m.exec(symbols)?.[1]}`);
    const place = rowsOf(program).get(address) ?? "";
    expect(place).toMatch(/^k\.hpp:/);
    expect(await sampledLines(program, [address])).toEqual(new Map([[address, path.join(debugged, "inc", place)]]));
  });

  it.each([...DWARF_5_WAYS, "-O2 -gdwarf-4", "-O0 -gdwarf-4 -gz"])(
    "are those that readelf and llvm-symbolizer read, at every address (%s)",
    async (how) => {
      const program = debugProgram(debugged, how.replace("-no-pie", "-pie"));
      const rows = new Map([...rowsOf(program)].filter(([, place]) => !place.endsWith(":0")));
      const places = await sampledLines(program, [...rows.keys()]);
      expect(places.size).toBeGreaterThan(0.95 * rows.size);
      for (const [address, place] of places)
        expect([address, path.basename(place)]).toEqual([address, rows.get(address)]);
      if (!isInstalled("llvm-symbolizer")) return;
      const input = [...places.keys()].map((address) => `0x${address.toString(16)}\n`).join("");
      const args = ["-e", program, "--no-inlines", "--functions=none", "--no-demangle"];
      const said = execFileSync("llvm-symbolizer", args, { input, encoding: "utf8", maxBuffer: 1 << 28 });
      const expected = said
        .trim()
        .split("\n\n")
        .map((answer) => answer.replace(/:\d+$/, ""));
      expect([...places.values()].map((place) => path.normalize(place))).toEqual(
        expected.map((place) => path.normalize(place)),
      );
    },
  );
});

it("numbers of builds are those that perf lists of files", () => {
  const text = "48dc540c8b76393804ca8088dbfa7d42911a9444 [kernel.kallsyms]\n3ed4e002df36126ecc51 /tmp/a b\n";
  expect(buildIdsIn(text)).toEqual(new Map([["/tmp/a b", "3ed4e002df36126ecc51"]]));
});
