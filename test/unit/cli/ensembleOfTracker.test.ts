/** Ensembles of recordings that the tracker wrote, a folder per run: its own metadata is no parameter of a run. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { grammars } from "../engine/miniheat";

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true })));

interface TrackedRun {
  /** Folder of its files. */
  readonly name: string;
  readonly ranks: number;
}

/** Numbers that are others in each process, as a clock and a kernel give them. */
function* numbers(): Generator<number> {
  for (let next = 7919; ; next = (next * 48_271) % 2_147_483_647) yield next;
}

function ensembleOf(runs: readonly TrackedRun[], nameOf = (rank: number) => `heatflow-rank${rank}.json`): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-tracked-"));
  folders.push(folder);
  const next = numbers();
  const number = () => next.next().value as number;
  for (const { name, ranks } of runs) {
    const job = { started: number(), launcher: `${number()}.${number()}`, run: String(number()) };
    fs.mkdirSync(path.join(folder, name));
    for (let rank = 0; rank < ranks; rank++)
      fs.writeFileSync(path.join(folder, name, nameOf(rank)), recordingOf({ rank, ranks, job, number }));
  }
  return folder;
}

interface TrackedProcess {
  readonly rank: number;
  readonly ranks: number;
  readonly job: object;
  readonly number: () => number;
}

function recordingOf({ rank, ranks, job, number }: TrackedProcess): string {
  const process = number();
  const head = { version: 1, program: "heat", process, host: "node1", startNanoseconds: number() };
  const cost = { callerNanoseconds: (number() % 900) / 10, calleeNanoseconds: (number() % 900) / 10 };
  const inclusive = 10_000_000 + (number() % 1_000_000);
  return JSON.stringify({
    schemaVersion: 1,
    displayTimeUnit: "ms",
    baseTimeNanoseconds: 1_795_792_828_000_000_000,
    traceName: "heat",
    heatflow: Object.assign(head, job, { emptyRegionNanoseconds: (number() % 900) / 10 }),
    distributedInfo: { rank, world_size: ranks },
    traceEvents: [{ ph: "M", pid: process, tid: 0, name: "process_name", args: { name: "heat" } }],
    contexts: [{ id: 1, thread: process, frame: 0, calls: 1, inclusive, exclusive: inclusive }],
    lines: [{ frame: 0, name: "main", category: "computing" }],
    topology: { source: "/sys", hardwareThreads: 2, allowedHardwareThreads: ranks === 1 ? 1 : 2 },
    recordingCost: { processorNanoseconds: number(), writerNanoseconds: number(), region: cost, function: cost },
    heatflowEnd: { eventsDropped: 0, eventsTooShort: number() % 50, regionsTooDeep: 0 },
  });
}

async function printed(folder: string, ...args: string[]): Promise<string> {
  const request = ensembleArguments([folder, "--source", folder, "--first", ...args], process.cwd());
  return request.text(await request.run(localEngine(grammars)));
}

/** The lines that say what is scaled over. */
async function startOf(folder: string, ...args: string[]): Promise<string[]> {
  const lines = (await printed(folder, ...args)).split("\n");
  return lines
    .filter((line) => /^(?:Scaling starts|Also different)/.test(line))
    .map((line) => line.split(/ \(|\. /)[0]);
}

it("scale over ranks, with the size and the steps that their folders' names say", async () => {
  const names = ["np1-n10-s20", "np2-n10-s20", "np4-n10-s20", "np8-n6-s10"];
  const runs = names.map((name) => ({ name, ranks: Number(/^np(\d+)/.exec(name)?.[1]) }));
  for (const nameOf of [undefined, (rank: number) => `rank${rank}.json`]) {
    const folder = ensembleOf(runs, nameOf);
    const start = await startOf(folder, "--pattern", "np{ranks}-n{size}-s{steps}");
    expect(start).toEqual([
      "Scaling starts over ranks",
      "Also different: size is 6 at 8 ranks, else 10; steps 10, else 20; topology.allowedHardwareThreads is 1 at 1 rank, else 2",
    ]);
    const text = await printed(folder, "--pattern", "np{ranks}-n{size}-s{steps}");
    // The run of one rank is called as the others are.
    for (const name of names) expect(text).toMatch(new RegExp(`^${name} `, "m"));
    const inFolder = await startOf(folder, "--pattern", `${path.basename(folder)}/np{ranks}-n{size}-s{steps}`);
    expect(inFolder).toEqual(start);
  }
});

it("scale over sizes at one number of ranks", async () => {
  for (const ranks of [1, 3]) {
    const folder = ensembleOf(["n6", "n8", "n12"].map((name) => ({ name, ranks })));
    const pattern = ranks === 1 ? "n{size}/heatflow-rank0.json" : "n{size}";
    expect(await startOf(folder, "--pattern", pattern)).toEqual(["Scaling starts over size"]);
  }
});

it("scale over nothing if one run is repeated", async () => {
  for (const ranks of [1, 2]) {
    const folder = ensembleOf(["a", "b", "c", "d", "e"].map((name) => ({ name, ranks })));
    expect(await startOf(folder)).toEqual(["Scaling starts over no parameter"]);
  }
});
