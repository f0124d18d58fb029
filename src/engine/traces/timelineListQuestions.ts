/** What is asked about many events of a trace at once. */
import { defineQuestion } from "../defineQuestion";
import { chainStep } from "./messageChain";
import { nextOccurrence, occurrences } from "./occurrences";
import type { TimelineOf } from "./timelineApi";
import type { NextOccurrenceQuery, OccurrencesQuery } from "./timelineListApi";
import { tracesOf } from "./tracesOf";

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
