import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { casesOf } from "../../randomCases";
import { grammars } from "../miniheat";

const COLUMNS = 20;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-strip-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Samples of two threads, at milliseconds from 0 to 2,000. */
const samples = fc.array(fc.record({ thread: fc.nat(1), ms: fc.nat(2000) }), { minLength: 2, maxLength: 60 });

it("samples of a thread have a strip: a column is filled if one of them is in it", async () => {
  await fc.assert(
    fc.asyncProperty(samples, async (all) => {
      const times = all.map(({ ms }) => ms);
      const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
      // On which side of a border rounding leaves a sample is no matter here.
      const isOnBorder = (ms: number) => ms !== first && ms !== last && ((ms - first) * COLUMNS) % (last - first) === 0;
      fc.pre(last > first && !times.some(isOnBorder));
      const inOrder = [...all].sort((a, b) => a.ms - b.ms);
      const text = inOrder.map(
        ({ thread, ms }) => `solve 12/${12 + thread} ${(7 + ms / 1000).toFixed(6)}: 5 cycles: \n\t1000 f (/solve)\n\n`,
      );
      const file = path.join(folder, "a.perf.txt");
      fs.writeFileSync(file, text.join(""));
      const engine = localEngine(grammars);
      const [{ id }] = await engine.open({ paths: [file] });
      const { kind, rows } = await engine.timelineStrip({ dataSet: id, columns: COLUMNS, rows: 10 });
      // Lanes stand in the order of their first samples.
      const threads = [...new Set(inOrder.map(({ thread }) => thread))];
      expect(rows).toBe(threads.length);
      for (const [lane, thread] of threads.entries()) {
        const columns = all.flatMap(({ thread: own, ms }) =>
          own === thread ? [Math.min(COLUMNS - 1, Math.floor(((ms - first) * COLUMNS) / (last - first)))] : [],
        );
        const found = [...kind.subarray(lane * COLUMNS, (lane + 1) * COLUMNS)];
        expect(found.map((one) => one > 0)).toEqual(Array.from({ length: COLUMNS }, (_, at) => columns.includes(at)));
      }
      await engine.close({ dataSet: id });
    }),
    { numRuns: casesOf(100) },
  );
});
