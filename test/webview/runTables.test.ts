/** The tables of an ensemble's runs, on their pages: sorted, filtered, grouped, hidden, and a target chosen, by mouse and keyboard. */
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { ensemble } from "../../src/panels/ensemble/definition";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { viewOf } from "./kit/samples";
import { openPage, sendSample, viewIn } from "./kit/showing";
import { drawn, type PanelPage, PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

let window: PanelWindow;
let panel: PanelPage;
let runs: Locator;
afterEach(async ({ task }) => expect(await window.endTest(task.result?.state === "fail")).toEqual([]));

async function opened() {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const [info] = await engine.open({ paths: [path.join(miniheat, "profiles/ensemble")], ensemble: {} });
  return { engine, info, scope: { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const };
}

const names = () => runs.locator("tbody tr td:first-child").allInnerTexts();
const row = (name: string) => runs.locator("tbody tr").filter({ hasText: name });
const sent = async () => (await panel.sent()).filter(({ type }) => type === "choose" || type === "mark");
/** What is chosen is sent in a pace. */
const lastSent = () => vi.waitFor(async () => (await sent()).at(-1) ?? Promise.reject(new Error("nothing was sent")));
const inMenu = (name: string | RegExp) => panel.page.getByRole("menuitem", { name });

type By = "mouse" | "keyboard";

/** Chooses an entry of a row's menu. @returns what that sends */
async function fromMenu(by: By, name: string, entry: string): Promise<unknown> {
  await sent();
  const at = (await names()).indexOf(name);
  if (by === "mouse") {
    await row(name).click({ button: "right" });
    await inMenu(entry).click();
    return lastSent();
  }
  await runs.locator("tbody tr").first().focus();
  await panel.page.keyboard.press("Home");
  for (let step = 0; step < at; step++) await panel.page.keyboard.press("ArrowDown");
  await panel.page.keyboard.press("Shift+F10");
  await inMenu(entry).press("Enter");
  return lastSent();
}

async function showTable(): Promise<void> {
  await panel.page.getByRole("button", { name: "Table", exact: true }).click();
  await drawn(panel.page);
  runs = panel.page.getByRole("grid", { name: "Runs" });
}

/** What is searched for with the table open. */
async function search(text: string): Promise<void> {
  const field = panel.page.getByRole("textbox", { name: "Search" });
  if (!(await field.isVisible())) await panel.page.keyboard.press("Control+f");
  await field.fill(text);
  await drawn(panel.page);
}

describe("the table of Ensemble Runs", () => {
  beforeAll(async () => (window = await PanelWindow.start("ensembleRuns", "Ensemble Runs")));
  afterAll(() => window.stop());
  beforeEach(async () => {
    const view = viewOf(await opened(), { ...ensembleRuns.start, view: "runs" as const, groupBy: "ranks" });
    panel = await openPage(window);
    await sendSample(panel, ensembleRuns, { name: "", view, shown: await ensembleRuns.ask(view, quietTask, []) });
    await showTable();
  });

  it("is sorted by a column's heading, numbers as numbers", async () => {
    const heading = runs.locator("thead button").filter({ hasText: /^ranks$/ });
    await heading.click();
    const ranks = async () => (await names()).map((name) => Number(/np(\d+)/.exec(name)?.[1]));
    const ascending = (await ranks()).slice().sort((a, b) => a - b);
    expect(await ranks()).toEqual(ascending);
    await heading.press("Enter");
    expect(await ranks()).toEqual(ascending.reverse());
  });

  it("has a table of its groups beside it", async () => {
    const groups = panel.page.getByRole("grid", { name: "By ranks" });
    expect(await groups.locator("tbody tr td:first-child").allInnerTexts()).toEqual(["1", "2", "4", "8", "16", "27"]);
  });

  it.each(["mouse", "keyboard"] as const)("makes a run the target, and hides it, by %s", async (by) => {
    // Runs stand in the order of their names: np16-r2 is the fifth.
    const target = await fromMenu(by, "np16-r2", "Make it the target");
    expect(target).toMatchObject({ type: "mark", action: "target", mark: 4 });
    const marks = Array.from({ length: 18 }, (_, run) => run).filter((run) => run !== 4);
    expect(await fromMenu(by, "np16-r2", "Restrict to the other 17")).toMatchObject({ type: "choose", marks });
  });

  it("keeps the runs of a name, or of a value of a parameter", async () => {
    await search("np2-");
    expect((await names()).sort()).toEqual(["np2-r1", "np2-r2", "np2-r3"]);
    await search("ranks 2");
    expect((await names()).sort()).toEqual(["np2-r1", "np2-r2", "np2-r3"]);
    await search("ranks=16");
    expect((await names()).sort()).toEqual(["np16-r1", "np16-r2", "np16-r3"]);
  });
});

describe("the table of an ensemble's runs", () => {
  beforeAll(async () => (window = await PanelWindow.start("ensemble", "Ensemble")));
  afterAll(() => window.stop());
  beforeEach(async () => {
    const all = viewOf(await opened(), ensemble.start);
    const chosen = { by: "run", members: ["0", "3", "4"] } as const;
    const view = { ...all, scope: { ...all.scope, chosen } };
    panel = await openPage(window);
    const shown = await ensemble.ask(await viewIn(panel, view), quietTask, []);
    await sendSample(panel, ensemble, { name: "", view, shown });
    await showTable();
  });

  it.each(["mouse", "keyboard"] as const)("makes a run the target, hides it, and shows it again, by %s", async (by) => {
    const target = await fromMenu(by, "np1-r1", "Choose as target");
    expect(target).toMatchObject({ type: "mark", action: "target" });
    const { mark: first } = target as { readonly mark: number };
    const only = (runs: readonly number[]) => ({ type: "choose", marks: runs.map((run) => first + run) });
    expect(await fromMenu(by, "np16-r2", "Hide this run")).toMatchObject(only([0, 3]));
    expect(await fromMenu(by, "np16-r3", "Show this run again")).toMatchObject(only([0, 3, 4, 5]));
  });
});
