import { describe, expect, it, vi } from "vitest";
import { formatShare, formatValue } from "../../src/model/units";
import type { FrameMessage } from "../../src/protocol/frame";
import type { SuperGraphPart } from "../../src/protocol/superGraph";
import { indexOf, type Sample, sampleGraph } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, screenshot, seenThemes } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

/** In the order of the graph. */
function heightsOfBars(): Promise<number[]> {
  return view
    .bars()
    .evaluateAll((marks: SVGGraphicsElement[]) =>
      marks.sort((a, b) => Number(a.dataset.mark) - Number(b.dataset.mark)).map((mark) => mark.getBBox().height),
    );
}

/** Another size of the panel, answered as the host does. */
async function resize(sample: Sample, width: number, height: number): Promise<void> {
  await view.panel.sent();
  await view.panel.page.setViewportSize({ width, height });
  await expect.poll(async () => (await view.panel.sent()).some(({ type }) => type === "resize")).toBe(true);
  await view.sendParts(sample);
  await drawn(view.panel.page);
}

describe("the picture", () => {
  it("has a bar for each of the graph's, named with its numbers", async () => {
    const { graph } = await view.show();
    const labels = await view
      .bars()
      .evaluateAll((bars) => bars.map((element) => element.getAttribute("aria-label") ?? ""));
    expect(labels).toHaveLength(graph.bars.length);
    graph.bars.forEach(({ id, inclusive, exclusive }) => {
      expect(labels.join("\n")).toContain(
        `${id}, inclusive ${formatValue(inclusive, "s")} (${formatShare(inclusive / graph.total)}), ` +
          `exclusive ${formatValue(exclusive, "s")}`,
      );
    });
  });

  it("draws heights in proportion to inclusive, and flows as thick as what they carry", async () => {
    const { graph } = await view.show();
    const heights = await heightsOfBars();
    const scale = heights[0] / graph.bars[0].inclusive;
    graph.bars.forEach(({ inclusive }, at) => expect(heights[at]).toBeCloseTo(inclusive * scale, 0));
  });

  it("hatches what the filter hid, as high as it weighs", async () => {
    const { graph } = await view.show({}, { filter: 1 });
    const at = graph.bars.findIndex(({ id }) => id === "halo.cpp");
    const { hidden, inclusive } = graph.bars[at];
    expect(hidden).toBeGreaterThan(0);
    const whole = await view.bar("halo.cpp").evaluate((bar: SVGGraphicsElement) => {
      const { x, y, width, height } = bar.getBBox();
      return { x, y, width, height };
    });
    const hatches = await view.panel.page.locator(".above path").evaluateAll((paths: SVGGraphicsElement[]) =>
      paths.map((path) => {
        const { x, y, width, height } = path.getBBox();
        return { x, y, width, height };
      }),
    );
    const hatch = hatches.find(({ x, width }) => x >= whole.x - 1 && x + width <= whole.x + whole.width + 1);
    expect((hatch?.height ?? NaN) / whole.height).toBeCloseTo(hidden / inclusive, 2);
    expect((hatch?.y ?? NaN) + (hatch?.height ?? NaN)).toBeCloseTo(whole.y + whole.height, 0);
  });

  it("draws minima and maxima as high as the mean, with the extremes as text", async () => {
    const { graph } = await view.show({}, { over: "max" });
    const label = await view.bar(graph.bars[0].id).getAttribute("aria-label");
    expect(label).toContain(formatValue(graph.bars[0].inclusive, "s"));
    const { page } = view.panel;
    await page.locator(".notice").filter({ hasText: "do not add up" }).waitFor();
    // The next notice waits until this one was read.
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.locator(".notice").filter({ hasText: "heights: mean over ranks" }).waitFor();
    const { graph: mean } = await sampleGraph({ over: "mean" });
    const heights = await heightsOfBars();
    const scale = heights[0] / mean.bars[0].inclusive;
    mean.bars.forEach(({ inclusive }, at) => expect(heights[at]).toBeCloseTo(inclusive * scale, 0));
  });

  it("says one of many notes at a time, in one row that keeps the drawing's size", async () => {
    const sample = await view.show({ width: 600 });
    const { page } = view.panel;
    const notes = ["f", "g"].map(
      (name) => `Left out: reveal ${name}. ${"There is no such function there. ".repeat(20)}`,
    );
    const frame = (message: FrameMessage) => ({
      ...message,
      notices: notes.map((text) => ({ id: text.slice(0, 40), severity: "info" as const, text })),
    });
    await view.sendFrame(sample, { frame });
    await page.locator(".notice").filter({ hasText: "reveal f" }).waitFor();
    expect(await page.locator(".notice").count()).toBe(1);
    const top = async () => (await page.locator(".drawing").boundingBox())?.y;
    const before = await top();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.locator(".notice").filter({ hasText: "reveal g" }).waitFor();
    expect(await top()).toBe(before);
    await screenshot(page, "notes-600");
  });

  it("says how much is kept and hidden", async () => {
    const { graph } = await view.show({}, { filter: 1 });
    const summary = await view.panel.page.locator(".summary").getAttribute("data-hint");
    const parts = summary?.split(" · ") ?? [];
    expect(parts.slice(-2)).toEqual([
      `${graph.bars.length} bars`,
      `${formatShare(graph.filtered.exclusive / graph.total)} hidden`,
    ]);
  });

  it("keeps labels at their size while everything else is zoomed", async () => {
    await view.show();
    const width = () => view.bar("solver.cpp").evaluate((bar: SVGGraphicsElement) => bar.getBBox().width);
    const before = await width();
    await view.tool("zoom-in", "Zoom in");
    await drawn(view.panel.page);
    expect((await width()) / before).toBeCloseTo(1.5);
    const sizes = await view.panel.page
      .locator(".above text")
      .evaluateAll((texts) => texts.map((text) => getComputedStyle(text).fontSize));
    expect(new Set(sizes)).toEqual(new Set(["12px", "11px"]));
    await view.tool("fit", "Fit");
    await drawn(view.panel.page);
    expect(await width()).toBe(before);
  });

  it("moves with the pointer, and asks for a new layout when the panel changes its size", async () => {
    const sample = await view.show();
    const { x, y } = (await view.bar("physics.cpp").boundingBox()) ?? { x: 0, y: 0 };
    await view.panel.page.mouse.move(x + 200, y);
    await view.panel.page.mouse.down();
    await view.panel.page.mouse.move(x + 240, y - 20, { steps: 4 });
    await view.panel.page.mouse.up();
    await drawn(view.panel.page);
    const moved = (await view.bar("physics.cpp").boundingBox()) ?? { x: 0, y: 0 };
    expect([Math.round(moved.x - x), Math.round(moved.y - y)]).toEqual([40, -20]);
    expect(await view.sent()).toEqual([]);
    await resize(sample, 700, 700);
    expect((await view.bar("MPI").boundingBox())?.x).toBeLessThan(700);
  });

  it("keeps in sight what it was moved to when the panel gets half of its width, and all of it where all was", async () => {
    const sample = await view.show({ width: 1400 });
    const { page } = view.panel;
    const middleOf = async (name: string) => {
      const box = (await view.bar(name).boundingBox()) ?? expect.fail();
      return { x: box.x + box.width / 2, right: box.x + box.width };
    };
    const shrink = (width: number) => resize(sample, width, 760);
    await shrink(1000);
    expect((await middleOf("MPI")).right).toBeLessThan(1000);
    for (let times = 0; times < 3; times++) await view.tool("zoom-in", "Zoom in");
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
    await view.tool("fit", "Fit");
    await drawn(page);
    expect((await middleOf("MPI")).right).toBeLessThan(500);
  });

  it("has in sight after a reload into another width what was in sight before it", async () => {
    await view.show({ width: 1400 });
    const middleOf = async (name: string) => {
      const box = (await view.bar(name).boundingBox()) ?? expect.fail();
      return box.x + box.width / 2;
    };
    for (let times = 0; times < 3; times++) await view.tool("zoom-in", "Zoom in");
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
    const sample = await view.show({ width: 1000 });
    const { page } = view.panel;
    for (let times = 0; times < 3; times++) await view.tool("zoom-in", "Zoom in");
    await page.setViewportSize({ width: 1000, height: 560 });
    await drawn(page);
    await view.sendParts(sample);
    await drawn(page);
    const box = async () => (await view.bar("MPI").boundingBox()) ?? expect.fail();
    const { x, y } = await box();
    const twice = (part: SuperGraphPart) =>
      part.kind === "layout" ? { ...part, width: 2 * part.width, height: 2 * part.height } : part;
    await view.sendGraph(sample, { revision: 2, parts: twice });
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

  it.each(seenThemes)("leaves pictures of itself at 400, 600 and 1400 pixels (%s)", async (theme) => {
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
    const solver = graph.bars.find(({ id }) => id === "solver.cpp") ?? expect.fail();
    const { inclusive, exclusive, hidden, level, contexts, entries } = solver;
    const shares = [inclusive, exclusive].map((value) => value / graph.total);
    const row = ["solver.cpp", inclusive, shares[0], exclusive, shares[1], hidden, level, contexts, entries[0].name];
    expect(csv.some((line) => line.startsWith(`Bars,${row.join(",")},`))).toBe(true);
    expect(csv.some((line) => line.startsWith(`Flows,,${inclusive}`) && line.includes(",main.cpp,solver.cpp,"))).toBe(
      true,
    );
    const entry = `Entry functions,solver.cpp,${entries[0].inclusive},`;
    expect(csv.some((line) => line.startsWith(entry) && line.includes(`,${entries[0].name},`))).toBe(true);
  });

  it("gives all of the graph as a picture, wherever it is zoomed to, with its legend and the scale of heights", async () => {
    const { graph, shown, view: sample } = await view.show({ reducedMotion: true });
    const { page } = view.panel;
    const [root] = graph.bars;
    const height = await view.bar(root.id).evaluate((bar: SVGGraphicsElement) => bar.getBBox().height);
    const whole = await view.save("svg");
    for (let zoom = 0; zoom < 4; zoom++) await view.tool("zoom-in", "Zoom in");
    await drawn(page);
    expect(await view.save("svg")).toBe(whole);
    const saved = await page.evaluate((text) => {
      const { documentElement: drawing } = new DOMParser().parseFromString(text, "image/svg+xml");
      const width = Number(drawing.getAttribute("width"));
      const words = [...drawing.querySelectorAll("text")];
      const scale = words[words.findIndex(({ textContent }) => textContent === "height") + 1];
      return {
        title: drawing.querySelector("title")?.textContent,
        words: words.map(({ textContent }) => textContent),
        scale: scale?.textContent,
        pixels: Number(scale?.previousElementSibling?.getAttribute("width")),
        outside: [...drawing.querySelectorAll("polygon")].filter((box) =>
          (box.getAttribute("points") ?? "").split(" ").some((point) => Number(point.split(",")[0]) > width),
        ).length,
      };
    }, whole);
    expect(saved.title).toBe(`${sample.dataSet.name} · super graph · time, mean over 8 ranks`);
    expect(saved.outside).toBe(0);
    expect(saved.words).toContain("entry function");
    expect(saved.words).toContain("imbalance, max / mean over ranks");
    expect(saved.words.join("\n")).toContain(`${shown.content.bars.group.length} bars`);
    const hottest = Math.max(...graph.bars.map(({ exclusive }) => exclusive));
    expect(saved.words).toContain(formatValue(hottest, "s"));
    const step = [1, 2, 5].flatMap((digit) => [-3, -2, -1, 0, 1].map((power) => digit * 10 ** power));
    const inclusive = step.find((value) => formatValue(value, "s") === saved.scale) ?? NaN;
    // The picture is as wide as its line, rounded up to a whole pixel.
    expect(Math.abs((inclusive * height) / root.inclusive - saved.pixels)).toBeLessThanOrEqual(1);
  });
});

describe("without a graph", () => {
  it("shows progress that can be cancelled", async () => {
    await view.open();
    const { page } = view.panel;
    await view.panel.send({ type: "progress", fraction: 0.4, message: "Looking up definitions" });
    await page.getByRole("progressbar", { name: "Progress" }).and(page.locator('[aria-valuenow="40"]')).waitFor();
    await page.getByText("Looking up definitions").waitFor();
    await page.getByText("Cancel").click();
    expect(await view.sent()).toEqual([{ type: "cancel" }]);
    await view.panel.send({ type: "problem", kind: "cancelled", message: "Cancelled.", action: "retry" });
    await page.getByText("Try Again").click();
    expect(await view.sent()).toEqual([{ type: "retry" }]);
  });

  it("keeps the drawing's room whatever progress is shown", async () => {
    await view.show();
    const { page } = view.panel;
    await view.panel.sent();
    await view.panel.send({ type: "progress", message: "Looking up definitions" });
    await page.locator(".context").getByText("Looking up definitions").waitFor();
    expect((await view.panel.sent()).filter(({ type }) => type === "resize")).toEqual([]);
  });

  it("says why there is none", async () => {
    await view.show();
    await view.panel.send({
      type: "problem",
      kind: "empty",
      message: "The total of x is not positive.",
      advice: "Choose.",
    });
    await view.panel.page.getByRole("status").filter({ hasText: "not positive" }).waitFor();
    expect(await view.bars().count()).toBe(0);
    await view.panel.send({ type: "problem", kind: "closed", message: "p.cali is not open.", action: "open" });
    await view.panel.page.getByText("Open It").click();
    expect(await view.sent()).toEqual([{ type: "open-data-set" }]);
  });

  it("has no controls where no choice would give a graph, and has them back with the next one", async () => {
    const sample = await view.show();
    const controls = view.panel.page.locator("[data-select]");
    await view.panel.send({ type: "problem", kind: "unmeasured", message: "No calling contexts in this recording." });
    await view.panel.page.getByRole("status").filter({ hasText: "No calling contexts" }).waitFor();
    expect(await controls.count()).toBe(0);
    expect(await view.bars().count()).toBe(0);
    await view.sendGraph(sample);
    await controls.first().waitFor();
  });

  it("keeps the last graph on screen when the next fails", async () => {
    const { graph } = await view.show();
    await view.panel.send({ type: "problem", kind: "error", message: "The worker ended.", action: "retry" });
    await view.panel.page.getByRole("alert").filter({ hasText: "The worker ended." }).waitFor();
    expect(await view.bars().count()).toBe(graph.bars.length);
  });
});

describe("selection and memory", () => {
  it("follows what is selected elsewhere, in the graph that it is of", async () => {
    const sample = await view.show();
    const mpi = indexOf(sample, "MPI");
    await view.panel.send({ type: "selection", revision: 7, mark: 0 });
    await view.panel.send({ type: "selection", revision: 1, mark: mpi });
    await expect.poll(() => view.bar("MPI").getAttribute("aria-selected")).toBe("true");
    expect(await view.panel.page.locator('.drawing [aria-selected="true"]').count()).toBe(1);
    expect(await view.sent()).toEqual([]);
  });

  it("comes back as it was left", async () => {
    const sample = await view.show();
    const { page } = view.panel;
    await view.tool("zoom-in", "Zoom in");
    await view.tool("table", "Table");
    await view.search("halo");
    const kept = await view.panel.kept();
    expect(kept).toMatchObject({ ...sample.view.state, dataSet: "a-key", search: "halo", table: true });
    expect(kept).toMatchObject({ seen: { scale: 1.5 } });
    await view.show({ kept });
    expect(await page.locator(".search small").innerText()).toBe("1 bar");
    expect(await page.getByRole("grid").first().isVisible()).toBe(true);
    expect(await view.panel.kept()).toMatchObject({ search: "halo", seen: { scale: 1.5 } });
    const table = (pressed: boolean) => page.getByRole("button", { name: /^Table/, pressed });
    await table(true).click();
    await table(false).waitFor();
    expect(await page.getByRole("grid").count()).toBe(0);
  });
});
