import fc from "fast-check";
import { expect, it } from "vitest";
import { memorySource } from "../../../../src/formats/byteSource";
import { Entities } from "../../../../src/formats/paje/decode/entities";
import { InnermostFacts } from "../../../../src/formats/paje/decode/innermost";
import { Simulation } from "../../../../src/formats/paje/decode/simulation";
import { readTrace } from "../../../../src/formats/paje/scan/namedFiles";
import { Problems } from "../../../../src/formats/paje/scan/problems";
import { StateLines } from "../../../../src/formats/paje/scan/stateLines";
import { quietTask } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";
import { headOf } from "./writer";

const declaredAt = (zero: string) =>
  `${headOf()}0 1 0 MPI\n2 2 1 STATE\n4 3 0 1 1 LINK\n5 4 2 send "0 1 0"\n5 5 2 receive "0 1 0"\n6 ${zero} 7 1 0 "rank-0"\n6 ${zero} rank-with-a-long-name 1 0 "rank-1"\n`;

/** As tools write times, and as none should. */
const time = fc.oneof(
  // Of one length, and alike but for what stands last.
  { weight: 6, arbitrary: fc.nat(3).map((last) => `1.00000012${last}`) },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(3), fc.nat(999_999_999)).map(([s, ns]) => `${s}.${`${ns}`.padStart(9, "0")}`),
  },
  fc
    .tuple(fc.nat(12), fc.integer({ min: 0, max: 12 }), fc.nat(9))
    .map(([s, places, digit]) => `${s}.${`${digit}`.repeat(places)}`),
  fc.constantFrom(
    "5",
    "123456789",
    "1234567890",
    "3999999999.999999999",
    "4000000000.5",
    "99999999.12345678",
    "1e1",
    "2.5e-3",
    "1.12345678:",
    "1.1234:678",
    "1.123/5678",
    ".5",
    "x",
    "-1.00000000",
  ),
);
/** Counts the lines that it reads. */
class CountedLines extends StateLines {
  count = 0;

  override scan(...line: Parameters<StateLines["scan"]>): number {
    const next = super.scan(...line);
    this.count += this.lines;
    return next;
  }
}

const line = fc
  .tuple(
    fc.constantFrom("12", "13", "15", "16", " 12", "12\t", "99"),
    fc.option(time, { nil: undefined }),
    fc.constantFrom(" ", "  ", "\t"),
    fc.constantFrom("7", "rank-with-a-long-name", "8", '"7"'),
    fc.constantFrom("4", "5", "other", '"in quotes"'),
    fc.constantFrom("", " ", " # said", " 1"),
  )
  .map(([id, at, blank, owner, value, end]) => {
    const isLink = id === "15" || id === "16";
    const rest = isLink ? "3 0 PTP 7 key" : `2 ${owner}${id.trim() === "12" ? ` ${value}` : ""}`;
    return { id, at, text: (when: string) => `${id}${blank}${when}${blank}${rest}${end}\n` };
  });

it("lines of states read many at once say what they say one by one, however times are written and wherever pieces end", async () => {
  let read = 0;
  let readAtOnce = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: 16, max: 400 }),
      fc.constantFrom("0", "1.5", "1234567890.123456789", "3999999999.999999999", "-7.25", "1e18"),
      async (lines, pieceBytes, zero) => {
        // A line without a time of its own has that of the line before.
        let latest = "0.000000000";
        const text = declaredAt(zero) + lines.map(({ at, text }) => text((latest = at ?? latest))).join("");
        const told = async (withStateLines: boolean) => {
          const entities = new Entities("some.trace");
          const problems = new Problems();
          const pieces: unknown[] = [];
          const taker = {
            // Names: links that are passed over have no values.
            spend: (track: number, value: number, ...when: unknown[]) =>
              void pieces.push([track, value < 0 ? "" : entities.valueNameOf(value), ...when]),
            level: () => undefined,
          };
          const simulation = new Simulation(entities, new InnermostFacts(taker, 0, () => 0), problems);
          const context = {
            open: () => Promise.resolve({ ...memorySource(text), pieceBytes }),
            head: () => Promise.reject(new Error("no other file is named")),
          };
          const stateLines = withStateLines ? new CountedLines(simulation, true) : undefined;
          const settle = () => Promise.resolve();
          await readTrace("some.trace", new Set(), simulation, problems, context, settle, quietTask, stateLines);
          simulation.finish(quietTask);
          readAtOnce += stateLines?.count ?? 0;
          return { pieces, lastSeconds: simulation.lastSeconds };
        };
        const plain = await told(false);
        read += plain.pieces.length;
        expect(await told(true)).toEqual(plain);
      },
    ),
    { numRuns: casesOf(600) },
  );
  expect(read).toBeGreaterThan(0);
  expect(readAtOnce).toBeGreaterThan(0);
});
