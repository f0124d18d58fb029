import path from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { DataSetInfo, Engine, GraphQuery, OverRanks, Scope, SourceLink } from "../../../../src/engine/api";
import { CancelledError } from "../../../../src/model/errors";
import type { Task } from "../../../../src/model/task";
import type { SavedStepsStore } from "../../../../src/panels/superGraph/savedSteps";
import { SuperGraphPanel } from "../../../../src/panels/superGraph/superGraphPanel";
import { miniheat } from "../../../recordings";
import { openMiniheat } from "../../engine/miniheat";
import { PanelWindow } from "../panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  return standIn(heardNothing());
});

describe("a click on a bar of a super graph", () => {
  let engine: Engine;
  let info: DataSetInfo;
  let other: DataSetInfo;
  let over: OverRanks;
  let here: PanelWindow;

  beforeAll(async () => {
    ({ engine, info } = await openMiniheat());
    [other] = await engine.open({ paths: [path.join(miniheat, "profiles/ensemble/np8-r2.cali")] });
  });
  afterEach(() => {
    expect(here.posted.filter(({ type }) => type === "problem")).toEqual([]);
  });

  /** A panel that has drawn a graph of each of these, one after the other. */
  async function drawing(all: readonly OverRanks[], compared?: DataSetInfo, own = engine): Promise<void> {
    const scopeOf = ({ id, defaultMetric }: DataSetInfo): Scope => ({ dataSet: id, metric: defaultMetric, over });
    here = new PanelWindow(own, scopeOf);
    const state = { files: info.files.slice(), filter: 0.1, groupBy: "file" as const, histograms: "off" as const };
    const more = compared ? { compared: compared.files.slice() } : {};
    new SuperGraphPanel(here.parts, {} as SavedStepsStore, here.panel, { ...state, ...more });
    here.hold(compared ? [info, compared] : [info]);
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

  it("means nothing in a comparison whose other recording was closed meanwhile", async () => {
    await drawing(["mean"], other);
    here.hold([info]);
    await here.next(({ type, revision }) => type === "layout" && revision === 2);
    const names = namesOf(1);
    expect(names.filter((name) => name === "physics.cpp")).toHaveLength(2);
    for (const bar of [names.indexOf("physics.cpp"), names.lastIndexOf("physics.cpp")])
      here.say({ type: "select", revision: 1, bar });
    await new Promise((resolve) => setImmediate(resolve));
    expect(here.selections).toEqual([]);
    await click(2, "physics.cpp");
    expect(here.selections).toHaveLength(1);
  });

  it("on an entry that is still being linked gives way to the next one, and nothing is said", async () => {
    let cancelled = 0;
    const withoutLinks = async (query: GraphQuery, task?: Task) => {
      const graph = await engine.superGraph(query, task);
      return { ...graph, bars: graph.bars.map((bar) => ({ ...bar, entries: bar.entries.map(withoutPlaces) })) };
    };
    const linkOfEntry = (_: unknown, task?: Task) =>
      new Promise<SourceLink>((_, reject) =>
        task?.onCancel?.(() => {
          cancelled++;
          reject(new CancelledError());
        }),
      );
    const own = new Proxy(engine, {
      get: (of, name) =>
        name === "superGraph" ? withoutLinks : name === "linkOfEntry" ? linkOfEntry : Reflect.get(of, name),
    });
    await drawing(["mean"], undefined, own);
    const bar = namesOf(1).indexOf("MPI");
    for (let clicks = 0; clicks < 2; clicks++) {
      here.say({ type: "open", revision: 1, bar, entry: 0 });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(cancelled).toBe(1);
    expect(here.posted.filter(({ type }) => type === "notice")).toEqual([]);
  });

  it("means nothing in a graph that is long gone", async () => {
    await drawing(["mean", "sum", "mean", "sum", "mean"]);
    await click(1, "physics.cpp");
    expect(here.selections).toEqual([]);
    await click(2, "physics.cpp");
    expect(here.selections).toHaveLength(1);
  });
});

function withoutPlaces<T extends { readonly link: SourceLink }>(entry: T): T {
  return { ...entry, link: { ...entry.link, places: [] } };
}
