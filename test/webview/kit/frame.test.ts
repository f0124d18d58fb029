import fs from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  arePicturesWanted,
  drawn,
  type OpenOptions,
  type PanelPage,
  PanelWindow,
  readThemes,
  screenshot,
  type ThemeName,
} from "../window";
import type { Change } from "./gallery/samples";

vi.mock("vscode", () => import("../fakeVsCode"));

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let panels: PanelWindow;

beforeAll(async () => {
  panels = await PanelWindow.start("gallery", "Gallery", "test/webview/kit/gallery/main.ts");
});
afterAll(() => panels.stop());
afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

async function open(change: Change, options: OpenOptions = {}): Promise<PanelPage> {
  const panel = await panels.open({ width: 600, height: 700, ...options });
  await panel.send({ change });
  await panel.page.locator(".sample-mark").waitFor({ state: "attached" });
  await drawn(panel.page);
  return panel;
}

/** Pixels above and below the drawing. */
async function around(page: Page): Promise<{ above: number; below: number }> {
  return page.evaluate(() => {
    const stage = document.querySelector(".stage")?.getBoundingClientRect();
    return { above: stage?.top ?? NaN, below: window.innerHeight - (stage?.bottom ?? NaN) };
  });
}

/** What is beyond the panel, wrapped, or cut though it must not be. */
async function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const seen = [...document.querySelectorAll<HTMLElement>(".frame *")].filter((element) => element.checkVisibility());
    const name = (element: Element) => `${element.className} ${element.textContent?.slice(0, 30)}`;
    const beyond = seen.filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      // Of what is cut on purpose, the text itself goes on.
      return (left < -0.5 || right > window.innerWidth + 0.5) && !element.closest("bdi, .legend.tight, .summary");
    });
    const cut = seen.filter(
      (element) =>
        element.matches(".select > span, .wording, .fact, :not(.tight) > .entry") &&
        element.scrollWidth > element.clientWidth + 1,
    );
    const high = seen.filter((element) => {
      const most =
        element.parentElement?.closest(".toolbar, .context, .notice, .details, .legend")?.clientHeight ?? Infinity;
      return element.getBoundingClientRect().height > most;
    });
    const full = seen.filter((row) => row.matches(".toolbar, .context, .legend") && row.scrollWidth > row.clientWidth);
    return [
      ...beyond.map((element) => `beyond: ${name(element)}`),
      ...cut.map((element) => `cut: ${name(element)}`),
      ...high.map((element) => `too high: ${name(element)}`),
      ...full.map((element) => `does not fit: ${name(element)}`),
    ];
  });
}

const shown = (page: Page, selector: string) => page.locator(`${selector}:visible`).count();

/** The accessible name of what has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
  });

describe("room", () => {
  it.each([360, 400, 600, 900, 1400])("is 54 px above and 47 below at %i px, nothing cut", async (width) => {
    const { page, send } = await open("plain", { width });
    expect(await around(page)).toEqual({ above: 54, below: 47 });
    expect(await misfits(page)).toEqual([]);
    await send({ change: "notice" });
    await drawn(page);
    expect(await around(page)).toEqual({ above: 78, below: 47 });
    expect(await misfits(page)).toEqual([]);
    await send({ change: "no details" });
    await drawn(page);
    expect(await around(page)).toEqual({ above: 54, below: 22 });
    await send({ change: "search" });
    await drawn(page);
    expect(await around(page)).toEqual({ above: 54, below: 47 });
    expect(await misfits(page)).toEqual([]);
  });

  it("is enough with a wide font and at 200 %", async () => {
    // A window of 700 pixels at 200 % has 350 for the page.
    const { page } = await open("plain", { width: 350, height: 350 });
    await page.evaluate(() => document.documentElement.style.setProperty("--vscode-font-family", "DejaVu Sans"));
    await page.setViewportSize({ width: 351, height: 350 });
    await drawn(page);
    expect(await around(page)).toEqual({ above: 54, below: 47 });
    expect(await misfits(page)).toEqual([]);
  });

  it("leaves in order as the panel gets narrower, and comes back", async () => {
    const { page } = await open("plain", { width: 1400 });
    const state = async () => ({
      tools: await page.locator("[data-leaves]:visible").evaluateAll((all) => all.map((tool) => tool.dataset.tool)),
      short: await shown(page, ".short"),
      selects: await shown(page, ".select"),
      summary: await page.locator(".summary").innerText(),
      steps: await shown(page, ".part"),
    });
    const wide = await state();
    expect(wide).toEqual({
      tools: ["undo", "redo", "compare", "search", "fit", "table", "save"],
      short: 0,
      selects: 4,
      summary: "6 bars · 17 of 24 functions · 0.107 % hidden",
      steps: 4,
    });
    const order = ["save", "compare", "fit", "redo", "undo", "table", "search"];
    for (let width = 1000; width >= 200; width -= 20) {
      await page.setViewportSize({ width, height: 700 });
      await drawn(page);
      const { tools, short, selects, summary, steps } = await state();
      const gone = order.filter((tool) => !tools.includes(tool));
      expect(gone).toEqual(order.slice(0, gone.length));
      if (short > 0) expect(gone).toContain("save");
      if (gone.length > 1) expect(short).toBe(2);
      if (selects < 4) expect(gone).toEqual(order);
      if (steps < 4) expect(["6 bars", ""]).toContain(summary);
      expect(steps).toBeGreaterThan(0);
      expect(await misfits(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1400, height: 700 });
    await drawn(page);
    expect(await state()).toEqual(wide);
  });

  it("offers the choices of a control from the step that opens it, under their labels", async () => {
    for (const width of [900, 230]) {
      const { page, sent } = await open("first picture", { width });
      expect(await misfits(page)).toEqual([]);
      if (width === 900)
        expect(await page.locator('[data-select="group"] .long').innerText()).toBe("by file, heaviest by function");
      const step = page.locator('[data-step="start group"]');
      expect(await step.getAttribute("aria-haspopup")).toBe("menu");
      await step.click();
      const items = page.getByRole("menuitemradio");
      expect(await items.allInnerTexts()).toEqual(["first picture", "by file", "by function", "by module"]);
      expect(await page.getByRole("menuitemradio", { checked: true }).allInnerTexts()).toEqual(["first picture"]);
      await items.nth(1).click();
      expect((await sent()).at(-1)).toEqual({ type: "control", values: ["group", "file"] });
      // Others lead back to themselves.
      const other = page.locator('[data-step="start filter"]:visible');
      if ((await other.count()) === 0) continue;
      await other.click();
      expect((await sent()).at(-1)).toEqual({ type: "step", values: ["start filter"] });
    }
  });

  it("gives a narrow panel's tools in the menu at the end", async () => {
    const { page, sent } = await open("plain", { width: 230 });
    await page.getByRole("button", { name: "More" }).first().click();
    const items = await page.locator(".menu-item").allInnerTexts();
    // Whether the table is shown is said here, too.
    expect(await page.getByRole("menuitemcheckbox", { name: "Table", checked: false }).count()).toBe(1);
    expect(items.map((item) => item.split("\n")[0])).toEqual([
      ...["Group by: by file", "Hide functions below: ≥ 0.1 %"].slice(
        2 - ((await shown(page, ".select")) === 2 ? 2 : 1),
      ),
      "Undo split",
      "Redo",
      "Compare with…",
      "Search",
      "Fit",
      "Table",
      "Save SVG, PNG, CSV…",
      "What is drawn here",
    ]);
    await page.getByRole("menuitem", { name: "Fit" }).click();
    expect((await sent()).at(-1)).toMatchObject({ type: "fit" });
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitem", { name: "Hide functions below" }).click();
    await page.getByRole("dialog").waitFor();
  });

  it("keeps the drawing where it is while work goes on, and says after a second what it is", async () => {
    const { page, sent } = await open("plain");
    const before = await around(page);
    await page.evaluate(() => window.postMessage({ change: "progress" }, "*"));
    await page.getByRole("progressbar").waitFor();
    expect(await page.getByText("about 9 s left").count()).toBe(0);
    await page.getByText("about 9 s left").waitFor();
    expect(await around(page)).toEqual(before);
    await page.getByRole("button", { name: "Cancel" }).click();
    expect((await sent()).at(-1)).toMatchObject({ type: "cancel" });
  });

  it("gives a table as much as its rows need, at most 42 %", async () => {
    const { page, send } = await open("table");
    const height = () => page.locator(".table-slot").evaluate((slot) => slot.getBoundingClientRect().height);
    expect(await height()).toBe(1 + 6 * 22);
    await send({ change: "table", rows: 300 });
    await drawn(page);
    expect(await height()).toBeCloseTo(700 * 0.42, 0);
  });
});

describe("little room", () => {
  const small = { width: 264, height: 230 };

  it("has the buttons of a problem whole, and neither legend nor summary of what is not drawn", async () => {
    const { page } = await open("problem", small);
    const bottoms = await page
      .locator(".word-button")
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().bottom));
    const end = (await page.locator(".legend").boundingBox())?.y ?? NaN;
    expect(bottoms.length).toBe(2);
    for (const bottom of bottoms) expect(bottom).toBeLessThanOrEqual(end);
    await page.setViewportSize({ width: 600, height: 700 });
    await drawn(page);
    expect(await shown(page, ".entry, .wording, .details, [data-tool=search], [data-tool=table]")).toBe(0);
  });

  it("says how far work is before steps and chips", async () => {
    const { page } = await open("progress", small);
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    expect(await page.locator(".summary").innerText()).toMatch(/about 9 s left|35\s%/);
    expect(await misfits(page)).toEqual([]);
  });

  it("has the first number of the strip at 400 pixels, and the actions beside any name", async () => {
    const { page, send } = await open("plain", { width: 400 });
    expect(await page.locator(".fact:visible").first().innerText()).toMatch(/^inclusive\s*2.40\ss$/);
    await send({ change: "hostile" });
    await drawn(page);
    expect(await shown(page, ".details .icon-button")).toBe(4);
  });
});

describe("notices", () => {
  it("are shown one at a time", async () => {
    const { page, sent } = await open("notice");
    expect(await shown(page, ".notice")).toBe(1);
    await page.getByRole("button", { name: "why" }).click();
    expect((await sent()).at(-1)).toEqual({ type: "noticeLink", values: ["why"] });
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("solver.cpp is newer").waitFor();
    expect(await shown(page, ".notice")).toBe(1);
  });
});

describe("keyboard", () => {
  it("goes toolbar, context, drawing, details, legend with Tab, and within a row with arrow keys", async () => {
    const { page } = await open("plain", { width: 1400 });
    const stops: string[] = [];
    for (let stop = 0; stop < 5; stop++) {
      await page.keyboard.press("Tab");
      stops.push(await focused(page));
    }
    expect(stops).toEqual(["Metric: time", "profile-8ranks", "drawing", "solver.cpp:45", "Legend"]);
    await page.getByRole("button", { name: "Metric" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("Over ranks: mean over ranks");
    await page.keyboard.press("End");
    expect(await focused(page)).toBe("More");
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("Metric: time");
    await page.keyboard.press("End");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    expect(await focused(page)).toBe("More");
  });

  it("opens a select, finds a choice by its letters, and comes back", async () => {
    const { page, sent } = await open("plain");
    await page.getByRole("button", { name: "Over ranks" }).focus();
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe("mean over ranks");
    await page.keyboard.type("mi");
    expect(await focused(page)).toBe("min over ranks");
    await page.keyboard.press("Enter");
    expect((await sent()).at(-1)).toEqual({ type: "control", values: ["over", "min"] });
    expect(await focused(page)).toBe("Over ranks: mean over ranks");
  });

  it("closes a menu and a popover by the button that opened it", async () => {
    const { page } = await open("plain");
    for (const name of ["Metric", "Hide functions below", "Save SVG, PNG, CSV…", "More"]) {
      const button = page.getByRole("button", { name }).first();
      const overlay = page.locator(".menu, .popover");
      await button.click();
      expect(await overlay.count()).toBe(1);
      await button.click();
      await overlay.waitFor({ state: "detached" });
      await button.click();
      expect(await overlay.count()).toBe(1);
      await page.keyboard.press("Escape");
      expect(await focused(page)).toContain(name);
    }
  });

  it("closes a menu when the focus goes to another panel, and not while VS Code gives it to this one anew", async () => {
    const { page } = await open("plain");
    const menu = page.locator(".menu");
    await page.getByRole("button", { name: "Metric" }).first().click();
    await page.clock.install();
    /** Without the focus for a moment, then with it, or not; a second later. */
    const leave = async (comesBack: boolean) => {
      await page.evaluate((hasFocus) => {
        window.dispatchEvent(new Event("blur"));
        document.hasFocus = () => hasFocus;
      }, comesBack);
      await page.clock.runFor(1000);
    };
    await leave(true);
    expect(await menu.count()).toBe(1);
    await leave(false);
    expect(await menu.count()).toBe(0);
  });

  it("keeps a menu and a popover open, inside of the window, when an editor makes the panel narrower", async () => {
    for (const name of ["Metric", "Hide functions below"]) {
      const { page } = await open("plain", { width: 1000 });
      const overlay = page.locator(".menu, .popover");
      await page.getByRole("button", { name }).first().click();
      const before = await focused(page);
      await page.setViewportSize({ width: 620, height: 600 });
      await drawn(page);
      const box = await overlay.boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= 620, name).toBe(true);
      expect(await focused(page)).toBe(before);
    }
  });

  it("reaches a choice that is not offered, which says why and does nothing", async () => {
    const { page, sent } = await open("plain");
    await page.getByRole("button", { name: "Over ranks" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    expect(await focused(page)).toContain("there is one rank only");
    await sent();
    await page.keyboard.press("Enter");
    expect(await sent()).toEqual([]);
    await page.keyboard.press("Escape");
    const redo = page.getByRole("button", { name: "Redo" });
    await redo.click({ force: true });
    expect(await sent()).toEqual([]);
    expect(await page.getByRole("tooltip").count()).toBe(0);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("Redo");
    expect(await page.getByRole("tooltip").innerText()).toBe("Redo (Ctrl+Y): nothing was undone");
  });

  it("sets a threshold", async () => {
    const { page, sent } = await open("plain");
    const button = page.getByRole("button", { name: "Hide functions below" });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowRight");
    await vi.waitFor(async () =>
      expect((await sent()).at(-1)).toEqual({ type: "control", values: ["filter", "0.12"] }),
    );
    await page.getByRole("textbox").fill("2,5 %");
    await page.keyboard.press("Enter");
    await vi.waitFor(async () => expect((await sent()).at(-1)).toEqual({ type: "control", values: ["filter", "2.5"] }));
    await page.getByRole("textbox").fill("much");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("textbox").inputValue()).not.toBe("much");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await focused(page)).toBe("Hide functions below: ≥ 0.1 %");
  });

  it("searches: opens, moves between hits, and gives the focus back", async () => {
    const { page, sent } = await open("plain", { width: 360 });
    await page.getByRole("button", { name: "More" }).first().focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    const before = await focused(page);
    await page.getByRole("button", { name: "Search" }).click();
    expect(await focused(page)).toBe("Search");
    await page.keyboard.type("halo");
    await page.getByText("2 of 5").waitFor();
    expect(await misfits(page)).toEqual([]);
    await page.keyboard.press("Shift+Enter");
    expect((await sent()).at(-1)).toEqual({ type: "nextFound", values: [true] });
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("Previous");
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("Search");
    expect(before).not.toBe("");
    expect(await page.getByRole("textbox").count()).toBe(0);
  });
});

describe("hostile names", () => {
  it.each([360, 1400])("are cut, and whole in the tooltip (%i px)", async (width) => {
    const { page } = await open("hostile", { width });
    expect(await around(page)).toEqual({ above: 78, below: 47 });
    expect((await misfits(page)).filter((misfit) => !misfit.startsWith("cut: long"))).toEqual([]);
    expect(await page.locator(".frame :is(b, script, img) > b").count()).toBe(0);
    expect(await page.locator(".frame").innerText()).not.toContain("\u202e");
    await page.locator(".details b").hover();
    await page.getByRole("tooltip").waitFor();
    const tooltip = await page.getByRole("tooltip").evaluate((element) => ({
      text: element.textContent,
      box: element.getBoundingClientRect().toJSON(),
      whole: element.scrollHeight <= element.clientHeight + 1,
    }));
    expect(tooltip.text).toHaveLength(4000);
    expect(tooltip.box.right).toBeLessThanOrEqual(width);
    if (width > 1000) expect(tooltip.whole).toBe(true);
    await page.mouse.move(width / 2, 300);
    await page.getByRole("button", { name: "+" }).click();
    expect(await page.getByRole("menuitem").count()).toBeGreaterThan(10);
    const menu = await page.getByRole("menu").boundingBox();
    expect((menu?.x ?? 0) + (menu?.width ?? Infinity)).toBeLessThanOrEqual(width);
  });
});

describe("tooltip", () => {
  it.each([
    [600, 700],
    [260, 240],
  ])("is beside what it explains at %i × %i", async (width, height) => {
    const { page } = await open("no details", { width, height });
    await page.locator(".sample-mark").hover();
    const [tip, mark] = await Promise.all([
      page.locator(".tooltip").boundingBox(),
      page.locator(".sample-mark").boundingBox(),
    ]);
    if (!tip || !mark) throw new Error("not shown");
    const isApart =
      tip.x >= mark.x + mark.width ||
      tip.x + tip.width <= mark.x ||
      tip.y >= mark.y + mark.height ||
      tip.y + tip.height <= mark.y;
    expect(isApart).toBe(true);
    expect(tip.width).toBeGreaterThanOrEqual(150);
    expect(tip.width).toBeLessThanOrEqual(320);
    await page.keyboard.press("Escape");
    expect(await page.locator(".tooltip").isVisible()).toBe(false);
  });
});

describe("table", () => {
  it("sorts, shows a bar where it is sorted, and acts by keyboard", async () => {
    const { page, sent } = await open("table");
    const names = () => page.locator("tbody tr td:first-child").allInnerTexts();
    expect(await names()).toEqual(["MPI", "solver.cpp", "physics.cpp", "main.cpp", "halo.cpp"]);
    expect(await page.locator("th[aria-sort=descending]").innerText()).toBe("exclusive");
    const bars = await page.locator(".table-bar").evaluateAll((all) => all.map((bar) => bar.clientWidth));
    // 60 pixels are the largest, of which 275 of 2109 are 7.8.
    expect(bars).toEqual([60, 8, 8, 1, 1]);
    await page.getByRole("button", { name: "bar" }).click();
    expect(await names()).toEqual(["MPI", "halo.cpp", "main.cpp", "physics.cpp", "solver.cpp"]);
    expect(await page.locator(".table-bar").count()).toBe(0);
    expect(await page.locator('tr[aria-selected="true"]').innerText()).toContain("solver.cpp");
    await page.locator("tbody tr").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press(" ");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Shift+F10");
    expect((await sent()).slice(-3)).toEqual([
      { type: "select", of: "halo.cpp" },
      { type: "open", of: "halo.cpp" },
      { type: "menu", of: "halo.cpp" },
    ]);
    await page.locator("tbody tr").nth(2).dblclick();
    expect((await sent()).at(-1)).toEqual({ type: "open", of: "main.cpp" });
  });

  it("puts bars in one line just before their numbers, in the middle of their rows; none where there is one row", async () => {
    const { page, send } = await open("table");
    const bars = () =>
      page.locator(".table-track").evaluateAll((tracks) =>
        tracks.map((track) => {
          const [bar, row] = [track.firstElementChild, track.closest("tr")].map((one) => one?.getBoundingClientRect());
          const room = track.nextElementSibling?.getBoundingClientRect();
          const middle = (box?: DOMRect) => (box ? (box.top + box.bottom) / 2 : NaN);
          const { left, right } = track.getBoundingClientRect();
          return { left, gap: (room?.left ?? NaN) - right, off: Math.abs(middle(bar) - middle(row)) };
        }),
      );
    const all = await bars();
    expect(all.length).toBe(5);
    expect(new Set(all.map(({ left }) => Math.round(left))).size).toBe(1);
    for (const { gap, off } of all) {
      expect(gap).toBeGreaterThanOrEqual(6);
      expect(gap).toBeLessThanOrEqual(8);
      expect(off).toBeLessThanOrEqual(1);
    }
    await send({ change: "table", rows: 1 });
    await drawn(page);
    expect(await bars()).toEqual([]);
  });

  it("draws a thousand rows and says how many more there are", async () => {
    const { page, send } = await open("table");
    await send({ change: "table", rows: 1500 });
    await page.getByText("and 500 more rows: save as CSV to have all").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(1000);
    expect(await page.locator("tbody tr").first().innerText()).toContain("bar 1499");
  });
});

/** What axe finds, as texts that say where. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
}

describe.each(readThemes("kit"))("axe-core finds nothing (%s)", (theme: ThemeName) => {
  it.each(["plain", "search", "undone", "notice", "empty", "problem", "table", "hostile"] as const)(
    "in %s",
    async (change) => {
      const { page } = await open(change, { theme });
      expect(await findings(page)).toEqual([]);
      await screenshot(page, `kit-${change}-${theme}`);
    },
  );

  it("in progress, menus and popovers", async () => {
    const { page, send } = await open("progress", { theme });
    await page.getByText("about 9 s left").waitFor();
    expect(await findings(page)).toEqual([]);
    await send({ change: "first progress" });
    await page.getByText("Reading trace-0").waitFor();
    expect(await findings(page)).toEqual([]);
    await send({ change: "plain" });
    await page.getByRole("button", { name: "Over ranks" }).click();
    await page.keyboard.press("ArrowDown");
    expect(await findings(page)).toEqual([]);
    await screenshot(page, `kit-menu-${theme}`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Hide functions below" }).click();
    expect(await findings(page)).toEqual([]);
    await screenshot(page, `kit-popover-${theme}`);
    await page.keyboard.press("Escape");
    await page.locator(".sample-mark").hover();
    expect(await findings(page)).toEqual([]);
    await screenshot(page, `kit-tooltip-${theme}`);
  });

  it.skipIf(!arePicturesWanted)("beside the guide's picture", async () => {
    const { page, send } = await panels.open({ theme, width: 1440, height: 900 });
    await send({ sheet: true });
    await page.getByText("Reading trace-0").waitFor();
    await screenshot(page, `kit-sheet-${theme}`);
  });
});
