import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallCost, DocumentCosts, LineCost } from "../../../src/engine/api";
import { HEAT_LEVELS, heatLevel, levelsFrom, lineDecorations, MOST_LINES, placedTexts } from "../../../src/editor/heat";

const drift = { newerThanRecording: false, lostLines: 0, movedLines: 0 };
const options = { unit: "s", minimumShare: 0.001, inlineCost: true };

function costs(lines: LineCost[], calls: CallCost[] = []): DocumentCosts {
  return { lines, calls, functions: [], drift };
}

describe("heat of lines", () => {
  it("has a level for every share, that never falls when the share rises", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(heatLevel(low)).toBeLessThanOrEqual(heatLevel(high));
        expect(heatLevel(high)).toBeLessThan(HEAT_LEVELS);
        expect(high).toBeGreaterThanOrEqual(levelsFrom[heatLevel(high)]);
      }),
    );
  });

  it("needs no more decoration types than 16, one for text among them", () => {
    expect(HEAT_LEVELS + 1).toBeLessThanOrEqual(16);
  });

  it("says cost and share behind the line", () => {
    expect(lineDecorations(costs([{ line: 34, exclusive: 1.24, share: 0.31 }]), options)).toEqual([
      { line: 34, level: heatLevel(0.31), text: "1.24 s · 31.0 %" },
    ]);
  });

  it("shows nothing below the least share", () => {
    expect(lineDecorations(costs([{ line: 1, exclusive: 1, share: 0.0009 }]), options)).toEqual([]);
    expect(lineDecorations(costs([{ line: 1, exclusive: 1, share: 0.001 }]), options)).toHaveLength(1);
  });

  it("draws a negative rounding difference as nothing", () => {
    expect(
      lineDecorations(costs([{ line: 1, exclusive: -1e-9, share: -1e-12 }]), { ...options, minimumShare: 0 }),
    ).toEqual([]);
  });

  it("gives a cost with several places as text, never as heat", () => {
    expect(lineDecorations(costs([{ line: 32, exclusive: 2, share: 0.5, oneOf: 2 }]), options)).toEqual([
      { line: 32, level: undefined, text: "2.00 s · 50.0 % (one of 2 places)" },
    ]);
  });

  it("says whose most of a line's cost is: a call's, or that of functions it was inlined into", () => {
    const cost = { line: 9, exclusive: 4.77e-3, share: 0.2 };
    const call = { kind: "call", exclusive: 4.66e-3, name: "MPI_Wait", others: 0 } as const;
    const inlined = { kind: "inlined", exclusive: 4.77e-3, name: "Solver::propagate()", others: 16 } as const;
    const textOf = (mostly: LineCost["mostly"]) => lineDecorations(costs([{ ...cost, mostly }]), options)[0].text;
    expect(textOf(call)).toBe("4.77 ms · 20.0 %, 4.66 ms in MPI_Wait");
    expect(textOf({ ...call, exclusive: 4.77e-3 })).toBe("4.77 ms · 20.0 % in MPI_Wait");
    expect(textOf(inlined)).toBe("4.77 ms · 20.0 % inlined into Solver::propagate(), 16 more");
  });

  /** Of one line in an editor of 50 columns. */
  const placed = (code: string, text: string, columns = 50) => placedTexts([{ code, text }], 4, columns);

  it("stands behind the line where the editor shows it", () => {
    const text = "4.77 ms · 20.0 %, 4.66 ms in MPI_Wait  → f 1.00 s";
    const behind = (said: string) => ({ texts: [{ behind: said }] });
    expect(placed("  wait();", "4.77 ms · 20.0 %")).toEqual(behind("4.77 ms · 20.0 %"));
    expect(placed("x".repeat(50), text, 105)).toEqual(behind(text));
    // Cost and share are seen, what follows may be cut.
    expect(placed("x".repeat(30), text)).toEqual(behind(text));
    expect(placed("x".repeat(38), text)).toEqual(behind("4.77 ms"));
    expect(placed("x".repeat(38), "+101 ms · 10.6×")).toEqual(behind("+101 ms"));
  });

  it("is in a column left of all lines when one line leaves no room for its cost", () => {
    const lines = [
      { code: "\t\t\t\twait();", text: "4.77 ms · 20.0 %, 4.66 ms in MPI_Wait" },
      { code: "x".repeat(45), text: "123 ms · 2.5 %" },
      { code: "y".repeat(50), text: "→ solve 2.40 s, → halo 1.00 s" },
    ];
    expect(placedTexts(lines, 4, 50)).toEqual({
      columnWidth: "4.77 ms".length,
      texts: [
        { inColumn: "4.77 ms", behind: "20.0 %, 4.66 ms in MPI_Wait" },
        { inColumn: "123 ms", behind: "2.5 %" },
        { behind: "→ solve 2.40 s, → halo 1.00 s" },
      ],
    });
    // What is called is no cost of the line: it alone makes no column.
    expect(placedTexts(lines.slice(2), 4, 50)).toEqual({ texts: [{ behind: "→ solve 2.40 s, → halo 1.00 s" }] });
  });

  it("never parts a rate from its unit", () => {
    const text = "⇄ 2.15 GB H→D · 35.2 GB/s  500 ms · 25.0 %";
    expect(placed("x".repeat(30), text)).toEqual({ texts: [{ behind: "⇄ 2.15 GB H→D" }] });
    expect(placed("x".repeat(50), text)).toEqual({
      columnWidth: 13,
      texts: [{ inColumn: "⇄ 2.15 GB H→D", behind: "35.2 GB/s  500 ms · 25.0 %" }],
    });
  });

  it("shows each cost at one place, whatever lines there are", () => {
    const line = fc.record({ code: fc.nat(120), digits: fc.nat(4), share: fc.nat(99) });
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 120 }),
        fc.array(line, { minLength: 1, maxLength: 8 }),
        (columns, drawn) => {
          const lines = drawn.map(({ code, digits, share }) => ({
            code: "x".repeat(code),
            cost: `1${"0".repeat(digits)} ms`,
            text: `1${"0".repeat(digits)} ms · ${share} %`,
          }));
          const { columnWidth, texts } = placedTexts(lines, 4, columns);
          const fits = lines.every(({ code, cost }) => code.length + 3 + cost.length <= columns);
          expect(columnWidth).toBe(fits ? undefined : Math.max(...lines.map(({ cost }) => cost.length)));
          texts.forEach(({ inColumn, behind }, at) => {
            const { code, cost, text } = lines[at];
            expect(inColumn).toBe(fits ? undefined : cost);
            if (fits) expect(behind).toBe(code.length + 3 + text.length <= columns ? text : cost);
          });
        },
      ),
    );
  });

  it("gives what a line calls as text, never as heat", () => {
    const call = { line: 64, callee: "solve", function: 0, inclusive: 2.4, share: 0.5 };
    expect(lineDecorations(costs([], [call]), options)).toEqual([
      { line: 64, level: undefined, text: "→ solve 2.40 s", calls: [{ name: "solve", cost: "2.40 s" }] },
    ]);
  });

  const named = (...names: string[]) =>
    names.map((callee, at) => ({ line: 64, callee, function: at, inclusive: 9 - at, share: 0.5 - at / 100 }));
  const textIn = (columns: number, calls: CallCost[], own: LineCost[] = [], code = "x".repeat(20)) => {
    const [decoration] = lineDecorations(costs(own, calls), options);
    const { line: _, level: __, ...text } = decoration;
    return placedTexts([{ code, text: text.text ?? "", calls: text.calls }], 4, columns).texts[0].behind;
  };

  it("shortens names of callees, then names fewer, where the editor ends before their numbers", () => {
    const calls = named("BaseSequenceSortingEngine::operator[]", "KmerCounter::Lv1FillOffsets", "f", "g");
    const unscoped = named("base_sequence_sorting_engine_fill", "f");
    expect(textIn(60, unscoped)).toBe("→ base_…_fill 9.00 s, → f 8.00 s");
    expect(textIn(130, calls)).toBe(
      "→ BaseSequenceSortingEngine::operator[] 9.00 s, → KmerCounter::Lv1FillOffsets 8.00 s, → f 7.00 s, 1 more",
    );
    expect(textIn(100, calls)).toBe("→ operator[] 9.00 s, → KmerCounter::Lv1FillOffsets 8.00 s, → f 7.00 s, 1 more");
    expect(textIn(60, calls)).toBe("→ operator[] 9.00 s, 3 more");
    const own = [{ line: 64, exclusive: 1, share: 0.1 }];
    expect(textIn(70, calls, own)).toBe("1.00 s · 10.0 %  → operator[] 9.00 s, 3 more");
    // The hover has the rest.
    expect(textIn(40, calls, own)).toBe("1.00 s · 10.0 %");
    expect(textIn(30, calls)).toBe("→ operator[] 9.00 s, 3 more");
  });

  it("never cuts the number of a callee, in any room for one", () => {
    const name = fc.string({ minLength: 1, maxLength: 80, unit: fc.constantFrom(..."abcXYZ_:<>, ") });
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 60, max: 200 }),
        fc.boolean(),
        (names, columns, hasOwn) => {
          const own = hasOwn ? [{ line: 64, exclusive: 1, share: 0.1 }] : [];
          const text = textIn(columns, named(...names), own) ?? "";
          expect(text.length).toBeLessThanOrEqual(columns - 23);
          expect(text).toMatch(/(?:[0-9] s|[0-9] %|[0-9] more)$/);
          const counted = [...text.matchAll(/→ .{1,40}? \d\.00 s/g)].length + Number(/(\d) more$/.exec(text)?.[1] ?? 0);
          if (text.includes("→")) expect(counted).toBe(names.length);
        },
      ),
    );
  });

  it.each([
    ["geo::norm<double, 3>", "geo::norm<double, 3>"],
    ["std::vector<bool, std::allocator<bool> >::operator[]", "std::vector::operator[]"],
    [
      "kmlib::RankAndSelect<4u, 9u, 1u, unsigned long>::InternalSelect(unsigned int)",
      "kmlib::RankAndSelect::InternalSelect",
    ],
    ["some_namespace::with_a_long_name::Kmer::operator std::string", "operator std::string"],
    ["some_namespace::with_a_long_name::another_one::get", "some_namespace::wit…e::another_one::get"],
    [`a_${"long_".repeat(12)}name_of_c`, "a_long_long_long_lo…long_long_name_of_c"],
  ])("leaves the number of a callee in sight: %s", (callee, shown) => {
    const call = { line: 64, callee, function: 0, inclusive: 2.4, share: 0.5 };
    const [{ text }] = lineDecorations(costs([], [call]), options);
    expect(text).toBe(`→ ${shown} 2.40 s`);
  });

  it("names the three heaviest callees of a line behind its own cost", () => {
    const calls = ["a", "b", "c", "d", "e"].map((callee, at) => ({
      line: 5,
      callee,
      function: at,
      inclusive: at + 1,
      share: 0.1 * (at + 1),
    }));
    const [decoration] = lineDecorations(costs([{ line: 5, exclusive: 1, share: 0.1 }], calls), options);
    expect(decoration.text).toBe("1.00 s · 10.0 %  → e 5.00 s, → d 4.00 s, → c 3.00 s, 2 more");
    expect(decoration.level).toBe(heatLevel(0.1));
  });

  it("leaves out all text, and keeps heat, without inline costs", () => {
    const given = costs(
      [{ line: 5, exclusive: 1, share: 0.1 }],
      [{ line: 6, callee: "f", function: 0, inclusive: 1, share: 0.1 }],
    );
    expect(lineDecorations(given, { ...options, inlineCost: false })).toEqual([
      { line: 5, level: heatLevel(0.1), text: undefined },
    ]);
  });

  it("decorates the hottest lines of a long file, in order, and no more than the limit", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1, maxLength: 3000 }),
        (shares) => {
          const given = costs(shares.map((share, at) => ({ line: at + 1, exclusive: share, share })));
          const shown = lineDecorations(given, options);
          expect(shown.length).toBe(Math.min(MOST_LINES, shares.length));
          const lines = shown.map(({ line }) => line);
          expect(lines).toEqual([...lines].sort((a, b) => a - b));
          const kept = new Set(lines);
          const coldestShown = Math.min(...lines.map((line) => shares[line - 1]));
          const hottestHidden = Math.max(0, ...shares.filter((_, at) => !kept.has(at + 1)));
          expect(coldestShown).toBeGreaterThanOrEqual(hottestHidden);
        },
      ),
      { numRuns: 30 },
    );
  });
});
