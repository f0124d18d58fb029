import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { chosenRanks } from "../../src/model/members";
import { quietTask } from "../../src/model/task";
import { formatShare, formatValue } from "../../src/model/units";
import type { TimelineShown } from "../../src/panels/timeline/shown";
import type { Place } from "../../src/protocol/panel";
import { toLch } from "../../webviews/kit/theme/oklab";
import { contrast, parseColor } from "../../webviews/shared/color";
import { faintOf } from "../../webviews/timeline/colours";
import { draw } from "../../webviews/timeline/drawing";
import type { Shape } from "../../webviews/kit/stage/scene";
import { layoutOf } from "../../webviews/timeline/rows";
import { areaOf } from "../../webviews/timeline/seen";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { counterRecording, removeCounterRecording } from "./useMetrics";
import { miniheatMessages, timeline, timelineLooked, timelineShown, timelineView, useTimeline } from "./useTimeline";
import { drawn, screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const page = useTimeline();
afterAll(removeCounterRecording);

/** What the engine answers, with other names. */
function renamed(shown: TimelineShown): TimelineShown {
  const { facts } = shown;
  const rename = <Named extends { readonly name: string }>(all: readonly Named[]) =>
    all.map((one, at) => ({ ...one, name: HOSTILE_NAME + at }));
  return {
    ...shown,
    facts: {
      ...facts,
      shownNames: new Map(),
      lanes: rename(facts.lanes),
      states: rename(facts.states),
      resources: rename(facts.resources),
    },
  };
}

/** What the engine answers, of a recording that says colours: pale ones and dark ones, and none of some. */
function colored(shown: TimelineShown): TimelineShown {
  const colors = [0xffffff, 0x000000, 0xff85ff, 0x00ff00, undefined];
  const states = shown.facts.states.map((one, at) => {
    const color = colors[at % colors.length];
    return color === undefined ? one : { ...one, color };
  });
  return { ...shown, facts: { ...shown.facts, states } };
}

/** What the engine answers, with its ranks on two machines. */
function onTwoNodes(shown: TimelineShown): TimelineShown {
  const of = Int32Array.from(shown.facts.lanes, (_, lane) => Math.floor(lane / 4));
  return { ...shown, groups: { names: ["node 0", "node 1"], of } };
}

panelLaws({
  definition: timeline,
  draw,
  async samples() {
    const view = await timelineView();
    const innermost = await timelineView({ look: "state", colour: "function", messages: "off" });
    const shown = await timelineShown(view);
    const recorded = await timelineView({ colour: "own" });
    return [
      { name: "recording", view, shown },
      { name: "innermost by function", view: innermost, shown: await timelineShown(innermost), isPictured: true },
      { name: "as recorded", view: recorded, shown: colored(shown), isPictured: true },
      { name: "two nodes", view, shown: onTwoNodes(shown), isPictured: true },
      { name: "counters", ...(await timelineLooked(await timelineView({}, [counterRecording()]))) },
      { name: "hostile names", view, shown: renamed(onTwoNodes(shown)) },
    ];
  },
});

const windowOf = () => page.window();

const areaIn = () => page.area();

describe("the window", () => {
  it("is written; the wheel zooms it, and the moment at the pointer stays there", async () => {
    await page.show();
    expect(await page.summary()).toMatch(/^whole trace · 172 ms · 15,712 events$/);
    const { left, top, width } = await areaIn();
    const before = await windowOf();
    const { mouse } = page.panel.page;
    const x = Math.round(left + width / 3);
    await mouse.move(x, top + 200);
    await mouse.wheel(0, -200);
    await page.settle();
    const after = await windowOf();
    const share = (x - left) / width;
    const moment = ({ from, to }: typeof before) => from + share * (to - from);
    expect(after.to - after.from).toBeCloseTo((before.to - before.from) / Math.E, 9);
    expect(moment(after)).toBeCloseTo(moment(before), 9);
    expect(await page.summary()).toMatch(/^\d+ – \d+ ms · 63.4 ms of 172 ms$/);
    await screenshot(page.panel.page, "timeline-zoomed");
  });

  it("is moved by a drag, and by A and D; W and S zoom; 0 shows everything; back and forward go through the windows", async () => {
    await page.show();
    const { mouse, keyboard } = page.panel.page;
    const whole = await windowOf();
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("w");
    await page.settle();
    const zoomed = await windowOf();
    expect(zoomed.to - zoomed.from).toBeCloseTo((whole.to - whole.from) / 1.5, 9);
    const { left, top, width } = await areaIn();
    await mouse.move(left + 500, top + 100);
    await mouse.down();
    await mouse.move(left + 600, top + 100, { steps: 4 });
    await mouse.up();
    await page.settle();
    const moved = await windowOf();
    const pixel = (zoomed.to - zoomed.from) / width;
    expect(zoomed.from - moved.from).toBeCloseTo(Math.min(100 * pixel, zoomed.from - whole.from), 9);
    await keyboard.press("d");
    await page.settle();
    expect((await windowOf()).from).toBeGreaterThan(moved.from);
    await keyboard.press("s");
    await keyboard.press("0");
    await page.settle();
    expect(await windowOf()).toEqual(whole);
    await page.panel.page.getByRole("button", { name: "Back to the window before" }).click();
    await page.settle();
    expect(await windowOf()).not.toEqual(whole);
    await page.panel.page.getByRole("button", { name: /^Forward/ }).click();
    await page.settle();
    expect(await windowOf()).toEqual(whole);
  });

  it("is told to other views, and moved by them, also before the page has anything to draw", async () => {
    await page.show();
    const { left, top } = await areaIn();
    await page.panel.page.mouse.move(left + 200, top + 100);
    await page.panel.page.mouse.wheel(0, -200);
    const told = await vi.waitFor(async () => {
      const [one] = (await page.settle()).filter(({ type }) => type === "window").slice(-1);
      if (!one) throw new Error("nothing was told");
      return one;
    });
    expect(told.window).toEqual(await windowOf());
    const window = { from: 0.05, to: 0.1 };
    await page.panel.send({ type: "window", window });
    expect((await page.settle()).filter(({ type }) => type === "window")).toEqual([]);
    expect(await windowOf()).toEqual(window);
    expect(await page.summary()).toMatch(/^50 – 100 ms/);
    await page.show({}, { before: { type: "window", window } });
    expect(await windowOf()).toEqual(window);
    await page.panel.send({ type: "window" });
    await page.settle();
    expect(await page.summary()).toMatch(/^whole trace/);
  });

  it("is moved in the strip, by its handles and by keyboard", async () => {
    await page.show();
    const whole = await windowOf();
    const length = whole.to - whole.from;
    const strip = await page.panel.page.locator(".strip svg").boundingBox();
    if (!strip) throw new Error("no strip");
    const { left, width } = await areaIn();
    const { mouse, keyboard } = page.panel.page;
    await mouse.move(left + 1, strip.y + 15);
    await mouse.down();
    await mouse.move(left + width / 2, strip.y + 15, { steps: 3 });
    await mouse.up();
    await page.settle();
    const half = await windowOf();
    expect((half.from - whole.from) / length).toBeCloseTo(0.5, 2);
    expect(half.to).toBeCloseTo(whole.to, 9);
    await page.panel.page.getByRole("slider", { name: "Ends at" }).focus();
    await keyboard.press("ArrowLeft");
    await page.settle();
    expect((whole.to - (await windowOf()).to) / length).toBeCloseTo(0.01, 6);
    await mouse.dblclick(left + width / 4, strip.y + 15);
    await page.settle();
    expect(await windowOf()).toEqual(whole);
  });
});

describe("events", () => {
  it("lead to their lines by double click and Enter; a click selects them and says what they are", async () => {
    await page.show();
    const content = timeline.content(page.shown, page.view);
    const { marks, names } = content;
    const solve = marks.state.findIndex((state, at) => names[state] === "solve" && marks.events[at] === 1);
    const { x, y } = await pointOf(solve);
    await page.panel.page.mouse.click(x, y);
    const sent = await page.settle();
    expect(sent).toContainEqual({ type: "mark", action: "select", revision: 1, mark: marks.number[solve] });
    // Keys go on from there.
    expect(await page.panel.page.locator(":focus").getAttribute("data-mark")).toBe(String(marks.number[solve]));
    const strip = page.panel.page.locator(".details");
    expect(await strip.innerText()).toContain("solve");
    expect(await strip.innerText()).toContain(formatValue(marks.end[solve] - marks.start[solve], "s"));
    await page.panel.page.mouse.dblclick(x, y);
    expect(await page.settle()).toContainEqual(expect.objectContaining({ action: "open", mark: marks.number[solve] }));
    await page.panel.page.keyboard.press("f");
    await page.settle();
    const { from, to } = await windowOf();
    expect(to - from).toBeCloseTo((marks.end[solve] - marks.start[solve]) * 1.1, 9);
  });

  it("leaves the second key of a chord to VS Code", async () => {
    await page.show();
    const whole = await windowOf();
    const { keyboard } = page.panel.page;
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("Control+Alt+h");
    await keyboard.press("w");
    await page.settle();
    expect(await windowOf()).toEqual(whole);
    await keyboard.press("w");
    await page.settle();
    expect(await windowOf()).not.toEqual(whole);
  });

  it("that are too short are clusters: a click says what they hold, a double click shows them apart", async () => {
    await page.show();
    const { marks } = timeline.content(page.shown, page.view);
    const widest = Array.from(marks.events, (events, at) => (events > 1 ? marks.end[at] - marks.start[at] : 0));
    const cluster = widest.indexOf(Math.max(...widest));
    const { x, y } = await pointOf(cluster);
    await page.panel.page.mouse.click(x, y);
    expect(await page.settle()).toEqual([]);
    expect(await page.panel.page.locator(".details").innerText()).toContain(`${marks.events[cluster]} events`);
    await page.panel.page.mouse.dblclick(x, y);
    await page.settle();
    const { from, to } = await windowOf();
    expect(to - from).toBeGreaterThan(widest[cluster]);
    expect(to - from).toBeLessThan(widest[cluster] * 1.1 + 1e-9);
    const apart = timeline.content(page.shown, page.view).marks;
    const lane = marks.lane[cluster];
    const within = Array.from(apart.lane.keys()).filter(
      (at) =>
        apart.lane[at] === lane &&
        apart.depth[at] === marks.depth[cluster] &&
        apart.start[at] >= marks.start[cluster] &&
        apart.end[at] <= marks.end[cluster],
    );
    expect(within.length).toBeGreaterThan(1);
    expect(within.reduce((sum, at) => sum + apart.events[at], 0)).toBe(marks.events[cluster]);
  });

  it("are all reached by arrow keys, one after the other", async () => {
    await page.show({ look: "state" });
    const content = timeline.content(page.shown, page.view);
    const { many } = draw(content, { ...page.view.size, theme: plainTheme, measure: () => (text) => text.length * 6 });
    const first = many?.next(undefined, "Home") ?? -1;
    const reached = new Set([first]);
    for (const from of reached)
      for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const) {
        const to = many?.next(from, key);
        if (to !== undefined) reached.add(to);
      }
    expect(reached).toEqual(new Set(content.marks.number));
  });
});

/** The middle of a mark on screen. */
async function pointOf(at: number): Promise<{ x: number; y: number }> {
  const content = timeline.content(page.shown, page.view);
  const { marks } = content;
  const { left, top, width, height } = await areaIn();
  const layout = layoutOf(content, [], height);
  const { from, to } = await windowOf();
  const row = layout.of.get(marks.lane[at]);
  if (!row) throw new Error("no such lane");
  const x = left + (((marks.start[at] + marks.end[at]) / 2 - from) / (to - from)) * width;
  return { x, y: top + row.y + (marks.depth[at] - row.firstDepth + 0.5) * layout.rowHeight };
}

describe("the legend", () => {
  it("names the functions with most time of their own in sight, in their colours, where functions have colours of their own", async () => {
    await page.show({ colour: "function", look: "state" });
    const entries = await page.panel.page
      .locator(".legend .entry")
      .evaluateAll((all) =>
        all.map((one) => ({ text: one.textContent, fill: one.querySelector("rect")?.getAttribute("fill") })),
      );
    expect(entries.every(({ text }) => text)).toBe(true);
    const { session, dataSet } = page.view;
    const { facts } = page.shown;
    const whole = { dataSet: dataSet.id, fromSeconds: facts.startSeconds, toSeconds: facts.endSeconds };
    const { rows } = await session.engine.timelineSums({ ...whole, lanes: facts.lanes.map((_, lane) => lane) });
    const seconds = new Map(rows.map(({ state, exclusiveSeconds }) => [facts.states[state].name, exclusiveSeconds]));
    const [first, second] = [...seconds.keys()].sort((a, b) => (seconds.get(b) ?? 0) - (seconds.get(a) ?? 0));
    expect(entries.slice(0, 2).map(({ text }) => text)).toEqual([first, second]);
    expect(entries.slice(0, 6).every(({ text }) => seconds.has(text ?? ""))).toBe(true);
    // No two of one hue: as many degrees are between those of any two as between sixteen around the circle, without that of heat.
    const hues = entries.slice(0, 6).map(({ fill }) => toLch(parseColor(fill ?? "") ?? [0, 0, 0, 1])[2]);
    const apart = hues.flatMap((hue, at) =>
      hues.slice(0, at).map((other) => Math.abs(((hue - other + 540) % 360) - 180)),
    );
    expect(Math.min(...apart)).toBeGreaterThan(14);
  });
});

describe("what is measured", () => {
  it("is a drag on the ruler, or one with Shift: its length is said, and made the window", async () => {
    await page.show();
    const { left, top, width, ruler } = await areaIn();
    const whole = await windowOf();
    const { mouse, keyboard } = page.panel.page;
    const drag = async (y: number) => {
      await mouse.move(left + 200, y);
      await mouse.down();
      await mouse.move(left + 500, y, { steps: 3 });
      await mouse.up();
      await page.settle();
    };
    const length = formatValue((300 / width) * (whole.to - whole.from), "s");
    const details = page.panel.page.locator(".details");
    await drag(ruler);
    expect(await details.innerText()).toContain(length);
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("Escape");
    await page.settle();
    expect(await details.count()).toBe(0);
    await keyboard.down("Shift");
    await drag(top + 300);
    await keyboard.up("Shift");
    const said = await details.innerText();
    expect(said).toContain(length);
    // The engine's own sums of this stretch, over all lanes.
    const range = page.shown.look?.range ?? { from: 0, to: 0 };
    expect(range.to - range.from).toBeCloseTo((300 / width) * (whole.to - whole.from), 9);
    const lanes = page.shown.facts.lanes.map((_, lane) => lane);
    const of = { dataSet: page.view.dataSet.id, lanes, fromSeconds: range.from, toSeconds: range.to };
    const { rows, coveredSeconds } = await page.view.session.engine.timelineSums(of);
    const mpi = rows.filter(({ state }) => page.shown.facts.states[state].name.startsWith("MPI_"));
    const seconds = mpi.reduce((sum, { exclusiveSeconds }) => sum + exclusiveSeconds, 0);
    expect(said).toContain(`${rows.reduce((sum, { count }) => sum + count, 0).toLocaleString("en")} events`);
    expect(said.replaceAll(/\s+/g, " ")).toContain(
      `communication ${formatValue(seconds, "s")} · ${formatShare(seconds / coveredSeconds)}`.replaceAll(/\s+/g, " "),
    );
    await page.panel.page.getByRole("button", { name: "Restrict all numbers to this" }).click();
    expect(await page.settle()).toContainEqual(expect.objectContaining({ type: "mark", action: "restrict" }));
    const heard: unknown[] = [];
    const session = { ...page.view.session, setWindow: (...what: unknown[]) => heard.push(...what) };
    const handle = { view: { ...page.view, session }, notice: (message: string) => heard.push(message) };
    await timeline.actions?.restrict(page.shown, undefined, handle as never);
    expect(heard).toEqual([page.view.dataSet.id, range]);
    await page.panel.page.getByRole("button", { name: "Zoom to this" }).click();
    await page.settle();
    const { from, to } = await windowOf();
    expect(to - from).toBeCloseTo((300 / width) * (whole.to - whole.from), 9);
  });

  it("is what F makes the window", async () => {
    await page.show();
    const { left, ruler } = await areaIn();
    const { mouse, keyboard } = page.panel.page;
    await mouse.move(left + 200, ruler);
    await mouse.down();
    await mouse.move(left + 500, ruler, { steps: 3 });
    await mouse.up();
    await page.settle();
    const range = page.shown.look?.range ?? { from: 0, to: 0 };
    expect(range.to).toBeGreaterThan(range.from);
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("f");
    await page.settle();
    const seen = await windowOf();
    expect(seen.from).toBeCloseTo(range.from, 9);
    expect(seen.to).toBeCloseTo(range.to, 9);
  });
});

describe("the table of functions", () => {
  it("is, after R, of what is done in the selected event's lane while it lasts, and of all lanes again without", async () => {
    await page.show({}, { kept: { table: true } });
    const panel = page.panel.page;
    const { marks, names } = timeline.content(page.shown, page.view);
    const solve = marks.state.findIndex((state, at) => names[state] === "solve" && marks.events[at] === 1);
    const [lane, from, to] = [marks.lane[solve], marks.start[solve], marks.end[solve]];
    const { x, y } = await pointOf(solve);
    await panel.mouse.click(x, y);
    await panel.keyboard.press("r");
    await page.settle();
    await screenshot(panel, "timeline-measured-event");
    const tab = panel.getByRole("tab", { selected: true });
    expect(await tab.innerText()).toMatch(/^functions · .* · rank \d$/);
    // Every event of this lane, cut to the stretch: one by one.
    const { facts } = page.shown;
    const rows = [{ lane, firstDepth: 0, depths: facts.lanes[lane].depths }];
    const whole = { fromSeconds: from, toSeconds: to, pixelSeconds: 1e-12, mostMarks: 1e6 };
    const dataSet = page.view.dataSet.id;
    const all = await page.view.session.engine.timelineMarks({ ...whole, dataSet, look: "depth", lanes: rows });
    const within = Array.from(all.lane.keys()).filter(
      (at) =>
        facts.states[all.state[at]].name === "MPI_Allreduce" && all.startSeconds[at] < to && all.endSeconds[at] > from,
    );
    expect(within.length).toBeGreaterThan(10);
    const seconds = within.reduce((sum, at) => sum + all.endSeconds[at] - all.startSeconds[at], 0);
    const said = await panel
      .locator(".table:visible tbody tr", { hasText: "MPI_Allreduce" })
      .locator("td")
      .allInnerTexts();
    expect(said[2]).toBe(formatValue(seconds, "s"));
    expect(said[4]).toBe(within.length.toLocaleString("en"));
    expect(await panel.locator(".details").innerText()).toContain(facts.lanes[lane].name);
    // From any other table, too.
    await panel
      .getByRole("tab", { name: /^in sight|^marks|^events/ })
      .first()
      .click();
    await panel.locator(".drawing [tabindex='0']").focus();
    await panel.keyboard.press("Escape");
    await panel.mouse.click(x, y);
    await panel.keyboard.press("r");
    await page.settle();
    expect(await tab.innerText()).toMatch(/^functions · .* · rank \d$/);
    await panel.locator(".drawing [tabindex='0']").focus();
    await panel.keyboard.press("Escape");
    await panel.getByRole("tab", { name: "functions" }).click();
    await page.settle();
    expect(await tab.innerText()).not.toContain("rank");
  });

  it("has, beside what is measured first, the differences of any other stretch, with the sums of the events themselves", async () => {
    await page.show();
    const panel = page.panel.page;
    const { left, width, ruler } = await areaIn();
    const measure = async (from: number, to: number) => {
      await panel.mouse.move(left + from * width, ruler);
      await panel.mouse.down();
      await panel.mouse.move(left + to * width, ruler, { steps: 3 });
      await panel.mouse.up();
      await page.settle();
      return page.shown.look?.range ?? { from: 0, to: 0 };
    };
    const before = await measure(0.2, 0.5);
    await panel.locator(".drawing [tabindex='0']").focus();
    await panel.keyboard.press("v");
    await page.settle();
    const tab = panel.getByRole("tab", { selected: true });
    expect(await tab.innerText()).toMatch(/^differences · .* against /);
    const after = await measure(0.6, 0.7);
    await screenshot(panel, "timeline-differences");
    // Time in which a function is innermost, event by event, cut to a stretch.
    const { facts } = page.shown;
    const lanes = facts.lanes.map((_, lane) => ({ lane, firstDepth: 0, depths: 1 }));
    const whole = { fromSeconds: facts.startSeconds, toSeconds: facts.endSeconds, pixelSeconds: 1e-12, mostMarks: 1e6 };
    const of = { dataSet: page.view.dataSet.id, look: "state", lanes } as const;
    const events = await page.view.session.engine.timelineMarks({ ...of, ...whole });
    const secondsIn = ({ from, to }: typeof before) => {
      const sums = new Map<string, number>();
      events.state.forEach((state, at) => {
        const own = Math.min(to, events.endSeconds[at]) - Math.max(from, events.startSeconds[at]);
        const { name } = facts.states[state];
        if (own > 0) sums.set(name, (sums.get(name) ?? 0) + own);
      });
      return sums;
    };
    const [was, is] = [secondsIn(before), secondsIn(after)];
    const names = [...new Set([...was.keys(), ...is.keys()])];
    const change = (name: string) => (is.get(name) ?? 0) - (was.get(name) ?? 0);
    names.sort((a, b) => Math.abs(change(b)) - Math.abs(change(a)));
    const rows = await panel
      .locator(".table:visible tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent)));
    expect(names.length).toBeGreaterThan(5);
    for (const [at, name] of names.slice(0, 5).entries()) {
      expect(rows[at][0]).toBe(name);
      expect(rows[at].slice(2, 4)).toEqual([was, is].map((sums) => formatValue(sums.get(name) ?? 0, "s")));
      const sign = change(name) > 0 ? "+" : "−";
      expect(rows[at][4]).toBe(`${sign}${formatValue(Math.abs(change(name)), "s")}`);
    }
    // Of a window, where nothing is measured; and no more, once that is said.
    await panel.locator(".drawing [tabindex='0']").focus();
    await panel.keyboard.press("Escape");
    await page.settle();
    expect(page.shown.differences?.range).toEqual(page.shown.look?.window);
    await measure(0.6, 0.7);
    await panel.locator(".drawing [tabindex='0']").focus();
    await panel.keyboard.press("v");
    await page.settle();
    expect(page.shown.differences?.baseline.range).toEqual(page.shown.look?.range);
    await panel.keyboard.press("v");
    await page.settle();
    expect(page.shown.differences).toBeUndefined();
    expect(await panel.getByRole("tab", { name: /^differences/ }).count()).toBe(0);
  });

  it("is of the window, or of what is measured, with the engine's sums and lines; a row leads to its line", async () => {
    await page.show();
    const panel = page.panel.page;
    await panel.getByRole("button", { name: /^Table/ }).click();
    await panel.getByRole("tab", { name: "functions" }).click();
    await page.settle();
    await screenshot(panel, "timeline-functions");
    const rowsOf = () =>
      panel
        .locator(".table:visible tbody tr")
        .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));
    const expected = async (fromSeconds: number, toSeconds: number) => {
      const { facts } = page.shown;
      const { session, dataSet } = page.view;
      const lanes = facts.lanes.map((_, lane) => lane);
      const { rows } = await session.engine.timelineSums({ dataSet: dataSet.id, lanes, fromSeconds, toSeconds });
      return rows.map(({ state, exclusiveSeconds, inclusiveSeconds, count, longestSeconds }) => [
        ...[facts.states[state].name, formatValue(exclusiveSeconds, "s"), formatValue(inclusiveSeconds, "s")],
        ...[count.toLocaleString("en"), count > 0 ? formatValue(longestSeconds, "s") : "none"],
      ]);
    };
    const said = async () => (await rowsOf()).map((row) => [0, 2, 3, 4, 7].map((at) => row[at]));
    const whole = await windowOf();
    expect(await said()).toEqual(await expected(whole.from, whole.to));
    const solve = (await rowsOf()).find(([name]) => name === "solve");
    expect(solve?.at(-1)).toMatch(/^solver\.cpp:\d+$/);
    const { left, ruler } = await areaIn();
    await panel.mouse.move(left + 200, ruler);
    await panel.mouse.down();
    await panel.mouse.move(left + 300, ruler, { steps: 3 });
    await panel.mouse.up();
    await page.settle();
    const { from, to } = page.shown.look?.range ?? whole;
    expect(to - from).toBeLessThan((whole.to - whole.from) / 10);
    expect(await said()).toEqual(await expected(from, to));
    await panel.locator(".table:visible tbody tr").first().press("Enter");
    const [first] = (await page.settle()).filter(({ type }) => type === "mark");
    const subject = await timeline.subject?.(page.shown, Number(first.mark), page.view, quietTask);
    expect(subject?.name).toBe((await said())[0][0]);
    await panel.getByRole("tab", { name: "in sight" }).press("Home");
    await drawn(panel);
    expect(await panel.getByRole("tab", { name: "in sight" }).getAttribute("aria-selected")).toBe("true");
  });
});

/** What an action of the host did with a mark. */
async function acted(action: string, mark: number): Promise<unknown[]> {
  const heard: unknown[] = [];
  const handle = {
    view: page.view,
    goTo: (place: unknown) => heard.push(place),
    explained: (_: number, { facts }: { readonly facts: readonly unknown[] }) => heard.push(facts[0]),
  };
  await timeline.actions?.[action](page.shown, mark, handle as never);
  return heard;
}

describe("occurrences of a function", () => {
  it("are listed from its row's menu, with a histogram; a click goes there, and N and P to the next and the one before", async () => {
    await page.show({}, { kept: { table: true } });
    const panel = page.panel.page;
    await panel.getByRole("tab", { name: "functions" }).click();
    await page.settle();
    await panel.locator(".table:visible tbody tr", { hasText: "updateConductivity" }).click({ button: "right" });
    await panel.getByText("Occurrences of updateConductivity").click();
    await page.settle();
    const all = await eventsNamed("updateConductivity");
    const total = all.reduce((sum, { start, end }) => sum + end - start, 0);
    const tab = panel.getByRole("tab", { selected: true });
    expect(await tab.innerText()).toBe(`updateConductivity ×${all.length} · ${formatValue(total, "s")}`);
    const took = await panel
      .locator(".table:visible tbody tr")
      .evaluateAll((rows) => rows.map((row) => row.lastElementChild?.textContent));
    const lengths = all.map(({ start, end }) => end - start).sort((a, b) => b - a);
    expect(took).toEqual(lengths.map((length) => formatValue(length, "s")));
    expect(await panel.locator(".durations rect").count()).toBeGreaterThan(1);
    await screenshot(panel, "timeline-occurrences");
    await panel.locator(".table:visible tbody tr").first().click();
    await page.settle();
    const details = await panel.locator(".details").innerText();
    expect(details).toContain("updateConductivity");
    expect(details).toContain(formatValue(lengths[0], "s"));
    const { number } = timeline.content(page.shown, page.view).occurrences ?? expect.fail("no occurrences");
    const mark = number[0];
    const at = all.findIndex(({ start, end }) => end - start === lengths[0]);
    const { facts } = page.shown;
    const x = (of: number) => (all[of].start - facts.startSeconds) / (facts.endSeconds - facts.startSeconds);
    const wanted = (of: number) =>
      all[of] ? expect.objectContaining({ x: x(of) }) : ["next", "no later event of this function"];
    expect(await acted("next-occurrence", mark)).toEqual([wanted(at + 1)]);
    await panel.locator(".drawing [tabindex='0']").focus();
    await panel.keyboard.press("p");
    expect(await page.settle()).toContainEqual({ type: "mark", action: "previous-occurrence", revision: 1, mark });
    await panel.keyboard.press("]");
    expect(await page.settle()).toContainEqual({ type: "mark", action: "chain-next", revision: 1, mark });
    expect(await acted("chain-next", mark)).toEqual([["next", "no messages or launches are recorded"]]);
  });
});

describe("a restriction", () => {
  it("leaves the lanes of its ranks, also in what is asked of all lanes", async () => {
    const view = await timelineView();
    const restricted = { ...view, scope: { ...view.scope, chosen: chosenRanks([2, 5]) } };
    const shown = await timelineShown(restricted);
    expect(shown.facts.lanes.filter((_, lane) => shown.isShown[lane]).map(({ name }) => name)).toEqual([
      "rank 2",
      "rank 5",
    ]);
    expect(new Set(timeline.content(shown, restricted).marks.lane)).toEqual(new Set([2, 5]));
    expect(timeline.asked?.(restricted)).not.toEqual(timeline.asked?.(view));
  });

  it("is made to the lane, and to the kind of work, of the event whose menu is asked", async () => {
    await page.show({ look: "state" });
    const { shown, view } = page;
    const heard: unknown[] = [];
    const hear = (what: string) => (_: number, to: unknown) => heard.push(what, to);
    const session = { ...view.session, setRestriction: hear("members"), setKinds: hear("kinds") };
    const handle = { view: { ...view, session }, notice: (message: string) => heard.push(message) } as never;
    const { marks, facts, firstEvent } = shown;
    const at = marks?.state.findIndex((state) => facts.states[state].name === "MPI_Allreduce") ?? -1;
    const lane = marks?.lane[at] ?? -1;
    const mark = firstEvent[lane] + (marks?.event[at] ?? -1);
    await timeline.actions?.["restrict-lane"](shown, mark, handle);
    await timeline.actions?.["restrict-kind"](shown, mark, handle);
    const rank = facts.lanes[lane].name.replace("rank ", "");
    expect(heard).toEqual(["members", { by: "rank", members: [rank] }, "kinds", ["communication"]]);
    const untimed = { ...view, dataSet: { ...view.dataSet, metrics: [] } };
    await timeline.actions?.["restrict-kind"](shown, mark, {
      view: untimed,
      notice: (text: string) => heard.push(text),
    } as never);
    expect(heard.at(-1)).toMatch(/^No metric of this recording is known over time/);
  });
});

describe("waits and the critical path", () => {
  it("are tables of a run with messages: who waited how long for whom, and what the run's length depends on", async () => {
    await page.show({ path: true }, { file: miniheatMessages, kept: { table: true } });
    const panel = page.panel.page;
    const rowsOf = () =>
      panel
        .locator(".table:visible tbody tr")
        .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));
    await panel.getByRole("tab", { name: "waits" }).click();
    await page.settle();
    await screenshot(panel, "timeline-waits");
    const { facts } = page.shown;
    const { engine } = page.view.session;
    const { dataSet } = page.view;
    const run = { fromSeconds: facts.startSeconds, toSeconds: facts.endSeconds };
    const lanes = facts.lanes.map((_, lane) => lane);
    const { rows } = await engine.timelineWaits({ dataSet: dataSet.id, lanes, ...run });
    const said = await rowsOf();
    expect(said.map(([name]) => name).sort()).toEqual(rows.map(({ lane }) => facts.lanes[lane].name).sort());
    for (const { lane, lateSender, collective } of rows) {
      const row = said.find(([name]) => name === facts.lanes[lane].name);
      expect([row?.[3], row?.[5]]).toEqual([formatValue(lateSender, "s"), formatValue(collective, "s")]);
    }
    await panel.getByRole("tab", { name: "critical path" }).click();
    await page.settle();
    await screenshot(panel, "timeline-path");
    const { lane, startSeconds, endSeconds, functions } = await engine.timelinePath({
      ...{ dataSet: dataSet.id, ...run, withFunctions: true },
    });
    const length = run.toSeconds - run.fromSeconds;
    expect(functions.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(length, 9);
    expect(lane.reduce((sum, _, at) => sum + endSeconds[at] - startSeconds[at], 0)).toBeCloseTo(length, 9);
    const onPath = await rowsOf();
    expect(onPath.map((row) => row[1])).toEqual(functions.map(({ seconds }) => formatValue(seconds, "s")));
    expect(onPath.some((row) => row[3]?.startsWith("solver.cpp:"))).toBe(true);
  });
});

describe("lanes of a group", () => {
  it("are folded by a click on its heading, and by the menu; what is folded is not asked for", async () => {
    await page.show();
    page.shown = onTwoNodes(page.shown);
    await page.panel.send({ type: "content", revision: 1, content: timeline.content(page.shown, page.view) });
    await page.settle();
    const names = () => page.panel.page.locator(".drawing text").allTextContents();
    expect(await names()).toEqual(expect.arrayContaining(["▾ node 0 · 4 lanes", "rank 0", "rank 4"]));
    const { left, top } = await areaIn();
    await page.panel.page.mouse.click(left - 30, top + 8);
    await page.settle();
    expect(await names()).toContain("▸ node 0 · 4 lanes");
    expect(await names()).not.toContain("rank 0");
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await page.panel.page.keyboard.press("w");
    await page.panel.page.keyboard.press("w");
    await page.settle();
    expect(page.shown.look?.lanes.map(({ lane }) => lane)).toEqual([4, 5, 6, 7]);
    await page.panel.page.keyboard.press("Shift+F10");
    await page.panel.page.getByText("Unfold all lanes").click();
    await page.settle();
    expect(await names()).toContain("rank 0");
  });
});

describe("an instant", () => {
  it("at the end of the run is seen, in its lane and among the marks above", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-instant-"));
    const file = path.join(folder, "end.json");
    const traceEvents = [
      { ph: "X", pid: 1, tid: 1, name: "solve", ts: 0, dur: 1000 },
      { ph: "i", pid: 1, tid: 1, name: "the end", ts: 1000, s: "g" },
    ];
    fs.writeFileSync(file, JSON.stringify({ traceEvents }));
    const view = await timelineView({}, [file]);
    const content = timeline.content(await timelineShown(view), view);
    fs.rmSync(folder, { recursive: true });
    expect(content.phases?.name).toEqual(["the end"]);
    const lane = content.instants.indexOf(1);
    for (const width of [400, 600, 1400]) {
      const measure = (size: number) => (text: string) => text.length * size * 0.6;
      const drawing = { width, height: 640, theme: plainTheme, measure };
      const area = areaOf(content, drawing);
      const row = layoutOf(content, [], area.height).of.get(lane) ?? expect.fail("no lane");
      const { many, above } = draw(content, drawing);
      const shapes = [...(many?.shapes({ found: undefined, selected: undefined }) ?? [])];
      const isSeen = (shape: Shape, top: number) =>
        shape.kind === "box" &&
        shape.box.y === top &&
        shape.box.x > width - 4 &&
        shape.box.x + shape.box.width <= width;
      expect(shapes.filter((shape) => isSeen(shape, area.y + row.y)).length, `lane at ${width}`).toBe(1);
      expect(above.filter((shape) => isSeen(shape, 20)).length, `row of marks at ${width}`).toBe(1);
    }
  });
});

describe("marks that stand back", () => {
  it("have text of 4.5 : 1, whatever colour the recording gave them", () => {
    const ink = (fill: string) =>
      ["#000000", "#ffffff"].sort(
        (a, b) => contrast(colorOf(b), colorOf(fill)) - contrast(colorOf(a), colorOf(fill)),
      )[0];
    const colorOf = (text: string) => parseColor(text) ?? expect.fail(text);
    for (const [background, text] of [
      ["#1f1f1f", "#cccccc"],
      ["#ffffff", "#3b3b3b"],
    ])
      for (const fill of ["#ffffff", "#000000", "#ff85ff", "#00ff00", "#888888"])
        for (const opacity of [0.34, 0.4, 0.136]) {
          const faint = faintOf(fill, opacity, { ...plainTheme, background, text, ink });
          expect(contrast(colorOf(faint.ink), colorOf(faint.fill)), `${fill} ${opacity}`).toBeGreaterThanOrEqual(4.5);
        }
  });
});

describe("a lane", () => {
  it("is named in every width, by what tells it from others where there is little room", async () => {
    const { state, ...view } = await timelineView();
    const shown = await timelineShown({ ...view, state });
    const called = async (nameOf: (lane: number) => string, width: number) => {
      const facts = { ...shown.facts, lanes: shown.facts.lanes.map((lane, at) => ({ ...lane, name: nameOf(at) })) };
      const content = timeline.content({ ...shown, facts }, { ...view, state });
      const measure = (size: number) => (text: string) => text.length * size * 0.6;
      const { above } = draw(content, { width, height: 640, theme: plainTheme, measure });
      const texts = above.flatMap((shape) => (shape.kind === "text" && shape.size === 12 ? [shape] : []));
      const gutter = areaOf(content, { width, height: 640, theme: plainTheme, measure }).x;
      for (const { at, text } of texts) expect(at.x - measure(12)(text)).toBeGreaterThanOrEqual(2);
      return { gutter, names: texts.map(({ text }) => text), titles: texts.map(({ title }) => title) };
    };
    const mpi = (lane: number) => `rank-${lane}: MPI_STATE`;
    const numbers = Array.from({ length: 8 }, (_, lane) => lane);
    expect(await called(mpi, 400)).toEqual({ gutter: 44, names: numbers.map(String), titles: numbers.map(mpi) });
    expect((await called(mpi, 600)).names).toEqual(numbers.map((lane) => `rank-${lane}`));
    expect((await called(mpi, 1400)).names).toEqual(numbers.map(mpi));
    const resources = Array.from(
      { length: 8 },
      (_, lane) => `NODE${lane % 2} / 1956${lane}: ${["Worker", "Thread"][lane % 2]} State`,
    );
    expect((await called((lane) => resources[lane], 400)).names).toEqual(numbers.map((lane) => `1956${lane}`));
    expect((await called((lane) => resources[lane], 1400)).names).toEqual(
      numbers.map((lane) => `NODE${lane % 2} / 1956${lane}`),
    );
    const others = ["GPU 0, stream 7", "thread 1758609408", "main", "no process: marks", "a", "b", "c", "d"];
    const { names, gutter } = await called((lane) => others[lane], 400);
    expect(gutter).toBe(84);
    expect(new Set(names).size).toBe(8);
    for (const [lane, name] of names.entries()) expect(name.slice(0, 1)).toBe(others[lane].slice(0, 1));
  });

  it("has a dotted foot where marks are clusters, and only there, beside letters or below them", async () => {
    const view = await timelineView();
    const content = timeline.content(await timelineShown(view), view);
    const { marks } = content;
    let beside = 0;
    const drawn = (height: number) => ({
      ...{ width: 1400, height, theme: plainTheme, measure: () => (text: string) => text.length * 6 },
    });
    const rowHeight = (height: number) => layoutOf(content, [], areaOf(content, drawn(height)).height).rowHeight;
    // Rows are 14 pixels high where they are scrolled, 11.5 where there is just room for all, and more.
    const low = Array.from({ length: 100 }, (_, at) => 300 + 4 * at).find((height) => rowHeight(height) < 12) ?? 0;
    expect(low).toBeGreaterThan(0);
    for (const height of [low - 50, low, 900]) {
      const drawing = drawn(height);
      const shapes = [...(draw(content, drawing).many?.shapes({ found: undefined, selected: undefined }) ?? [])];
      // Thousands of dashes on one path take longer to be drawn than everything else.
      const dashed = shapes.flatMap((shape) => (shape.kind === "path" && shape.dash ? [shape.d] : []));
      expect(dashed.filter((d) => d.split("M").length > 50)).toEqual([]);
      const feet = shapes.flatMap((shape) => (shape.kind === "box" && shape.dotted !== undefined ? [shape.box] : []));
      const texts = shapes.flatMap((shape) => (shape.kind === "text" ? [shape] : []));
      expect(feet.length).toBeGreaterThan(10);
      for (const foot of feet) {
        const crossed = texts.filter(
          ({ at, text, size }) =>
            foot.y < at.y + 0.2 * size &&
            foot.y + foot.height > at.y - 0.72 * size &&
            foot.x < at.x + text.length * 6 &&
            foot.x + foot.width > at.x,
        );
        expect(crossed.map(({ text }) => text)).toEqual([]);
      }
      const area = areaOf(content, drawing);
      const layout = layoutOf(content, [], area.height);
      const perPixel = (content.end - content.start) / area.width;
      const pixel = (seconds: number) => area.x + (seconds - content.start) / perPixel;
      for (const at of marks.lane.keys()) {
        const row = layout.of.get(marks.lane[at]);
        const step = marks.depth[at] - (row?.firstDepth ?? 0);
        const [left, right] = [pixel(marks.start[at]), pixel(marks.end[at])];
        if (!row || step < 0 || step >= row.depths || right - left < 8) continue;
        const bottom = area.y + row.y + (step + 1) * layout.rowHeight - 1;
        if (bottom > area.y + area.height) continue;
        const own = feet.filter((foot) => Math.abs(foot.y + foot.height - bottom) < 0.01);
        const has = (x: number) => own.some((foot) => foot.x <= x && foot.x + foot.width >= x);
        if (marks.events[at] === 1) expect(has((left + right) / 2), `event ${at}`).toBe(false);
        else expect(has(left + 1), `cluster ${at}`).toBe(true);
        if (marks.events[at] > 1 && !has((left + right) / 2)) beside++;
      }
    }
    expect(beside).toBeGreaterThan(0);
  });

  it("is hatched where nothing of it was recorded, and nowhere else", async () => {
    const view = await timelineView({ look: "state" });
    const content = timeline.content(await timelineShown(view), view);
    const size = { width: 1400, height: 640 };
    const drawing = { ...size, theme: plainTheme, measure: () => (text: string) => text.length * 6 };
    const scene = draw(content, drawing);
    const shapes = [...(scene.many?.shapes({ found: undefined, selected: undefined }) ?? [])];
    const hatched = shapes.flatMap((shape) => (shape.kind === "box" && shape.hatch !== undefined ? [shape.box] : []));
    expect(hatched.length).toBeGreaterThan(10);
    const area = areaOf(content, drawing);
    const { lanes } = layoutOf(content, [], area.height);
    const perPixel = (content.end - content.start) / area.width;
    for (const lane of lanes) {
      const y = area.y + lane.y + lane.height / 2;
      const own = hatched.filter((box) => box.y <= y && box.y + box.height >= y);
      const marks = Array.from(content.marks.lane.keys()).filter((at) => content.marks.lane[at] === lane.lane);
      for (let x = area.x + 2; x < size.width - 2; x += 3) {
        const within = (pixels: number) => {
          const [from, to] = [x - pixels, x + pixels].map((one) => content.start + (one - area.x) * perPixel);
          return marks.some((at) => content.marks.start[at] <= to && content.marks.end[at] >= from);
        };
        const isHatched = own.some((box) => box.x <= x && box.x + box.width >= x);
        // Within two pixels of a mark either may be.
        if (within(0)) expect(isHatched, `lane ${lane.lane} at ${x}`).toBe(false);
        else if (!within(2)) expect(isHatched, `lane ${lane.lane} at ${x}`).toBe(true);
      }
    }
  });

  it("has its part of communication below its name, of the time that its events cover", async () => {
    await page.show();
    const { facts } = page.shown;
    const { session, dataSet } = page.view;
    const whole = { dataSet: dataSet.id, fromSeconds: facts.startSeconds, toSeconds: facts.endSeconds };
    const expected = await Promise.all(
      facts.lanes.map(async (_, lane) => {
        const { rows, coveredSeconds } = await session.engine.timelineSums({ ...whole, lanes: [lane] });
        const mpi = rows.filter(({ state }) => facts.states[state].name.startsWith("MPI_"));
        const seconds = mpi.reduce((sum, { exclusiveSeconds }) => sum + exclusiveSeconds, 0);
        return `MPI ${Math.round((100 * seconds) / coveredSeconds)}\u00a0%`;
      }),
    );
    const texts = await page.panel.page.locator(".drawing text").allTextContents();
    expect(texts.filter((text) => text.startsWith("MPI "))).toEqual(expected);
  });
});

describe("searching", () => {
  it("counts the events of the whole trace, and goes from one to the next, out of clusters, too", async () => {
    await page.show();
    const { keyboard } = page.panel.page;
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("/");
    await page.panel.page.getByRole("textbox", { name: "Search" }).fill("updateConductivity");
    await page.settle();
    const expected = await eventsNamed("updateConductivity");
    expect(expected.length).toBeGreaterThan(8);
    const search = page.panel.page.locator(".search");
    expect(await search.innerText()).toContain(`${expected.length} events`);
    for (let step = 1; step <= 3; step++) {
      await keyboard.press("Enter");
      await page.settle();
      expect(await search.innerText()).toContain(`${step} of ${expected.length}`);
      const details = await page.panel.page.locator(".details").innerText();
      const { start, end } = expected[step - 1];
      expect(details).toContain("updateConductivity");
      expect(details).toContain(formatValue(end - start, "s"));
    }
  });
});

describe("a lane of eight depths", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-depths-"));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  /** Most time is spent in the outermost ones; what lies deepest comes twice a lane, and launches what another lane has there. */
  function eightDepths(lanes = 1): string {
    const ends = [4e6, 3e6, 2.3e6, 1.8e6, 1.5e6, 1.35e6, 1.2e6];
    const traceEvents = Array.from({ length: lanes }, (_, lane) => {
      const of = { pid: 1, tid: lane + 1 };
      const event = (name: string, ts: number, dur: number) => ({ ph: "X", ...of, name, ts, dur });
      const outer = ends.map((end, depth) => event(`level${depth}`, depth * 1e5, end - depth * 1e5));
      const flow = { ...of, id: 1, name: "launch", cat: "launch", ts: lane === 0 ? 7.5e5 : 9.5e5 };
      const side = lanes === 1 ? [] : [lane === 0 ? { ph: "s", ...flow } : { ph: "f", bp: "e", ...flow }];
      return [...outer, event("deepest", 7e5, 1e5), event("deepest", 9e5, 2e5), ...side];
    }).flat();
    const file = path.join(folder, "depths.json");
    fs.writeFileSync(file, JSON.stringify({ traceEvents }));
    return file;
  }

  it("shows and selects what is found below those that are shown, and says which are", async () => {
    await page.show({}, { file: [eightDepths()] });
    const { keyboard } = page.panel.page;
    const texts = async () => (await page.panel.page.locator(".drawing text").allTextContents()).join("|");
    expect(await texts()).toContain("1–5 of 8");
    expect(await texts()).not.toContain("deepest");
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("/");
    await page.panel.page.getByRole("textbox", { name: "Search" }).fill("deepest");
    await page.settle();
    for (const length of [0.1, 0.2]) {
      await keyboard.press("Enter");
      await page.settle();
      const details = await page.panel.page.locator(".details").innerText();
      expect(details).toContain("deepest");
      expect(details).toContain(formatValue(length, "s"));
      expect(await texts()).toContain("4–8 of 8");
    }
  });

  /** Presses a key that asks the host where to go, and answers as the host does. @returns where that leads */
  async function step(key: string, action: string, from: number): Promise<Place> {
    await page.panel.page.keyboard.press(key);
    expect(await page.settle()).toContainEqual({ type: "mark", action, revision: 1, mark: from });
    const [place] = (await acted(action, from)) as Place[];
    await page.panel.send({ type: "selection", revision: 1, mark: place.mark, place });
    await page.settle();
    return place;
  }

  /** What a step leads to is on screen, selected and said; Enter opens its line. */
  async function expectThere({ mark }: Place, name: string, length: number): Promise<void> {
    const panel = page.panel.page;
    const { marks, names } = timeline.content(page.shown, page.view);
    const at = marks.number.indexOf(mark);
    expect(names[marks.state[at]]).toBe(name);
    expect(marks.events[at]).toBe(1);
    expect(await panel.locator(".details").innerText()).toContain(name);
    expect(await panel.locator(".details").innerText()).toContain(formatValue(length, "s"));
    expect(await panel.locator(".drawing :focus").getAttribute("data-mark")).toBe(String(mark));
    await panel.keyboard.press("Enter");
    expect(await page.settle()).toContainEqual(expect.objectContaining({ action: "open", mark }));
  }

  /** Goes to the first of what lies deepest, by the search. @returns its mark */
  async function goDeep(): Promise<number> {
    const { keyboard } = page.panel.page;
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("/");
    await page.panel.page.getByRole("textbox", { name: "Search" }).fill("deepest");
    await page.settle();
    await keyboard.press("Enter");
    await page.settle();
    const { found } = timeline.content(page.shown, page.view);
    await keyboard.press("Escape");
    await page.settle();
    return found?.number[0] ?? expect.fail("nothing was found");
  }

  /** Which depths lanes show. */
  const shown = async () =>
    (await page.panel.page.locator(".drawing text").allTextContents()).filter((text) => text.includes("of 8"));

  it("shows and selects there what N and P lead to in another lane, and Enter opens its line", async () => {
    await page.show({}, { file: [eightDepths(2)] });
    const first = await goDeep();
    expect(await shown()).toEqual(["4–8 of 8", "1–5 of 8"]);
    const next = await step("n", "next-occurrence", first);
    expect(next.row).toBe(1);
    expect(await shown()).toEqual(["1–5 of 8", "4–8 of 8"]);
    await expectThere(next, "deepest", 0.1);
    const before = await step("p", "previous-occurrence", next.mark);
    expect(before.mark).toBe(first);
    expect(await shown()).toEqual(["4–8 of 8", "1–5 of 8"]);
    await expectThere(before, "deepest", 0.1);
  });

  it("shows and selects there what ] and [ lead to in another lane, and Enter opens its line", async () => {
    await page.show({}, { file: [eightDepths(2)] });
    const first = await goDeep();
    expect(await shown()).toEqual(["4–8 of 8", "1–5 of 8"]);
    const next = await step("]", "chain-next", first);
    expect(next.row).toBe(1);
    expect(await shown()).toEqual(["1–5 of 8", "4–8 of 8"]);
    await expectThere(next, "deepest", 0.2);
    const before = await step("[", "chain-back", next.mark);
    expect(before.mark).toBe(first);
    expect(await shown()).toEqual(["4–8 of 8", "1–5 of 8"]);
    await expectThere(before, "deepest", 0.1);
  });
});

/** Every event of a function, by ascending start: read one after the other. */
async function eventsNamed(name: string): Promise<{ start: number; end: number }[]> {
  const { facts } = page.shown;
  const { engine } = page.view.session;
  const lanes = facts.lanes.map((_, lane) => ({ lane, firstDepth: 0, depths: facts.lanes[lane].depths }));
  const whole = { fromSeconds: facts.startSeconds, toSeconds: facts.endSeconds, pixelSeconds: 1e-12 };
  const { dataSet } = page.view;
  const marks = await engine.timelineMarks({ ...whole, dataSet: dataSet.id, look: "depth", lanes, mostMarks: 1e6 });
  return Array.from(marks.lane.keys())
    .filter((at) => facts.states[marks.state[at]].name === name)
    .map((at) => ({ start: marks.startSeconds[at], end: marks.endSeconds[at] }))
    .sort((a, b) => a.start - b.start);
}

describe("messages", () => {
  it("are lines between lanes; those of what is selected stand out, and a wait leads to who was waited for", async () => {
    await page.show({ messages: "0" }, { file: miniheatMessages });
    await screenshot(page.panel.page, "timeline-messages-whole");
    const { messages, messageCount, marks, names } = timeline.content(page.shown, page.view);
    expect(messageCount).toBe(2232);
    expect((messages?.from.length ?? 0) + (messages?.hidden ?? 0)).toBe(2232);
    // The longest wait of all: rank 6 begins to receive long before others send.
    const lengths = Array.from(marks.state, (state, at) =>
      names[state] === "MPI_Waitall" && marks.events[at] === 1 ? marks.end[at] - marks.start[at] : 0,
    );
    const wait = lengths.indexOf(Math.max(...lengths));
    const { x, y } = await pointOf(wait);
    await page.panel.page.mouse.click(x, y);
    await page.settle();
    const { facts = [], other } =
      (await timeline.explain?.(page.shown, marks.number[wait], page.view, quietTask)) ?? {};
    const says = Object.fromEntries(facts)["waited for"];
    expect(says).toMatch(/^rank \d, late sender, \d/);
    await page.panel.send({ type: "explained", revision: 1, mark: marks.number[wait], facts, other });
    await drawn(page.panel.page);
    await screenshot(page.panel.page, "timeline-wait");
    const details = page.panel.page.locator(".details");
    expect(await details.innerText()).toContain(says);
    // Back from the wait is the call that sent what came last.
    const [back] = (await acted("chain-back", marks.number[wait])) as { readonly row: number; readonly mark: number }[];
    expect(back).toMatchObject({ mark: other?.place.mark, row: other?.place.row });
    await page.panel.page.keyboard.press("c");
    expect(await page.settle()).toContainEqual(expect.objectContaining({ action: "select", mark: other?.place.mark }));
    expect(await details.innerText()).toContain(says.split(",")[0]);
    // Keys go on from there.
    const at = page.panel.page.locator(".drawing :focus");
    expect(await at.getAttribute("aria-label")).toContain("MPI_Isend,");
    await page.panel.page.keyboard.press("Enter");
    expect(await page.settle()).toContainEqual(expect.objectContaining({ action: "open", mark: other?.place.mark }));
  });

  it("lead to who was waited for by a key that was pressed before the host has said who that was, and by no key about another event", async () => {
    await page.show({ messages: "0" }, { file: miniheatMessages });
    const { marks, names } = timeline.content(page.shown, page.view);
    const waits = Array.from(marks.state.keys())
      .filter((at) => names[marks.state[at]] === "MPI_Waitall" && marks.events[at] === 1)
      .sort((a, b) => marks.end[b] - marks.start[b] - (marks.end[a] - marks.start[a]));
    const [wait, next] = waits;
    const press = async (at: number) => {
      const { x, y } = await pointOf(at);
      await page.panel.page.mouse.click(x, y);
      await page.panel.page.keyboard.press("c");
      return page.settle();
    };
    const explain = async (at: number) => {
      const known = await timeline.explain?.(page.shown, marks.number[at], page.view, quietTask);
      await page.panel.send({ type: "explained", revision: 1, mark: marks.number[at], ...known });
      await drawn(page.panel.page);
      return { sent: await page.settle(), to: known?.other?.place.mark };
    };
    const selects = (mark: number | undefined) => expect.objectContaining({ action: "select", mark }) as unknown;
    const early = await press(wait);
    expect(early).toContainEqual({ type: "explain", mark: marks.number[wait], revision: 1 });
    expect(early.filter(({ action }) => action === "select")).toEqual([selects(marks.number[wait])]);
    const led = await explain(wait);
    expect(led.to).toBeGreaterThanOrEqual(0);
    expect(led.sent).toContainEqual(selects(led.to));
    await page.show({ messages: "0" }, { file: miniheatMessages });
    await press(wait);
    const { x, y } = await pointOf(next);
    await page.panel.page.mouse.click(x, y);
    await page.settle();
    expect((await explain(wait)).sent.filter(({ action }) => action === "select")).toEqual([]);
    // Who pressed another key since no longer waits for what the first one leads to.
    for (const key of ["-", "ArrowDown"]) {
      await page.show({ messages: "0" }, { file: miniheatMessages });
      await press(wait);
      await page.panel.page.keyboard.press(key);
      await page.settle();
      expect((await explain(wait)).sent.filter(({ action }) => action === "select")).toEqual([]);
    }
  });
});
