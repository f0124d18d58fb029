import { expect, it, vi } from "vitest";
import type { DataSetInfo, Engine, Scope } from "../../../../src/engine/api";
import { histogram } from "../../../../src/panels/histogram/definition";
import { flameGraph } from "../../../../src/panels/flameGraph/definition";
import { Panel } from "../../../../src/panels/kit/panel";
import { openMiniheat } from "../../engine/miniheat";
import { PanelWindow } from "../panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  return standIn(heardNothing());
});

const scopeOf = ({ id, defaultMetric }: DataSetInfo): Scope => ({ dataSet: id, metric: defaultMetric, over: "sum" });

/** The sample's engine, and how often it was asked something. */
async function counted() {
  const { engine, info } = await openMiniheat();
  let asked = 0;
  const counting = new Proxy(engine, {
    get: (own, name) => {
      asked++;
      return Reflect.get(own, name) as unknown;
    },
  }) as Engine;
  return { engine: counting, info: { ...info, key: "a-key" }, asked: () => asked };
}

it.each(["histogram", "flameGraph"])(
  "a panel that is not in sight asks nothing and forgets what it has (%s)",
  async (kind) => {
    const { engine, info, asked } = await counted();
    const here = new PanelWindow(engine, scopeOf);
    here.hold([info]);
    if (kind === "histogram") new Panel(here.parts, here.panel, histogram, "a-key", histogram.start);
    else new Panel(here.parts, here.panel, flameGraph, "a-key", flameGraph.start);
    here.say({ type: "ready", width: 800, height: 600 });
    await here.next((message) => message.type === "content");
    here.hide();
    const [before, posted] = [asked(), here.posted.length];
    here.changeCosts();
    here.changeScope(info.id);
    here.hold([info]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([asked(), here.posted.length]).toEqual([before, posted]);
    // Its next page says its size: it is shown again, of the same data set though its files are others now.
    here.hold([{ ...info, files: ["/elsewhere/other.cali", ...info.files] }]);
    here.show();
    here.say({ type: "ready", width: 800, height: 600 });
    await here.next((message) => message.type === "content", posted);
  },
);
