import { describe, expect, it } from "vitest";
import { memorySource, PieceWindow } from "../../../src/formats/byteSource";
import { unfinishedLine, wholeLines } from "../../../src/formats/lines";
import { quietTask } from "../../../src/model/task";

async function read(text: string, pieceBytes: number, mostBytes = 100) {
  const window = new PieceWindow(memorySource(text), quietTask, pieceBytes);
  const parts: string[] = [];
  for await (const end of wholeLines(window, mostBytes, () => new RangeError("too long") as never))
    parts.push(Buffer.from(window.bytes.subarray(window.start, end)).toString());
  return { parts, rest: Buffer.from(unfinishedLine(window)).toString() };
}

describe("lines of a text file", () => {
  it.each([1, 2, 3, 5, 64])("are whole in pieces of %i bytes", async (pieceBytes) => {
    const { parts, rest } = await read("one\n\ntwo three\nfour", pieceBytes);
    expect(parts.join("")).toBe("one\n\ntwo three\n");
    expect(parts.every((part) => part.endsWith("\n"))).toBe(true);
    expect(rest).toBe("four\n");
  });

  it("leave nothing behind the last line end", async () => {
    expect(await read("one\n", 64)).toEqual({ parts: ["one\n"], rest: "" });
    expect(await read("", 64)).toEqual({ parts: [], rest: "" });
  });

  it.each([4, 64])("may not be longer than said, in pieces of %i bytes", async (pieceBytes) => {
    await expect(read(`one\n${"x".repeat(11)}`, pieceBytes, 10)).rejects.toThrow("too long");
  });
});
