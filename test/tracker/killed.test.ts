import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, temporaryFolder } from "./build";
import { opened, total } from "./opened";
import { eventsOfCut, type TraceEvent } from "./recording";
import { expectTraceEvents } from "./traceEventFormat";

const seed = Number(process.env.HEATFLOW_SEED) % 1_000_000;
const isFull = Boolean(process.env.HEATFLOW_FULL);

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("the tracker", () => {
  it(
    "leaves what it had up to the last second when it is killed",
    { timeout: isFull ? 900_000 : 180_000 },
    async () => {
      const program = build(folder, ["test/endless.cpp"]);
      const missing: number[] = [];
      for (let round = 0; round < (isFull ? 20 : 3); round++) {
        const output = path.join(folder, `killed-${round}.json`);
        const { turns, seconds } = await killedAfter(program, output, 1200 + ((seed * 37 + round * 411) % 900));
        const events = eventsOfCut(output);
        const rows = events.filter(({ name }) => name === "heatflow_contexts");
        expect(rows.length).toBeGreaterThan(0);
        expectTraceEvents(events);
        const counted = turnsOf(rows, events);
        expect(counted).toBeLessThanOrEqual(turns + 1);
        missing.push(turns - counted);
        const dataSet = await opened(output);
        expect(dataSet.warnings.map(({ isCut }) => isCut)).toEqual([true]);
        // What is open counts, so that all time is some region's, but for what came after the last sums. The kill may come
        // between sums and their events.
        const endSeconds = Math.max(...(dataSet.trace?.lanes ?? []).map((lane) => lane.endSeconds));
        expect(total(dataSet, "time")).toBeGreaterThan(endSeconds - 1);
        expect(total(dataSet, "time")).toBeLessThan(seconds);
      }
      // A turn takes a millisecond. A machine that is busy with other things may keep the writer from its turn once.
      missing.sort((a, b) => a - b);
      expect(missing[Math.floor(missing.length / 2)]).toBeLessThan(1000);
    },
  );
});

/** Calls of the region `turn` as the sums that were written in pieces say. */
function turnsOf(pieces: readonly TraceEvent[], events: readonly TraceEvent[]): number {
  const rowsOf = (event: TraceEvent) => event.args.rows as unknown as (readonly number[])[];
  const frames = events.filter(({ name }) => name === "heatflow_frames");
  const named = frames.flatMap(({ args }) => args.rows as unknown as { frame: number; name: string }[]);
  const turn = named.find(({ name }) => name === "turn")?.frame;
  return pieces
    .flatMap(rowsOf)
    .filter(([, , frame]) => frame === turn)
    .reduce((sum, [, , , calls]) => sum + calls, 0);
}

/** Kills a program that goes on for ever. @returns how many turns it said that it had done, and how long it was there */
async function killedAfter(
  program: string,
  output: string,
  milliseconds: number,
): Promise<{ turns: number; seconds: number }> {
  const began = performance.now();
  const child = spawn(program, { env: { ...process.env, HEATFLOW_OUTPUT: output } });
  let turns = 0;
  child.stdout.on("data", (data: Buffer) => (turns += data.toString().split("\n").length - 1));
  setTimeout(() => child.kill("SIGKILL"), milliseconds);
  await new Promise((resolve) => child.on("close", resolve));
  return { turns, seconds: (performance.now() - began) / 1000 };
}
