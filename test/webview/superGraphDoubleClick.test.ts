import { describe, expect, it, vi } from "vitest";
import { withPart } from "../../webviews/superGraph/graph";
import { draw } from "../../webviews/superGraph/scene";
import { plainTheme } from "./kit/plainTheme";
import { entryMark, indexOf, layoutOf, type Sample, sampleGraph, type SampleQuery, shownOf } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { doubleClickAround, drawn, middleOf } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

/** What the panel says above the drawing: it takes room from it. */
async function say(): Promise<void> {
  const { page } = view.panel;
  const top = async () => (await page.locator(".drawing").boundingBox())?.y ?? 0;
  const before = await top();
  await view.panel.send({ type: "notice", message: "Something to be said. ".repeat(150) });
  await expect.poll(top).toBeGreaterThan(before + 20);
  await drawn(page);
}

/** The graph after a step that leaves bars out, and so numbers the others anew. */
function another(query: SampleQuery = withoutMain): Promise<Sample> {
  return sampleGraph(query);
}

const withoutMain = { operations: [{ kind: "hide", target: { group: "main.cpp" } }] } as const;

async function redraw(sample: Sample): Promise<void> {
  await view.sendGraph(sample, { revision: 2 });
  await expect.poll(() => view.bars().count()).toBe(sample.graph.bars.length);
  await drawn(view.panel.page);
}

/** The upper left corner of a bar, beside its entry functions. */
async function edgeOf(bar: string): Promise<{ x: number; y: number }> {
  const { x, y } = (await view.bar(bar).boundingBox()) ?? { x: 0, y: 0 };
  return { x: x + 3, y: y + 8 };
}

/** Whether a mark of the drawing lies there, or, without one, any. */
function isAt({ x, y }: { x: number; y: number }, mark?: number): Promise<boolean> {
  const selector = mark === undefined ? "[data-mark]" : `[data-mark="${mark}"]`;
  return view.panel.page.evaluate(({ x, y, selector }) => document.elementFromPoint(x, y)?.closest(selector) !== null, {
    x,
    y,
    selector,
  });
}

describe("a double click", () => {
  it("opens the bar that its first click hit, though a notice moves the drawing away before the second", async () => {
    const sample = await view.show();
    const main = indexOf(sample, "main.cpp");
    const { x, y } = await edgeOf("main.cpp");
    // At its upper edge: the row of the notice moves it away.
    const at = { x, y: y - 4 };
    expect(await isAt(at, main)).toBe(true);
    await doubleClickAround(view.panel.page, at, say);
    expect(await isAt(at, main)).toBe(false);
    expect(await view.sent()).toEqual([
      { type: "mark", action: "select", revision: 1, mark: main },
      { type: "mark", action: "open", revision: 1, mark: main },
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
    const mark = entryMark(sample.shown.content, mpi, 1);
    const at = await middleOf(view.label(sample.graph.bars[mpi].entries[1].name));
    await doubleClickAround(view.panel.page, at, say);
    expect(await isAt(at, mark)).toBe(false);
    expect((await view.sent()).at(-1)).toEqual({ type: "mark", action: "open", revision: 1, mark });
  });

  it("opens the same bar of another graph that comes between its clicks", async () => {
    const before = await view.show();
    const after = await another();
    const firstEntry = (one: typeof before) => entryMark(one.shown.content, indexOf(one, "physics.cpp"), 0);
    const [then, now] = [firstEntry(before), firstEntry(after)];
    expect(now).toBeGreaterThanOrEqual(0);
    expect(now).not.toBe(then);
    await doubleClickAround(view.panel.page, await edgeOf("physics.cpp"), () => redraw(after));
    expect(await view.sent()).toEqual([
      { type: "mark", action: "select", revision: 1, mark: then },
      { type: "mark", action: "open", revision: 2, mark: now },
    ]);
  });

  it("opens nothing where the other graph has no such bar", async () => {
    await view.show();
    const after = await another({ groupBy: "module" });
    await doubleClickAround(view.panel.page, await edgeOf("physics.cpp"), () => redraw(after));
    expect((await view.sent()).filter(({ action }) => action === "open")).toEqual([]);
  });

  it("that begins beside the bars opens nothing, whatever comes under the pointer", async () => {
    await view.show();
    await view.bar("physics.cpp").click();
    const box = await view.panel.page.locator(".drawing").boundingBox();
    const at = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) - 2 };
    expect(await isAt(at)).toBe(false);
    await doubleClickAround(view.panel.page, at, say);
    expect((await view.sent()).map(({ action }) => action)).toEqual(["select"]);
  });

  it("opens the row of the table that its first click hit", async () => {
    const sample = await view.show();
    await view.tool("table", "Table");
    await drawn(view.panel.page);
    const row = view.panel.page.getByRole("grid").nth(0).locator("tbody tr").filter({ hasText: "physics.cpp" });
    const at = await middleOf(row);
    const after = await another();
    await doubleClickAround(view.panel.page, at, () => redraw(after));
    expect(await view.sent()).toEqual([
      { type: "mark", action: "select", revision: 1, mark: indexOf(sample, "physics.cpp") },
      { type: "mark", action: "open", revision: 2, mark: indexOf(after, "physics.cpp") },
    ]);
  });
});

describe("what is said of the row that a first click selected", () => {
  it.each(["first", "last"] as const)("does not move the %s row from under the pointer", async (which) => {
    const sample = await view.show();
    const { page } = view.panel;
    await view.tool("table", "Table");
    await drawn(page);
    const row = page.getByRole("grid").nth(0).locator("tbody tr")[which]();
    const name = await row.locator("td").first().textContent();
    const at = await middleOf(row);
    await doubleClickAround(page, at, async () => {
      await page.getByRole("toolbar", { name: "Selected" }).waitFor();
      await drawn(page);
      expect(await middleOf(row)).toEqual(at);
    });
    const mark = indexOf(sample, name ?? "");
    expect(await view.sent()).toEqual([
      { type: "mark", action: "select", revision: 1, mark },
      { type: "mark", action: "open", revision: 1, mark },
    ]);
  });
});

describe("a menu that is open when another graph comes", () => {
  it.each([
    ["Go to hottest line", "open"],
    ["Select in all views", "select"],
    ["Show histogram", "histogram"],
    ["Why here?", "why"],
    ["Correlate with…", "correlate"],
    ["Follow hot path", "hot-path"],
    ["Look inside", "look-inside"],
  ])("is still about its own bar: %s", async (entry, action) => {
    const sample = await view.show();
    const after = await another();
    await view.bar("physics.cpp").click({ button: "right" });
    await redraw(after);
    await view.panel.page.getByRole("menuitem", { name: entry }).click();
    const now = indexOf(after, "physics.cpp");
    expect(now).not.toBe(indexOf(sample, "physics.cpp"));
    expect(await view.sent()).toEqual([{ type: "mark", action, revision: 2, mark: now }]);
  });
});

describe("the same bar of another graph", () => {
  const link = (line: number) =>
    ({ places: [{ file: "/a.c", line }], rule: "recorded-line", reason: "", considered: [] }) as const;
  const keysOf = async (names: readonly (readonly [group: string, visit: number])[], lines: readonly number[]) => {
    const sample = await sampleGraph();
    const [first] = sample.graph.bars;
    const bars = names.map(([group, visit], at) => ({
      ...first,
      id: `${group}#${visit}`,
      group,
      visit,
      level: at,
      entries: at > 0 ? [] : lines.map((line) => ({ name: "init", inclusive: 1, exclusive: 1, link: link(line) })),
    }));
    const shown = shownOf({ ...sample.graph, bars, edges: [] }, sample);
    const size = { width: 800, height: 600 };
    const graph = withPart(shown.content, layoutOf(shown, size)) ?? expect.fail();
    const { marks } = draw(graph, { ...size, theme: plainTheme, measure: () => (text) => 6 * text.length });
    return new Map(marks.map(({ id, key }) => [id, key]));
  };

  it("is not mistaken for one whose name reads alike", async () => {
    const before = await keysOf(
      [
        ["main", 1],
        ["main", 2],
        ["main (2)", 1],
      ],
      [],
    );
    const after = await keysOf(
      [
        ["main (2)", 1],
        ["main", 1],
        ["main", 2],
      ],
      [],
    );
    expect([before.get(0), before.get(1), before.get(2)]).toEqual([after.get(1), after.get(2), after.get(0)]);
    expect(new Set(before.values()).size).toBe(3);
  });

  it("has its entries distinguished by their places, where they have one name", async () => {
    const [before, after] = [await keysOf([["lib", 1]], [3, 9]), await keysOf([["lib", 1]], [9, 3])];
    expect([before.get(1), before.get(2)]).toEqual([after.get(2), after.get(1)]);
    expect(before.get(1)).not.toBe(before.get(2));
  });
});
