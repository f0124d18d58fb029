import { describe, expect, it, vi } from "vitest";
import { messagesOf, type WholeGraph } from "../wholeGraph";
import { sampleGraph } from "./miniheatGraph";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

async function names(): Promise<(string | null)[]> {
  await drawn(view.panel.page);
  return view.panel.page.locator("svg.graph .bar").evaluateAll((bars) => bars.map((bar) => bar.ariaLabel));
}

/** The same without its lightest flow, as at a size at which that would be too thin. */
function withoutLightest(whole: WholeGraph): WholeGraph {
  const { flows, geometry } = whole;
  const lightest = flows.inclusive.indexOf(Math.min(...flows.inclusive));
  const kept = <Value>(values: readonly Value[]) => values.filter((_, at) => at !== lightest);
  const { thickness, level, levels, y } = geometry.flows;
  const start = levels.slice(0, lightest).reduce((sum, one) => sum + one + 1, 0);
  const end = start + levels[lightest] + 1;
  return {
    ...whole,
    flows: { source: kept(flows.source), target: kept(flows.target), inclusive: kept(flows.inclusive) },
    geometry: {
      ...geometry,
      flows: {
        thickness: kept(thickness),
        level: kept(level),
        levels: kept(levels),
        y: [...y.slice(0, start), ...y.slice(end)],
      },
    },
    layoutNotes: ["One flow is not drawn."],
  };
}

describe("the layout of a graph", () => {
  it("is waited for: so long the graph before stays, and a click is about that one", async () => {
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

  it("may have other flows at another size, says so, and keeps focus and selection", async () => {
    const { message } = await view.show({ width: 1000 });
    const { page } = view.panel;
    const flows = page.locator("svg.graph [data-flow]");
    expect(await flows.count()).toBe(message.flows.source.length);
    await view.bar("MPI").click();
    const fewer = withoutLightest(message);
    await view.sendLayout(fewer);
    await drawn(page);
    expect(await flows.count()).toBe(message.flows.source.length - 1);
    await page.getByText("One flow is not drawn.").waitFor();
    expect(await view.bar("MPI").getAttribute("aria-pressed")).toBe("true");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/^MPI,/);
    await view.sendLayout(message);
    await drawn(page);
    expect(await flows.count()).toBe(message.flows.source.length);
    expect(await page.getByText("One flow is not drawn.").count()).toBe(0);
  });
});
