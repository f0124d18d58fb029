import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Engine, FlameQuery } from "../../src/engine/api";
import type { Task } from "../../src/model/task";
import { flameGraph } from "../../src/panels/flameGraph/definition";
import type { FlamesShown } from "../../src/panels/flameGraph/flames";
import type { View } from "../../src/panels/kit/definition";
import { pinSelection } from "../../src/panels/kit/pins";
import { type FlameContent, flameLook, type FlamePane, type FlameState } from "../../src/protocol/flameGraph";
import { parse } from "../../src/protocol/bounds";
import { sampleWorld, viewOf } from "./kit/samples";
import { openPage, sendSample } from "./kit/showing";
import { drawn, type OpenOptions, type PanelPage, PanelWindow, type Sent } from "./window";

export type FlameShow = Partial<Pick<FlameState, "mode" | "order" | "colour">> & {
  name?: string;
  /** Compared with this recording as its baseline. */
  baseline?: string;
};

const task: Task = { check: () => undefined, progress: () => undefined, onCancel: () => undefined };
/** Of the drawing in a page of the usual size: what its host would have been told. */
const STAGE = { width: 1400, height: 546 };

/** The sample's flame graph as its host shows it. */
export async function flameView({ mode = "recording", name = "", baseline, ...rest }: FlameShow = {}): Promise<
  View<FlameState>
> {
  const world = await sampleWorld();
  const scope = { ...world.scope, over: "mean" } as const;
  const view = { ...viewOf({ ...world, scope }, { ...flameGraph.start, mode, ...rest }), size: STAGE };
  if (baseline !== undefined) return comparedView(view, baseline);
  const query = { scope, filter: 0.1, groupBy: "file" } as const;
  const selection = { dataSet: scope.dataSet, target: { kind: "bar", query, bar: name }, name, origin: "" } as const;
  const subject = {
    recording: {},
    sandwich: { function: { name, detail: "" } },
    bar: mode === "bar" ? { bar: pinSelection(selection, view) } : {},
  }[mode];
  if (mode === "sandwich") {
    const rows = await world.engine.hotFunctions({ scope, by: "inclusive", limit: 1000 });
    const { detail = "" } = rows.find((row) => row.name === name) ?? {};
    return { ...view, state: { ...view.state, function: { name, detail } } };
  }
  return { ...view, state: { ...view.state, ...subject } };
}

/** The view in a window that compares its recording with another one. */
async function comparedView(view: View<FlameState>, baseline: string): Promise<View<FlameState>> {
  const { session, dataSet, scope } = view;
  const [info] = await session.engine.open({ paths: [baseline] });
  const other = { ...info, key: "baseline" };
  const scopeOf = (id: number) => ({
    ...scope,
    dataSet: id,
    metric: id === other.id ? other.defaultMetric : scope.metric,
  });
  const comparison = { baseline: other.id, candidate: dataSet.id };
  const more = { dataSets: [dataSet, other], current: dataSet, comparison, renamed: [], scope: scopeOf };
  return { ...view, session: { ...session, ...more } as typeof session };
}

/** A flame graph's page for the tests of a file, answered as the host does, with the sample's 8-rank profile. */
export function useFlameGraph() {
  let panels: PanelWindow;
  let panel: PanelPage;
  let view: View<FlameState>;
  let shown: FlamesShown;

  beforeAll(async () => {
    panels = await PanelWindow.start("flameGraph", "Flame Graph");
  });
  afterAll(() => panels.stop());
  afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

  /** Answers what the page asked for, until it asks for nothing more. @returns everything else that it sent */
  async function settle(): Promise<Sent[]> {
    const others: Sent[] = [];
    for (let quiet = 0; quiet < 2;) {
      await drawn(panel.page);
      const sent = await panel.sent();
      const looks = sent.filter(({ type }) => type === "look");
      others.push(...sent.filter(({ type }) => type !== "look" && type !== "ready"));
      for (const { look } of looks) {
        expect(parse(flameLook, look)).toEqual(look);
        await lookAt(look);
      }
      quiet = looks.length > 0 ? 0 : quiet + 1;
    }
    return others;
  }

  async function lookAt(look: unknown): Promise<void> {
    shown = (await flameGraph.look?.(shown, { ...view, look }, task)) ?? shown;
    await panel.send({ type: "content", revision: 1, content: flameGraph.content(shown, view) });
  }

  return {
    get panel(): PanelPage {
      return panel;
    },
    get engine(): Engine {
      return view.session.engine;
    },
    get view(): View<FlameState> {
      return view;
    },
    get shown(): FlamesShown {
      return shown;
    },
    query(kind: FlamePane): FlameQuery {
      const pane = shown.panes.find((known) => known.kind === kind);
      if (!pane) throw new Error(`no pane ${kind}`);
      return pane.query;
    },
    /** What is drawn in a window of one drawing. */
    async answer(width: number, endDepth: number): Promise<FlameContent["panes"][number]> {
      const windows = shown.panes.map(() => ({ from: 0, to: 1, firstDepth: 0, endDepth, width }));
      const look = { subject: shown.subject, windows };
      const answer = (await flameGraph.look?.(shown, { ...view, look }, task)) ?? shown;
      return flameGraph.content(answer, view).panes[0];
    },
    settle,
    async show(what: FlameShow = {}, options: OpenOptions = {}): Promise<void> {
      [panel, view] = [await openPage(panels, options), await flameView(what)];
      shown = await flameGraph.ask(view, task, []);
      await sendSample(panel, flameGraph, { name: "", view, shown });
      await settle();
    },
    focus: () => panel.page.locator(".drawing [tabindex='0']").focus(),
    /** What the keyboard is at, as a screen reader hears it. */
    current: () => panel.page.locator(".drawing [tabindex='0']").getAttribute("aria-label"),
  };
}
