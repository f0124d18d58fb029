import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Locator } from "playwright-core";
import { parse } from "../../src/protocol/bounds";
import * as v from "valibot";
import { fromEveryPage } from "../../src/protocol/panel";
import type { FrameMessage } from "../../src/protocol/frame";
import { frameMessage } from "../../src/panels/kit/frameMessage";
import type { SuperGraphContent, SuperGraphPart } from "../../src/protocol/superGraph";
import { partsOf, viewIn } from "./kit/showing";
import { definition, type Sample, sampleGraph, type SampleQuery } from "./superGraphSamples";
import { drawn, type OpenOptions, type PanelPage, PanelWindow, type Sent } from "./window";

/** What is changed of a sample before it is sent. */
export interface Changes {
  readonly revision?: number;
  readonly content?: SuperGraphContent;
  readonly frame?: (message: FrameMessage) => FrameMessage;
  readonly parts?: (part: SuperGraphPart) => SuperGraphPart;
}

/** A super graph's page for the tests of a file: each test opens its own, and none may break the policy. */
export function useSuperGraph() {
  let panels: PanelWindow;
  let panel: PanelPage;

  beforeAll(async () => {
    panels = await PanelWindow.start("superGraph", "Super Graph");
  });
  afterAll(() => panels.stop());
  afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

  /** An empty page. @returns the size of its drawing */
  async function open(options: OpenOptions = {}): Promise<{ width: number; height: number }> {
    panel = await panels.open(options);
    await panel.page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
    const [ready] = await panel.sent();
    expect(ready.type).toBe("ready");
    return { width: Number(ready.width), height: Number(ready.height) };
  }

  /** A page that shows the sample's graph, laid out for the size of its drawing. */
  async function show(options: OpenOptions = {}, query: SampleQuery = {}): Promise<Sample> {
    const size = await open(options);
    const sample = await sampleGraph(query, size);
    await sendGraph(sample);
    await panel.page.locator(BARS).first().waitFor();
    await drawn(panel.page);
    return sample;
  }

  async function sendFrame({ view, shown }: Sample, { frame = (message) => message }: Changes = {}): Promise<void> {
    await panel.send(frame(frameMessage(definition, "a-key", view, shown)));
  }

  /** Everything that the host sends of a graph, and waits until it is drawn. */
  async function sendGraph(sample: Sample, changes: Changes = {}): Promise<void> {
    const { shown } = sample;
    await sendFrame(sample, changes);
    await panel.send({ type: "content", revision: changes.revision ?? 1, content: changes.content ?? shown.content });
    await sendParts(sample, changes);
    await sendFrame(sample, changes);
    await drawn(panel.page);
  }

  /** What comes after the content. */
  async function sendParts({ view, shown }: Sample, { revision = 1, parts = (part) => part }: Changes = {}) {
    for (const part of await partsOf(definition, shown, await viewIn(panel, view)))
      await panel.send({ type: "part", revision, part: parts(part) });
  }

  return {
    sendFrame,
    sendGraph,
    sendParts,
    get panel(): PanelPage {
      return panel;
    },
    open,
    show,
    /** What was sent, each checked with the host's own schema; sizes and what is asked for the strip aside. */
    async sent(): Promise<Sent[]> {
      const messages = await panel.sent();
      for (const message of messages) expect(parse(fromPage, message)).toEqual(message);
      return messages.filter(({ type }) => type !== "resize" && type !== "explain");
    },
    bars: (): Locator => panel.page.locator(BARS),
    entries: (): Locator => panel.page.locator(ENTRIES),
    bar: (name: string): Locator => panel.page.locator(`${BARS}[aria-label^="${name},"]`),
    /** An entry function of a bar, by its name. */
    entry: (name: string): Locator => panel.page.locator(`${ENTRIES}[aria-label^="${name}"]`).first(),
    /** What is written beside a bar: its name, or that of an entry function. */
    label: (text: string): Locator => panel.page.locator(".above text").getByText(text, { exact: true }).first(),
    /** Opens the search and looks for this. */
    async search(text: string): Promise<Locator> {
      const field = panel.page.getByRole("textbox", { name: "Search" });
      if (!(await field.isVisible())) await panel.page.keyboard.press("Control+f");
      await field.fill(text);
      await drawn(panel.page);
      return field;
    },
    /** Presses a tool of the toolbar, wherever it is: one that has no room is in the menu at its end. */
    async tool(id: string, label: string): Promise<void> {
      const tool = panel.page.locator(`[data-tool="${id}"]`);
      if (await tool.isVisible()) return tool.click();
      await panel.page.locator('[data-tool="more"]').click();
      await panel.page.getByRole("menuitem", { name: label }).click();
    },
    /** Presses Save, chooses a format, and gives what was sent. */
    async save(format: "svg" | "png" | "csv"): Promise<string> {
      await this.tool("save", "Save");
      await panel.page.getByRole("menuitem", { name: `Save as ${format.toUpperCase()}` }).click();
      let saved: Sent | undefined;
      await expect
        .poll(async () => (saved = (await panel.sent()).find(({ type }) => type === "save") ?? saved)?.format)
        .toBe(format);
      return String(saved?.content);
    },
  };
}

const fromPage = v.variant("type", fromEveryPage);
/** Keys of bars are JSON alone; those of entries have a name behind it. */
const BARS = '.drawing [role="option"][data-key$="]"]';
const ENTRIES = '.drawing [role="option"]:not([data-key$="]"])';
