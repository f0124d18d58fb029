import { describe, expect, it, vi } from "vitest";
import { formatValue } from "../../src/model/units";
import { chosenMessage, histogramMessage } from "../../src/panels/histogram/histogramMessage";
import { histogramControls, sampleDistribution, timeOf, useHistogram } from "./useHistogram";
import { drawn, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useHistogram();
const checked = (bin: number) => view.bin(bin).getAttribute("aria-checked");

describe("the picture", () => {
  it("has a bin for each of the histogram's, named with limits, count and ranks", async () => {
    const { edges, counts, binOf } = await view.show();
    const labels = await view.panel.page
      .locator(".bin")
      .evaluateAll((bins) => bins.map((bin) => bin.getAttribute("aria-label") ?? ""));
    expect(labels).toHaveLength(20);
    labels.forEach((label, bin) => {
      const members = [...binOf.keys()].filter((rank) => binOf[rank] === bin);
      expect(label).toContain(`bin ${bin + 1} of 20, ${formatValue(edges[bin], "s")} to `);
      expect(label).toContain(formatValue(edges[bin + 1], "s"));
      expect(label).toContain(`${counts[bin]} rank${counts[bin] === 1 ? "" : "s"}`);
      if (members.length === 1) expect(label).toMatch(new RegExp(`1 rank: ${members[0]}$`));
    });
    expect(await view.panel.page.locator("h1").innerText()).toBe("updateConductivity · exclusive time · 8 ranks");
  });

  it("draws heights in proportion to counts", async () => {
    const { counts } = await view.show();
    const heights = await view.panel.page
      .locator(".bin .amount")
      .evaluateAll((marks) => marks.map((mark) => Number(mark.getAttribute("height"))));
    const scale = Math.max(...heights) / Math.max(...counts);
    counts.forEach((count, bin) => expect(heights[bin]).toBeCloseTo(count * scale, 5));
  });

  it.each(themeNames)("is looked at (%s)", async (theme) => {
    for (const width of [1400, 600, 400]) {
      const distribution = await view.show({ theme, width, height: width === 400 ? 860 : 760 });
      if (width !== 600) await view.choose(distribution, [0, 4]);
      await screenshot(view.panel.page, `histogram-${theme}-${width}`);
      expect(await view.panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});

it("writes out what is counted, however long the word", async () => {
  await view.open({ width: 600 });
  const message = histogramMessage(await sampleDistribution(), timeOf, 1);
  await view.send({ ...message, nouns: ["GPU stream", "GPU streams"] });
  const texts = view.panel.page.locator("svg text").filter({ hasText: /^GPU streams$/ });
  expect(await texts.count()).toBe(1);
  expect(await texts.evaluate((text) => (text as SVGTextElement).getBBox().x)).toBeGreaterThanOrEqual(0);
});

it("offers nothing to choose from where nothing is told apart", async () => {
  await view.open();
  await view.panel.send({ ...histogramControls, units: [], by: undefined });
  const over = view.panel.page.locator('vscode-dropdown[aria-label="Over"]');
  await expect.poll(() => over.evaluate((list) => (list as HTMLInputElement).disabled)).toBe(true);
});

describe("brushing", () => {
  const drag = async (from: number, to: number, options: { shift?: boolean } = {}) => {
    const { mouse, keyboard } = view.panel.page;
    const [start, end] = [await view.middleOf(from), await view.middleOf(to)];
    if (options.shift) await keyboard.down("Shift");
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move(end.x, end.y, { steps: 8 });
    await mouse.up();
    if (options.shift) await keyboard.up("Shift");
    await drawn(view.panel.page);
  };
  const lastBrush = async () => (await view.sent()).filter(({ type }) => type === "brush").at(-1);

  it("is a drag over bins, that begins anew each time", async () => {
    await view.show();
    await drag(8, 19);
    expect(await lastBrush()).toMatchObject({ revision: 1, bins: [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19] });
    expect(await view.panel.page.locator(".summary").innerText()).toContain("2 of 8 ranks chosen");
    await drag(1, 0);
    expect(await lastBrush()).toMatchObject({ bins: [0, 1] });
    expect(await view.panel.page.locator(".summary").innerText()).toContain("6 of 8 ranks chosen");
  });

  it("adds with Shift", async () => {
    await view.show();
    await drag(19, 19);
    await drag(10, 10, { shift: true });
    expect(await lastBrush()).toMatchObject({ bins: [10, 19] });
    expect([await checked(10), await checked(19), await checked(0)]).toEqual(["true", "true", "false"]);
  });

  it("is told a few times a second while it goes on, and whole at its end", async () => {
    await view.show();
    const { mouse } = view.panel.page;
    const middles = await Promise.all([...Array(20).keys()].map((bin) => view.middleOf(bin)));
    await mouse.move(middles[0].x, middles[0].y);
    await mouse.down();
    const started = Date.now();
    for (let round = 0; round < 3; round++)
      for (const { x, y } of [...middles, ...middles.slice().reverse()]) await mouse.move(x, y);
    await mouse.move(middles[19].x, middles[19].y);
    const seconds = (Date.now() - started) / 1000;
    await mouse.up();
    const brushes = (await view.sent()).filter(({ type }) => type === "brush");
    expect(brushes.length).toBeLessThanOrEqual(2 + Math.ceil(5 * seconds));
    expect(brushes.at(-1)?.bins).toEqual([...Array(20).keys()]);
    expect(brushes.map(({ brush }) => brush)).toEqual(brushes.map((_, at) => at + 1));
  });

  it("does not listen to what the host says of earlier brushes", async () => {
    const distribution = await view.show();
    await drag(19, 19);
    await drag(10, 10);
    await view.choose(distribution, [0], 1);
    expect([await checked(10), await checked(19)]).toEqual(["true", "false"]);
    await view.choose(distribution, [4], 2);
    expect([await checked(10), await checked(19)]).toEqual(["true", "false"]);
    // What was chosen elsewhere since, with the last brush heard.
    await view.choose(distribution, [0], 2);
    expect([await checked(10), await checked(19)]).toEqual(["false", "true"]);
  });

  it("works by keyboard: arrows, Space, Shift and arrows, Escape", async () => {
    await view.show();
    const { keyboard } = view.panel.page;
    await view.bin(0).focus();
    await keyboard.press("End");
    await expect
      .poll(() => view.panel.page.evaluate(() => document.activeElement?.getAttribute("data-bin")))
      .toBe("19");
    await keyboard.press("Space");
    expect(await lastBrush()).toMatchObject({ bins: [19] });
    // Held down, an arrow moves fast: the host hears of it in the pace of a brush.
    await keyboard.press("Shift+ArrowLeft");
    await keyboard.press("Shift+ArrowLeft");
    await expect.poll(async () => (await lastBrush())?.bins).toEqual([17, 18, 19]);
    await keyboard.press("Shift+ArrowRight");
    await expect.poll(async () => (await lastBrush())?.bins).toEqual([18, 19]);
    await keyboard.press("Home");
    await keyboard.press("ArrowRight");
    await keyboard.press("Space");
    expect(await lastBrush()).toMatchObject({ bins: [1, 18, 19] });
    await keyboard.press("Escape");
    expect(await lastBrush()).toMatchObject({ bins: [] });
    expect(await view.panel.page.locator(".summary").innerText()).not.toContain("chosen");
    await keyboard.press("Enter");
    expect(await view.sent()).toEqual([{ type: "open" }]);
  });

  it("shows a bin of which a part is chosen as such", async () => {
    const distribution = await view.show();
    await view.choose(distribution, [1]);
    const states = await view.panel.page
      .locator(".bin")
      .evaluateAll((bins) => bins.map((bin) => bin.getAttribute("aria-checked")));
    expect(states.filter((state) => state !== "false")).toEqual(["mixed"]);
    expect(states[distribution.binOf[1]]).toBe("mixed");
  });
});

describe("what is said", () => {
  it("of a bin that is pointed at: its ranks, limits and count", async () => {
    const { edges } = await view.show();
    const { x, y } = await view.middleOf(0);
    await view.panel.page.mouse.move(x, y);
    const tooltip = await view.panel.page.getByRole("tooltip").innerText();
    expect(tooltip).toContain(`${formatValue(edges[0], "s")} to below ${formatValue(edges[1], "s")}`);
    expect(tooltip).toContain("4 ranks (50 %)");
    expect(tooltip).toMatch(/ranks\n3, 5-7$/);
  });

  it("of a member on the line: its value and bin, by mouse and by arrow keys", async () => {
    const { values, binOf } = await view.show();
    const { page } = view.panel;
    const handle = page.getByRole("slider", { name: "Members by number" });
    await handle.focus();
    for (let rank = 0; rank < 4; rank++) await page.keyboard.press("ArrowRight");
    const says = `rank 4, exclusive time ${formatValue(values[4], "s")}, bin ${binOf[4] + 1} of 20`;
    await expect.poll(() => handle.getAttribute("aria-valuetext")).toContain(says);
    const stage = await page.locator("svg.histogram").boundingBox();
    const box = await handle.boundingBox();
    if (!stage || !box) throw new Error("no drawing");
    await page.mouse.move(box.x + box.width / 2 - 4 * box.width, box.y + box.height / 2);
    await page.getByRole("tooltip").filter({ hasText: "rank 0" }).waitFor();
    expect(await page.getByRole("tooltip").innerText()).toContain(formatValue(values[0], "s"));
  });

  it("of all-equal values, of none, and of what has no rank", async () => {
    await view.open({ width: 600 });
    const sample = await sampleDistribution();
    const equal = {
      ...sample,
      edges: Float64Array.of(2, 2),
      counts: Int32Array.of(8),
      binOf: new Int32Array(8),
      outside: 4,
    };
    const message = histogramMessage({ ...equal, values: new Float64Array(8).fill(2) }, timeOf, 1);
    await view.send(message);
    await screenshot(view.panel.page, "histogram-equal-600");
    expect(await view.bin(0).getAttribute("aria-label")).toContain("exactly 2.00 s, 8 ranks: 0-7");
    const notes = await view.panel.page.locator(".notes").innerText();
    expect(notes).toContain("All values are equal (2.00 s)");
    expect(notes).toContain("4.00 s (20 %) has no rank");
    await view.panel.send({ type: "problem", kind: "empty", message: "The recording has one rank." });
    await view.panel.page.getByRole("alert").filter({ hasText: "one rank" }).waitFor();
    expect(await view.panel.page.locator(".bin").count()).toBe(0);
  });

  it("of values that hardly differ: how much they are above the least", async () => {
    await view.open({ width: 900 });
    const sample = await sampleDistribution();
    const values = Float64Array.from({ length: 8 }, (_, rank) => 1.434 + rank * 1e-5);
    const edges = Float64Array.from({ length: 8 }, (_, at) => 1.434 + at * 1e-5);
    const counts = new Int32Array(7).fill(1);
    counts[6] = 2;
    const binOf = Int32Array.from({ length: 8 }, (_, rank) => Math.min(6, rank));
    await view.send(histogramMessage({ ...sample, values, edges, counts, binOf }, timeOf, 1));
    expect(await view.bin(2).getAttribute("aria-label")).toContain("1.43 s + 20.0 µs to below 1.43 s + 30.0 µs");
    await screenshot(view.panel.page, "histogram-narrow-900");
  });

  it("finds members, and goes from one to the next", async () => {
    await view.show();
    const search = view.panel.page.locator('vscode-text-field[placeholder="Search"] input');
    await search.fill("0-2, 6");
    expect(await view.panel.page.locator(".found").innerText()).toBe("4 of 8 ranks found");
    for (const rank of [0, 1, 2, 6, 0]) {
      await search.press("Enter");
      await view.panel.page
        .getByRole("tooltip")
        .filter({ hasText: `rank ${rank}` })
        .waitFor();
    }
    await drawn(view.panel.page);
    await screenshot(view.panel.page, "histogram-found-1400");
  });
});

describe("controls, table, pictures", () => {
  it("ask for what the user chose", async () => {
    await view.show();
    const { page } = view.panel;
    for (const [label, entry] of [
      ["Value", "inclusive"],
      ["Order of the line", "value"],
    ]) {
      await page.locator(`vscode-dropdown[aria-label="${label}"]`).click();
      await page.locator(`vscode-dropdown[aria-label="${label}"] vscode-option`, { hasText: entry }).click();
    }
    const bins = page.locator('vscode-text-field[aria-label^="Number of bins"] input');
    await bins.fill("500");
    await bins.press("Enter");
    await expect
      .poll(async () => (await view.panel.page.evaluate(() => (window as unknown as { sent: unknown[] }).sent)).length)
      .toBeGreaterThanOrEqual(3);
    expect(await view.sent()).toEqual([
      { type: "set-value", value: "inclusive" },
      { type: "set-order", order: "value" },
      { type: "set-bins", bins: 200 },
    ]);
  });

  it("have the same numbers as rows, and choose there too", async () => {
    const { values, binOf } = await view.show();
    const { page } = view.panel;
    await page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    const rows = async (caption: string) =>
      page
        .locator("table", { has: page.getByText(caption, { exact: true }) })
        .locator("tbody tr")
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
    expect(await rows("Bins")).toHaveLength(20);
    const members = await rows("Members");
    expect(members.map((row) => row.slice(0, 3))).toEqual(
      [...values.keys()]
        .sort((a, b) => values[b] - values[a])
        .map((rank) => [String(rank), formatValue(values[rank], "s"), String(binOf[rank] + 1)]),
    );
    await page.locator("table").first().locator("tbody tr").last().click();
    expect((await view.sent()).at(-1)).toMatchObject({ type: "brush", bins: [19] });
    expect(await view.panel.kept()).toMatchObject({ table: true, bins: 20 });
    await screenshot(page, "histogram-table-1400");
  });

  it("are saved as SVG, PNG and CSV", async () => {
    const distribution = await view.show();
    await view.choose(distribution, [0, 4]);
    const { page } = view.panel;
    const save = async (format: string) => {
      await page.getByRole("button", { name: "Save…" }).click();
      await page.getByRole("menuitem", { name: `Save as ${format.toUpperCase()}` }).click();
      let content = "";
      await expect
        .poll(
          async () => (content = String((await view.sent()).find(({ type }) => type === "save")?.content ?? content)),
        )
        .not.toBe("");
      return content;
    };
    const picture = await save("svg");
    expect(picture).toContain("updateConductivity · exclusive time · 8 ranks");
    const parsed = await page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, "image/svg+xml");
      return [root.querySelectorAll("parsererror").length, root.querySelectorAll("g > rect").length];
    }, picture);
    expect(parsed[0]).toBe(0);
    expect(parsed[1]).toBeGreaterThanOrEqual(8 + 2 * 20);
    expect((await save("png")).startsWith("iVBOR")).toBe(true);
    const lines = (await save("csv")).trim().split("\r\n");
    expect(lines).toHaveLength(2 + 20 + 8);
    const ofRank4 = lines.find((line) => line.startsWith("rank,4,"))?.split(",");
    expect(Number(ofRank4?.[5])).toBe(distribution.values[4]);
    expect(ofRank4?.at(-1)).toBe("yes");
  });

  it("come back as they were left, and offer a menu", async () => {
    await view.open({ kept: { ...histogramControls.restore, table: true } });
    await view.send(histogramMessage(await sampleDistribution(), timeOf, 1));
    expect(await view.panel.page.locator(".twin").isVisible()).toBe(true);
    const table = (pressed: boolean) =>
      view.panel.page.getByRole("button", { name: "Table: the same numbers as rows", pressed });
    await table(true).click();
    await table(false).waitFor();
    expect(await view.panel.page.locator(".twin").isVisible()).toBe(false);
    await view.bin(19).focus();
    await view.panel.page.keyboard.press("Shift+F10");
    await view.panel.page.getByRole("menuitem", { name: "Restrict to the other 7" }).click();
    expect((await view.sent()).at(-1)).toMatchObject({ type: "brush", bins: [...Array(19).keys()] });
    await view.bin(0).click({ button: "right" });
    await view.panel.page.getByRole("menuitem", { name: "Copy ranks of this bin" }).click();
    expect((await view.sent()).at(-1)).toEqual({ type: "copy-members", revision: 1, bin: 0 });
  });

  it("take names as text, and ignore what is no message", async () => {
    await view.open();
    const hostile = '<img src=x onerror="window.broken = 1">\u202e';
    const message = histogramMessage(await sampleDistribution(), { ...timeOf, subject: hostile }, 1);
    await view.send(message, { ...histogramControls, orders: ["id", `metric:${hostile}`] });
    const before = await view.panel.page.locator("svg.histogram").innerHTML();
    await view.panel.send({ ...message, counts: message.counts.slice(1) });
    await view.panel.send({ ...message, line: { ...message.line, bins: message.line.bins.map(() => 20) } });
    await view.panel.send({ ...message, mean: Infinity });
    await view.panel.send(chosenMessage(await sampleDistribution(), new Uint8Array(8), { revision: 9, brush: 0 }));
    await drawn(view.panel.page);
    expect(await view.panel.page.locator("svg.histogram").innerHTML()).toBe(before);
    expect(await view.panel.page.locator("img").count()).toBe(0);
    expect(await view.panel.page.locator("h1").innerText()).toContain("<img src=x");
  });
});

describe("a brush under way", () => {
  it("outlives the same histogram told again, and ends with a different one", async () => {
    const distribution = await view.show();
    const { mouse } = view.panel.page;
    const [start, end] = [await view.middleOf(10), await view.middleOf(19)];
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move(end.x, end.y);
    await view.panel.send(histogramMessage(distribution, timeOf, 1));
    await view.panel.send(chosenMessage(distribution, undefined, { revision: 1, brush: 0 }));
    await drawn(view.panel.page);
    expect([await checked(10), await checked(19)]).toEqual(["true", "true"]);
    await mouse.up();
    expect((await view.sent()).at(-1)).toMatchObject({ revision: 1, bins: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19] });
    const other = await sampleDistribution({ bins: 10 });
    await view.panel.send(histogramMessage(other, timeOf, 2));
    await view.panel.send(chosenMessage(other, Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0), { revision: 2, brush: 0 }));
    await expect.poll(() => checked(9)).toBe("true");
    expect(await view.panel.page.locator('.bin[aria-checked="true"]').count()).toBe(1);
  });
});
