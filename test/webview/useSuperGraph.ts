import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Locator } from "playwright-core";
import { parseFromSuperGraph } from "../../src/protocol/superGraph";
import { messagesOf, type WholeGraph } from "../wholeGraph";
import { sampleControls, sampleGraph, type Sample } from "./miniheatGraph";
import { drawn, type OpenOptions, type PanelPage, PanelWindow, type Sent } from "./window";

type Query = Parameters<typeof sampleGraph>[1];

/** A super graph's page for the tests of a file: each test opens its own, and none may break the policy. */
export function useSuperGraph() {
  let panels: PanelWindow;
  let panel: PanelPage;

  beforeAll(async () => {
    panels = await PanelWindow.start("superGraph", "Super Graph");
  });
  afterAll(() => panels.stop());
  afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

  /** An empty page. @returns the size that it asks a layout for */
  async function open(options: OpenOptions = {}): Promise<{ width: number; height: number }> {
    panel = await panels.open(options);
    await panel.page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
    const [ready] = await panel.sent();
    expect(ready.type).toBe("ready");
    return { width: Number(ready.width), height: Number(ready.height) };
  }

  /** A page that shows the sample's graph, laid out for the size that the page asked for. */
  async function show(options: OpenOptions = {}, query: Query = {}): Promise<Sample> {
    const sample = await sampleGraph(await open(options), query);
    await panel.send(sampleControls);
    await sendGraph(sample.message);
    await panel.page.locator(".bar").first().waitFor();
    await drawn(panel.page);
    await layOut(query);
    return sample;
  }

  /** Answers a change of size as the host does. */
  async function layOut(query: Query = {}): Promise<void> {
    const size = (await panel.sent()).filter(({ type }) => type === "resize").at(-1);
    if (!size) return;
    const { message } = await sampleGraph({ width: Number(size.width), height: Number(size.height) }, query);
    await sendLayout(message);
    await drawn(panel.page);
  }

  async function sendGraph(message: WholeGraph): Promise<void> {
    for (const one of messagesOf(message)) await panel.send(one);
  }

  /** Only where everything is, as after a change of size. */
  async function sendLayout(message: WholeGraph): Promise<void> {
    await panel.send(messagesOf(message)[1]);
  }

  return {
    sendGraph,
    sendLayout,
    get panel(): PanelPage {
      return panel;
    },
    open,
    show,
    layOut,
    /** What was sent, each checked with the host's own schema; sizes aside, which come when they come. */
    async sent(): Promise<Sent[]> {
      const messages = await panel.sent();
      for (const message of messages) expect(parseFromSuperGraph(message)).toEqual(message);
      return messages.filter(({ type }) => type !== "resize");
    },
    bar: (name: string): Locator => panel.page.locator(`.bar[aria-label^="${name},"]`),
    /** Presses Save, chooses a format, and gives what was sent. */
    async save(format: "svg" | "png" | "csv"): Promise<string> {
      await panel.page.getByRole("button", { name: "Save…" }).click();
      await panel.page.getByRole("menuitem", { name: `Save as ${format.toUpperCase()}` }).click();
      let saved: Sent | undefined;
      await expect
        .poll(async () => (saved = (await panel.sent()).find(({ type }) => type === "save") ?? saved)?.format)
        .toBe(format);
      return String(saved?.content);
    },
  };
}

/** The index of a bar in messages. */
export function indexOf({ graph }: Sample, id: string): number {
  return graph.bars.findIndex((candidate) => candidate.id === id);
}
