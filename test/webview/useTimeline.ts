import path from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import type { View } from "../../src/panels/kit/definition";
import { askTimeline, lookAtTimeline } from "../../src/panels/timeline/asking";
import type { TimelineShown } from "../../src/panels/timeline/shown";
import { timelineContent } from "../../src/panels/timeline/content";
import { timeline } from "../../src/panels/timeline/definition";
import { parse } from "../../src/protocol/bounds";
import { timelineLook, type TimelineState } from "../../src/protocol/timeline";
import { timelineSight } from "../../webviews/timeline/sight";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";
import { openPage, sendSample } from "./kit/showing";
import { drawn, type OpenOptions, type PanelPage, PanelWindow, type Sent } from "./window";

/** Of the drawing in a page of the usual size. */
const STAGE = { width: 1400, height: 640 };

const filesOf = (what: string) =>
  Array.from({ length: 8 }, (_, rank) => path.join(miniheat, `profiles/trace/${what}-${rank}.cali`));

/** The sample program's events on 8 ranks, and a run of which messages were recorded, too. */
export const miniheatTrace = filesOf("events");
export const miniheatMessages = filesOf("messages");

/** A recording's timeline as its host shows it. */
export async function timelineView(
  state: Partial<TimelineState> = {},
  files: readonly string[] = miniheatTrace,
): Promise<View<TimelineState>> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const [info] = await engine.open({ paths: [...files] });
  const world = { engine, info, scope: { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const };
  return { ...viewOf(world, { ...timeline.start, ...state }), size: STAGE };
}

/** What the host has once a page of this size has said what is in sight. */
export async function timelineShown(view: View<TimelineState>): Promise<TimelineShown> {
  const shown = await askTimeline(view, quietTask);
  const drawing = {
    ...view.size,
    theme: plainTheme,
    measure: (size: number) => (text: string) => text.length * size * 0.6,
  };
  const look = timelineSight.look(timelineContent(shown, view), undefined, drawing, "", false);
  return lookAtTimeline(shown, { ...view, look }, quietTask);
}

/** A timeline's page for the tests of a file, answered as the host does. */
export function useTimeline() {
  let panels: PanelWindow;
  let panel: PanelPage;
  let view: View<TimelineState>;
  let shown: TimelineShown;

  beforeAll(async () => {
    panels = await PanelWindow.start("timeline", "Timeline");
  });
  afterAll(() => panels.stop());
  afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

  /** Answers what the page asked for, until it asks for nothing more. @returns everything else that it sent */
  async function settle(): Promise<Sent[]> {
    const others: Sent[] = [];
    for (let quiet = 0; quiet < 2;) {
      await drawn(panel.page);
      const sent = await panel.sent();
      const looks = sent.filter(({ type }) => type === "look");
      others.push(...sent.filter(({ type }) => type !== "look" && type !== "ready" && type !== "resize"));
      for (const { look } of looks) {
        expect(parse(timelineLook, look)).toEqual(look);
        shown = await lookAtTimeline(shown, { ...view, look }, quietTask);
        await panel.send({ type: "content", revision: 1, content: timeline.content(shown, view) });
      }
      quiet = looks.length > 0 ? 0 : quiet + 1;
    }
    return others;
  }

  return {
    get panel(): PanelPage {
      return panel;
    },
    get view(): View<TimelineState> {
      return view;
    },
    get shown(): TimelineShown {
      return shown;
    },
    set shown(another: TimelineShown) {
      shown = another;
    },
    settle,
    async show(
      state: Partial<TimelineState> = {},
      options: OpenOptions & { file?: readonly string[]; before?: object } = {},
    ): Promise<void> {
      [panel, view] = [await openPage(panels, options), await timelineView(state, options.file)];
      shown = await askTimeline(view, quietTask);
      if (options.before) await panel.send(options.before);
      await sendSample(panel, timeline, { name: "", view, shown });
      await settle();
    },
    summary: () => panel.page.locator(".summary").innerText(),
  };
}
