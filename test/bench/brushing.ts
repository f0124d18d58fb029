/** Frames of the histogram's page while a hand brushes. */
import type { Distribution } from "../../src/engine/api";
import { distribution } from "../../src/engine/members/distributions";
import { OpenDataSet } from "../../src/engine/dataSets/openDataSet";
import { quietTask } from "../../src/model/task";
import { chosenFlags, chosenMessage, histogramMessage } from "../../src/panels/histogram/histogramMessage";
import { histogramControls, timeOf } from "../webview/histogramSamples";
import { type PanelPage, PanelWindow } from "../webview/window";
import { generateRecording } from "./generatedRecording";

export const RANKS = 4096;
const CONTEXTS = 1000;
const MOVES = 240;
const MOVES_BETWEEN_ANSWERS = 12;

export interface BrushingRow {
  /** Milliseconds between frames. */
  readonly medianMs: number;
  /** Of twenty frames one took longer. */
  readonly slowMs: number;
  readonly frames: number;
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
    const page = await panels.open({});
    await page.send({ ...histogramControls, ranks: RANKS });
    await page.send(histogramMessage(shown, { ...timeOf, subject: undefined }, 1));
    await page.send({ type: "chosen", revision: 1, brush: 0 });
    await page.page.locator(".bin").first().waitFor();
    const { intervals, brushes } = await brush(page, shown);
    const sorted = intervals.sort((a, b) => a - b);
    return {
      medianMs: sorted[sorted.length >> 1],
      slowMs: sorted[Math.floor(sorted.length * 0.95)],
      frames: sorted.length,
      brushes,
    };
  } finally {
    await panels.stop();
  }
}

/** Drags to and fro over the bins; the host answers each brush as the panel does. */
async function brush(panel: PanelPage, shown: Distribution): Promise<{ intervals: number[]; brushes: number }> {
  const { page } = panel;
  const middle = async (bin: number) => {
    const box = await page.locator(`.bin[data-bin="${bin}"] .column`).boundingBox();
    if (!box) throw new Error(`Bin ${bin} is not in sight.`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [from, to] = [await middle(0), await middle(19)];
  await panel.sent();
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.evaluate(() => {
    const kept = window as unknown as { frames: number[]; isBrushing: boolean };
    kept.frames = [];
    kept.isBrushing = true;
    const frame = (at: number) => {
      kept.frames.push(at);
      if (kept.isBrushing) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  let brushes = 0;
  for (let move = 1; move <= MOVES; move++) {
    // Three times from one end to the other.
    const phase = ((move / MOVES) * 3) % 2;
    const share = phase > 1 ? 2 - phase : phase;
    await page.mouse.move(from.x + share * (to.x - from.x), from.y);
    if (move % MOVES_BETWEEN_ANSWERS === 0) brushes += await answer(panel, shown);
  }
  const frames = await page.evaluate(() => {
    const kept = window as unknown as { frames: number[]; isBrushing: boolean };
    kept.isBrushing = false;
    return kept.frames;
  });
  await page.mouse.up();
  brushes += await answer(panel, shown);
  return { intervals: frames.slice(1).map((at, index) => at - frames[index]), brushes };
}

/** Says what is chosen now, as the host does. @returns how many brushes there were since */
async function answer(panel: PanelPage, shown: Distribution): Promise<number> {
  const brushes = (await panel.sent()).filter(({ type }) => type === "brush");
  const last = brushes.at(-1);
  if (!last) return 0;
  const bins = new Set(last.bins as number[]);
  const members = shown.members.filter((_, member) => bins.has(shown.binOf[member]));
  const flags = chosenFlags(shown, { by: "rank", members });
  await panel.send(chosenMessage(shown, flags, { revision: 1, brush: Number(last.brush) }));
  return brushes.length;
}
