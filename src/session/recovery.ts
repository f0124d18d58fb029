/** What to do when the engine's worker has ended: which recordings are reopened, and what the window says. Pure. */
import { addTo } from "../model/maps";
import { counted } from "../model/texts";

/** A recording that kills the worker twice in this time is not opened a third time. */
const BLAME_LASTS_MS = 10 * 60_000;
/** After more ends than this in {@link RESTARTS_COUNT_FOR_MS} the worker is restarted by a person only. */
const MOST_RESTARTS = 5;
const RESTARTS_COUNT_FOR_MS = 60_000;

/** When the worker ended, and which recordings it was working on each time: those of one question, whatever else was waiting. */
export interface WorkerEnd {
  readonly atMs: number;
  /** Recordings by their own number that the question was about, or that was being opened. */
  readonly busyWith: readonly number[];
}

export interface Recovery {
  readonly restart: boolean;
  /** Recordings not to open again: the worker ended twice while it worked on them. */
  readonly leaveClosed: readonly number[];
}

/** @param ends all ends so far, the newest last */
export function planRecovery(ends: readonly WorkerEnd[], nowMs: number): Recovery {
  const blamed = new Map<number, number>();
  for (const end of ends) {
    if (nowMs - end.atMs > BLAME_LASTS_MS) continue;
    for (const recording of new Set(end.busyWith)) addTo(blamed, recording, 1);
  }
  const recent = ends.filter((end) => nowMs - end.atMs <= RESTARTS_COUNT_FOR_MS).length;
  return {
    restart: recent <= MOST_RESTARTS,
    leaveClosed: [...blamed].filter(([, times]) => times >= 2).map(([recording]) => recording),
  };
}

/** What a user can do about a recording that does not fit. */
export const TOO_LARGE_ADVICE =
  "Close other data sets, raise the setting heatflow.limits.memory, open fewer files at once, or run “heatflow summary” on a larger machine.";

/**
 * The message of the window.
 *
 * @param reason what the worker's end said of itself
 * @param opening name of the recording that was being opened, if any
 * @param leftClosed names of recordings that stay closed
 * @param reopening how many are opened again
 */
export function recoveryMessage(
  reason: string,
  opening: string | undefined,
  leftClosed: readonly string[],
  reopening: number,
): string {
  const sentences = [`Heatflow's engine has stopped: ${reason}.`];
  if (opening !== undefined) sentences.push(`It was opening ${opening}.`);
  if (leftClosed.length > 0) sentences.push(`${leftClosed.join(", ")} stopped it twice and stays closed.`);
  if (opening !== undefined || leftClosed.length > 0 || /memory/i.test(reason)) sentences.push(TOO_LARGE_ADVICE);
  if (reopening > 0) sentences.push(`Reopening ${counted(reopening, "data set")}.`);
  return sentences.join(" ");
}
