import { describe, expect, it, vi } from "vitest";
import { formatShare, formatValue } from "../../src/model/units";
import { sampleControls } from "./miniheatGraph";
import { indexOf, useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

describe("the pointer", () => {
  it("selects with a click, and opens with a double click", async () => {
    const sample = await view.show();
    const physics = indexOf(sample, "physics.cpp");
    await view.bar("physics.cpp").click();
    expect(await view.sent()).toEqual([{ type: "select", revision: 1, bar: physics }]);
    await expect.poll(() => view.bar("physics.cpp").getAttribute("aria-pressed")).toBe("true");
    // Selected and pointed at, it has one name.
    await drawn(view.panel.page);
    expect(await view.panel.page.locator(`.label[data-bar="${physics}"]`).count()).toBe(1);
    await view.bar("solver.cpp").dblclick();
    const solver = indexOf(sample, "solver.cpp");
    expect(await view.sent()).toEqual([
      { type: "select", revision: 1, bar: solver },
      { type: "open", revision: 1, bar: solver },
    ]);
  });

  it("explains a bar: its entries with their costs, where it is called from, what is hidden", async () => {
    const { graph } = await view.show({}, { filter: 1 });
    await view.bar("halo.cpp").hover({ position: { x: 20, y: 200 } });
    const text = await view.panel.page.getByRole("tooltip").innerText();
    const halo = graph.bars.find(({ id }) => id === "halo.cpp");
    for (const entry of halo?.entries ?? []) {
      expect(text).toContain(entry.name);
      expect(text).toContain(`${formatValue(entry.inclusive, "s")}, self ${formatValue(entry.exclusive, "s")}`);
    }
    expect(text).toMatch(/called from\s+solver\.cpp/);
    expect(text).toContain(formatValue(halo?.hidden ?? NaN, "s"));
    await view.panel.page.keyboard.press("Escape");
    expect(await view.panel.page.getByRole("tooltip").count()).toBe(0);
  });

  it("explains an entry function, and opens it", async () => {
    const sample = await view.show();
    const mpi = indexOf(sample, "MPI");
    const square = view.panel.page.locator(`.entry[data-bar="${mpi}"]`).nth(1);
    const { name, exclusive } = sample.graph.bars[mpi].entries[1];
    await square.hover();
    const text = await view.panel.page.getByRole("tooltip").innerText();
    expect(text).toContain(name);
    expect(text).toContain(formatValue(exclusive, "s"));
    await square.dblclick();
    expect((await view.sent()).at(-1)).toEqual({ type: "open", revision: 1, bar: mpi, entry: 1 });
  });

  it("explains a flow", async () => {
    const { graph } = await view.show();
    const [edge] = graph.edges.filter(({ source, target }) => source === "halo.cpp" && target === "MPI");
    const flow = graph.edges.indexOf(edge);
    await view.panel.page.locator(`[data-flow="${flow}"]`).hover();
    const text = await view.panel.page.getByRole("tooltip").innerText();
    expect(text).toContain("halo.cpp → MPI");
    expect(text).toContain(formatValue(edge.inclusive, "s"));
  });

  it("has a menu of its own", async () => {
    const sample = await view.show();
    await view.bar("physics.cpp").click({ button: "right" });
    const items = view.panel.page.getByRole("menuitem");
    await items.filter({ hasText: "Go to entry updateConductivity" }).waitFor();
    await items.filter({ hasText: "Open hottest line" }).click();
    expect(await view.sent()).toEqual([{ type: "open", revision: 1, bar: indexOf(sample, "physics.cpp") }]);
    await view.bar("physics.cpp").click({ button: "right" });
    await items.filter({ hasText: "Copy numbers" }).click();
    const [copied] = await view.sent();
    expect(copied.type).toBe("copy");
    expect(copied.text).toContain("physics.cpp");
    await view.bar("physics.cpp").click({ button: "right" });
    await items.filter({ hasText: "Follow hot path" }).click();
    expect(await view.sent()).toEqual([{ type: "hot-path", revision: 1, bar: indexOf(sample, "physics.cpp") }]);
    await view.bar("physics.cpp").click({ button: "right" });
    await items.filter({ hasText: "Why here?" }).click();
    expect(await view.sent()).toEqual([{ type: "why", revision: 1, bar: indexOf(sample, "physics.cpp") }]);
  });
});

describe("the keyboard alone", () => {
  it("reaches every bar with one Tab stop and arrows that follow the heaviest flow", async () => {
    const sample = await view.show();
    await view.bar("main.cpp").focus();
    expect(await view.panel.page.locator('.bar[tabindex="0"]').count()).toBe(1);
    const focused = () =>
      view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label")?.split(",")[0] ?? "");
    const walk: string[] = [];
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowDown", "Home"]) {
      await view.panel.page.keyboard.press(key);
      walk.push(await focused());
    }
    expect(walk).toEqual(["solver.cpp", "halo.cpp", "MPI", "halo.cpp", "solver.cpp", "physics.cpp", "main.cpp"]);
    await view.panel.page.keyboard.press("ArrowRight");
    await view.panel.page.keyboard.press(" ");
    await view.panel.page.keyboard.press("Enter");
    const solver = indexOf(sample, "solver.cpp");
    expect(await view.sent()).toEqual([
      { type: "select", revision: 1, bar: solver },
      { type: "open", revision: 1, bar: solver },
    ]);
  });

  it("goes on to the entry functions of a bar, and back", async () => {
    const sample = await view.show();
    const mpi = indexOf(sample, "MPI");
    await view.bar("MPI").focus();
    await view.panel.page.keyboard.press("Tab");
    await view.panel.page.keyboard.press("ArrowRight");
    await view.panel.page.keyboard.press("Enter");
    expect(await view.sent()).toEqual([{ type: "open", revision: 1, bar: mpi, entry: 1 }]);
    await view.panel.page.keyboard.press("Escape");
    expect(await view.panel.page.evaluate(() => document.activeElement?.getAttribute("data-entry"))).toBeNull();
  });

  it("opens the menu, walks it and gives the focus back", async () => {
    const sample = await view.show();
    await view.bar("physics.cpp").focus();
    await view.panel.page.keyboard.press("Shift+F10");
    await view.panel.page.getByRole("menu").waitFor();
    await view.panel.page.keyboard.press("ArrowDown");
    await view.panel.page.keyboard.press("Enter");
    expect(await view.sent()).toEqual([{ type: "select", revision: 1, bar: indexOf(sample, "physics.cpp") }]);
    expect(await view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(
      /^physics\.cpp/,
    );
    expect(await view.panel.page.getByRole("menu").count()).toBe(0);
  });

  it("shows the tooltip of what has the focus", async () => {
    await view.show();
    await view.bar("solver.cpp").focus();
    await view.panel.page.getByRole("tooltip").filter({ hasText: "entry functions" }).waitFor();
  });
});

describe("the controls", () => {
  it("choose metric, over ranks and grouping", async () => {
    await view.show();
    const choose = async (label: string, entry: string) => {
      const list = view.panel.page.locator(`vscode-dropdown[aria-label="${label}"]`);
      await list.click();
      await list.locator("vscode-option").filter({ hasText: entry }).click();
    };
    await choose("Metric", "count");
    await choose("Over ranks", "maximum");
    await choose("Group by", "function");
    expect(await view.sent()).toEqual([
      { type: "set-metric", metric: 1 },
      { type: "set-over", over: "max" },
      { type: "set-group-by", groupBy: "function" },
    ]);
  });

  it("tell nothing when only the host changed them", async () => {
    await view.show();
    await view.panel.send({ ...sampleControls, over: "max", metric: 1, groupBy: "class", filter: 5 });
    await view.panel.page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('vscode-dropdown[aria-label="Group by"]')?.value === "class",
    );
    expect(await view.sent()).toEqual([]);
    expect(await view.panel.page.locator("input[type=range]").getAttribute("aria-valuetext")).toBe("5 %");
  });

  it("keep what is being typed when an answer to what was chosen before comes late", async () => {
    await view.show();
    const field = view.panel.page.locator('vscode-text-field[aria-label^="Hide below"] input');
    await field.fill("5");
    await field.press("Enter");
    // The field writes it its own way a moment later, which the next text would join.
    await expect.poll(() => field.inputValue()).toBe("5 %");
    await field.fill("7");
    await view.panel.send({ ...sampleControls, filter: sampleControls.filter });
    await view.panel.send({ ...sampleControls, filter: 5 });
    // Another control tells that both messages have arrived.
    await view.panel.send({ ...sampleControls, filter: 5, restriction: "ranks 0, 4" });
    await view.panel.page.locator(".chip").filter({ hasText: "ranks 0, 4" }).waitFor();
    expect(await field.inputValue()).toBe("7");
    await field.press("Enter");
    await expect.poll(async () => (await view.sent()).at(-1)).toEqual({ type: "set-filter", percent: 7 });
  });

  it("keep what is being chosen in an open list when an answer to what was chosen before comes late", async () => {
    await view.show();
    const { page } = view.panel;
    const list = page.locator('vscode-dropdown[aria-label="Group by"]');
    const isFocused = (entry: string) =>
      list.locator("vscode-option[aria-selected=true]").filter({ hasText: entry }).waitFor({ state: "attached" });
    const answer = async (groupBy: "module" | "class", restriction: string) => {
      await view.panel.send({ ...sampleControls, groupBy, restriction });
      await page.locator(".chip").filter({ hasText: restriction }).waitFor();
    };
    await list.click();
    await page.keyboard.press("End");
    await isFocused("nothing");
    await answer("module", "rank 0");
    await page.keyboard.press("Enter");
    expect(await view.sent()).toEqual([{ type: "set-group-by", groupBy: "none" }]);

    // Without a choice the list shows what came meanwhile, once it is closed.
    await list.click();
    await answer("class", "rank 1");
    await page.keyboard.press("Escape");
    await isFocused("class");
    expect(await view.sent()).toEqual([]);
  });

  it("never show what was not taken for a choice: an entry that has come to stand where the list was opened", async () => {
    await view.show();
    const { page } = view.panel;
    const list = page.locator('vscode-dropdown[aria-label="Group by"]');
    const groupings = ["file", "module", "function"] as const;
    await view.panel.send({ ...sampleControls, groupings, groupBy: "module" });
    await list.locator(".selected-value").filter({ hasText: "module" }).waitFor();
    await list.click();
    await view.panel.send({ ...sampleControls, groupings: ["module", "function", "file"], groupBy: "module" });
    await list.locator("vscode-option").nth(1).filter({ hasText: "function" }).click();
    await list.locator("vscode-option").first().waitFor({ state: "hidden" });
    const sent = await view.sent();
    const shown = sent.length > 0 ? "function" : "load module";
    await expect.poll(() => list.locator(".selected-value").innerText()).toBe(shown);
    expect(await list.getAttribute("title")).toContain(shown);
  });

  it("filter by slider and by text", async () => {
    await view.show();
    const slider = view.panel.page.locator("input[type=range]");
    await slider.focus();
    await view.panel.page.keyboard.press("Home");
    await expect.poll(async () => (await view.sent()).at(-1)).toEqual({ type: "set-filter", percent: 0 });
    const field = view.panel.page.locator('vscode-text-field[aria-label^="Hide below"] input');
    await field.fill("2,5 %");
    await field.press("Enter");
    expect((await view.sent()).at(-1)).toEqual({ type: "set-filter", percent: 2.5 });
    expect(await slider.getAttribute("aria-valuetext")).toBe("2.5 %");
    await field.fill("much");
    await field.press("Enter");
    expect(await view.sent()).toEqual([]);
  });

  it("search in groups and entry functions: dims the rest, Enter goes on", async () => {
    const sample = await view.show();
    const field = view.panel.page.locator('vscode-text-field[placeholder="Search"] input');
    await field.fill("pp");
    await expect.poll(() => view.panel.page.locator(".found").innerText()).toBe("4 of 5 bars found");
    // The count is written before the graph is drawn anew.
    await expect.poll(() => view.panel.page.locator(".bar[opacity]").count()).toBe(1);
    await field.press("Enter");
    await field.press("Enter");
    await field.press("Shift+Enter");
    const [first, second] = ["main.cpp", "solver.cpp"].map((id) => indexOf(sample, id));
    expect((await view.sent()).map((message) => message.bar)).toEqual([first, second, first]);
    await field.fill("updateConductivity".toUpperCase());
    await expect.poll(() => view.panel.page.locator(".found").innerText()).toBe("1 of 5 bars found");
    await field.press("Escape");
    await expect.poll(() => view.panel.page.locator(".found").innerText()).toBe("");
  });

  it("show a restriction as a chip that can be removed", async () => {
    await view.show();
    const chip = view.panel.page.locator(".chip");
    expect(await chip.isVisible()).toBe(false);
    await view.panel.send({ ...sampleControls, restriction: "ranks 0, 4" });
    await chip.filter({ hasText: "ranks 0, 4" }).waitFor();
    await view.panel.page.getByRole("button", { name: "Remove the restriction" }).click();
    expect(await view.sent()).toEqual([{ type: "clear-restriction" }]);
  });
});

describe("the table", () => {
  it("has the same numbers, sorts, and does the same", async () => {
    const sample = await view.show();
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    const [bars, flows] = [
      view.panel.page.locator(".twin table").nth(0),
      view.panel.page.locator(".twin table").nth(1),
    ];
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
    await view.panel.page.keyboard.press("ArrowDown");
    await view.panel.page.keyboard.press("Enter");
    expect(await view.sent()).toEqual([{ type: "open", revision: 1, bar: indexOf(sample, "halo.cpp") }]);
  });
});
