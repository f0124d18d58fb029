import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CostColumn } from "../../../../src/formats/callgrind/costColumn";
import { finalRows, identity, RowOrder } from "../../../../src/formats/callgrind/orderedRows";
import { Pairs } from "../../../../src/formats/callgrind/pairs";
import { quietTask } from "../../../../src/model/task";

const key = fc.oneof(fc.nat(5), fc.nat(70_000), fc.constantFrom(65_535, 65_536, 2 ** 31 - 1));

describe("columns of callgrind's costs", () => {
  it("number distinct pairs in the order of arrival", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, key), { maxLength: 2000 }), (list) => {
        const pairs = new Pairs();
        const known = new Map<string, number>();
        for (const [first, second] of list) {
          const text = `${first},${second}`;
          if (!known.has(text)) known.set(text, known.size);
          expect(pairs.of(first, second)).toBe(known.get(text));
        }
        expect(pairs.size).toBe(known.size);
      }),
    );
  });

  it("sort by one key after the other, the least first", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat(3)), { maxLength: 300 }), (list) => {
        const second = Int32Array.from(list, ([one]) => one);
        const first = Int32Array.from(list, ([, one]) => one);
        const turned = Int32Array.of(3, 0, 2, 1);
        const order = new RowOrder(list.length).sortBy(second, undefined, quietTask);
        const found = [...order.sortBy(first, turned, quietTask).take()];
        const expected = [...list.keys()].sort((a, b) => turned[first[a]] - turned[first[b]] || second[a] - second[b]);
        expect(found).toEqual(expected);
      }),
    );
  });

  it("hold sums exactly, small and large, whatever the order: rows that are one in the end are added up", () => {
    const cost = fc.oneof(fc.nat(9), fc.constantFrom(2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 2 ** 50, -7));
    const added = fc.array(fc.tuple(fc.nat(7), cost), { maxLength: 60 });
    fc.assert(
      fc.property(added, fc.boolean(), fc.boolean(), fc.boolean(), (list, dense, every, apart) => {
        const column = new CostColumn(dense);
        // Rows 0 and 4, 1 and 5, … become one; where they are apart, each half of them is at a location of its own.
        const locationOf = (row: number) => (apart && row >= 4 ? 1 : 0);
        const sums = new Map<string, bigint>();
        const rows = identity(8);
        for (const row of rows) if (every) column.add(row, locationOf(row), 0);
        for (const [row, value] of list) {
          if (value === 0) continue;
          column.add(row, locationOf(row), value);
          const cell = `${row % 4} ${locationOf(row)}`;
          sums.set(cell, (sums.get(cell) ?? 0n) + BigInt(value));
        }
        const final = Int32Array.from(rows, (row) => row % 4);
        const order = new RowOrder(rows.length).sortBy(final, undefined, quietTask).take();
        const locations = { column: Int32Array.from(rows, locationOf), of: identity(2) };
        const keys = [{ column: final, of: identity(4) }];
        const ordered = finalRows(order, keys, new Int32Array(8), apart ? locations : undefined, quietTask);
        const divisor = 2;
        const built = column.build(ordered, identity(apart ? 2 : 1), divisor, every, quietTask);
        const found = new Map<string, number>();
        for (let row = 0; row < 4; row++)
          for (let at = built.rowStart[row]; at < built.rowStart[row + 1]; at++)
            found.set(`${row} ${built.column[at]}`, built.value[at]);
        for (const [cell, sum] of sums) expect(found.get(cell)).toBe(Number(sum) / divisor);
        const cells = every ? (apart ? 8 : 4) : sums.size;
        expect(found.size).toBe(cells);
      }),
    );
  });
});
