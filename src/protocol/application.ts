/** What the application tree's page draws. Values in the metric's unit, seconds; a mark is the index of a node. */
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { amount, count, list, name } from "./bounds";

export { type EventKind, eventKinds } from "../model/eventKinds";

export const NODE_LIMIT = 1500;
/** Columns over the run in which a context is active or not; as bits of two numbers. */
export const ACTIVITY_COLUMNS = 64;
/** Contexts that were opened or closed by hand; the oldest are forgotten. */
export const MOST_TOGGLED = 200;

const context = count;

/** What a panel remembers. */
export const applicationState = v.object({
  closed: list(context, MOST_TOGGLED),
  opened: list(context, MOST_TOGGLED),
  /** What was selected elsewhere, and is drawn therefore. */
  reveal: v.optional(
    v.variant("kind", [
      v.object({ kind: v.literal("context"), context }),
      v.object({ kind: v.literal("function"), function: count }),
    ]),
  ),
});
export type ApplicationState = v.InferOutput<typeof applicationState>;

const word = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(2 ** 32 - 1));
const folded = v.object({ contexts: count, value: amount });

const node = v.object({
  context,
  /** Index of its caller, which stands before it; -1: a root. */
  parent: v.pipe(v.number(), v.safeInteger(), v.minValue(-1)),
  name,
  kind: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(eventKinds.length - 1)),
  inclusive: amount,
  exclusive: amount,
  /** Callees that are not drawn, with all that they call. */
  folded,
  closed: v.boolean(),
  /** Absent: the recording has no events. */
  time: v.optional(
    v.object({ windowSeconds: amount, runSeconds: amount, events: count, active: v.tuple([word, word]) }),
  ),
});
export type ApplicationNode = v.InferOutput<typeof node>;

export const applicationContent = v.pipe(
  v.object({
    metric: name,
    unit: name,
    /** `mean over 8 ranks`; empty where nothing was combined. */
    over: name,
    total: amount,
    /** Contexts of the tree. */
    contexts: count,
    /** Roots that are not drawn. */
    folded,
    /** Absent: no events were recorded. */
    run: v.optional(v.object({ from: amount, to: amount })),
    window: v.optional(v.object({ from: amount, to: amount })),
    nodes: list(node, NODE_LIMIT),
  }),
  v.check(({ nodes }) => nodes.every(({ parent }, at) => parent < at)),
);
export type ApplicationContent = v.InferOutput<typeof applicationContent>;
