import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CostColumn } from "../../../../../src/formats/callgrind/decode/costColumn";
import { LineLog } from "../../../../../src/formats/callgrind/decode/lineLog";
import { distinctLines, orderLines } from "../../../../../src/formats/callgrind/assemble/orderedLines";
import { finalRows, identity, RowSorter } from "../../../../../src/formats/callgrind/assemble/orderedRows";
import { firstCell, locationOfCell } from "../../../../../src/model/lineValues";
import { quietTask } from "../../../../../src/model/task";

const key = fc.oneof(fc.nat(5), fc.nat(70_000), fc.constantFrom(65_535, 65_536, 2 ** 31 - 1));

describe("columns of callgrind's costs", () => {
  it("put lines in order as sorting all of them by node, file, line and location does", () => {
    // Place p stands for node, file and location; several of them for the same node and file.
    const ranks = {
      node: Int32Array.of(2, 0, 1, 0, 0, 2, 1),
      file: Int32Array.of(1, 2, 0, 1, 2, 1, 1),
      location: Int32Array.of(0, 1, 0, 0, 0, 1, 1),
    };
    const run = fc.record({ place: fc.nat(6), lines: fc.array(key, { maxLength: 40 }) });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 30 }), (list) => {
        const log = new LineLog();
        const rows: { row: number; place: number; line: number }[] = [];
        for (const { place, lines } of list)
          for (const line of lines) {
            const row = log.add(place, line);
            if (row === rows.length) rows.push({ row, place, line });
            else expect(rows[row]).toEqual({ row, place, line });
          }
        const { rows: ordered, blocks, line } = orderLines(log, ranks, quietTask);
        const keyOf = (one: (typeof rows)[number]) => [ranks.node[one.place], ranks.file[one.place], one.line];
        const compare = (a: readonly number[], b: readonly number[]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
        rows.sort(
          (a, b) => compare(keyOf(a), keyOf(b)) || ranks.location[a.place] - ranks.location[b.place] || a.row - b.row,
        );
        const locations = (all: Iterable<number>) => Array.from(all, (row) => ranks.location[places[row]]);
        const places = log.placesOfRows();
        expect(Array.from(places)).toEqual([...rows].sort((a, b) => a.row - b.row).map(({ place }) => place));
        expect(locations(ordered.order)).toEqual(rows.map(({ place }) => ranks.location[place]));
        expect([...ordered.order].sort((a, b) => a - b)).toEqual([...rows.keys()]);
        const distinct = rows.filter((one, at) => at === 0 || compare(keyOf(one), keyOf(rows[at - 1])) !== 0);
        expect(ordered.groups).toBe(distinct.length);
        const found: number[][] = [];
        for (let block = 0; block < blocks.count; block++)
          for (let at = blocks.start[block]; at < blocks.start[block + 1]; at++)
            found.push([blocks.node[block], blocks.file[block], line[at]]);
        expect(found).toEqual(distinct.map(keyOf));
        let group = -1;
        ordered.order.forEach((row, at) => {
          group += ordered.begins[at];
          expect(log.lineOf(row)).toBe(line[group]);
        });
      }),
    );
  });

  it("have a row for lines that come again and again, as one instruction or dump after another names them", () => {
    const log = new LineLog();
    const places = Array.from({ length: 20 }, (_, place) => place);
    for (let dump = 0; dump < 50; dump++)
      for (const place of places) for (let line = 1; line <= 500; line++) log.add(place, line);
    // Few places share slots with others.
    expect(log.size).toBeGreaterThanOrEqual(20 * 500);
    expect(log.size).toBeLessThan(2 * 20 * 500);
    expect(log.lineOf(log.add(19, 500))).toBe(500);
  });

  it("put very many lines of one function in order, and find the distinct ones", () => {
    const log = new LineLog();
    const count = 150_000;
    const lines = Int32Array.from({ length: count }, (_, at) => 1 + ((at * 7919) % 100_003));
    const lineOf: number[] = [];
    for (const line of lines) lineOf[log.add(0, line)] = line;
    const one = Int32Array.of(0);
    const { rows, line } = orderLines(log, { node: one, file: one, location: one }, quietTask);
    const expected = [...new Set(lines)].sort((a, b) => a - b);
    expect([...line]).toEqual(expected);
    expect(Array.from(rows.order, (row) => lineOf[row])).toEqual([...lineOf].sort((a, b) => a - b));
    expect([...lines.subarray(0, distinctLines(lines, quietTask))]).toEqual(expected);
  });

  it("sort by one key after the other, the least first", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat(3)), { maxLength: 300 }), (list) => {
        const second = Int32Array.from(list, ([one]) => one);
        const first = Int32Array.from(list, ([, one]) => one);
        const turned = Int32Array.of(3, 0, 2, 1);
        const order = new RowSorter(list.length).sortBy(second, undefined, quietTask);
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
      fc.property(
        added,
        fc.boolean(),
        fc.constantFrom("lines", "every", "calls"),
        fc.boolean(),
        (list, dense, kind, apart) => {
          const every = kind === "every";
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
          const order = new RowSorter(rows.length).sortBy(final, undefined, quietTask).take();
          const locations = { column: Int32Array.from(rows, locationOf), of: identity(2) };
          const keys = [{ column: final, of: identity(4) }];
          const ordered = finalRows(order, keys, new Int32Array(8), apart ? locations : undefined, quietTask);
          const divisor = kind === "lines" ? 1 : 2;
          const finalLocation = identity(apart ? 2 : 1);
          const built = column.build(ordered, finalLocation, divisor, every, quietTask);
          const found = new Map<string, number>();
          for (let row = 0; row < 4; row++)
            for (let at = firstCell(built, row); at < firstCell(built, row + 1); at++)
              found.set(`${row} ${locationOfCell(built, at)}`, built.value[at]);
          for (const [cell, sum] of sums) expect(found.get(cell)).toBe(Number(sum) / divisor);
          const cells = every ? (apart ? 8 : 4) : sums.size;
          expect(found.size).toBe(cells);
        },
      ),
    );
  });
});
