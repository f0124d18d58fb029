import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** Functions of headers beside the program's own: the compiler gives each of the former a section, and a sequence of lines, of its own. */
const SOURCES = {
  "main.cpp": `#include "inc/kernel.hpp"
#include <cstdio>
#include <map>

static int counted(int most) {
  std::map<int, int> seen;
  for (int i = 0; i < most; ++i) seen[i % 7] += twice(i);
  return int(seen.size());
}

int main(int argc, char**) {
  Grid grid{2.0 * argc};
  std::printf("%g %g %d\\n", work(2.0), grid.norm(), counted(argc));
}
`,
  "inc/kernel.hpp": `#pragma once
#include <algorithm>
#include <vector>
#include "deep/twice.hpp"

template <class T> __attribute__((noinline)) T work(T x) {
  T s = 0;
  for (int i = 0; i < 1000; ++i)
    s += twice(x) * i;
  return s;
}

struct Grid {
  double size;
  __attribute__((noinline)) double norm() const {
    std::vector<double> values(100, size);
    std::sort(values.begin(), values.end(), [](double a, double b) { return twice(a) > b; });
    return values[3];
  }
};
`,
  "inc/deep/twice.hpp": `#pragma once
template <class T> inline T twice(T x) {
  if (x > T(1000))
    return x;
  return x + x;
}
`,
};

/** Tables of lines of DWARF 5, each of its own kind; for g++. */
export const DWARF_5_WAYS = [
  "-O0",
  "-O2",
  "-O2 -gz",
  "-O0 -gz",
  "-O2 -ffunction-sections -Wl,--gc-sections",
  "-O2 -no-pie",
  "-O2 -gno-as-loc-support -gno-as-locview-support",
];

/** A folder with the sources of a program. */
export function debugFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-debug-"));
  for (const [name, text] of Object.entries(SOURCES)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/** Compiles the program, named in the folder as one would in it. @returns its file */
export function debugProgram(folder: string, how: string, compiler = "g++"): string {
  const program = path.join(folder, `${compiler}${how}`.replaceAll(/[ =,/]/g, ""));
  execFileSync(compiler, ["-std=c++17", "-g", ...how.split(" "), "main.cpp", "-o", program], { cwd: folder });
  return program;
}

/** Whether a program is installed. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Addresses of rows of the table of lines with the names of their files, without folders, and lines, as readelf reads them. */
export function rowsOf(program: string): ReadonlyMap<bigint, string> {
  const args = ["-W", "--debug-dump=decodedline", program];
  const text = execFileSync("readelf", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const rows = new Map<bigint, string>();
  let isLeftOut = false;
  let begun: (readonly [bigint, string])[] = [];
  for (const [, file, line, hexadecimal] of text.matchAll(/^(\S.*?) +(\d+|-) +(0x[0-9a-f]+|0)\b/gm)) {
    const address = BigInt(hexadecimal);
    if (begun.length === 0) isLeftOut = address === 0n;
    begun.push([address, `${file}:${line}`]);
    if (line !== "-") continue;
    // Rows where a sequence ends are of no code; the linker leaves sequences at 0 of code that it left out.
    for (const [at, place] of begun) if (at < address && !isLeftOut) rows.set(at, place);
    begun = [];
  }
  return rows;
}

/** Where a section lies in its file, as readelf says. */
export function sectionOf(program: string, name: string) {
  const text = execFileSync("readelf", ["-WS", program], { encoding: "utf8" });
  const found = new RegExp(`\\${name} +[A-Z]+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)`).exec(text);
  if (found === null) throw new Error(`${program} has no ${name}`);
  return { offset: Number.parseInt(found[1], 16), bytes: Number.parseInt(found[2], 16) };
}
