/** An ensemble of hundreds of runs in its page: how long another target and another restriction take, and what frames do meanwhile. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { askBeside } from "../../src/panels/ensemble/beside";
import { ensemble } from "../../src/panels/ensemble/definition";
import type { EnsembleView } from "../../src/panels/ensemble/query";
import type { ShownEnsemble } from "../../src/panels/ensemble/shown";
import { grammars } from "../unit/engine/miniheat";
import { viewOf } from "../webview/kit/samples";
import { openPage, sendSample, viewIn } from "../webview/kit/showing";
import { drawn, type PanelPage, PanelWindow } from "../webview/window";
import { writeEnsemble } from "./ensembleFiles";
import { framesWhile, type FrameTimes, toAndFro } from "./frames";

export const RUNS = 500;
const CONTEXTS = 600;
const CHANGES = 40;
/** Beyond those of the changes before. */
const REVISION = 1000;
const MOVES = 240;
const MOVES_BETWEEN_ANSWERS = 4;

export interface EnsembleDrawingRow {
  readonly bars: number;
  /** Milliseconds of each of many targets, from the question to the drawing. */
  readonly targetMs: number;
  /** The same of other runs. */
  readonly brushMs: number;
  /** Of the page while a hand drags along the columns of runs, and the host answers as a panel does. */
  readonly dragged: FrameTimes & { readonly answers: number };
}

export async function benchEnsembleDrawing(): Promise<EnsembleDrawingRow> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-ensemble-"));
  const panels = await PanelWindow.start("ensemble", "Ensemble");
  try {
    writeEnsemble(folder, { runs: RUNS, contexts: CONTEXTS, ranks: 1 });
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: [folder], ensemble: {} });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
    const steps = { filter: 0, groupBy: "function" as const, operations: [], done: 0 };
    const panel = await openPage(panels);
    const view = await viewIn(panel, viewOf({ engine, info, scope }, { ...ensemble.start, steps }));
    const shown = await ensemble.ask(view, quietTask, []);
    await sendSample(panel, ensemble, { name: "many runs", view, shown });
    return {
      bars: shown.whole.graph.bars.size,
      targetMs: await each(panel, (change) => retarget(view, shown, change)),
      brushMs: await each(panel, (change) => brush(view, shown, change)),
      dragged: await drag(panel, view, shown),
    };
  } finally {
    await panels.stop();
    fs.rmSync(folder, { recursive: true });
  }
}

/** @returns the message to the page */
async function retarget(view: EnsembleView, shown: ShownEnsemble, change: number): Promise<unknown> {
  const target = shown.runs.runs[(change * 7) % RUNS].name;
  const part = await askBeside(shown, { ...view, state: { ...view.state, mode: "target", target } }, quietTask);
  return { type: "part", revision: 1, part };
}

async function brush(view: EnsembleView, shown: ShownEnsemble, change: number): Promise<unknown> {
  const members = Array.from({ length: 100 + change }, (_, run) => String(run + change));
  const few: EnsembleView = { ...view, scope: { ...view.scope, chosen: { by: "run", members } } };
  const answer = await ensemble.ask(few, quietTask, [{ shown, revision: 1 }]);
  return { type: "content", revision: change + 2, content: ensemble.content(answer, few) };
}

/**
 * One change after the other, as fast as they go: the host answers while the page draws what came before. Messages are in the page already,
 * where VS Code would bring them.
 *
 * @returns milliseconds of each
 */
async function each(panel: PanelPage, change: (at: number) => Promise<unknown>): Promise<number> {
  const sends: (() => Promise<void>)[] = [];
  for (let at = 0; at < CHANGES; at++) sends.push(await panel.hold(await change(at)));
  const started = performance.now();
  for (const [at, send] of sends.entries()) {
    await change(at);
    await send();
  }
  await drawn(panel.page);
  return (performance.now() - started) / CHANGES;
}

/** To and fro along the columns; what is chosen is answered with the numbers of its runs, one choice after the other. */
async function drag(
  panel: PanelPage,
  view: EnsembleView,
  shown: ShownEnsemble,
): Promise<FrameTimes & { readonly answers: number }> {
  const { page } = panel;
  await sendSample(panel, ensemble, { name: "many runs", view, shown }, REVISION);
  const drawing = await page.locator(".drawing").boundingBox();
  if (!drawing) throw new Error("nothing is drawn");
  const [from, wide] = [{ x: drawing.x + 40, y: drawing.y + 24 }, drawing.width - 80];
  await panel.sent();
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  let last = shown;
  let answers = 0;
  const answer = async () => {
    const choice = (await panel.sent()).filter(({ type }) => type === "choose").at(-1);
    if (!choice) return;
    answers++;
    const chosen = ensemble.members?.of(last, choice.marks as number[]);
    const few: EnsembleView = { ...view, scope: { ...view.scope, ...(chosen ? { chosen } : {}) } };
    last = await ensemble.ask(few, quietTask, [{ shown: last, revision: REVISION }]);
    await sendSample(panel, ensemble, { name: "brushed", view: few, shown: last, chosen }, REVISION + answers);
    await panel.send({ type: "chosen", revision: REVISION + answers, choice: Number(choice.choice) });
  };
  const times = await framesWhile(panel, async () => {
    for (let move = 1; move <= MOVES; move++) {
      await page.mouse.move(from.x + toAndFro(move, MOVES) * wide, from.y);
      if (move % MOVES_BETWEEN_ANSWERS === 0) await answer();
    }
  });
  await page.mouse.up();
  return { ...times, answers };
}
