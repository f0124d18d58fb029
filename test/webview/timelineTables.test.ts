import { describe, expect, it, vi } from "vitest";
import { chosenRanks } from "../../src/model/members";
import { quietTask } from "../../src/model/task";
import { formatValue } from "../../src/model/units";
import { miniheatMessages, timeline, timelineShown, timelineView, useTimeline } from "./useTimeline";
import { drawn, screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const page = useTimeline();

describe("the table of functions", () => {
  it("is, after R, of what is done in the selected event's lane while it lasts, and of all lanes again without", async () => {
    await page.show({}, { kept: { table: true } });
    const panel = page.panel.page;
    const { marks, names } = timeline.content(page.shown, page.view);
    const solve = marks.state.findIndex((state, at) => names[state] === "solve" && marks.events[at] === 1);
    const [lane, from, to] = [marks.lane[solve], marks.start[solve], marks.end[solve]];
    const { x, y } = await page.pointOf(solve);
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
    const { left, width, ruler } = await page.area();
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
        facts.states[state].name,
        formatValue(exclusiveSeconds, "s"),
        formatValue(inclusiveSeconds, "s"),
        count.toLocaleString("en"),
        count > 0 ? formatValue(longestSeconds, "s") : "none",
      ]);
    };
    const said = async () => (await rowsOf()).map((row) => [0, 2, 3, 4, 7].map((at) => row[at]));
    const whole = await page.window();
    expect(await said()).toEqual(await expected(whole.from, whole.to));
    const solve = (await rowsOf()).find(([name]) => name === "solve");
    expect(solve?.at(-1)).toMatch(/^solver\.cpp:\d+$/);
    const { left, ruler } = await page.area();
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

describe("occurrences of a function", () => {
  it("are listed from its row's menu, with a histogram; a click goes there, and N and P to the next and the one before", async () => {
    await page.show({}, { kept: { table: true } });
    const panel = page.panel.page;
    await panel.getByRole("tab", { name: "functions" }).click();
    await page.settle();
    await panel.locator(".table:visible tbody tr", { hasText: "updateConductivity" }).click({ button: "right" });
    await panel.getByText("Occurrences of updateConductivity").click();
    await page.settle();
    const all = await page.eventsNamed("updateConductivity");
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
    expect(await page.acted("next-occurrence", mark)).toEqual([wanted(at + 1)]);
    await panel.locator(".drawing [tabindex='0']").focus();
    await panel.keyboard.press("p");
    expect(await page.settle()).toContainEqual({ type: "mark", action: "previous-occurrence", revision: 1, mark });
    await panel.keyboard.press("]");
    expect(await page.settle()).toContainEqual({ type: "mark", action: "chain-next", revision: 1, mark });
    expect(await page.acted("chain-next", mark)).toEqual([["next", "no messages or launches are recorded"]]);
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
    expect(heard.at(-1)).toMatch(/^Metrics of this recording have no times/);
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
      dataSet: dataSet.id,
      ...run,
      withFunctions: true,
    });
    const length = run.toSeconds - run.fromSeconds;
    expect(functions.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(length, 9);
    expect(lane.reduce((sum, _, at) => sum + endSeconds[at] - startSeconds[at], 0)).toBeCloseTo(length, 9);
    const onPath = await rowsOf();
    expect(onPath.map((row) => row[1])).toEqual(functions.map(({ seconds }) => formatValue(seconds, "s")));
    expect(onPath.some((row) => row[3]?.startsWith("solver.cpp:"))).toBe(true);
  });
});
