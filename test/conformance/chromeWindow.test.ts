/** Windows of real runs as Chrome traces: opened again they have the same sums, kinds and messages. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { byName, checked, expectAlike, sumsOf } from "../unit/engine/traces/exportedWindows";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-window-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const files = (what: string) =>
  Array.from({ length: 8 }, (_, rank) => path.join(shared ?? "", `miniapp/profiles/trace/${what}-${rank}.cali`));

describe.runIf(shared)("a window of a real run", () => {
  it.each([
    ["all of it", files("messages"), 0, 1],
    ["a part of it", files("messages"), 0.31, 0.62],
    ["Kineto", [path.join(shared ?? "", "data/other/kineto/gpu_metrics_input.json")], 0.2, 0.7],
    ["DMTracker", [path.join(shared ?? "", "data/dmtracker/gemm-kernels/kernel-opt-5-0.json")], 0, 0.6],
  ])("has its sums, kinds and messages when it is opened again: %s", async (_, paths, begin, end) => {
    const engine = localEngine(grammars);
    const [{ id: dataSet }] = await engine.open({ paths });
    const facts = await engine.timelineFacts({ dataSet });
    const length = facts.endSeconds - facts.startSeconds;
    const window = {
      lanes: facts.lanes.map((_, lane) => lane),
      fromSeconds: facts.startSeconds + begin * length,
      toSeconds: facts.startSeconds + end * length,
    };
    const { text, flows } = await engine.chromeWindow({ dataSet, ...window });
    checked(text);
    const target = path.join(folder, `real.json`);
    fs.writeFileSync(target, text);
    const found = await sumsOf(target);
    const { rows } = await engine.timelineSums({ dataSet, ...window });
    expectAlike(found.sums, byName(rows, facts.states));
    expect(found.flows).toBe(flows);
    const kinds = new Map(facts.states.map(({ name, kind }) => [name, kind]));
    for (const { name, kind } of found.states) expect(kind, name).toBe(kinds.get(name) ?? kind);
  });
});
