import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { quietTask } from "../../src/model/task";
import { formatValue } from "../../src/model/units";
import type { Place } from "../../src/protocol/panel";
import { draw } from "../../webviews/timeline/drawing";
import { layoutOf } from "../../webviews/timeline/rows";
import { areaOf } from "../../webviews/timeline/seen";
import { plainTheme } from "./kit/plainTheme";
import { miniheatMessages, timeline, timelineShown, timelineView, useTimeline, onTwoNodes } from "./useTimeline";
import { drawn, middleOf, screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const page = useTimeline();
const crowded = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-crowded-"));
afterAll(() => fs.rmSync(crowded, { recursive: true }));

/** 6 threads with 12 depths, where most time is innermost, a setup without callees before it, and nothing for a while. */
function crowdedTrace(): string {
  const traceEvents = Array.from({ length: 6 }, (_, lane) => {
    const event = (name: string, ts: number, dur: number) => ({ ph: "X", pid: 1, tid: lane + 1, name, ts, dur });
    const deep = Array.from({ length: 12 }, (_, depth) => event(`level${depth}`, 40e3 + depth * 10, 60e3 - depth * 20));
    return [event("main", 0, 30e3), event("setup", 100, 20e3), ...deep];
  }).flat();
  const file = path.join(crowded, "crowded.json");
  fs.writeFileSync(file, JSON.stringify({ traceEvents }));
  return file;
}

describe("lanes of a group", () => {
  it("are folded by a click on its heading, and by the menu; what is folded is not asked for", async () => {
    await page.show();
    page.shown = onTwoNodes(page.shown);
    await page.panel.send({ type: "content", revision: 1, content: timeline.content(page.shown, page.view) });
    await page.settle();
    const names = () => page.panel.page.locator(".drawing text").allTextContents();
    expect(await names()).toEqual(expect.arrayContaining(["▾ node 0 · 4 lanes", "rank 0", "rank 4"]));
    const { left, top } = await page.area();
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

/** A busy process of two threads behind helpers of one event each, and one of a hundredth of the busiest's time. */
function pipelineTrace(helpers: number): string {
  const event = (pid: number, tid: number, ts: number, dur: number) => ({
    ph: "X",
    pid,
    tid,
    name: `work${pid}`,
    ts,
    dur,
  });
  const traceEvents = [
    ...Array.from({ length: helpers }, (_, at) => event(at + 1, at + 1, at * 10, 9)),
    ...[100, 101].map((tid) => event(100, tid, 1000, 100e3)),
    event(200, 200, 2000, 1000),
  ];
  const file = path.join(crowded, `pipeline-${helpers}.json`);
  fs.writeFileSync(file, JSON.stringify({ traceEvents }));
  return file;
}

describe("brief lanes", () => {
  const headings = async () =>
    (await page.panel.page.locator(".drawing text").allTextContents()).filter((text) => /^[▸▾]/.test(text));

  it("stand last in a folded group, which opens by a click and when one of them is gone to", async () => {
    await page.show({}, { file: [pipelineTrace(6)] });
    expect(await headings()).toEqual([
      "▾ process 100 · 2 lanes",
      "▸ others, each below 1 % of the busiest lane · 6 lanes",
    ]);
    const click = async (text: string) => {
      const { x, y } = await middleOf(page.panel.page.getByText(text));
      await page.panel.page.mouse.click(x, y);
      await page.settle();
    };
    await click("▸ others, each below 1 %");
    expect((await headings()).at(-1)).toBe("▾ others, each below 1 % of the busiest lane · 6 lanes");
    await click("▾ others, each below 1 %");
    expect((await headings()).at(-1)).toBe("▸ others, each below 1 % of the busiest lane · 6 lanes");
    const place: Place = { mark: 0, x: 0, width: 1e-4, row: 0, depth: 0 };
    await page.panel.send({ type: "selection", revision: 1, mark: 0, place });
    await page.settle();
    expect((await headings()).at(-1)).toBe("▾ others, each below 1 % of the busiest lane · 6 lanes");
  });

  it("stay in their places if they are few, chosen by name, or of ranks", async () => {
    const orderOf = async (view: Awaited<ReturnType<typeof timelineView>>, shown = timelineShown(view)) =>
      timeline.content(await shown, view);
    const few = await orderOf(await timelineView({}, [pipelineTrace(3)]));
    expect([...few.order]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(few.brief).toBeUndefined();
    const named = await orderOf(await timelineView({ filter: "thread" }, [pipelineTrace(6)]));
    expect(named.brief).toBeUndefined();
    // 7 of 8 ranks wait for one: a finding.
    const view = await timelineView();
    const { engine } = view.session;
    const timelineFacts: typeof engine.timelineFacts = async (query, task) => {
      const facts = await engine.timelineFacts(query, task);
      return { ...facts, lanes: facts.lanes.map((lane, at) => (at === 3 ? lane : { ...lane, isBrief: true })) };
    };
    const idle = {
      ...view,
      session: { ...view.session, engine: Object.assign(Object.create(engine) as typeof engine, { timelineFacts }) },
    } as typeof view;
    expect((await orderOf(idle)).brief).toBeUndefined();
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
    // Samples: what a thread is of, and never its number alone.
    const samples = (lane: number) => `muscle (20068), thread ${20070 + lane}`;
    expect((await called(samples, 1400)).names).toEqual(numbers.map((lane) => `thread ${20070 + lane} (muscle)`));
    for (const width of [400, 600])
      expect((await called(samples, width)).names).toEqual(numbers.map((lane) => `thread ${20070 + lane}`));
    // Threads of several programs: brackets are whole, however little room there is.
    const programs = ["bash", "megahit_core", "pyenv-version-f", "xz"];
    const several = (lane: number) => `${programs[lane % 4]} (${2800 + lane}), thread ${2800 + lane}`;
    for (const width of [400, 600, 700, 1400])
      for (const [lane, name] of (await called(several, width)).names.entries())
        expect(name, `${width} px`).toMatch(
          new RegExp(`^(thread )?${2800 + lane} \\([^()]+\\)${width > 400 ? "" : "|^\\d+"}$`),
        );
    const memory = ["DtoH", "HtoD", "pagefaults.cpu", "pagefaults.gpu"];
    const unified = (lane: number) => (lane < 4 ? `GPU 0, unified memory: ${memory[lane]}` : `GPU 0, stream ${lane}`);
    expect((await called(unified, 1400)).names.slice(0, 2)).toEqual(["unified memory: DtoH", "unified memory: HtoD"]);
    for (const width of [400, 600])
      for (const name of (await called(unified, width)).names)
        expect(name.includes("…") && name.length < 12, name).toBe(false);
    const resources = Array.from(
      { length: 8 },
      (_, lane) => `NODE${lane % 2} / 1956${lane}: ${["Worker", "Thread"][lane % 2]} State`,
    );
    expect((await called((lane) => resources[lane], 400)).names).toEqual(numbers.map((lane) => `1956${lane}`));
    expect((await called((lane) => resources[lane], 1400)).names).toEqual(
      numbers.map((lane) => `NODE${lane % 2} / 1956${lane}: ${["Worker", "Thread"][lane % 2]}`),
    );
    const others = ["GPU 0, stream 7", "thread 1758609408", "main", "no process: marks", "a", "b", "c", "d"];
    const { names, gutter } = await called((lane) => others[lane], 400);
    expect(gutter).toBe(104);
    expect(new Set(names).size).toBe(8);
    for (const [lane, name] of names.entries()) expect(name.slice(0, 1)).toBe(others[lane].slice(0, 1));
  });

  it("has a dotted foot where marks are clusters, and only there, beside letters or below them", async () => {
    const view = await timelineView();
    const content = timeline.content(await timelineShown(view), view);
    const { marks } = content;
    let beside = 0;
    const drawn = (height: number) => ({
      width: 1400,
      height,
      theme: plainTheme,
      measure: () => (text: string) => text.length * 6,
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
        const extra = step === row.depths - 1 ? row.extra : 0;
        const bottom = area.y + row.y + (step + 1) * layout.rowHeight + extra - 1;
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

  it("uses the height in one row if innermost events are drawn", async () => {
    const view = await timelineView({ look: "state" });
    const content = timeline.content(await timelineShown(view), view);
    const lanes = content.order.length;
    for (const room of [200, 400, 544]) {
      const { rowHeight, height } = layoutOf(content, [], room);
      expect(room - height, String(room)).toBeLessThan(lanes / 2 + 1);
      expect(height, String(room)).toBeLessThanOrEqual(room);
      expect(rowHeight).toBeGreaterThan(20);
    }
    // A row is never higher than three lines of text have use for, and rows of depths are as before.
    expect(layoutOf(content, [], 4000).rowHeight).toBe(64);
    expect(layoutOf({ ...content, look: "depth" }, [], 4000).rowHeight).toBe(20);
  });

  it("shows callers where its rows have nothing, and hatches what nothing covers, in drawings of any height", async () => {
    const measure = () => (text: string) => text.length * 6;
    for (const files of [miniheatMessages, [crowdedTrace()]])
      for (const [width, height] of [
        [600, 500],
        [1400, 300],
        [500, 900],
      ]) {
        const drawing = { width, height, theme: plainTheme, measure };
        const plain = { ...(await timelineView({ counters: false }, files)), size: { width, height } };
        const content = timeline.content(await timelineShown(plain), plain);
        const area = areaOf(content, drawing);
        const layout = layoutOf(content, [], area.height);
        const { engine } = plain.session;
        const whole = { fromSeconds: content.start, toSeconds: content.end, pixelSeconds: 1e-12, mostMarks: 1e6 };
        const lanes = layout.lanes.map(({ lane }) => ({ lane, firstDepth: 0, depths: 1 }));
        const outermost = await engine.timelineMarks({ dataSet: plain.dataSet.id, look: "depth", lanes, ...whole });
        const shapes = [...(draw(content, drawing).many?.shapes({ found: undefined, selected: undefined }) ?? [])];
        const boxes = shapes.flatMap((shape) =>
          shape.kind === "box" && shape.dotted === undefined
            ? [{ ...shape.box, isHatched: shape.hatch !== undefined }]
            : [],
        );
        const perPixel = (content.end - content.start) / area.width;
        for (const row of layout.lanes.filter(({ y, height: high }) => y + high < area.height)) {
          const own = boxes.filter((box) => box.y >= area.y + row.y - 0.5 && box.y < area.y + row.y + row.height);
          const events = [...outermost.lane.keys()].filter((at) => outermost.lane[at] === row.lane);
          for (let x = area.x + 1.5; x < area.x + area.width - 1; x += 3) {
            const [from, to] = [x - 2, x + 2].map((place) => content.start + (place - area.x) * perPixel);
            const isInside = (at: number) => outermost.startSeconds[at] <= from && to <= outermost.endSeconds[at];
            const isOutside = (at: number) => outermost.startSeconds[at] >= to || from >= outermost.endSeconds[at];
            const here = own.filter((box) => box.x <= x + 1 && x - 1 <= box.x + box.width);
            if (events.some(isInside))
              expect(
                here.some(({ isHatched }) => !isHatched),
                `lane ${row.lane} at ${x}`,
              ).toBe(true);
            else if (events.every(isOutside))
              expect(
                here.some(({ isHatched }) => isHatched),
                `lane ${row.lane} at ${x}`,
              ).toBe(true);
          }
        }
      }
  });

  it("points at a caller that is drawn in its first row", async () => {
    const size = { width: 600, height: 200 };
    const view = { ...(await timelineView({}, [crowdedTrace()])), size };
    const content = timeline.content(await timelineShown(view), view);
    const drawing = { ...size, theme: plainTheme, measure: () => (text: string) => text.length * 6 };
    const area = areaOf(content, drawing);
    const [row] = layoutOf(content, [], area.height).lanes;
    expect(row.firstDepth).toBeGreaterThan(1);
    const { many } = draw(content, drawing);
    // 10 ms of 100: setup is called by main, and calls nothing.
    const mark = many?.at({ x: area.x + 0.1 * area.width, y: area.y + row.y + 3 });
    expect(mark?.name).toBe("setup");
    expect(mark?.box.width).toBeCloseTo(0.2 * area.width, -1);
  });

  it("gives what rows leave of the height to the innermost ones", async () => {
    const view = await timelineView({}, [crowdedTrace()]);
    const content = timeline.content(await timelineShown(view), view);
    for (let room = 100; room < 1600; room += 37) {
      const { lanes, rowHeight, height } = layoutOf(content, [], room);
      for (const lane of lanes) expect(lane.height).toBe(lane.depths * rowHeight + lane.extra);
      for (const [at, { y }] of lanes.entries())
        if (at > 0) expect(y).toBeGreaterThanOrEqual(lanes[at - 1].y + lanes[at - 1].height);
      if (height > room) expect(lanes[0].extra).toBe(0);
      else if (lanes[0].extra + rowHeight < 60) expect(room - height).toBeLessThan(lanes.length);
    }
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

describe("functions of one kind", () => {
  it("has its names above messages, however many there are", async () => {
    const view = await timelineView({ messages: "0" }, miniheatMessages);
    const content = timeline.content(await timelineShown(view), view);
    const drawing = { width: 600, height: 640, theme: plainTheme, measure: () => (text: string) => text.length * 6 };
    const shapes = [...(draw(content, drawing).many?.shapes({ found: undefined, selected: undefined }) ?? [])];
    const lines = shapes.findIndex(
      (shape) => shape.kind === "path" && shape.opacity !== undefined && shape.d.includes("C"),
    );
    const faint = shapes[lines];
    const names = shapes.flatMap((shape, at) => (shape.kind === "text" ? [at] : []));
    expect(lines).toBeGreaterThan(0);
    // 2,232 on each other are as dark as 600 of 20 %.
    expect(faint.kind === "path" && faint.opacity).toBeCloseTo((0.2 * 600) / content.messageCount, 2);
    expect(names.length).toBeGreaterThan(8);
    expect(names[0]).toBeGreaterThan(lines);
  });

  it("have five lightnesses, the heaviest ones all different", async () => {
    const view = await timelineView();
    const content = timeline.content(await timelineShown(view), view);
    const computing = [...content.names.keys()].filter((at) => content.kinds[at] === 0);
    const fills = computing.map((at) => content.shades[at]);
    expect(computing.length).toBeGreaterThan(5);
    expect(new Set(fills).size).toBe(5);
    const counts = new Map(fills.map((fill) => [fill, fills.filter((one) => one === fill).length]));
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(2);
  });
});

describe("a lane of sixty depths", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-depths-"));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  /** Most time is spent in the outermost ones; what lies deepest comes twice a lane, and launches what another lane has there. */
  function sixtyDepths(lanes = 1): string {
    const ends = Array.from({ length: 59 }, (_, depth) => 1.2e6 + 2.8e6 * 0.85 ** depth);
    const traceEvents = Array.from({ length: lanes }, (_, lane) => {
      const of = { pid: 1, tid: lane + 1 };
      const event = (name: string, ts: number, dur: number) => ({ ph: "X", ...of, name, ts, dur });
      const outer = ends.map((end, depth) => event(`level${depth}`, depth * 1e4, end - depth * 1e4));
      const flow = { ...of, id: 1, name: "launch", cat: "launch", ts: lane === 0 ? 7.5e5 : 9.5e5 };
      const side = lanes === 1 ? [] : [lane === 0 ? { ph: "s", ...flow } : { ph: "f", bp: "e", ...flow }];
      return [...outer, event("deepest", 7e5, 1e5), event("deepest", 9e5, 2e5), ...side];
    }).flat();
    const file = path.join(folder, "depths.json");
    fs.writeFileSync(file, JSON.stringify({ traceEvents }));
    return file;
  }

  it("shows all depths if they have room, so that early work of callers is seen", async () => {
    const view = await timelineView({}, [sixtyDepths()]);
    const content = timeline.content(await timelineShown(view), view);
    const shownIn = (room: number) => layoutOf(content, [], room).lanes.map(({ depths }) => depths);
    expect(shownIn(60 * 11.5 + 4)).toEqual([60]);
    expect(shownIn(60 * 11.5 + 3)).toEqual([5]);
    expect(layoutOf(content, [], 2000)).toMatchObject({ rowHeight: 20, lanes: [{ firstDepth: 0, depths: 60 }] });
  });

  it("shows and selects what is found below those that are shown, and says which are", async () => {
    await page.show({}, { file: [sixtyDepths()] });
    const { keyboard } = page.panel.page;
    const texts = async () => (await page.panel.page.locator(".drawing text").allTextContents()).join("|");
    expect(await texts()).toMatch(/1–\d+(?: of |\/)60/);
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
      expect(await texts()).toMatch(/\d+–60(?: of |\/)60/);
    }
  });

  /** Presses a key that asks the host where to go, and answers as the host does. @returns where that leads */
  async function step(key: string, action: string, from: number): Promise<Place> {
    await page.panel.page.keyboard.press(key);
    expect(await page.settle()).toContainEqual({ type: "mark", action, revision: 1, mark: from });
    const [place] = (await page.acted(action, from)) as Place[];
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

  const TOP = expect.stringMatching(/^1–\d+(?: of |\/)60$/) as string;
  const DEEP = expect.stringMatching(/^\d+–60(?: of |\/)60$/) as string;

  /** Which depths lanes show. */
  const shown = async () =>
    (await page.panel.page.locator(".drawing text").allTextContents()).filter((text) => /(?: of |\/)60$/.test(text));

  it("shows and selects there what N and P lead to in another lane, and Enter opens its line", async () => {
    await page.show({}, { file: [sixtyDepths(2)] });
    const first = await goDeep();
    expect(await shown()).toEqual([DEEP, TOP]);
    const next = await step("n", "next-occurrence", first);
    expect(next.row).toBe(1);
    expect(await shown()).toEqual([TOP, DEEP]);
    await expectThere(next, "deepest", 0.1);
    const before = await step("p", "previous-occurrence", next.mark);
    expect(before.mark).toBe(first);
    expect(await shown()).toEqual([DEEP, TOP]);
    await expectThere(before, "deepest", 0.1);
  });

  it("shows and selects there what ] and [ lead to in another lane, and Enter opens its line", async () => {
    await page.show({}, { file: [sixtyDepths(2)] });
    const first = await goDeep();
    expect(await shown()).toEqual([DEEP, TOP]);
    const next = await step("]", "chain-next", first);
    expect(next.row).toBe(1);
    expect(await shown()).toEqual([TOP, DEEP]);
    await expectThere(next, "deepest", 0.2);
    const before = await step("[", "chain-back", next.mark);
    expect(before.mark).toBe(first);
    expect(await shown()).toEqual([DEEP, TOP]);
    await expectThere(before, "deepest", 0.1);
  });
});

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
    const { x, y } = await page.pointOf(wait);
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
    const [back] = (await page.acted("chain-back", marks.number[wait])) as {
      readonly row: number;
      readonly mark: number;
    }[];
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
      const { x, y } = await page.pointOf(at);
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
    const { x, y } = await page.pointOf(next);
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
