import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { formatShare, formatValue } from "../../src/model/units";
import { flameGraph } from "../../src/panels/flameGraph/definition";
import { askFlames, detailsOf, type FlamesShown } from "../../src/panels/flameGraph/flames";
import type { FlamePaneContent, FlameState } from "../../src/protocol/flameGraph";
import type { View } from "../../src/panels/kit/definition";
import { details, pane } from "../../webviews/flameGraph/describe";
import { draw } from "../../webviews/flameGraph/drawing";
import { plainTheme } from "./kit/plainTheme";
import { differenceText, signed } from "../../src/model/differences";
import { miniheat } from "../recordings";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { sendSample } from "./kit/showing";
import { flameView, useFlameGraph } from "./useFlameGraph";
import { doubleClickAround, drawn, screenshot, seenThemes, type Sent } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useFlameGraph();

interface GoldenRecord {
  readonly path?: string;
  readonly "mpi.rank"?: number;
  readonly "sum#sum#time.duration": number;
}

/** Mean inclusive seconds over the 8 ranks by path, added up here from the recording tool's own dump. */
function goldenInclusive(): Map<string, number> {
  const file = path.join(miniheat, "profiles/golden/profile-8ranks.records.json");
  const records = JSON.parse(fs.readFileSync(file, "utf8")) as GoldenRecord[];
  const sums = new Map<string, number>();
  for (const record of records) {
    if (record["mpi.rank"] === undefined) continue;
    const names = record.path === undefined ? ["(no region)"] : record.path.split("/");
    names.forEach((_, step) => {
      const key = names.slice(0, step + 1).join("/");
      sums.set(key, (sums.get(key) ?? 0) + record["sum#sum#time.duration"] / 8);
    });
  }
  return sums;
}

const task = { check: () => undefined, progress: () => undefined, onCancel: () => undefined };

/** What the engine answers, with other names. */
function renamed(shown: FlamesShown, name: (before: string, at: number) => string): FlamesShown {
  const panes = shown.panes.map((pane) => ({
    ...pane,
    flames: { ...pane.flames, names: pane.flames.names.map(name) },
  }));
  return { ...shown, panes };
}

/** Small things side by side, as many as a message holds. */
function wide(shown: FlamesShown, count: number): FlamesShown {
  const [pane] = shown.panes;
  const column = (value: (at: number) => number) => Float64Array.from({ length: count }, (_, at) => value(at));
  const whole = (value: (at: number) => number) => Int32Array.from({ length: count }, (_, at) => value(at));
  const width = count - 1;
  const rectangles = {
    count,
    depth: whole((at) => Math.min(1, at)),
    parent: whole((at) => (at === 0 ? -1 : 0)),
    node: whole((at) => at),
    x: column((at) => Math.max(0, at - 1)),
    width: column((at) => (at === 0 ? width : 1)),
    inclusive: column((at) => (at === 0 ? width : 1)),
    exclusive: column((at) => Math.min(1, at)),
    name: whole(() => 0),
    together: whole(() => 1),
    frames: whole(() => 1),
    group: whole(() => -1),
    flags: new Uint8Array(count),
  };
  const flames = {
    ...pane.flames,
    rectangles,
    names: ["leaf"],
    shown: ["leaf"],
    width,
    total: width,
    levels: 2,
    nodes: count,
    covering: [],
  };
  return { ...shown, panes: [{ ...pane, flames }] };
}

/** All rectangles below the first level stand for several. */
function together(shown: FlamesShown): FlamesShown {
  const panes = shown.panes.map((pane) => {
    const { rectangles } = pane.flames;
    const together = rectangles.depth.map((depth) => (depth > 0 ? 5 : 1));
    return { ...pane, flames: { ...pane.flames, rectangles: { ...rectangles, together } } };
  });
  return { ...shown, panes };
}

panelLaws({
  definition: flameGraph,
  draw,
  async samples() {
    const sample = async (name: string, known: View<FlameState>, change = (shown: FlamesShown) => shown) => ({
      name,
      view: known,
      shown: change(await askFlames(known, task)),
    });
    const recording = await flameView();
    const hostile = { ...recording, metric: { ...recording.metric, name: HOSTILE_NAME, unit: "1" } };
    return [
      await sample("recording", recording),
      await sample("sandwich", await flameView({ mode: "sandwich", name: "MPI_Allreduce" })),
      await sample("inside a bar, by file", await flameView({ mode: "bar", name: "solver.cpp", colour: "file" })),
      await sample("hostile names", hostile, (shown) => renamed(shown, (_, at) => HOSTILE_NAME + at)),
      await sample("3,000 rectangles", recording, (shown) => wide(shown, 3000)),
    ];
  },
});

/** The names on the way to what was clicked. */
async function pathOf({ mark }: Sent): Promise<readonly string[]> {
  const details = await detailsOf(view.shown, Number(mark), view.view);
  return details?.path ?? [];
}

/** What of the drawing is in sight, as the page keeps it. */
async function sight(): Promise<{ from: number; to: number }> {
  await view.settle();
  return ((await view.panel.kept()) as { seen: { sights: { from: number; to: number }[] } }).seen.sights[0];
}

async function search(text: string) {
  const { page } = view.panel;
  await page.getByRole("button", { name: /^Search/ }).click();
  const field = page.getByRole("textbox", { name: "Search" });
  await field.fill(text);
  await view.settle();
  return field;
}

describe("the flame graph of the sample", () => {
  it("has a rectangle for every path of the recording tool's dump, with its inclusive", async () => {
    await view.show();
    const { depth, parent, name, names, inclusive, width, drawn: total } = await view.answer(20_000, 50);
    const paths: string[] = [];
    depth.forEach((_, at) => paths.push(parent[at] < 0 ? names[name[at]] : `${paths[parent[at]]}/${names[name[at]]}`));
    const golden = [...goldenInclusive()].filter(([, value]) => value > total / 20_000);
    expect(golden.length).toBeGreaterThan(15);
    for (const [key, value] of golden) {
      const at = paths.indexOf(key);
      expect(at, key).toBeGreaterThanOrEqual(0);
      expect(inclusive[at]).toBeCloseTo(value, 5);
      expect(width[at] * total).toBeCloseTo(value, 5);
    }
  });

  it("is walked with the arrow keys, and says what it is at", async () => {
    await view.show();
    await view.focus();
    expect(await view.current()).toBe(
      `main, inclusive ${formatValue(goldenInclusive().get("main") ?? NaN, "s")} 100 %, exclusive 25.7 ms 0.955 %, level 1`,
    );
    await view.panel.page.keyboard.press("ArrowDown");
    expect(await view.current()).toMatch(/^timestep,/);
    await view.panel.page.keyboard.press("ArrowDown");
    expect(await view.current()).toMatch(/^advance,/);
    expect(await view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(
      /^advance, inclusive/,
    );
    await view.panel.page.keyboard.press("ArrowUp");
    expect(await view.current()).toMatch(/^timestep,/);
    await view.panel.page.keyboard.press("Space");
    await view.panel.page.keyboard.press("Enter");
    const sent = (await view.settle()).filter(({ type }) => type === "mark");
    expect(sent.map(({ action }) => action)).toEqual(["select", "open"]);
    expect(await pathOf(sent[0])).toEqual(["main", "timestep"]);
    expect(sent[1].mark).toBe(sent[0].mark);
  });

  it.each([400, 600, 1400])("has all of what it says of a rectangle in its width, at %i pixels", async (width) => {
    await view.show({}, { width, height: 700 });
    const { page } = view.panel;
    await page.locator(".drawing path[data-mark]").nth(2).click();
    const [{ mark }] = (await view.settle()).filter(({ type }) => type === "mark");
    await view.panel.send({ type: "selection", revision: 1, mark });
    await page.getByRole("heading", { name: "called by" }).waitFor();
    const ends = await page
      .locator(".pane li > span, .pane h2, .pane dd")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(ends.length).toBeGreaterThan(10);
    expect(Math.max(...ends)).toBeLessThanOrEqual(width);
  });

  it("offers both ways to a line in its menu: to the place of the context, and to the function's hottest line", async () => {
    await view.show();
    const { page } = view.panel;
    const menu = page.getByRole("menuitem");
    const choose = async (name: string | RegExp) => {
      await page.locator('.drawing [aria-label^="advance, "]').click({ button: "right" });
      await menu.filter({ hasText: name }).click();
      return (await view.settle()).filter(({ type }) => type === "mark");
    };
    const chosen = [...(await choose("Go to line")), ...(await choose("Go to hottest line"))];
    expect(chosen.map(({ action }) => action)).toEqual(["open", "hottest-line"]);
    for (const one of chosen) expect(await pathOf(one)).toEqual(["main", "timestep", "advance"]);
  });

  it("has value and share in every rectangle with room for them behind its whole name", async () => {
    await view.show();
    const texts = await view.panel.page.locator(".stage svg text").allTextContents();
    const golden = goldenInclusive();
    const { total } = flameGraph.content(view.shown, view.view);
    const written = texts.filter((text) => text.includes(" · "));
    expect(written.length).toBeGreaterThan(6);
    for (const path of ["main", "main/timestep", "main/timestep/advance"]) {
      const value = golden.get(path) ?? NaN;
      expect(written).toContain(`${formatValue(value, "s")} · ${formatShare(value / total)}`);
    }
    // Where there is room for the value alone, the share goes.
    await view.panel.page.setViewportSize({ width: 600, height: 700 });
    await drawn(view.panel.page);
    const narrow = await view.panel.page.locator(".stage svg text").allTextContents();
    const waiting = [...golden].find(([path]) => path.endsWith("/MPI_Waitall"))?.[1] ?? NaN;
    expect(narrow).toContain(formatValue(waiting, "s"));
    // Of a name that has no room both ends.
    expect(narrow.some((text) => /^u\w*…\w*y$/.test(text))).toBe(true);
    expect(narrow.filter((text) => text.endsWith("…") && text.length < 12)).toEqual([]);
    const boxes = await view.panel.page.locator(".stage svg text").evaluateAll((all) =>
      all.map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return { left, right, top, bottom, text: text.textContent };
      }),
    );
    const meet = boxes.flatMap((one, at) =>
      boxes.slice(at + 1).filter(({ left, right, top, bottom }) => {
        const isBeside = right <= one.left || left >= one.right;
        return !isBeside && Math.min(bottom, one.bottom) - Math.max(top, one.top) > 3;
      }),
    );
    expect(meet).toEqual([]);
  });

  it("says in the room below the rows what has most, as long as nothing is selected", async () => {
    await view.show();
    const pane = view.panel.page.locator(".pane");
    // Of the whole the summary says the numbers.
    expect(await pane.getByRole("heading").allInnerTexts()).toEqual(["largest exclusive", "largest inclusive"]);
    expect(await view.panel.page.locator(".pane[aria-label='Whole recording'] dt").count()).toBe(0);
    const golden = [...goldenInclusive()];
    const exclusive = golden.map(([path, value]) => {
      const below = golden.filter(([other]) => other.slice(0, other.lastIndexOf("/")) === path);
      return { name: path.split("/").at(-1) ?? "", value: below.reduce((left, [, part]) => left - part, value) };
    });
    const largest = exclusive.sort((a, b) => b.value - a.value).slice(0, 5);
    const rows = pane.locator("div", { has: view.panel.page.getByText("largest exclusive") }).locator("li");
    const texts = (await rows.allInnerTexts()).slice(0, 5).map((text) => text.replace(/\s+/g, " "));
    const total = golden.reduce((most, [, value]) => Math.max(most, value), 0);
    expect(texts.map((text) => text.replace(/ [\d.]+ %$/, ""))).toEqual(
      largest.map(({ name, value }) => `${name} ${formatValue(value, "s")}`.replace(/\s+/g, " ")),
    );
    expect(texts[0]).toContain(formatShare(largest[0].value / total).replace(/\s+/g, " "));
    // Values end in one column, shares in another.
    const ends = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll("span")].map((cell) => cell.getBoundingClientRect().right)),
    );
    expect(new Set(ends.map((row) => JSON.stringify(row.slice(-2)))).size).toBe(1);
    // The numbers are those of the recording's page, to the digit.
    const hottest = await view.engine.hotFunctions({ scope: view.view.scope, by: "exclusive", limit: 20 });
    const costly = hottest.filter((row) => row.exclusive > 0);
    const { total: of } = flameGraph.content(view.shown, view.view);
    expect(
      (await rows.allInnerTexts()).slice(0, costly.length).map((text) => text.replace(/\s+/g, " ").trim()),
    ).toEqual(
      costly.map(({ name, shown = name, exclusive }) =>
        `${shown} ${formatValue(exclusive, "s")} ${formatShare(exclusive / of)}`.replace(/\s+/g, " "),
      ),
    );
    await rows.first().getByRole("button").click();
    expect((await view.settle()).find(({ type }) => type === "mark")).toMatchObject({ action: "select" });
  });

  it("has what has most with all that it calls beside that, a recursive function once", async () => {
    await view.show();
    const rows = await view.engine.hotFunctions({ scope: view.view.scope, by: "inclusive", limit: 5 });
    const content = flameGraph.content(view.shown, view.view);
    const list = pane(content, undefined, undefined)?.lists.find(({ title }) => title === "largest inclusive");
    expect(list?.rows.slice(0, 5).map(({ name, values }) => [name, values[0]])).toEqual(
      rows.map(({ name, inclusive }) => [name, formatValue(inclusive, "s")]),
    );
    // As if all of them were one function that calls itself.
    const [shown] = content.panes;
    const one = { ...content, hottest: undefined, panes: [{ ...shown, name: shown.name.map(() => 0) }] };
    expect(pane(one, undefined, undefined)?.lists.at(-1)?.rows).toMatchObject([
      { values: [formatValue(shown.drawn, "s"), formatShare(shown.drawn / content.total)] },
    ]);
  });

  it("has frames without a name hatched, with their number, and the kernel grey", async () => {
    await view.show();
    const content = flameGraph.content(view.shown, view.view);
    const [shown] = content.panes;
    const flags = shown.flags.map((flag, at) => (at === 1 ? flag | 32 : at === 2 ? flag | 64 : flag));
    const frames = shown.frames.map((_, at) => (at === 1 ? 3 : 1));
    const group = shown.group.map((_, at) => (at === 2 ? 0 : 1));
    const changed = { groups: ["[kernel.kallsyms]", "libc.so.6"], groupCount: 2 };
    const part = { ...content, ...changed, panes: [{ ...shown, flags, frames, group }] };
    const size = { width: 1000, height: 600, theme: plainTheme };
    const scene = draw(part, { ...size, measure: (px: number) => (text: string) => text.length * px * 0.6 });
    // One hatch, in the box of the frames. Name and number stand on it, with a rim in the colour of the box.
    const hatches = scene.above.flatMap((shape, at) => (shape.kind === "path" ? [at] : []));
    expect(hatches).toHaveLength(1);
    expect(scene.marks[1].label).toBeUndefined();
    const own = scene.above.flatMap((shape, at) =>
      shape.kind === "text" && shape.of === scene.marks[1].id ? [{ ...shape, isAbove: at > hatches[0] }] : [],
    );
    expect(own[0].text).toMatch(/ ×3$/);
    const { fill } = scene.marks[1].paint;
    expect(own.map(({ halo, isAbove }) => [halo, isAbove])).toEqual(own.map(() => [fill, true]));
    expect(scene.marks[2].paint.fill).toBe(plainTheme.faded(plainTheme.text, 0.3));
    expect(scene.marks[2].paint.fill).not.toBe(scene.marks[3].paint.fill);
  });

  it("names every rectangle from 24 pixels on, cut in the middle", async () => {
    await view.show();
    const content = flameGraph.content(view.shown, view.view);
    const scene = draw(content, {
      width: 600,
      height: 600,
      theme: plainTheme,
      measure: (px: number) => (text: string) => text.length * px * 0.5,
    });
    const boxes = scene.marks.filter(({ box }) => box.width >= 24 && box.height > 16);
    expect(boxes.length).toBeGreaterThan(8);
    expect(boxes.filter(({ label }) => label === undefined).map(({ name }) => name)).toEqual([]);
  });

  it("is coloured by module at first if the kernel and libraries have 5 % of the time", async () => {
    await view.show();
    const of = (foreignShare: number | undefined) => {
      const dataSet = { ...view.view.dataSet, hasModules: true, foreignShare };
      const control = flameGraph.controls({ ...view.view, dataSet }, view.shown).find(({ id }) => id === "colour");
      return control?.kind === "select" ? control.value : undefined;
    };
    expect([of(undefined), of(0.049), of(0.05), of(0.9)]).toEqual(["exclusive", "exclusive", "module", "module"]);
  });

  it("says of a sandwich what its function costs, and who calls it", async () => {
    await view.show({ mode: "sandwich", name: "advance" });
    const content = flameGraph.content(view.shown, view.view);
    const golden = goldenInclusive();
    const said = pane(content, undefined, undefined);
    const value = golden.get("main/timestep/advance") ?? NaN;
    expect(said?.name).toBe("advance");
    expect(said?.facts[0].slice(0, 2)).toEqual(["inclusive", formatValue(value, "s")]);
    expect(said?.lists[0]).toMatchObject({
      title: "called by",
      rows: [{ name: "timestep", values: [formatValue(value, "s"), expect.any(String)] }],
    });
    // What is said of a rectangle above the list does not lie over it, where it has room above.
    const { page } = view.panel;
    const top = (await page.locator(".pane").boundingBox())?.y ?? NaN;
    await page.locator(".drawing path[data-mark]").last().hover();
    const tooltip = page.locator(".tooltip:visible");
    await tooltip.waitFor();
    const box = await tooltip.boundingBox();
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(top);
  });

  it("has a function in that list once, with what all of its rectangles have, and what is not listed", async () => {
    await view.show();
    const content = flameGraph.content(view.shown, view.view);
    const [shown] = content.panes;
    const numberOf = (name: string) => shown.names.indexOf(name);
    // As if what is called in many places had one name.
    const [wait, ...same] = ["MPI_Waitall", "MPI_Irecv", "MPI_Isend"].map(numberOf);
    const name = shown.name.map((at) => (same.includes(at) ? wait : at));
    const listOf = (change: Partial<FlamePaneContent>) =>
      pane({ ...content, hottest: undefined, panes: [{ ...shown, name, ...change }] }, undefined, undefined)?.lists.at(
        0,
      );
    const golden = [...goldenInclusive()];
    const waited = golden.filter(([path]) => /\/MPI_(Waitall|Irecv|Isend)$/.test(path));
    const sum = waited.reduce((all, [, value]) => all + value, 0);
    const list = listOf({});
    expect(list?.title).toBe("largest exclusive");
    const rows = list?.rows.filter((row) => row.name === "MPI_Waitall");
    expect(rows).toMatchObject([
      {
        values: [formatValue(sum, "s"), formatShare(sum / content.total)],
        hint: `Go to the largest of ${waited.length} rectangles`,
      },
    ]);
    expect(new Set(list?.rows.map((row) => row.name)).size).toBe(list?.rows.length);
    // Sums of what is in sight, and wide enough.
    const { window } = shown;
    expect(listOf({ window: { ...window, from: 0.1 } })?.title).toBe("largest exclusive in sight");
    const half = numberOf("MPI_Allreduce");
    const together = shown.name.map((at) => (at === half ? 5 : 1));
    expect(listOf({ together })?.title).toBe("largest exclusive, without what is narrower than a pixel");
    // Differences add up in the same way: a function that the baseline has along one of its paths is not new.
    const baseline = shown.exclusive.map((value) => value / 2);
    const compared = {
      baseline,
      largestDifference: 1,
      flags: shown.flags.map((flag, at) => (same.includes(shown.name[at]) ? flag | 16 : flag)),
    };
    const waits = golden.find(([path]) => path.endsWith("/MPI_Waitall"))?.[1] ?? NaN;
    const row = listOf(compared)?.rows.find((one) => one.name === "MPI_Waitall");
    expect(row?.values.join(" · ")).toBe(differenceText(waits / 2, sum, "s"));
  });

  it("says in the room below the rows what is selected: numbers, callers, what it calls, each a way to it", async () => {
    await view.show();
    const { page } = view.panel;
    const pane = page.locator(".pane");
    await view.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    const [sent] = (await view.settle()).filter(({ type }) => type === "mark");
    await view.panel.send({ type: "selection", revision: 1, mark: sent.mark });
    await pane.getByRole("heading", { name: "advance" }).waitFor();
    const golden = goldenInclusive();
    const value = formatValue(golden.get("main/timestep/advance") ?? NaN, "s");
    const text = (await pane.innerText()).replaceAll("\n", " ");
    expect(text).toMatch(/^advance /);
    expect(text).toContain(`inclusive ${value}`);
    expect(await pane.locator("h2").allInnerTexts()).toEqual(["advance", "called by", "calls"]);
    const names = (title: string) =>
      pane
        .locator("div", { has: page.locator("h2", { hasText: title }) })
        .getByRole("button")
        .allInnerTexts();
    expect(await names("called by")).toEqual(["timestep", "main"]);
    const called = [...golden]
      .filter(([path]) => /^main\/timestep\/advance\/[^/]+$/.test(path))
      .sort(([, a], [, b]) => b - a)
      .map(([path]) => path.split("/").at(-1));
    expect((await names("calls")).slice(0, 3)).toEqual(called.slice(0, 3));
    for (const width of [400, 600, 1400]) {
      await page.setViewportSize({ width, height: 700 });
      await view.settle();
      await screenshot(page, `flameGraph-selected-${width}`);
    }
    await pane.getByRole("button", { name: "timestep" }).click();
    const again = (await view.settle()).filter(({ action }) => action === "select");
    expect(await pathOf(again[0])).toEqual(["main", "timestep"]);
  });

  it("is coloured by function on demand: one hue for each, and the largest in the legend", async () => {
    await view.show({ colour: "function" });
    const content = flameGraph.content(view.shown, view.view);
    const rows = await view.engine.hotFunctions({ scope: view.view.scope, by: "exclusive", limit: 7 });
    expect(content.groups).toEqual(rows.map(({ name }) => name));
    const marks = view.panel.page.locator(".drawing path");
    const fills = await marks.evaluateAll((all) => all.map((one) => one.getAttribute("fill") ?? ""));
    expect(new Set(fills).size).toBeGreaterThan(8);
    await screenshot(view.panel.page, "flameGraph-by-function");
  });

  it.each(seenThemes)("shows what differs from a baseline, in widths of the candidate (%s)", async (theme) => {
    const baseline = path.join(miniheat, "profiles/ensemble/np8-r1.cali");
    await view.show({ colour: "difference", baseline }, { theme });
    const [{ flames }] = view.shown.panes;
    const { exclusive, baseline: before = new Float64Array(), name } = flames.rectangles;
    const main = name.findIndex((at) => flames.names[at] === "main");
    const { page } = view.panel;
    const texts = await page.locator(".drawing text").allTextContents();
    expect(texts).toContain(differenceText(before[main], exclusive[main], "s"));
    expect(await page.locator(".legend").innerText()).toContain(signed(flames.largestDifference ?? 0, "s"));
    // Beside the baseline's numbers it is said whose the others are.
    const said = details(flameGraph.content(view.shown, view.view), 0, undefined)?.numbers.map(([what]) => what);
    expect(said).toEqual(
      expect.arrayContaining(["inclusive, candidate", "exclusive, candidate", "exclusive, baseline"]),
    );
    // A path that the baseline has not: its function may be there along another one.
    const content = flameGraph.content(view.shown, view.view);
    const [first] = content.panes;
    const fresh = { ...content, panes: [{ ...first, flags: first.flags.map((flag) => flag | 16) }] };
    expect(details(fresh, 0, undefined)?.numbers).toContainEqual([
      "difference",
      `${signed(exclusive[name.indexOf(name[0])], "s")} · new here`,
    ]);
    await screenshot(page, `flameGraph-difference-${theme}`);
    // Where both have no room, the difference alone.
    const waits = name.findIndex((at) => flames.names[at] === "MPI_Waitall");
    await page.setViewportSize({ width: 600, height: 700 });
    await view.settle();
    const narrow = await page.locator(".drawing text").allTextContents();
    expect(narrow).toContain(signed(exclusive[waits] - before[waits], "s"));
    // Whole functions first, also those that the candidate lacks: along a path that is new they would be new, too.
    const sides = { baseline: [view.query("recording").compared ?? view.view.scope], candidate: [view.view.scope] };
    const { rows } = await view.engine.comparison({ ...sides, value: "exclusive", limit: 3, linked: 0 });
    const lists = pane(content, undefined, undefined)?.lists.map(({ title, rows: all }) => [
      title,
      ...all.slice(0, 3).map((row) => `${row.name} ${row.values.join(" · ")}`),
    ]);
    expect(lists?.[0]).toEqual([
      "largest differences of exclusive",
      ...rows.map((row) => `${row.name} ${differenceText(row.baseline, row.candidate, "s")}`),
    ]);
    expect(lists?.[1][0]).toBe("along one path");
    const [gone] =
      pane({ ...content, changes: [{ name: "gone", baseline: 1, candidate: null }] }, undefined, undefined)?.lists[0]
        .rows ?? [];
    expect(gone).toEqual({ name: "gone", values: ["−1.00 s", "gone"] });
  });

  it("explains what is narrower than a pixel only where it is seen", async () => {
    await view.show();
    const { panel } = view;
    const legend = () => panel.page.locator(".legend").innerText();
    expect(await legend()).toContain("inclusive");
    expect(await legend()).not.toContain("narrower");
    await sendSample(panel, flameGraph, { name: "", view: view.view, shown: together(view.shown) }, 2);
    expect(await legend()).toContain("narrower than a pixel");
  });

  it("zooms to a rectangle and back, by key, by Shift and click, by wheel, by breadcrumb", async () => {
    await view.show();
    const { page } = view.panel;
    await view.focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "z"]) await page.keyboard.press(key);
    await view.settle();
    const crumbs = page.locator(".context .part");
    const all = expect.stringMatching(/^profile-8ranks/) as string;
    await expect.poll(() => crumbs.allInnerTexts()).toEqual([all, "main", "timestep", "advance", expect.any(String)]);
    const box = await page.locator(".drawing [tabindex='0']").boundingBox();
    const area = await page.locator(".drawing").boundingBox();
    expect(box?.width).toBeGreaterThan((area?.width ?? 0) * 0.98);
    await crumbs.nth(0).getByRole("button").click();
    await view.settle();
    await expect.poll(() => crumbs.allInnerTexts()).toEqual([all]);
    await page.mouse.move((area?.x ?? 0) + 200, (area?.y ?? 0) + 50);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await view.settle();
    const { from, to } = await sight();
    expect(to - from).toBeCloseTo(Math.exp(-1.5), 2);
    await page.mouse.move((area?.x ?? 0) + 300, (area?.y ?? 0) + 50);
    await page.mouse.down();
    await page.mouse.move((area?.x ?? 0) + 200, (area?.y ?? 0) + 50, { steps: 4 });
    await page.mouse.up();
    expect((await sight()).from).toBeGreaterThan(from);
    await page.keyboard.down("Shift");
    await page.mouse.click((area?.x ?? 0) + 100, (area?.y ?? 0) + 20);
    await page.keyboard.up("Shift");
    expect((await view.settle()).filter(({ action }) => action === "select")).toEqual([]);
    expect((await sight()).to).toBeGreaterThan(0.99);
  });

  it("dims what a search does not find, and says the found share", async () => {
    await view.show();
    const { page } = view.panel;
    const field = await search("MPI_");
    const golden = [...goldenInclusive()].filter(([key]) => /\/MPI_\w+$|^MPI_\w+$/.test(key));
    const sum = golden.reduce((all, [, value]) => all + value, 0);
    const total = 21.525861 / 8; // supergraph.json of the sample
    const found = page.locator(".summary");
    await found.filter({ hasText: `${golden.length} rectangles found` }).waitFor();
    expect(await found.innerText()).toContain(`${formatValue(sum, "s")} (${formatShare(sum / total)})`);
    await page.locator(".search").getByText(`${golden.length} rectangles`).waitFor();
    await field.press("Enter");
    const [selected] = (await view.settle()).filter(({ action }) => action === "select");
    expect((await pathOf(selected)).at(-1)).toMatch(/^MPI_/);
    await screenshot(page, "flame-search");
  });

  it("goes to the first that is found, also where Enter came before the answer", async () => {
    await view.show();
    const { page } = view.panel;
    await page.getByRole("button", { name: /^Search/ }).click();
    const field = page.getByRole("textbox", { name: "Search" });
    await field.fill("halo_pack");
    await field.press("Enter");
    const [selected, ...others] = (await view.settle()).filter(({ action }) => action === "select");
    expect((await pathOf(selected)).at(-1)).toBe("halo_pack");
    expect(others).toEqual([]);
    const box = await page.locator('.drawing [aria-selected="true"]').boundingBox();
    expect(box?.width).toBeGreaterThan(3);
  });

  it("shows what is chosen in full or not at all, and says it where a panel is too narrow", async () => {
    await view.show({}, { width: 600 });
    const cut = await view.panel.page
      .locator(".select:visible")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    expect(cut).toEqual([]);
    await view.panel.page.getByRole("button", { name: "Show: whole recording" }).waitFor();
  });

  it("shows a tooltip with path and line once the host has sent them", async () => {
    await view.show();
    const { page } = view.panel;
    const area = await page.locator(".drawing").boundingBox();
    await page.mouse.move((area?.x ?? 0) + 100, (area?.y ?? 0) + 38);
    await page.getByRole("tooltip").waitFor();
    let asked: Sent | undefined;
    await expect.poll(async () => (asked = (await view.settle()).find(({ type }) => type === "explain"))).toBeTruthy();
    const mark = Number(asked?.mark);
    const explained = await flameGraph.explain?.(view.shown, mark, view.view, task);
    await view.panel.send({ type: "explained", revision: 1, mark, ...explained });
    await page.getByText("main › timestep").waitFor();
    await page.getByText(/^main\.cpp:\d+$/).waitFor();
    await view.panel.send({ type: "explained", revision: 1, mark, facts: [["path", "main › timestep › ".repeat(9)]] });
    await page.getByText("timestep › main").waitFor();
    for (const name of await page.locator(".tooltip dt").all())
      expect(await name.evaluate((dt) => dt.clientWidth > 0 && dt.scrollWidth <= dt.clientWidth)).toBe(true);
    await screenshot(page, "flame-tooltip");
  });

  it("selects what is clicked, and highlights and reveals what is selected elsewhere", async () => {
    await view.show();
    const { page } = view.panel;
    const area = await page.locator(".drawing").boundingBox();
    await page.mouse.click((area?.x ?? 0) + 100, (area?.y ?? 0) + 38);
    expect((await view.settle()).filter(({ action }) => action === "select")).toHaveLength(1);
    const rows = await view.engine.hotFunctions({ scope: view.query("recording").scope, by: "inclusive", limit: 1000 });
    const id = rows.find(({ name }) => name === "initialTemperature")?.function ?? -1;
    const selection = { dataSet: 1, target: { kind: "function", function: id }, name: "", origin: "" } as const;
    const place = await flameGraph.markOf?.(view.shown, selection, view.view);
    if (typeof place !== "object") throw new Error("It is nowhere.");
    await view.panel.send({ type: "selection", revision: 1, mark: place.mark, place });
    await view.settle();
    const selected = page.locator('.drawing [aria-selected="true"]');
    await expect.poll(() => selected.getAttribute("aria-label")).toMatch(/^initialTemperature,/);
    expect((await selected.boundingBox())?.width).toBeGreaterThan(3);
  });

  it("opens what a double click began on, though a notice moves it before the second click", async () => {
    await view.show();
    const { page } = view.panel;
    const area = await page.locator(".drawing").boundingBox();
    const at = { x: (area?.x ?? 0) + 100, y: (area?.y ?? 0) + 38 };
    await doubleClickAround(page, at, async () => {
      await view.panel.send({ type: "notice", message: "Something to be said. ".repeat(60) });
      await expect.poll(async () => (await page.locator(".drawing").boundingBox())?.y).toBeGreaterThan(area?.y ?? 0);
    });
    const opened = (await view.settle()).filter(({ action }) => action === "open");
    expect(opened).toHaveLength(1);
    expect(await pathOf(opened[0])).toEqual(["main", "timestep"]);
  });

  it("opens no row of rectangles that others took the place of during a double click", async () => {
    await view.show();
    const { page } = view.panel;
    await page.getByRole("button", { name: /^Table/ }).click();
    await view.settle();
    const row = await page.locator(".table tbody tr").nth(3).boundingBox();
    const at = { x: (row?.x ?? 0) + 20, y: (row?.y ?? 0) + (row?.height ?? 0) / 2 };
    await doubleClickAround(page, at, async () => {
      const content = { ...flameGraph.content(view.shown, view.view), over: "other ranks" };
      await view.panel.send({ type: "content", revision: 2, content });
      await page.locator(".summary").getByText("other ranks").first().waitFor({ state: "attached" });
      await drawn(page);
    });
    const sent = await view.settle();
    expect(sent.some(({ action }) => action === "select")).toBe(true);
    expect(sent.filter(({ action }) => action === "open")).toEqual([]);
  });

  it("comes back after a reload as it was", async () => {
    await view.show();
    const seen = { subject: view.shown.subject, sights: [{ from: 0.25, to: 0.5, row: 0 }] };
    const kept = { ...flameGraph.start, dataSet: "a-key", table: true, search: "solve", seen };
    await view.show({}, { kept });
    await view.panel.page.locator(".table tbody tr").first().waitFor();
    await view.panel.page.locator(".summary").filter({ hasText: "found" }).waitFor();
    expect(view.shown.panes[0].window).toMatchObject({ from: 0.25, to: 0.5 });
    expect(await view.panel.kept()).toEqual(kept);
    const table = (pressed: boolean) => view.panel.page.getByRole("button", { name: /^Table/, pressed });
    await table(true).click();
    await table(false).waitFor();
    await expect.poll(() => view.panel.page.locator(".table").isVisible()).toBe(false);
  });

  it("asks for nothing that it has: not at first, nor for fewer levels, but for what comes into sight", async () => {
    await view.show();
    const { page } = view.panel;
    const looks = async () => {
      await drawn(page);
      await drawn(page);
      return (await view.panel.sent()).filter(({ type }) => type === "look");
    };
    expect(await looks()).toEqual([]);
    await page.setViewportSize({ width: 1400, height: 400 });
    expect(await looks()).toEqual([]);
    await view.focus();
    await page.keyboard.press("+");
    expect(await looks()).toHaveLength(1);
  });

  it("is saved as CSV with full precision, as SVG and as PNG", async () => {
    await view.show();
    const { page } = view.panel;
    for (const format of ["csv", "svg", "png"] as const) {
      await page.getByRole("button", { name: /^Save/ }).click();
      await page.getByRole("menuitem", { name: `Save as ${format.toUpperCase()}` }).click();
      let saved: Sent | undefined;
      await expect.poll(async () => (saved = (await view.settle()).find(({ type }) => type === "save"))).toBeTruthy();
      const content = String(saved?.content);
      if (format === "svg") {
        // What rows leave empty below them is no part of it.
        const stage = (await view.panel.page.locator(".stage").boundingBox())?.height ?? NaN;
        expect(Number(/<svg[^>]* height="(\d+)"/.exec(content)?.[1])).toBeLessThan(stage);
      }
      if (format === "png") expect(content).toMatch(/^iVBORw0KGgo/);
      if (format === "svg") {
        const problems = await page.evaluate(
          (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror").length,
          content,
        );
        expect(problems).toBe(0);
        expect(content).toContain(">main<");
      }
      if (format === "csv") {
        const [head, ...rows] = content.split("\r\n").map((line) => line.split(","));
        const main = rows.find((row) => row[head.indexOf("name")] === "main");
        expect(Number(main?.[head.indexOf("inclusive")])).toBeCloseTo(goldenInclusive().get("main") ?? NaN, 6);
        expect(content).toContain(',"time (s), mean over 8 ranks"');
      }
    }
  });
});

describe("the sandwich of MPI_Allreduce", () => {
  it("has globalSum above it, and both halves have its inclusive", async () => {
    await view.show({ mode: "sandwich", name: "MPI_Allreduce" });
    const { page } = view.panel;
    const golden = [...goldenInclusive()].filter(([key]) => key.endsWith("/MPI_Allreduce"));
    const sum = golden.reduce((all, [, value]) => all + value, 0);
    const text = `MPI_Allreduce, inclusive ${formatValue(sum, "s")} `;
    await view.focus();
    await page.keyboard.press("Home");
    expect(await view.current()).toContain(text);
    await page.keyboard.press("ArrowUp");
    expect(await view.current()).toMatch(new RegExp(`^globalSum, inclusive ${formatValue(sum, "s")} `));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await view.current()).toContain(text);
    const roots = page.locator(`.drawing [aria-label^="${text}"]`);
    expect(await roots.evaluateAll((all) => all.map((root) => root.getAttribute("data-key")?.split(" ")[0]))).toEqual([
      "callers",
      "callees",
    ]);
    const heading = await page.getByText("Callers of MPI_Allreduce", { exact: true }).first().boundingBox();
    const main = await page.locator('.drawing [aria-label^="main,"]').boundingBox();
    expect((main?.y ?? NaN) - (heading?.y ?? NaN)).toBeLessThan(30);
    await page.locator(".pane").getByText("called by").waitFor();
    await screenshot(page, "flame-sandwich");
  });
});

describe("inside solver.cpp", () => {
  it("are its contexts, with what is called out of it by name", async () => {
    await view.show({ mode: "bar", name: "solver.cpp" });
    await screenshot(view.panel.page, "flame-inside");
    const { names, drawn: width, flags } = await view.answer(5000, 20);
    const graph = await view.engine.superGraph({ scope: view.query("bar").scope, filter: 0.1, groupBy: "file" });
    expect(width).toBeCloseTo(graph.bars.find(({ id }) => id === "solver.cpp")?.inclusive ?? NaN, 9);
    expect(names).toContain("solve");
    expect(names).toContain("→ halo.cpp");
    expect([...flags].some((flag) => (flag & 2) !== 0)).toBe(true);
    // Exclusive are the bar's own functions: what they call in another bar is that one's.
    const listed = await view.panel.page.locator(".pane li .link").allInnerTexts();
    expect(listed).toEqual(expect.arrayContaining(["solve", "dot", "axpy", "apply"]));
    expect(listed.filter((name) => name.startsWith("→"))).toEqual([]);
  });
});
