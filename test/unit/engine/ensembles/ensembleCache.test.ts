import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { EnsembleCache } from "../../../../src/engine/ensembles/ensembleCache";
import { localEngine } from "../../../../src/engine/localEngine";
import { systemFiles } from "../../../../src/formats/fileSource";
import { CancelledError } from "../../../../src/model/errors";
import { quietTask } from "../../../../src/model/task";
import { writeEnsemble } from "../../../bench/ensembleFiles";
import { CaliWriter, rank, regions, time, worldSize } from "../../formats/caliper/caliWriter";
import { RUN_FILE } from "../../../../src/model/runFacts";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-ensembles-"));
const runs = path.join(folder, "runs");
fs.mkdirSync(runs);
writeEnsemble(runs, { runs: 9, contexts: 40, ranks: 3 });
// Larger than what is read again as fast: comments cost the reader little.
for (const name of fs.readdirSync(runs)) fs.appendFileSync(path.join(runs, name), `#${"x".repeat(2_000_000)}\n`);
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function opened(cache: EnsembleCache | undefined, of = runs) {
  const engine = localEngine(grammars, { ensembleCache: cache });
  const [info] = await engine.open({ paths: [of], ensemble: {} });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "max" } as const;
  const graph = await engine.ensembleGraph({ scope, filter: 0, groupBy: "function", withRuns: true });
  const table = await engine.ensembleRuns(scope);
  await engine.dispose();
  return { graph, table, contexts: info.contexts };
}

describe("what was read of an ensemble's runs", () => {
  const cache = new EnsembleCache({ folder: path.join(folder, "cache"), mostBytes: 1e9, program: "1" });
  const states = async (of = cache, paths = [runs]) => {
    const found = await of.statesOf(paths, JSON.stringify(["runs", "combined"]), quietTask);
    return found ?? expect.fail("too small to be kept");
  };
  const kept = () => fs.readdirSync(path.join(folder, "cache"));

  it("is kept, and the same when it comes from there", async () => {
    const first = await opened(cache);
    expect(kept()).toHaveLength(1);
    expect(await cache.load(await states(), quietTask)).toMatchObject({ areAll: true });
    expect(await opened(cache)).toEqual(first);
    expect(kept()).toHaveLength(1);
  });

  it("counts no more once a file has changed, or where it is damaged", async () => {
    const { all } = await states();
    const [file] = fs.readdirSync(runs);
    fs.utimesSync(path.join(runs, file), new Date(1e12), new Date(1e12));
    expect((await states()).all).not.toBe(all);
    const before = await opened(cache);
    for (const name of kept()) {
      const whole = fs.readFileSync(path.join(folder, "cache", name));
      fs.writeFileSync(path.join(folder, "cache", name), whole.subarray(0, whole.length >> 1));
    }
    expect(await opened(cache)).toEqual(before);
  });

  it("counts no more where a byte of it is another, wherever that is", async () => {
    const now = await states();
    const file = path.join(folder, "cache", `${now.key}.runs`);
    const whole = fs.readFileSync(file);
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 50)) {
      const damaged = Uint8Array.from(whole);
      damaged[at] ^= 1;
      fs.writeFileSync(file, damaged);
      expect(await cache.load(now, quietTask), `byte ${at} of ${whole.length}`).toBeUndefined();
    }
    fs.writeFileSync(file, whole);
    expect(await cache.load(now, quietTask)).toBeDefined();
  });

  it("is of every file that is read beside those that are named, and of the program that reads", async () => {
    const [one] = fs.readdirSync(runs);
    const named = [path.join(runs, one)];
    const { key, all } = await states(cache, named);
    const beside = path.join(runs, "profile.db");
    fs.writeFileSync(beside, "values of a database of which only meta.db was named");
    expect((await states(cache, named)).all).not.toBe(all);
    fs.rmSync(beside);
    expect((await states(cache, named)).all).toBe(all);
    const other = new EnsembleCache({ folder: path.join(folder, "cache"), mostBytes: 1e9, program: "2" });
    expect((await states(other, named)).key).not.toBe(key);
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
    const all = await Promise.all(caches.map((one) => opened(one)));
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    expect(fs.readdirSync(own)).toHaveLength(1);
    expect(await caches[0].load(await states(caches[0]), quietTask)).toBeDefined();
  });

  it("makes room, and ends when it is cancelled", async () => {
    const small = new EnsembleCache({ folder: path.join(folder, "small"), mostBytes: 10, program: "1" });
    await opened(small);
    expect(fs.readdirSync(path.join(folder, "small"))).toEqual([]);
    await opened(cache);
    const now = await states();
    const check = () => {
      throw new CancelledError();
    };
    await expect(cache.load(now, { check })).rejects.toBeInstanceOf(CancelledError);
  });
});

describe("an ensemble of which one file is another than before", () => {
  const [here, apart] = [path.join(folder, "here", "some"), path.join(folder, "apart", "some")];
  const cache = () => new EnsembleCache({ folder: path.join(folder, "changed"), mostBytes: 1e9, program: "1" });
  const TIME = new Date(1_700_000_000_000);
  beforeAll(() => {
    for (const name of fs.readdirSync(runs)) put(name, fs.readFileSync(path.join(runs, name)));
  });

  /** A file, in the folder and in another one, which is opened without what was kept. */
  function put(name: string, bytes: Uint8Array, time = TIME): void {
    for (const into of [here, apart]) {
      fs.mkdirSync(into, { recursive: true });
      fs.writeFileSync(path.join(into, name), bytes);
      fs.utimesSync(path.join(into, name), time, time);
    }
  }
  const removed = (name: string) => [here, apart].forEach((from) => fs.rmSync(path.join(from, name)));
  const names = () => fs.readdirSync(apart).sort();
  const bytesOf = (name: string) => fs.readFileSync(path.join(apart, name));

  async function isAsRead(): Promise<void> {
    const [found, read] = [await opened(cache(), here), await opened(undefined, apart)];
    const withoutFolders = (one: typeof found) => JSON.parse(JSON.stringify(one).replaceAll(here, apart)) as unknown;
    expect(withoutFolders(found)).toEqual(withoutFolders(read));
  }

  it("has the runs that were added, changed, removed or renamed, as if all were read", async () => {
    await isAsRead();
    const [first, second, third, fourth] = names();
    put("added.cali", bytesOf(first));
    await isAsRead();
    put(second, Buffer.concat([bytesOf(second), bytesOf(first)]), new Date(1_800_000_000_000));
    await isAsRead();
    removed(third);
    await isAsRead();
    put("renamed.cali", bytesOf(fourth));
    removed(fourth);
    await isAsRead();
    // Another name of a run, and a rank of one whose other ranks come later.
    for (const of of [here, apart]) fs.linkSync(path.join(of, first), path.join(of, "z.cali"));
    await isAsRead();
    for (const rank of [0, 1]) {
      put(`rank${rank}.cali`, Buffer.from(rankFile(rank)));
      await isAsRead();
    }
    put("notes.txt", Buffer.from("no recording"));
    await isAsRead();
    // What a traced build has kept says more of all runs beside it.
    put(RUN_FILE, Buffer.from("{}"));
    await isAsRead();
    removed(RUN_FILE);
    await isAsRead();
  }, 60_000);

  it("reads no other file than that one", async () => {
    await isAsRead();
    const [one, ...others] = names().filter((name) => /^miniheat/.test(name));
    put("new.cali", bytesOf(one));
    const bytesRead = new Map<string, number>();
    const open = systemFiles.open;
    const opening = vi.spyOn(systemFiles, "open").mockImplementation(async (file) => {
      const handle = await open(file);
      const read: typeof handle.read = async (...asked) => {
        const done = await handle.read(...asked);
        const name = path.basename(file);
        bytesRead.set(name, (bytesRead.get(name) ?? 0) + done.bytesRead);
        return done;
      };
      return { read, stat: (options) => handle.stat(options), close: () => handle.close() };
    });
    try {
      await opened(cache(), here);
    } finally {
      opening.mockRestore();
    }
    expect(bytesRead.get("new.cali")).toBeGreaterThanOrEqual(bytesOf(one).length);
    // No more than the beginning, by which the format is known.
    for (const name of others) expect(bytesRead.get(name) ?? 0, name).toBeLessThan(1 << 17);
    await isAsRead();
  }, 60_000);

  it.each(["in place", "by a file of another inode"])(
    "has the numbers of a run that was replaced by one of the same size and time, %s",
    async (how) => {
      await isAsRead();
      const [name] = names().filter((one) => /^miniheat/.test(one));
      const before = fs.statSync(path.join(here, name));
      // Another second of time, written with as many digits.
      const bytes = Buffer.from(
        bytesOf(name)
          .toString()
          .replace(/(data=\d+=)([1-8])/, (_, start: string, digit: string) => `${start}${Number(digit) + 1}`),
      );
      expect(bytes.equals(bytesOf(name))).toBe(false);
      for (const into of [here, apart]) {
        const file = path.join(into, name);
        if (how === "in place") fs.writeFileSync(file, bytes);
        else {
          fs.writeFileSync(`${file}.new`, bytes);
          fs.renameSync(`${file}.new`, file);
        }
        fs.utimesSync(file, before.atime, before.mtime);
      }
      expect(fs.statSync(path.join(here, name))).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs });
      await isAsRead();
    },
    60_000,
  );
});

/** One of two ranks, of a recording with a file for each. */
function rankFile(of: number): string {
  const out = new CaliWriter();
  const work = out.branch(regions("main", "work"));
  const columns = `${out.attribute(rank)}=${out.attribute(time)}`;
  const size = `__rec=globals,ref=${out.branch([[worldSize, "2"]])}\n`;
  return `${out.text()}__rec=ctx,ref=${work},attr=${columns},data=${of}=${of + 1}\n${size}`;
}
