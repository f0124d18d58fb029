import * as v from "valibot";
import { count, name, paths, percent } from "./bounds";
import { keptChoice, operationTexts } from "./superGraph";

/** What a value is of, as far as it can be kept for the window's next start. */
export const pin = v.variant("kind", [
  v.object({
    kind: v.picklist(["function", "context"]),
    id: count,
    name,
    /** Of its full name: read again, the recording may have it under another number. */
    digest: v.optional(v.pipe(v.string(), v.maxLength(100))),
  }),
  /** A bar of the graph that this question gives; groups are those of the settings then. */
  v.object({
    kind: v.literal("bar"),
    bar: name,
    filter: percent,
    groupBy: name,
    /** Choice of a first picture. */
    first: v.optional(keptChoice.entries.choice),
    /** Absent: the one that views show. */
    metric: v.optional(name),
    /** As people write them. */
    operations: v.optional(operationTexts),
    /** Files of the recording that the graph compares with. */
    compared: v.optional(paths),
    name,
  }),
  /** A bar whose question is too long to be kept. */
  v.object({ kind: v.literal("lost"), name }),
]);
export type Pin = v.InferOutput<typeof pin>;
export type NumberedPin = Extract<Pin, { readonly kind: "function" | "context" }>;
