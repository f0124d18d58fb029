/** What is asked about many events of a trace at once. */
import { defineQuestion } from "../defineQuestion";
import { chromeWindow as chromeWindowOf } from "./chromeWindow";
import { criticalPath } from "./criticalPath";
import { chainStep } from "./messageChain";
import { nextOccurrence, occurrences } from "./occurrences";
import { phasesOf } from "./phases";
import type { PhasesQuery } from "./phasesApi";
import type { TimelineOf } from "./timelineApi";
import type { CriticalPath, NextOccurrenceQuery, OccurrencesQuery, WaitTotals, WindowQuery } from "./timelineListApi";
import { tracesOf } from "./tracesOf";
import { waitsOf } from "./waits";
import { laneWaits, pathFunctions, pathIn, rankStarts } from "./waitSums";

/** All events of a function. */
export const timelineOccurrences = defineQuestion(async (state, query: OccurrencesQuery, task) => {
  const { trace, states } = await tracesOf(state, query, task);
  return occurrences(trace, states, query, task);
});

/** The next event of a function, or the one before. */
export const timelineNext = defineQuestion(async (state, query: NextOccurrenceQuery, task) => {
  const { trace, states } = await tracesOf(state, query, task);
  return nextOccurrence(trace, states, query, task);
});

/** Along a chain of messages and launches. */
export const timelineChain = defineQuestion(
  async (
    state,
    query: TimelineOf & { readonly lane: number; readonly event: number; readonly isBackwards: boolean },
    task,
  ) => {
    const { dataSet, trace } = await tracesOf(state, query, task);
    return chainStep(dataSet, trace, query, task);
  },
);

/** What lanes waited for each other in a window. */
export const timelineWaits = defineQuestion(async (state, query: WindowQuery, task): Promise<WaitTotals> => {
  const { dataSet, trace } = await tracesOf(state, query, task);
  const { of, missing } = await waitsOf(dataSet, trace, task);
  // When ranks began is not known of each other without a common zero.
  const starts = trace.clocks === "separate" ? undefined : rankStarts(dataSet, trace, query.lanes);
  const rows = laneWaits(query.lanes, of, query.fromSeconds, query.toSeconds);
  return { rows, missing, ...(starts ? { starts } : {}) };
});

/** The critical path of the run, in a window. */
export const timelinePath = defineQuestion(
  async (
    state,
    query: Omit<WindowQuery, "lanes"> & { readonly withFunctions: boolean },
    task,
  ): Promise<CriticalPath> => {
    const { dataSet, trace, states } = await tracesOf(state, query, task);
    const { of, missing } = await waitsOf(dataSet, trace, task);
    const parts = pathIn(criticalPath(trace, of), query.fromSeconds, query.toSeconds);
    return {
      lane: Int32Array.from(parts, ({ lane }) => lane),
      startSeconds: Float64Array.from(parts, ({ fromSeconds }) => fromSeconds),
      endSeconds: Float64Array.from(parts, ({ toSeconds }) => toSeconds),
      functions: query.withFunctions ? await pathFunctions(trace, states, parts, task) : [],
      missing,
    };
  },
);

/** Iterations or phases of a run. */
export const timelinePhases = defineQuestion(async (state, query: PhasesQuery, task) => {
  const { dataSet, trace } = await tracesOf(state, query, task);
  return phasesOf(dataSet, trace, query, task);
});

/** A window as a text in Chrome's Trace Event Format. */
export const chromeWindow = defineQuestion(async (state, query: WindowQuery, task) => {
  const { dataSet, trace, states } = await tracesOf(state, query, task);
  return chromeWindowOf(dataSet, trace, states, query, task);
});
