import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { graphArguments, graphJson } from "../../../src/cli/graphCommand";
import { hotArguments } from "../../../src/cli/hotCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { grammars } from "../engine/miniheat";
import { written } from "../formats/tracker/trackerWriter";
import { exported } from "./commands";

const ROW = "(recording itself)";
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-itself-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** A recording whose functions took 1000 ns each, of which 100 are recording: main calls solve, which calls dot. */
const cost = {
  processorNanoseconds: 3000,
  writerNanoseconds: 0,
  function: { callerNanoseconds: 0, calleeNanoseconds: 100 },
  region: { callerNanoseconds: 0, calleeNanoseconds: 0 },
};
const dot = { name: "dot", steps: [1000] };
const main = { name: "main", steps: [1000, { name: "solve", steps: [1000, dot] }] };
const file = path.join(folder, "heatflow-1.json");
fs.writeFileSync(
  file,
  written({ startNanoseconds: 0, threads: [[main]] }).text.replace(
    '"heatflowEnd"',
    `"recordingCost":${JSON.stringify(cost)},$&`,
  ),
);

describe("time of recording has one name", () => {
  it.each(["file", "folder", "class", "module", "function", "none"])("in the graph by %s", async (groupBy) => {
    const request = graphArguments([file, "--group-by", groupBy], folder);
    const answer = await request.run(localEngine(grammars));
    const { nodes } = JSON.parse(graphJson(answer)) as { nodes: { group: string; exclusive: number }[] };
    const own = nodes.filter(({ group }) => group.endsWith(ROW));
    expect(own.reduce((sum, { exclusive }) => sum + exclusive, 0)).toBeCloseTo(300e-9, 15);
    expect(JSON.stringify(nodes)).not.toContain("no region");
  });

  it("among the hot functions, without a place", async () => {
    const request = hotArguments([file], folder);
    const text = request.text(await request.run(localEngine(grammars)));
    expect(text).toMatch(/^\(recording itself\) +300 ns +10\.0 % /m);
    expect(text).not.toContain("no region");
  });

  it.each(["jsonl", "csv", "collapsed"])("in %s", async (format) => {
    const { text } = await exported([file, "--format", format]);
    expect(text.split(ROW).length - 1).toBeGreaterThanOrEqual(3);
    expect(text).not.toContain("no region");
  });

  it("in json-split, below its functions", async () => {
    const { text } = await exported([file, "--format", "json-split"]);
    const { data, columns, nodes } = JSON.parse(text) as {
      data: (number | null)[][];
      columns: string[];
      nodes: { label: string; parent?: number }[];
    };
    const [path, time] = [columns.indexOf("path"), columns.indexOf("exclusive")];
    const own = data.filter((row) => nodes[row[path] ?? -1]?.label === ROW);
    expect(own.map((row) => [nodes[nodes[row[path] ?? -1].parent ?? -1].label, row[time]])).toEqual([
      ["main", 100e-9],
      ["solve", 100e-9],
      ["dot", 100e-9],
    ]);
  });
});
