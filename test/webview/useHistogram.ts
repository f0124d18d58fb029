import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Distribution, DistributionQuery } from "../../src/engine/api";
import { chosenRanks } from "../../src/model/members";
import { chosenFlags, chosenMessage, histogramMessage } from "../../src/panels/histogram/histogramMessage";
import { type HistogramMessage, parseFromHistogram } from "../../src/protocol/histogram";
import { openMiniheat } from "../unit/engine/miniheat";
import { histogramControls, timeOf } from "./histogramSamples";
import { drawn, type OpenOptions, type PanelPage, PanelWindow, type Sent } from "./window";

export { histogramControls, timeOf } from "./histogramSamples";

let opened: ReturnType<typeof openMiniheat> | undefined;

/** How `updateConductivity` is distributed over the sample's 8 ranks. */
export async function sampleDistribution(query: Partial<DistributionQuery> = {}): Promise<Distribution> {
  opened ??= openMiniheat();
  const { engine, scope } = await opened;
  const rows = await engine.hotFunctions({ scope, by: "exclusive", limit: 1000 });
  const id = rows.find(({ name }) => name === "updateConductivity")?.function ?? -1;
  const target = { kind: "function", function: id } as const;
  return engine.distribution({ scope, by: "rank", target, value: "exclusive", bins: 20, order: "id", ...query });
}

/** A histogram's page for the tests of a file: each test opens its own, and none may break the policy. */
export function useHistogram() {
  let panels: PanelWindow;
  let panel: PanelPage;

  beforeAll(async () => {
    panels = await PanelWindow.start("histogram", "Histogram");
  });
  afterAll(() => panels.stop());
  afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

  async function open(options: OpenOptions = {}): Promise<void> {
    panel = await panels.open(options);
    await panel.page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
    const [ready] = await panel.sent();
    expect(ready.type).toBe("ready");
  }

  async function send(message: HistogramMessage, controls = histogramControls): Promise<void> {
    await panel.send(controls);
    await panel.send(message);
    await panel.send({ type: "chosen", revision: message.revision, brush: 0 });
    await panel.page.locator(".bin").first().waitFor();
    await drawn(panel.page);
  }

  return {
    get panel(): PanelPage {
      return panel;
    },
    open,
    send,
    /** A page with the sample's histogram. */
    async show(options: OpenOptions = {}, query: Partial<DistributionQuery> = {}): Promise<Distribution> {
      await open(options);
      const distribution = await sampleDistribution(query);
      await send(histogramMessage(distribution, timeOf, 1));
      return distribution;
    },
    /** What the host says of a restriction to these ranks. */
    async choose(distribution: Distribution, ranks: number[], brush = 0): Promise<void> {
      const flags = chosenFlags(distribution, chosenRanks(ranks));
      await panel.send(chosenMessage(distribution, flags, { revision: 1, brush }));
      await drawn(panel.page);
    },
    /** What was sent, each checked with the host's own schema; sizes aside. */
    async sent(): Promise<Sent[]> {
      const messages = await panel.sent();
      for (const message of messages) expect(parseFromHistogram(message)).toEqual(message);
      return messages.filter(({ type }) => type !== "resize");
    },
    bin: (bin: number) => panel.page.locator(`.bin[data-bin="${bin}"]`),
    /** The middle of a bin's column. */
    async middleOf(bin: number): Promise<{ x: number; y: number }> {
      const box = await panel.page.locator(`.bin[data-bin="${bin}"] .column`).boundingBox();
      if (!box) throw new Error(`Bin ${bin} is not in sight.`);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    },
  };
}
