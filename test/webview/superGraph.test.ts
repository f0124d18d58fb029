import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { formatShare, formatValue } from "../../src/model/units";
import { parseFromSuperGraph } from "../../src/protocol/superGraph";
import { sampleControls, sampleGraph, type Sample } from "./miniheatGraph";
import { drawn, type OpenOptions, type PanelPage, PanelWindow, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

let panels: PanelWindow;
let panel: PanelPage;

beforeAll(async () => {
  panels = await PanelWindow.start("superGraph", "Super Graph");
});
afterAll(() => panels.stop());
afterEach(async () => {
  expect(panel.problems).toEqual([]);
  await panel.page.context().close();
});

/** A page that shows the sample's graph, laid out for the size that the page asked for. */
async function show(options: OpenOptions = {}, query: Parameters<typeof sampleGraph>[1] = {}): Promise<Sample> {
  panel = await panels.open(options);
  const sample = await sampleGraph(await readySize(), query);
  await panel.send(sampleControls);
  await panel.send(sample.message);
  await panel.page.locator(".bar").first().waitFor();
  await drawn(panel.page);
  await layOut(query);
  return sample;
}

/** Answers a change of size as the host does. */
async function layOut(query: Parameters<typeof sampleGraph>[1] = {}): Promise<void> {
  const size = (await panel.sent()).filter(({ type }) => type === "resize").at(-1);
  if (!size) return;
  const { message } = await sampleGraph({ width: Number(size.width), height: Number(size.height) }, query);
  await panel.send({ type: "layout", revision: 1, geometry: message.geometry });
  await drawn(panel.page);
}

async function readySize(): Promise<{ width: number; height: number }> {
  await panel.page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
  const [ready] = await panel.sent();
  expect(ready.type).toBe("ready");
  return { width: Number(ready.width), height: Number(ready.height) };
}

/** What was sent, each checked with the host's own schema; sizes aside, which come when they come. */
async function sent() {
  const messages = await panel.sent();
  for (const message of messages) expect(parseFromSuperGraph(message)).toEqual(message);
  return messages.filter(({ type }) => type !== "resize");
}

const bar = (name: string) => panel.page.locator(`.bar[aria-label^="${name},"]`);
const indexOf = ({ graph }: Sample, id: string) => graph.bars.findIndex((candidate) => candidate.id === id);

describe("the picture", () => {
  it("has a bar for each of the graph's, named with its numbers", async () => {
    const { graph } = await show();
    const labels = await panel.page
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
    const { graph } = await show();
    const heights = await panel.page
      .locator(".bar .outline")
      .evaluateAll((marks) => marks.map((mark) => Number(mark.getAttribute("height"))));
    const scale = heights[0] / graph.bars[0].inclusive;
    graph.bars.forEach(({ inclusive }, at) => expect(heights[at]).toBeCloseTo(inclusive * scale, 0));
  });

  it("hatches what the filter hid, as high as it weighs", async () => {
    const { graph } = await show({}, { filter: 1 });
    const at = graph.bars.findIndex(({ id }) => id === "halo.cpp");
    const { hidden, inclusive } = graph.bars[at];
    expect(hidden).toBeGreaterThan(0);
    const part = panel.page.locator(`.bar[data-bar="${at}"] .hidden-part`);
    const whole = panel.page.locator(`.bar[data-bar="${at}"] .outline`);
    const height = async (mark: typeof part) => Number(await mark.getAttribute("height"));
    expect((await height(part)) / (await height(whole))).toBeCloseTo(hidden / inclusive, 3);
  });

  it("draws minima and maxima as high as the mean, with the extremes as text", async () => {
    const { graph } = await show({}, { over: "max" });
    const label = await panel.page.locator(".bar").first().getAttribute("aria-label");
    expect(label).toContain(formatValue(graph.bars[0].inclusive, "s"));
    expect(await panel.page.locator(".notes").innerText()).toMatch(/do not add up[\s\S]*drawn as the mean/);
    const { graph: mean } = await sampleGraph({ width: 1000, height: 600 }, { over: "mean" });
    const heights = await panel.page
      .locator(".bar .outline")
      .evaluateAll((marks) => marks.map((mark) => Number(mark.getAttribute("height"))));
    const scale = heights[0] / mean.bars[0].inclusive;
    mean.bars.forEach(({ inclusive }, at) => expect(heights[at]).toBeCloseTo(inclusive * scale, 0));
  });

  it("says what is kept, hidden, and how ranks were combined", async () => {
    const { graph } = await show({}, { filter: 1 });
    expect(await panel.page.locator(".summary").innerText()).toBe(
      `${graph.bars.length} bars · ${graph.functions} functions kept · ${graph.filtered.functions} functions hidden ` +
        `(${formatShare(graph.filtered.exclusive / graph.total)}) · time, mean over 8 ranks`,
    );
  });

  it("keeps labels at their size while everything else is zoomed", async () => {
    await show();
    const before = await bar("solver.cpp").locator(".outline").getAttribute("width");
    await panel.page.getByRole("button", { name: "Zoom in" }).click();
    await drawn(panel.page);
    const after = await bar("solver.cpp").locator(".outline").getAttribute("width");
    expect(Number(after) / Number(before)).toBeCloseTo(1.25);
    const sizes = await panel.page
      .locator(".label text")
      .evaluateAll((texts) => texts.map((text) => getComputedStyle(text).fontSize));
    expect(new Set(sizes)).toEqual(new Set(["12px"]));
    await panel.page.getByRole("button", { name: "Fit: everything in sight" }).click();
    await drawn(panel.page);
    expect(await bar("solver.cpp").locator(".outline").getAttribute("width")).toBe(before);
  });

  it("moves with the pointer, and asks for a new layout when the panel changes its size", async () => {
    await show();
    const { x, y } = (await bar("physics.cpp").boundingBox()) ?? { x: 0, y: 0 };
    await panel.page.mouse.move(x + 200, y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(x + 240, y - 20, { steps: 4 });
    await panel.page.mouse.up();
    await drawn(panel.page);
    const moved = (await bar("physics.cpp").boundingBox()) ?? { x: 0, y: 0 };
    expect([Math.round(moved.x - x), Math.round(moved.y - y)]).toEqual([40, -20]);
    expect(await sent()).toEqual([]);
    await panel.page.setViewportSize({ width: 700, height: 700 });
    await panel.page.waitForFunction(() =>
      (window as unknown as { sent: { type: string }[] }).sent.some(({ type }) => type === "resize"),
    );
    await layOut();
    expect((await bar("MPI").boundingBox())?.x).toBeLessThan(700);
  });

  it("takes the theme's colours, and takes new ones at once", async () => {
    await show({ theme: "dark" });
    const fill = () => bar("MPI").locator("rect").first().getAttribute("fill");
    const dark = await fill();
    await panel.page.evaluate(() => {
      document.documentElement.style.setProperty("--vscode-editor-background", "#ffffff");
      document.body.className = "vscode-light";
    });
    await drawn(panel.page);
    expect(await fill()).not.toBe(dark);
  });

  it.each(themeNames)("leaves pictures of itself at 400, 600 and 1400 pixels (%s)", async (theme) => {
    for (const width of [400, 600, 1400]) {
      await show({ theme, width });
      await screenshot(panel.page, `super-graph-${theme}-${width}`);
      expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      if (width < 1400) await panel.page.context().close();
    }
  });
});

describe("the pointer", () => {
  it("selects with a click, and opens with a double click", async () => {
    const sample = await show();
    const physics = indexOf(sample, "physics.cpp");
    await bar("physics.cpp").click();
    expect(await sent()).toEqual([{ type: "select", revision: 1, bar: physics }]);
    await expect.poll(() => bar("physics.cpp").getAttribute("aria-pressed")).toBe("true");
    await bar("solver.cpp").dblclick();
    const solver = indexOf(sample, "solver.cpp");
    expect(await sent()).toEqual([
      { type: "select", revision: 1, bar: solver },
      { type: "open", revision: 1, bar: solver },
    ]);
  });

  it("explains a bar: its entries with their costs, where it is called from, what is hidden", async () => {
    const { graph } = await show({}, { filter: 1 });
    await bar("halo.cpp").hover({ position: { x: 20, y: 200 } });
    const text = await panel.page.getByRole("tooltip").innerText();
    const halo = graph.bars.find(({ id }) => id === "halo.cpp");
    for (const entry of halo?.entries ?? []) {
      expect(text).toContain(entry.name);
      expect(text).toContain(`${formatValue(entry.inclusive, "s")}, self ${formatValue(entry.exclusive, "s")}`);
    }
    expect(text).toMatch(/called from\s+solver\.cpp/);
    expect(text).toContain(formatValue(halo?.hidden ?? NaN, "s"));
    await panel.page.keyboard.press("Escape");
    expect(await panel.page.getByRole("tooltip").count()).toBe(0);
  });

  it("explains an entry function, and opens it", async () => {
    const sample = await show();
    const mpi = indexOf(sample, "MPI");
    const square = panel.page.locator(`.entry[data-bar="${mpi}"]`).nth(1);
    const { name, exclusive } = sample.graph.bars[mpi].entries[1];
    await square.hover();
    const text = await panel.page.getByRole("tooltip").innerText();
    expect(text).toContain(name);
    expect(text).toContain(formatValue(exclusive, "s"));
    await square.dblclick();
    expect((await sent()).at(-1)).toEqual({ type: "open", revision: 1, bar: mpi, entry: 1 });
  });

  it("explains a flow", async () => {
    const { graph } = await show();
    const [edge] = graph.edges.filter(({ source, target }) => source === "halo.cpp" && target === "MPI");
    const flow = graph.edges.indexOf(edge);
    await panel.page.locator(`[data-flow="${flow}"]`).hover();
    const text = await panel.page.getByRole("tooltip").innerText();
    expect(text).toContain("halo.cpp → MPI");
    expect(text).toContain(formatValue(edge.inclusive, "s"));
  });

  it("has a menu of its own", async () => {
    const sample = await show();
    await bar("physics.cpp").click({ button: "right" });
    const items = panel.page.getByRole("menuitem");
    await items.filter({ hasText: "Go to entry updateConductivity" }).waitFor();
    await items.filter({ hasText: "Open hottest line" }).click();
    expect(await sent()).toEqual([{ type: "open", revision: 1, bar: indexOf(sample, "physics.cpp") }]);
    await bar("physics.cpp").click({ button: "right" });
    await items.filter({ hasText: "Copy numbers" }).click();
    const [copied] = await sent();
    expect(copied.type).toBe("copy");
    expect(copied.text).toContain("physics.cpp");
  });
});

describe("the keyboard alone", () => {
  it("reaches every bar with one Tab stop and arrows that follow the heaviest flow", async () => {
    const sample = await show();
    await bar("main.cpp").focus();
    expect(await panel.page.locator('.bar[tabindex="0"]').count()).toBe(1);
    const focused = () =>
      panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label")?.split(",")[0] ?? "");
    const walk: string[] = [];
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowDown", "Home"]) {
      await panel.page.keyboard.press(key);
      walk.push(await focused());
    }
    expect(walk).toEqual(["solver.cpp", "halo.cpp", "MPI", "halo.cpp", "solver.cpp", "physics.cpp", "main.cpp"]);
    await panel.page.keyboard.press("ArrowRight");
    await panel.page.keyboard.press(" ");
    await panel.page.keyboard.press("Enter");
    const solver = indexOf(sample, "solver.cpp");
    expect(await sent()).toEqual([
      { type: "select", revision: 1, bar: solver },
      { type: "open", revision: 1, bar: solver },
    ]);
  });

  it("goes on to the entry functions of a bar, and back", async () => {
    const sample = await show();
    const mpi = indexOf(sample, "MPI");
    await bar("MPI").focus();
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("ArrowRight");
    await panel.page.keyboard.press("Enter");
    expect(await sent()).toEqual([{ type: "open", revision: 1, bar: mpi, entry: 1 }]);
    await panel.page.keyboard.press("Escape");
    expect(await panel.page.evaluate(() => document.activeElement?.getAttribute("data-entry"))).toBeNull();
  });

  it("opens the menu, walks it and gives the focus back", async () => {
    const sample = await show();
    await bar("physics.cpp").focus();
    await panel.page.keyboard.press("Shift+F10");
    await panel.page.getByRole("menu").waitFor();
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("Enter");
    expect(await sent()).toEqual([{ type: "select", revision: 1, bar: indexOf(sample, "physics.cpp") }]);
    expect(await panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(
      /^physics\.cpp/,
    );
    expect(await panel.page.getByRole("menu").count()).toBe(0);
  });

  it("shows the tooltip of what has the focus", async () => {
    await show();
    await bar("solver.cpp").focus();
    await panel.page.getByRole("tooltip").filter({ hasText: "entry functions" }).waitFor();
  });
});

describe("the controls", () => {
  it("choose metric, over ranks and grouping", async () => {
    await show();
    const choose = async (label: string, entry: string) => {
      const list = panel.page.locator(`vscode-dropdown[aria-label="${label}"]`);
      await list.click();
      await list.locator("vscode-option").filter({ hasText: entry }).click();
    };
    await choose("Metric", "count");
    await choose("Over ranks", "maximum");
    await choose("Group by", "function");
    expect(await sent()).toEqual([
      { type: "set-metric", metric: 1 },
      { type: "set-over", over: "max" },
      { type: "set-group-by", groupBy: "function" },
    ]);
  });

  it("tell nothing when only the host changed them", async () => {
    await show();
    await panel.send({ ...sampleControls, over: "max", metric: 1, groupBy: "class", filter: 5 });
    await panel.page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('vscode-dropdown[aria-label="Group by"]')?.value === "class",
    );
    expect(await sent()).toEqual([]);
    expect(await panel.page.locator("input[type=range]").getAttribute("aria-valuetext")).toBe("5 %");
  });

  it("filter by slider and by text", async () => {
    await show();
    const slider = panel.page.locator("input[type=range]");
    await slider.focus();
    await panel.page.keyboard.press("Home");
    await expect.poll(async () => (await sent()).at(-1)).toEqual({ type: "set-filter", percent: 0 });
    const field = panel.page.locator('vscode-text-field[aria-label^="Hide below"] input');
    await field.fill("2,5 %");
    await field.press("Enter");
    expect((await sent()).at(-1)).toEqual({ type: "set-filter", percent: 2.5 });
    expect(await slider.getAttribute("aria-valuetext")).toBe("2.5 %");
    await field.fill("much");
    await field.press("Enter");
    expect(await sent()).toEqual([]);
  });

  it("search in groups and entry functions: dims the rest, Enter goes on", async () => {
    const sample = await show();
    const field = panel.page.locator('vscode-text-field[placeholder="Search"] input');
    await field.fill("pp");
    await expect.poll(() => panel.page.locator(".found").innerText()).toBe("4 of 5 bars found");
    const dimmed = await panel.page.locator(".bars > g[opacity]").count();
    expect(dimmed).toBe(1);
    await field.press("Enter");
    await field.press("Enter");
    await field.press("Shift+Enter");
    const [first, second] = ["main.cpp", "solver.cpp"].map((id) => indexOf(sample, id));
    expect((await sent()).map((message) => message.bar)).toEqual([first, second, first]);
    await field.fill("updateConductivity".toUpperCase());
    await expect.poll(() => panel.page.locator(".found").innerText()).toBe("1 of 5 bars found");
    await field.press("Escape");
    await expect.poll(() => panel.page.locator(".found").innerText()).toBe("");
  });

  it("show a restriction as a chip that can be removed", async () => {
    await show();
    const chip = panel.page.locator(".chip");
    expect(await chip.isVisible()).toBe(false);
    await panel.send({ ...sampleControls, restriction: "ranks 0, 4" });
    await chip.filter({ hasText: "ranks 0, 4" }).waitFor();
    await panel.page.getByRole("button", { name: "Remove the restriction" }).click();
    expect(await sent()).toEqual([{ type: "clear-restriction" }]);
  });
});

describe("the table", () => {
  it("has the same numbers, sorts, and does the same", async () => {
    const sample = await show();
    await panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    const [bars, flows] = [panel.page.locator(".twin table").nth(0), panel.page.locator(".twin table").nth(1)];
    const rows = async (table: typeof bars) =>
      table
        .locator("tbody tr")
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    const { graph } = sample;
    const byInclusive = graph.bars.slice().sort((a, b) => b.inclusive - a.inclusive);
    expect((await rows(bars)).map((row) => row.slice(0, 6))).toEqual(
      byInclusive.map(({ id, inclusive, exclusive, hidden }) => [
        id,
        formatValue(inclusive, "s"),
        formatShare(inclusive / graph.total),
        formatValue(exclusive, "s"),
        formatShare(exclusive / graph.total),
        formatValue(hidden, "s"),
      ]),
    );
    expect(await rows(flows)).toEqual(
      graph.edges
        .slice()
        .sort((a, b) => b.inclusive - a.inclusive)
        .map(({ source, target, inclusive }) => [
          source,
          target,
          formatValue(inclusive, "s"),
          formatShare(inclusive / graph.total),
        ]),
    );
    await bars.getByRole("button", { name: "bar", exact: true }).click();
    expect((await rows(bars)).map(([name]) => name)).toEqual(graph.bars.map(({ id }) => id).sort());
    await bars.locator("tbody tr").first().focus();
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("Enter");
    expect(await sent()).toEqual([{ type: "open", revision: 1, bar: indexOf(sample, "halo.cpp") }]);
  });
});

describe("saving", () => {
  it("gives a picture that stands alone, and a table with full precision", async () => {
    const { graph } = await show();
    const save = async (format: string) => {
      await panel.page.getByRole("button", { name: "Save…" }).click();
      await panel.page.getByRole("menuitem", { name: `Save as ${format.toUpperCase()}` }).click();
      let message: { type: string; [key: string]: unknown } | undefined;
      await expect.poll(async () => (message = (await sent()).at(-1))?.format).toBe(format);
      return String(message?.content);
    };
    const svg = await save("svg");
    expect(svg).toMatch(/^<\?xml/);
    expect(svg).not.toMatch(/var\(--/);
    for (const { id } of graph.bars) expect(svg).toContain(`>${id}<`);
    const png = Buffer.from(await save("png"), "base64");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    const csv = (await save("csv")).split("\r\n");
    const solver = graph.bars.find(({ id }) => id === "solver.cpp");
    expect(csv).toContain(
      `bar,solver.cpp,,,${solver?.level},${solver?.inclusive},${solver?.exclusive},${solver?.hidden},${solver?.contexts},`,
    );
  });
});

describe("without a graph", () => {
  it("shows progress that can be cancelled", async () => {
    panel = await panels.open();
    await readySize();
    await panel.send({ type: "progress", fraction: 0.4, message: "Looking up definitions" });
    await panel.page.getByText("Looking up definitions").waitFor();
    expect(await panel.page.locator("progress").evaluate((bar) => (bar as HTMLProgressElement).value)).toBe(0.4);
    await panel.page.getByRole("button", { name: "Cancel" }).click();
    expect(await sent()).toEqual([{ type: "cancel" }]);
    await panel.send({ type: "problem", kind: "cancelled", message: "Cancelled.", action: "retry" });
    await panel.page.getByRole("button", { name: "Try Again" }).click();
    expect(await sent()).toEqual([{ type: "retry" }]);
  });

  it("says why there is none", async () => {
    await show();
    await panel.send({ type: "problem", kind: "empty", message: "The total of x is not positive.", advice: "Choose." });
    await panel.page.getByRole("alert").filter({ hasText: "not positive" }).waitFor();
    expect(await panel.page.locator(".bar").count()).toBe(0);
    await panel.send({ type: "problem", kind: "closed", message: "p.cali is not open.", action: "open" });
    await panel.page.getByRole("button", { name: "Open It" }).click();
    expect(await sent()).toEqual([{ type: "open-data-set" }]);
  });

  it("keeps the last graph on screen when the next fails", async () => {
    const { graph } = await show();
    await panel.send({ type: "problem", kind: "error", message: "The worker ended.", action: "retry" });
    await panel.page.getByRole("alert").filter({ hasText: "The worker ended." }).waitFor();
    expect(await panel.page.locator(".bar").count()).toBe(graph.bars.length);
  });
});

describe("selection and memory", () => {
  it("follows what is selected elsewhere, in the graph that it is of", async () => {
    const sample = await show();
    const mpi = indexOf(sample, "MPI");
    await panel.send({ type: "selection", revision: 7, bar: 0 });
    await panel.send({ type: "selection", revision: 1, bar: mpi });
    await expect.poll(() => bar("MPI").getAttribute("aria-pressed")).toBe("true");
    expect(await panel.page.locator('.bar[aria-pressed="true"]').count()).toBe(1);
    expect(await sent()).toEqual([]);
  });

  it("comes back as it was left", async () => {
    await show();
    await panel.page.locator('vscode-text-field[placeholder="Search"] input').fill("halo");
    await panel.page.getByRole("button", { name: "Zoom in" }).click();
    await panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    const kept = await panel.kept();
    expect(kept).toMatchObject({ ...sampleControls.restore, search: "halo", table: true, viewport: { scale: 1.25 } });
    await panel.page.context().close();
    await show({ kept });
    expect(await panel.page.locator(".found").innerText()).toBe("1 of 5 bars found");
    expect(await panel.page.locator(".twin").isVisible()).toBe(true);
    expect(await panel.kept()).toMatchObject({ search: "halo", viewport: { scale: 1.25 } });
  });
});
