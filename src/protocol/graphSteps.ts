/** The steps of a super graph: what its panel says of them, and what the user does to them and to bars. */
import * as v from "valibot";
import { count, index, sentence } from "./bounds";

const STEPS = 100;
/** An operation as text (semantics 2.6), as long as the longest that is read. */
const operation = v.pipe(v.string(), v.maxLength(100_000));

/** What a panel keeps for a reload: operations as they are written, and how many are in effect. */
export const keptSteps = v.object({
  operations: v.pipe(
    v.array(operation),
    v.maxLength(STEPS),
    v.check((all) => all.reduce((sum, text) => sum + text.length, 0) <= 200_000),
  ),
  done: count,
});
export type KeptSteps = v.InferOutput<typeof keptSteps>;

const step = v.object({
  key: count,
  label: sentence,
  /** The whole operation, as the command line takes it. */
  text: sentence,
  /** In effect; else it was stepped back from. */
  done: v.boolean(),
  /** Why it cannot be done; it is left out then. */
  problem: v.optional(sentence),
});
export type ShownStep = v.InferOutput<typeof step>;

/** The list under the toolbar. */
export const stepsMessage = v.object({
  type: v.literal("steps"),
  /** Filter and grouping that everything begins with: what is in front of the first step. */
  start: v.pipe(v.array(sentence), v.maxLength(4)),
  steps: v.pipe(v.array(step), v.maxLength(STEPS)),
  canUndo: v.boolean(),
  canRedo: v.boolean(),
});
export type StepsMessage = v.InferOutput<typeof stepsMessage>;

/** What a bar's menu offers beyond looking: how far it can be expanded, and whether it can be collapsed. */
export const barOperations = {
  /** Level that `expand` leads to; `finer`: not known before it is asked for; absent: there is none. */
  finer: v.optional(v.picklist(["folder", "file", "class", "function", "finer"])),
  /** The group that `collapse` brings back. */
  collapsible: v.optional(sentence),
};

export const barOperationKinds = [
  "split-by-caller-group",
  "split-by-caller-function",
  "split-by-entry",
  "reveal",
  "expand",
  "collapse",
  "hide",
] as const;
export type BarOperationKind = (typeof barOperationKinds)[number];

export const stepsActions = ["undo", "redo", "clear", "save", "apply", "copy"] as const;
export type StepsAction = (typeof stepsActions)[number];

/** What the user does to a bar, or to the list. Groups are named by the host: a view names bars of a revision. */
export const fromSteps = [
  v.object({ type: v.literal("operate"), kind: v.picklist(barOperationKinds), revision: count, bar: index }),
  /** On an entry function's own menu: split it off its bar. */
  v.object({ type: v.literal("split-off"), revision: count, bar: index, entry: index }),
  v.object({ type: v.literal("steps-action"), action: v.picklist(stepsActions) }),
  /** Until this step is the last in effect; 0: before the first. */
  v.object({ type: v.literal("go-to-step"), key: count }),
  v.object({ type: v.literal("remove-step"), key: count }),
] as const;
export type FromSteps = v.InferOutput<(typeof fromSteps)[number]>;
