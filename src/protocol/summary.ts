/** What the summary's page draws: what the run is bound by, its clock, and two of its quantities over time. */
import * as v from "valibot";
import { name } from "./bounds";
import { bound, clockSchema } from "./clock";
import { numbers } from "./columns";
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

/** What a panel remembers; absent: what says most of the recording. */
export const summaryState = v.object({ left: v.optional(utilisation), right: v.optional(utilisation) });
export type SummaryState = v.InferOutput<typeof summaryState>;

/** Stretches of a side. */
export const FINE = 120;

const side = v.object({
  what: utilisation,
  /** `of 8 CPU lanes`. */
  of: name,
  /** Shares of their time, from the clock's beginning to its end. */
  shares: numbers(FINE, (one) => one >= 0),
});
export type UtilisationSide = v.InferOutput<typeof side>;

export const summaryContent = v.object({
  clock: clockSchema,
  left: side,
  right: side,
  /** Nothing was recorded of a GPU. */
  hasGpus: v.boolean(),
  /** Comes later: what the views over time show, and what that is bound by; absent: the whole run. */
  window: v.optional(v.object({ ...stretch.entries, bound })),
});
export type SummaryContent = v.InferOutput<typeof summaryContent>;

/** What comes after the content, and again whenever the window moves. */
export const summaryPart = v.pick(summaryContent, ["window"]);
export type SummaryPart = v.InferOutput<typeof summaryPart>;
