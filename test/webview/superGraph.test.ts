import { describe, expect, it, vi } from "vitest";
import { formatShare, formatValue } from "../../src/model/units";
import { sampleControls, sampleGraph } from "./miniheatGraph";
import { indexOf, useSuperGraph } from "./useSuperGraph";
import { drawn, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

describe("the picture", () => {
  it("has a bar for each of the graph's, named with its numbers", async () => {
    const { graph } = await view.show();
    const labels = await view.panel.page
      .locator(".bar")
      .evaluateAll((bars) => bars.map((element) => element.getAttribute("aria-label") ?? ""));
    expect(labels).toHaveLength(graph.bars.length);
    graph.bars.forEach(({ id, inclusive, exclusive }, at) => {
      expect(labels[at]).toContain(
        `${id}, inclusive ${formatValue(inclusive, "s")} (${formatShare(inclusive / graph.total)}), ` +
          `exclusive ${formatValue(exclusive, "s")}`,
      );
    });
  });

  it("draws heights in proportion to inclusive, and flows as thick as what they carry", async () => {
    const { graph } = await view.show();
    const heights = await view.panel.page
      .locator(".bar")
      .evaluateAll((marks: SVGGraphicsElement[]) => marks.map((mark) => mark.getBBox().height));
    const scale = heights[0] / graph.bars[0].inclusive;
    graph.bars.forEach(({ inclusive }, at) => expect(heights[at]).toBeCloseTo(inclusive * scale, 0));
  });

  it("hatches what the filter hid, as high as it weighs", async () => {
    const { graph } = await view.show({}, { filter: 1 });
    const at = graph.bars.findIndex(({ id }) => id === "halo.cpp");
    const { hidden, inclusive } = graph.bars[at];
    expect(hidden).toBeGreaterThan(0);
    const part = view.panel.page.locator(`.hidden-part[data-bar="${at}"]`);
    const whole = view.panel.page.locator(`.bar[data-bar="${at}"]`);
    const height = (mark: typeof part) => mark.evaluate((element: SVGGraphicsElement) => element.getBBox().height);
    expect((await height(part)) / (await height(whole))).toBeCloseTo(hidden / inclusive, 3);
  });

  it("draws minima and maxima as high as the mean, with the extremes as text", async () => {
    const { graph } = await view.show({}, { over: "max" });
    const label = await view.panel.page.locator(".bar").first().getAttribute("aria-label");
    expect(label).toContain(formatValue(graph.bars[0].inclusive, "s"));
    expect(await view.panel.page.locator(".notes").innerText()).toMatch(/do not add up[\s\S]*drawn as the mean/);
    const { graph: mean } = await sampleGraph({ width: 1000, height: 600 }, { over: "mean" });
    const heights = await view.panel.page
      .locator(".bar")
      .evaluateAll((marks: SVGGraphicsElement[]) => marks.map((mark) => mark.getBBox().height));
    const scale = heights[0] / mean.bars[0].inclusive;
    mean.bars.forEach(({ inclusive }, at) => expect(heights[at]).toBeCloseTo(inclusive * scale, 0));
  });

  it("has all of many notes a press away, beside the drawing and by whole lines", async () => {
    const { message } = await view.show({ width: 600 });
    const { page } = view.panel;
    const all = page.getByRole("button", { name: "All 4 notes" });
    await view.sendGraph({ ...message, revision: 2, notes: ["one", "two"] });
    await drawn(page);
    expect(await all.isVisible()).toBe(false);
    const long = (name: string) =>
      `Left out: reveal ${name} in physics.cpp. ${"There is no such function there. ".repeat(5)}`;
    await view.sendGraph({ ...message, revision: 3, notes: ["f", "g", "h", "i"].map(long) });
    const sight = async (selector: string) => (await page.locator(selector).boundingBox()) ?? expect.fail();
    const line = await page.locator(".notes").evaluate((notes) => parseFloat(getComputedStyle(notes).lineHeight));
    await all.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Fewer notes", expanded: true }).waitFor();
    await screenshot(page, "notes-600");
    const notes = await sight(".notes");
    const last = await sight(".notes li:last-child");
    expect(last.y + last.height).toBeLessThanOrEqual(notes.y + notes.height + 1);
    expect((await sight(".stage")).y).toBeGreaterThanOrEqual(notes.y + notes.height);
    await page.keyboard.press("Enter");
    await all.waitFor();
    const cut = (await sight(".notes")).height;
    expect(cut).toBeLessThan(notes.height);
    if (Number.isFinite(line)) expect(cut / line).toBeCloseTo(Math.round(cut / line), 1);
    await screenshot(page, "notes-cut-600");
  });

  it("is drawn once where its notes take room from it", async () => {
    const { message } = await view.show();
    const { page } = view.panel;
    const before = (await page.locator("svg.graph").boundingBox())?.height ?? 0;
    await page.evaluate(() => {
      const counter = window as unknown as { drawings: number };
      counter.drawings = 0;
      const labels = document.querySelector("svg.graph .labels");
      if (labels)
        new MutationObserver(() => counter.drawings++).observe(labels, {
          childList: true,
          subtree: true,
          attributes: true,
        });
    });
    await view.sendGraph({ ...message, revision: 2, notes: ["one", "two"] });
    await page.locator(".notes li").last().waitFor();
    await drawn(page);
    expect((await page.locator("svg.graph").boundingBox())?.height).toBeLessThan(before);
    expect(await page.evaluate(() => (window as unknown as { drawings: number }).drawings)).toBe(1);
  });

  it("says what is kept, hidden, and how ranks were combined", async () => {
    const { graph } = await view.show({}, { filter: 1 });
    expect(await view.panel.page.locator(".summary").innerText()).toBe(
      `${graph.bars.length} bars · ${graph.functions} functions kept · ${graph.filtered.functions} functions hidden ` +
        `(${formatShare(graph.filtered.exclusive / graph.total)}) · time, mean over 8 ranks`,
    );
  });

  it("keeps labels at their size while everything else is zoomed", async () => {
    await view.show();
    const width = () => view.bar("solver.cpp").evaluate((bar: SVGGraphicsElement) => bar.getBBox().width);
    const before = await width();
    await view.panel.page.getByRole("button", { name: "Zoom in" }).click();
    await drawn(view.panel.page);
    expect((await width()) / before).toBeCloseTo(1.25);
    const sizes = await view.panel.page
      .locator(".label text")
      .evaluateAll((texts) => texts.map((text) => getComputedStyle(text).fontSize));
    expect(new Set(sizes)).toEqual(new Set(["12px"]));
    await view.panel.page.getByRole("button", { name: "Fit: everything in sight" }).click();
    await drawn(view.panel.page);
    expect(await width()).toBe(before);
  });

  it("moves with the pointer, and asks for a new layout when the panel changes its size", async () => {
    await view.show();
    const { x, y } = (await view.bar("physics.cpp").boundingBox()) ?? { x: 0, y: 0 };
    await view.panel.page.mouse.move(x + 200, y);
    await view.panel.page.mouse.down();
    await view.panel.page.mouse.move(x + 240, y - 20, { steps: 4 });
    await view.panel.page.mouse.up();
    await drawn(view.panel.page);
    const moved = (await view.bar("physics.cpp").boundingBox()) ?? { x: 0, y: 0 };
    expect([Math.round(moved.x - x), Math.round(moved.y - y)]).toEqual([40, -20]);
    expect(await view.sent()).toEqual([]);
    await view.panel.page.setViewportSize({ width: 700, height: 700 });
    await view.panel.page.waitForFunction(() =>
      (window as unknown as { sent: { type: string }[] }).sent.some(({ type }) => type === "resize"),
    );
    await view.layOut();
    expect((await view.bar("MPI").boundingBox())?.x).toBeLessThan(700);
  });

  it("keeps in sight what it was moved to when the panel gets half of its width, and all of it where all was", async () => {
    await view.show({ width: 1400 });
    const { page } = view.panel;
    const middleOf = async (name: string) => {
      const box = (await view.bar(name).boundingBox()) ?? expect.fail();
      return { x: box.x + box.width / 2, right: box.x + box.width };
    };
    const shrink = async (width: number) => {
      await page.setViewportSize({ width, height: 760 });
      await page.waitForFunction((most) => {
        const { sent } = window as unknown as { sent: { type: string; width?: number }[] };
        return sent.some(({ type, width: asked = 0 }) => type === "resize" && asked < most);
      }, width);
      await view.layOut();
    };
    await shrink(1000);
    expect((await middleOf("MPI")).right).toBeLessThan(1000);
    for (let times = 0; times < 5; times++) await page.getByRole("button", { name: "Zoom in" }).click();
    await drawn(page);
    const stage = (await page.locator(".stage").boundingBox()) ?? expect.fail();
    // Bars at the right end are moved to the middle.
    const from = (await middleOf("MPI")).x;
    await page.mouse.move(stage.x + stage.width - 40, stage.y + stage.height - 40);
    for (let left = from - 500; left > 0; left -= 400) await page.mouse.wheel(Math.min(400, left), 0);
    await expect.poll(async () => Math.abs((await middleOf("MPI")).x - 500)).toBeLessThan(30);
    await shrink(500);
    const { x } = await middleOf("MPI");
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(500);
    await page.getByRole("button", { name: "Fit" }).click();
    await drawn(page);
    expect((await middleOf("MPI")).right).toBeLessThan(500);
  });

  it("has in sight after a reload into another width what was in sight before it", async () => {
    await view.show({ width: 1400 });
    const middleOf = async (name: string) => {
      const box = (await view.bar(name).boundingBox()) ?? expect.fail();
      return box.x + box.width / 2;
    };
    for (let times = 0; times < 5; times++) await view.panel.page.getByRole("button", { name: "Zoom in" }).click();
    const stage = (await view.panel.page.locator(".stage").boundingBox()) ?? expect.fail();
    await view.panel.page.mouse.move(stage.x + stage.width - 40, stage.y + stage.height - 40);
    // Into the middle.
    await view.panel.page.mouse.wheel((await middleOf("MPI")) - 700, 0);
    await expect.poll(async () => Math.abs((await middleOf("MPI")) - 700)).toBeLessThan(30);
    const kept = await view.panel.kept();
    const before = await middleOf("MPI");
    await view.show({ kept, width: 1400 });
    expect(Math.abs((await middleOf("MPI")) - before)).toBeLessThan(1);
    await view.show({ kept, width: 500 });
    const within = await middleOf("MPI");
    expect(within).toBeGreaterThan(0);
    expect(within).toBeLessThan(500);
    // And so it stays, there and back.
    await view.show({ kept: await view.panel.kept(), width: 1400 });
    expect(Math.abs((await middleOf("MPI")) - before)).toBeLessThan(5);
  });

  it("is not moved by a further graph where a lower panel has changed nothing of the layout", async () => {
    const { message } = await view.show({ width: 1000 });
    const { page } = view.panel;
    for (let times = 0; times < 5; times++) await page.getByRole("button", { name: "Zoom in" }).click();
    const resizes = () =>
      page.evaluate(
        () => (window as unknown as { sent: { type: string }[] }).sent.filter(({ type }) => type === "resize").length,
      );
    const before = await resizes();
    await page.setViewportSize({ width: 1000, height: 560 });
    await expect.poll(resizes).toBeGreaterThan(before);
    const { revision, geometry } = message;
    await view.sendLayout(message);
    await drawn(page);
    const box = async () => (await view.bar("MPI").boundingBox()) ?? expect.fail();
    const { x, y } = await box();
    await view.sendGraph({
      ...{ ...message, revision: revision + 1 },
      geometry: { ...geometry, width: 2 * geometry.width, height: 2 * geometry.height },
    });
    await drawn(page);
    const after = await box();
    expect([Math.round(after.x - x), Math.round(after.y - y)]).toEqual([0, 0]);
  });

  it("takes the theme's colours, and takes new ones at once", async () => {
    await view.show({ theme: "dark" });
    const fill = () => view.bar("MPI").getAttribute("fill");
    const dark = await fill();
    await view.panel.page.evaluate(() => {
      document.documentElement.style.setProperty("--vscode-editor-background", "#ffffff");
      document.body.className = "vscode-light";
    });
    await drawn(view.panel.page);
    expect(await fill()).not.toBe(dark);
  });

  it.each(themeNames)("leaves pictures of itself at 400, 600 and 1400 pixels (%s)", async (theme) => {
    for (const width of [400, 600, 1400]) {
      await view.show({ theme, width });
      await screenshot(view.panel.page, `super-graph-${theme}-${width}`);
      expect(await view.panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});

describe("saving", () => {
  it("gives a picture that stands alone, and a table with full precision", async () => {
    const { graph } = await view.show();
    const svg = await view.save("svg");
    expect(svg).toMatch(/^<\?xml/);
    expect(svg).not.toMatch(/var\(--/);
    for (const { id } of graph.bars) expect(svg).toContain(`>${id}<`);
    const png = Buffer.from(await view.save("png"), "base64");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    const csv = (await view.save("csv")).split("\r\n");
    const solver = graph.bars.find(({ id }) => id === "solver.cpp");
    expect(csv).toContain(
      `bar,solver.cpp,,,${solver?.level},${solver?.inclusive},${solver?.exclusive},${solver?.hidden},${solver?.contexts},`,
    );
  });
});

describe("without a graph", () => {
  it("shows progress that can be cancelled", async () => {
    await view.open();
    await view.panel.send({ type: "progress", fraction: 0.4, message: "Looking up definitions" });
    await view.panel.page.getByText("Looking up definitions").waitFor();
    expect(await view.panel.page.locator("progress").evaluate((bar) => (bar as HTMLProgressElement).value)).toBe(0.4);
    await view.panel.page.getByRole("button", { name: "Cancel" }).click();
    expect(await view.sent()).toEqual([{ type: "cancel" }]);
    await view.panel.send({ type: "problem", kind: "cancelled", message: "Cancelled.", action: "retry" });
    await view.panel.page.getByRole("button", { name: "Try Again" }).click();
    expect(await view.sent()).toEqual([{ type: "retry" }]);
  });

  it("shows progress only of what takes a while: the drawing keeps its room meanwhile", async () => {
    const { message } = await view.show();
    const { page } = view.panel;
    await view.panel.sent();
    // Time stands still until it is told to go on.
    await page.evaluate(() => {
      const clock = window as unknown as { waiting: (() => void)[] };
      clock.waiting = [];
      window.setTimeout = ((act: () => void) => clock.waiting.push(act)) as typeof window.setTimeout;
      window.clearTimeout = (timer) => void delete clock.waiting[Number(timer) - 1];
    });
    const goOn = () =>
      page.evaluate(() => (window as unknown as { waiting: (() => void)[] }).waiting.forEach((act) => act()));
    await view.panel.send({ type: "progress" });
    await drawn(page);
    expect(await page.locator(".progress").isVisible()).toBe(false);
    await view.sendGraph({ ...message, revision: 2 });
    await drawn(page);
    await goOn();
    expect(await page.locator(".progress").isVisible()).toBe(false);
    expect((await view.panel.sent()).filter(({ type }) => type === "resize")).toEqual([]);
    await view.panel.send({ type: "progress" });
    await drawn(page);
    await goOn();
    expect(await page.locator(".progress").isVisible()).toBe(true);
  });

  it("says why there is none", async () => {
    await view.show();
    await view.panel.send({
      type: "problem",
      kind: "empty",
      message: "The total of x is not positive.",
      advice: "Choose.",
    });
    await view.panel.page.getByRole("alert").filter({ hasText: "not positive" }).waitFor();
    expect(await view.panel.page.locator(".bar").count()).toBe(0);
    await view.panel.send({ type: "problem", kind: "closed", message: "p.cali is not open.", action: "open" });
    await view.panel.page.getByRole("button", { name: "Open It" }).click();
    expect(await view.sent()).toEqual([{ type: "open-data-set" }]);
  });

  it("has no controls where no choice would give a graph, and has them back with the next one", async () => {
    const { message } = await view.show();
    const controls = view.panel.page.getByRole("toolbar");
    await view.panel.send({ type: "problem", kind: "unmeasured", message: "No calling contexts in this recording." });
    await view.panel.page.getByRole("alert").filter({ hasText: "No calling contexts" }).waitFor();
    expect(await controls.count()).toBe(0);
    expect(await view.panel.page.locator(".bar").count()).toBe(0);
    await view.panel.send(sampleControls);
    await view.sendGraph(message);
    await controls.waitFor();
  });

  it("keeps the last graph on screen when the next fails", async () => {
    const { graph } = await view.show();
    await view.panel.send({ type: "problem", kind: "error", message: "The worker ended.", action: "retry" });
    await view.panel.page.getByRole("alert").filter({ hasText: "The worker ended." }).waitFor();
    expect(await view.panel.page.locator(".bar").count()).toBe(graph.bars.length);
  });
});

describe("selection and memory", () => {
  it("follows what is selected elsewhere, in the graph that it is of", async () => {
    const sample = await view.show();
    const mpi = indexOf(sample, "MPI");
    await view.panel.send({ type: "selection", revision: 7, bar: 0 });
    await view.panel.send({ type: "selection", revision: 1, bar: mpi });
    await expect.poll(() => view.bar("MPI").getAttribute("aria-pressed")).toBe("true");
    expect(await view.panel.page.locator('.bar[aria-pressed="true"]').count()).toBe(1);
    expect(await view.sent()).toEqual([]);
  });

  it("comes back as it was left", async () => {
    await view.show();
    await view.panel.page.locator('vscode-text-field[placeholder="Search"] input').fill("halo");
    await view.panel.page.getByRole("button", { name: "Zoom in" }).click();
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    const kept = await view.panel.kept();
    expect(kept).toMatchObject({ ...sampleControls.restore, search: "halo", table: true, viewport: { scale: 1.25 } });
    await view.show({ kept });
    expect(await view.panel.page.locator(".found").innerText()).toBe("1 of 5 bars found");
    expect(await view.panel.page.locator(".twin").isVisible()).toBe(true);
    expect(await view.panel.kept()).toMatchObject({ search: "halo", viewport: { scale: 1.25 } });
    const table = (pressed: boolean) =>
      view.panel.page.getByRole("button", { name: "Table: the same numbers as rows", pressed });
    await table(true).click();
    await table(false).waitFor();
    expect(await view.panel.page.locator(".twin").isVisible()).toBe(false);
  });
});
