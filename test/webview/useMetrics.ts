import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import type { View } from "../../src/panels/kit/definition";
import { askMetrics, lookAtMetrics } from "../../src/panels/metrics/asking";
import { metrics } from "../../src/panels/metrics/definition";
import type { MetricsShown } from "../../src/panels/metrics/shown";
import { parse } from "../../src/protocol/bounds";
import { metricsLook, type MetricsState } from "../../src/protocol/metrics";
import { metricsSight } from "../../webviews/metrics/sight";
import { grammars } from "../unit/engine/miniheat";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";
import { openPage, sendSample, settleLooks } from "./kit/showing";
import { miniheatMessages } from "./useTimeline";
import { type OpenOptions, type PanelPage, PanelWindow, type Sent } from "./window";

/** Of the drawing in a page of the usual size. */
const STAGE = { width: 1400, height: 640 };

/** Seconds of the recording below. */
export const LENGTH = 4;
const POINTS = 20_000;

/** What the power is at each of its points. */
export function powerPoints(): readonly { readonly seconds: number; readonly value: number }[] {
  return Array.from({ length: POINTS }, (_, at) => {
    const seconds = (LENGTH * at) / POINTS;
    const isBusy = seconds > 1 && seconds < 2.5;
    return { seconds, value: (isBusy ? 240 : 40) + 20 * Math.sin(at / 7) };
  });
}

/** Counters of a process: one with many values, three with few, of which one stays as it is. */
function chromeEvents(): object[] {
  const counter = (name: string, ts: number, value: number) => ({ ph: "C", pid: 1, name, ts, args: { value } });
  const events: object[] = [
    { ph: "M", pid: 1, name: "process_name", args: { name: "solver" } },
    { ph: "X", pid: 1, tid: 1, name: "solve", ts: 0, dur: LENGTH * 1e6 },
    { ph: "X", pid: 1, tid: 2, name: "assemble", ts: 1e6, dur: 1e6 },
  ];
  for (const { seconds, value } of powerPoints()) events.push(counter("power", seconds * 1e6, value));
  for (let at = 0; at < 40; at++) {
    const ts = (LENGTH * 1e6 * at) / 40;
    events.push(counter("memory used", ts, at < 10 ? 1e9 : at < 30 ? 2.4e10 + at * 1e7 : 2e9));
    events.push(counter("temperature", ts, 45 + (at % 3)));
    events.push(counter("GPUs", ts, 4));
  }
  return events;
}

let written: string | undefined;

/** A recording of Chrome's format with the counters above. */
export function counterRecording(): string {
  if (written === undefined) {
    written = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-metrics-")), "counters.json");
    fs.writeFileSync(written, JSON.stringify({ traceEvents: chromeEvents() }));
  }
  return written;
}

/** What a file of tests that asked for the recording does in the end. */
export function removeCounterRecording(): void {
  if (written !== undefined) fs.rmSync(path.dirname(written), { recursive: true });
  written = undefined;
}

/** A recording's metrics as their host shows them, with rows that do not change. */
export async function metricsView(
  state: Partial<MetricsState> = {},
  files: readonly string[] = miniheatMessages,
): Promise<View<MetricsState>> {
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [...files] });
  const world = { engine, info, scope: { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const };
  return { ...viewOf(world, { ...metrics.start, constant: true, ...state }), size: STAGE };
}

/** What the host has once a page of this size has said what is in sight. */
export async function metricsShown(view: View<MetricsState>): Promise<MetricsShown> {
  const shown = await askMetrics(view, quietTask);
  const drawing = {
    ...view.size,
    theme: plainTheme,
    measure: (size: number) => (text: string) => text.length * size * 0.6,
  };
  const look = metricsSight.look(metrics.content(shown, view), undefined, drawing, "", false);
  return lookAtMetrics(shown, { ...view, look }, quietTask);
}

/** A page of metrics for the tests of a file, answered as the host does. */
export function useMetrics() {
  let panels: PanelWindow;
  let panel: PanelPage;
  let view: View<MetricsState>;
  let shown: MetricsShown;

  beforeAll(async () => {
    panels = await PanelWindow.start("metrics", "Metrics over Time");
  });
  afterAll(async () => {
    await panels.stop();
    removeCounterRecording();
  });
  afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

  const settle = (): Promise<Sent[]> =>
    settleLooks(panel, async (look) => {
      expect(parse(metricsLook, look)).toEqual(look);
      shown = await lookAtMetrics(shown, { ...view, look }, quietTask);
      return metrics.content(shown, view);
    });

  return {
    get panel(): PanelPage {
      return panel;
    },
    get view(): View<MetricsState> {
      return view;
    },
    get shown(): MetricsShown {
      return shown;
    },
    settle,
    async show(
      state: Partial<MetricsState> = {},
      options: OpenOptions & { file?: readonly string[]; before?: object } = {},
    ): Promise<void> {
      [panel, view] = [await openPage(panels, options), await metricsView(state, options.file ?? [counterRecording()])];
      shown = await askMetrics(view, quietTask);
      if (options.before) await panel.send(options.before);
      await sendSample(panel, metrics, { name: "", view, shown });
      await settle();
    },
    summary: () => panel.page.locator(".summary").innerText(),
  };
}
