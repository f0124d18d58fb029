/** What the summary's page draws: what the run is bound by, its clock, and two of its quantities over time. */
import * as v from "valibot";
import { name } from "./bounds";
import { bound, clockSchema } from "./clock";
import { numbers, numbersOrNone } from "./columns";
import { stretch } from "./panel";

/** What may be laid off: kinds of work, kernels of GPUs, and what nothing hides. */
export const utilisations = [
  "computing",
  "GPU",
  "data movement",
  "communication",
  "runtime",
  "I/O",
  "idle",
  "exposed movement",
] as const;
const utilisation = v.picklist(utilisations);
export type Utilisation = v.InferOutput<typeof utilisation>;

/** A recorded counter, by its name and that of what it was recorded of ("": of nothing). */
const counterChoice = v.object({ counter: name, of: name });
export type CounterChoice = v.InferOutput<typeof counterChoice>;

const sideChoice = v.union([utilisation, counterChoice]);
export type SideChoice = v.InferOutput<typeof sideChoice>;

/** What a panel remembers; absent: what says most of the recording. */
export const summaryState = v.object({ left: v.optional(sideChoice), right: v.optional(sideChoice) });
export type SummaryState = v.InferOutput<typeof summaryState>;

/** Stretches of a side. */
export const FINE = 120;

const side = v.pipe(
  v.object({
    what: name,
    /** Absent: it is a counter. */
    utilisation: v.optional(utilisation),
    /** `of the time of 8 CPU lanes`; of a counter how it is shown. */
    of: name,
    /** Of a counter; absent: they are shares of time. */
    unit: v.optional(name),
    /** From the clock's beginning to its end; of a counter means over time, NaN where it has no value that lasts. */
    values: numbersOrNone(FINE),
    /** Of a counter: seconds in which it has a value, and its extremes. */
    spread: v.optional(
      v.object({
        seconds: numbers(FINE, (one) => one >= 0),
        least: numbersOrNone(FINE),
        most: numbersOrNone(FINE),
      }),
    ),
  }),
  v.check(({ values, unit, spread, utilisation: share }) =>
    spread
      ? share === undefined &&
        unit !== undefined &&
        [spread.seconds, spread.least, spread.most].every(({ length }) => length === values.length)
      : share !== undefined && values.every((one) => one >= 0),
  ),
);
export type SummarySide = v.InferOutput<typeof side>;

export const summaryContent = v.object({
  clock: clockSchema,
  left: side,
  right: side,
  /** Nothing was recorded of a GPU. */
  hasGpus: v.boolean(),
  /** Imbalance of computing in the metric, in words; absent if there is no metric, or if categories are not known. */
  imbalance: v.optional(name),
  /** Comes later: what the views over time show, and what that is bound by; absent: the whole run. */
  window: v.optional(v.object({ ...stretch.entries, bound })),
});
export type SummaryContent = v.InferOutput<typeof summaryContent>;

/** What comes after the content, and again whenever the window moves. */
export const summaryPart = v.pick(summaryContent, ["window"]);
export type SummaryPart = v.InferOutput<typeof summaryPart>;
