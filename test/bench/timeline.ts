/** The timeline of a trace of millions of events: levels of detail, what a window takes, frames while somebody zooms and pans. */
import type { Engine } from "../../src/engine/api";
import { eventStates } from "../../src/engine/traces/eventStates";
import { timelineFacts, timelineStrip } from "../../src/engine/traces/timeline";
import { timelineMarks } from "../../src/engine/traces/timelineMarks";
import { memoryColumnFiles } from "../../src/formats/memoryColumns";
import { finishTrace } from "../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../src/formats/trace/traceBuilder";
import type { DataSet } from "../../src/model/dataSet";
import { FrameTable } from "../../src/model/frames";
import { NONE } from "../../src/model/ids";
import { StringTable } from "../../src/model/strings";
import { quietTask } from "../../src/model/task";
import type { View } from "../../src/panels/kit/definition";
import { lookAtTimeline } from "../../src/panels/timeline/asking";
import type { TimelineShown } from "../../src/panels/timeline/shown";
import { timeline as timelineOf } from "../../src/panels/timeline/definition";
import { TimelineNotesStore } from "../../src/panels/timeline/notes";
import type { TimelineState } from "../../src/protocol/timeline";
import { viewOf } from "../webview/kit/samples";
import { openPage, sendSample } from "../webview/kit/showing";
import { dataSetInfo } from "../unit/session/sampleInfo";
import { type PanelPage, PanelWindow } from "../webview/window";
import { memoryStorage } from "../unit/panels/memoryStorage";

const timeline = timelineOf(new TimelineNotesStore(memoryStorage()));

export const EVENTS = 5_000_000;
const DEPTHS = 4;
const SCRIPT_MS = 5000;

export interface TimelineBench {
  readonly lanes: number;
  /** From all events reported to columns and levels of detail. */
  readonly finishSeconds: number;
  /** Of the levels of detail, as long as the trace is open. */
  readonly levelBytes: number;
  /** From the columns being there to the first drawing. */
  readonly firstPaintMs: number;
  /** Marks of a window, over zooms from the whole run to a thousandth of it: the middle, and the longest. */
  readonly marksMs: number;
  readonly slowestMarksMs: number;
  /** Between frames while zooming and panning. */
  readonly frameMs: number;
  readonly slowestFrameMs: number;
  readonly frames: number;
  /** Of the page's script. */
  readonly pageBytes: number;
}

export async function benchTimeline(lanes: number, events: number): Promise<TimelineBench> {
  const { dataSet, finishSeconds } = await generated(lanes, events);
  const { trace } = dataSet;
  if (!trace) throw new Error("the generated recording has no trace");
  const states = eventStates(dataSet, trace);
  const asked: number[] = [];
  const engine = {
    timelineFacts: () => timelineFacts(dataSet, states, undefined, quietTask),
    timelineStrip: ({ columns, rows }: { columns: number; rows: number }) =>
      Promise.resolve(timelineStrip(trace, states, columns, rows, quietTask)),
    timelineMarks: async (query: Parameters<typeof timelineMarks>[2]) => {
      const start = performance.now();
      const marks = await timelineMarks(trace, states, query, quietTask);
      asked.push(performance.now() - start);
      return marks;
    },
  } as unknown as Engine;
  const info = dataSetInfo();
  const view = { ...viewOf({ engine, info, scope: { dataSet: 1, metric: 0, over: "sum" } }, timeline.start) };
  const panels = await PanelWindow.start("timeline", "Timeline");
  try {
    const page = await openPage(panels, { width: 1400, height: 900 });
    const start = performance.now();
    let shown = await timeline.ask(view, quietTask, []);
    await sendSample(page, timeline, { name: "", view, shown });
    while (!(await painted(page))) shown = await answer(page, view, shown);
    const firstPaintMs = performance.now() - start;
    asked.length = 0;
    const frames = await zoomAndPan(page, async () => (shown = await answer(page, view, shown)));
    const [sorted, times] = [frames.sort((a, b) => a - b), asked.sort((a, b) => a - b)];
    const { JSHeapUsedSize } = await heapOf(page);
    return {
      lanes,
      finishSeconds,
      firstPaintMs,
      levelBytes: trace.bytes,
      marksMs: times[times.length >> 1],
      slowestMarksMs: times[times.length - 1],
      frameMs: sorted[sorted.length >> 1],
      slowestFrameMs: sorted[sorted.length - 1],
      frames: sorted.length,
      pageBytes: JSHeapUsedSize,
    };
  } finally {
    await panels.stop();
    await trace.close();
  }
}

/** Steps of a simulation: one event around each, and four within it, of which two are communication; no two lanes alike. */
async function generated(lanes: number, events: number): Promise<{ dataSet: DataSet; finishSeconds: number }> {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const builder = new TraceBuilder(memoryColumnFiles);
  for (let lane = 0; lane < lanes; lane++)
    builder.lane({ name: `rank ${lane}`, resource: NONE, location: NONE, kind: "intervals" });
  const [computing, communication] = [builder.category("region", "compute"), builder.category("mpi", "communication")];
  const now = new Float64Array(lanes);
  for (let step = 0; step < events / lanes / DEPTHS; step++) {
    for (let lane = 0; lane < lanes; lane++) {
      const start = now[lane] + random(1000) * 1e-7;
      const length = (1 + random(1 << random(12))) * 1e-6;
      const part = (from: number, to: number, frame: number, category: number) =>
        builder.event(lane, start + from * length, start + to * length, frame, NONE, category);
      part(0, 1, random(5), computing);
      part(0.1, 0.9, 5 + random(5), computing);
      part(0.2, 0.5, 10 + random(5), communication);
      part(0.5, 0.8, 15 + random(5), communication);
      now[lane] = start + length;
    }
    if (step % 16 === 0) await builder.settle();
  }
  const frames = new FrameTable(new StringTable());
  for (let frame = 0; frame < 20; frame++)
    frames.intern({ name: frame < 10 ? `compute${frame}` : `MPI_Call${frame}`, kind: "region" });
  const start = performance.now();
  const { trace, topology } = await finishTrace([{ builder }], {}, quietTask);
  return {
    dataSet: { name: "generated", frames, locations: [], trace, topology } as unknown as DataSet,
    finishSeconds: (performance.now() - start) / 1000,
  };
}

/** Answers what the page asked for last, as the host does. */
async function answer(page: PanelPage, view: View<TimelineState>, shown: TimelineShown): Promise<TimelineShown> {
  const look = (await page.sent()).filter(({ type }) => type === "look").at(-1)?.look;
  if (look === undefined) return shown;
  const next = await lookAtTimeline(shown, { ...view, look }, quietTask);
  await page.send({ type: "content", revision: 1, content: timeline.content(next, view) });
  return next;
}

/** Whether marks are drawn: a canvas has no elements, so what keyboards reach tells. */
async function painted({ page }: PanelPage): Promise<boolean> {
  return (await page.locator('.drawing [role="option"]').count()) > 0;
}

/** Turns the wheel, in and out with steps to the side, for five seconds. @returns milliseconds between frames */
async function zoomAndPan({ page }: PanelPage, answerPage: () => Promise<unknown>): Promise<number[]> {
  const frames = page.evaluate(async (lasting) => {
    const drawing = document.querySelector(".drawing");
    if (!drawing) throw new Error("there is no drawing");
    const { left, top } = drawing.getBoundingClientRect();
    const turn = (deltaX: number, deltaY: number) =>
      drawing.dispatchEvent(
        new WheelEvent("wheel", {
          deltaX,
          deltaY,
          clientX: left + 700,
          clientY: top + 300,
          bubbles: true,
          cancelable: true,
        }),
      );
    const intervals: number[] = [];
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const begun = await nextFrame();
    for (let last = begun; last - begun < lasting;) {
      // A second in, a second out, to the side all the time.
      turn(0, Math.floor((last - begun) / 1000) % 2 === 0 ? -20 : 20);
      turn(12, 0);
      const now = await nextFrame();
      intervals.push(now - last);
      last = now;
    }
    return intervals;
  }, SCRIPT_MS);
  let isOver = false;
  const over = frames.then(() => (isOver = true));
  while (!isOver) await answerPage();
  await over;
  return frames;
}

async function heapOf({ page }: PanelPage): Promise<{ readonly JSHeapUsedSize: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  return { JSHeapUsedSize: metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN };
}
