import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EntryLog } from "../../../src/model/entryLog";
import { SparseBuilder } from "../../../src/model/values";

const value = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  fc.constantFrom(2 ** 53 - 1, -(2 ** 53 - 1), Number.NaN, Number.POSITIVE_INFINITY, 0.1, 0.2, 0.3),
);
const entry = fc.tuple(fc.nat(6), fc.nat(4), value);
const permuted = (size: number) => fc.shuffledSubarray([...Array(size).keys()], { minLength: size, maxLength: size });

describe("a log of entries", () => {
  it("gives the same matrix as adding up cell by cell", () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 60 }),
        permuted(7),
        permuted(5),
        fc.constantFrom("sum" as const, "minimum" as const, "maximum" as const),
        (entries, contexts, locations, combine) => {
          const log = new EntryLog(combine);
          const builder = new SparseBuilder(combine);
          for (const [context, location, one] of entries) {
            log.add(context, location, one);
            builder.add(context, location, one);
          }
          const final = [7, Int32Array.from(contexts), Int32Array.from(locations), 1e3, 2] as const;
          expect(log.build(...final)).toEqual(builder.build(...final));
        },
      ),
    );
  });

  it("sums a lone -0 to 0", () => {
    const log = new EntryLog();
    log.add(0, 0, -0);
    expect(log.build(1, Int32Array.of(0), Int32Array.of(0)).value[0]).toBe(0);
  });

  it("keeps what another one held, over several chunks", () => {
    const [log, other, builder] = [new EntryLog(), new EntryLog(), new SparseBuilder()];
    const [contextOf, locationOf] = [Int32Array.of(1, 0), Int32Array.of(2, 1, 0)];
    for (let at = 0; at < 200_000; at++) {
      log.add(at % 2, at % 3, at);
      other.add(at % 2, at % 3, -0.5 * at);
      builder.add(at % 2, at % 3, at);
      builder.add(1 - (at % 2), 2 - (at % 3), -0.5 * at);
    }
    log.absorb(other, contextOf, locationOf);
    const same = [2, Int32Array.of(0, 1), Int32Array.of(0, 1, 2)] as const;
    expect(other.size).toBe(0);
    expect(log.build(...same)).toEqual(builder.build(...same));
    expect(log.total()).toBe(builder.total());
  });
});
