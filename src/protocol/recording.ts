/** Messages between the host and the webview of a data set's page (the custom editor of recordings). */
import * as v from "valibot";
import { amount, count, index, name, parse, sentence } from "./bounds";

const list = <Item extends v.GenericSchema>(item: Item, most: number) => v.pipe(v.array(item), v.maxLength(most));

const page = v.object({
  type: v.literal("page"),
  name,
  /** Sentences: what it is, where it came from, how much is in it. */
  facts: list(v.object({ label: name, value: sentence }), 100),
  /** How many ranks were recorded: totals are sums over them. */
  ranks: count,
  metrics: list(
    v.object({
      name,
      recordedName: name,
      unit: name,
      /** Absent where the metric does not add up. */
      total: v.optional(amount),
      current: v.boolean(),
      note: v.optional(sentence),
    }),
    1000,
  ),
  /** The metric that `hotLines` are of, and how ranks were combined. */
  scope: sentence,
  /** Text of the chip while numbers are restricted: "ranks 0, 4". */
  restriction: v.optional(sentence),
  /** Stands behind the numbers of `hotLines`: a unit, or the name of a metric that has none. */
  unit: name,
  /** Heaviest exclusive first, MPI and runtime left out; `place` is a line, or the recorded file where no line is known. */
  hotLines: list(v.object({ name, functions: count, place: v.optional(name), exclusive: amount }), 100),
  globals: list(v.object({ name, values: list(name, 100), moreValues: count }), 2000),
  /** What the recording does not have. */
  notRecorded: list(sentence, 100),
  warnings: list(sentence, 1000),
  /** What was left out of the lists above to keep the message small. */
  shortened: list(sentence, 10),
});
export type RecordingPage = v.InferOutput<typeof page>;

export const toRecording = v.variant("type", [
  page,
  v.object({ type: v.literal("progress"), message: sentence }),
  v.object({ type: v.literal("problem"), message: sentence, advice: v.optional(sentence) }),
]);
export type ToRecording = v.InferOutput<typeof toRecording>;

export const fromRecording = v.variant("type", [
  v.object({ type: v.literal("ready") }),
  v.object({ type: v.literal("retry") }),
  v.object({ type: v.literal("set-metric"), metric: index }),
  v.object({ type: v.literal("clear-restriction") }),
  /** Goes to a hot line, by its index on the page. */
  v.object({ type: v.literal("open-line"), line: count, focus: v.boolean() }),
  v.object({
    type: v.literal("show"),
    view: v.picklist(["superGraph", "dataSets", "hotFunctions", "callingContexts", "text"]),
  }),
]);
export type FromRecording = v.InferOutput<typeof fromRecording>;

export const parseToRecording = (message: unknown): ToRecording | undefined => parse(toRecording, message);
export const parseFromRecording = (message: unknown): FromRecording | undefined => parse(fromRecording, message);
