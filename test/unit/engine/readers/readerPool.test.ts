import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReaderPool, readingThreads } from "../../../../src/engine/readers/readerPool";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { openRecordings } from "../../../../src/formats/registry";
import { CancelledError, FormatError } from "../../../../src/model/errors";
import { quietTask, taskOf } from "../../../../src/model/task";
import { miniheat } from "../../../recordings";
import { bundleReader } from "../../../workerBundle";
import { plain } from "../../formats/formatLaws";
import { ranksOfTrace } from "../../formats/caliper/traceFixtures";

const events = Array.from({ length: 8 }, (_, rank) => path.join(miniheat, `profiles/trace/events-${rank}.cali`));
const messages = events.map((file) => file.replace("events-", "messages-"));
let folder: string;
let script: string;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-readers-"));
  script = path.join(folder, "reader.js");
  await bundleReader(script);
});

afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function pool(threads: number): ReaderPool {
  return new ReaderPool({ script, threads, leastBytes: 0 });
}

async function opened(paths: readonly string[], threads?: number, task = quietTask) {
  const readers = threads === undefined ? undefined : pool(threads);
  return openRecordings(paths, { outlineOnly: true, readers }, task);
}

/** With columns, so that what a second reading makes of them is compared as well. */
async function whole(paths: readonly string[], threads?: number) {
  const dataSets = await opened(paths, threads);
  return plain(
    await Promise.all(
      dataSets.map(async (dataSet) => ({ ...dataSet, trace: await dataSet.readTrace?.(memoryColumnFiles, quietTask) })),
    ),
  );
}

/** Files that this process has open. */
function openFiles(): string[] {
  return fs
    .readdirSync("/proc/self/fd")
    .flatMap((fd) => {
      try {
        return [fs.readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return [];
      }
    })
    .filter((name) => name.endsWith(".cali"));
}

describe("files that several threads read", () => {
  it("give the same bits, whatever the number of threads and the order of files", async () => {
    const alone = await whole([...events, ...messages]);
    for (const threads of [2, 3, 8])
      expect(await whole([...messages].reverse().concat(events), threads), `${threads} threads`).toEqual(alone);
  });

  it("are of every form: samples, json of both kinds, devices, iterations", async () => {
    const profiles = path.join(miniheat, "profiles");
    const files = fs.readdirSync(profiles).filter((name) => /\.(cali|json)$/.test(name));
    const paths = files.map((name) => path.join(profiles, name));
    expect(paths.length).toBeGreaterThan(3);
    expect(await whole(paths, 2)).toEqual(await whole(paths));
  });

  it("say which packed files were cut, also behind their last line", async () => {
    const packed = path.join(folder, "packed");
    fs.mkdirSync(packed);
    const paths = Object.entries(ranksOfTrace()).map(([name, text]) => {
      const file = path.join(packed, `${name}.gz`);
      const bytes = zlib.gzipSync(text);
      // Without the checksum all text is there.
      fs.writeFileSync(file, name.startsWith("1") ? bytes.subarray(0, -8) : bytes);
      return file;
    });
    const alone = await whole(paths);
    const cut = (await opened(paths)).flatMap(({ warnings }) => warnings.filter(({ isCut }) => isCut));
    expect(cut.map(({ file }) => path.basename(file ?? ""))).toEqual(["1.cali.gz"]);
    for (const threads of [2, 3]) expect(await whole(paths, threads), `${threads} threads`).toEqual(alone);
  });

  it("say what is wrong with the first file that cannot be read, as one thread does", async () => {
    const broken = path.join(folder, "broken");
    fs.mkdirSync(broken);
    for (const [name, text] of Object.entries(ranksOfTrace())) fs.writeFileSync(path.join(broken, name), text);
    const damaged = ["1.cali", "2.cali"].map((name) => path.join(broken, name));
    for (const file of damaged) fs.appendFileSync(file, "__rec=ctx,ref=987654,attr=1,data=2\n");
    const paths = fs.readdirSync(broken).map((name) => path.join(broken, name));
    const problemOf = (threads?: number) => opened(paths, threads).catch((problem: unknown) => problem);
    const alone = await problemOf();
    expect(alone).toBeInstanceOf(FormatError);
    for (const threads of [2, 3]) expect(await problemOf(threads)).toEqual(alone);
    // Where the folder was named, what cannot be read is left out with a warning.
    const rest = await opened([broken]);
    const shared = await opened([broken], 2);
    expect(await plain(shared)).toEqual(await plain(rest));
    expect(shared[0].warnings.map(({ message }) => message).join()).toContain("left out");
  });

  it("are let go of when the reading is cancelled, wherever that is", async () => {
    for (const after of [0, 1, 3]) {
      let asked = 0;
      const task = taskOf(
        () => asked++ > after,
        () => undefined,
      );
      const readers = pool(3);
      const reading = openRecordings(events, { outlineOnly: true, readers }, task);
      await expect(reading).rejects.toBeInstanceOf(CancelledError);
      expect(openFiles()).toEqual([]);
      expect(readers.bytes).toBe(0);
    }
  });

  it("fail with a thread that cannot start", async () => {
    // The others' errors come after the first has ended the reading.
    const readers = new ReaderPool({ script: path.join(folder, "none.js"), threads: 8, leastBytes: 0 });
    await expect(openRecordings(events, { outlineOnly: true, readers }, quietTask)).rejects.toThrow(/none\.js/);
  });

  it("are few or small where starting threads would take longer", async () => {
    const readers = new ReaderPool({ script, threads: 2 });
    const file = { file: events[0], named: true, siblings: new Set<string>() };
    expect(await readers.pay([file, file])).toBe(false);
    expect(await pool(2).pay([file])).toBe(false);
    expect(await pool(2).pay([file, file])).toBe(true);
  });

  it("are read by one thread less than there are cores, by two at least and eight at most", () => {
    expect(readingThreads()).toBe(Math.min(8, Math.max(2, os.availableParallelism() - 1)));
  });
});
