/** What every panel of a data set says to its view, and hears from it: metric and restriction, progress, problems, saving. */
import * as v from "valibot";
import { count, EXPORT_LIMIT, index, name, over, sentence } from "./bounds";

/** What the controls of a panel show of the session's scope. */
export const scopeControls = {
  dataSet: name,
  metrics: v.pipe(v.array(v.object({ name, unit: name, note: v.optional(sentence) })), v.maxLength(1000)),
  metric: index,
  over,
  /** How many ranks, or threads or the like, are combined; 0 where the recording has none. */
  ranks: count,
  /** What they are: "ranks", "threads". */
  unit: v.optional(name, "ranks"),
  /** Text of the chip while numbers are restricted: "ranks 0, 4". */
  restriction: v.optional(sentence),
};
export type ScopeControls = v.InferOutput<v.ObjectSchema<typeof scopeControls, undefined>>;

const progress = v.object({
  type: v.literal("progress"),
  /** 0 to 1; absent where it cannot be told. */
  fraction: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  message: v.optional(sentence),
});

/** Why there is nothing (new) to show, and what the user can do about it. */
const problem = v.object({
  type: v.literal("problem"),
  /** `unmeasured`: nothing in the recording can be drawn, whatever the controls say. */
  kind: v.picklist(["error", "empty", "unmeasured", "cancelled", "closed"]),
  message: sentence,
  advice: v.optional(sentence),
  action: v.optional(v.picklist(["retry", "open"])),
});
export type Problem = v.InferOutput<typeof problem>;

/** A sentence that is shown for a while and read out. */
const notice = v.object({ type: v.literal("notice"), message: sentence });

/** Messages to every view; a panel's own variant has them beside its own. */
export const toEveryView = [progress, problem, notice] as const;
export type ToEveryView = v.InferOutput<(typeof toEveryView)[number]>;

const side = v.pipe(v.number(), v.minValue(1), v.maxValue(20_000));

/** Messages from every view. */
export const fromEveryView = [
  /** The view listens, and draws into an area of this size; sent again at every change of size. */
  v.object({ type: v.literal("ready"), width: side, height: side }),
  v.object({ type: v.literal("resize"), width: side, height: side }),
  v.object({ type: v.literal("set-metric"), metric: index }),
  v.object({ type: v.literal("set-over"), over }),
  v.object({ type: v.literal("clear-restriction") }),
  v.object({ type: v.literal("cancel") }),
  v.object({ type: v.literal("retry") }),
  v.object({ type: v.literal("open-data-set") }),
  v.object({ type: v.literal("copy"), text: v.pipe(v.string(), v.maxLength(100_000)) }),
  /** SVG and CSV as text, PNG as base64. */
  v.object({
    type: v.literal("save"),
    format: v.picklist(["svg", "csv", "png"]),
    content: v.pipe(v.string(), v.maxLength(EXPORT_LIMIT)),
  }),
] as const;
export type FromEveryView = v.InferOutput<(typeof fromEveryView)[number]>;
