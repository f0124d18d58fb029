import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newCacheFolder, removeLeftOvers, TraceCache } from "../../../../src/engine/traces/traceCache";
import { RequestError } from "../../../../src/model/errors";

let parent: string;
const caches: TraceCache[] = [];

beforeEach(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-cache-test-"));
});

afterEach(async () => {
  for (const cache of caches.splice(0)) await cache.dispose();
  fs.rmSync(parent, { recursive: true, force: true });
});

function cacheOf(mostBytes = 1e9): TraceCache {
  const cache = new TraceCache({ folder: newCacheFolder(parent), mostBytes });
  caches.push(cache);
  return cache;
}

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

const bytes = (length: number, value = 7) => new Uint8Array(length).fill(value);

describe("the cache of traces", () => {
  it("reads back what was written and replaced, and nothing that is not there", async () => {
    const file = await cacheOf().opening().create();
    expect(await file.append(bytes(1000, 1))).toBe(0);
    const [second, third] = await Promise.all([file.append(bytes(10, 2)), file.append(bytes(20, 3))]);
    expect([second, third, file.size]).toEqual([1000, 1010, 1030]);
    await file.write(bytes(5, 9), 998);
    const read = new Uint8Array(40);
    await file.read(read, 990);
    expect([...read]).toEqual([...bytes(8, 1), ...bytes(5, 9), ...bytes(7, 2), ...bytes(20, 3)]);
    await expect(file.read(new Uint8Array(2), 1029)).rejects.toThrow();
    await expect(file.write(bytes(2), 1029)).rejects.toThrow();
  });

  it("makes no folder before there is something to write, and leaves nothing behind", async () => {
    const cache = cacheOf();
    expect(fs.readdirSync(parent)).toEqual([]);
    const file = await cache.opening().create();
    await file.append(bytes(100));
    expect(filesBelow(parent)).toHaveLength(1);
    await Promise.all([file.close(), file.close()]);
    expect(filesBelow(parent)).toEqual([]);
    await cache.opening().create();
    await cache.dispose();
    expect(fs.readdirSync(parent)).toEqual([]);
  });

  it("removes the files of one opening alone when that fails", async () => {
    const cache = cacheOf();
    const [one, other] = [cache.opening(), cache.opening()];
    await (await one.create()).append(bytes(10));
    const kept = await other.create();
    await kept.append(bytes(10, 4));
    await one.close();
    expect(filesBelow(parent)).toHaveLength(1);
    const read = new Uint8Array(10);
    await kept.read(read, 0);
    expect(read).toEqual(bytes(10, 4));
  });

  it("refuses what the setting does not allow, other windows counted, and says which setting", async () => {
    const cache = cacheOf(1000);
    const file = await cache.opening().create();
    await file.append(bytes(900));
    await expect(file.append(bytes(101))).rejects.toThrow(/heatflow\.limits\.cache/);
    const other = await cacheOf(1000).opening().create();
    await expect(other.append(bytes(101))).rejects.toBeInstanceOf(RequestError);
    await other.append(bytes(100));
    await file.close();
    const later = await cache.opening().create();
    await later.append(bytes(900));
  });

  it("says what to do where nothing can be written", async () => {
    const blocked = path.join(parent, "a file");
    fs.writeFileSync(blocked, "");
    const cache = new TraceCache({ folder: newCacheFolder(path.join(blocked, "below")), mostBytes: 1e9 });
    await expect(cache.opening().create()).rejects.toThrow(/cannot be written to .*a file/);
    if (!fs.existsSync("/dev/full")) return;
    const full = await cacheOf().opening().create();
    // The file is exchanged for a device without space, as a disk becomes full between two writes.
    const before = Reflect.get(full, "handle") as { close(): Promise<void> };
    const device = fs.openSync("/dev/full", "w");
    const write = async (data: Uint8Array, offset: number, length: number) =>
      fs.writeSync(device, data, offset, length);
    const close = async () => {
      fs.closeSync(device);
      await before.close();
    };
    Object.defineProperty(full, "handle", { value: { write, close } });
    await expect(full.append(bytes(10))).rejects.toThrow(/No space is left .*Remove files/);
  });

  it("removes what dead processes left behind, and nothing of the living, of others or by another name", async () => {
    const dead = spawnSync(process.execPath, ["-e", "0"]).pid;
    const own = path.basename(newCacheFolder(parent));
    const [, machine, pid, start] = /^heatflow-traces-(\w+)-(\d+)-(\d+)-/.exec(own) ?? [];
    const gone = [`heatflow-traces-${machine}-${dead}-1-aa`, `heatflow-traces-elsewhere-1-1-bb`];
    if (fs.existsSync("/proc/self/stat")) gone.push(`heatflow-traces-${machine}-${pid}-1-cc`);
    const kept = [
      `heatflow-traces-${machine}-${pid}-${start}-dd`,
      "heatflow-traces-elsewhere-1-1-ee",
      `my-heatflow-traces-${machine}-${dead}-1-ff`,
      "other",
    ];
    for (const name of [...gone, ...kept]) {
      fs.mkdirSync(path.join(parent, name));
      fs.writeFileSync(path.join(parent, name, "1.columns"), "x");
    }
    const monthAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
    fs.utimesSync(path.join(parent, gone[1]), monthAgo, monthAgo);
    await removeLeftOvers(parent);
    expect(fs.readdirSync(parent).sort()).toEqual([...kept].sort());
    await removeLeftOvers(path.join(parent, "not there"));
  });
});
