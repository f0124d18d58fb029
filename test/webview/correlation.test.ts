import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { correlation as fitOf } from "../../src/analysis/correlation";
import { density } from "../../src/analysis/density";
import type { CorrelationAnswer, CorrelationQuery, Target } from "../../src/engine/api";
import type { Selection } from "../../src/session/session";
import { chosenRanks } from "../../src/model/members";
import { quietTask } from "../../src/model/task";
import { formatValue, threeDigits } from "../../src/model/units";
import { correlation, type Scatter, scatterOf } from "../../src/panels/correlation/definition";
import { sameValueNotes } from "../../src/panels/correlation/notes";
import type { View } from "../../src/panels/kit/definition";
import { pinSelection } from "../../src/panels/kit/pins";
import { MESSAGE_LIMIT, parse } from "../../src/protocol/bounds";
import { correlationContent, type CorrelationState } from "../../src/protocol/correlation";
import { fitFacts, summary } from "../../webviews/correlation/describe";
import { draw } from "../../webviews/correlation/drawing";
import { textbook } from "../e2e/correlation";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { functionNamed, sampleWorld, viewOf } from "./kit/samples";
import { openPage, sendSample } from "./kit/showing";
import { doubleClickAround, drawn, middleOf, type PanelPage, PanelWindow, screenshot, seenThemes } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const { start } = correlation;
const exclusiveFirst = {
  x: { value: "exclusive", of: "selection" },
  y: { value: "inclusive", of: "selection" },
} as const;
const ofFunctions: CorrelationState = { ...exclusiveFirst, points: "function" };
const plain = { theme: plainTheme, measure: (size: number) => (text: string) => text.length * size * 0.6 };

/** MPI over updateConductivity of each rank, as somebody sees it who selected the one and pinned the other. */
async function measured() {
  const world = await sampleWorld();
  const { scope } = world;
  const conductivity = await functionNamed(world, "updateConductivity");
  const mpi: Target = { kind: "bar", query: { scope, filter: 0, groupBy: "file" }, bar: "MPI" };
  const empty = viewOf(world, start);
  const selected = (target: Target, name: string) => ({ dataSet: scope.dataSet, target, name, origin: "test" });
  const selection = selected(conductivity, "updateConductivity");
  const state: CorrelationState = {
    subject: pinSelection(selection, empty),
    x: { value: "exclusive", of: "selection" },
    y: { value: "exclusive", of: "pinned", pin: pinSelection(selected(mpi, "MPI"), empty) },
  };
  const query: CorrelationQuery = {
    x: { scope, value: "exclusive", target: conductivity },
    y: { scope, value: "exclusive", target: mpi },
    points: "rank",
    mostPoints: 20_000,
  };
  const answer = await world.engine.correlation(query);
  return { view: { ...empty, state, selection }, answer, shown: scatterOf(answer, "rank") };
}

it("knows where a function's point leads", async () => {
  const { view, shown } = await functions();
  const at = shown.marks.findIndex((mark) => shown.answer.names[mark] === "updateConductivity");
  expect(await correlation.explain?.(shown, at, view, quietTask)).toEqual({ facts: [], place: "physics.cpp:34" });
});

it.each<[string, readonly { by: "rank" | "thread"; members: string[] }[], string]>([
  ["ranks, if there are three", [{ by: "rank", members: ["0", "1", "2"] }], "rank"],
  ["functions, if there are fewer members than a line needs", [{ by: "thread", members: ["7", "8"] }], "function"],
  [
    "the members that are enough",
    [
      { by: "rank", members: ["0", "1"] },
      { by: "thread", members: ["0.0", "0.1", "1.0", "1.1"] },
    ],
    "thread",
  ],
  ["functions, without members", [], "function"],
])("begins with %s", async (_, units, points) => {
  const view = viewOf(await sampleWorld(), start);
  const of = { ...view, dataSet: { ...view.dataSet, units } };
  const pointsOf = (state: CorrelationState) =>
    correlation.controls({ ...of, state }, undefined).find(({ id }) => id === "points");
  expect(pointsOf(start)).toMatchObject({ value: points });
  // What was chosen stays.
  for (const { by } of units) expect(pointsOf({ ...start, points: by })).toMatchObject({ value: by });
});

async function functions() {
  const world = await sampleWorld();
  const { scope, engine } = world;
  const axis = { scope, value: "exclusive" } as const;
  const query = { x: axis, y: { scope, value: "inclusive" }, points: "function", mostPoints: 20_000 } as const;
  const shown = scatterOf(await engine.correlation(query), "function");
  return { view: viewOf(world, ofFunctions), shown };
}

function answerOf(x: readonly number[], y: readonly number[], changes: Partial<CorrelationAnswer> = {}) {
  const [xs, ys] = [Float64Array.from(x), Float64Array.from(y)];
  const answer: CorrelationAnswer = {
    fit: fitOf(xs, ys),
    count: x.length,
    without: 0,
    same: false,
    x: xs,
    y: ys,
    names: x.map((_, at) => String(at)),
    ids: Int32Array.from(x.keys()),
    ...changes,
  };
  return answer;
}

/** Points scattered about y = 2 x. */
function many(count: number): { x: number[]; y: number[] } {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const x = Array.from({ length: count }, () => random() ** 3);
  return { x, y: x.map((value) => 2 * value + 0.3 * random()) };
}

/** As the engine counts more points than can be drawn. */
function counted(count: number): Scatter {
  const { x, y } = many(count);
  const whole = answerOf(x, y);
  const { points, ...cells } = density(whole.x, whole.y, 120, 80);
  const of = (all: Float64Array) => Float64Array.from(points, (at) => all[at]);
  const names = Array.from(points, (at) => `function${at % 500}`);
  const changes = { density: cells, x: of(whole.x), y: of(whole.y), names, ids: points };
  return scatterOf({ ...whole, ...changes }, "context");
}

const inMany = (count: number) => {
  const { x, y } = many(count);
  return scatterOf(answerOf(x, y, { names: x.map((_, at) => `function${at % 500}`) }), "function");
};

panelLaws({
  definition: correlation,
  draw,
  async samples() {
    const ranks = await measured();
    const code = await functions();
    const { view } = ranks;
    const contexts = viewOf(await sampleWorld(), { ...start, points: "context" as const });
    const hostile = { ...ranks.answer, names: ranks.answer.names.map((key) => `${key}.<b>\u202e`) };
    const metric = { ...view.metric, name: HOSTILE_NAME, unit: HOSTILE_NAME.slice(0, 90) };
    const names = code.shown.answer.names.map(() => HOSTILE_NAME);
    return [
      { name: "measured", view, shown: ranks.shown, chosen: chosenRanks([0, 4]) },
      { name: "functions", isPictured: true, ...code },
      { name: "many points", view: code.view, shown: inMany(2500) },
      { name: "counted by cell", view: contexts, shown: counted(60_000) },
      { name: "one value", view, shown: scatterOf(answerOf([1, 2, 3], [5, 5, 5]), "rank") },
      { name: "too few", view, shown: scatterOf(answerOf([1], [2]), "rank") },
      { name: "nothing finite", view, shown: scatterOf(answerOf([NaN], [Infinity]), "rank") },
      { name: "huge", view, shown: scatterOf(answerOf([-1.7e308, 0, 1.7e308], [1, -1.7e308, 1.7e308]), "rank") },
      {
        name: "hostile metric",
        view: { ...view, metric, dataSet: { ...view.dataSet, metrics: [metric] } },
        shown: scatterOf(hostile, "rank"),
      },
      { name: "hostile names", view: code.view, shown: scatterOf({ ...code.shown.answer, names }, "function") },
    ];
  },
});

describe("a correlation", () => {
  it("says of functions without a name whose they are: on its axis, in the toolbar, at their points", async () => {
    const [name, placed] = ["<unknown procedure>", "<unknown procedure> in libpsm.so.1"];
    const ranks = await measured();
    const x = { ...ranks.view.state.x, of: "pinned", pin: { kind: "function", id: 0, name } } as const;
    const view = { ...ranks.view, state: { ...ranks.view.state, x } };
    const shown = scatterOf({ ...ranks.answer, functions: { x: placed } }, "rank");
    const select = correlation.controls(view, shown).find(({ id }) => id === "x.of");
    expect(select).toMatchObject({ value: "pinned" });
    expect(JSON.stringify(select)).toContain(placed);
    const code = await functions();
    const { answer } = code.shown;
    const names = answer.names.map((_, at) => `${placed}${at}`);
    expect(correlation.content(scatterOf({ ...answer, placed: names }, "function"), code.view).names).toEqual(names);
  });

  it("has the r of a textbook, and says slope, intercept and n", async () => {
    const { answer, shown, view } = await measured();
    const content = correlation.content(shown, view);
    const r = textbook([...answer.x], [...answer.y]);
    expect(r).toBeLessThan(-0.99);
    if (answer.fit.kind !== "line") throw new Error(answer.fit.kind);
    expect(answer.fit.r).toBeCloseTo(r, 9);
    const slope = threeDigits(answer.fit.slope);
    expect(summary(content, { marks: Int32Array.of(0, 4) })[0]).toBe(
      `exclusive time of MPI over exclusive time of updateConductivity · 8 ranks · r ${threeDigits(r)} · slope ${slope} · 2 chosen`,
    );
    expect(Object.fromEntries(fitFacts(content))).toMatchObject({
      r: threeDigits(r),
      slope,
      intercept: formatValue(answer.fit.intercept, "s"),
      n: "8 ranks",
    });
  });

  it("has marks of 6 pixels, and names off the axes, which their halo would cut", async () => {
    const { shown, view } = await functions();
    for (const width of [400, 600, 1400]) {
      const { marks, above, below } = draw(correlation.content(shown, view), { ...plain, width, height: 600 });
      expect(new Set(marks.map(({ box }) => box.width))).toEqual(new Set([6]));
      const axes = below.flatMap((shape) => /^M([\d.]+),[\d.]+V([\d.]+)H/.exec("d" in shape ? shape.d : "") ?? []);
      const [left, bottom] = axes.slice(1).map(Number);
      const names = above.flatMap((shape) => (shape.kind === "text" && shape.halo !== undefined ? [shape] : []));
      expect(names.length).toBeGreaterThan(8);
      for (const { at, text } of names) {
        expect(at.x, text).toBeGreaterThanOrEqual(left + 3);
        expect(at.y, text).toBeLessThanOrEqual(bottom - 3);
      }
    }
  });

  it("puts points and line where their values are, points in the order of x", async () => {
    const { answer, shown, view } = await measured();
    const { marks, below } = draw(correlation.content(shown, view), { ...plain, width: 900, height: 600 });
    const byX = [...answer.x.keys()].sort((a, b) => answer.x[a] - answer.x[b]);
    expect(marks.map(({ id }) => id)).toEqual(byX);
    // Orange is heat, and these have none.
    expect(new Set(marks.map(({ paint }) => paint.fill))).toEqual(new Set([plain.theme.muted]));
    const middle = (rank: number) => {
      const box = marks.find(({ id }) => id === rank)?.box ?? expect.fail();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    // Any two points give the scale: all others, and the line, must lie on it.
    const [a, b] = [middle(0), middle(1)];
    const perX = (b.x - a.x) / (answer.x[1] - answer.x[0]);
    const perY = (b.y - a.y) / (answer.y[1] - answer.y[0]);
    expect([perX > 0, perY < 0]).toEqual([true, true]);
    const placeOf = (x: number, y: number) => ({
      x: a.x + (x - answer.x[0]) * perX,
      y: a.y + (y - answer.y[0]) * perY,
    });
    for (const rank of byX) {
      const place = placeOf(answer.x[rank], answer.y[rank]);
      expect(middle(rank).x).toBeCloseTo(place.x, 0);
      expect(middle(rank).y).toBeCloseTo(place.y, 0);
    }
    const { fit } = answer;
    if (fit.kind !== "line") throw new Error(fit.kind);
    const [x1, y1, x2, y2] = below
      .slice(-1)
      .flatMap((shape) => (shape.kind === "path" ? shape.d.split(/[ML,]/).filter(Boolean).map(Number) : []));
    for (const [x, y] of [
      [x1, y1],
      [x2, y2],
    ]) {
      const value = answer.x[0] + (x - a.x) / perX;
      expect(y).toBeCloseTo(placeOf(value, fit.intercept + fit.slope * value).y, -0.5);
    }
  });

  it.each([
    ["one value", [1, 2, 3], [5, 5, 5], "All values of y are equal (5.00 s): nothing goes together"],
    ["one point", [1], [2], "There is only 1 rank: a line needs at least three points."],
    ["two points", [1, 2], [2, 3], "There are only 2 ranks: a line needs at least three points."],
    ["all equal", [1, 1, 1], [0, 0, 0], "All values of x are equal (1.00 s), and all values of y are equal (0 s)"],
  ])("says why there is no line: %s", async (_, x, y, why) => {
    const { view } = await measured();
    const shown = scatterOf(answerOf(x, y), "rank");
    expect(correlation.notes?.(shown, view)[0]).toContain(why);
    const { marks, below } = draw(correlation.content(shown, view), { ...plain, width: 800, height: 500 });
    expect([marks.length, below.filter(({ strokeWidth }) => strokeWidth === 2).length]).toEqual([x.length, 0]);
  });

  it("leaves out and counts what is not finite", async () => {
    const { view } = await measured();
    const shown = scatterOf(answerOf([1, 2, 3, NaN, 5], [2, 4, 5, 1, Infinity]), "rank");
    expect(correlation.notes?.(shown, view)).toEqual(["2 ranks left out: a value is not a finite number."]);
    expect([...correlation.content(shown, view).xs]).toEqual([1, 2, 3]);
    // Marks are counted among those that are drawn.
    const later = scatterOf(answerOf([NaN, 1, 2, 3], [1, 1, 2, 4]), "rank");
    expect(correlation.members?.of(later, [2, 0])).toEqual({ by: "rank", members: ["1", "3"] });
    expect(correlation.members?.part(later, chosenRanks([0, 3]))).toEqual({ marks: Int32Array.of(2) });
  });

  it("of more points than can be drawn counts them by cell, and says so", async () => {
    const view = viewOf(await sampleWorld(), { ...start, points: "context" as const });
    const shown = counted(60_000);
    expect(correlation.notes?.(shown, view)).toEqual([
      "60,000 calling contexts, counted by cell; the line is through all of them",
    ]);
    const content = correlation.content(shown, view);
    expect(content.density?.counts.reduce((sum, count) => sum + count, 0)).toBe(60_000);
    const { marks } = draw(content, { ...plain, width: 800, height: 500 });
    expect(marks.map((mark) => mark.facts()[0][1])).toContain("1 calling context");
    expect(Object.fromEntries(fitFacts(content)).n).toBe("60,000 calling contexts");
  });

  it.each([
    ["few names", (at: number) => `f${at % 300}`],
    ["a long name each", (at: number) => `${"template<".repeat(400)}${at}`],
    ["names that JSON makes six times longer", (at: number) => `${"\u0000".repeat(2000)}${at}`],
  ])("holds 20,000 points in a megabyte that the page understands, values as they are: %s", async (_, name) => {
    const { x, y } = many(20_000);
    const shown = scatterOf(answerOf(x, y, { names: x.map((_, at) => name(at)) }), "function");
    const content = correlation.content(shown, viewOf(await sampleWorld(), ofFunctions));
    const columns = 20_000 * (8 + 8 + 4);
    expect(JSON.stringify(content.names).length + columns).toBeLessThanOrEqual(MESSAGE_LIMIT - 100_000);
    expect(parse(correlationContent, content)).toEqual(content);
    expect([...content.xs]).toEqual(x);
  });

  it("takes no content whose parts do not fit together", async () => {
    const { shown, view } = await measured();
    const content = correlation.content(shown, view);
    for (const wrong of [
      { called: new Int32Array(8).fill(99) },
      { xs: Float64Array.of(1) },
      { ys: new Float64Array(8).fill(Infinity) },
      {
        density: {
          columns: 1,
          rows: 1,
          x: [0, 1],
          y: [0, 1],
          cells: new Int32Array(8).fill(1),
          counts: shown.answer.ids,
        },
      },
    ])
      expect(parse(correlationContent, { ...content, ...wrong })).toBeUndefined();
  });

  it("follows the selection, keeps what is pinned, and swaps", async () => {
    const { view } = await measured();
    const { state, selection } = view;
    const choose = (id: string, value: string) => correlation.choose(view, id, value, undefined as never);
    expect(choose("x.value", "inclusive")).toEqual({ subject: state.subject, x: { ...state.x, value: "inclusive" } });
    expect(choose("x.of", "pin")).toEqual({
      subject: state.subject,
      x: { ...state.x, of: "pinned", pin: state.subject },
    });
    // What was pinned can be chosen again.
    expect(choose("y.of", "whole")).toEqual({ subject: state.subject, y: { ...state.y, of: "whole" } });
    expect(choose("swap", "")).toEqual({ subject: state.subject, x: state.y, y: state.x });
    expect(correlation.followed?.(selection, view)).toBeUndefined();
    const other = { ...selection, target: { kind: "function" as const, function: 0 }, name: "other" };
    expect(correlation.followed?.(other, view)).toMatchObject({ subject: { kind: "function", id: 0, name: "other" } });
    const pinnedOnly = { ...view, state: { ...state, x: state.y } };
    expect(correlation.followed?.(other, pinnedOnly)).toBeUndefined();
  });

  /** What is asked of a new panel, and what it shows. */
  async function asked(state: CorrelationState, selection?: Selection, base?: View<CorrelationState>) {
    const view = { ...(base ?? viewOf(await sampleWorld(), state)), state, selection };
    const followed = selection && correlation.followed?.(selection, view);
    const shown = { ...view, state: { ...state, ...followed } };
    const scatter = await correlation.ask(shown, quietTask, []);
    const [what] = summary(correlation.content(scatter, shown), undefined);
    const selects = correlation.controls(shown, scatter).filter((control) => control.kind === "select");
    const labels = selects.map(({ value, choices }) => choices.find((choice) => choice.value === value)?.label);
    return { what, notes: correlation.notes?.(scatter, shown), labels, answer: scatter.answer };
  }

  it("starts with what can vary: the hottest function against MPI, and says so", async () => {
    const { what, notes, labels, answer } = await asked(start);
    expect(what).toMatch(/^exclusive time of updateConductivity over inclusive time of MPI · 8 ranks · r −0\.99/);
    expect(answer.fit.kind === "line" && answer.fit.r).toBeCloseTo(textbook([...answer.x], [...answer.y]), 9);
    expect(notes).toEqual(["Nothing is selected: y is of updateConductivity, which has most."]);
    expect(labels).toEqual(["ranks", "inclusive", "MPI", "exclusive", "updateConductivity"]);
  });

  it("of what is selected lays that off over MPI, and says nothing", async () => {
    const world = await sampleWorld();
    const target = await functionNamed(world, "globalSum");
    const selection = { dataSet: world.scope.dataSet, target, name: "globalSum", origin: "test" };
    const { what, notes, labels } = await asked(start, selection);
    expect(what).toContain("exclusive time of globalSum over inclusive time of MPI");
    expect(notes).toEqual([]);
    expect(labels).toEqual(["ranks", "inclusive", "MPI", "exclusive", "globalSum"]);
  });

  it("opened with what is selected to be pinned lays that off over something else until another thing is selected", async () => {
    const { view } = await measured();
    const { selection } = view;
    const session = { ...view.session, selection } as typeof view.session;
    const opened = await correlation.opened?.({ session, dataSet: view.dataSet, state: start }, { pin: true });
    const state = { ...start, ...opened };
    const first = await asked(state, selection, view);
    expect(first.what).toContain("exclusive time of updateConductivity over exclusive time of MPI");
    expect(first.notes).toEqual(["Nothing else is selected: x is of MPI."]);
    // What a reload brings back is another object with the same content.
    const again = await asked({ ...state, subject: structuredClone(opened?.subject) }, undefined, view);
    expect(again.what).toBe(first.what);
    const other = { ...selection, target: await functionNamed(await sampleWorld(), "globalSum"), name: "globalSum" };
    const then = await asked(state, other as Selection, view);
    expect(then.what).toContain("exclusive time of updateConductivity over exclusive time of globalSum");
    expect(then.notes).toEqual([]);
  });

  it("offers MPI where the recording has calls of it, else says why not", async () => {
    const { view, shown } = await measured();
    const mpiChoice = (hasMpi: boolean) => {
      const controls = correlation.controls(view, { ...shown, answer: { ...shown.answer, hasMpi } });
      const select = controls.find(({ id }) => id === "x.of");
      return select?.kind === "select" ? select.choices.find(({ value }) => value === "mpi")?.disabled : expect.fail();
    };
    expect([mpiChoice(true), mpiChoice(false)]).toEqual([undefined, "This recording has no calls of MPI"]);
  });

  it("may show other metrics where nobody chose one", async () => {
    const { view } = await measured();
    const anyMetric = (state: CorrelationState) =>
      (correlation.asked?.({ ...view, state }) as [CorrelationQuery])[0].anyMetric;
    expect([anyMetric(start), anyMetric({ ...start, y: { ...start.y, metric: "time" } })]).toEqual([true, false]);
  });

  it("leaves room between names in one line, and names a point at the plot's edge", async () => {
    const { view } = await measured();
    const textsOf = (x: number[], y: number[], width: number) =>
      draw(correlation.content(scatterOf(answerOf(x, y), "rank"), view), {
        ...plain,
        width,
        height: 400,
      }).above.flatMap((shape) => (shape.kind === "text" && shape.text.startsWith("rank ") ? [shape] : []));
    for (let width = 300; width <= 1400; width += 50) {
      const x = Array.from({ length: 30 }, (_, at) => (at * 7) % 30);
      const texts = textsOf(
        x,
        x.map((_, at) => (at * 11) % 4),
        width,
      );
      expect(texts.length).toBeGreaterThan(4);
      for (const one of texts)
        for (const other of texts) {
          if (one === other || Math.abs(one.at.y - other.at.y) >= 12 || other.at.x < one.at.x) continue;
          const end = one.at.x + one.text.length * (one.size ?? 11) * 0.6;
          expect(other.at.x - end, `${one.text} and ${other.text} at ${width}`).toBeGreaterThanOrEqual(5);
        }
    }
  });

  it("names outliers first, and of many points only them", async () => {
    const { view } = await measured();
    const { x, y } = many(400);
    y[123] = 9;
    const content = correlation.content(scatterOf(answerOf(x, y), "rank"), view);
    const names = (width: number) =>
      draw(content, { ...plain, width, height: 600 }).above.flatMap((shape) =>
        shape.kind === "text" && shape.text.startsWith("rank ") ? [shape.text] : [],
      );
    expect(names(900)[0]).toBe("rank 123");
    expect(names(900).length).toBeLessThanOrEqual(12);
    // On a small picture of few points, where not all have room, too.
    const few = {
      x: Array.from({ length: 40 }, (_, at) => at),
      y: Array.from({ length: 40 }, (_, at) => at + (at === 20 ? 30 : 0)),
    };
    const fewContent = correlation.content(scatterOf(answerOf(few.x, few.y), "rank"), view);
    expect(
      draw(fewContent, { ...plain, width: 300, height: 200 }).above.flatMap((shape) =>
        shape.kind === "text" ? [shape.text] : [],
      ),
    ).toContain("rank 20");
  });

  it("opened with something to pin, shows its exclusive value on y", async () => {
    const { view } = await measured();
    const session = { ...view.session, selection: view.selection } as typeof view.session;
    const of = { session, dataSet: view.dataSet, state: start };
    expect(correlation.opened?.(of, { pin: true })).toMatchObject({
      x: { value: "exclusive", of: "selection" },
      y: { value: "exclusive", of: "pinned", pin: { name: "updateConductivity" } },
    });
    expect(correlation.opened?.(of, {})).toBeUndefined();
  });

  it.each<["exclusive" | "inclusive", number, string]>([
    ["exclusive", 1, "Select something else, or choose"],
    ["exclusive", 2, "Choose"],
    ["inclusive", 2, "Select something else, or choose"],
    ["inclusive", 0, "Choose"],
  ])("of one value against itself says so: y %s, %i axes following", async (value, following, advice) => {
    const { view } = await measured();
    const x = { metric: view.metric, value: "exclusive" } as const;
    const same = answerOf([1, 2, 3], [1, 2, 3], { same: true });
    const said = "x and y have the same value at each point, so the line says nothing.";
    expect(sameValueNotes(same, { x, y: { ...x, value } }, following)).toEqual([
      `${said} ${advice} another value for one of them.`,
    ]);
    expect(sameValueNotes({ ...same, same: false }, { x, y: x }, following)).toEqual([]);
    const samples = { ...x, metric: { ...view.metric, name: "samples" } };
    expect(sameValueNotes(same, { x, y: samples }, following)).toEqual([]);
    const constant = answerOf([1, 1, 1], [1, 1, 1], { same: true });
    expect(sameValueNotes(constant, { x, y: x }, following)).toEqual([]);
  });
});

describe("on its page", () => {
  let window: PanelWindow;
  let panel: PanelPage;

  beforeAll(async () => {
    window = await PanelWindow.start("correlation", "Correlation");
  });
  afterAll(() => window.stop());
  afterEach(async ({ task }) => expect(await window.endTest(task.result?.state === "fail")).toEqual([]));

  async function show(sample: { view: Awaited<ReturnType<typeof functions>>["view"]; shown: Scatter }) {
    panel = await openPage(window);
    await sendSample(panel, { ...correlation, notes: undefined }, { name: "", ...sample });
  }
  const point = (name: string): Locator => panel.page.locator(`.drawing [aria-label^="${name},"]`);
  const press = async (...keys: string[]) => {
    for (const key of keys) await panel.page.keyboard.press(key);
  };
  const did = async () => (await panel.sent()).filter(({ type }) => type === "mark" || type === "choose");
  const choices = async () => (await did()).filter(({ type }) => type === "choose").map(({ marks }) => marks);

  async function drag(around: readonly Locator[], room = 12): Promise<void> {
    const boxes = await Promise.all(around.map(async (one) => (await one.boundingBox()) ?? expect.fail()));
    const { mouse } = panel.page;
    await mouse.move(Math.min(...boxes.map(({ x }) => x)) - room, Math.min(...boxes.map(({ y }) => y)) - room);
    await mouse.down();
    const right = Math.max(...boxes.map(({ x, width }) => x + width)) + room;
    await mouse.move(right, Math.max(...boxes.map(({ y, height }) => y + height)) + room, { steps: 4 });
    await mouse.up();
  }

  it("members are chosen by brush and Ctrl+click; a plain click changes no number", async () => {
    await show(await measured());
    await drag([point("rank 0"), point("rank 4")]);
    expect((await choices()).at(-1)).toEqual([0, 4]);
    await expect.poll(() => point("rank 4").getAttribute("aria-checked")).toBe("true");
    await panel.page.keyboard.down("Shift");
    await drag([point("rank 5")], 2);
    await panel.page.keyboard.up("Shift");
    expect((await choices()).at(-1)).toEqual([0, 4, 5]);
    await point("rank 5").click({ modifiers: ["Control"] });
    expect(await choices()).toEqual([[0, 4]]);
    await point("rank 5").click();
    expect(await did()).toMatchObject([{ type: "mark", action: "select", mark: 5 }]);
    const { x, y } = (await point("rank 0").boundingBox()) ?? expect.fail();
    const { mouse } = panel.page;
    await mouse.move(x - 300, y - 60);
    await mouse.down();
    await mouse.move(x - 200, y - 20, { steps: 3 });
    await mouse.up();
    expect((await choices()).at(-1)).toEqual([]);
  });

  it("members are walked through and chosen by keyboard in the order of x, and in table and menu", async () => {
    const sample = await measured();
    await show(sample);
    const { x } = sample.answer;
    const byX = [...x.keys()].sort((a, b) => x[a] - x[b]);
    await panel.page.locator(".drawing [tabindex='0']").focus();
    await press("End", "Space");
    expect(await choices()).toEqual([[byX[7]]]);
    await press("Shift+ArrowLeft");
    await expect.poll(async () => (await choices()).at(-1)).toEqual([byX[6], byX[7]].sort());
    await press("Escape");
    expect((await choices()).at(-1)).toEqual([]);
    await point("rank 3").click({ button: "right" });
    await panel.page.getByRole("menuitem", { name: "Restrict to the other 7" }).click();
    expect(await choices()).toEqual([[0, 1, 2, 4, 5, 6, 7]]);
    await panel.page.getByRole("button", { name: /^Table/ }).click();
    const row = panel.page.locator("table").first().locator("tbody tr").filter({ hasText: /^3/ });
    await row.click({ modifiers: ["Control"] });
    expect((await choices()).at(-1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await row.filter({ hasText: "yes" }).waitFor();
  });

  it("functions are selected by a click and by Space, opened by a double click and by Enter, never chosen", async () => {
    const { view, shown } = await functions();
    await show({ view, shown });
    const mark = shown.answer.names.indexOf("updateConductivity");
    const at = await middleOf(point("updateConductivity"));
    await panel.page.mouse.click(at.x, at.y);
    expect(await did()).toMatchObject([{ action: "select", mark }]);
    await press("Space", "Enter");
    expect(await did()).toMatchObject([
      { action: "select", mark },
      { action: "open", mark },
    ]);
    await drag([point("updateConductivity")], 4);
    expect((await did()).filter(({ type }) => type === "choose")).toEqual([]);
    await doubleClickAround(panel.page, at, async () => {
      await panel.send({ type: "notice", message: "Something to be said. ".repeat(60) });
      await drawn(panel.page);
    });
    expect((await did()).at(-1)).toMatchObject({ action: "open", mark });
    const main = shown.answer.names.indexOf("main");
    await panel.send({ type: "selection", revision: 1, mark: main });
    await expect.poll(() => point("main").getAttribute("aria-selected")).toBe("true");
    expect(correlation.subject?.(shown, mark, view, undefined as never)).toMatchObject({ name: "updateConductivity" });
    const target = { kind: "function" as const, function: shown.answer.ids[main] };
    expect(correlation.markOf?.(shown, { dataSet: 1, target, name: "main", origin: "" }, view)).toBe(main);
  });

  it("a double click on a row during which other points came opens none of them", async () => {
    const { view, shown } = await functions();
    await show({ view, shown });
    const { page } = panel;
    await page.getByRole("button", { name: /^Table/ }).click();
    await drawn(page);
    const row = page.locator("tbody tr").filter({ hasText: "updateConductivity" }).first();
    await row.scrollIntoViewIfNeeded();
    const { answer } = shown;
    const other = { ...answer, names: answer.names.slice().reverse(), ids: answer.ids.slice().reverse() };
    await doubleClickAround(page, await middleOf(row), async () => {
      await sendSample(panel, correlation, { name: "", view, shown: scatterOf(other, "function") }, 2);
    });
    const sent = await did();
    expect(sent.some(({ action }) => action === "select")).toBe(true);
    expect(sent.filter(({ action }) => action === "open")).toEqual([]);
  });

  it("selects and the swap ask for other points, values and things", async () => {
    await show(await measured());
    const pick = async (id: string, entry: string) => {
      await panel.page.locator(`[data-select="${id}"]`).click();
      await panel.page.getByRole("menuitemradio", { name: entry }).click();
    };
    await pick("points", "functions");
    await pick("x.value", "inclusive");
    await pick("x.of", "pin updateConductivity");
    await pick("y.of", "whole recording");
    await panel.page.getByRole("button", { name: "Swap the axes" }).click();
    expect((await panel.sent()).filter(({ type }) => type === "control")).toEqual([
      { type: "control", id: "points", value: "function" },
      { type: "control", id: "x.value", value: "inclusive" },
      { type: "control", id: "x.of", value: "pin" },
      { type: "control", id: "y.of", value: "whole" },
      { type: "control", id: "swap", value: "" },
    ]);
  });

  it("20,000 points are on a canvas and all in a picture", async () => {
    const sample = { view: (await functions()).view, shown: inMany(20_000) };
    await show(sample);
    const { page } = panel;
    expect(await page.locator(".drawing [role=option]").count()).toBe(1);
    await page.locator(".drawing [role=option]").focus();
    await press("End", "Space");
    const { x } = sample.shown.answer;
    const last = x.indexOf(x.reduce((most, value) => Math.max(most, value)));
    expect(await did()).toMatchObject([{ action: "select", mark: last }]);
    const { names } = sample.shown.answer;
    await page
      .getByRole("tooltip")
      .filter({ hasText: new RegExp(`^${names[last]}x`) })
      .waitFor();
    await screenshot(page, "correlation-20000");
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("menuitem", { name: /svg/i }).click();
    const saved = async () => (await panel.sent()).find(({ type }) => type === "save");
    let picture: Awaited<ReturnType<typeof saved>>;
    await expect.poll(async () => (picture = await saved())?.format).toBe("svg");
    // A path for each, beside axes, ticks and the line.
    expect(String(picture?.content).match(/<path /g)?.length).toBeGreaterThanOrEqual(20_000);
  });

  it.each(seenThemes)("a density leaves a picture (%s)", async (theme) => {
    panel = await openPage(window, { theme, width: 1000 });
    const view = viewOf(await sampleWorld(), { ...start, points: "context" as const });
    await sendSample(panel, correlation, { name: "", view, shown: counted(60_000) });
    await screenshot(panel.page, `correlation-density-${theme}`);
  });
});
