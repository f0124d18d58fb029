import { describe, expect, it, vi } from "vitest";
import { quietTask } from "../../src/model/task";
import { type EventKind, laneMark } from "../../src/protocol/timeline";
import { faintOf } from "../../webviews/timeline/colours";
import { draw } from "../../webviews/timeline/drawing";
import type { TimelineSeen } from "../../webviews/timeline/seen";
import { plainTheme } from "./kit/plainTheme";
import { timeline, timelineShown, timelineView, useTimeline } from "./useTimeline";
import { screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const page = useTimeline();

describe("a selection made elsewhere", () => {
  it("marks the longest event of its function that is in sight, of its context where there is one", async () => {
    const view = await timelineView();
    const shown = await timelineShown(view);
    const { engine } = view.session;
    const dataSet = view.dataSet.id;
    const { marks, facts, firstEvent } = shown;
    if (!marks) throw new Error("nothing is shown");
    const rows = await engine.hotFunctions({ scope: view.scope, by: "inclusive", limit: 1000 });
    for (const name of ["solve", "advance", "MPI_Waitall"]) {
      const row = rows.find((one) => one.name === name) ?? expect.fail();
      const target = { kind: "function", function: row.function } as const;
      const mark = await timeline.markOf?.(shown, { dataSet, target, name, origin: "hotFunctions" }, view);
      // All of its events, one by one.
      const state = facts.states.findIndex((one) => one.name === name);
      const lanes = facts.lanes.map((_, lane) => lane);
      const { longest } = await engine.timelineOccurrences({ dataSet, state, lanes, most: 1 });
      expect(mark, name).toBe(firstEvent[longest.lane[0]] + longest.event[0]);
      expect(await timeline.markOf?.(shown, { dataSet, target, name, origin: "timeline" }, view)).toBeUndefined();
    }
    // Of all contexts of a function each event names its own.
    const solve = facts.states.findIndex(({ name }) => name === "solve");
    const single = Array.from(marks.events.keys()).filter((at) => marks.events[at] === 1 && marks.state[at] === solve);
    for (const at of single.slice(0, 4)) {
      const { target } = await engine.timelineEvent({ dataSet, lane: marks.lane[at], event: marks.event[at] });
      if (target?.kind !== "context") throw new Error("no context");
      const found = await timeline.markOf?.(shown, { dataSet, target, name: "solve", origin: "tree" }, view);
      const place = { lane: firstEvent.findLastIndex((first) => first <= (found as number)), event: 0 };
      place.event = (found as number) - firstEvent[place.lane];
      expect((await engine.timelineEvent({ dataSet, ...place })).target).toEqual(target);
    }
    const unknown = { kind: "function", function: 0 } as const;
    expect(
      await timeline.markOf?.(shown, { dataSet, target: unknown, name: "none", origin: "x" }, view),
    ).toBeUndefined();
    const late = { ...view, window: { from: facts.endSeconds + 1, to: facts.endSeconds + 2 } };
    expect(
      await timeline.markOf?.(shown, { dataSet, target: unknown, name: "solve", origin: "x" }, late),
    ).toBeUndefined();
  });

  it("and one that is made here have their span on the ruler", async () => {
    await page.show();
    const content = timeline.content(page.shown, page.view);
    const { marks } = content;
    const solve = marks.state.findIndex((state, at) => content.names[state] === "solve" && marks.events[at] === 1);
    await page.panel.send({ type: "selection", revision: 1, mark: marks.number[solve] });
    await page.settle();
    await screenshot(page.panel.page, "timeline-selected");
    const size = { width: 1400, height: 640, theme: plainTheme, measure: () => (text: string) => text.length * 6 };
    const { many } = draw(content, size);
    const [shape] = many?.over?.(marks.number[solve]) ?? [];
    if (shape?.kind !== "box") throw new Error("no span");
    const box = many?.of(marks.number[solve])?.box;
    expect(shape.box.x).toBeCloseTo(box?.x ?? 0, 6);
    expect(Math.abs(shape.box.width - (box?.width ?? 0))).toBeLessThanOrEqual(1.001);
    expect(shape.box.y + shape.box.height).toBeLessThanOrEqual(20);
    expect(many?.over?.(2 ** 30)).toEqual([]);
  });
});

describe("what is highlighted", () => {
  const size = { width: 1400, height: 640, theme: plainTheme, measure: () => (text: string) => text.length * 6 };

  it("is a lane whose name is clicked; its name has a bar, and its menu pins it and restricts to it", async () => {
    await page.show();
    const area = await page.area();
    const { page: window } = page.panel;
    await window.mouse.click(area.left - 20, area.top + 20);
    const lane = timeline.content(page.shown, page.view).order[0];
    const [told] = (await page.settle()).filter(({ type }) => type === "mark");
    expect(told).toMatchObject({ action: "select", mark: laneMark(lane) });
    const subject = await timeline.subject?.(page.shown, laneMark(lane), page.view, quietTask);
    expect(subject).toEqual({ target: undefined, name: "rank 0", at: { lanes: [lane], name: "rank 0" } });
    await page.panel.send({ type: "highlight", revision: 1, name: "rank 0", places: [lane], kinds: [] });
    await page.settle();
    await window.locator(".legend").getByText("highlighted").waitFor();
    await screenshot(window, "timeline-highlighted");
    await window.mouse.click(area.left - 20, area.top + 20, { button: "right" });
    const entries = await window.locator("[role=menuitem]").allInnerTexts();
    expect(entries.join("\n")).toMatch(/Highlight in all views[^]*Pin rank 0 on top[^]*Restrict to rank 0/);
  });

  it("is scrolled to where it is out of sight, once", async () => {
    await page.show({}, { height: 300 });
    const { panel } = page;
    const { order } = timeline.content(page.shown, page.view);
    const [first, last] = [order[0], order[order.length - 1]];
    const highlight = (lane: number) =>
      panel.send({ type: "highlight", revision: 1, name: `lane ${lane}`, places: [lane], kinds: [] });
    const top = async () => ((await panel.kept()) as { seen?: TimelineSeen }).seen?.top ?? 0;
    await highlight(last);
    await expect.poll(top).toBeGreaterThan(0);
    const bottom = await top();
    // It comes again with each answer: people stay where they have scrolled to.
    const area = await page.area();
    await panel.page.mouse.move(area.left - 20, area.top + 20);
    await panel.page.mouse.wheel(0, -10_000);
    await expect.poll(top).toBe(0);
    await highlight(last);
    await page.settle();
    expect(await top()).toBe(0);
    await highlight(first);
    await page.settle();
    expect(await top()).toBe(0);
    await highlight(last);
    await expect.poll(top).toBe(bottom);
  });

  it("has its name beside the lane as a whole: in bold letters, which are wider, it is cut in time", async () => {
    const view = await timelineView();
    const content = timeline.content(await timelineShown(view), view);
    const laneNames = content.laneNames.map((_, at) => `process ${at} of the program, thread ${at} of the pool`);
    const named = { ...content, laneNames, longest: laneNames[laneNames.length - 1] };
    const widthOf = (text: string, weight = 400) => text.length * (weight > 400 ? 7.5 : 6);
    const measure = (_: number, weight?: number) => (text: string) => widthOf(text, weight);
    const highlighted = {
      name: "",
      places: new Set(content.rows.map(({ lane }) => lane)),
      kinds: new Set<EventKind>(),
    };
    const { below, above } = draw(named, { ...size, measure, highlighted });
    const names = [...below, ...above].flatMap((shape) =>
      shape.kind === "text" && shape.weight === 600 ? [shape] : [],
    );
    expect(names.length).toBeGreaterThan(2);
    for (const { at, text, weight } of names) expect(at.x - widthOf(text, weight)).toBeGreaterThanOrEqual(0);
  });

  it("are all events of a kind: others stand back", async () => {
    const view = await timelineView();
    const content = timeline.content(await timelineShown(view), view);
    const paler = (kinds: readonly EventKind[]) => {
      const highlighted = { name: "", places: new Set<number>(), kinds: new Set(kinds) };
      const boxes = [
        ...(draw(content, { ...size, highlighted }).many?.shapes({ found: undefined, selected: undefined }) ?? []),
      ];
      const own = size.theme.kind("computing");
      const pale = new Set([0.34, 0.4, 0.34 * 0.4].map((opacity) => faintOf(own, opacity, size.theme).fill));
      return boxes.filter((shape) => shape.kind === "box" && pale.has(shape.fill ?? "")).length;
    };
    const [none, communication, idle] = [paler([]), paler(["communication"]), paler(["idle"])];
    // Nothing here is idle; what contains others is pale in any case.
    expect(communication).toBeGreaterThan(none);
    expect(idle).toBeGreaterThan(communication);
  });
});
