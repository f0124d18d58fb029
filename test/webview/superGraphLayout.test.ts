import { describe, expect, it, vi } from "vitest";
import type { SuperGraphPart } from "../../src/protocol/superGraph";
import { layoutOf, type Sample, sampleGraph, type SampleQuery } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

async function names(): Promise<(string | null)[]> {
  await drawn(view.panel.page);
  return view.bars().evaluateAll((bars) => bars.map((bar) => bar.ariaLabel));
}

const size = { width: 1000, height: 600 };

async function sendContent({ shown }: Sample, revision: number): Promise<void> {
  await view.panel.send({ type: "content", revision, content: shown.content });
}

async function sendLayout({ shown }: Sample, revision: number, change = (part: SuperGraphPart) => part): Promise<void> {
  await view.panel.send({ type: "part", revision, part: change(layoutOf(shown, size)) });
}

const other = (query: SampleQuery = { groupBy: "function" }) => sampleGraph(query, size);

describe("the layout of a graph", () => {
  it("is waited for: until then the graph before stays, and a click is about that one", async () => {
    const sample = await view.show({ width: 1000 });
    const before = await names();
    const next = await other();
    await sendContent(next, 2);
    expect(await names()).toEqual(before);
    await sendLayout(sample, 1);
    expect(await names()).toEqual(before);
    await view.bar("MPI").click();
    expect((await view.sent()).filter(({ action }) => action === "select")).toMatchObject([{ revision: 1 }]);
    await sendLayout(next, 2);
    expect(await names()).toHaveLength(next.graph.bars.length);
    await view.bar("updateConductivity").first().click();
    expect((await view.sent()).filter(({ action }) => action === "select")).toMatchObject([{ revision: 2 }]);
  });

  it("is waited for by what is selected in its graph", async () => {
    await view.show({ width: 1000 });
    const next = await other();
    await sendContent(next, 2);
    const at = next.graph.bars.findIndex(({ id }) => id === "updateConductivity");
    await view.panel.send({ type: "selection", revision: 2, mark: at });
    await sendLayout(next, 2);
    await expect.poll(() => view.bar("updateConductivity").first().getAttribute("aria-selected")).toBe("true");
  });

  it("is waited for, whatever goes wrong meanwhile with something else that was asked", async () => {
    await view.show({ width: 1000 });
    const next = await other();
    await sendContent(next, 2);
    await view.panel.send({ type: "problem", kind: "error", message: "No.", action: "retry" });
    await view.panel.page.getByText("No.").waitFor();
    await sendLayout(next, 2);
    expect(await names()).toHaveLength(next.graph.bars.length);
    expect(await view.panel.page.getByText("No.").isVisible()).toBe(false);
  });

  it("is waited for by what is read of bars that stay, too", async () => {
    await view.show({ width: 1000 });
    const before = await names();
    const filtered = await other({ filter: 1 });
    await sendContent(filtered, 2);
    expect(await names()).toEqual(before);
    await sendLayout(filtered, 2);
    const after = await names();
    const halo = after.find((name) => name?.startsWith("halo.cpp"));
    expect(halo).toMatch(/^halo.cpp, .* hidden /);
    expect(before).not.toContain(halo);
  });

  it("of a graph that was overtaken by another shows nothing", async () => {
    const sample = await view.show({ width: 1000 });
    const before = await names();
    const overtaken = await other();
    await sendContent(overtaken, 2);
    await sendContent(sample, 3);
    await sendLayout(overtaken, 2);
    expect(await names()).toEqual(before);
    await sendLayout(sample, 3);
    expect(await names()).toEqual(before);
    await view.bar("MPI").click();
    expect((await view.sent()).filter(({ action }) => action === "select")).toMatchObject([{ revision: 3 }]);
  });

  it("of another size moves bars alone: focus, selection and the progress of what comes stay", async () => {
    const sample = await view.show({ width: 1000 });
    const { page } = view.panel;
    await view.bar("MPI").click();
    await view.entries().nth(1).focus();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-key"));
    const entry = await focused();
    await view.panel.send({ type: "progress", message: "Computing the next" });
    await page.getByText("Cancel").waitFor();
    const heights = () =>
      view.bars().evaluateAll((bars: SVGGraphicsElement[]) => bars.map((bar) => bar.getBBox().height));
    const before = await heights();
    await view.panel.send({ type: "part", revision: 1, part: layoutOf(sample.shown, { width: 1000, height: 300 }) });
    await drawn(page);
    const after = await heights();
    expect(after).toHaveLength(before.length);
    expect(after[0]).toBeLessThan(before[0]);
    expect(await focused()).toBe(entry);
    expect(await view.bar("MPI").getAttribute("aria-selected")).toBe("true");
    expect(await page.getByText("Cancel").isVisible()).toBe(true);
    // One with other flows is not of this graph.
    const none = { source: new Int32Array(), target: new Int32Array(), first: new Int32Array(1) };
    const empty = new Float64Array();
    const columns = { inclusive: empty, thickness: empty, thin: new Int32Array(), points: empty };
    const withoutFlows = (part: SuperGraphPart) =>
      part.kind === "layout" ? { ...part, flows: { ...none, ...columns } } : part;
    await sendLayout(sample, 1, withoutFlows);
    await drawn(page);
    expect(await heights()).toEqual(after);
  });
});
