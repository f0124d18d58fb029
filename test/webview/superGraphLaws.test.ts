import { vi } from "vitest";
import type { DrawView } from "../../webviews/kit/stage/scene";
import type { SuperGraphContent } from "../../src/protocol/superGraph";
import type { ShownGraphs } from "../../src/panels/superGraph/shownGraphs";
import { withPart } from "../../webviews/superGraph/graph";
import { draw } from "../../webviews/superGraph/scene";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { definition, layoutOf, sampleGraph, shownOf } from "./superGraphSamples";

vi.mock("vscode", () => import("./fakeVsCode"));

/** What contents are of: a drawing needs their layout. */
const shownAs = new WeakMap<SuperGraphContent, ShownGraphs>();

panelLaws({
  definition,
  draw(content: SuperGraphContent, view: DrawView) {
    const shown = shownAs.get(content);
    const graph = shown && withPart(content, layoutOf(shown, view));
    if (!graph) throw new Error("no such content");
    return draw(graph, view);
  },
  async samples() {
    const whole = await sampleGraph();
    const { graph } = whole;
    const hostile = {
      ...graph,
      metric: HOSTILE_NAME,
      unit: HOSTILE_NAME.slice(0, 90),
      bars: graph.bars.map((bar, at) => ({
        ...bar,
        group: `${at} ${HOSTILE_NAME}`,
        entries: bar.entries.map((entry) => ({ ...entry, name: HOSTILE_NAME })),
      })),
    };
    const samples = [
      { name: "measured", ...whole },
      { name: "chosen ranks and others", ...(await sampleGraph({ ranks: [0, 4] })) },
      { name: "two runs", isPictured: true, ...(await sampleGraph({ runs: true, state: { below: true } })) },
      { name: "two runs by difference", isPictured: true, ...(await sampleGraph({ runs: true })) },
      { name: "by function", ...(await sampleGraph({ groupBy: "function" })) },
      { name: "hostile names", view: whole.view, shown: shownOf(hostile, whole) },
    ];
    for (const { shown } of samples) shownAs.set(shown.content, shown);
    return samples;
  },
});
