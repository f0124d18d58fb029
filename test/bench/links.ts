import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ContextTreeBuilder } from "../../src/model/contextTree";
import { FrameTable } from "../../src/model/frames";
import { functionsOf } from "../../src/model/functions";
import { NONE } from "../../src/model/ids";
import { StringTable } from "../../src/model/strings";
import { quietTask } from "../../src/model/task";
import { grammarsInPackages } from "../../src/source/grammar";
import { Linker } from "../../src/source/linker";
import { SymbolIndex } from "../../src/source/symbolIndex";

/** One measured quantity, as the bench prints it. */
export interface LinkBenchRow {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What it should be at most. */
  readonly budget?: number;
}

const FILES = 20_000;
/** Every file has this many functions; with their text 160 MB in all. */
const FUNCTIONS = 16;
const COMMON = ["apply", "write", "update", "init", "size", "get", "run", "operator()"];

/**
 * Writes a workspace of 20,000 files and 160 MB, and measures how long it takes until the path of a click is linked: regions with names
 * that one file has, and with names that thousands have; then how long all functions of a large recording take.
 *
 * @param packages folder of the packages that the grammars come from
 */
export async function benchLinks(packages = path.resolve("node_modules")): Promise<LinkBenchRow[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-links-"));
  try {
    const bytes = writeWorkspace(folder);
    return await measure(folder, bytes, packages);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, bytes: number, packages: string): Promise<LinkBenchRow[]> {
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const scanned = scanTime(folder);
  const { dataSet, clicked } = recording();
  const opened = performance.now();
  const processor = process.cpuUsage();
  const index = await SymbolIndex.open({ folders: [folder] }, grammarsInPackages(packages), quietTask);
  const indexed = performance.now();
  const linker = new Linker(dataSet, index);
  const link = await linker.link(clicked, quietTask);
  const linked = performance.now();
  const { user, system } = process.cpuUsage(processor);
  if (link.places.length === 0) throw new Error(`the clicked path was not linked: ${link.reason}`);
  const functions = functionsOf(dataSet.tree, dataSet.frames);
  const ids = Array.from({ length: functions.size }, (_, id) => id);
  const definitions = await linker.definitions(functions, ids, quietTask);
  const done = performance.now();
  const found = definitions.filter(({ places }) => places.length > 0).length;
  const seconds = (from: number, to: number) => (to - from) / 1000;
  return [
    { what: "workspace", value: bytes / 1e6, unit: "MB" },
    { what: "newline scan of the same files", value: seconds(started, started + scanned), unit: "s" },
    { what: "listing, word index, grammars", value: seconds(opened, indexed), unit: "s" },
    { what: "clicked path linked, from nothing", value: seconds(opened, linked), unit: "s", budget: 2 },
    { what: "processor time of that", value: (user + system) / 1e6, unit: "s" },
    { what: `all ${ids.length} functions (${found} found)`, value: seconds(linked, done), unit: "s" },
    { what: "files parsed", value: index.parsed, unit: "files" },
    {
      what: "memory above the idle process",
      value: (process.memoryUsage().rss - before) / 1e6,
      unit: "MB",
      budget: 200,
    },
  ];
}

/** The yardstick: reading all files and looking for line ends, nothing else. */
function scanTime(folder: string): number {
  const started = performance.now();
  let lines = 0;
  for (const name of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const bytes = fs.readFileSync(path.join(name.parentPath, name.name));
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  }
  return lines > 0 ? performance.now() - started : 0;
}

function writeWorkspace(folder: string): number {
  let bytes = 0;
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    bytes += text.length;
  };
  write("include/annotate.h", "#ifdef USE_CALIPER\n#define MARK CALI_CXX_MARK_FUNCTION\n#else\n#define MARK\n#endif\n");
  for (let file = 0; file < FILES; file++) {
    const folderOf = `src/part${Math.floor(file / 200)}`;
    const annotated = file % 20 === 0;
    const body = Array.from({ length: FUNCTIONS }, (_, n) => functionText(file, n, annotated)).join("\n");
    write(
      `${folderOf}/file${file}.cpp`,
      `#include "annotate.h"\nnamespace part${Math.floor(file / 200)} {\nclass Solver${file};\n${body}\n}\n`,
    );
  }
  return bytes;
}

function functionText(file: number, n: number, annotated: boolean): string {
  const name = n < COMMON.length && file % 10 === 0 ? COMMON[n] : `step_${file}_${n}`;
  const callee = n + 1 < FUNCTIONS ? `step_${file}_${n + 1}` : `step_${(file + 20) % FILES}_8`;
  const lines = [`void Solver${file}::${name}(const double* in, double* out, int count) {`];
  if (annotated) lines.push("    MARK;");
  lines.push("    for (int i = 0; i < count; ++i) {");
  for (let line = 0; line < 5; line++)
    lines.push(`        out[i] += coefficient${line} * in[i + ${line}] - damping_${n}[i] * previous[i - ${line}];`);
  lines.push("    }", `    ${callee}(in, out, count - 1);`, "}");
  return lines.join("\n");
}

/** A recording with rare and common names: 20 paths through 200 files, 50 regions deep. */
function recording() {
  const frames = new FrameTable(new StringTable());
  const builder = new ContextTreeBuilder();
  let clicked = NONE;
  for (let path = 0; path < 20; path++) {
    let context = NONE;
    for (let depth = 0; depth < 48; depth++) {
      const file = (path * 200 + Math.floor(depth / 8) * 20) % FILES;
      const name = `step_${file}_${8 + (depth % 8)}`;
      context = builder.child(context, frames.intern({ name, kind: "region", origin: "mark" }));
    }
    context = builder.child(context, frames.intern({ name: "apply", kind: "region", origin: "mark" }));
    if (path === 0) clicked = builder.parentOf(context);
  }
  const { tree, finalOf } = builder.build(frames.canonicalRanks());
  return { dataSet: { frames, tree }, clicked: finalOf[clicked] };
}
