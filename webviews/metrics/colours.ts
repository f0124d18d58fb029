/** What rows look like: what follows from events in the colour of its kind, what was recorded in none. Pure. */
import { eventKinds, type MetricsContent } from "../../src/protocol/metrics";
import { kindFill } from "../kit/kinds";
import type { Theme } from "../kit/theme/theme";

/** Lines are narrow: on a light background they are as dark as a kind may be. */
const DARKER = -0.15;

export function rowFill({ kinds }: MetricsContent, row: number, theme: Theme): string {
  return kinds[row] < 0 ? theme.soft : kindFill(eventKinds[kinds[row]], theme);
}

export function rowLine({ kinds }: MetricsContent, row: number, theme: Theme): string {
  return kinds[row] < 0 ? theme.soft : kindFill(eventKinds[kinds[row]], theme, theme.isDark ? 0 : DARKER);
}
