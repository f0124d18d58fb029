import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memorySource, PieceWindow } from "../../../src/formats/byteSource";
import { FileSource } from "../../../src/formats/fileSource";
import { quietTask } from "../../../src/model/task";

let folder = "";
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-source-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("a file that is read in pieces", () => {
  it("gives every byte once, however much of a piece is used", async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
    for (const [piece, used] of [
      [1, 1],
      [7, 3],
      [64, 100],
      [4096, 1000],
    ]) {
      const window = new PieceWindow(memorySource(bytes), quietTask, piece);
      const seen: number[] = [];
      while (await window.more()) {
        const take = Math.min(used, window.end - window.start);
        expect(window.positionOf(window.start)).toBe(seen.length);
        seen.push(...window.bytes.subarray(window.start, window.start + take));
        window.start += take;
      }
      seen.push(...window.bytes.subarray(window.start, window.end));
      expect(seen).toEqual([...bytes]);
    }
  });

  it("that disappears says so, with the byte", async () => {
    const file = path.join(folder, "a.cali");
    fs.writeFileSync(file, Buffer.alloc(100));
    const source = await FileSource.open(file);
    expect(await source.read(new Uint8Array(10), 0)).toBe(10);
    fs.rmSync(file);
    await expect(source.read(new Uint8Array(90), 10)).rejects.toThrow(
      /a\.cali, byte 100: found that the file disappeared while it was read/,
    );
    await source.close();
  });

  it("that shrinks or is replaced says so", async () => {
    const file = path.join(folder, "a.cali");
    fs.writeFileSync(file, Buffer.alloc(100));
    const source = await FileSource.open(file);
    const target = new Uint8Array(10);
    fs.truncateSync(file, 35);
    await expect(source.read(target, 30)).rejects.toThrow(
      /byte 35: found that the file was changed, replaced or became shorter/,
    );
    await source.close();
    const other = await FileSource.open(file);
    fs.writeFileSync(path.join(folder, "b"), Buffer.alloc(100));
    fs.renameSync(path.join(folder, "b"), file);
    await other.read(target, 0);
    await expect(other.read(new Uint8Array(90), 10)).rejects.toThrow(/replaced/);
    await other.close();
  });

  it("that is not there or is a folder says so", async () => {
    await expect(FileSource.open(path.join(folder, "none"))).rejects.toThrow(
      /none: found no such file; expected a file that can be read\. Look for it in/,
    );
    await expect(FileSource.open(folder)).rejects.toThrow(/found a folder/);
  });

  it("leaves no rejected promise behind when a piece that nobody waits for fails", async () => {
    let reads = 0;
    const source = {
      name: "x",
      size: 100,
      read: async () => {
        if (reads++ > 0) throw new Error("later piece");
        return 10;
      },
      close: async () => undefined,
    };
    const window = new PieceWindow(source, quietTask, 10);
    await window.more();
    await window.settle();
    expect(reads).toBe(2);
  });
});
