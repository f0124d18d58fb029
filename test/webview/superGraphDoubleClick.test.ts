import { describe, expect, it, vi } from "vitest";
import type { GraphMessage } from "../../src/protocol/superGraph";
import { sameBar } from "../../webviews/superGraph/sameBar";
import { type Sample, sampleControls, sampleGraph } from "./miniheatGraph";
import { indexOf, useSuperGraph } from "./useSuperGraph";
import { doubleClickAround, drawn, middleOf } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

/** What the panel says above the drawing: it takes room from it. */
async function say(): Promise<void> {
  const { page } = view.panel;
  const top = async () => (await page.locator("svg.graph").boundingBox())?.y ?? 0;
  const before = await top();
  await view.panel.send({ type: "notice", message: "Something to be said. ".repeat(150) });
  await expect.poll(top).toBeGreaterThan(before + 50);
  await drawn(page);
}

/** The graph after a step that leaves bars out, and so numbers the others anew. */
function another(query: Parameters<typeof sampleGraph>[1] = withoutMain): Promise<Sample> {
  return sampleGraph({ width: 1000, height: 500 }, query);
}

const withoutMain = { operations: [{ kind: "hide", target: { group: "main.cpp" } }] } as const;

async function redraw({ message, graph }: Sample): Promise<void> {
  await view.sendGraph({ ...message, revision: 2 });
  await expect.poll(() => view.panel.page.locator(".bar").count()).toBe(graph.bars.length);
  await drawn(view.panel.page);
}

/** The upper left corner of a bar, beside its entry functions. */
async function edgeOf(bar: string): Promise<{ x: number; y: number }> {
  const { x, y } = (await view.bar(bar).boundingBox()) ?? { x: 0, y: 0 };
  return { x: x + 3, y: y + 8 };
}

/** Whether the page's element there is, or is in, one of these. */
function isAt({ x, y }: { x: number; y: number }, selector: string): Promise<boolean> {
  return view.panel.page.evaluate(({ x, y, selector }) => document.elementFromPoint(x, y)?.closest(selector) !== null, {
    x,
    y,
    selector,
  });
}

describe("a double click", () => {
  it("opens the bar that its first click hit, though a notice moves the drawing away before the second", async () => {
    const sample = await view.show();
    const physics = indexOf(sample, "physics.cpp");
    const at = await edgeOf("physics.cpp");
    expect(await isAt(at, `.bar[data-bar="${physics}"]`)).toBe(true);
    await doubleClickAround(view.panel.page, at, say);
    expect(await isAt(at, `[data-bar="${physics}"]`)).toBe(false);
    expect(await view.sent()).toEqual([
      { type: "select", revision: 1, bar: physics },
      { type: "open", revision: 1, bar: physics },
    ]);
  });

  it("selects no text", async () => {
    await view.show();
    await view.bar("physics.cpp").dblclick();
    await drawn(view.panel.page);
    expect(await view.panel.page.evaluate(() => getSelection()?.toString())).toBe("");
  });

  it("opens the entry function that its first click hit", async () => {
    const sample = await view.show();
    const mpi = indexOf(sample, "MPI");
    const square = view.panel.page.locator(`.entry[data-bar="${mpi}"]`).nth(1);
    const at = await middleOf(square);
    await doubleClickAround(view.panel.page, at, say);
    expect(await isAt(at, `.entry[data-bar="${mpi}"][data-entry="1"]`)).toBe(false);
    expect((await view.sent()).at(-1)).toEqual({ type: "open", revision: 1, bar: mpi, entry: 1 });
  });

  it("opens the same bar of another graph that comes between its clicks", async () => {
    const before = await view.show();
    const after = await another();
    const [then, now] = [indexOf(before, "physics.cpp"), indexOf(after, "physics.cpp")];
    expect(now).toBeGreaterThanOrEqual(0);
    expect(now).not.toBe(then);
    await doubleClickAround(view.panel.page, await edgeOf("physics.cpp"), () => redraw(after));
    expect(await view.sent()).toEqual([
      { type: "select", revision: 1, bar: then },
      { type: "open", revision: 2, bar: now },
    ]);
  });

  it("opens nothing where the other graph has no such bar", async () => {
    await view.show();
    const after = await another({ groupBy: "module" });
    await doubleClickAround(view.panel.page, await edgeOf("physics.cpp"), () => redraw(after));
    expect((await view.sent()).filter(({ type }) => type === "open")).toEqual([]);
  });

  it("that begins beside the bars opens nothing, whatever comes under the pointer", async () => {
    await view.show();
    await view.bar("physics.cpp").click();
    const box = await view.panel.page.locator("svg.graph").boundingBox();
    const at = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) - 2 };
    expect(await isAt(at, "[data-bar]")).toBe(false);
    await doubleClickAround(view.panel.page, at, say);
    expect((await view.sent()).map(({ type }) => type)).toEqual(["select"]);
  });

  it("opens the row of the table that its first click hit", async () => {
    const sample = await view.show();
    await view.panel.send({ ...sampleControls, halves: { ...sampleControls.halves, histograms: "off" } });
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await drawn(view.panel.page);
    const row = view.panel.page.locator(".twin table").nth(0).locator("tbody tr").filter({ hasText: "physics.cpp" });
    const at = await middleOf(row);
    const after = await another();
    await doubleClickAround(view.panel.page, at, () => redraw(after));
    expect(await view.sent()).toEqual([
      { type: "select", revision: 1, bar: indexOf(sample, "physics.cpp") },
      { type: "open", revision: 2, bar: indexOf(after, "physics.cpp") },
    ]);
  });
});

describe("a menu that is open when another graph comes", () => {
  it.each([
    ["Open hottest line", "open"],
    ["Select in all views", "select"],
    ["Show histogram", "histogram"],
    ["Why here?", "why"],
    ["Correlate with…", "correlate"],
    ["Follow hot path", "hot-path"],
    ["Look inside", "look-inside"],
  ])("is still about its own bar: %s", async (entry, type) => {
    const sample = await view.show();
    const after = await another();
    await view.bar("physics.cpp").click({ button: "right" });
    await redraw(after);
    await view.panel.page.getByRole("menuitem", { name: entry }).click();
    const now = indexOf(after, "physics.cpp");
    expect(now).not.toBe(indexOf(sample, "physics.cpp"));
    expect(await view.sent()).toEqual([{ type, revision: 2, bar: now }]);
  });
});

describe("the same bar of another graph", () => {
  const of = (revision: number, bars: readonly unknown[]) => ({ revision, bars }) as unknown as GraphMessage;
  const bar = (group: string, visit: number, entries: readonly unknown[] = []) => ({ group, visit, entries });

  it("is told from one whose name reads alike", () => {
    const before = of(1, [bar("main", 1), bar("main", 2), bar("main (2)", 1)]);
    const after = of(2, [bar("main (2)", 1), bar("main", 1), bar("main", 2)]);
    expect(sameBar(before, { bar: 1 }, after)).toEqual({ bar: 2 });
    expect(sameBar(before, { bar: 2 }, after)).toEqual({ bar: 0 });
  });

  it("has its entries told by their places, where they have one name", () => {
    const entries = ["a.c:3", "b.c:9"].map((place) => ({ name: "init", place }));
    const [before, after] = [of(1, [bar("lib", 1, entries)]), of(2, [bar("lib", 1, [...entries].reverse())])];
    expect(sameBar(before, { bar: 0, entry: 1 }, after)).toEqual({ bar: 0, entry: 0 });
  });
});
