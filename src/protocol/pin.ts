import * as v from "valibot";
import { count, name, percent } from "./bounds";

/** What a value is of, as far as the recording alone says what it means: so it can be kept for the window's next start. */
export const pin = v.variant("kind", [
  v.object({ kind: v.picklist(["function", "context"]), id: count, name }),
  /** A bar of a graph without operations. */
  v.object({ kind: v.literal("bar"), bar: name, filter: percent, groupBy: name, name }),
]);
export type Pin = v.InferOutput<typeof pin>;
