import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { filesLeftOut } from "../turns.mjs";

afterEach(() => vi.unstubAllEnvs());

it("each file that takes long has its turn once in ten runs, and is there", () => {
  vi.stubEnv("HEATFLOW_TURN", undefined);
  expect(filesLeftOut()).toEqual([]);
  const turns = [...Array(10).keys()].map((turn) => {
    vi.stubEnv("HEATFLOW_TURN", String(turn));
    return filesLeftOut();
  });
  const all = [...new Set(turns.flat())];
  for (const file of all) {
    expect(turns.filter((leftOut) => leftOut.includes(file)).length, file).toBe(9);
    expect(fs.existsSync(path.join("test", file)), file).toBe(true);
  }
  expect(all).toContain("e2e/timeline.e2e.ts");
  expect(all).not.toContain("e2e/mainJob.e2e.ts");
  vi.stubEnv("HEATFLOW_TURN", "one");
  expect(filesLeftOut).toThrow("no number");
});
