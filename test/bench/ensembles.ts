import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { EnsembleCache } from "../../src/engine/ensembles/ensembleCache";
import { localEngine } from "../../src/engine/localEngine";
import { ReaderPool } from "../../src/engine/readers/readerPool";
import { grammarsBeside } from "../../src/source/grammar";
import { type EnsembleShape, writeEnsemble } from "./ensembleFiles";

/** How long an ensemble takes to open, and to be drawn from. */
export interface EnsembleBench {
  readonly what: string;
  readonly seconds: number;
  /** Seconds at most. */
  readonly budget: number;
  /** The most memory of the process until then. */
  readonly megabytes: number;
  readonly bars: number;
}

/** 1.6 GB of text; and as many files as people keep of nightly runs. */
const LARGE: EnsembleShape = { runs: 1000, contexts: 2000, ranks: 16 };
const MANY: EnsembleShape = { runs: 10_000, contexts: 200, ranks: 1 };

export async function benchEnsembles(): Promise<EnsembleBench[]> {
  const rows: EnsembleBench[] = [];
  for (const [shape, again] of [
    [LARGE, true],
    [MANY, false],
  ] as const) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-"));
    try {
      const runs = path.join(folder, "runs");
      fs.mkdirSync(runs);
      writeEnsemble(runs, shape);
      const cache = new EnsembleCache({ folder: path.join(folder, "cache"), mostBytes: 10e9, program: "bench" });
      const what = `${shape.runs} runs of ${shape.contexts} contexts on ${shape.ranks === 1 ? "one rank" : `${shape.ranks} ranks`}`;
      rows.push({ what: `opening ${what}`, budget: 20, ...(await open(runs, cache)) });
      if (again) rows.push({ what: `opening ${what} again`, budget: 2, ...(await open(runs, cache)) });
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

async function open(folder: string, ensembleCache: EnsembleCache) {
  const readers = new ReaderPool({ script: path.resolve("dist", "reader.js") });
  const engine = localEngine(grammarsBeside(path.resolve("dist")), { readers, ensembleCache });
  const start = performance.now();
  const [info] = await engine.open({ paths: [folder], ensemble: {} });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  const graph = await engine.ensembleGraph({ scope, filter: 0.1, groupBy: "function" });
  const seconds = (performance.now() - start) / 1000;
  const megabytes = process.resourceUsage().maxRSS / 1000;
  await engine.dispose();
  return { seconds, megabytes, bars: graph.bars.size };
}
