import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { EnsembleCache } from "../../../../src/engine/ensembles/ensembleCache";
import { localEngine } from "../../../../src/engine/localEngine";
import { CancelledError } from "../../../../src/model/errors";
import { quietTask } from "../../../../src/model/task";
import { writeEnsemble } from "../../../bench/ensembleFiles";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-ensembles-"));
const runs = path.join(folder, "runs");
fs.mkdirSync(runs);
writeEnsemble(runs, { runs: 9, contexts: 40, ranks: 3 });
// Larger than what is read again as fast: comments cost the reader little.
for (const name of fs.readdirSync(runs)) fs.appendFileSync(path.join(runs, name), `#${"x".repeat(2_000_000)}\n`);
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function opened(cache: EnsembleCache) {
  const engine = localEngine(grammars, { ensembleCache: cache });
  const [info] = await engine.open({ paths: [runs], ensemble: {} });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "max" } as const;
  const graph = await engine.ensembleGraph({ scope, filter: 0, groupBy: "function", withRuns: true });
  const table = await engine.ensembleRuns(scope);
  await engine.dispose();
  return { graph, table, contexts: info.contexts };
}

describe("what was read of an ensemble's runs", () => {
  const cache = new EnsembleCache({ folder: path.join(folder, "cache"), mostBytes: 1e9 });
  const kept = () => fs.readdirSync(path.join(folder, "cache"));

  it("is kept, and the same when it comes from there", async () => {
    const first = await opened(cache);
    expect(kept()).toHaveLength(1);
    const key = await cache.keyOf([runs], JSON.stringify(["runs", "combined"]), quietTask);
    expect(await cache.load(key ?? "", quietTask)).toBeDefined();
    expect(await opened(cache)).toEqual(first);
    expect(kept()).toHaveLength(1);
  });

  it("counts no more once a file has changed, or where it is damaged", async () => {
    const key = (await cache.keyOf([runs], "", quietTask)) ?? "";
    const [file] = fs.readdirSync(runs);
    fs.utimesSync(path.join(runs, file), new Date(1e12), new Date(1e12));
    expect(await cache.keyOf([runs], "", quietTask)).not.toBe(key);
    const before = await opened(cache);
    for (const name of kept()) {
      const whole = fs.readFileSync(path.join(folder, "cache", name));
      fs.writeFileSync(path.join(folder, "cache", name), whole.subarray(0, whole.length >> 1));
    }
    expect(await opened(cache)).toEqual(before);
  });

  it("makes room, and ends when it is cancelled", async () => {
    const small = new EnsembleCache({ folder: path.join(folder, "small"), mostBytes: 10 });
    await opened(small);
    expect(fs.readdirSync(path.join(folder, "small"))).toEqual([]);
    await opened(cache);
    const key = (await cache.keyOf([runs], JSON.stringify(["runs", "combined"]), quietTask)) ?? "";
    const check = () => {
      throw new CancelledError();
    };
    await expect(cache.load(key, { check })).rejects.toBeInstanceOf(CancelledError);
  });
});
