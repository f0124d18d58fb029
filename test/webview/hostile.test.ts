import { describe, expect, it, vi } from "vitest";
import { messagesOf, type WholeGraph } from "../wholeGraph";
import { sampleControls, sampleGraph } from "./miniheatGraph";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();
let sample: WholeGraph;

async function open(): Promise<void> {
  sample = (await sampleGraph(await view.open({ width: 900 }))).message;
}

const layoutOf = (whole: WholeGraph) => messagesOf(whole)[1];

const names = {
  markup: '<img src=x onerror="window.broken = 1"><script>window.broken = 1</script>',
  long: "template<".repeat(454) + "end",
  "right to left": "\u202egpp.niam\u202c שלום مرحبا",
  prototype: "__proto__",
  entity: "&lt;b&gt; ]]> --> ${1} {{2}} \u0000\u0007",
  nothing: "",
  formula: "=cmd|' /C calc'!A0",
  pairs: "😀".repeat(1000),
  "half a pair": "\ud83d cut \ude00 \uffff",
};

describe("a name out of a recording is text and nothing else", () => {
  it.each(Object.entries(names))("%s", async (_, name) => {
    await open();
    const bars = sample.bars.map((bar) => ({ ...bar, group: name }));
    const entries = { ...sample.entries, place: sample.entries.name };
    const texts = sample.texts.map(() => name);
    const metrics = [{ name, unit: name.slice(0, 100), note: name }];
    await view.panel.send({ ...sampleControls, dataSet: name, metrics, restriction: name });
    await view.sendGraph({ ...sample, metric: name, bars, entries, texts, notes: [name] });
    await view.panel.page.locator(".bar").first().waitFor();
    await view.panel.page.locator(".bar").first().focus();
    await view.panel.page.getByRole("tooltip").waitFor();
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await view.panel.page.locator(".bar").first().click({ button: "right" });
    await view.panel.page.getByRole("menu").waitFor();
    await drawn(view.panel.page);
    expect(await view.panel.page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
    expect(await view.panel.page.locator("img, #app script, b b, iframe").count()).toBe(0);
    expect(await view.panel.page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
    expect(await view.panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(900);
    const shown = await view.panel.page.locator("body").innerText();
    expect(shown).not.toMatch(/[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/);
    await view.panel.page.keyboard.press("Escape");
    for (const format of ["svg", "png", "csv"] as const) {
      const saved = await view.save(format);
      if (format !== "svg") continue;
      const wrong = await view.panel.page.evaluate(
        (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror").length,
        saved,
      );
      expect(wrong).toBe(0);
    }
  });

  it("is saved as a picture that is well-formed, and as a table that no spreadsheet runs", async () => {
    await open();
    const group = `${names.markup}${names.entity}`;
    const bars = sample.bars.map((bar, at) => ({ ...bar, group: at === 0 ? names.formula : group }));
    await view.panel.send(sampleControls);
    await view.sendGraph({ ...sample, bars });
    await view.panel.page.locator(".bar").first().waitFor();
    const picture = await view.save("svg");
    const parsed = await view.panel.page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, "image/svg+xml");
      return {
        errors: root.querySelectorAll("parsererror").length,
        scripts: root.querySelectorAll("script, image").length,
      };
    }, picture);
    expect(parsed).toEqual({ errors: 0, scripts: 0 });
    const table = await view.save("csv");
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
    [
      "a flow to a bar that is not there",
      () => ({ ...sample, flows: { ...sample.flows, target: sample.flows.target.map(() => 99) } }),
    ],
    ["a geometry of other bars", () => ({ ...sample, geometry: { ...sample.geometry, bars: [] } })],
    ["an infinite size", () => ({ ...sample, bars: sample.bars.map((bar) => ({ ...bar, inclusive: Infinity })) })],
    ["too long a name", () => ({ ...sample, bars: sample.bars.map((bar) => ({ ...bar, group: "x".repeat(5000) })) })],
    [
      "too many marks",
      () => {
        const count = sample.bars.map(() => 6000);
        const column = (value: number) => Array<number>(6000 * count.length).fill(value);
        const numbers = { inclusive: column(1), exclusive: column(1) };
        return { ...sample, entries: { count, name: column(0), ...numbers, place: column(-1) } };
      },
    ],
    ["a layout of another graph", () => layoutOf({ ...sample, revision: 9 })],
    [
      "a layout whose flows lead further than its bars",
      () => layoutOf({ ...sample, flows: { ...sample.flows, source: sample.flows.source.map(() => 99) } }),
    ],
    ["half a graph", () => ({ type: "graph", revision: 1 })],
  ])("is ignored: %s", async (_, message) => {
    await open();
    await view.panel.send(sampleControls);
    await view.sendGraph(sample);
    await view.panel.page.locator(".bar").first().waitFor();
    await drawn(view.panel.page);
    const before = await view.panel.page.locator("svg.graph").innerHTML();
    const sent = message();
    const isWhole = (one: unknown): one is WholeGraph =>
      typeof one === "object" && one !== null && "layoutNotes" in one;
    // Its parts look like a graph and its layout, one of which is wrong, or does not belong to the other.
    if (isWhole(sent)) await view.sendGraph(sent);
    else await view.panel.send(sent);
    await drawn(view.panel.page);
    expect(await view.panel.page.locator("svg.graph").innerHTML()).toBe(before);
  });
});
