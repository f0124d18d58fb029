import type { LayoutSize } from "../../engine/api";

/**
 * What is laid out and drawn while nobody waits, and less than a message has room for (layoutMessage.ts). It leaves out
 * the lightest flows, thinner than a fifth of a pixel in what was measured (thousands of flows of like weight may be
 * thicker), which would take room from all others; a note says how many and how heavy.
 */
const MOST_POINTS = 25_000;

/** Bars wide enough for the squares of their entry functions, and room for labels, in a drawing of this size. */
export function layoutSize({ width, height }: { width: number; height: number }): LayoutSize {
  const share = Math.min(1, Math.max(0, (width - 380) / 700));
  return {
    width,
    height,
    barWidth: Math.round(20 + 22 * share),
    labelWidth: Math.round(78 + 52 * share),
    gap: 36,
    mostPoints: MOST_POINTS,
  };
}
