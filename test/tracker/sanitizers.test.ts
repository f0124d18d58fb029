import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { expectLaws, saidCalls } from "./laws";
import { callsByName, readTrackerFile } from "./recording";

const seed = Number(process.env.HEATFLOW_SEED) % 1_000_000;
const isFull = Boolean(process.env.HEATFLOW_FULL);
const THREADS = 8;
const REGIONS = (isFull ? 10_000_000 : 1_000_000) / THREADS;

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("the tracker", () => {
  it.each(["thread", "address,undefined"])(
    "gives the %s sanitizer nothing to say",
    { timeout: 600_000 },
    (sanitizer) => {
      const program = build(folder, ["test/nested.cpp"], { flags: [`-fsanitize=${sanitizer}`] });
      const environment = { HEATFLOW_SAMPLE_PERIOD_MS: "3", HEATFLOW_SHORTEST_EVENT_NS: isFull ? "0" : "3000" };
      const ran = run(folder, program, [String(seed), String(THREADS), String(REGIONS)], environment);
      expect([ran.status, ran.complained]).toEqual([0, ""]);
      if (isFull) return;
      const file = readTrackerFile(ran.output);
      expect(callsByName(file)).toEqual(saidCalls(ran.said));
      expectLaws(file);
    },
  );
});
