import { describe, expect, it, vi } from "vitest";
import { formatValue } from "../../src/model/units";
import { draw } from "../../webviews/timeline/drawing";
import { crossedTexts, shapesOf } from "./kit/crossing";
import { plainTheme } from "./kit/plainTheme";
import { timeline, timelineShown, timelineView, useTimeline } from "./useTimeline";
import { screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const page = useTimeline();

/** What is shown of the recording's phases. */
function phases() {
  const { phases: known } = page.shown;
  if (!known) throw new Error("no phases");
  return Array.from(known.fromSeconds, (from, at) => ({ from, to: known.toSeconds[at], name: known.name[at] }));
}

const windowIs = async ({ from, to }: { from: number; to: number }) => {
  const window = await page.window();
  expect(window.from).toBeCloseTo(from, 12);
  expect(window.to).toBeCloseTo(to, 12);
};

describe("phases", () => {
  it("become the window by a click in their row, and one after the other by Q and E; the window before is kept", async () => {
    await page.show();
    const all = phases();
    expect(all.length).toBeGreaterThan(2);
    const whole = await page.window();
    const { left, width, phases: row } = await page.area();
    const { mouse, keyboard } = page.panel.page;
    // Of two that overlap, since ranks begin at their own time, the later one is drawn there.
    const { from, to } = all[1];
    const end = Math.min(to, all[2].from);
    await mouse.click(left + (((from + end) / 2 - whole.from) / (whole.to - whole.from)) * width, row);
    await page.settle();
    await windowIs(all[1]);
    await screenshot(page.panel.page, "timeline-phase");
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    await keyboard.press("e");
    await page.settle();
    await windowIs(all[2]);
    await keyboard.press("q");
    await keyboard.press("q");
    await page.settle();
    await windowIs(all[0]);
    await keyboard.press("q");
    await page.settle();
    await windowIs(all[0]);
    await keyboard.press("0");
    await page.settle();
    await keyboard.press("e");
    await page.settle();
    await windowIs(all[0]);
    await page.panel.page.getByRole("button", { name: "Back to the window before" }).click();
    await page.settle();
    await windowIs(whole);
  });

  it("have lines through the lanes that cross no text, as other lines cross no heading of a group", async () => {
    const view = await timelineView();
    const shown = await timelineShown(view);
    const names = ["the first of two nodes, with a long name", "n2"];
    const groups = { names, of: Int32Array.from(shown.facts.lanes, (_, lane) => Math.floor(lane / 4)) };
    const content = timeline.content({ ...shown, groups }, view);
    const { start, end } = content;
    for (const width of [400, 600, 1400])
      for (const part of [1, 0.6, 0.2]) {
        const drawing = {
          width,
          height: 640,
          theme: plainTheme,
          measure: (size: number) => (text: string) => text.length * size * 0.6,
        };
        const now = {
          from: start + (1 - part) * 0.7 * (end - start),
          to: start + ((1 - part) * 0.7 + part) * (end - start),
        };
        const seen = { ...now, subject: content.subject, top: 0, back: [], forward: [], folded: [] };
        const shapes = shapesOf(draw(content, drawing, seen));
        expect(crossedTexts(shapes, drawing), `${width} pixels, ${part} of the run`).toEqual([]);
        // There are some, through what has no text.
        const dashed = shapes.filter((shape) => shape.kind === "path" && shape.dash?.join() === "2,3");
        expect(dashed.length).toBe(1);
      }
  });

  it("are measured as a whole by a drag in their row", async () => {
    await page.show();
    const [first, second] = phases();
    const whole = await page.window();
    const { left, width, phases: row } = await page.area();
    const x = (seconds: number) => left + ((seconds - whole.from) / (whole.to - whole.from)) * width;
    const { mouse } = page.panel.page;
    await mouse.move(x(first.from + 0.4 * (second.from - first.from)), row);
    await mouse.down();
    await mouse.move(x(second.from + 0.1 * (second.to - second.from)), row, { steps: 4 });
    await mouse.up();
    await page.settle();
    expect(page.shown.look?.range).toEqual({ from: first.from, to: second.to });
    expect(await page.panel.page.locator(".details").innerText()).toContain(formatValue(second.to - first.from, "s"));
  });

  it("have a table: a row becomes the window, with its longest event selected", async () => {
    await page.show();
    const panel = page.panel.page;
    await panel.getByRole("button", { name: /^Table/ }).click();
    await panel.getByRole("tab", { name: "iterations of timestep" }).click();
    await page.settle();
    const rows = panel.locator(".table:visible tbody tr");
    const all = phases();
    expect(await rows.locator("td, th").evaluateAll((cells) => cells.map(({ textContent }) => textContent))).toEqual(
      all.flatMap(({ from, to, name }, at) => [
        name,
        formatValue(from, "s"),
        formatValue(to - from, "s"),
        "8",
        formatValue(page.shown.phases?.meanSeconds[at] ?? 0, "s"),
        formatValue(page.shown.phases?.longestSeconds[at] ?? 0, "s"),
      ]),
    );
    await rows.nth(1).click();
    const sent = await page.settle();
    await windowIs(all[1]);
    const { number } = timeline.content(page.shown, page.view).phases ?? { number: [] };
    expect(sent).toContainEqual({ type: "mark", action: "select", revision: 1, mark: number[1] });
    await screenshot(panel, "timeline-phases-table");
  });

  it("are not there where nobody wants them, and of another sort where that is chosen", async () => {
    await page.show({ phases: "" });
    expect(page.shown.phases).toBeUndefined();
    expect((await page.area()).top).toBeLessThan((await page.area()).phases);
    await page.show({ phases: "regions" });
    const names = phases().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["decompose", "initialTemperature", "timestep"]));
    await screenshot(page.panel.page, "timeline-regions");
  });
});
