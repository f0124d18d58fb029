import path from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import type { View } from "../../src/panels/kit/definition";
import { lookAtTimeline } from "../../src/panels/timeline/asking";
import type { TimelineShown } from "../../src/panels/timeline/shown";
import { timelineContent } from "../../src/panels/timeline/content";
import { timeline as timelineOf } from "../../src/panels/timeline/definition";
import { TimelineNotesStore } from "../../src/panels/timeline/notes";
import { memoryStorage } from "../unit/panels/memoryStorage";
import { parse } from "../../src/protocol/bounds";
import { timelineLook, type TimelineState } from "../../src/protocol/timeline";
import type { TimelineSeen } from "../../webviews/timeline/seen";
import { layoutOf } from "../../webviews/timeline/rows";
import { timelineSight } from "../../webviews/timeline/sight";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";
import { openPage, partsOf, sendSample, settleLooks } from "./kit/showing";
import { type OpenOptions, type PanelPage, PanelWindow, type Sent } from "./window";

/** What the tests of a file keep. */
export const notes = new TimelineNotesStore(memoryStorage());
export const timeline = timelineOf(notes);

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
  return (await timelineLooked(view)).shown;
}

/** The same, with the view that says what is in sight: what comes later depends on it. */
export async function timelineLooked(view: View<TimelineState>): Promise<{ view: typeof view; shown: TimelineShown }> {
  const shown = await timeline.ask(view, quietTask, []);
  const drawing = {
    ...view.size,
    theme: plainTheme,
    measure: (size: number) => (text: string) => text.length * size * 0.6,
  };
  const look = timelineSight.look(timelineContent(shown, view), undefined, drawing, "", false);
  const looked = { ...view, look };
  return { view: looked, shown: await lookAtTimeline(shown, looked, quietTask) };
}

/** What the engine answers, with its ranks on two machines. */
export function onTwoNodes(shown: TimelineShown): TimelineShown {
  const of = Int32Array.from(shown.facts.lanes, (_, lane) => Math.floor(lane / 4));
  return { ...shown, groups: { names: ["node 0", "node 1"], of } };
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

  const settle = (): Promise<Sent[]> =>
    settleLooks(
      panel,
      async (look) => {
        expect(parse(timelineLook, look)).toEqual(look);
        const before = shown;
        shown = await lookAtTimeline(shown, { ...view, look }, quietTask);
        return shown === before ? undefined : timeline.content(shown, view);
      },
      (look) => partsOf(timeline, shown, { ...view, look }),
    );

  /** The window that is written, in seconds. */
  const window = async (): Promise<{ from: number; to: number }> => {
    const seen = (await panel.kept()) as { seen?: TimelineSeen } | undefined;
    const { facts } = shown;
    const { from = facts.startSeconds, to = facts.endSeconds } = seen?.seen ?? {};
    return { from, to };
  };

  /** Where the lanes are drawn: left of it are their names, above it the row of phases and the ruler. */
  const area = async (): Promise<Record<"left" | "top" | "width" | "height" | "ruler" | "phases", number>> => {
    const box = await panel.page.locator(".drawing").boundingBox();
    const at = await panel.page.locator(".strip .shade").first().getAttribute("x");
    if (!box) throw new Error("no drawing");
    const [left, above] = [Number(at), shown.phases ? 36 : 20];
    const beside = { left: box.x + left, width: box.width - left };
    return { ...beside, top: box.y + above, height: box.height - above, ruler: box.y + 12, phases: box.y + 28 };
  };

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
      shown = await timeline.ask(view, quietTask, []);
      if (options.before) await panel.send(options.before);
      await sendSample(panel, timeline, { name: "", view, shown });
      await settle();
    },
    window,
    area,
    /** The middle of a mark on screen. */
    async pointOf(at: number): Promise<{ x: number; y: number }> {
      const content = timeline.content(shown, view);
      const { marks } = content;
      const { left, top, width, height } = await area();
      const layout = layoutOf(content, [], height);
      const { from, to } = await window();
      const row = layout.of.get(marks.lane[at]);
      if (!row) throw new Error("no such lane");
      const x = left + (((marks.start[at] + marks.end[at]) / 2 - from) / (to - from)) * width;
      return { x, y: top + row.y + (marks.depth[at] - row.firstDepth + 0.5) * layout.rowHeight };
    },
    /** What an action of the host did with a mark. */
    async acted(action: string, mark: number): Promise<unknown[]> {
      const heard: unknown[] = [];
      const handle = {
        view,
        goTo: (place: unknown) => heard.push(place),
        explained: (_: number, { facts }: { readonly facts: readonly unknown[] }) => heard.push(facts[0]),
      };
      await timeline.actions?.[action](shown, mark, handle as never);
      return heard;
    },
    /** Every event of a function, by ascending start: read one after the other. */
    async eventsNamed(name: string): Promise<{ start: number; end: number }[]> {
      const { facts } = shown;
      const { engine } = view.session;
      const lanes = facts.lanes.map((_, lane) => ({ lane, firstDepth: 0, depths: facts.lanes[lane].depths }));
      const whole = { fromSeconds: facts.startSeconds, toSeconds: facts.endSeconds, pixelSeconds: 1e-12 };
      const asked = { ...whole, dataSet: view.dataSet.id, look: "depth", lanes, mostMarks: 1e6 } as const;
      const marks = await engine.timelineMarks(asked);
      return Array.from(marks.lane.keys())
        .filter((at) => facts.states[marks.state[at]].name === name)
        .map((at) => ({ start: marks.startSeconds[at], end: marks.endSeconds[at] }))
        .sort((a, b) => a.start - b.start);
    },
    summary: () => panel.page.locator(".summary").innerText(),
  };
}
