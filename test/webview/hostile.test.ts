import { describe, expect, it, vi } from "vitest";
import type { GraphLayoutPart, SuperGraphContent } from "../../src/protocol/superGraph";
import { layoutOf, type Sample, sampleGraph, shownOf } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();
let sample: Sample;

async function open(): Promise<void> {
  sample = await sampleGraph({}, await view.open({ width: 900 }));
}

/** The sample with other names. */
function renamed(group: (at: number) => string, name: string): Sample {
  const { graph } = sample;
  const link = { places: [], rule: "unknown", reason: name, considered: [], summary: name } as const;
  const bars = graph.bars.map((bar, at) => ({
    ...bar,
    group: group(at),
    visit: at + 1,
    entries: bar.entries.map((entry) => ({ ...entry, name, link })),
  }));
  const metric = { ...sample.view.metric, name, note: name };
  const dataSet = { ...sample.view.dataSet, name, metrics: [metric] };
  const scope = { ...sample.view.scope, chosen: { by: "host" as const, members: [name] } };
  const own = { ...sample.view, metric, dataSet, scope };
  return { ...sample, view: own, shown: shownOf({ ...graph, metric: name, bars, notes: [name] }, sample) };
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
  "half a pair": "\ud83d cut \ude00 \uffff",
};

describe("a name out of a recording is text and nothing else", () => {
  it.each(Object.entries(names))("%s", async (_, name) => {
    await open();
    const { page } = view.panel;
    await view.sendGraph(renamed(() => name, name));
    await view.bars().first().waitFor();
    await view.bars().first().focus();
    await page.getByRole("tooltip").waitFor();
    await view.tool("table", "Table");
    await view.bars().first().click({ button: "right" });
    await page.getByRole("menu").waitFor();
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
    await view.sendGraph(renamed((at) => (at === 0 ? names.formula : group), group));
    await view.bars().first().waitFor();
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
  const content = (change: (content: SuperGraphContent) => object) => () => ({
    type: "content",
    revision: 2,
    content: { ...sample.shown.content, ...change(sample.shown.content) },
  });
  const layout =
    (change: (layout: GraphLayoutPart) => object, revision = 1) =>
    () => {
      const part = layoutOf(sample.shown, { width: 900, height: 600 }) as GraphLayoutPart;
      return { type: "part", revision, part: { ...part, ...change(part) } };
    };

  it.each([
    ["nothing", () => null],
    ["a text", () => "content"],
    ["no known type", () => ({ type: "run", command: "x" })],
    ["a value that is no number", content(() => ({ total: "1" }))],
    ["an infinite size", content(({ bars }) => ({ bars: { ...bars, inclusive: bars.inclusive.map(() => Infinity) } }))],
    ["too long a name", content(({ texts }) => ({ texts: texts.map(() => "x".repeat(5000)) }))],
    [
      "too many marks",
      content(({ bars, entries }) => {
        const count = 30_000;
        const firstEntry = bars.firstEntry.map((_, at) => (at === bars.group.length ? count : 0));
        const numbers = { inclusive: new Float64Array(count), exclusive: new Float64Array(count) };
        return { bars: { ...bars, firstEntry }, entries: { ...entries, name: new Int32Array(count), ...numbers } };
      }),
    ],
    ["half a graph", () => ({ type: "content", revision: 2 })],
    [
      "a flow to a bar that is not there",
      layout(({ flows }) => ({ flows: { ...flows, target: flows.target.map(() => 99) } })),
    ],
    ["a layout of other bars", layout(() => ({ boxes: new Float64Array() }))],
    ["a layout of another graph", layout(() => ({ width: 7 }), 9)],
  ])("is ignored: %s", async (_, message) => {
    await open();
    await view.sendGraph(sample);
    await view.bars().first().waitFor();
    await drawn(view.panel.page);
    const look = () => view.panel.page.locator(".drawing").innerHTML();
    const before = await look();
    await view.panel.send(message());
    // Were a content taken, its layout would show it.
    await view.panel.send({ type: "part", revision: 2, part: layoutOf(sample.shown, { width: 900, height: 300 }) });
    await drawn(view.panel.page);
    expect(await look()).toBe(before);
  });
});
