import path from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { DataSetInfo, Engine, GraphQuery, OverRanks, Scope, SourceLink } from "../../../../src/engine/api";
import { CancelledError } from "../../../../src/model/errors";
import type { Task } from "../../../../src/model/task";
import { Panel } from "../../../../src/panels/kit/panel";
import { superGraph } from "../../../../src/panels/superGraph/definition";
import { newSteps } from "../../../../src/panels/superGraph/graphSteps";
import type { SavedStepsStore } from "../../../../src/panels/superGraph/savedSteps";
import { keptSteps } from "../../../../src/panels/superGraph/steps";
import type { SuperGraphContent } from "../../../../src/protocol/superGraph";
import { miniheat } from "../../../recordings";
import { openMiniheat } from "../../engine/miniheat";
import { PanelWindow } from "../panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  return standIn(heardNothing());
});

describe("a click on a bar of a super graph", () => {
  let engine: Engine;
  let info: DataSetInfo & { readonly key: string };
  let other: typeof info;
  let over: OverRanks;
  let here: PanelWindow;

  beforeAll(async () => {
    const opened = await openMiniheat();
    ({ engine } = opened);
    info = { ...opened.info, key: "a-key" };
    const [second] = await engine.open({ paths: [path.join(miniheat, "profiles/ensemble/np8-r2.cali")] });
    other = { ...second, key: "b-key" };
  });
  afterEach(() => {
    expect(here.posted.filter(({ type }) => type === "problem")).toEqual([]);
  });

  /** A panel that has drawn a graph of each of these, one after the other. */
  async function drawing(
    all: readonly OverRanks[],
    compared?: typeof info,
    own = engine,
    isDrawnBeside = false,
  ): Promise<void> {
    const scopeOf = ({ id, defaultMetric }: DataSetInfo): Scope => ({ dataSet: id, metric: defaultMetric, over });
    here = new PanelWindow(own, scopeOf);
    const definition = superGraph({} as SavedStepsStore);
    const state = {
      ...definition.start,
      ...keptSteps(newSteps({ filter: 0.1, groupBy: "file" })),
      histograms: "off" as const,
      below: true,
    };
    new Panel(here.parts, here.panel, definition, "a-key", state, false, () => isDrawnBeside);
    if (compared) here.compare(info.id, compared.id);
    here.hold(compared ? [info, compared] : [info]);
    for (const [at, one] of all.entries()) {
      over = one;
      if (at === 0) here.say({ type: "ready", width: 900, height: 600 });
      else here.changeScope(info.id);
      await here.next((message) => isLayout(message, at + 1));
    }
  }

  /** Names of the bars of a graph, in the order in which they are numbered. */
  const namesOf = (revision: number) => {
    const message = here.posted.find((known) => known.type === "content" && known.revision === revision);
    const { bars, texts } = message?.content as SuperGraphContent;
    return [...bars.group].map((text) => texts[text]);
  };
  /** The mark of a bar's heaviest entry in the first graph. */
  const entryOf = (name: string) => {
    const { bars } = here.posted.find(({ type }) => type === "content")?.content as SuperGraphContent;
    return bars.group.length + bars.firstEntry[namesOf(1).indexOf(name)];
  };
  async function mark(action: string, revision: number, at: number): Promise<void> {
    here.say({ type: "mark", action, revision, mark: at });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const click = (revision: number, name: string) => mark("select", revision, namesOf(revision).indexOf(name));

  it("is of the panel's own recording alone where another panel draws both that are compared", async () => {
    const asked: GraphQuery[] = [];
    const superGraph: Engine["superGraph"] = (query, task) => {
      asked.push(query);
      return engine.superGraph(query, task);
    };
    const own = new Proxy(engine, {
      get: (of, key, on) => (key === "superGraph" ? superGraph : (Reflect.get(of, key, on) as unknown)),
    });
    await drawing(["mean"], other, own, true);
    // Once, and again if it was asked before what was open is open again.
    expect(new Set(asked.map(({ scope }) => scope.dataSet))).toEqual(new Set([info.id]));
    expect(asked.filter(({ compared }) => compared)).toEqual([]);
    await click(1, "physics.cpp");
    expect(here.selections).toMatchObject([{ dataSet: info.id, target: { kind: "bar", bar: "physics.cpp" } }]);
  });

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
    await here.next((message) => isLayout(message, 2));
    const names = namesOf(1);
    expect(names.filter((name) => name === "physics.cpp")).toHaveLength(2);
    for (const bar of [names.indexOf("physics.cpp"), names.lastIndexOf("physics.cpp")]) await mark("select", 1, bar);
    expect(here.selections).toEqual([]);
    await click(2, "physics.cpp");
    expect(here.selections).toHaveLength(1);
  });

  it("on an entry that is still being linked gives way to the next one, and nothing is said", async () => {
    let cancelled = 0;
    const withoutLinks = async (query: GraphQuery, task?: Task) => {
      const graph = await engine.superGraph(query, task);
      return { ...graph, bars: graph.bars.map((bar) => ({ ...bar, entries: bar.entries.map(notLinked) })) };
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
    for (let clicks = 0; clicks < 2; clicks++) await mark("open", 1, entryOf("MPI"));
    expect(cancelled).toBe(1);
    expect(here.posted.filter(({ type }) => type === "notice")).toEqual([]);
  });

  it("on an entry whose link the graph has asks the engine for nothing", async () => {
    const asked: PropertyKey[] = [];
    const own = new Proxy(engine, {
      get: (of, name) => {
        asked.push(name);
        return Reflect.get(of, name) as unknown;
      },
    });
    await drawing(["mean"], undefined, own);
    asked.length = 0;
    await mark("open", 1, entryOf("MPI"));
    expect(here.selections).toMatchObject([{ name: "MPI" }]);
    expect(asked).toEqual([]);
  });

  it("means nothing in a graph that is long gone", async () => {
    await drawing(["mean", "sum", "mean", "sum", "mean"]);
    await click(1, "physics.cpp");
    expect(here.selections).toEqual([]);
    await click(2, "physics.cpp");
    expect(here.selections).toHaveLength(1);
  });
});

/** As of a bar with very many entries. */
function notLinked<T extends { readonly link: SourceLink }>(entry: T): T {
  return { ...entry, link: { ...entry.link, places: [] }, unlinked: 7 };
}

function isLayout({ type, revision, part }: Readonly<Record<string, unknown>>, wanted: number): boolean {
  return type === "part" && revision === wanted && (part as { readonly kind: string }).kind === "layout";
}
