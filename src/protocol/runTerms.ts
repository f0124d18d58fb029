/** Runs of an ensemble as they are kept: what is called so fits runs that come later, too. */
import * as v from "valibot";
import { list, name } from "./bounds";

/** A run by its name, or all runs with a value of a parameter. */
const runTerm = v.union([v.object({ run: name }), v.object({ parameter: name, value: name })]);
export type RunTerm = v.InferOutput<typeof runTerm>;
/** Terms that are kept, and their characters. */
const [TERM_LIMIT, TERMS_LENGTH] = [500, 50_000];
export const keptTerms = v.pipe(
  list(runTerm, TERM_LIMIT),
  v.minLength(1),
  v.check((terms) => JSON.stringify(terms).length <= TERMS_LENGTH),
);
