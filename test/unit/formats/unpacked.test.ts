import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PieceWindow } from "../../../src/formats/byteSource";
import { FileSource } from "../../../src/formats/fileSource";
import { headOf } from "../../../src/formats/unpacked";
import { CancelledError } from "../../../src/model/errors";
import { quietTask, taskOf } from "../../../src/model/task";
import { openPath } from "./openPath";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-unpacked-"));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

function write(name: string, content: Uint8Array | string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
}

/** Everything that a file holds, read piece by piece. */
async function contentOf(file: string, ratio = 200, task = quietTask): Promise<Buffer> {
  const source = await openPath(file, ratio);
  try {
    const window = new PieceWindow(source, task);
    const pieces: Buffer[] = [];
    while (await window.more()) {
      pieces.push(Buffer.from(window.bytes.subarray(window.start, window.end)));
      window.start = window.end;
    }
    return Buffer.concat(pieces);
  } finally {
    await source.close();
  }
}

const text = Array.from({ length: 200_000 }, (_, at) => `line ${at * 7919}\n`).join("");

describe("packed files", () => {
  it("hold what gzip put into them, in one member or several", async () => {
    const half = text.length >> 1;
    const one = write("one", zlib.gzipSync(text));
    const two = write("two", Buffer.concat([zlib.gzipSync(text.slice(0, half)), zlib.gzipSync(text.slice(half))]));
    expect((await contentOf(one)).toString()).toBe(text);
    expect((await contentOf(two)).toString()).toBe(text);
    expect((await contentOf(write("plain", text))).toString()).toBe(text);
  });

  it("say what they are by their first bytes, packed or not", async () => {
    const expected = { bytes: new Uint8Array(Buffer.from(text.slice(0, 100))), whole: false };
    const head = async (file: string) => {
      const source = await FileSource.open(file);
      return headOf(source, 100).finally(() => source.close());
    };
    expect(await head(write("packed", zlib.gzipSync(text)))).toEqual({ ...expected, packed: true });
    expect(await head(write("plain", text))).toEqual({ ...expected, packed: false });
    expect(await head(write("short", zlib.gzipSync("abc")))).toMatchObject({ whole: true });
  });

  it.each([1, 3, 10])("cut after %i bytes, before any content, are an error that says so", async (length) => {
    const file = write("cut", zlib.gzipSync(text).subarray(0, length));
    if (length < 3) return expect((await contentOf(file)).length).toBe(length);
    await expect(contentOf(file)).rejects.toThrow(
      /cut, byte \d+: found the end of the file; expected further packed data/,
    );
  });

  it.each([500, 20_000, 300_000, 400_000])("cut after %i bytes, hold all that is packed before", async (length) => {
    const packed = zlib.gzipSync(text);
    expect(packed.length).toBeGreaterThan(length);
    const part = packed.subarray(0, length);
    const expected = zlib.gunzipSync(part, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
    expect((await contentOf(write("cut", part))).equals(expected)).toBe(true);
  });

  it("damaged, are an error that says so", async () => {
    const packed = Buffer.from(zlib.gzipSync(text));
    packed.fill(0xff, 2000, 2100);
    await expect(contentOf(write("damaged", packed))).rejects.toThrow(
      /damaged, byte \d+: found packed data that cannot/,
    );
  });

  it("that would fill the memory are refused where the limit is passed, and opened with a higher limit", async () => {
    // 100 MB of zeros pack a thousand times smaller.
    const file = write("bomb", zlib.gzipSync(Buffer.alloc(100e6)));
    const peak = process.memoryUsage().arrayBuffers;
    await expect(contentOf(file, 200)).rejects.toThrow(
      /bomb, byte \d+: found more than \d+ bytes when it is unpacked.*heatflow\.limits\.unpacked/,
    );
    expect(process.memoryUsage().arrayBuffers - peak).toBeLessThan(150e6);
    expect((await contentOf(file, 2000)).length).toBe(100e6);
  });

  it("report how much of them was read, and stop when cancelled", async () => {
    const fractions: (number | undefined)[] = [];
    const file = write("one", zlib.gzipSync(text.repeat(4)));
    await contentOf(file, 200, { check: () => undefined, progress: (fraction) => void fractions.push(fraction) });
    expect(fractions.length).toBeGreaterThan(5);
    expect(fractions).toEqual([...fractions].sort((a, b) => Number(a) - Number(b)));
    expect(fractions.at(-1)).toBe(1);
    let asked = 0;
    const cancelled = taskOf(
      () => asked++ > 3,
      () => undefined,
    );
    await expect(contentOf(file, 200, cancelled)).rejects.toBeInstanceOf(CancelledError);
  });
});
