import path from "node:path";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { DataSetInfo, GraphQuery, Scope } from "../../../../src/engine/api";
import { localEngine, type LocalEngine } from "../../../../src/engine/localEngine";
import { HistogramPanel, type PanelState } from "../../../../src/panels/histogram/histogramPanel";
import { parse } from "../../../../src/protocol/bounds";
import { histogramState } from "../../../../src/protocol/histogram";
import { miniheat } from "../../../recordings";
import { grammars } from "../../engine/miniheat";
import { PanelWindow } from "../panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  return standIn(heardNothing());
});

interface Histogram {
  readonly subject?: string;
  readonly total: number;
  readonly notes: readonly string[];
}

describe("a histogram that comes back after a reload", () => {
  let engine: LocalEngine;
  let infos: DataSetInfo[];
  let here: PanelWindow;
  const scopeOf = ({ id, defaultMetric }: DataSetInfo): Scope => ({ dataSet: id, metric: defaultMetric, over: "sum" });

  beforeAll(async () => {
    engine = localEngine(grammars);
    await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
    infos = [];
    for (const run of ["np8-r1", "np8-r2"])
      infos.push(...(await engine.open({ paths: [path.join(miniheat, `profiles/ensemble/${run}.cali`)] })));
  });
  beforeEach(() => {
    here = new PanelWindow(engine, scopeOf);
  });

  const isHistogram = ({ type }: { type: string }) => type === "histogram";
  const start = (own: PanelWindow, state: PanelState) => {
    new HistogramPanel(own.parts, own.panel, state);
    own.say({ type: "ready", width: 800, height: 600 });
  };
  const fresh = (): PanelState => ({ files: infos[0].files.slice(), value: "exclusive", bins: 20, order: "id" });

  /** What the view keeps of a histogram of a bar. */
  async function keptOf(query: GraphQuery, bar: string): Promise<PanelState> {
    here.hold(infos);
    here.select({ dataSet: infos[0].id, target: { kind: "bar", query, bar }, name: bar, origin: "superGraph" });
    start(here, fresh());
    await here.next(isHistogram);
    const kept = parse(histogramState, (await here.next(({ type }) => type === "controls")).restore);
    if (!kept) throw new Error("the view would not take what it is to keep");
    return kept;
  }

  async function shownAgain(kept: PanelState, open = infos): Promise<{ shown: Histogram; window: PanelWindow }> {
    const window = new PanelWindow(engine, scopeOf);
    window.hold([...open]);
    start(window, kept);
    return { shown: (await window.next(isHistogram)) as unknown as Histogram, window };
  }

  const exclusiveOf = async (query: GraphQuery, bar: string) =>
    (await engine.superGraph(query)).bars.find(({ id }) => id === bar)?.exclusive;

  it("is of the bar that operations made", async () => {
    const scope = scopeOf(infos[0]);
    const operations = [{ kind: "split-by-caller", target: { group: "MPI" }, by: "group" }] as const;
    const query: GraphQuery = { scope, filter: 0.1, groupBy: "file", operations, lenient: true };
    const bar = "MPI from halo.cpp";
    const exclusive = await exclusiveOf(query, bar);
    expect(exclusive).toBeGreaterThan(0);
    const { shown } = await shownAgain(await keptOf(query, bar));
    expect(shown).toMatchObject({ subject: bar, notes: [] });
    expect(shown.total).toBeCloseTo(exclusive ?? NaN, 9);
  });

  it("is of the bar of a comparison as soon as both recordings are open, and until then says what is missing", async () => {
    const [scope, compared] = infos.map(scopeOf);
    const query: GraphQuery = { scope, filter: 0.1, groupBy: "file", compared };
    const kept = await keptOf(query, "physics.cpp");
    const { shown, window } = await shownAgain(kept, [infos[0]]);
    expect(shown.subject).toBeUndefined();
    expect(shown.notes).toEqual([
      "physics.cpp was a bar of a comparison. np8-r2.cali is not open: nothing is compared until it is opened again. " +
        "This is the whole recording.",
    ]);
    window.hold(infos);
    const then = (await window.next((message) => message.subject !== undefined)) as unknown as Histogram;
    expect(then).toMatchObject({ subject: "physics.cpp", notes: [] });
    expect(then.total).toBeCloseTo((await exclusiveOf(query, "physics.cpp")) ?? NaN, 9);
  });

  it("says so where there is no such bar any more, and shows no zeros", async () => {
    const query: GraphQuery = { scope: scopeOf(infos[0]), filter: 0.1, groupBy: "file" };
    const kept = await keptOf(query, "physics.cpp");
    const window = new PanelWindow(engine, scopeOf);
    window.hold(infos);
    start(window, {
      ...kept,
      subject: kept.subject?.kind === "bar" ? { ...kept.subject, bar: "gone.cpp" } : undefined,
    });
    const { message } = await window.next(({ type }) => type === "problem");
    expect(message).toBe("There is no bar gone.cpp with this metric and these groups.");
  });
});
