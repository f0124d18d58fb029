import { describe, expect, it, vi } from "vitest";
import type { SuperGraph } from "../../src/engine/api";
import { formatShare } from "../../src/model/units";
import { isLaidOut, withPart } from "../../webviews/superGraph/graph";
import { chainWordings } from "../../webviews/superGraph/blocks";
import { barFacts } from "../../webviews/superGraph/describe";
import { draw } from "../../webviews/superGraph/scene";
import { cutToLetters, namesInShort } from "../../webviews/shared/text";
import { plainTheme } from "./kit/plainTheme";
import { fonts } from "./labelLaw";
import { layoutOf, sampleGraph, shownOf } from "./superGraphSamples";

vi.mock("vscode", () => import("./fakeVsCode"));

const noLink = { places: [], rule: "unknown", reason: "", considered: [] } as const;
const FUNCTIONS = ["compress", "ns::deep::hashTable", "emit", "flush", "tail"];

/** A caller and a bar of several functions, with what a first picture says of them. */
function graphOf(holds: readonly string[], exclusive: number): SuperGraph {
  const bar = (id: string, level: number, inclusive: number, own: number) => ({
    id,
    group: id,
    visit: 1,
    level,
    inclusive,
    exclusive: own,
    hidden: 0,
    contexts: 3,
    entries: ["one", "two"].map((name) => ({ name, inclusive: inclusive / 2, exclusive: own / 2, link: noLink })),
  });
  const inside = FUNCTIONS.map((name, at): [string, number] => [name, exclusive / 2 ** (at + 1)]);
  return {
    metric: "time",
    unit: "s",
    over: "sum",
    total: 10,
    hidden: 0,
    functions: 9,
    groupBy: "first",
    filter: 0.1,
    filtered: { functions: 0, contexts: 0, exclusive: 0 },
    bars: [bar("(start)", 0, 10, 10 - 9), bar("coder", 1, 9, exclusive), bar("libc", 2, 1, 1)],
    edges: [
      { source: "(start)", target: "coder", inclusive: 9 },
      { source: "coder", target: "libc", inclusive: 1 },
    ],
    first: {
      choice: { filter: 0.1, opened: [], alone: [] },
      opened: [],
      alone: [],
      why: "",
      names: ["coder", "(start)", "libc"],
      drawn: [0, 1],
      bars: [
        { holds: [], inside: [] },
        { holds, inside },
        { holds: [], inside: [] },
      ],
    },
    shownNames: new Map(),
    skipped: [],
    notes: [],
  };
}

/** Texts about the bar, from top to bottom, and the facts of its tooltip. */
async function textsOf(graph: SuperGraph, width = 1400, bar = 1) {
  const area = { width, height: 600 };
  const sample = await sampleGraph({ state: { histograms: "off" } });
  const shown = shownOf(graph, sample);
  const laidOut = withPart(shown.content, layoutOf(shown, area));
  if (!laidOut || !isLaidOut(laidOut)) throw new Error("no layout");
  const { above, marks } = draw(laidOut, { ...area, theme: plainTheme, measure: fonts.usual });
  const texts = above.flatMap((shape) => (shape.kind === "text" && shape.of === bar ? [shape] : []));
  texts.sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x);
  const paths = above.flatMap((shape) => (shape.kind === "path" && shape.of === bar ? [shape] : []));
  return { texts, paths, fill: marks.find(({ id }) => id === bar)?.paint.fill, facts: barFacts(laidOut, bar) };
}

describe("a bar of a first picture", () => {
  it("says which callers are folded into it, in a soft line below the others, and lists them in its tooltip", async () => {
    const { texts, facts } = await textsOf(graphOf(["main", "run"], 0.2));
    const line = texts.findIndex(({ text }) => text === "with 2 callers, main …");
    expect(line).toBeGreaterThan(texts.findIndex(({ text }) => text.startsWith("9.00")));
    expect(line).toBeGreaterThan(texts.findIndex(({ text }) => text.startsWith("excl. ")));
    expect(texts[line].fill).toBe(plainTheme.soft);
    expect(facts).toEqual(
      expect.arrayContaining([
        ["with", "main"],
        ["", "run"],
      ]),
    );
    const many = await textsOf(graphOf(["a", "b", "c", "d", "e"], 0.2));
    expect(many.facts.filter(([what]) => what === "with" || what === "")).toEqual([
      ["with", "a"],
      ["", "b"],
      ["", "and 3 more"],
    ]);
    const chain = Array.from({ length: 30_000 }, (_, at) => `f${at}`);
    const long = await textsOf(graphOf(chain, 0.2));
    expect(long.facts).toContainEqual(["", "and 29,998 more"]);
    expect(long.texts.map(({ text }) => text)).toContain("with 30,000 callers, f0 …");
  });

  it("says how many frames it is where names have no room, and nothing where no caller is folded", async () => {
    expect(chainWordings({ names: ["main"], count: 1 })).toEqual(["with main", "2 frames"]);
    expect(chainWordings({ names: ["a", "b"], count: 2 })).toEqual(["with 2 callers, a …", "3 frames"]);
    expect(chainWordings({ names: ["a", "b"], count: 49_999 })).toEqual(["with 49,999 callers, a …", "50,000 frames"]);
    expect(chainWordings({ names: [], count: 0 })).toEqual([]);
    const { texts } = await textsOf(graphOf(["a_very_long_name_of_a_caller", "run"], 0.2), 400);
    expect(texts.map(({ text }) => text)).toContain("3 frames");
  });

  it("lists what is inside from 8 % of the total on: four functions with their shares, the largest first", async () => {
    const { texts } = await textsOf(graphOf([], 4));
    const rows = texts.map(({ text }) => text).join(" | ");
    const shares = [0.2, 0.1, 0.05, 0.025].map((share) => formatShare(share));
    expect(rows).toContain(
      FUNCTIONS.slice(0, 4)
        .map((name, at) => `${name} | ${shares[at]}`)
        .join(" | "),
    );
    expect(rows).not.toContain("tail");
    // Below 8 %, and of one function, nothing is listed.
    expect((await textsOf(graphOf([], 0.7))).texts.map(({ text }) => text)).not.toContain("compress");
    const named = graphOf([], 4);
    const ofOne = {
      ...named,
      bars: named.bars.map((bar) => ({ ...bar, group: bar.id === "coder" ? "compress" : bar.group })),
    };
    expect((await textsOf(ofOne)).texts.filter(({ text }) => text === "compress")).toHaveLength(1);
  });

  it("hatches what is hidden in the ink of its own colour, also on the hottest bar", async () => {
    const graph = graphOf([], 8);
    const bars = graph.bars.map((bar) => (bar.id === "coder" ? { ...bar, hidden: 0.9 } : { ...bar, exclusive: 0 }));
    const { paths, fill } = await textsOf({ ...graph, bars });
    const hatch = paths.find(({ strokeWidth, d }) => strokeWidth === 0.75 && /^M[\d.]+,[\d.]+H/.test(d));
    expect(fill).toBe(plainTheme.heat(1));
    expect(hatch?.stroke).toBe(plainTheme.ink(plainTheme.heat(1)));
  });

  it("says of the start which libraries on the way its own cost is of, also of one alone", async () => {
    const graph = graphOf([], 4);
    const { first } = graph;
    if (!first) throw new Error("no first picture");
    const [start, ...others] = first.bars;
    const way: SuperGraph = {
      ...graph,
      first: { ...first, bars: [{ ...start, inside: [["libgomp, no names", 0.9]] }, ...others] },
    };
    const { texts, facts } = await textsOf(way, 1400, 0);
    expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(["on the way: libgomp, no names", "9.00 %"]));
    expect(facts).toContainEqual(["on the way: libgomp, no names", "900 ms", "9.00 %"]);
    // Only the start has frames on the way.
    expect((await textsOf(graph)).facts.map(([what]) => what).join()).not.toContain("on the way");
  });
});

describe("a first picture without a bar", () => {
  it("is drawn as an empty area", async () => {
    const area = { width: 1400, height: 600 };
    const sample = await sampleGraph({ state: { histograms: "off" } });
    const one = graphOf([], 1);
    const first = one.first && { ...one.first, names: [], drawn: [], bars: [] };
    const shown = shownOf({ ...one, bars: [], edges: [], first }, sample);
    const laidOut = withPart(shown.content, layoutOf(shown, area));
    if (!laidOut || !isLaidOut(laidOut)) return expect.fail("no layout");
    const { above, below } = draw(laidOut, { ...area, theme: plainTheme, measure: fonts.usual });
    expect([...above, ...below].filter(({ of }) => of !== undefined)).toEqual([]);
  });
});

describe("shorter names", () => {
  it("lose scopes down to six letters, then parameters unless these tell two names apart", () => {
    expect(namesInShort("a::b::Stream::get", false)).toEqual(["a::b::Stream::get", "Stream::get"]);
    expect(namesInShort("a::Stream::getline", false)).toEqual(["a::Stream::getline", "Stream::getline", "getline"]);
    expect(namesInShort("LOG_ADD(float, float)", true)).toEqual(["LOG_ADD(float, float)"]);
    expect(namesInShort("LOG_ADD(float, float) (2)", false)).toEqual(["LOG_ADD(float, float) (2)", "LOG_ADD (2)"]);
    expect(namesInShort("/usr/lib/x/libm.so", false)).toEqual(["/usr/lib/x/libm.so", "…/x/libm.so", "…/libm.so"]);
  });

  it("are cut in the middle, their number kept", () => {
    expect(cutToLetters("CalcMonotonicQForElems", 12)[0]).toBe("CalcMo…rElems");
    expect(cutToLetters("sqlite3VdbeExecutor (12)", 15)[0]).toMatch(/^sqlit…[a-z]+ \(12\)$/);
    expect(cutToLetters("short", 12)).toEqual(["short"]);
  });
});
