/** What a page draws while somebody works in it. */
import type { PanelPage } from "../webview/window";

export interface FrameTimes {
  /** Milliseconds between frames. */
  readonly medianMs: number;
  /** Of twenty frames one took longer. */
  readonly slowMs: number;
  readonly longestMs: number;
  readonly frames: number;
}

/** The times between a page's frames while something is done with it. */
export async function framesWhile({ page }: PanelPage, act: () => Promise<void>): Promise<FrameTimes> {
  await page.evaluate(() => {
    const kept = window as unknown as { frames: number[]; isWatched: boolean };
    kept.frames = [];
    kept.isWatched = true;
    const frame = (at: number) => {
      kept.frames.push(at);
      if (kept.isWatched) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await act();
  const frames = await page.evaluate(() => {
    const kept = window as unknown as { frames: number[]; isWatched: boolean };
    kept.isWatched = false;
    return kept.frames;
  });
  const sorted = frames.slice(1).map((at, index) => at - frames[index]);
  sorted.sort((a, b) => a - b);
  return {
    medianMs: sorted[sorted.length >> 1],
    slowMs: sorted[Math.floor(sorted.length * 0.95)],
    longestMs: sorted[sorted.length - 1],
    frames: sorted.length,
  };
}

/** Where a hand is that goes to and fro three times between two ends: from 0 to 1. */
export function toAndFro(move: number, moves: number): number {
  const phase = ((move / moves) * 3) % 2;
  return phase > 1 ? 2 - phase : phase;
}
