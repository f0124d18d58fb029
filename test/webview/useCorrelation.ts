import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { parseFromCorrelation } from "../../src/protocol/correlation";
import { sampleScatter, scatterControls, type ScatterSample } from "./miniheatScatter";
import { drawn, type OpenOptions, type PanelPage, PanelWindow, type Sent } from "./window";

type Query = Parameters<typeof sampleScatter>[0];

/** A correlation's page for the tests of a file: each test opens its own, and none may break the policy. */
export function useCorrelation() {
  let panels: PanelWindow;
  let panel: PanelPage;

  beforeAll(async () => {
    panels = await PanelWindow.start("correlation", "Correlation");
  });
  afterAll(() => panels.stop());
  afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

  /** An empty page. */
  async function open(options: OpenOptions = {}): Promise<void> {
    panel = await panels.open(options);
    await panel.page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
    const [ready] = await panel.sent();
    expect(ready.type).toBe("ready");
  }

  /** A page that shows a correlation of the sample. */
  async function show(options: OpenOptions = {}, query: Query = {}): Promise<ScatterSample> {
    await open(options);
    return send(query);
  }

  async function send(query: Query = {}): Promise<ScatterSample> {
    const sample = await sampleScatter(query);
    await panel.send({ ...scatterControls, points: query?.points ?? "rank" });
    await panel.send(sample.message);
    await panel.page.locator(".point").first().waitFor();
    await drawn(panel.page);
    return sample;
  }

  return {
    get panel(): PanelPage {
      return panel;
    },
    open,
    show,
    send,
    /** What was sent, each checked with the host's own schema. */
    async sent(): Promise<Sent[]> {
      const messages = await panel.sent();
      for (const message of messages) expect(parseFromCorrelation(message)).toEqual(message);
      return messages;
    },
    /** A point by its name. */
    point: (name: string): Locator => panel.page.locator(`.point[aria-label^="${name},"]`),
    /** A statistic by its label. */
    fact: async (label: string): Promise<string> => {
      const facts = await panel.page.locator(".statistics dl").innerText();
      return new RegExp(`^${label}\\s*\\n+(.*)$`, "m").exec(facts)?.[1] ?? `no ${label} in ${facts}`;
    },
    /** Drags the mouse over the points, with some room around. */
    async drag(points: readonly Locator[], room = 12): Promise<void> {
      const boxes = await Promise.all(points.map(async (point) => (await point.boundingBox()) ?? expect.fail()));
      const left = Math.min(...boxes.map(({ x }) => x)) - room;
      const top = Math.min(...boxes.map(({ y }) => y)) - room;
      const right = Math.max(...boxes.map(({ x, width }) => x + width)) + room;
      const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + room;
      await panel.page.mouse.move(left, top);
      await panel.page.mouse.down();
      await panel.page.mouse.move((left + right) / 2, (top + bottom) / 2, { steps: 3 });
      await panel.page.mouse.move(right, bottom, { steps: 3 });
      await panel.page.mouse.up();
    },
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
