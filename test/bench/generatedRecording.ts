import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DataSet } from "../../src/model/dataSet";
import { location } from "../../src/model/locations";
import { generateTree, layered, sourceFile, xorshift } from "./superGraphTrees";

/** A recording with one time of this many contexts on this many ranks, one cell in ten filled; the same in every run. */
export function generateRecording(contexts: number, ranks: number): DataSet {
  const { tree, frames, exclusive } = generateTree(layered(contexts));
  const random = xorshift(contexts + ranks);
  const perRow = Math.ceil(ranks / 10);
  const rowStart = new Int32Array(contexts + 1).map((_, context) => context * perRow);
  const column = new Int32Array(contexts * perRow);
  const value = new Float64Array(contexts * perRow);
  for (let context = 0, at = 0; context < contexts; context++) {
    // One of every ten ranks, which one is chance.
    for (let ten = 0; ten < perRow; ten++, at++) {
      column[at] = Math.min(ranks - 1, 10 * ten + Math.floor(random() * Math.min(10, ranks - 10 * ten)));
      value[at] = (exclusive[context] / perRow) * (0.5 + random());
    }
  }
  return {
    name: "generated",
    files: [],
    format: { id: "generated", label: "generated" },
    frames,
    tree,
    locations: Array.from({ length: ranks }, (_, rank) => location({ rank })),
    metrics: [{ name: "time", recordedName: "time", unit: "s", kind: "time", additive: true, reducedOverRanks: false }],
    values: [{ rowStart, column, value }],
    globals: new Map(),
    warnings: [],
    hierarchies: ["regions"],
    records: column.length,
  };
}

/** Writes the source files that a generated recording names. @returns their folder, to be removed */
export function writeSources(): string {
  const { files, functions } = layered(0);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-"));
  fs.mkdirSync(path.join(folder, "src"));
  const text = Array.from({ length: functions }, (_, id) => `void function${id}() {}\n`);
  for (let file = 0; file < files; file++) {
    const isOwn = (id: number) => Math.floor((id * files) / functions) === file;
    fs.writeFileSync(path.join(folder, sourceFile(file)), text.map((line, id) => (isOwn(id) ? line : "\n")).join(""));
  }
  return folder;
}
