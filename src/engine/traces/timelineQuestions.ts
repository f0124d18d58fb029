/** What is asked of a trace event by event. The first question of a trace makes its columns. */
import { defineQuestion } from "../defineQuestion";
import type { DataSet } from "../../model/dataSet";
import { type FrameId, NONE } from "../../model/ids";
import type { Chosen } from "../../model/members";
import { placeText } from "../../model/placeText";
import type { SourceLink } from "../../model/sourceLinks";
import type { Task } from "../../model/task";
import { shorten } from "../../model/texts";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { EngineState } from "../engineState";
import { hotStates as hotStatesOf } from "./hotStates";
import type { HotStatesQuery } from "./hotStatesApi";
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
    return factsOf(dataSet, states, chosen, task);
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
    const { context, frame, ...one } = await eventOf(open, dataSet, states, lane, event);
    return { ...one, link: await linkOf(state, open, dataSet, context, frame, task) };
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
      const { context, frame } = await eventOf(open, dataSet, states, lane, event);
      const link = await linkOf(state, open, dataSet, context, frame, task);
      places.push((link && placeText(link)) ?? "");
    }
    return places;
  },
);

/**
 * Link of the event's calling context. An event without one may have a place of its own, which says more than a context of its function.
 *
 * @param frame of an event without a context; {@link NONE} for all others
 */
async function linkOf(
  state: EngineState,
  open: OpenDataSet,
  dataSet: DataSet,
  context: number,
  frame: number,
  task: Task,
): Promise<SourceLink | undefined> {
  const own = frame === NONE ? undefined : dataSet.frames.get(frame as FrameId);
  const isPlaced = own?.file !== undefined && own.line !== undefined;
  if (context >= 0 && !isPlaced) return state.links.link(open, context, task);
  return own && state.links.linkFrame(open, own, task);
}

/** States of all lanes by time, with their places. */
export const hotStates = defineQuestion((state, query: HotStatesQuery, task) => hotStatesOf(state, query, task));

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
