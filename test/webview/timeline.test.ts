import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { formatShare, formatValue } from "../../src/model/units";
import type { TimelineShown } from "../../src/panels/timeline/shown";
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
import { timeline, timelineLooked, timelineShown, timelineView, useTimeline, onTwoNodes } from "./useTimeline";
import { screenshot } from "./window";

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

describe("the window", () => {
  it("is written; the wheel zooms it, and the moment at the pointer stays there", async () => {
    await page.show();
    expect(await page.summary()).toMatch(/^whole trace · 172 ms · 15,712 events$/);
    const { left, top, width } = await page.area();
    const before = await page.window();
    const { mouse } = page.panel.page;
    const x = Math.round(left + width / 3);
    await mouse.move(x, top + 200);
    await mouse.wheel(0, -200);
    await page.settle();
    const after = await page.window();
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
    const whole = await page.window();
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("w");
    await page.settle();
    const zoomed = await page.window();
    expect(zoomed.to - zoomed.from).toBeCloseTo((whole.to - whole.from) / 1.5, 9);
    const { left, top, width } = await page.area();
    await mouse.move(left + 500, top + 100);
    await mouse.down();
    await mouse.move(left + 600, top + 100, { steps: 4 });
    await mouse.up();
    await page.settle();
    const moved = await page.window();
    const pixel = (zoomed.to - zoomed.from) / width;
    expect(zoomed.from - moved.from).toBeCloseTo(Math.min(100 * pixel, zoomed.from - whole.from), 9);
    await keyboard.press("d");
    await page.settle();
    expect((await page.window()).from).toBeGreaterThan(moved.from);
    await keyboard.press("s");
    await keyboard.press("0");
    await page.settle();
    expect(await page.window()).toEqual(whole);
    await page.panel.page.getByRole("button", { name: "Back to the window before" }).click();
    await page.settle();
    expect(await page.window()).not.toEqual(whole);
    await page.panel.page.getByRole("button", { name: /^Forward/ }).click();
    await page.settle();
    expect(await page.window()).toEqual(whole);
  });

  it("is told to other views, and moved by them, also before the page has anything to draw", async () => {
    await page.show();
    const { left, top } = await page.area();
    await page.panel.page.mouse.move(left + 200, top + 100);
    await page.panel.page.mouse.wheel(0, -200);
    const told = await vi.waitFor(async () => {
      const [one] = (await page.settle()).filter(({ type }) => type === "window").slice(-1);
      if (!one) throw new Error("nothing was told");
      return one;
    });
    expect(told.window).toEqual(await page.window());
    const window = { from: 0.05, to: 0.1 };
    await page.panel.send({ type: "window", window });
    expect((await page.settle()).filter(({ type }) => type === "window")).toEqual([]);
    expect(await page.window()).toEqual(window);
    expect(await page.summary()).toMatch(/^50 – 100 ms/);
    await page.show({}, { before: { type: "window", window } });
    expect(await page.window()).toEqual(window);
    await page.panel.send({ type: "window" });
    await page.settle();
    expect(await page.summary()).toMatch(/^whole trace/);
  });

  it("is moved in the strip, by its handles and by keyboard", async () => {
    await page.show();
    const whole = await page.window();
    const length = whole.to - whole.from;
    const strip = await page.panel.page.locator(".strip svg").boundingBox();
    if (!strip) throw new Error("no strip");
    const { left, width } = await page.area();
    const { mouse, keyboard } = page.panel.page;
    await mouse.move(left + 1, strip.y + 15);
    await mouse.down();
    await mouse.move(left + width / 2, strip.y + 15, { steps: 3 });
    await mouse.up();
    await page.settle();
    const half = await page.window();
    expect((half.from - whole.from) / length).toBeCloseTo(0.5, 2);
    expect(half.to).toBeCloseTo(whole.to, 9);
    await page.panel.page.getByRole("slider", { name: "Ends at" }).focus();
    await keyboard.press("ArrowLeft");
    await page.settle();
    expect((whole.to - (await page.window()).to) / length).toBeCloseTo(0.01, 6);
    await mouse.dblclick(left + width / 4, strip.y + 15);
    await page.settle();
    expect(await page.window()).toEqual(whole);
  });
});

describe("events", () => {
  it("lead to their lines by double click and Enter; a click selects them and says what they are", async () => {
    await page.show();
    const content = timeline.content(page.shown, page.view);
    const { marks, names } = content;
    const solve = marks.state.findIndex((state, at) => names[state] === "solve" && marks.events[at] === 1);
    const { x, y } = await page.pointOf(solve);
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
    const { from, to } = await page.window();
    expect(to - from).toBeCloseTo((marks.end[solve] - marks.start[solve]) * 1.1, 9);
  });

  it("leaves the second key of a chord to VS Code", async () => {
    await page.show();
    const whole = await page.window();
    const { keyboard } = page.panel.page;
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("Control+Alt+h");
    await keyboard.press("w");
    await page.settle();
    expect(await page.window()).toEqual(whole);
    await keyboard.press("w");
    await page.settle();
    expect(await page.window()).not.toEqual(whole);
  });

  it("that are too short are clusters: a click says what they hold, a double click shows them apart", async () => {
    await page.show();
    const { marks } = timeline.content(page.shown, page.view);
    const widest = Array.from(marks.events, (events, at) => (events > 1 ? marks.end[at] - marks.start[at] : 0));
    const cluster = widest.indexOf(Math.max(...widest));
    const { x, y } = await page.pointOf(cluster);
    await page.panel.page.mouse.click(x, y);
    expect(await page.settle()).toEqual([]);
    expect(await page.panel.page.locator(".details").innerText()).toContain(`${marks.events[cluster]} events`);
    // The strip about it has taken some of the height, and rows share what is left.
    const again = await page.pointOf(cluster);
    await page.panel.page.mouse.dblclick(again.x, again.y);
    await page.settle();
    const { from, to } = await page.window();
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

describe("the help", () => {
  it("has all gestures and keys, also when the pointer leaves the menu that it came from", async () => {
    await page.show({}, { width: 600, height: 720 });
    const tab = page.panel.page;
    await tab.locator("[data-tool=more]").click();
    await tab.getByRole("menuitem", { name: "What is drawn here" }).click();
    const names = await tab.locator(".tooltip.help dt").allInnerTexts();
    expect(names).toEqual(expect.arrayContaining(["lane", "below the lanes", "[, ]", "Q, E", "B", "Enter"]));
    expect(names.length).toBeGreaterThan(8);
  });
});

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
    const { left, top, width, ruler } = await page.area();
    const whole = await page.window();
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
    const { from, to } = await page.window();
    expect(to - from).toBeCloseTo((300 / width) * (whole.to - whole.from), 9);
  });

  it("is what F makes the window", async () => {
    await page.show();
    const { left, ruler } = await page.area();
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
    const seen = await page.window();
    expect(seen.from).toBeCloseTo(range.from, 9);
    expect(seen.to).toBeCloseTo(range.to, 9);
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

describe("searching", () => {
  it("counts the events of the whole trace, and goes from one to the next, out of clusters, too", async () => {
    await page.show();
    const { keyboard } = page.panel.page;
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("/");
    await page.panel.page.getByRole("textbox", { name: "Search" }).fill("updateConductivity");
    await page.settle();
    const expected = await page.eventsNamed("updateConductivity");
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
