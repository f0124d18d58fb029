/** Paje traces into microscopic models: a file beside pj_dump, and a stream of any length that another process writes. */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { pipeline } from "node:stream/promises";
import os from "node:os";
import path from "node:path";
import { overviewArguments } from "../../src/cli/overviewCommand";
import { SlicedCells } from "../../src/engine/overview/slicedCells";
import { localEngine } from "../../src/engine/localEngine";
import { readInnermost } from "../../src/formats/paje/innermost";
import { withContext } from "../../src/formats/readContext";
import { PairTable } from "../../src/model/pairTable";
import { quietTask } from "../../src/model/task";
import { grammars } from "../unit/engine/miniheat";
import { generate } from "./reading";
import { headOf } from "../unit/formats/paje/writer";

const ROUNDS = 5;
const SLICES = 30;
const RANKS = 700;
/** Ranks in a row of the wavefront. */
const ROW = 35;
const VALUES = ["computing", "PMPI_Recv", "PMPI_Send", "PMPI_Allreduce"];
const PIECE = 1 << 20;

export interface ModelSpeed {
  readonly megabytes: number;
  /** MB a second of CPU time, median, from the first byte to the model. */
  readonly speed: number;
  /** The same of Debian's pj_dump; undefined where it is not installed. */
  readonly pjDumpSpeed: number | undefined;
  readonly newlineSpeed: number;
}

/** From a file to the model of 30 slices, as the overview reads it where columns are not there. */
export async function benchPajeModel(bytes: number): Promise<ModelSpeed> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-"));
  try {
    const { path: file, bytes: size } = generate("paje", folder, bytes);
    const megabytes = size / 1e6;
    const content = fs.readFileSync(file);
    const { endSeconds } = await model(file, 1);
    const speeds: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      speeds.push(megabytes / (await cpuSeconds(() => model(file, endSeconds))));
    const newline = await cpuSeconds(() => {
      for (let at = content.indexOf(10); at >= 0;) at = content.indexOf(10, at + 1);
    });
    return {
      megabytes,
      speed: speeds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)],
      newlineSpeed: megabytes / newline,
      pjDumpSpeed: pjDumpSpeed(file, megabytes),
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function model(file: string, endSeconds: number) {
  const cells = new SlicedCells(0, endSeconds, SLICES);
  const rows = new PairTable();
  const taker = {
    spend(track: number, value: number, from: number, to: number, begins: boolean) {
      const row = rows.numberOf(track, value);
      cells.spend(row, from, to);
      if (begins) cells.count(row, from);
    },
    level: () => undefined,
  };
  const asked = { withVariables: false };
  return withContext({}, quietTask, (context) => readInnermost(file, new Set(), context, taker, asked, quietTask));
}

/** The whole of its time is the processor's: it writes to nowhere. */
function pjDumpSpeed(file: string, megabytes: number): number | undefined {
  const begun = performance.now();
  const { error, status } = spawnSync("pj_dump", ["-n", file], { stdio: "ignore" });
  return error || status !== 0 ? undefined : (1000 * megabytes) / (performance.now() - begun);
}

async function cpuSeconds(does: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await does();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

export interface StreamBench {
  readonly events: number;
  readonly megabytes: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakBytes: number;
  readonly partitions: number;
}

/** `heatflow overview -` of what another process writes: a wavefront on 700 ranks, as smpirun records it. Nothing is stored. */
export async function benchStream(events: number): Promise<StreamBench> {
  const writer = spawn(process.execPath, [process.argv[1], "--generate", "lu", "-", String(events)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let bytes = 0;
  writer.stdout.on("data", (piece: Buffer) => (bytes += piece.length));
  writer.stdout.pause();
  const request = overviewArguments(["-", "--json"], ".", () => writer.stdout);
  const begun = performance.now();
  let answer = "";
  const cpu = await cpuSeconds(async () => {
    const engine = localEngine(grammars);
    answer = request.text(await request.run(engine));
    await engine.dispose();
  });
  const { partitions, nodes } = JSON.parse(answer) as { partitions: unknown[]; nodes: unknown[] };
  if (nodes.length < RANKS) throw new Error(`the stream has ${nodes.length} resources`);
  return {
    events,
    megabytes: bytes / 1e6,
    cpuSeconds: cpu,
    wallSeconds: (performance.now() - begun) / 1000,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    partitions: partitions.length,
  };
}

/** What the generating process of a stream does: to its output, at the pace of who reads it. */
export async function writeStream(_name: string, events: number): Promise<void> {
  await pipeline(luTrace(events), process.stdout);
}

/**
 * Each rank waits for its neighbours in the north and west, computes, sends to the south and
 * east; now and then all reduce. Deterministic.
 */
function* luTrace(events: number): Generator<string> {
  let piece = `${headOf()}0 1 0 MPI\n2 2 1 MPI_STATE\n4 3 0 1 1 MPI_LINK\n`;
  VALUES.forEach((name, at) => (piece += `5 ${at + 4} 2 ${name} "0 1 0"\n`));
  for (let rank = 1; rank <= RANKS; rank++) piece += `6 0.000000000 ${rank} 1 0 "rank-${rank - 1}"\n`;
  let [written, nanoseconds] = [0, 0];
  const later = (by: number) => {
    nanoseconds += by;
    return `${Math.floor(nanoseconds / 1e9)}.${String(nanoseconds % 1e9).padStart(9, "0")}`;
  };
  for (let step = 0; written < events; step++) {
    for (let rank = 1; rank <= RANKS; rank++) {
      let now = later(100 + (rank % 7));
      for (const from of [rank % ROW === 1 ? 0 : rank - 1, rank > ROW ? rank - ROW : 0]) {
        if (from === 0) continue;
        const end = later(200);
        piece += `12 ${now} 2 ${rank} 5\n16 ${end} 3 0 PTP ${rank} ${from}_${rank}_3_${step}\n13 ${end} 2 ${rank}\n`;
        now = end;
        written += 3;
      }
      const done = later(700 + (step % 11));
      piece += `12 ${now} 2 ${rank} 4\n13 ${done} 2 ${rank}\n`;
      now = done;
      written += 2;
      for (const to of [rank % ROW === 0 ? 0 : rank + 1, rank + ROW <= RANKS ? rank + ROW : 0]) {
        if (to === 0) continue;
        const end = later(200);
        piece += `12 ${now} 2 ${rank} 6\n15 ${now} 3 0 PTP ${rank} ${rank}_${to}_3_${step}\n13 ${end} 2 ${rank}\n`;
        now = end;
        written += 3;
      }
      if (step % 40 === 39) {
        piece += `12 ${now} 2 ${rank} 7\n13 ${later(50)} 2 ${rank}\n`;
        written += 2;
      }
      if (piece.length > PIECE) {
        yield piece;
        piece = "";
      }
    }
  }
  for (let rank = 1; rank <= RANKS; rank++) piece += `7 ${later(1)} 1 ${rank}\n`;
  yield piece;
}
