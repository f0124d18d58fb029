import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { describe, expect, it, vi } from "vitest";
import { formatShare, formatValue } from "../../src/model/units";
import { miniheat } from "../recordings";
import { useFlameGraph } from "./useFlameGraph";
import { doubleClickAround, drawn, screenshot, type Sent, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useFlameGraph();

interface GoldenRecord {
  readonly path?: string;
  readonly "mpi.rank"?: number;
  readonly "sum#sum#time.duration": number;
}

/** Mean inclusive seconds over the 8 ranks by path, added up here from the recording tool's own dump. */
function goldenInclusive(): Map<string, number> {
  const file = path.join(miniheat, "profiles/golden/profile-8ranks.records.json");
  const records = JSON.parse(fs.readFileSync(file, "utf8")) as GoldenRecord[];
  const sums = new Map<string, number>();
  for (const record of records) {
    if (record["mpi.rank"] === undefined) continue;
    const names = record.path === undefined ? ["(no region)"] : record.path.split("/");
    names.forEach((_, step) => {
      const key = names.slice(0, step + 1).join("/");
      sums.set(key, (sums.get(key) ?? 0) + record["sum#sum#time.duration"] / 8);
    });
  }
  return sums;
}

describe("the flame graph of the sample", () => {
  it("has a rectangle for every path of the recording tool's dump, with its inclusive", async () => {
    await view.show();
    const {
      depth,
      parent,
      name,
      names,
      inclusive,
      width,
      drawn: total,
    } = await view.answer({
      pane: "recording",
      from: 0,
      to: 1,
      width: 20_000,
      firstDepth: 0,
      endDepth: 50,
    });
    const paths: string[] = [];
    depth.forEach((_, at) => paths.push(parent[at] < 0 ? names[name[at]] : `${paths[parent[at]]}/${names[name[at]]}`));
    const golden = [...goldenInclusive()].filter(([, value]) => value > total / 20_000);
    expect(golden.length).toBeGreaterThan(15);
    for (const [key, value] of golden) {
      const at = paths.indexOf(key);
      expect(at, key).toBeGreaterThanOrEqual(0);
      expect(inclusive[at]).toBeCloseTo(value, 5);
      expect(width[at] * total).toBeCloseTo(value, 5);
    }
  });

  it("is walked with the arrow keys, and says what it is at", async () => {
    await view.show();
    await view.panel.page.locator(".drawing").focus();
    expect(await view.current()).toBe(
      `main, inclusive ${formatValue(goldenInclusive().get("main") ?? NaN, "s")} (100 %), exclusive 25.7 ms (0.955 %), level 1`,
    );
    await view.panel.page.keyboard.press("ArrowDown");
    expect(await view.current()).toMatch(/^timestep,/);
    await view.panel.page.keyboard.press("ArrowDown");
    expect(await view.current()).toMatch(/^advance,/);
    expect(await view.panel.page.locator('[aria-live="polite"]').innerText()).toMatch(/^advance, inclusive/);
    await view.panel.page.keyboard.press("ArrowUp");
    expect(await view.current()).toMatch(/^timestep,/);
    await view.panel.page.keyboard.press("Space");
    await view.panel.page.keyboard.press("Enter");
    const sent = (await view.settle()).filter(({ type }) => type === "select" || type === "open");
    expect(sent.map(({ type }) => type)).toEqual(["select", "open"]);
    const details = await view.engine.flameDetails({ query: view.query("recording"), node: Number(sent[0].node) });
    expect(details.path).toEqual(["main", "timestep"]);
    expect(sent[1].node).toBe(sent[0].node);
  });

  it("zooms to a rectangle and back, by key, by Shift and click, by wheel, by breadcrumb", async () => {
    await view.show();
    const { page } = view.panel;
    await page.locator(".drawing").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "z"]) await page.keyboard.press(key);
    await view.settle();
    const crumbs = page.locator(".crumbs button");
    await expect.poll(() => crumbs.allInnerTexts()).toEqual(["all", "main", "timestep", "advance", expect.any(String)]);
    const box = await page.locator('[role="treeitem"]').boundingBox();
    const area = await page.locator(".drawing").boundingBox();
    expect(box?.width).toBeGreaterThan((area?.width ?? 0) * 0.99);
    await crumbs.nth(0).click();
    await view.settle();
    expect(await crumbs.allInnerTexts()).toEqual(["all"]);
    await page.mouse.move((area?.x ?? 0) + 200, (area?.y ?? 0) + 50);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await view.settle();
    const kept = (await view.panel.kept()) as { zooms: { recording: { from: number; to: number } } };
    expect(kept.zooms.recording.to - kept.zooms.recording.from).toBeCloseTo(Math.exp(-1.5), 2);
    await page.keyboard.down("Shift");
    await page.mouse.click((area?.x ?? 0) + 5, (area?.y ?? 0) + 9);
    await page.keyboard.up("Shift");
    await view.settle();
    expect((await view.settle()).filter(({ type }) => type === "select")).toEqual([]);
  });

  it("dims what a search does not find, and says the found share", async () => {
    await view.show();
    const { page } = view.panel;
    await page.locator('vscode-text-field[placeholder="Search"] input').fill("MPI_");
    await view.settle();
    const golden = [...goldenInclusive()].filter(([key]) => /\/MPI_\w+$|^MPI_\w+$/.test(key));
    const sum = golden.reduce((all, [, value]) => all + value, 0);
    const total = 21.525861 / 8; // supergraph.json of the sample
    const found = await page.locator(".found").innerText();
    expect(found).toContain(`${formatValue(sum, "s")} (${formatShare(sum / total)})`);
    expect(found).toContain(`${golden.length} rectangles found`);
    await page.keyboard.press("Enter");
    const [selected] = (await view.settle()).filter(({ type }) => type === "select");
    const { path: names } = await view.engine.flameDetails({
      query: view.query("recording"),
      node: Number(selected.node),
    });
    expect(names.at(-1)).toMatch(/^MPI_/);
    await screenshot(page, "flame-search");
  });

  it("shows what is chosen in full, and says it where a panel is too narrow", async () => {
    await view.show({}, { width: 600 });
    const lists = view.panel.page.locator("vscode-dropdown:visible");
    const cut = await lists.evaluateAll((all) =>
      all.flatMap((list) => {
        const text = list.shadowRoot?.querySelector(".selected-value");
        return text && text.scrollWidth > text.clientWidth ? [text.textContent] : [];
      }),
    );
    expect(cut).toEqual([]);
    const show = view.panel.page.locator('vscode-dropdown[aria-label="Show"]');
    expect(await show.getAttribute("title")).toBe("whole recording");
  });

  it("shows a tooltip with path and line once the host has told them", async () => {
    await view.show();
    const { page } = view.panel;
    const area = await page.locator(".drawing").boundingBox();
    await page.mouse.move((area?.x ?? 0) + 100, (area?.y ?? 0) + 28);
    await page.getByRole("tooltip").waitFor();
    let asked: Sent | undefined;
    await expect.poll(async () => (asked = (await view.settle()).find(({ type }) => type === "explain"))).toBeTruthy();
    const node = Number(asked?.node);
    const { path: names } = await view.engine.flameDetails({ query: view.query("recording"), node });
    await view.panel.send({
      type: "explained",
      pane: "recording",
      revision: 1,
      node,
      path: names,
      pathBefore: 0,
      contexts: 1,
      place: "main.cpp:74",
    });
    await page.getByText("main › timestep").waitFor();
    await page.getByText("main.cpp:74").waitFor();
    await screenshot(page, "flame-tooltip");
  });

  it("selects what is clicked, and highlights and reveals what is selected elsewhere", async () => {
    await view.show();
    const { page } = view.panel;
    const area = await page.locator(".drawing").boundingBox();
    await page.mouse.click((area?.x ?? 0) + 100, (area?.y ?? 0) + 28);
    expect((await view.settle()).filter(({ type }) => type === "select")).toHaveLength(1);
    const rows = await view.engine.hotFunctions({ scope: view.query("recording").scope, by: "inclusive", limit: 1000 });
    const id = rows.find(({ name }) => name === "initialTemperature")?.function ?? -1;
    const place = await view.engine.flamePlace({
      query: view.query("recording"),
      target: { kind: "function", function: id },
    });
    const { drawn: width } = await view.answer({
      pane: "recording",
      from: 0,
      to: 1,
      width: 1,
      firstDepth: 0,
      endDepth: 0,
    });
    const shown = { ...place, x: (place?.x ?? 0) / width, width: (place?.width ?? 0) / width };
    await view.panel.send({ type: "selection", pane: "recording", revision: 1, place: shown });
    await view.settle();
    const selected = page.locator('[role="treeitem"][aria-selected="true"]');
    await expect.poll(() => selected.getAttribute("aria-label")).toMatch(/^initialTemperature,/);
    expect((await selected.boundingBox())?.width).toBeGreaterThan(3);
  });

  it("opens what a double click began on, though a notice moves it before the second click", async () => {
    await view.show();
    const { page } = view.panel;
    const area = await page.locator(".pane.recording .drawing").boundingBox();
    const at = { x: (area?.x ?? 0) + 100, y: (area?.y ?? 0) + 28 };
    await doubleClickAround(page, at, async () => {
      await view.panel.send({ type: "notice", message: "Something to be said. ".repeat(60) });
      await expect
        .poll(async () => (await page.locator(".pane.recording .drawing").boundingBox())?.y)
        .toBeGreaterThan(at.y);
    });
    const opened = (await view.settle()).filter(({ type }) => type === "open");
    const { node, depth } = await view.answer({
      ...{ pane: "recording", from: 0, to: 1, width: 1400, firstDepth: 0, endDepth: 9 },
    });
    expect(opened).toEqual([{ type: "open", pane: "recording", revision: 1, node: node[depth.indexOf(1)] }]);
  });

  it("opens no row of rectangles that others took the place of during a double click", async () => {
    await view.show();
    const { page } = view.panel;
    await page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await view.settle();
    const row = await page.locator(".twin tbody tr").nth(3).boundingBox();
    const message = await view.answer({
      ...{ pane: "recording", from: 0, to: 1, width: 1400, firstDepth: 0, endDepth: 40 },
    });
    const at = { x: (row?.x ?? 0) + 20, y: (row?.y ?? 0) + (row?.height ?? 0) / 2 };
    await doubleClickAround(page, at, async () => {
      await view.panel.send({ ...message, revision: 2, node: message.node.map((node) => node + 1000) });
      await drawn(page);
    });
    const sent = await view.settle();
    expect(sent.some(({ type }) => type === "select")).toBe(true);
    expect(sent.filter(({ type }) => type === "open")).toEqual([]);
  });

  it("comes back after a reload as it was", async () => {
    const kept = {
      files: ["/recordings/profile-8ranks.cali"],
      mode: "recording",
      order: "left-heavy",
      colour: "exclusive",
      zooms: { recording: { from: 0.25, to: 0.5, row: 0 } },
      table: true,
      search: "solve",
    };
    await view.show({}, { kept });
    await view.panel.page.locator(".twin tbody tr").first().waitFor();
    expect(await view.panel.page.locator(".found").innerText()).toMatch(/found/);
    expect(await view.panel.kept()).toEqual(kept);
    const table = (pressed: boolean) =>
      view.panel.page.getByRole("button", { name: "Table: the same numbers as rows", pressed });
    await table(true).click();
    await table(false).waitFor();
    expect(await view.panel.page.locator(".twin").isVisible()).toBe(false);
  });

  it("is saved as CSV with full precision, as SVG and as PNG", async () => {
    await view.show();
    const { page } = view.panel;
    for (const format of ["csv", "svg", "png"] as const) {
      await page.getByRole("button", { name: "Save…" }).click();
      await page.getByRole("menuitem", { name: `Save as ${format.toUpperCase()}` }).click();
      let saved: Sent | undefined;
      await expect.poll(async () => (saved = (await view.settle()).find(({ type }) => type === "save"))).toBeTruthy();
      const content = String(saved?.content);
      if (format === "png") expect(content).toMatch(/^iVBORw0KGgo/);
      if (format === "svg") {
        const problems = await page.evaluate(
          (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror").length,
          content,
        );
        expect(problems).toBe(0);
        expect(content).toContain(">main<");
      }
      if (format === "csv") {
        const main = content.split("\r\n").find((line) => line.startsWith("recording,main,1,"));
        expect(Number(main?.split(",")[3])).toBeCloseTo(goldenInclusive().get("main") ?? NaN, 6);
      }
    }
  });
});

describe("the sandwich of MPI_Allreduce", () => {
  it("has globalSum above it, and both halves have its inclusive", async () => {
    await view.show({ mode: "sandwich", name: "MPI_Allreduce" });
    const { page } = view.panel;
    const golden = [...goldenInclusive()].filter(([key]) => key.endsWith("/MPI_Allreduce"));
    const sum = golden.reduce((all, [, value]) => all + value, 0);
    const text = `MPI_Allreduce, inclusive ${formatValue(sum, "s")} `;
    for (const pane of ["callers", "callees"] as const) {
      await page.locator(`.${pane} .drawing`).focus();
      await expect.poll(() => page.locator(`.${pane} [role="treeitem"]`).getAttribute("aria-label")).toContain(text);
    }
    await page.locator(".callers .drawing").focus();
    await page.keyboard.press("ArrowUp");
    await expect
      .poll(() => page.locator('.callers [role="treeitem"]').getAttribute("aria-label"))
      .toMatch(new RegExp(`^globalSum, inclusive ${formatValue(sum, "s")} `));
    await screenshot(page, "flame-sandwich");
  });
});

describe("inside solver.cpp", () => {
  it("are its contexts, with what is called out of it by name", async () => {
    await view.show({ mode: "bar", name: "solver.cpp" });
    await screenshot(view.panel.page, "flame-inside");
    const {
      names,
      drawn: width,
      flags,
    } = await view.answer({
      pane: "bar",
      from: 0,
      to: 1,
      width: 5000,
      firstDepth: 0,
      endDepth: 20,
    });
    const graph = await view.engine.superGraph({ scope: view.query("bar").scope, filter: 0.1, groupBy: "file" });
    expect(width).toBeCloseTo(graph.bars.find(({ id }) => id === "solver.cpp")?.inclusive ?? NaN, 9);
    expect(names).toContain("solve");
    expect(names).toContain("→ halo.cpp");
    expect(flags.some((flag) => (flag & 2) !== 0)).toBe(true);
  });
});

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.each(themeNames)("in %s", (theme) => {
  it.each([1400, 600, 400])("fits into %i pixels, and nothing is inaccessible", async (width) => {
    const height = width === 1400 ? 600 : 640;
    await view.show({ colour: width === 600 ? "file" : "exclusive" }, { theme, width, height });
    const { page } = view.panel;
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.locator(".drawing").focus();
    await page.keyboard.press("ArrowDown");
    await page.evaluate(axe);
    const findings = await page.evaluate(async () => {
      const run = (
        window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
      ).axe;
      return (await run.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
    });
    expect(findings).toEqual([]);
    if (width === 1400) {
      await page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
      await view.settle();
    }
    await drawn(page);
    await screenshot(page, `flame-${theme}-${width}`);
  });
});
