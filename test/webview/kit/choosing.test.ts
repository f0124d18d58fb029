/** Choosing marks: by drag, click, keys, menu and table; on the histogram of many ranks, whose bins are chosen. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Distribution } from "../../../src/engine/api";
import { chosenRanks } from "../../../src/model/members";
import { histogram } from "../../../src/panels/histogram/definition";
import { frameMessage } from "../../../src/panels/kit/frameMessage";
import { drawn, type PanelPage, PanelWindow } from "../window";
import { distributionOf } from "../rankDistribution";
import { functionNamed, sampleWorld, viewOf } from "./samples";
import { openPage, type PanelSample, sendChosen, sendSample } from "./showing";

vi.mock("vscode", () => import("../fakeVsCode"));

let window: PanelWindow;
let panel: PanelPage;
let shown: Distribution;

beforeAll(async () => {
  window = await PanelWindow.start("histogram", "Histogram");
});
afterAll(() => window.stop());
afterEach(async ({ task }) => expect(await window.endTest(task.result?.state === "fail")).toEqual([]));

async function show(): Promise<PanelSample<typeof histogram.start, Distribution>> {
  const world = await sampleWorld();
  const { scope, engine } = world;
  const target = await functionNamed(world, "updateConductivity");
  const asked = { scope, by: "rank", target, value: "exclusive", bins: 20, order: "id" } as const;
  const { values } = await engine.distribution(asked);
  // Bins are drawn of more than 32 members: the others cost as much as the cheapest of the eight.
  shown = distributionOf([...values, ...new Array<number>(32).fill(Math.min(...values))]);
  panel = await openPage(window);
  const sample = { name: "", view: viewOf(world, histogram.start), shown };
  await sendSample(panel, histogram, sample);
  return sample;
}

const bin = (at: number) => panel.page.locator(`.drawing [data-key="bin ${at}"]`);
const checked = (at: number) => bin(at).getAttribute("aria-checked");
const choices = async () => (await panel.sent()).filter(({ type }) => type === "choose");
const lastChoice = async () => (await choices()).at(-1);
const hears = (ranks: number[], choice: number) =>
  sendChosen(panel, histogram, shown, chosenRanks(ranks), { revision: 1, choice });

async function middleOf(at: number): Promise<{ x: number; y: number }> {
  const [drawing, bars] = await Promise.all([
    panel.page.locator(".drawing").boundingBox(),
    panel.page
      .locator(".drawing [data-key^='bin ']")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect)),
  ]);
  if (!drawing) throw new Error("nothing is drawn");
  return { x: bars[at].x + bars[at].width / 2, y: drawing.y + drawing.height / 4 };
}

async function drag(from: number, to: number, key?: string): Promise<void> {
  const { mouse, keyboard } = panel.page;
  const [start, end] = [await middleOf(from), await middleOf(to)];
  if (key) await keyboard.down(key);
  await mouse.move(start.x, start.y);
  await mouse.down();
  await mouse.move(end.x, end.y, { steps: 8 });
  await mouse.up();
  if (key) await keyboard.up(key);
  await drawn(panel.page);
}

describe("a drag", () => {
  it("chooses what it meets, and begins anew each time", async () => {
    await show();
    await drag(8, 19);
    expect(await lastChoice()).toMatchObject({ revision: 1, marks: [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19] });
    await drag(0, 1);
    expect(await lastChoice()).toMatchObject({ marks: [0, 1] });
    expect([await checked(0), await checked(19)]).toEqual(["true", "false"]);
  });

  it("adds with Shift", async () => {
    await show();
    const { x, y } = await middleOf(19);
    await panel.page.mouse.click(x, y);
    await drag(9, 10, "Shift");
    expect(await lastChoice()).toMatchObject({ marks: [9, 10, 19] });
  });

  it("is sent a few times a second while it goes on, and whole at its end", async () => {
    await show();
    const { mouse } = panel.page;
    const middles = await Promise.all([...Array(20).keys()].map(middleOf));
    await mouse.move(middles[0].x, middles[0].y);
    await mouse.down();
    const started = Date.now();
    for (let round = 0; round < 3; round++)
      for (const { x, y } of [...middles, ...middles.slice().reverse()]) await mouse.move(x, y);
    await mouse.move(middles[19].x, middles[19].y);
    const seconds = (Date.now() - started) / 1000;
    await mouse.up();
    const told = await choices();
    expect(told.length).toBeLessThanOrEqual(2 + Math.ceil(5 * seconds));
    expect(told.at(-1)?.marks).toEqual([...Array(20).keys()]);
    expect(told.map(({ choice }) => choice)).toEqual(told.map((_, at) => at + 1));
  });

  it("outlives the same content sent again, and ends with a different one", async () => {
    await show();
    const { mouse } = panel.page;
    const [start, end] = [await middleOf(10), await middleOf(19)];
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move(end.x, end.y);
    const view = viewOf(await sampleWorld(), histogram.start);
    await panel.send({ type: "content", revision: 1, content: histogram.content(shown, view) });
    await sendChosen(panel, histogram, shown, undefined, { revision: 1, choice: 0 });
    expect([await checked(10), await checked(19)]).toEqual(["true", "true"]);
    await mouse.up();
    expect(await lastChoice()).toMatchObject({ marks: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19] });
    await sendSample(panel, histogram, { name: "", view, shown, chosen: chosenRanks([4]) }, 2);
    await expect.poll(() => checked(shown.binOf[4])).not.toBe("false");
  });

  it("is given up by Escape", async () => {
    await show();
    const { mouse, keyboard } = panel.page;
    const [start, end] = [await middleOf(0), await middleOf(9)];
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move(end.x, end.y, { steps: 3 });
    await keyboard.press("Escape");
    await mouse.up();
    await drawn(panel.page);
    expect((await lastChoice())?.marks ?? []).toEqual([]);
  });
});

describe("what the host says", () => {
  it("of earlier choices is not listened to", async () => {
    await show();
    for (const at of [19, 10]) {
      const { x, y } = await middleOf(at);
      await panel.page.mouse.click(x, y);
    }
    await hears([0], 1);
    expect([await checked(10), await checked(19)]).toEqual(["true", "false"]);
    // What was chosen elsewhere since, with the last choice heard.
    await hears([0], 2);
    expect([await checked(10), await checked(19)]).toEqual(["false", "true"]);
  });

  it("of a part of a mark is shown as a part", async () => {
    await show();
    await hears([1], 0);
    expect(await checked(shown.binOf[1])).toBe("mixed");
  });
});

it("works by keyboard: arrows, Space, Shift and arrows, Escape, Enter", async () => {
  await show();
  const { keyboard } = panel.page;
  await bin(0).focus();
  for (let at = 0; at < 19; at++) await keyboard.press("ArrowRight");
  await keyboard.press("Space");
  expect(await lastChoice()).toMatchObject({ marks: [19] });
  // Held down, an arrow moves fast: the host hears of it in its pace.
  await keyboard.press("Shift+ArrowLeft");
  await keyboard.press("Shift+ArrowLeft");
  await expect.poll(async () => (await lastChoice())?.marks).toEqual([17, 18, 19]);
  await keyboard.press("Shift+ArrowRight");
  await expect.poll(async () => (await lastChoice())?.marks).toEqual([18, 19]);
  await keyboard.press("Escape");
  expect(await lastChoice()).toMatchObject({ marks: [] });
  await keyboard.press("Enter");
  expect(await panel.sent()).toMatchObject([{ type: "mark", action: "open", revision: 1 }]);
});

it("has a menu, and a table whose rows choose", async () => {
  await show();
  await bin(19).focus();
  await panel.page.keyboard.press("Shift+F10");
  await panel.page.getByRole("menuitem", { name: "Restrict to the other 39" }).click();
  expect(await lastChoice()).toMatchObject({ marks: [...Array(19).keys()] });
  await bin(0).click({ button: "right", force: true });
  await panel.page.getByRole("menuitem", { name: "Copy ranks of this bin" }).click();
  expect(await panel.sent()).toMatchObject([{ type: "mark", action: "copy-members", mark: 0 }]);
  await panel.page.getByRole("button", { name: /^Table/ }).click();
  await panel.page.locator("table").first().locator("tbody tr").last().click();
  expect(await lastChoice()).toMatchObject({ marks: [19] });
});

it("finds members, and goes from one to the next", async () => {
  await show();
  await bin(0).focus();
  await panel.page.keyboard.press("/");
  const search = panel.page.getByRole("textbox", { name: "Search" });
  await search.fill("0-2, 6");
  await panel.page.locator(".search").getByText("4 ranks").waitFor();
  for (const rank of [0, 1, 2, 6, 0]) {
    await search.press("Enter");
    await panel.page
      .getByRole("tooltip")
      .filter({ hasText: `rank ${rank}` })
      .waitFor();
  }
});

it("leads back from the search to the mark that it has found", async () => {
  await show();
  await bin(0).focus();
  await panel.page.keyboard.press("/");
  await panel.page.getByRole("textbox", { name: "Search" }).fill("4");
  await panel.page.keyboard.press("Enter");
  await panel.page.getByRole("tooltip").filter({ hasText: "rank 4" }).waitFor();
  await panel.page.keyboard.press("Escape");
  await panel.page.locator('.drawing [aria-label^="rank 4,"]:focus').waitFor();
});

it("has the focus in the drawing when a key of the window leads to a page in which nothing had it", async () => {
  await show();
  const lead = () =>
    panel.page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement)
        document.activeElement.blur();
      globalThis.dispatchEvent(new Event("focus"));
    });
  await lead();
  await panel.page.locator(".drawing [role=option]:focus").first().waitFor();
  const name = () => panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  const first = await name();
  await panel.page.keyboard.press("ArrowRight");
  expect(await name()).not.toBe(first);
  // What has the focus keeps it.
  await panel.page.getByRole("button", { name: "Metric" }).focus();
  await panel.page.evaluate(() => void globalThis.dispatchEvent(new Event("focus")));
  expect(await panel.page.evaluate(() => document.activeElement?.closest(".drawing"))).toBeNull();
});

describe.each(["a bar", "a table's row"])("with the focus on %s", (what) => {
  it("takes the focus from no other panel when something else is drawn", async () => {
    const sample = await show();
    if (what === "a bar") await bin(0).focus();
    else {
      await panel.page.getByRole("button", { name: "Table" }).click();
      await panel.page.locator("tbody tr").first().focus();
    }
    await panel.page.evaluate(() => {
      const counted = globalThis as unknown as { calls: number };
      counted.calls = 0;
      document.hasFocus = () => false;
      for (const kind of [SVGElement, HTMLElement]) {
        const { focus } = kind.prototype;
        kind.prototype.focus = function (options) {
          counted.calls++;
          focus.call(this, options);
        };
      }
    });
    const calls = () => panel.page.evaluate(() => (globalThis as unknown as { calls: number }).calls);
    await sendSample(panel, histogram, sample, 2);
    expect(await calls()).toBe(0);
    await panel.page.evaluate(() => (document.hasFocus = () => true));
    await sendSample(panel, histogram, sample, 3);
    expect(await calls()).toBeGreaterThan(0);
  });
});

it("leaves the focus to a menu that was opened while the content was on its way", async () => {
  const sample = await show();
  panel = await openPage(window);
  await panel.send(frameMessage(histogram, "a-key", sample.view, shown));
  await panel.send({ type: "focus" });
  await panel.page.getByRole("button", { name: "Metric" }).click();
  const entry = panel.page.locator(".menu-item:focus");
  await entry.waitFor();
  await sendSample(panel, histogram, sample);
  expect(await entry.count()).toBe(1);
});
