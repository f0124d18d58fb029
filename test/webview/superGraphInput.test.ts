import { describe, expect, it, vi } from "vitest";
import { quietTask } from "../../src/model/task";
import { formatShare, formatValue } from "../../src/model/units";
import type { FrameMessage } from "../../src/protocol/frame";
import { partsOf, viewIn } from "./kit/showing";
import { definition, entryMark, indexOf, layoutOf, shownOf } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, middleOf } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

describe("the pointer", () => {
  it("asks for the line of what is selected, which the strip links to beside its numbers", async () => {
    const sample = await view.show();
    const mark = indexOf(sample, "physics.cpp");
    await view.bar("physics.cpp").click();
    const { page } = view.panel;
    await page.locator(".details b").filter({ hasText: "physics.cpp" }).waitFor();
    expect((await view.panel.sent()).filter(({ type }) => type === "explain")).toEqual([
      { type: "explain", revision: 1, mark },
    ]);
    const explained = await definition.explain?.(sample.shown, mark, sample.view, quietTask);
    expect(explained).toEqual({ facts: [], place: "physics.cpp:34" });
    await view.panel.send({ type: "explained", revision: 1, mark, ...explained });
    await page.locator(".details .link").click();
    expect((await view.sent()).at(-1)).toEqual({ type: "mark", action: "open", revision: 1, mark });
    const labels = await page.locator(".fact > i").allTextContents();
    expect(labels).toEqual(["inclusive", "exclusive", "imbalance", "entries"]);
  });

  it("says in the strip where a bar's hottest line was inlined into, and leads there, too", async () => {
    const sample = await view.show();
    const mark = indexOf(sample, "physics.cpp");
    const [hottest] = await sample.view.session.engine.hotPlaces({
      scope: sample.view.scope,
      limit: 1,
      target: { kind: "bar", query: sample.shown.asked.graphs[0].query, bar: sample.graph.bars[mark].id },
    });
    const away = { ...hottest, link: { ...hottest.link, places: [{ file: "/src/Vec.h", line: 87 }] } };
    const engine = {
      ...sample.view.session.engine,
      hotPlaces: () => Promise.resolve([{ ...away, definition: hottest.link, isInlined: true as const }]),
    };
    const session = { ...sample.view.session, engine } as typeof sample.view.session;
    const explained = await definition.explain?.(sample.shown, mark, { ...sample.view, session }, quietTask);
    expect(explained).toEqual({
      facts: [["inlined into", `${hottest.name} · physics.cpp:34`]],
      place: "Vec.h:87",
    });
    await view.bar("physics.cpp").click();
    await view.panel.send({ type: "explained", revision: 1, mark, ...explained });
    const { page } = view.panel;
    await page
      .locator(".details .fact")
      .filter({ hasText: `inlined into${hottest.name} · physics.cpp:34` })
      .waitFor();
    await page.locator(".details").getByRole("button", { name: "Go to its function" }).click();
    expect((await view.sent()).at(-1)).toEqual({ type: "mark", action: "go-to-function", revision: 1, mark });
  });

  it("selects with a click, and opens with a double click", async () => {
    const sample = await view.show();
    // Nearly all of it is the segment of one entry function.
    const physics = entryMark(sample.shown.content, indexOf(sample, "physics.cpp"), 0);
    await view.bar("physics.cpp").click();
    expect(await view.sent()).toEqual([{ type: "mark", action: "select", revision: 1, mark: physics }]);
    await expect.poll(() => view.bar("physics.cpp").getAttribute("aria-selected")).toBe("true");
    // Selected and pointed at, it has one name.
    await drawn(view.panel.page);
    expect(await view.panel.page.locator(".above text").filter({ hasText: "physics.cpp" }).count()).toBe(1);
    await view.bar("solver.cpp").dblclick();
    const solver = indexOf(sample, "solver.cpp");
    expect(await view.sent()).toEqual([
      { type: "mark", action: "select", revision: 1, mark: solver },
      { type: "mark", action: "open", revision: 1, mark: solver },
    ]);
  });

  it("is about the entry function whose segment it is on, by a click and by a double click", async () => {
    const sample = await view.show();
    const { page } = view.panel;
    const mpi = indexOf(sample, "MPI");
    for (const at of [1, 0]) {
      const mark = entryMark(sample.shown.content, mpi, at);
      const middle = async () => {
        const box = await page.locator(`.drawing [data-mark="${mark}"]`).boundingBox();
        const { x, y, width, height } = box ?? expect.fail("no segment");
        return [x + width / 2, y + height / 2] as const;
      };
      await page.mouse.click(...(await middle()));
      expect(await view.sent()).toEqual([{ type: "mark", action: "select", revision: 1, mark }]);
      // The whole is selected.
      await expect.poll(() => view.bar("MPI").getAttribute("aria-selected")).toBe("true");
      // What is said of what was selected takes room from the drawing.
      await drawn(page);
      await page.mouse.dblclick(...(await middle()));
      expect((await view.sent()).at(-1)).toEqual({ type: "mark", action: "open", revision: 1, mark });
      await expect.poll(() => view.bar("MPI").getAttribute("aria-selected")).toBe("true");
    }
  });

  it("explains a bar: its entries with their costs, where it is called from, what is hidden", async () => {
    const { graph } = await view.show({}, { filter: 1 });
    await view.bar("halo.cpp").hover();
    const tooltip = view.panel.page.getByRole("tooltip");
    const text = await tooltip.innerText();
    const halo = graph.bars.find(({ id }) => id === "halo.cpp");
    for (const entry of halo?.entries ?? []) {
      expect(text).toContain(`entry ${entry.name}`);
      expect(text).toContain(formatValue(entry.inclusive, "s"));
    }
    // A row of it is a line: what it is, a number and its share.
    const heights = await tooltip
      .locator("dd")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(20);
    // A segment that the pointer is at is named with its number.
    expect(text).toMatch(/^here: (globalSum|operator\(\))$/m);
    expect(text).toContain("← solver.cpp");
    expect(text).toContain(formatValue(halo?.hidden ?? NaN, "s"));
    await view.panel.page.keyboard.press("Escape");
    expect(await view.panel.page.getByRole("tooltip").count()).toBe(0);
  });

  it("explains an entry function, and opens it", async () => {
    const sample = await view.show();
    const mpi = indexOf(sample, "MPI");
    const { name, exclusive, own = NaN } = sample.graph.bars[mpi].entries[1];
    const label = await middleOf(view.label(name));
    await view.panel.page.mouse.move(label.x, label.y);
    const text = await view.panel.page.getByRole("tooltip").innerText();
    expect(text).toContain(name);
    expect(text.split("\n")).toEqual(expect.arrayContaining(["in this group", "exclusive"]));
    expect(text).toContain(formatValue(exclusive, "s"));
    expect(text).toContain(formatValue(own, "s"));
    await view.panel.page.mouse.dblclick(label.x, label.y);
    const mark = entryMark(sample.shown.content, mpi, 1);
    expect(await view.sent()).toEqual([
      { type: "mark", action: "select", revision: 1, mark },
      { type: "mark", action: "open", revision: 1, mark },
    ]);
  });

  it("explains a flow", async () => {
    const { graph } = await view.show();
    const [edge] = graph.edges.filter(({ source, target }) => source === "halo.cpp" && target === "MPI");
    const [from, to] = [await middleOf(view.bar("halo.cpp")), await middleOf(view.bar("MPI"))];
    await view.panel.page.mouse.move((from.x + to.x) / 2, from.y);
    const text = await view.panel.page.getByRole("tooltip").innerText();
    expect(text).toContain("halo.cpp → MPI");
    expect(text).toContain(formatValue(edge.inclusive, "s"));
  });

  it("has a menu of its own", async () => {
    const sample = await view.show();
    await view.bar("physics.cpp").click({ button: "right" });
    const items = view.panel.page.getByRole("menuitem");
    await items.filter({ hasText: "Go to entry updateConductivity" }).waitFor();
    // Where it leads, what it shows, what changes it, what is copied.
    expect(await view.panel.page.getByRole("separator").count()).toBe(3);
    await items.filter({ hasText: "Go to hottest line" }).click();
    expect(await view.sent()).toEqual([
      { type: "mark", action: "open", revision: 1, mark: indexOf(sample, "physics.cpp") },
    ]);
    await view.bar("physics.cpp").click({ button: "right" });
    await items.filter({ hasText: "Copy numbers" }).click();
    const [copied] = await view.sent();
    expect(copied.type).toBe("copy");
    expect(copied.text).toContain("physics.cpp");
    await view.bar("physics.cpp").click({ button: "right" });
    await items.filter({ hasText: "Follow hot path" }).click();
    expect(await view.sent()).toEqual([
      { type: "mark", action: "hot-path", revision: 1, mark: indexOf(sample, "physics.cpp") },
    ]);
    await view.bar("physics.cpp").click({ button: "right" });
    await items.filter({ hasText: "Why here?" }).click();
    expect(await view.sent()).toEqual([
      { type: "mark", action: "why", revision: 1, mark: indexOf(sample, "physics.cpp") },
    ]);
  });
});

describe("the keyboard alone", () => {
  it("reaches every bar with one Tab stop and arrows that follow the heaviest flow", async () => {
    const sample = await view.show();
    await view.bar("main.cpp").focus();
    expect(await view.bars().and(view.panel.page.locator('[tabindex="0"]')).count()).toBe(1);
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
      { type: "mark", action: "select", revision: 1, mark: solver },
      { type: "mark", action: "open", revision: 1, mark: solver },
    ]);
  });

  it("goes on to the entry functions of a bar, and back", async () => {
    const sample = await view.show();
    const mpi = indexOf(sample, "MPI");
    await view.bar("MPI").focus();
    await view.panel.page.keyboard.press("Tab");
    await view.panel.page.keyboard.press("ArrowRight");
    await view.panel.page.keyboard.press("Enter");
    const mark = entryMark(sample.shown.content, mpi, 1);
    expect(await view.sent()).toEqual([{ type: "mark", action: "open", revision: 1, mark }]);
    await view.panel.page.keyboard.press("Escape");
    expect(await view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/^MPI,/);
  });

  it("goes down by arrows through the named entry functions of a bar to the next one, and up again", async () => {
    await view.show({ width: 1400 });
    await view.bar("halo.cpp").focus();
    const walk: string[] = [];
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"]) {
      await view.panel.page.keyboard.press(key);
      walk.push(
        await view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label")?.split(",")[0] ?? ""),
      );
    }
    expect(walk).toEqual(["globalSum", "operator()", "globalSum", "halo.cpp", "physics.cpp"]);
    // Past the last one that is named comes the next bar; those that are lower are reached from it by Tab alone.
    await view.bar("halo.cpp").focus();
    for (let presses = 0; presses < 3; presses++) await view.panel.page.keyboard.press("ArrowDown");
    expect(await view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/^MPI,/);
  });

  it("opens the menu, walks it and gives the focus back", async () => {
    const sample = await view.show();
    await view.bar("physics.cpp").focus();
    await view.panel.page.keyboard.press("Shift+F10");
    await view.panel.page.getByRole("menu").waitFor();
    await view.panel.page.keyboard.press("ArrowDown");
    await view.panel.page.keyboard.press("Enter");
    expect(await view.sent()).toEqual([
      { type: "mark", action: "select", revision: 1, mark: indexOf(sample, "physics.cpp") },
    ]);
    expect(await view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(
      /^physics\.cpp/,
    );
    expect(await view.panel.page.getByRole("menu").count()).toBe(0);
  });

  it("shows the tooltip of what has the focus", async () => {
    await view.show();
    await view.bar("solver.cpp").focus();
    await view.panel.page.getByRole("tooltip").filter({ hasText: "entry solve" }).waitFor();
  });
});

describe("the controls", () => {
  const select = (id: string) => view.panel.page.locator(`[data-select="${id}"]`);
  const choose = async (id: string, entry: string) => {
    await select(id).click();
    await view.panel.page.getByRole("menuitemradio", { name: entry }).click();
  };
  const percent = () => view.panel.page.getByLabel("Hide functions below, in percent");
  /** What the host says of the controls when something else was chosen before. */
  const late =
    (filter: number, groupBy: string) =>
    (message: FrameMessage): FrameMessage => ({
      ...message,
      controls: message.controls.map((control) => {
        if (control.kind === "threshold") return { ...control, value: filter };
        return control.kind === "select" && control.id === "groupBy" ? { ...control, value: groupBy } : control;
      }),
    });

  it("choose metric, over ranks and grouping", async () => {
    const { view: of } = await view.show();
    await choose("metric", of.dataSet.metrics[0].name);
    await choose("over", "max over ranks");
    await choose("groupBy", "by function");
    expect(await view.sent()).toEqual([
      { type: "control", id: "metric", value: "0" },
      { type: "control", id: "over", value: "max" },
      { type: "control", id: "groupBy", value: "function" },
    ]);
  });

  it("send nothing when only the host changed them", async () => {
    const sample = await view.show();
    await view.sendFrame(sample, { frame: late(5, "class") });
    await select("groupBy").filter({ hasText: "class" }).waitFor();
    await select("filter").filter({ hasText: "5 %" }).waitFor();
    expect(await view.sent()).toEqual([]);
  });

  it("keep what is being typed, and the list that is open, when an answer to what was chosen before comes late", async () => {
    const sample = await view.show();
    const { page } = view.panel;
    await select("filter").click();
    await percent().fill("5");
    await percent().press("Enter");
    await expect.poll(async () => (await view.sent()).at(-1)).toEqual({ type: "control", id: "filter", value: "5" });
    await percent().fill("7");
    await view.sendFrame(sample, { frame: late(0.1, "file") });
    await view.sendFrame(sample, { frame: late(0.1, "module") });
    await drawn(page);
    expect(await percent().inputValue()).toBe("7");
    await percent().press("Enter");
    await expect.poll(async () => (await view.sent()).at(-1)).toEqual({ type: "control", id: "filter", value: "7" });
    await page.keyboard.press("Escape");
    await select("groupBy").click();
    await view.sendFrame(sample, { frame: late(7, "class") });
    await drawn(page);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    expect(await view.sent()).toEqual([{ type: "control", id: "groupBy", value: "none" }]);
    await select("groupBy").filter({ hasText: "class" }).waitFor();
  });

  it("filter by slider and by text, and say what stays", async () => {
    const { graph } = await view.show();
    const { page } = view.panel;
    await select("filter").click();
    const kept = `${graph.functions} of ${graph.functions + graph.filtered.functions} functions stay`;
    await page.locator(".says").filter({ hasText: kept }).waitFor();
    const slider = page.locator("input[type=range]");
    await slider.focus();
    await page.keyboard.press("Home");
    await expect.poll(async () => (await view.sent()).at(-1)).toEqual({ type: "control", id: "filter", value: "0" });
    await percent().fill("2,5 %");
    await percent().press("Enter");
    await expect.poll(async () => (await view.sent()).at(-1)).toEqual({ type: "control", id: "filter", value: "2.5" });
    expect(await slider.getAttribute("aria-valuetext")).toBe("2.5 %");
    await percent().fill("much");
    await percent().press("Enter");
    expect(await view.sent()).toEqual([]);
  });

  it("search in groups and entry functions: dims the rest, Enter goes on", async () => {
    const sample = await view.show();
    const field = await view.search("pp");
    const count = view.panel.page.locator(".search small");
    await expect.poll(() => count.innerText()).toBe("4 bars");
    await expect.poll(() => view.bars().and(view.panel.page.locator("[fill-opacity]")).count()).toBe(1);
    await field.press("Enter");
    await field.press("Enter");
    await field.press("Shift+Enter");
    const [first, second] = ["main.cpp", "solver.cpp"].map((id) => indexOf(sample, id));
    expect((await view.sent()).map(({ mark }) => mark)).toEqual([first, second, first]);
    await view.search("updateConductivity".toUpperCase());
    await expect.poll(() => count.innerText()).toBe("1 bar");
    await field.press("Escape");
    await expect.poll(() => count.count()).toBe(0);
    await expect.poll(() => view.bars().and(view.panel.page.locator("[fill-opacity]")).count()).toBe(0);
  });

  it("show a restriction as a chip that can be removed", async () => {
    await view.show();
    const chip = view.panel.page.locator(".chip");
    expect(await chip.count()).toBe(0);
    await view.show({}, { ranks: [0, 4] });
    await chip.filter({ hasText: "ranks 0, 4" }).waitFor();
    await view.panel.page.getByRole("button", { name: "Remove ranks 0, 4" }).click();
    expect(await view.sent()).toEqual([{ type: "remove-chip", id: "restriction" }]);
  });

  it("offer histograms and the colour of bars, the second of two graphs, and another recording", async () => {
    await view.show({}, { ranks: [0, 4] });
    const { page } = view.panel;
    await view.tool("look", "Histograms and colour of bars");
    await page.getByRole("menuitemradio", { name: "histograms of inclusive" }).click();
    await view.tool("look", "Histograms and colour of bars");
    await page.getByRole("menuitemradio", { name: "colour: difference" }).click();
    await page.getByRole("button", { name: "Others below", pressed: true }).click();
    await page.locator('[data-tool="compare"]').click();
    expect(await view.sent()).toEqual([
      { type: "control", id: "look", value: "histograms inclusive" },
      { type: "control", id: "look", value: "colour difference" },
      { type: "control", id: "below", value: "" },
      { type: "control", id: "compare", value: "" },
    ]);
  });
});

describe("a small histogram", () => {
  it("is about its bar: explains it, selects it, and is shown large by a click", async () => {
    const sample = await view.show();
    const { page } = view.panel;
    const place = async () => {
      const { x: left = NaN } = (await view.label("MPI").boundingBox()) ?? {};
      const grounds = page.locator(".above polygon[fill-opacity]");
      const boxes = await grounds.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
      );
      const { x, y, width, height } = boxes.find((box) => Math.abs(box.x - left) < 8) ?? expect.fail("no histogram");
      return [x + width / 2, y + height / 2] as const;
    };
    await page.mouse.move(...(await place()));
    await page.getByRole("tooltip").filter({ hasText: "exclusive over ranks" }).waitFor();
    await page.mouse.click(...(await place()));
    const mark = indexOf(sample, "MPI");
    expect(await view.sent()).toEqual([
      { type: "mark", action: "select", revision: 1, mark },
      { type: "mark", action: "histogram", revision: 1, mark },
    ]);
    // What is said of what was selected takes room from the drawing.
    await drawn(page);
    await page.mouse.dblclick(...(await place()));
    expect((await view.sent()).map(({ action }) => action)).toEqual(["select", "histogram", "open"]);
  });
});

describe("the table", () => {
  it("has the same numbers, sorts, and does the same", async () => {
    const sample = await view.show();
    await view.tool("table", "Table");
    const [bars, flows] = [view.panel.page.getByRole("grid").nth(0), view.panel.page.getByRole("grid").nth(1)];
    const rows = async (table: typeof bars) =>
      table
        .locator("tbody tr")
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    const { graph } = sample;
    await bars.locator("tbody tr").first().waitFor();
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
    expect(await view.sent()).toEqual([
      { type: "mark", action: "open", revision: 1, mark: indexOf(sample, "halo.cpp") },
    ]);
  });

  it("stays as people read it until something else is selected", async () => {
    const sample = await view.show({ height: 420 });
    const { panel } = view;
    await view.tool("table", "Table");
    const slot = panel.page.locator(".table-slot");
    const sortedBy = () => slot.locator("th[aria-sort]").first().innerText();
    await slot.getByRole("button", { name: "max", exact: true }).click();
    await slot.locator("tbody tr").filter({ hasText: "main.cpp" }).first().click();
    await drawn(panel.page);
    const scrolledTo = () => slot.evaluate(({ scrollTop }) => scrollTop);
    const read = await slot.evaluate((element) => {
      element.scrollTop = 100_000;
      return element.scrollTop;
    });
    expect(read).toBeGreaterThan(100);
    const [{ content }, parts] = [
      sample.shown,
      await partsOf(definition, sample.shown, await viewIn(panel, sample.view)),
    ];
    const select = (revision: number, name: string) =>
      panel.send({ type: "selection", revision, mark: indexOf(sample, name) });
    // Colours and histograms of the same graph, then the same graph made again, without histograms at first.
    await view.sendParts(sample);
    await drawn(panel.page);
    expect(await scrolledTo()).toBe(read);
    await panel.send({ type: "content", revision: 2, content });
    for (const part of parts) {
      await panel.send({ type: "part", revision: 2, part });
      await drawn(panel.page);
      expect(await sortedBy()).toMatch(part === parts[0] ? "inclusive" : /^(inclusive|max)$/);
    }
    await select(2, "main.cpp");
    await drawn(panel.page);
    expect(await sortedBy()).toBe("max");
    expect(await slot.locator('tr[aria-selected="true"]').count()).toBeGreaterThan(0);
    expect(await scrolledTo()).toBe(read);
    await select(2, "halo.cpp");
    await drawn(panel.page);
    expect(await scrolledTo()).toBeLessThan(read);
  });

  it("keeps, of what is found, flows from and to it and its entry functions", async () => {
    const { graph } = await view.show();
    await view.tool("table", "Table");
    await view.search("solver.cpp");
    const [bars, flows, entries] = await Promise.all(
      [0, 1, 2].map((table) =>
        view.panel.page
          .getByRole("grid")
          .nth(table)
          .locator("tbody tr")
          .evaluateAll((rows) => rows.map(({ children }) => [...children].slice(0, 2).map((cell) => cell.textContent))),
      ),
    );
    const isIt = (id: string) => id === "solver.cpp";
    const ofIt = graph.edges.filter(({ source, target }) => isIt(source) || isIt(target));
    expect(new Set(ofIt.map(({ source }) => isIt(source)))).toEqual(new Set([true, false]));
    expect(bars.map(([name]) => name)).toEqual(["solver.cpp"]);
    expect(flows.sort()).toEqual(ofIt.map(({ source, target }) => [source, target]).sort());
    const own = graph.bars.find(({ id }) => isIt(id))?.entries ?? [];
    expect(entries.sort()).toEqual(own.map(({ name }) => [name, "solver.cpp"]).sort());
  });

  it("does what a row was pressed for, whatever comes before the release", async () => {
    const sample = await view.show();
    const { page } = view.panel;
    await view.tool("table", "Table");
    const row = page.getByRole("grid").nth(0).locator("tbody tr").filter({ hasText: "solver.cpp" });
    const { x, y } = await middleOf(row);
    const mark = indexOf(sample, "solver.cpp");
    await view.sent();
    await page.mouse.move(x, y);
    await page.mouse.down();
    // The same graph with its bars in another order of rows: all rows are drawn anew.
    await view.sendGraph(sample, { revision: 2 });
    await drawn(page);
    await page.mouse.up();
    expect(await view.sent()).toEqual([{ type: "mark", action: "select", revision: 2, mark }]);
    await expect.poll(() => row.getAttribute("aria-selected")).toBe("true");

    // Another graph, in which the bar has another number.
    const bars = [...sample.graph.bars].reverse();
    const other = { ...sample, shown: shownOf({ ...sample.graph, bars }, sample), graph: { ...sample.graph, bars } };
    await drawn(page);
    const at = await middleOf(row);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    const part = layoutOf(other.shown, { width: 1000, height: 500 });
    await view.sendGraph(other, { revision: 3, parts: (own) => (own.kind === "layout" ? part : own) });
    await drawn(page);
    await page.mouse.up();
    const [first] = await view.sent();
    expect(first).toEqual({ type: "mark", action: "select", revision: 3, mark: indexOf(other, "solver.cpp") });
    expect(indexOf(other, "solver.cpp")).not.toBe(mark);

    // A double click, between whose presses and releases rows are drawn anew.
    await drawn(page);
    const again = await middleOf(row);
    await page.mouse.move(again.x, again.y);
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount });
      await view.sendGraph(other, { revision: 4, parts: (own) => (own.kind === "layout" ? part : own) });
      await page.mouse.up({ clickCount });
    }
    expect((await view.sent()).map(({ action }) => action)).toContain("open");
  });

  it("does what is asked of an entry function that is too small to be drawn", async () => {
    const sample = await view.show();
    const { page } = view.panel;
    await view.tool("table", "Table");
    const bar = indexOf(sample, "MPI");
    const { name } = sample.graph.bars[bar].entries[2];
    for (let zoom = 0; zoom < 5; zoom++) await view.tool("zoom-out", "Zoom out");
    // What draws nothing has no element until the keyboard comes to it.
    await expect.poll(() => view.entry(name).count()).toBe(0);
    const mark = entryMark(sample.shown.content, bar, 2);
    const row = page.getByRole("grid").nth(2).locator("tbody tr").filter({ hasText: name }).first();
    await view.sent();
    await row.dblclick();
    await row.click({ button: "right" });
    await page.getByRole("menu", { name }).getByRole("menuitem", { name: "Why here?" }).click();
    const [first, ...others] = await view.sent();
    expect(first).toEqual({ type: "mark", action: "select", revision: 1, mark });
    expect(others.filter(({ action }) => action !== "select")).toEqual([
      { type: "mark", action: "open", revision: 1, mark },
      { type: "mark", action: "why", revision: 1, mark: bar },
    ]);
  });
});
