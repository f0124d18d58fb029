/** What kinds of work look like, in every view. Pure. */
import { type EventKind, eventKinds } from "../../src/protocol/timeline";
import type { LegendEntry } from "./frame/model";
import { signLegend } from "./legend";
import type { Kind, Theme } from "./theme/theme";

/** As the theme calls them; idle is the background with an edge. */
export const THEMED: Readonly<Record<Exclude<EventKind, "idle">, Kind>> = {
  computing: "computing",
  GPU: "gpu",
  "data movement": "data",
  communication: "communication",
  runtime: "runtime",
  "I/O": "io",
};

/** @param lighter @param hue as {@link Theme.kind} has them */
export function kindFill(kind: EventKind, theme: Theme, lighter = 0, hue = 0): string {
  return kind === "idle" ? theme.background : theme.kind(THEMED[kind], lighter, hue);
}

/** @param isMpi communication is nothing else */
export function kindWord(kind: EventKind, isMpi: boolean): string {
  return kind === "communication" && isMpi ? "MPI" : kind;
}

/** The kinds that are there. */
export function kindLegend(theme: Theme, isThere: (kind: number) => boolean, isMpi: boolean): LegendEntry[] {
  return eventKinds
    .filter((_, kind) => isThere(kind))
    .map((kind) => signLegend(theme, { fill: kindFill(kind, theme) }, kindWord(kind, isMpi)));
}
