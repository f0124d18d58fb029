/** Content of a recording's page. Marks are its hot lines, then its hot functions, its differences and its hot states, in this order. */
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { amount, count, list, name, sentence } from "./bounds";

const share = v.pipe(v.number(), v.finite());

/** What costs, with its whole name and, where that is shorter, the one that is shown. */
const hotThing = {
  name,
  shown: v.optional(name),
  exclusive: amount,
  /** Of the total, 0 to 1; absent where that is not positive. */
  share: v.optional(share),
};

export const recordingContent = v.object({
  name,
  /** Slowdown of the program by its tool, if measured. A warning if the tool may have changed which functions are hot. */
  badge: v.optional(v.object({ text: name, title: sentence, isWarning: v.boolean() })),
  /** The recording in a few numbers: each with what it is, and what it is over. */
  totals: list(v.object({ label: name, value: name, over: sentence }), 10),
  /** Sentences: what it is, where it came from, how much is in it. */
  facts: list(v.object({ label: name, value: sentence }), 100),
  /** How many ranks were recorded: totals are sums over them. */
  ranks: count,
  metrics: list(
    v.object({
      name,
      recordedName: name,
      /** Stands behind the total: a unit, or the name of a metric that has none. */
      unit: name,
      /** Absent where the metric does not add up. */
      total: v.optional(amount),
      current: v.boolean(),
      note: v.optional(sentence),
    }),
    1000,
  ),
  /** The metric that `hotLines` and `hotFunctions` are of, and how ranks were combined. */
  scope: sentence,
  /** Stands behind their numbers: a unit, or the name of a metric that has none. */
  unit: name,
  /** Heaviest exclusive first; `place` is a line, or the recorded file where no line is known. */
  hotLines: list(
    v.object({
      ...hotThing,
      functions: count,
      place: v.optional(name),
      isLinked: v.optional(v.boolean()),
      isMpi: v.boolean(),
    }),
    100,
  ),
  /** Heaviest exclusive first. */
  hotFunctions: list(
    v.object({
      ...hotThing,
      inclusive: amount,
      /** `inclusive` is only known not to be more. */
      atMost: v.boolean(),
    }),
    100,
  ),
  /** While it is compared with another recording. */
  differences: v.optional(
    v.object({
      /** Baseline first. */
      names: v.tuple([name, name]),
      /** Functions by how much their exclusive differs, furthest first. */
      rows: list(
        v.object({
          name,
          shown: v.optional(name),
          /** Candidate − baseline. */
          difference: amount,
          /** The difference, and how much that is; both values, where one is of no rank. */
          text: name,
          /** Undefined: that recording lacks the function. */
          baseline: v.optional(amount),
          candidate: v.optional(amount),
        }),
        100,
      ),
      /** Why they are not compared. */
      whyNot: v.optional(sentence),
    }),
  ),
  /** Content over time: all of it for a recording without a metric, else kernels and copies. Absent if there are no events of them. */
  overTime: v.optional(
    v.object({
      /** States of all lanes, most exclusive time first; shares are of the time of all lanes. */
      states: list(
        v.object({
          name,
          kind: v.picklist(eventKinds),
          seconds: amount,
          share: v.optional(share),
          count,
          longest: amount,
          place: v.optional(name),
          isLinked: v.boolean(),
        }),
        100,
      ),
      /** Kernels by their time, then transfers by their bytes. */
      moves: list(v.object({ name, seconds: amount, count, bytes: v.optional(amount) }), 100),
      /** Recorded counters, largest relative change first. */
      counters: list(
        v.object({ name, of: name, unit: name, mean: amount, min: amount, max: amount, change: share }),
        100,
      ),
      /** First finding of the overview. */
      finding: v.optional(v.object({ when: sentence, what: sentence })),
    }),
  ),
  globals: list(v.object({ name, values: list(name, 100), moreValues: count }), 2000),
  /** What the recording does not have. */
  notRecorded: list(sentence, 100),
  warnings: list(sentence, 1000),
  /** What was left out of the lists above to keep the message small. */
  shortened: list(sentence, 10),
});
export type RecordingContent = v.InferOutput<typeof recordingContent>;
