import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memorySource } from "../../../src/formats/byteSource";
import { assemble } from "../../../src/formats/caliper/assemble/assemble";
import type { Recording } from "../../../src/formats/caliper/decode/recording";
import type { ByteSource } from "../../../src/formats/byteSource";
import type { DataSet, Hierarchy } from "../../../src/model/dataSet";
import { CancelledError, FormatError } from "../../../src/model/errors";
import { quietTask, type Task, taskOf } from "../../../src/model/task";
import { mutations } from "../randomCases";
import { plainDataSet } from "./plainDataSet";

/** What the laws need of a reader. */
export interface ReaderUnderTest {
  sniff(head: Uint8Array): boolean;
  read(source: ByteSource, hierarchy: Hierarchy, task: Task, pieceBytes?: number): Promise<Recording>;
}

export async function readBytes(
  reader: ReaderUnderTest,
  bytes: Uint8Array | string,
  pieceBytes?: number,
): Promise<DataSet> {
  const recording = await reader.read(memorySource(bytes, "test"), "combined", quietTask, pieceBytes);
  return assemble("test", [recording], quietTask);
}

/**
 * What holds for every reader, whatever its format.
 *
 * @param fixtures whole small files of the format, by name
 */
export function readerLaws(reader: ReaderUnderTest, fixtures: Readonly<Record<string, string>>): void {
  // Two of the five places that have laws of Caliper.
  const damaged = mutations(0.2 / Object.keys(fixtures).length);
  describe.each(Object.entries(fixtures))("laws of all readers, on %s", (_, text) => {
    const bytes = Buffer.from(text, "utf8");

    it("is recognized by its content", () => {
      expect(reader.sniff(bytes.subarray(0, 64 << 10))).toBe(true);
    });

    it("gives the same data set in pieces of any size", async () => {
      const whole = await readBytes(reader, bytes);
      expect(whole.tree.size).toBeGreaterThan(0);
      for (const pieceBytes of [1, 7, 4096]) {
        const pieces = await readBytes(reader, bytes, pieceBytes);
        expect(plainDataSet(pieces)).toEqual(plainDataSet(whole));
        expect(pieces.warnings).toEqual(whole.warnings);
      }
    });

    it("cut anywhere, opens with a warning or says what is wrong", async () => {
      const whole = await readBytes(reader, bytes);
      for (let length = 0; length < bytes.length; length++) {
        const result = await outcome(reader, bytes.subarray(0, length));
        if (result instanceof FormatError) continue;
        expect(result.records).toBeLessThanOrEqual(whole.records);
        // What follows a complete recording (white space after JSON's last bracket) may be cut off unnoticed.
        if (bytes.subarray(length).toString().trim() !== "") expect(result.warnings).not.toEqual([]);
      }
    });

    it(
      "changed anywhere, opens or says what is wrong",
      async () => {
        const change = fc.record({
          at: fc.nat(bytes.length - 1),
          kind: fc.constantFrom("replace", "insert", "remove"),
          byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('0123456789,=\\\n\r"{}[]:-.einf'))),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
            let input: Buffer = bytes;
            for (const { at, kind, byte } of changes) {
              const place = Math.min(at, input.length);
              const rest = input.subarray(kind === "insert" ? place : place + 1);
              const own = kind === "remove" ? [] : [byte];
              input = Buffer.concat([input.subarray(0, place), Buffer.from(own), rest]);
            }
            const [result, inPieces] = [await outcome(reader, input), await outcome(reader, input, 7)];
            if (result instanceof FormatError) expect(inPieces).toBeInstanceOf(FormatError);
            else expect(plainDataSet(inPieces as DataSet)).toEqual(plainDataSet(result));
          }),
          { numRuns: damaged.count },
        );
      },
      damaged.milliseconds,
    );

    it("stops half way when it is cancelled, and says so", async () => {
      let pieces = 0;
      const task = taskOf(
        () => pieces * 7 > bytes.length / 2,
        () => pieces++,
      );
      await expect(reader.read(memorySource(bytes), "combined", task, 7)).rejects.toBeInstanceOf(CancelledError);
      expect(pieces * 7).toBeLessThan(bytes.length);
    });
  });
}

/** The data set, or the error that says what is wrong; anything else is a fault of the reader. */
async function outcome(
  reader: ReaderUnderTest,
  bytes: Uint8Array,
  pieceBytes?: number,
): Promise<DataSet | FormatError> {
  try {
    return await readBytes(reader, bytes, pieceBytes);
  } catch (problem) {
    if (problem instanceof FormatError) return problem;
    throw problem;
  }
}
