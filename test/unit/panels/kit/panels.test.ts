import * as v from "valibot";
import type * as vscode from "vscode";
import { expect, it, vi } from "vitest";
import type { Engine } from "../../../../src/engine/api";
import type { PanelDefinition } from "../../../../src/panels/kit/definition";
import { Panels } from "../../../../src/panels/kit/panels";
import { dataSetInfo } from "../../session/sampleInfo";
import { PanelWindow } from "../panelWindow";

/** Columns in which panels came into sight, and panels that were made. */
const seen = vi.hoisted(() => ({ made: 0 }));

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  const { window, ...rest } = standIn(heardNothing());
  return {
    ...rest,
    Uri: { joinPath: () => ({}) },
    ViewColumn: { Beside: -2 },
    window: {
      ...(window as object),
      tabGroups: { all: [], activeTabGroup: { viewColumn: 1 } },
      createWebviewPanel: () => {
        seen.made++;
        throw new Error("a new panel");
      },
    },
  };
});

const [baseline, candidate] = ["before", "after"].map((key, id) => ({
  ...dataSetInfo(),
  id,
  key,
  name: `${key}.cali`,
}));

function definition(drawsBoth: boolean): PanelDefinition<object, number, number, never> {
  return {
    id: "sample",
    title: "Sample",
    saved: "sample",
    start: {},
    state: v.object({}),
    controls: () => [],
    choose: () => undefined,
    ask: () => Promise.resolve(1),
    content: (shown) => shown,
    asked: ({ alone }) => alone,
    drawsBoth: ({ alone }) => drawsBoth && !alone,
    others: ({ alone }) => (drawsBoth && !alone ? [baseline.id, candidate.id] : []),
  };
}

const scopeOf = ({ id }: { readonly id: number }) => ({ dataSet: id, metric: 0, over: "sum" }) as const;

/** The baseline's panel is open; that of the candidate is asked for. @returns panels that were made, and how often the open one came into sight */
async function shownOf(drawsBoth: boolean, isCompared = true): Promise<[made: number, revealed: number]> {
  const here = new PanelWindow({} as Engine, scopeOf);
  here.hold([baseline, candidate]);
  const panels = new Panels(here.parts, definition(drawsBoth));
  let revealed = 0;
  const panel = { ...here.panel, reveal: () => revealed++ } as unknown as vscode.WebviewPanel;
  await panels.deserializeWebviewPanel(panel, { dataSet: baseline.key });
  if (isCompared) here.compare(baseline.id, candidate.id);
  seen.made = 0;
  await panels.show(undefined, candidate.id).catch(() => undefined);
  return [seen.made, revealed];
}

it("a panel of one of two recordings that draws both is that of the other, too", async () => {
  expect(await shownOf(true)).toEqual([0, 1]);
});

it("a panel that draws its own recording alone, or nothing that is compared, is its own", async () => {
  expect(await shownOf(false)).toEqual([1, 0]);
  expect(await shownOf(true, false)).toEqual([1, 0]);
});

it("a panel that shows the difference in the candidate's calls alone is not that of the baseline", async () => {
  const here = new PanelWindow({} as Engine, scopeOf);
  here.hold([baseline, candidate]);
  here.compare(baseline.id, candidate.id);
  const panels = new Panels(here.parts, { ...definition(true), others: () => [] });
  await panels.deserializeWebviewPanel(here.panel, { dataSet: candidate.key });
  seen.made = 0;
  await panels.show(undefined, baseline.id).catch(() => undefined);
  expect(seen.made).toBe(1);
});

it("of two open panels the candidate's draws both, the baseline's its own until the other one is closed or nothing is compared", async () => {
  const here = new PanelWindow({} as Engine, scopeOf);
  here.hold([baseline, candidate]);
  const panels = new Panels(here.parts, definition(true));
  // The pages of two panels of one window.
  const pages = [baseline, candidate].map(({ key }) => ({ key, page: new PanelWindow({} as Engine, scopeOf) }));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const open = async ({ key, page }: (typeof pages)[number]) => {
    await panels.deserializeWebviewPanel(page.panel, { dataSet: key });
    page.say({ type: "ready", width: 800, height: 600 });
    await settled();
  };
  /** As the session does, which tells everybody of it. */
  const compare = (comparison: { baseline: number; candidate: number } | undefined) => {
    here.compare(comparison?.baseline, comparison?.candidate);
    for (const { id } of [baseline, candidate]) here.changeScope(id);
  };
  /** What each page was told last that it shows. */
  const chips = async () => {
    await settled();
    return pages.map(({ page }) => page.posted.findLast(({ type }) => type === "frame")?.chips);
  };
  const both = [{ id: "comparison", text: "before.cali → after.cali" }];
  const alone = [{ id: "comparison", text: "baseline of after" }];
  const [first, second] = pages;
  await open(first);
  compare({ baseline: baseline.id, candidate: candidate.id });
  expect((await chips())[0]).toMatchObject(both);
  await open(second);
  expect(await chips()).toMatchObject([alone, both]);
  compare({ baseline: candidate.id, candidate: baseline.id });
  expect(await chips()).toMatchObject([[{ text: "after.cali → before.cali" }], [{ text: "baseline of before" }]]);
  compare({ baseline: baseline.id, candidate: candidate.id });
  second.page.close();
  expect((await chips())[0]).toMatchObject(both);
  await open(second);
  compare(undefined);
  expect(await chips()).toEqual([[], []]);
});

it("a panel apart is made beside the one that is open, and is never what is shown in its place", async () => {
  const here = new PanelWindow({} as Engine, ({ id }) => ({ dataSet: id, metric: 0, over: "sum" }));
  here.hold([baseline]);
  const apart = {
    open: (argument: unknown) => (argument === "apart" ? { own: true } : undefined),
    is: (state: object) => "own" in state,
  };
  const panels = new Panels(here.parts, { ...definition(false), state: v.looseObject({}), apart });
  let revealed = 0;
  const panel = { ...here.panel, reveal: () => revealed++ } as unknown as vscode.WebviewPanel;
  const shows = async (argument?: string) => {
    seen.made = revealed = 0;
    await panels.show(argument, baseline.id).catch(() => undefined);
    return [seen.made, revealed];
  };
  await panels.deserializeWebviewPanel(panel, { dataSet: baseline.key, own: true });
  expect(await shows()).toEqual([1, 0]);
  await panels.deserializeWebviewPanel(panel, { dataSet: baseline.key });
  expect(await shows()).toEqual([0, 1]);
  expect(await shows("apart")).toEqual([1, 0]);
});
