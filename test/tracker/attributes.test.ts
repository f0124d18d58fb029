import fs from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { opened, total } from "./opened";
import { readTrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const program = () => build(folder, ["test/attributes.cpp", "src/heatflow.cpp"], { flags: ["-ldl"] });

it("keeps of each attribute's values the least, the most and the last", () => {
  const { status, output } = run(folder, program(), ["2500"]);
  expect(status).toBe(0);
  const rows = readTrackerFile(output).attributes as unknown as Record<string, number | string>[];
  expect(rows).toHaveLength(1001);
  const of = (key: string) => rows.find((row) => row.key === key);
  expect(of("at")).toMatchObject({ count: 2500, least: 0, most: 2499, last: "2499" });
  expect(of("step 400")).toMatchObject({ count: 3, least: 400, most: 2400, last: "2400" });
  expect(of("step 600")).toMatchObject({ count: 2, least: 600, most: 1600, last: "1600" });
});

it("prints a report without characters that a terminal would obey", () => {
  const { complained } = run(folder, program(), ["1"], { HEATFLOW_REPORT: "1" });
  expect(complained).toContain(String.raw`\x1b]0;owned\x07\u202e\x9b\x9b  a\x09b.c:1`);
  expect(complained.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});

it("has its sums in a file that the disk had no room for", async () => {
  // A limit on the length of files stands for a disk that is full.
  const output = `${folder}/limited.json`;
  const script = 'trap "" XFSZ; ulimit -f 100; exec "$@"';
  const { complained } = run(folder, "/bin/bash", ["-c", script, "bash", program(), "200000"], {
    HEATFLOW_OUTPUT: output,
    HEATFLOW_METRICS: "0",
    HEATFLOW_SAMPLE_PERIOD_MS: "60000",
  });
  expect(complained).toContain("limited.json is not whole: File too large");
  const dataSet = await opened(output);
  expect(dataSet.warnings.some(({ isCut }) => isCut)).toBe(true);
  expect(total(dataSet, "calls")).toBeGreaterThan(0);
  expect(total(dataSet, "time")).toBeGreaterThan(0);
});
