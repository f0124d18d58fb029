import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localEngine, type LocalEngine } from "../../../../src/engine/localEngine";
import { newCacheFolder, TraceCache } from "../../../../src/engine/traces/traceCache";
import { CancelledError, RequestError } from "../../../../src/model/errors";
import { taskOf } from "../../../../src/model/task";
import type { Trace } from "../../../../src/model/trace";
import { miniheat } from "../../../recordings";
import { plainTrace } from "../../formats/plainTrace";
import { grammars } from "../miniheat";

/** Eight ranks, a file each. */
const events = Array.from({ length: 8 }, (_, rank) => path.join(miniheat, `profiles/trace/events-${rank}.cali`));
let parent: string;

beforeEach(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-trace-files-"));
});

afterEach(() => {
  fs.rmSync(parent, { recursive: true, force: true });
});

/** An engine that keeps hardly anything of a trace in memory. */
function engineOnDisk(mostBytes = 1e9): LocalEngine {
  const traceCache = new TraceCache({ folder: newCacheFolder(parent), mostBytes, memoryBytes: 10_000 });
  return localEngine(grammars, { traceCache });
}

function files(): string[] {
  return fs
    .readdirSync(parent, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

async function traceOf(engine: LocalEngine, dataSet: number): Promise<Trace> {
  const { trace } = await engine.withTrace(dataSet);
  if (!trace) throw new Error("the recording has no trace");
  return trace;
}

describe("a trace on disk", () => {
  it("is the one in memory, and goes when its data set is closed", async () => {
    const [onDisk, inMemory] = [engineOnDisk(), localEngine(grammars)];
    const [info] = await onDisk.open({ paths: events });
    const [other] = await inMemory.open({ paths: [...events].reverse() });
    // The profile comes first.
    expect(files()).toEqual([]);
    expect(onDisk.traceSeconds(info.id)).toBeNull();
    expect(await plainTrace(await traceOf(onDisk, info.id))).toEqual(
      await plainTrace(await traceOf(inMemory, other.id)),
    );
    expect(onDisk.traceSeconds(info.id)).toBeGreaterThan(0);
    // Only what is read by window is left: sorting needs its own file no more.
    expect(files()).toHaveLength(1);
    expect(await onDisk.messagePairs({ dataSet: info.id, limit: 100 })).toEqual(
      await inMemory.messagePairs({ dataSet: other.id, limit: 100 }),
    );
    const [again] = await onDisk.open({ paths: events });
    // Two that ask at once wait for the same columns.
    await Promise.all([onDisk.lanes({ dataSet: again.id, limit: 1 }), onDisk.categories({ dataSet: again.id })]);
    expect(files()).toHaveLength(2);
    await onDisk.close({ dataSet: info.id });
    expect(files()).toHaveLength(1);
    expect((await onDisk.lanes({ dataSet: again.id, limit: 1 })).rows).toHaveLength(1);
    await onDisk.dispose();
    expect(fs.readdirSync(parent)).toEqual([]);
  });

  it("leaves nothing when its reading is cancelled, wherever that is", async () => {
    const engine = engineOnDisk();
    let asked = 0;
    const counting = taskOf(
      () => (asked++, false),
      () => undefined,
    );
    const [info] = await engine.open({ paths: events });
    await engine.lanes({ dataSet: info.id, limit: 1 }, counting);
    await engine.close({ dataSet: info.id });
    const [slow] = await engine.open({ paths: events });
    const query = { dataSet: slow.id, limit: 1 };
    for (let part = 1; part < 8; part++) {
      let left = Math.floor((asked * part) / 8);
      const task = taskOf(
        () => left-- <= 0,
        () => undefined,
      );
      await expect(engine.lanes(query, task)).rejects.toBeInstanceOf(CancelledError);
      expect(files()).toEqual([]);
    }
    // Another question's cancel is not this one's.
    let cancelled = false;
    const other = taskOf(
      () => cancelled,
      () => (cancelled = true),
    );
    const both = await Promise.allSettled([engine.lanes(query, other), engine.lanes(query)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("leaves nothing when its data set is closed meanwhile", async () => {
    const engine = engineOnDisk();
    const [info] = await engine.open({ paths: events });
    const asked = engine.lanes({ dataSet: info.id, limit: 1 }).catch((problem: unknown) => problem);
    await engine.close({ dataSet: info.id });
    expect(await asked).toBeInstanceOf(RequestError);
    expect(files()).toEqual([]);
  });

  it("is not made of a file that has changed since the profile was read, which is said", async () => {
    const copies = events.map((file) => path.join(parent, path.basename(file)));
    events.forEach((file, rank) => fs.copyFileSync(file, copies[rank]));
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: copies });
    fs.appendFileSync(copies[5], "__rec=ctx\n");
    await expect(engine.lanes({ dataSet: info.id, limit: 1 })).rejects.toThrow(
      /events-5\.cali: found that the file has changed/,
    );
    expect(await engine.total({ dataSet: info.id, metric: info.defaultMetric, over: "sum" })).toBeGreaterThan(0);
  });

  it.each(["in place", "by a file of another inode"])(
    "is not made of a file of the same size and time that took the place of one, %s",
    async (how) => {
      const copies = events.map((file) => path.join(parent, path.basename(file)));
      events.forEach((file, rank) => fs.copyFileSync(file, copies[rank]));
      // A whole second: what may be set is no nanosecond.
      fs.utimesSync(copies[5], 1e9, 1e9);
      const before = fs.statSync(copies[5]);
      const engine = localEngine(grammars);
      const [info] = await engine.open({ paths: copies });
      const other = fs.readFileSync(copies[5]);
      other[other.lastIndexOf("\n")] = " ".charCodeAt(0);
      const file = how === "in place" ? copies[5] : `${copies[5]}.new`;
      fs.writeFileSync(file, other);
      fs.renameSync(file, copies[5]);
      fs.utimesSync(copies[5], before.atime, before.mtime);
      expect(fs.statSync(copies[5])).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs });
      await expect(engine.lanes({ dataSet: info.id, limit: 1 })).rejects.toThrow(
        /events-5\.cali: found that the file has changed/,
      );
    },
  );

  it("is refused where it needs more than the setting allows, and leaves nothing", async () => {
    const engine = engineOnDisk(20_000);
    const [info] = await engine.open({ paths: events });
    const refused = await engine.lanes({ dataSet: info.id, limit: 1 }).catch((problem: unknown) => problem);
    expect(refused).toBeInstanceOf(RequestError);
    expect((refused as Error).message).toContain("heatflow.limits.cache");
    expect(files()).toEqual([]);
  });
});
