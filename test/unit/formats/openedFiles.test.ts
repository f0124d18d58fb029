import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileSystem, systemFiles } from "../../../src/formats/fileSource";
import { Folders } from "../../../src/formats/folders";
import { OpenedFiles } from "../../../src/formats/openedFiles";
import { openRecordings } from "../../../src/formats/registry";
import { CancelledError } from "../../../src/model/errors";
import { quietTask, taskOf } from "../../../src/model/task";
import { casesOf } from "../randomCases";
import { CaliWriter, rank, regions, time, worldSize } from "./caliper/caliWriter";

let folder = "";
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-opened-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
}

/** The recording of one rank. @param records more of them make a larger file */
function recording(of: number, ranks: number, records = 1): string {
  const out = new CaliWriter();
  for (let at = 0; at < records; at++)
    out.snapshot(
      [regions("main")],
      [
        [rank, of],
        [time, at + 0.5],
      ],
    );
  out.globals([[worldSize, `${ranks}`]]);
  return out.text();
}

/** The system's files, and how often each call was made; open files are counted while they are open. */
function counted() {
  const calls = { stat: 0, list: 0, open: 0 };
  let opened = 0;
  const files: FileSystem = {
    stat: (file) => (calls.stat++, systemFiles.stat(file)),
    list: (place) => (calls.list++, systemFiles.list(place)),
    async open(file) {
      calls.open++;
      const handle = await systemFiles.open(file);
      opened++;
      return {
        stat: (options) => (calls.stat++, handle.stat(options)),
        read: (...given) => handle.read(...given),
        close: () => (opened--, handle.close()),
      };
    },
  };
  return { files, calls, stillOpen: () => opened };
}

describe("an opening of many files", () => {
  it("lists their folder once, and looks at and opens each of them once", async () => {
    const many = casesOf(8192);
    for (let of = 0; of < many; of++) write(`rank-${of}.cali`, recording(of, many));
    const { files, calls, stillOpen } = counted();
    const [run, ...others] = await openRecordings([folder], { files }, quietTask);
    expect(others).toEqual([]);
    expect(run.warnings).toEqual([]);
    expect(run.locations.length).toBe(many);
    // One more to see that the folder is one.
    expect(calls).toEqual({ list: 1, open: many, stat: many + 1 });
    expect(stillOpen()).toBe(0);
  });

  it("does so where the files themselves are named, packed ones too", async () => {
    const names = [0, 1, 2, 3].map((of) => write(`${of}`, recording(of, 5)));
    names.push(write("packed", zlib.gzipSync(recording(4, 5))));
    const { files, calls } = counted();
    await openRecordings(names, { files }, quietTask);
    expect(calls).toEqual({ list: 1, open: 5, stat: 6 });
  });

  it("takes as much memory for one more file as the file has", async () => {
    const file = write("small.cali", recording(0, 1));
    let largest = 0;
    const { files } = counted();
    const open: FileSystem["open"] = async (name) => {
      const handle = await files.open(name);
      const read: typeof handle.read = (target, ...rest) => {
        largest = Math.max(largest, target.buffer.byteLength);
        return handle.read(target, ...rest);
      };
      return { stat: (options) => handle.stat(options), read, close: () => handle.close() };
    };
    await openRecordings([file], { files: { ...files, open } }, quietTask);
    expect(largest).toBeLessThanOrEqual(fs.statSync(file).size);
  });
});

describe("a file that others change while it is read", () => {
  const large = () => write("large.cali", recording(0, 1, 60_000));
  /** Opens it, and does something to it once a part of it was read. */
  const openAnd = (file: string, change: () => void) => {
    let changed = false;
    const task = taskOf(
      () => false,
      (fraction) => {
        if (changed || fraction === undefined || fraction === 0) return;
        changed = true;
        change();
      },
    );
    return openRecordings([file], {}, task);
  };

  it("in place is an error, though it stays as long as it was", async () => {
    const file = large();
    const overwrite = () => {
      const handle = fs.openSync(file, "r+");
      fs.writeSync(handle, "#", 10);
      fs.closeSync(handle);
    };
    await expect(openAnd(file, overwrite)).rejects.toThrow(/large\.cali, byte \d+: found that the file was changed/);
  });

  it("in place is an error where its time was set back and another file took its place", async () => {
    const file = large();
    const times = fs.statSync(file);
    const replace = () => {
      fs.copyFileSync(file, `${file}.new`);
      fs.utimesSync(`${file}.new`, times.atime, times.mtime);
      fs.renameSync(`${file}.new`, file);
    };
    await expect(openAnd(file, replace)).rejects.toThrow(/found that the file was changed, replaced/);
  });

  it("by writing on is read as far as it was, and that is said", async () => {
    const file = large();
    const size = fs.statSync(file).size;
    const [{ warnings, records }] = await openAnd(file, () => fs.appendFileSync(file, "__rec=ctx,ref=1\n"));
    expect(warnings).toContainEqual({
      file,
      message: "a program still writes this file: 16 bytes came while it was read. Open it again to see them",
    });
    fs.truncateSync(file, size);
    expect((await openRecordings([file], {}, quietTask))[0].records).toBe(records);
  });

  it("and has half a record at its end is read up to its last whole one", async () => {
    const text = recording(0, 1, 5);
    const end = text.lastIndexOf("__rec=ctx");
    const [{ warnings, locations }] = await openRecordings(
      [write("growing.cali", text.slice(0, end + 12))],
      {},
      quietTask,
    );
    expect(locations.length).toBe(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      "the file ends in the middle of a line: what stands before it was read, the rest is missing",
    ]);
  });
});

describe("links in a folder of recordings", () => {
  const files = async () => (await openRecordings([folder], {}, quietTask)).flatMap((one) => one.files).sort();

  it("are followed to files that lie elsewhere", async () => {
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-elsewhere-"));
    try {
      fs.writeFileSync(path.join(elsewhere, "one"), recording(0, 2));
      fs.symlinkSync(path.join(elsewhere, "one"), path.join(folder, "rank-0"));
      write("rank-1", recording(1, 2));
      expect(await files()).toEqual([path.join(folder, "rank-0"), path.join(folder, "rank-1")]);
    } finally {
      fs.rmSync(elsewhere, { recursive: true });
    }
  });

  it("give each file once, under its own name", async () => {
    const real = write("real", recording(0, 1));
    fs.symlinkSync("real", path.join(folder, "a-link"));
    fs.symlinkSync("a-link", path.join(folder, "b-link"));
    fs.linkSync(real, path.join(folder, "second name"));
    expect(await files()).toEqual([real]);
    const link = path.join(folder, "a-link");
    expect((await openRecordings([folder, link], {}, quietTask)).flatMap((one) => one.files)).toEqual([link]);
  });

  it("in a circle, to nothing and to folders lead nowhere", async () => {
    const real = write("real", recording(0, 1));
    fs.symlinkSync("circle-2", path.join(folder, "circle-1"));
    fs.symlinkSync("circle-1", path.join(folder, "circle-2"));
    fs.symlinkSync("nothing", path.join(folder, "dangling"));
    fs.symlinkSync(".", path.join(folder, "itself"));
    expect(await files()).toEqual([real]);
  });
});

it("a companion that is not there does not fail the opening", async () => {
  const opened = new OpenedFiles(systemFiles, new Folders(systemFiles));
  await expect(opened.read(path.join(folder, "default.yaml"), 1)).rejects.toThrow("no such file");
  expect(await opened.warnings(quietTask)).toEqual([]);
  await opened.close();
});

it("a cancel is noticed while thousands of files are closed, and none stays open", async () => {
  const { files, stillOpen } = counted();
  const opened = new OpenedFiles(files, new Folders(files));
  const written = Array.from({ length: 600 }, (_, at) => write(`rank-${at}`, "text"));
  for (const file of written) await opened.head(file);
  let openAtCheck = 0;
  const check = () => {
    openAtCheck = stillOpen();
    throw new CancelledError();
  };
  await expect(opened.warnings({ check })).rejects.toThrow(CancelledError);
  expect(openAtCheck).toBeGreaterThan(100);
  await opened.close();
  expect(stillOpen()).toBe(0);
});
