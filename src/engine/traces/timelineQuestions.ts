/** What is asked of a trace event by event. The first question of a trace makes its columns. */
import { defineQuestion } from "../defineQuestion";
import type { Chosen } from "../../model/members";
import { placeText } from "../../model/placeText";
import { shorten } from "../../model/texts";
import { timelineFind as findIn, type TimelineFindQuery } from "./timelineFind";
import { timelineMarks as marksOf } from "./timelineMarks";
import { timelineSums as sumsOf } from "./timelineSums";
import { tracesOf } from "./tracesOf";
import { waitCause } from "./waitCauses";
import {
  timelineEvent as eventOf,
  timelineFacts as factsOf,
  timelineMessages as messagesOf,
  timelineStrip as stripOf,
  traceOf,
} from "./timeline";
import type {
  TimelineEvent,
  TimelineMessagesQuery,
  TimelineOf,
  TimelineQuery,
  TimelineStripQuery,
} from "./timelineApi";

/** @throws RequestError where a recording has no events, as all questions here */
export const timelineFacts = defineQuestion(
  async (state, { chosen, ...of }: TimelineOf & { readonly chosen?: Chosen }, task) => {
    const { dataSet, states } = await tracesOf(state, of, task);
    return factsOf(dataSet, states, chosen);
  },
);

/** What kinds of work the functions of a name are, by their numbers; the name may be shortened as that of a selection. */
export const timelineKinds = defineQuestion(
  async (state, { name, ...of }: TimelineOf & { readonly name: string }, task): Promise<number[]> => {
    const { states } = await tracesOf(state, of, task);
    return [...new Set(states.states.flatMap((one) => (shorten(one.name, 200) === name ? [one.kind] : [])))];
  },
);

export const timelineMarks = defineQuestion(
  async (state, query: TimelineQuery, task) => {
    const { trace, states } = await tracesOf(state, query, task);
    return marksOf(trace, states, query, task);
  },
  ({ lane, depth, startSeconds, endSeconds, events, event, state, share }) =>
    [lane, depth, startSeconds, endSeconds, events, event, state, share].map(({ buffer }) => buffer as ArrayBuffer),
);

export const timelineEvent = defineQuestion(
  async (
    state,
    { lane, event, ...of }: TimelineOf & { readonly lane: number; readonly event: number },
    task,
  ): Promise<TimelineEvent> => {
    const { dataSet, states } = await tracesOf(state, of, task);
    const { open } = state.get(of.dataSet);
    const { context, ...one } = await eventOf(open, dataSet, states, lane, event);
    return { ...one, link: context < 0 ? undefined : await state.links.link(open, context, task) };
  },
);

/** Where events stand in the source, in few words; "" where that is not known. */
export const timelinePlaces = defineQuestion(
  async (
    state,
    { events, ...of }: TimelineOf & { readonly events: readonly { readonly lane: number; readonly event: number }[] },
    task,
  ) => {
    const { dataSet, states } = await tracesOf(state, of, task);
    const { open } = state.get(of.dataSet);
    const places: string[] = [];
    for (const { lane, event } of events) {
      const { context } = await eventOf(open, dataSet, states, lane, event);
      places.push((context >= 0 ? placeText(await state.links.link(open, context, task)) : undefined) ?? "");
    }
    return places;
  },
);

/** What lanes did in a window, function by function. */
export const timelineSums = defineQuestion(
  async (
    state,
    query: TimelineOf & {
      readonly lanes: readonly number[];
      readonly fromSeconds: number;
      readonly toSeconds: number;
    },
    task,
  ) => {
    const { trace, states } = await tracesOf(state, query, task);
    return sumsOf(trace, states, query, task);
  },
);

/** Where events of some functions are. */
export const timelineFind = defineQuestion(async (state, query: TimelineOf & TimelineFindQuery, task) => {
  const { trace, states } = await tracesOf(state, query, task);
  return findIn(trace, states, query, task);
});

/** Why an MPI call waited. */
export const timelineCause = defineQuestion(
  async (
    state,
    { dataSet: id, lane, event }: { readonly dataSet: number; readonly lane: number; readonly event: number },
    task,
  ) => {
    const dataSet = await state.withTrace(id, task);
    return waitCause(dataSet, traceOf(dataSet), lane, event, task);
  },
);

export const timelineMessages = defineQuestion(async (state, query: TimelineMessagesQuery, task) =>
  messagesOf(await state.withTrace(query.dataSet, task), query, task),
);

export const timelineStrip = defineQuestion(async (state, { columns, rows, ...of }: TimelineStripQuery, task) => {
  const { trace, states } = await tracesOf(state, of, task);
  return stripOf(trace, states, columns, rows, task);
});
