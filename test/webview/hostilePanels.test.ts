/** Names out of recordings in the panels beside the super graph, whose own test is `hostile.test.ts`. */
import { describe, expect, it, vi } from "vitest";
import { flameGraph as definition } from "../../src/panels/flameGraph/definition";
import { frameMessage } from "../../src/panels/kit/frameMessage";
import { shownUnit } from "../../src/session/scopeChoice";
import { useFlameGraph } from "./useFlameGraph";
import { drawn, type PanelPage, type Sent } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const flameGraph = useFlameGraph();

const names = {
  markup: '<img src=x onerror="window.broken = 1"><script>window.broken = 1</script>',
  long: "template<".repeat(454) + "end",
  prototype: "__proto__",
  "turned and unseen": "\u202egpp.niam\u202c\n\u0000\u0007 &lt;b&gt; ]]>",
  formula: "=cmd|' /C calc'!A0",
  "half a pair": "\ud83d cut \ude00 \uffff",
};

/** What a name must not do to any page. */
async function isOnlyText({ page }: PanelPage): Promise<void> {
  expect(await page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
  expect(await page.locator("img, #app script, iframe").count()).toBe(0);
  expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(900);
  expect(await page.locator("body").innerText()).not.toMatch(/[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/);
}

/** Saves in every form: pictures are well-formed, and no cell of a table is run. */
async function isSavedWell({ page, sent }: PanelPage): Promise<void> {
  for (const format of ["svg", "png", "csv"] as const) {
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("menuitem", { name: new RegExp(format, "i") }).click();
    let saved: Sent | undefined;
    await expect
      .poll(async () => (saved = (await sent()).find(({ type }) => type === "save") ?? saved)?.format)
      .toBe(format);
    const content = String(saved?.content);
    if (format === "csv") expect(content).not.toMatch(/(^|,)"?=/m);
    if (format !== "svg") continue;
    const parsed = await page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, "image/svg+xml");
      return [root.querySelectorAll("parsererror").length, root.querySelectorAll("script, img").length];
    }, content);
    expect(parsed).toEqual([0, 0]);
  }
}

describe.each(Object.entries(names))("a name is text and nothing else: %s", (_, name) => {
  it("in a flame graph", async () => {
    await flameGraph.show({}, { width: 900 });
    const { panel } = flameGraph;
    const { shown, view } = flameGraph;
    const content = definition.content(shown, view);
    const panes = content.panes.map((pane) => ({ ...pane, names: pane.names.map(() => name) }));
    const unit = shownUnit({ name, unit: "1" });
    await panel.send({
      ...frameMessage(definition, "a-key", view, shown),
      notices: [{ id: "n", severity: "info", text: name }],
    });
    await panel.send({
      type: "content",
      revision: 1,
      content: { ...content, metric: name, unit, panes, groups: [name], groupCount: 1 },
    });
    await drawn(panel.page);
    await flameGraph.focus();
    await isOnlyText(panel);
    await isSavedWell(panel);
  });
});
