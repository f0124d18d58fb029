import { describe, expect, it, vi } from "vitest";
import type { PanelHandle } from "../../src/panels/kit/definition";
import type { TimelineShown } from "../../src/panels/timeline/shown";
import type { Place } from "../../src/protocol/panel";
import type { TimelineState } from "../../src/protocol/timeline";
import { MovedWindows } from "../../src/session/movedWindows";
import { typed } from "./fakeVsCode";
import { notes, timeline, useTimeline } from "./useTimeline";
import { screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const page = useTimeline();

describe("bookmarks", () => {
  it("keep the window with what is selected; going to one moves the window of all views and selects it again", async () => {
    await page.show();
    const window = { from: 0.05, to: 0.1 };
    const windows = new MovedWindows();
    windows.show(page.view.dataSet.id, window);
    const went: Place[] = [];
    const said: string[] = [];
    const view = () => ({ ...page.view, window: windows.of(page.view.dataSet.id) });
    const handle = {
      get view() {
        return view();
      },
      onScreen: { shown: page.shown, revision: 1 },
      change: () => Promise.resolve(),
      notice: (text: string) => void said.push(text),
      showWindow: (one: typeof window | undefined) => windows.show(page.view.dataSet.id, one),
      goTo: (place: Place) => Promise.resolve(void went.push(place)),
    } as unknown as PanelHandle<TimelineState, TimelineShown>;
    const { marks, names } = timeline.content(page.shown, page.view);
    const solve = marks.state.findIndex((state, at) => names[state] === "solve" && marks.events[at] === 1);
    typed.name = " the slow one ";
    await timeline.actions?.bookmark(page.shown, marks.number[solve], handle);
    expect(typed.offered).toBe("solve · 50 – 100 ms");
    typed.name = "all of it";
    windows.show(page.view.dataSet.id, undefined);
    await timeline.choose(view(), "bookmark", "", handle);
    expect(typed.offered).toBe("the whole run");
    typed.name = undefined;
    await timeline.choose(view(), "bookmark", "", handle);
    expect(notes.of("a-key").bookmarks.map(({ name }) => name)).toEqual(["all of it", "the slow one"]);
    const menu = timeline.controls(view(), page.shown).find(({ id }) => id === "bookmarks");
    const entries = menu?.kind === "tool" ? (menu.menu ?? []) : [];
    expect(entries.map(({ label, title }) => [label, title])).toEqual([
      ["all of it", "the whole run"],
      ["the slow one", "50 – 100 ms · solve"],
      ["Remove all of it", "the whole run"],
      ["Remove the slow one", "50 – 100 ms · solve"],
    ]);
    await timeline.choose(view(), "bookmarks", entries[1].value, handle);
    expect(windows.of(page.view.dataSet.id)).toEqual(window);
    const [{ mark, x, row }] = went;
    expect([mark, row]).toEqual([marks.number[solve], marks.lane[solve]]);
    const { startSeconds, endSeconds } = page.shown.facts;
    expect(startSeconds + x * (endSeconds - startSeconds)).toBeCloseTo(marks.start[solve], 12);
    // Of a recording that was made anew only the window is there.
    await notes.addBookmark("a-key", {
      name: "gone",
      window,
      selected: { lane: 0, event: 0, name: "no such function" },
    });
    await timeline.choose(view(), "bookmarks", "go gone", handle);
    expect(went).toHaveLength(1);
    expect(said.at(-1)).toMatch(/^no such function, .* is not there any more/);
    await timeline.choose(view(), "bookmarks", entries[2].value, handle);
    expect(notes.of("a-key").bookmarks.map(({ name }) => name)).toEqual(["gone", "the slow one"]);
  });

  it("are made by B, of what is selected or of the window alone", async () => {
    await page.show();
    const { page: panel } = page.panel;
    await panel.locator(".drawing [tabindex='0']").focus();
    await panel.keyboard.press("b");
    expect(await page.settle()).toContainEqual({ type: "control", id: "bookmark", value: "" });
    await panel.keyboard.press("Space");
    await page.settle();
    await panel.keyboard.press("b");
    expect(await page.settle()).toContainEqual(expect.objectContaining({ type: "mark", action: "bookmark" }));
  });
});

describe("lanes", () => {
  it("are pinned by their menu: they stand on top, below a line, whatever the order and the text", async () => {
    await page.show();
    const { marks } = timeline.content(page.shown, page.view);
    const lane = (name: string) => page.shown.facts.lanes.findIndex((one) => one.name === name);
    const markIn = (name: string) => marks.number[marks.lane.indexOf(lane(name))];
    const changed: unknown[] = [];
    const handle = { view: page.view, change: (state: unknown) => Promise.resolve(void changed.push(state)) };
    for (const name of ["rank 5", "rank 2"]) await timeline.actions?.pin(page.shown, markIn(name), handle as never);
    expect(changed).toEqual([{}, {}]);
    await page.show({ order: "name" });
    const order = () => {
      const content = timeline.content(page.shown, page.view);
      return [...content.order].filter((one) => content.depths[one] > 0).map((one) => page.shown.facts.lanes[one].name);
    };
    expect(order()).toEqual([5, 2, 0, 1, 3, 4, 6, 7].map((rank) => `rank ${rank}`));
    await screenshot(page.panel.page, "timeline-pinned");
    typed.name = "rank 7, rank 1";
    const change = await timeline.choose(page.view, "lanes", "\u0000named", handle as never);
    expect(change).toEqual({ filter: "rank 7, rank 1" });
    await page.show({ ...change });
    expect(order()).toEqual(["rank 5", "rank 2", "rank 1", "rank 7"]);
    const toolbar = page.panel.page.locator(".toolbar");
    expect(await toolbar.innerText()).toContain("“rank 7, rank 1”: 4 ranks, 4 hidden");
    await screenshot(page.panel.page, "timeline-named-lanes");
    expect(await timeline.choose(page.view, "lanes", "", handle as never)).toEqual({});
    for (const name of ["rank 5", "rank 2"]) await timeline.actions?.pin(page.shown, markIn(name), handle as never);
    await page.show({ filter: "no such lane" });
    expect(timeline.notes?.(page.shown, page.view)).toEqual(["No lane is called “no such lane”: choose “all lanes”."]);
  });
});
