import { beforeAll, describe, expect, it, vi } from "vitest";
import type { DataSetInfo, Engine, OverRanks, Scope } from "../../../src/engine/api";
import type { SavedStepsStore } from "../../../src/panels/savedSteps";
import { SuperGraphPanel } from "../../../src/panels/superGraphPanel";
import { openMiniheat } from "../engine/miniheat";
import { PanelWindow } from "./panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  return standIn(heardNothing());
});

describe("a click on a bar of a super graph", () => {
  let engine: Engine;
  let info: DataSetInfo;
  let over: OverRanks;
  let here: PanelWindow;

  beforeAll(async () => {
    ({ engine, info } = await openMiniheat());
  });

  /** A panel that has drawn a graph of each of these, one after the other. */
  async function drawing(all: readonly OverRanks[]): Promise<void> {
    const scopeOf = ({ id, defaultMetric }: DataSetInfo): Scope => ({ dataSet: id, metric: defaultMetric, over });
    here = new PanelWindow(engine, scopeOf);
    const state = { files: info.files.slice(), filter: 0.1, groupBy: "file" as const, histograms: "off" as const };
    new SuperGraphPanel(here.parts, {} as SavedStepsStore, here.panel, state);
    here.hold([info]);
    for (const [at, one] of all.entries()) {
      over = one;
      if (at === 0) here.say({ type: "ready", width: 900, height: 600 });
      else here.changeScope(info.id);
      await here.next(({ type, revision }) => type === "layout" && revision === at + 1);
    }
  }

  /** Names of the bars of a graph, in the order in which they are numbered. */
  const namesOf = (revision: number) => {
    const graph = here.posted.find((message) => message.type === "graph" && message.revision === revision);
    return (graph?.bars as { readonly group: string }[]).map(({ group }) => group);
  };
  async function click(revision: number, name: string): Promise<void> {
    here.say({ type: "select", revision, bar: namesOf(revision).indexOf(name) });
    await new Promise((resolve) => setImmediate(resolve));
  }

  it("is about the graph that is on screen", async () => {
    await drawing(["mean"]);
    await click(1, "physics.cpp");
    expect(here.selections).toMatchObject([{ name: "physics.cpp", target: { query: { scope: { over: "mean" } } } }]);
  });

  it("that was under way when the next graph came is about the one that it met", async () => {
    await drawing(["mean", "sum"]);
    await click(1, "physics.cpp");
    expect(here.selections).toMatchObject([{ name: "physics.cpp", target: { query: { scope: { over: "mean" } } } }]);
  });

  it("means nothing in a graph that is long gone", async () => {
    await drawing(["mean", "sum", "mean", "sum", "mean"]);
    await click(1, "physics.cpp");
    expect(here.selections).toEqual([]);
    await click(2, "physics.cpp");
    expect(here.selections).toHaveLength(1);
  });
});
