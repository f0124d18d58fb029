import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buildProgram } from "../../src/traced/build";
import { tracedTask } from "../../src/traced/definition";
import { thisMachine } from "../../src/traced/machine";
import { measuring } from "../../src/traced/measuring";
import { runStep } from "../../src/traced/processes";
import { runtimeLibrary } from "../../src/traced/runtime";
import type { Step } from "../../src/traced/steps";

/** Cells per side and steps of miniheat: some seconds of one core. */
const SIZE = ["64", "66"];
/** Rounds in which every way runs once; HEATFLOW_BENCH_PAIRS: fewer, for a machine that is not one's own. */
const PAIRS = Number(process.env.HEATFLOW_BENCH_PAIRS ?? 11);
const SPEED_SECONDS = 5;

/** Ways of running miniheat, beside as it is. */
const ways = [
  { name: "25 metrics", tool: "tracker", metrics: "25" },
  { name: "100 metrics", tool: "tracker", metrics: "100" },
  { name: "instrument", tool: "instrument", metrics: "25" },
] as const;

export interface TrackerBench {
  /** Of processors, in the program as it is: the median. */
  readonly plainSeconds: number;
  readonly pairs: number;
  /**
   * Time of processors in all threads, the tracker's own too, as multiples of the plain program's: medians of pairs, the least and the
   * most. On a machine with other work, and run times that differ by half, these differ by a few percent.
   */
  readonly ways: readonly { name: string; ratio: number; least: number; most: number; runTimeRatio: number }[];
  /** Nanoseconds. */
  readonly emptyRegion: number;
  readonly twoReadings: number;
  /** With a region per microsecond, on one thread and on two: events that found room, per second and thread. */
  readonly kept: readonly { threads: number; perSecond: number; dropped: number }[];
}

/**
 * What the tracker costs: miniheat as it is and traced, in turn, and a program that does nothing but begin and end regions.
 *
 * @throws Error where a program fails, or prints something else when it is traced
 */
export async function benchTracker(): Promise<TrackerBench> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-tracker-"));
  try {
    const [plain, ...traced] = await programs(folder);
    const seconds: number[] = [];
    const ratios = ways.map((): number[] => []);
    const runTimeRatios = ways.map((): number[] => []);
    for (let pair = 0; pair < PAIRS; pair++) {
      const alone = await timed(plain, folder);
      seconds.push(alone.processorSeconds);
      // Each round begins with another one, so that none always comes after the same.
      for (let turn = 0; turn < traced.length; turn++) {
        const way = (pair + turn) % traced.length;
        const run = await timed(traced[way], folder);
        if (run.said !== alone.said) throw new Error(`miniheat with ${ways[way].name} prints something else`);
        removeRecording(folder, ways[way].name);
        ratios[way].push(run.processorSeconds / alone.processorSeconds);
        runTimeRatios[way].push(run.seconds / alone.seconds);
      }
    }
    return {
      plainSeconds: median(seconds),
      pairs: PAIRS,
      ways: ways.map(({ name }, way) => ({
        name,
        ratio: median(ratios[way]),
        least: Math.min(...ratios[way]),
        most: Math.max(...ratios[way]),
        runTimeRatio: median(runTimeRatios[way]),
      })),
      ...(await benchRegions(folder)),
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error where a way has recorded nothing: it would seem to cost nothing */
function removeRecording(folder: string, way: string): void {
  const recordings = fs.readdirSync(folder).filter((name) => /^heatflow-\d+\.json$/.test(name));
  if (recordings.length !== 1) throw new Error(`miniheat with ${way} has left ${recordings.length} recordings`);
  fs.rmSync(path.join(folder, recordings[0]));
}

/** miniheat as it is, and in each way, as a traced build makes and runs it. */
async function programs(folder: string): Promise<Step[]> {
  const machine = thisMachine(path.resolve("tracker"), {});
  const host = { signal: new AbortController().signal, output: () => undefined, say: () => undefined };
  const cwd = path.resolve("examples/miniheat");
  const build = async (tool: string) => {
    // callgrind takes a program as it is.
    const task = tracedTask({ tool, cwd, args: SIZE }, folder);
    const { folders } = await buildProgram(task, machine, host, checked);
    return { task, program: path.join(folders[0], "miniheat") };
  };
  const plain = await build("callgrind");
  const steps: Step[] = [{ title: "plain", command: plain.program, args: SIZE, env: {}, cwd }];
  for (const { name, tool, metrics } of ways) {
    const { task, program } = await build(tool);
    const { library, step } = await runtimeLibrary(task, machine);
    if (step !== undefined) await checked(step);
    const { run } = measuring(task, machine, { program, folder, flags: [], library });
    steps.push({ ...run, title: name, env: { ...run.env, HEATFLOW_METRICS: metrics } });
  }
  return steps;
}

async function benchRegions(folder: string): Promise<Pick<TrackerBench, "emptyRegion" | "twoReadings" | "kept">> {
  const program = path.join(folder, "speed");
  const source = path.resolve("tracker/test/speed.cpp");
  const args = ["-std=c++17", "-O2", "-pthread", "-Itracker/include", source, "-o", program];
  await checked({ title: "Compile", command: "c++", args, env: {}, cwd: process.cwd() });
  const [emptyRegions, readings]: number[][] = [[], []];
  const kept = [];
  for (const threads of [1, 2]) {
    const output = path.join(folder, "speed.json");
    const env = { HEATFLOW_OUTPUT: output };
    const { said } = await ran({
      title: "speed",
      command: program,
      args: [String(threads), String(SPEED_SECONDS)],
      env,
      cwd: folder,
    });
    const number = (name: string) => Number(new RegExp(`^${name} ([\\d.]+)$`, "m").exec(said)?.[1]);
    emptyRegions.push(number("region"));
    readings.push(number("readings"));
    const file = await fs.promises.open(output);
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1000), 0, 1000, Math.max(0, size - 1000));
    await file.close();
    const dropped = Number(/"eventsDropped":(\d+)/.exec(buffer.toString("utf8", 0, bytesRead))?.[1]);
    const asked = threads * SPEED_SECONDS * 1e6;
    kept.push({ threads, perSecond: (asked - dropped) / number("seconds") / threads, dropped });
  }
  return { emptyRegion: median(emptyRegions), twoReadings: median(readings), kept };
}

async function checked(step: Step): Promise<void> {
  await ran(step);
  await step.finish?.(new AbortController().signal);
}

/** Runs a program, with the time of processors that the shell around it tells. */
async function timed(step: Step, folder: string): Promise<{ seconds: number; processorSeconds: number; said: string }> {
  const times = path.join(folder, "times");
  const script = '"$@"; code=$?; times > "$TIMES"; exit $code';
  const args = ["-c", script, "sh", step.command, ...step.args];
  const run = await ran({ ...step, command: "sh", args, env: { ...step.env, TIMES: times } });
  // Its own times, then those of what it has started.
  const [, ofProgram] = fs.readFileSync(times, "utf8").trim().split("\n");
  const parts = [...ofProgram.matchAll(/(\d+)m([\d.]+)s/g)];
  const processorSeconds = parts.reduce((sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest), 0);
  return { ...run, processorSeconds };
}

/** Runs a program to its end. @throws Error where it fails, with what it said */
async function ran(step: Step): Promise<{ seconds: number; said: string }> {
  let said = "";
  const host = {
    signal: new AbortController().signal,
    output: (data: Buffer) => void (said += data.toString("utf8")),
  };
  const { code, seconds } = await runStep(step, host, process.env);
  if (code !== 0) throw new Error(`${step.title} failed: ${said}`);
  return { seconds, said };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
