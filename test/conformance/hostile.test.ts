import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import { FormatError } from "../../src/model/errors";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";

const shared = recordings();

const folder = path.join(shared ?? "", "data/hostile");

/** Seconds that a machine of today takes for {@link calibration}; a slower or busier one has as much more time. */
const USUAL_SECONDS = 0.25;
const MOST_SECONDS = 2;

describe.skipIf(shared === undefined)("an input that was made or found to take all time or memory", () => {
  it.each(shared === undefined ? [] : fs.readdirSync(folder))(
    "%s ends soon, as a data set or an error",
    async (name) => {
      const slower = Math.max(1, calibration() / USUAL_SECONDS);
      const start = performance.now();
      const ended = await openRecordings([path.join(folder, name)], {}, quietTask).catch((problem: unknown) => problem);
      const seconds = (performance.now() - start) / 1000;
      console.log(`${name}: ${seconds.toFixed(2)} s`);
      if (!Array.isArray(ended)) expect(ended).toBeInstanceOf(FormatError);
      expect(seconds).toBeLessThan(MOST_SECONDS * slower);
    },
  );
});

/** How long this machine takes now for a fixed piece of work. */
function calibration(): number {
  const start = performance.now();
  const bytes = new Uint8Array(1 << 24);
  let sum = 0;
  for (let round = 0; round < 12; round++) for (let at = 0; at < bytes.length; at++) sum = (sum + (bytes[at] ^ at)) | 0;
  expect(sum).not.toBe(1);
  return (performance.now() - start) / 1000;
}
