import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import { draw } from "../../webviews/ensembleRuns/drawing";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { viewOf } from "./kit/samples";
import { plainTheme } from "./kit/plainTheme";
import { openPage, sendSample } from "./kit/showing";
import { type PanelPage, PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

describe("runs in the plane, on their page", () => {
  let window: PanelWindow;
  let panel: PanelPage;
  beforeAll(async () => {
    window = await PanelWindow.start("ensembleRuns", "Ensemble Runs");
  });
  afterAll(() => window.stop());
  afterEach(async ({ task }) => expect(await window.endTest(task.result?.state === "fail")).toEqual([]));

  async function show() {
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: [path.join(miniheat, "profiles/ensemble")], ensemble: {} });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
    const view = viewOf({ engine, info, scope }, { ...ensembleRuns.start, view: "projection" as const });
    const shown = await ensembleRuns.ask(view, quietTask, []);
    panel = await openPage(window);
    await sendSample(panel, { ...ensembleRuns, notes: undefined }, { name: "", view, shown });
    if (shown.view !== "projection") throw new Error("another view");
    return { view, shown };
  }
  const chosen = async () => (await panel.sent()).filter(({ type }) => type === "choose").map(({ marks }) => marks);
  const middle = async (name: string) => {
    const box = await panel.page.locator(`.drawing [aria-label^="${name},"]`).boundingBox();
    if (!box) throw new Error(`${name} is not drawn`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  /** A circle around one, drawn by the mouse. */
  async function circle(at: { x: number; y: number }, radius: number): Promise<void> {
    const { mouse } = panel.page;
    const on = (angle: number) => [at.x + radius * Math.cos(angle), at.y + radius * Math.sin(angle)] as const;
    await mouse.move(...on(0));
    await mouse.down();
    for (let step = 1; step <= 24; step++) await mouse.move(...on((step / 24) * 2 * Math.PI));
    await mouse.up();
  }

  it("are chosen by a line around them, and not by the rectangle around that", async () => {
    const { shown } = await show();
    const names = shown.runs.runs.map(({ name }) => name);
    const at = await Promise.all(names.map(middle));
    const distances = at.map((from) => at.map((to) => Math.hypot(to.x - from.x, to.y - from.y)));
    const sorted = distances.map((own) => [...own].sort((a, b) => a - b));
    // Around the run that has its two nearest nearest to it, just beyond these.
    const tightest = sorted.reduce((best, own, run) => (own[2] < sorted[best][2] ? run : best), 0);
    const radius = (sorted[tightest][2] + sorted[tightest][3]) / 2;
    await circle(at[tightest], radius);
    const inside = names.flatMap((_, run) => (distances[tightest][run] < radius ? [run] : []));
    expect((await chosen()).at(-1)).toEqual(inside);
  });

  it("are given up with Escape while the line is drawn", async () => {
    await show();
    const { mouse, keyboard } = panel.page;
    const { x, y } = await middle("np27-r1");
    await mouse.move(x - 40, y - 40);
    await mouse.down();
    for (const [dx, dy] of [[40, -40], [40, 40], [-40, 40]]) await mouse.move(x + dx, y + dy); // prettier-ignore
    await keyboard.press("Escape");
    await mouse.up();
    expect((await chosen()).at(-1) ?? []).toEqual([]);
  });

  it("are chosen by keyboard as all of a cluster", async () => {
    const { view, shown } = await show();
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "projection") throw new Error("another view");
    const { marks } = draw(content, {
      width: 800,
      height: 600,
      theme: plainTheme,
      measure: (size) => (text) => text.length * size * 0.6,
    });
    const last = marks[marks.length - 1].id;
    const alike = [...content.cluster.keys()].filter((run) => content.cluster[run] === content.cluster[last]);
    await panel.page.locator(".drawing [tabindex='0']").focus();
    for (const key of ["End", "Shift+F10"]) await panel.page.keyboard.press(key);
    const entry = panel.page.getByRole("menuitem", { name: /^Only the \d+ runs? of cluster/ });
    await entry.waitFor();
    await entry.press("Enter");
    expect((await chosen()).at(-1)).toEqual(alike);
  });
});
