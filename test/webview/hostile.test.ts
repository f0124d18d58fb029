import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { GraphMessage } from "../../src/protocol/superGraph";
import { sampleControls, sampleGraph } from "./miniheatGraph";
import { drawn, type PanelPage, PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

let panels: PanelWindow;
let panel: PanelPage;
let sample: GraphMessage;

beforeAll(async () => {
  panels = await PanelWindow.start("superGraph", "Super Graph");
});
afterAll(() => panels.stop());
afterEach(async () => {
  expect(panel.problems).toEqual([]);
  await panel.page.context().close();
});

async function open(width = 900): Promise<void> {
  panel = await panels.open({ width });
  await panel.page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
  const [ready] = await panel.sent();
  sample = (await sampleGraph({ width: Number(ready.width), height: Number(ready.height) })).message;
}

const names = {
  markup: '<img src=x onerror="window.broken = 1"><script>window.broken = 1</script>',
  long: "template<".repeat(454) + "end",
  "right to left": "\u202egpp.niam\u202c שלום مرحبا",
  prototype: "__proto__",
  entity: "&lt;b&gt; ]]> --> ${1} {{2}} \u0000\u0007",
  nothing: "",
  formula: "=cmd|' /C calc'!A0",
  pairs: "😀".repeat(1000),
};

describe("a name out of a recording is text and nothing else", () => {
  it.each(Object.entries(names))("%s", async (_, name) => {
    await open();
    const bars = sample.bars.map((bar) => ({
      ...bar,
      group: name,
      entries: bar.entries.map((entry) => ({ ...entry, name, place: name })),
    }));
    const metrics = [{ name, unit: name.slice(0, 100), note: name }];
    await panel.send({ ...sampleControls, dataSet: name, metrics, restriction: name });
    await panel.send({ ...sample, metric: name, bars, notes: [name] });
    await panel.page.locator(".bar").first().waitFor();
    await panel.page.locator(".bar").first().focus();
    await panel.page.getByRole("tooltip").waitFor();
    await panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await panel.page.locator(".bar").first().click({ button: "right" });
    await panel.page.getByRole("menu").waitFor();
    await drawn(panel.page);
    expect(await panel.page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
    expect(await panel.page.locator("img, #app script, b b, iframe").count()).toBe(0);
    expect(await panel.page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
    expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(900);
    const shown = await panel.page.locator("body").innerText();
    expect(shown).not.toMatch(/[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/);
    await panel.page.keyboard.press("Escape");
    for (const format of ["SVG", "PNG", "CSV"]) {
      await panel.page.getByRole("button", { name: "Save…" }).click();
      await panel.page.getByRole("menuitem", { name: `Save as ${format}` }).click();
      await expect
        .poll(async () => (await panel.sent()).find(({ type }) => type === "save")?.format)
        .toBe(format.toLowerCase());
    }
  });

  it("is saved as a picture that is well-formed, and as a table that no spreadsheet runs", async () => {
    await open();
    const group = `${names.markup}${names.entity}`;
    const bars = sample.bars.map((bar, at) => ({ ...bar, group: at === 0 ? names.formula : group }));
    await panel.send(sampleControls);
    await panel.send({ ...sample, bars });
    await panel.page.locator(".bar").first().waitFor();
    const save = async (format: string) => {
      await panel.page.getByRole("button", { name: "Save…" }).click();
      await panel.page.getByRole("menuitem", { name: `Save as ${format.toUpperCase()}` }).click();
      let content = "";
      await expect
        .poll(async () => (content = String((await panel.sent()).find(({ type }) => type === "save")?.content ?? "")))
        .not.toBe("");
      return content;
    };
    const picture = await save("svg");
    const parsed = await panel.page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, "image/svg+xml");
      return {
        errors: root.querySelectorAll("parsererror").length,
        scripts: root.querySelectorAll("script, image").length,
      };
    }, picture);
    expect(parsed).toEqual({ errors: 0, scripts: 0 });
    const table = await save("csv");
    expect(table).toContain("'=cmd|");
    expect(table).not.toMatch(/(^|,)=/m);
  });
});

describe("a message that is none", () => {
  it.each([
    ["nothing", () => null],
    ["a text", () => "graph"],
    ["no known type", () => ({ type: "run", command: "x" })],
    ["a value that is no number", () => ({ ...sample, total: "1" })],
    ["a flow to a bar that is not there", () => ({ ...sample, flows: [{ source: 0, target: 99, inclusive: 1 }] })],
    ["a geometry of other bars", () => ({ ...sample, geometry: { ...sample.geometry, bars: [] } })],
    ["an infinite size", () => ({ ...sample, bars: sample.bars.map((bar) => ({ ...bar, inclusive: Infinity })) })],
    ["too long a name", () => ({ ...sample, bars: sample.bars.map((bar) => ({ ...bar, group: "x".repeat(5000) })) })],
    [
      "too many marks",
      () => {
        const entry = { name: "f", inclusive: 1, exclusive: 1 };
        return { ...sample, bars: sample.bars.map((bar) => ({ ...bar, entries: Array(6000).fill(entry) })) };
      },
    ],
    ["a layout of another graph", () => ({ type: "layout", revision: 9, geometry: sample.geometry })],
  ])("is ignored: %s", async (_, message) => {
    await open();
    await panel.send(sampleControls);
    await panel.send(sample);
    await panel.page.locator(".bar").first().waitFor();
    await drawn(panel.page);
    const before = await panel.page.locator("svg.graph").innerHTML();
    await panel.send(message());
    await drawn(panel.page);
    expect(await panel.page.locator("svg.graph").innerHTML()).toBe(before);
  });
});
