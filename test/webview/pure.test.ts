import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tablesCsv } from "../../webviews/kit/exports";
import { bothOf, comparison, knownOf, type LaidOutGraph } from "../../webviews/superGraph/graph";
import { type Color, contrast, luminance, parseColor, withContrast } from "../../webviews/shared/color";
import { cutName, fit, fitName, visible, shortened } from "../../webviews/shared/text";
import { tables } from "../../webviews/superGraph/tables";
import { FILTER_STEPS, percentAt, readPercent, stepOf } from "../../webviews/kit/frame/percentScale";
import { niceAmount } from "../../webviews/superGraph/legend";
import { neighbour, readingOrder } from "../../webviews/superGraph/order";
import { longestRun } from "../../webviews/kit/stage/inOrder";
import { drawLines, gapTo } from "../../webviews/superGraph/ribbon";
import { found } from "../../webviews/superGraph/search";

/** A point of a Bézier curve, by halving its handles again and again. */
function deCasteljau(handles: readonly number[], t: number): number {
  if (handles.length === 1) return handles[0];
  return deCasteljau(
    handles.slice(1).map((next, at) => handles[at] + (next - handles[at]) * t),
    t,
  );
}

const channel = fc.integer({ min: 0, max: 255 });
const anyColor: fc.Arbitrary<Color> = fc.tuple(channel, channel, channel, fc.constant(1));

describe("colours", () => {
  it("are read in every way that VS Code writes them", () => {
    expect(parseColor("#fff")).toEqual([255, 255, 255, 1]);
    expect(parseColor("#FF7A2E")).toEqual([255, 122, 46, 1]);
    expect(parseColor("#ff7a2e80")?.[3]).toBeCloseTo(0.5, 2);
    expect(parseColor(" rgba(234, 92, 0, 0.33)")).toEqual([234, 92, 0, 0.33]);
    expect(parseColor("rgb(1, 2, 3)")).toEqual([1, 2, 3, 1]);
    for (const wrong of ["", "red", "#12", "#12345", "rgb(a, b, c)", "rgb(1)"])
      expect(parseColor(wrong)).toBeUndefined();
  });

  it("have the contrasts that WCAG gives", () => {
    expect(contrast([0, 0, 0, 1], [255, 255, 255, 1])).toBeCloseTo(21);
    expect(contrast([118, 118, 118, 1], [255, 255, 255, 1])).toBeCloseTo(4.54, 2);
    expect(luminance([255, 255, 255, 1])).toBeCloseTo(1);
  });

  it("reach the contrast asked for on any background", () => {
    fc.assert(
      fc.property(anyColor, anyColor, (color, background) => {
        expect(contrast(withContrast(color, background, 3), background)).toBeGreaterThanOrEqual(3);
      }),
    );
  });
});

describe("texts", () => {
  const measure = (text: string) => 7 * text.length;

  it("are cut to what fits, never inside a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 0, max: 300 }), (text, most) => {
        const fitted = fit(text, most, measure);
        expect(measure(fitted)).toBeLessThanOrEqual(Math.max(most, 0));
        if (measure(text) <= most) expect(fitted).toBe(text);
        else expect(text.startsWith(fitted.replace(/…$/, "").trimEnd())).toBe(true);
        expect(fitted).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
      }),
    );
  });

  it("that are paths keep their end, whole folders are left out", () => {
    const path = "/opt/software/openmpi/lib/libmpi.so.40";
    const shown = (most: number) => fitName(path, 7 * most, measure);
    expect([38, 37, 26, 25, 19, 18, 15, 14, 13, 5].map(shown)).toEqual([
      path,
      "…/software/openmpi/lib/libmpi.so.40",
      "…/openmpi/lib/libmpi.so.40",
      "…/lib/libmpi.so.40",
      "…/lib/libmpi.so.40",
      "…/lib/libmpi.so.40",
      "…/libmpi.so.40",
      "…/libmpi.so.40",
      "libmpi.so.40",
      "libm…",
    ]);
    expect(fitName("C:\\Program Files\\app\\solver.dll", 7 * 14, measure)).toBe("…\\solver.dll");
    expect(fitName("operator/(vector<double> const&)", 7 * 10, measure)).toBe("operator/…");
    expect(fitName("/", 0, measure)).toBe("");
    // Where enough is left, of the middle: names differ at both ends.
    expect(fitName("CalcMonotonicQForElems", 7 * 16, measure)).toBe("CalcMono…orElems");
    expect(fitName("CalcMonotonicQForElems", 7 * 9, measure)).toBe("CalcMono…");
  });

  it("that are qualified keep their end, scopes are left out", () => {
    const shown = (name: string, most: number) => fitName(name, 7 * most, measure);
    const name = "CaDiCaL::Internal::minimize_literal(int, int)";
    expect([45, 44, 37, 29, 26, 25, 10].map((most) => shown(name, most))).toEqual([
      name,
      "…::Internal::minimize_literal(int, int)",
      "…::minimize_literal(int, int)",
      "…::minimize_literal(int, int)",
      "minimize_literal(int, int)",
      "minimize_literal(int, in…",
      "minimize_…",
    ]);
    const template =
      "void std::vector<CaDiCaL::Watch, std::allocator<CaDiCaL::Watch> >::_M_realloc_insert<heat::A>(heat::A&&)";
    expect(shown(template, 60)).toBe("void …::_M_realloc_insert<heat::A>(heat::A&&)");
    expect(shown("propagate.cpp from CaDiCaL::Internal::decide()", 40)).toBe(
      "propagate.cpp from …::Internal::decide()",
    );
    expect(shown("propagate.cpp from CaDiCaL::Internal::decide()", 30)).toBe("propagate.cpp from …::decide()");
    expect(shown("heat::operator<<(std::ostream&, heat::Field const&)", 50)).toBe(
      "…::operator<<(std::ostream&, heat::Field const&)",
    );
    expect(shown("heat::Less::operator()(int, int) const", 30)).toBe("…::operator()(int, int) const");
    expect(shown("heat::(anonymous namespace)::pack(int)::{lambda(int)#1}::operator()(int)", 40)).toBe(
      "…::{lambda(int)#1}::operator()(int)",
    );
    expect(shown("core::slice::sort::merge", 13)).toBe("…::merge");
  });

  it("keep three letters of the name itself on each side of a cut, else there is no label", () => {
    const shown = (name: string, most: number, fewest: number) => cutName(name, 7 * most, measure, () => true, fewest);
    expect(shown("mini::Experiment::advanceExperiment", 7, 5)).toBe("adv…ent");
    expect(shown("mini::Experiment::advanceExperiment", 6, 5)).toBe("");
    expect(shown("CalcTimeConstraintsForElems", 6, 5)).toBe("");
    expect(shown("solver.cpp (2)", 10, 5)).toBe("");
    expect(shown("heat::solve", 5, 5)).toBe("solve");
    expect([5, 4, 3, 1].map((most) => fitName("ompi_coll_base", 7 * most, measure))).toEqual(["ompi…", "", "", ""]);
    // Where another one is shown as its end, what differs is kept.
    const isFree = (cut: string) => !cut.startsWith("…");
    expect(cutName("alloc::vec::Vec::index", 7 * 16, measure, isFree)).toBe("alloc::v…::index");
    expect(cutName("alloc::vec::Vec::index", 7 * 8, measure, isFree)).toBe("");
    const name = fc.stringMatching(/^([a-z]{1,12}::){0,3}[a-zA-Z]{1,40}$/);
    fc.assert(
      fc.property(name, fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 12 }), (text, most, fewest) => {
        for (const cut of [cutName(text, most, measure, () => true, fewest), fitName(text, most, measure)]) {
          const leaf = text.slice(text.lastIndexOf(":") + 1);
          const parts = cut.replace(/^…::/, "").split("…");
          if (cut === "" || parts[0].endsWith(leaf)) continue;
          expect(leaf.startsWith(parts[0]), cut).toBe(true);
          expect(parts[0].length, cut).toBeGreaterThanOrEqual(3);
          expect(parts[1] === "" || parts[1].length >= 3, cut).toBe(true);
        }
      }),
    );
  });

  it("that are no names at all are cut to what fits", () => {
    const odd = fc.stringMatching(/^[a(<>){}: -]{0,40}$/);
    fc.assert(
      fc.property(fc.oneof(odd, fc.string({ maxLength: 60 })), fc.integer({ min: 0, max: 300 }), (text, most) => {
        const fitted = fitName(text, most, measure);
        expect(measure(fitted)).toBeLessThanOrEqual(most);
        if (measure(text) <= most) expect(fitted).toBe(text);
      }),
    );
  });

  it("keep their end where a sentence would be too long: a bar's number stands there", () => {
    expect(shortened("main.cpp (2)")).toBe("main.cpp (2)");
    const long = shortened(`/${"folder/".repeat(60)}libmonitor.so (2)`);
    expect(long).toHaveLength(200);
    expect(long).toMatch(/^\/folder\/.*….*libmonitor\.so \(2\)$/);
  });

  it("show what would not be seen", () => {
    expect(visible("a\u202eb\u0000c\nd")).toBe("a�b�c�d");
    expect(visible("solve(double const&)")).toBe("solve(double const&)");
  });
});

describe("the filter's slider", () => {
  it("goes there and back, starts with nothing hidden and ends with everything", () => {
    expect(percentAt(0)).toBe(0);
    expect(percentAt(1)).toBe(0.01);
    expect(percentAt(FILTER_STEPS)).toBe(100);
    for (let step = 0; step <= FILTER_STEPS; step++) expect(stepOf(percentAt(step))).toBe(step);
    for (let step = 1; step <= FILTER_STEPS; step++) expect(percentAt(step)).toBeGreaterThan(percentAt(step - 1));
  });

  it("takes what people type", () => {
    expect(["0.5", "0,5", " 0.5 % ", ".5", "100", "0"].map(readPercent)).toEqual([0.5, 0.5, 0.5, 0.5, 100, 0]);
    for (const wrong of ["", "%", ".", "101", "-1", "1e2", "half"]) expect(readPercent(wrong)).toBeUndefined();
  });
});

describe("the height scale", () => {
  it("is the largest round amount that fits", () => {
    expect(niceAmount(0.37)).toBeCloseTo(0.2);
    expect(niceAmount(1)).toBe(1);
    expect(niceAmount(999)).toBe(500);
    for (const none of [0, -1, NaN, Infinity]) expect(niceAmount(none)).toBeUndefined();
  });
});

const groups = ["main", "a", 'b, "b"', "-c"];
const bars = (value: number) => new Float64Array(groups.length).fill(value);
const whole = (...all: number[]) => Int32Array.from(all);

/** main → a, b; a → c. */
const graph: LaidOutGraph = {
  metric: "time",
  unit: "s",
  combined: "",
  total: 10,
  functions: 4,
  hiddenFunctions: 0,
  hiddenExclusive: 0,
  texts: [...groups, ...groups.map((group) => `${group}()`)],
  bars: {
    group: whole(0, 1, 2, 3),
    shown: whole(0, 1, 2, 3),
    visit: whole(1, 1, 1, 1),
    level: whole(0, 1, 1, 2),
    contexts: whole(1, 1, 1, 1),
    inclusive: bars(1),
    exclusive: bars(0.5),
    hidden: bars(0),
    noRank: bars(0),
    exclusiveNoRank: bars(0),
    hiddenShare: bars(0),
    missing: whole(0, 0, 0, 0),
    firstEntry: whole(0, 1, 2, 3, 4),
    moreEntries: whole(0, 0, 0, 0),
    finer: whole(-1, -1, -1, -1),
    collapsible: whole(-1, -1, -1, -1),
    label: whole(-1, -1, -1, -1),
  },
  entries: {
    name: whole(4, 5, 6, 7),
    shown: whole(4, 5, 6, 7),
    place: whole(-1, -1, -1, -1),
    inclusive: bars(1),
    inGroup: bars(0.5),
    exclusive: bars(0.5),
  },
  layout: {
    kind: "layout",
    width: 10,
    height: 60,
    pixelsPerUnit: 10,
    boxes: Float64Array.from([0, 50, 0, 0].flatMap((y) => [0, y, 10, 10])),
    flows: {
      source: whole(0, 0, 1),
      target: whole(1, 2, 3),
      inclusive: Float64Array.from([4, 5, 4]),
      thickness: new Float64Array(3),
      thin: new Int32Array(3),
      first: whole(0, 4, 8, 12),
      points: new Float64Array(12),
    },
  },
};

describe("a bar of two runs", () => {
  it("that one of them has nothing of is new or gone, and one that costs nothing is not", () => {
    const half = { name: "run", title: "run", total: 1, combined: "" };
    const other = {
      inclusive: bars(1),
      exclusive: Float64Array.of(0, 0, 2, 1),
      missing: whole(1, 0, 0, 0),
      noRank: new Float64Array(4),
      exclusiveNoRank: new Float64Array(4),
    };
    const compared: LaidOutGraph = {
      ...graph,
      bars: { ...graph.bars, exclusive: Float64Array.of(1, 1, 0, 0), missing: whole(0, 0, 1, 0), other },
      pair: { kind: "runs", merged: true, halves: [half, half] },
    };
    const texts = [0, 1, 2, 3].map((bar) => {
      const [before, after] = bothOf(compared, bar) ?? [];
      return comparison(compared, knownOf(before, "exclusive"), knownOf(after, "exclusive"));
    });
    expect(texts).toEqual(["+1.00 s · new", "+1.00 s", "−2.00 s · gone", "−1.00 s · 0×"]);
    const [table] = tables(compared);
    const cells = (name: string) => {
      const column = table.columns.find(({ title }) => title === name);
      return table.rows.map((row) => column?.text(row as never));
    };
    expect(cells("baseline")).toEqual(["", "0 s", "2.00 s", "1.00 s"]);
    expect(cells("ratio")).toEqual(["new", "", "gone", "0×"]);
  });
});

describe("arrow keys", () => {
  it("follow the heaviest flow, go through the levels, and stop at ends", () => {
    expect(neighbour(graph, 0, "ArrowRight")).toBe(2);
    expect(neighbour(graph, 1, "ArrowLeft")).toBe(0);
    expect(neighbour(graph, 2, "ArrowRight")).toBe(2);
    expect(neighbour(graph, 2, "ArrowDown")).toBe(1);
    expect(neighbour(graph, 1, "ArrowDown")).toBe(3);
    expect(neighbour(graph, 3, "ArrowDown")).toBe(3);
    expect(neighbour(graph, 1, "ArrowUp")).toBe(2);
    expect(neighbour(graph, 0, "ArrowUp")).toBe(0);
    expect(readingOrder(graph)).toEqual([0, 2, 1, 3]);
  });
});

describe("the search", () => {
  it("looks into groups and entry functions, whatever the case, and goes from left to right", () => {
    expect([...(found(graph, "MAIN()")?.marks ?? [])]).toEqual([0]);
    expect([...(found(graph, "a")?.marks ?? [])]).toEqual([0, 1]);
    expect(found(graph, "()")?.places?.map(({ mark }) => mark)).toEqual([0, 2, 1, 3]);
    expect([...(found(graph, "nowhere")?.marks ?? [])]).toEqual([]);
  });
});

describe("the CSV", () => {
  it("quotes what needs it, and disarms what a spreadsheet would run", () => {
    const lines = tablesCsv(tables(graph)).split("\r\n");
    expect(lines[0]).toBe(
      'table,bar,inclusive,share,exclusive,"share, exclusive",hidden,level,contexts,entry functions,total,metric,' +
        "from,to,entry function,in this group,place",
    );
    expect(lines).toContain('Bars,"b, ""b""",1,0.1,0.5,0.05,0,1,1,"b, ""b""()",10,time (s),,,,,');
    expect(lines).toContain("Bars,'-c,1,0.1,0.5,0.05,0,2,1,'-c(),10,time (s),,,,,");
    expect(lines).toContain("Flows,,4,0.4,,,,,,,10,time (s),main,a,,,");
    expect(lines).toContain("Entry functions,main,1,,0.5,,,,,,10,time (s),,,main(),0.5,");
  });
});

describe("ribbons", () => {
  it("measure how far a place is above or below what is drawn", () => {
    const step = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: -300, max: 300 }));
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        share,
        fc.integer({ min: 0, max: 60 }),
        (steps, thickness, chosen, t, away) => {
          const points = steps.reduce<number[]>((all, [x, y]) => [...all, (all.at(-2) ?? 0) + x, y], [0, 0]);
          // The upper of two lines as a canvas is told to draw them.
          const upper: number[][] = [];
          let at: number[] | undefined;
          const pen = {
            moveTo: (...to: number[]) => (at = upper.length > 0 ? undefined : to),
            lineTo: (x: number, y: number) => pen.bezierCurveTo(at?.[0] ?? 0, at?.[1] ?? 0, x, y, x, y),
            bezierCurveTo: (...handles: number[]) => {
              if (!at) return;
              upper.push([...at, ...handles]);
              at = handles.slice(4);
            },
            closePath: () => undefined,
          };
          drawLines({ points, thickness }, 2, thickness, pen);
          expect(upper).toHaveLength(steps.length);
          const curve = upper[chosen % upper.length];
          const [x, y] = [0, 1].map((axis) =>
            deCasteljau(
              [0, 2, 4, 6].map((of) => curve[of + axis]),
              t,
            ),
          );
          expect(gapTo({ points, thickness }, x, y - away) ?? NaN).toBeCloseTo(away, 0);
          expect(gapTo({ points, thickness }, x, y + thickness + away) ?? NaN).toBeCloseTo(away, 0);
          expect(gapTo({ points, thickness }, -1, y)).toBeUndefined();
        },
      ),
    );
  });
});

describe("an order of children", () => {
  it("leaves as many in their place as any order does", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8], { minLength: 0 }), (places) => {
        const run = [...longestRun(places)].sort((a, b) => a - b).map((at) => places[at]);
        run.slice(1).forEach((place, at) => expect(place).toBeGreaterThan(run[at]));
        // All subsequences, by the bits of a number.
        let longest = 0;
        for (let chosen = 0; chosen < 1 << places.length; chosen++) {
          const some = places.filter((_, at) => (chosen >> at) & 1);
          if (some.every((place, at) => at === 0 || place > some[at - 1])) longest = Math.max(longest, some.length);
        }
        expect(run).toHaveLength(longest);
      }),
      { numRuns: 50 },
    );
    expect(longestRun([undefined, 3, undefined, 1, 2])).toEqual(new Set([3, 4]));
  });
});
