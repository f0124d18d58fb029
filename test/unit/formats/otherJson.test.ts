import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRecordings } from "../../../src/formats/registry";
import { FormatError } from "../../../src/model/errors";
import { quietTask } from "../../../src/model/task";

let folder = "";
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-other-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What is said of a file that is no recording. */
async function saidOf(content: unknown): Promise<string> {
  const file = path.join(folder, "a.json");
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  const problem: unknown = await openRecordings([file], {}, quietTask).catch((reason: unknown) => reason);
  if (!(problem instanceof FormatError)) throw new Error("it is no recording");
  return problem.message.slice(file.length);
}

const operator = (id: number) => ({ name: "aten::add", id, rf_id: id, parent: 1, inputs: [] });
const executionTrace = { schema: "1.0.1", pid: 7, time: "now", start_ts: 1, nodes: [operator(2), operator(3)] };
const node = { id: 1, callFrame: { functionName: "(root)", url: "", lineNumber: -1 }, hitCount: 0, children: [2] };

describe("JSON of other tools", () => {
  it.each([
    ["an execution trace of PyTorch", executionTrace],
    [
      "a later one, whose nodes begin with other keys",
      { nodes: [{ id: 5, name: "a", ctrl_deps: 1 }], schema: "1.1.1-chakra.0.0.4" },
    ],
    ["one without line ends, cut short", JSON.stringify(executionTrace).slice(0, 150)],
  ])("that is %s has no times, which is said", async (_, content) => {
    const message = await saidOf(content);
    expect(message).toContain("found an execution trace of PyTorch, which has no times");
    expect(message).not.toContain("Caliper");
  });

  it.each([
    ["a CPU profile of V8", { nodes: [node], startTime: 1, endTime: 2, samples: [1], timeDeltas: [1] }],
    ["one with its samples first", { samples: [1, 1], timeDeltas: [1, 2], nodes: [node] }],
    [
      "one of old versions, whose nodes are nested",
      { head: { functionName: "(root)", children: [] }, startTime: 1, endTime: 2 },
    ],
  ])("that is %s is named", async (_, content) => {
    const message = await saidOf(content);
    expect(message).toContain("found a CPU profile of V8");
    expect(message).not.toContain("Caliper");
  });

  it("that is neither is none of them, whatever its keys are", async () => {
    for (const content of [
      { nodes: [{ id: 1 }], links: [] },
      { schema: "x", nodes: [] },
      { nodes: {} },
      [1, 2],
      { head: 1 },
    ])
      expect(await saidOf(content)).toContain("found JSON that is no profile; expected a recording");
  });
});
