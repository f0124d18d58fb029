import { describe, expect, it, vi } from "vitest";
import { messagesOf } from "../wholeGraph";
import { sampleGraph } from "./miniheatGraph";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

async function names(): Promise<(string | null)[]> {
  await drawn(view.panel.page);
  return view.panel.page.locator("svg.graph .bar").evaluateAll((bars) => bars.map((bar) => bar.ariaLabel));
}

describe("the layout of a graph", () => {
  it("is waited for: until then the graph before stays, and a click is about that one", async () => {
    const { message } = await view.show({ width: 1000 });
    const before = await names();
    const next = { ...(await sampleGraph({ width: 1000, height: 600 }, { groupBy: "function" })).message, revision: 2 };
    const [graph, layout] = messagesOf(next);
    await view.panel.send(graph);
    expect(await names()).toEqual(before);
    await view.sendLayout(message);
    expect(await names()).toEqual(before);
    await view.bar("MPI").click();
    expect((await view.sent()).filter(({ type }) => type === "select")).toMatchObject([{ revision: 1 }]);
    await view.panel.send(layout);
    expect(await names()).toHaveLength(next.bars.length);
    await view.bar("updateConductivity").first().click();
    expect((await view.sent()).filter(({ type }) => type === "select")).toMatchObject([{ revision: 2 }]);
  });

  it("is waited for, whatever goes wrong meanwhile with something else that was asked", async () => {
    await view.show({ width: 1000 });
    const next = { ...(await sampleGraph({ width: 1000, height: 600 }, { groupBy: "function" })).message, revision: 2 };
    const [graph, layout] = messagesOf(next);
    await view.panel.send(graph);
    await view.panel.send({ type: "problem", kind: "error", message: "No.", action: "retry" });
    await view.panel.page.getByText("No.").waitFor();
    await view.panel.send(layout);
    expect(await names()).toHaveLength(next.bars.length);
    expect(await view.panel.page.getByText("No.").isVisible()).toBe(false);
  });

  it("is waited for by what is read of bars that stay, too", async () => {
    await view.show({ width: 1000 });
    const before = await names();
    const filtered = await sampleGraph({ width: 1000, height: 600 }, { filter: 1 });
    const [graph, layout] = messagesOf({ ...filtered.message, revision: 2 });
    await view.panel.send(graph);
    expect(await names()).toEqual(before);
    await view.panel.send(layout);
    const after = await names();
    const halo = filtered.graph.bars.findIndex(({ id }) => id === "halo.cpp");
    expect(after[halo]).toMatch(/^halo.cpp, .* hidden /);
    expect(before).not.toContain(after[halo]);
  });

  it("of a graph that was overtaken by another shows nothing", async () => {
    const { message } = await view.show({ width: 1000 });
    const before = await names();
    const others = await sampleGraph({ width: 1000, height: 600 }, { groupBy: "function" });
    const [overtaken, late] = messagesOf({ ...others.message, revision: 2 });
    const [latest, layout] = messagesOf({ ...message, revision: 3 });
    for (const sent of [overtaken, latest, late]) await view.panel.send(sent);
    expect(await names()).toEqual(before);
    await view.panel.send(layout);
    expect(await names()).toEqual(before);
    await view.bar("MPI").click();
    expect((await view.sent()).filter(({ type }) => type === "select")).toMatchObject([{ revision: 3 }]);
  });

  it("of another size moves bars alone: focus, selection and the progress of what comes stay", async () => {
    const { message } = await view.show({ width: 1000 });
    const { page } = view.panel;
    await view.bar("MPI").click();
    await page.locator(".entry").nth(1).focus();
    await view.panel.send({ type: "progress", message: "Computing the next" });
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    const heights = () =>
      page
        .locator("svg.graph .bar")
        .evaluateAll((bars) => bars.map((bar) => (bar as SVGGraphicsElement).getBBox().height));
    const before = await heights();
    const { message: lower } = await sampleGraph({ width: 1000, height: 300 });
    await view.sendLayout(lower);
    await drawn(page);
    const after = await heights();
    expect(after).toHaveLength(before.length);
    expect(after[0]).toBeLessThan(before[0]);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("class"))).toBe("entry");
    expect(await view.bar("MPI").getAttribute("aria-pressed")).toBe("true");
    expect(await page.getByRole("button", { name: "Cancel" }).isVisible()).toBe(true);
    // One with other flows is not of this graph.
    const [, { geometry, ...rest }] = messagesOf(message);
    await view.panel.send({
      ...rest,
      flows: { source: [], target: [], inclusive: [] },
      geometry: { ...geometry, flows: { thickness: [], level: [], levels: [], y: [] } },
    });
    await drawn(page);
    expect(await heights()).toEqual(after);
  });
});
