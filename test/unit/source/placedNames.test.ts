/** Names that hold their place, as recordings of several tools have them: each leads to its line, `hot --lines` included. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hotArguments } from "../../../src/cli/hotCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { CaliWriter, regions, time } from "../formats/caliper/caliWriter";
import { folderWith, grammars } from "./program";

const program = {
  "grid.py": "import numpy\n\ndef solve(a):\n    a = a + 1\n    return a\n\ndef relax(a):\n    return a\n",
  "lib/mesh.py": "def refine():\n    pass\n",
};
const names = ["solve (grid.py:4)", "solve (grid.py:5)", "relax (grid.py:8)", "refine (lib/mesh.py:2)"];
const elsewhere = "forward (torch/nn/linear.py:114)";

/** Events of a thread, one after the other. */
function chromeTrace(texts: readonly string[], category: string): string {
  const traceEvents = texts.map((name, at) => ({
    ph: "X",
    cat: category,
    name,
    ts: 100 * at,
    dur: 10 + at,
    pid: 1,
    tid: 1,
  }));
  return JSON.stringify({ traceEvents });
}

function perfScript(texts: readonly string[]): string {
  const sample = (text: string, at: number) =>
    `python 7 [000] ${at + 1}.000000: 1000 cycles:\n\t    55aa ${text} ([unknown])\n\n`;
  return texts.map(sample).join("");
}

function caliper(texts: readonly string[]): string {
  const out = new CaliWriter();
  for (const text of texts) out.snapshot([regions(text)], [[time, 1]]);
  return out.text();
}

const kineto = names.map((name) => name.replace(/^(\w+) \((.*):(\d+)\)$/, "$2($3): $1"));

describe("names that hold their place", () => {
  it.each<[string, string, string]>([
    ["a Chrome trace", "trace.json", chromeTrace([...names, elsewhere], "function")],
    ["Python's frames of PyTorch", "kineto.json", chromeTrace([...kineto, elsewhere], "python_function")],
    ["a Chrome trace with PyTorch's names", "events.json", chromeTrace([...kineto, elsewhere], "function")],
    ["text of perf", "perf.txt", perfScript([...names, elsewhere])],
    ["regions of Caliper", "regions.cali", caliper([...names, elsewhere])],
  ])("lead to it in %s", async (_, file, text) => {
    const folder = folderWith({ ...program, [`recordings/${file}`]: text });
    const recording = path.join(folder, "recordings", file);
    const request = hotArguments([recording, "--lines", "--json", "--top", "100"], folder);
    const { lines } = JSON.parse(request.text(await request.run(localEngine(grammars)))) as {
      lines: { file?: string; line?: number }[];
    };
    const base = path.basename(folder);
    const places = lines.map((row) => `${row.file}:${row.line}`);
    for (const [own, line] of [
      ["grid.py", 4],
      ["grid.py", 5],
      ["grid.py", 8],
      ["lib/mesh.py", 2],
    ])
      expect(places).toContain(`${base}/${own}:${line}`);
    expect(places.filter((place) => place.includes("torch")).every((place) => !place.startsWith(base))).toBe(true);
    const engine = localEngine(grammars);
    await engine.configure({ folders: [folder], sourceMap: {} });
    const [info] = await engine.open({ paths: [recording] });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    const heat = await engine.documentCosts({
      scope,
      document: { file: path.join(fs.realpathSync(folder), "grid.py") },
    });
    expect(heat.lines.map(({ line }) => line)).toEqual([4, 5, 8]);
  });
});
