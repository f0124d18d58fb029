import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { exported, linesOf } from "./commands";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-export-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** What callgrind writes of a `main` at line 16 that calls `func1` once and `func2` three times. */
const recording = `# callgrind format
events: Instructions

fl=file1.c
fn=main
16 20
cfn=func1
calls=1 50
16 400
cfi=file2.c
cfn=func2
calls=3 20
17 400

fn=func1
51 100
cfi=file2.c
cfn=func2
calls=2 20
51 300

fl=file2.c
fn=func2
20 700

totals: 820
`;

it("export --call-graph gives the costs of lines and calls as callgrind wrote them", async () => {
  const file = path.join(folder, "callgrind.out.1");
  fs.writeFileSync(file, recording);
  const { text, warnings } = await exported([file, "--call-graph"]);
  const cost = { location: expect.anything(), metric: "Instructions", unit: "1" };
  expect(linesOf(text)).toEqual([
    { function: "func1", file: "file1.c", line: 51, ...cost, exclusive: 100 },
    { function: "func2", file: "file2.c", line: 20, ...cost, exclusive: 700 },
    { function: "main", file: "file1.c", line: 16, ...cost, exclusive: 20 },
    { caller: "func1", callee: "func2", file: "file1.c", line: 51, calls: 2, ...cost, inclusive: 300 },
    { caller: "main", callee: "func1", file: "file1.c", line: 16, calls: 1, ...cost, inclusive: 400 },
    { caller: "main", callee: "func2", file: "file1.c", line: 17, calls: 3, ...cost, inclusive: 400 },
  ]);
  expect(warnings).toEqual([]);
});

it("export says that calling contexts are estimated, and keeps their total", async () => {
  const file = path.join(folder, "callgrind.out.1");
  fs.writeFileSync(file, recording);
  const { text, warnings } = await exported([file]);
  expect(warnings).toEqual([expect.stringContaining("estimated from a call graph")]);
  const exclusive = linesOf<{ exclusive: number }>(text).map((line) => line.exclusive);
  expect(exclusive.reduce((a, b) => a + b, 0)).toBeCloseTo(820, 9);
});
