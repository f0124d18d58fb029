import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { DataSetInfo, Engine, FlameOf, FlameQuery, Scope } from "../../src/engine/api";
import { flameMessage } from "../../src/panels/flameGraph/flameMessage";
import {
  type FlameControls,
  type FlameLook,
  type FlamePane,
  type FlamesMessage,
  parseFromFlameGraph,
} from "../../src/protocol/flameGraph";
import { openMiniheat } from "../unit/engine/miniheat";
import { drawn, type OpenOptions, type PanelPage, PanelWindow, type Sent } from "./window";

export type FlameShow = Partial<Pick<FlameControls, "mode" | "order" | "colour" | "over">> & { name?: string };

/** A flame graph's page for the tests of a file, answered as the host does, with the sample's 8-rank profile. */
export function useFlameGraph() {
  let panels: PanelWindow;
  let panel: PanelPage;
  let engine: Engine;
  let info: DataSetInfo;
  let shown: Map<FlamePane, FlameQuery>;
  let controls: FlameControls;

  beforeAll(async () => {
    panels = await PanelWindow.start("flameGraph", "Flame Graph");
    ({ engine, info } = await openMiniheat());
  });
  afterAll(() => panels.stop());
  afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

  async function subjects({ mode = "recording", name = "" }: FlameShow, scope: Scope): Promise<[FlamePane, FlameOf][]> {
    if (mode === "bar") return [["bar", { kind: "bar", query: { scope, filter: 0.1, groupBy: "file" }, bar: name }]];
    if (mode === "recording") return [["recording", { kind: "recording" }]];
    const rows = await engine.hotFunctions({ scope, by: "inclusive", limit: 1000 });
    const id = rows.find((row) => row.name === name)?.function ?? -1;
    return [
      ["callers", { kind: "callers", function: id }],
      ["callees", { kind: "callees", function: id }],
    ];
  }

  /** What the host answers to a look. */
  async function answer(look: Omit<FlameLook, "type">): Promise<FlamesMessage> {
    const query = shown.get(look.pane);
    if (!query) throw new Error(`no pane ${look.pane}`);
    const { width } = await engine.flames({ query, window: { from: 0, to: 1, width: 1, firstDepth: 0, endDepth: 0 } });
    const flames = await engine.flames({
      query,
      window: {
        ...look,
        from: look.from * width,
        to: look.to * width,
        ...(controls.colour === "exclusive" ? {} : { groupBy: controls.colour }),
      },
    });
    const frame = { pane: look.pane, revision: 1, metric: "time", unit: "s", over: controls.over, ranks: 8 };
    const message = flameMessage(flames, frame);
    if (!message) throw new Error("too large");
    return message;
  }

  /** Answers what the page asked for, until it asks for nothing more. @returns everything else that it sent */
  async function settle(): Promise<Sent[]> {
    const others: Sent[] = [];
    for (let quiet = 0; quiet < 2;) {
      await drawn(panel.page);
      const sent = await panel.sent();
      const looks = sent.filter(({ type }) => type === "look") as unknown as FlameLook[];
      for (const message of sent) expect(parseFromFlameGraph(message)).toEqual(message);
      others.push(...sent.filter(({ type }) => type !== "look" && type !== "ready"));
      for (const look of looks) await panel.send(await answer(look));
      quiet = looks.length > 0 ? 0 : quiet + 1;
    }
    return others;
  }

  return {
    get panel(): PanelPage {
      return panel;
    },
    get engine(): Engine {
      return engine;
    },
    query: (pane: FlamePane): FlameQuery => {
      const query = shown.get(pane);
      if (!query) throw new Error(`no pane ${pane}`);
      return query;
    },
    answer,
    settle,
    async show(what: FlameShow = {}, options: OpenOptions = {}): Promise<void> {
      panel = await panels.open(options);
      await panel.page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
      const { mode = "recording", order = "left-heavy", colour = "exclusive", over = "mean", name } = what;
      const scope: Scope = { dataSet: info.id, metric: info.defaultMetric, over: over as "mean" };
      shown = new Map((await subjects(what, scope)).map(([pane, of]) => [pane, { scope, of, order }]));
      const files = ["/recordings/profile-8ranks.cali"];
      controls = {
        type: "controls",
        dataSet: "profile-8ranks.cali",
        metrics: [{ name: "time", unit: "s" }],
        metric: 0,
        over,
        ranks: 8,
        unit: "ranks",
        mode,
        ...(mode === "sandwich" ? { function: name } : {}),
        ...(mode === "bar" ? { bar: name } : {}),
        order,
        colour,
        restore: { files, mode, order, colour },
      };
      await panel.send(controls);
      await settle();
    },
    /** What the keyboard is at, as a screen reader hears it. */
    current: () => panel.page.locator('[role="treeitem"]').first().getAttribute("aria-label"),
  };
}
