import { expect, it, vi } from "vitest";
import type { DataSetInfo, Engine, Scope } from "../../../../src/engine/api";
import { histogram } from "../../../../src/panels/histogram/definition";
import { FlameGraphPanel } from "../../../../src/panels/flameGraph/flameGraphPanel";
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

it.each(["flames", "content"])(
  "a panel that is not in sight asks nothing and forgets what it has (%s)",
  async (type) => {
    const { engine, info, asked } = await counted();
    const here = new PanelWindow(engine, scopeOf);
    here.hold([info]);
    if (type === "content") new Panel(here.parts, here.panel, histogram, "a-key", histogram.start);
    else
      new FlameGraphPanel(here.parts, here.panel, {
        ...{
          files: info.files.slice(0, 1),
          dataSet: "a-key",
          mode: "recording",
          order: "left-heavy",
          colour: "exclusive",
        },
      });
    here.say({ type: "ready", width: 800, height: 600 });
    await here.next((message) => message.type === type);
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
    await here.next((message) => message.type === type, posted);
  },
);
