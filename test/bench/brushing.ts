/** Frames of the histogram's page while a hand brushes. */
import { distribution } from "../../src/engine/members/distributions";
import { OpenDataSet } from "../../src/engine/dataSets/openDataSet";
import type { Distribution, Engine } from "../../src/engine/api";
import { quietTask } from "../../src/model/task";
import { dataSetInfo } from "../../src/engine/dataSets/dataSetInfo";
import { histogram } from "../../src/panels/histogram/definition";
import { viewOf } from "../webview/kit/samples";
import { openPage, sendChosen, sendSample } from "../webview/kit/showing";
import { type PanelPage, PanelWindow } from "../webview/window";
import { framesWhile, type FrameTimes, toAndFro } from "./frames";
import { generateRecording } from "./generatedRecording";

export const RANKS = 4096;
const CONTEXTS = 1000;
const MOVES = 240;
const MOVES_BETWEEN_ANSWERS = 12;

export interface BrushingRow extends FrameTimes {
  readonly brushes: number;
}

export async function benchBrushing(): Promise<BrushingRow> {
  const open = new OpenDataSet(1, generateRecording(CONTEXTS, RANKS), 0);
  const scope = { dataSet: 1, metric: 0, over: "mean" } as const;
  const noGraph = () => {
    throw new Error("of the whole recording no graph is asked for");
  };
  const query = { scope, by: "rank", value: "exclusive", bins: 20, order: "id" } as const;
  const shown = await distribution(open, noGraph, query, quietTask);
  const panels = await PanelWindow.start("histogram", "Histogram");
  try {
    const page = await openPage(panels);
    const view = viewOf({ engine: {} as Engine, info: dataSetInfo(open), scope }, histogram.start);
    await sendSample(page, histogram, { name: "brushed", view, shown });
    return await brush(page, shown);
  } finally {
    await panels.stop();
  }
}

/** Drags to and fro over the bins; the host answers each brush as the panel does. */
async function brush(panel: PanelPage, shown: Distribution): Promise<BrushingRow> {
  const { page } = panel;
  const drawing = await page.locator(".drawing").boundingBox();
  if (!drawing) throw new Error("nothing is drawn");
  const from = { x: drawing.x + 60, y: drawing.y + drawing.height / 4 };
  const to = { x: drawing.x + drawing.width - 20 };
  await panel.sent();
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  let brushes = 0;
  const times = await framesWhile(panel, async () => {
    for (let move = 1; move <= MOVES; move++) {
      await page.mouse.move(from.x + toAndFro(move, MOVES) * (to.x - from.x), from.y);
      if (move % MOVES_BETWEEN_ANSWERS === 0) brushes += await answer(panel, shown);
    }
  });
  await page.mouse.up();
  brushes += await answer(panel, shown);
  return { ...times, brushes };
}

/** Says what is chosen now, as the host does. @returns how many brushes there were since */
async function answer(panel: PanelPage, shown: Distribution): Promise<number> {
  const choices = (await panel.sent()).filter(({ type }) => type === "choose");
  const last = choices.at(-1);
  if (!last) return 0;
  const chosen = histogram.members?.of(shown, last.marks as number[]);
  await sendChosen(panel, histogram, shown, chosen, { revision: 1, choice: Number(last.choice) });
  return choices.length;
}
