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
  const cache = new EnsembleCache({ folder: path.join(folder, "cache"), mostBytes: 1e9, program: "1" });
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

  it("counts no more where a byte of it is another, wherever that is", async () => {
    const key = (await cache.keyOf([runs], JSON.stringify(["runs", "combined"]), quietTask)) ?? "";
    const file = path.join(folder, "cache", `${key}.runs`);
    const whole = fs.readFileSync(file);
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 50)) {
      const damaged = Uint8Array.from(whole);
      damaged[at] ^= 1;
      fs.writeFileSync(file, damaged);
      expect(await cache.load(key, quietTask), `byte ${at} of ${whole.length}`).toBeUndefined();
    }
    fs.writeFileSync(file, whole);
    expect(await cache.load(key, quietTask)).toBeDefined();
  });

  it("is of every file that is read beside those that are named, and of the program that reads", async () => {
    const [one] = fs.readdirSync(runs);
    const named = [path.join(runs, one)];
    const key = await cache.keyOf(named, "", quietTask);
    const beside = path.join(runs, "profile.db");
    fs.writeFileSync(beside, "values of a database of which only meta.db was named");
    expect(await cache.keyOf(named, "", quietTask)).not.toBe(key);
    fs.rmSync(beside);
    expect(await cache.keyOf(named, "", quietTask)).toBe(key);
    const other = new EnsembleCache({ folder: path.join(folder, "cache"), mostBytes: 1e9, program: "2" });
    expect(await other.keyOf(named, "", quietTask)).not.toBe(key);
  });

  it("leaves nothing behind of a program that was ended while it wrote", async () => {
    const own = path.join(folder, "ended");
    fs.mkdirSync(own);
    const [old, young] = ["a.runs.1-1", "b.runs.1-1"].map((name) => path.join(own, name));
    for (const file of [old, young]) fs.writeFileSync(file, "half");
    fs.utimesSync(old, new Date(1e12), new Date(1e12));
    await opened(new EnsembleCache({ folder: own, mostBytes: 1e9, program: "1" }));
    expect(fs.existsSync(old)).toBe(false);
    expect(fs.existsSync(young)).toBe(true);
  });

  it("is whole when several windows write it at once", async () => {
    const own = path.join(folder, "several");
    const caches = [1, 2, 3].map(() => new EnsembleCache({ folder: own, mostBytes: 1e9, program: "1" }));
    const all = await Promise.all(caches.map(opened));
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    const [name, ...others] = fs.readdirSync(own);
    expect(others).toEqual([]);
    expect(await caches[0].load(name.replace(".runs", ""), quietTask)).toBeDefined();
  });

  it("makes room, and ends when it is cancelled", async () => {
    const small = new EnsembleCache({ folder: path.join(folder, "small"), mostBytes: 10, program: "1" });
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
