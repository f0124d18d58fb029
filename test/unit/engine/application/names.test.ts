import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { quietTask } from "../../../../src/model/task";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-tree-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function namesIn(text: string): Promise<string[]> {
  const file = path.join(folder, "a.perf-script");
  fs.writeFileSync(file, text);
  const engine = localEngine(grammars);
  const [{ id, defaultMetric: metric }] = await engine.open({ paths: [file] }, quietTask);
  const { nodes } = await engine.application({ scope: { dataSet: id, metric, over: "sum" } }, quietTask);
  return nodes.map(({ name }) => name);
}

describe("contexts of an application tree", () => {
  it("that are lines are called by file and line, wherever their function's label is", async () => {
    const text = `solve 12/12 7.000001: 5 cycles:
\t1000 axpy+0x2 (/a)
  /src/vector.hpp:12 (inlined)
\t1000 solve+0x2 (/a)
  /src/solve.cpp:38
\t2000 main+0x9 (/a)
  /src/main.cpp:7

`;
    expect(await namesIn(text)).toEqual(["main", "main.cpp:7", "solve", "solve.cpp:38", "axpy", "vector.hpp:12"]);
  });

  it("keep their names if no file is known", async () => {
    expect(await namesIn("solve 12/12 7.000001: 5 cycles:\n\t1000 solve+0x2 (/a)\n\t2000 main (/a)\n\n")).toEqual([
      "main",
      "solve",
    ]);
  });
});
