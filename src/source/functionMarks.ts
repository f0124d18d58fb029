import { isReporting } from "./annotations";
import type { FileFacts } from "./facts";
import type { Macros } from "./macros";

/**
 * How sure it is that a function is a region of its own name (semantics 5): `marked` by a known mark; `perhaps` by a lone name in
 * capitals that no `#define` of the folders explains.
 */
export interface FunctionMarks {
  readonly marked: ReadonlySet<number>;
  readonly perhaps: ReadonlySet<number>;
}

/**
 * The definitions of a file that carry a function mark: a lone name, or a call in capitals without arguments, that expands to a known
 * mark; or anything that is given `__func__`, unless it reports (`printf("%s", __func__)`).
 */
export function functionMarksOf(facts: FileFacts, macros: Macros): FunctionMarks {
  const marked = new Set<number>();
  const perhaps = new Set<number>();
  for (const call of facts.calls) {
    if (call.within < 0) continue;
    const inCapitals = /^[A-Z][A-Z0-9_]*$/.test(call.callee);
    const lone = call.kind === "bare" || (call.arguments === 0 && inCapitals);
    if (call.givesFunction && !isReporting(call.callee)) marked.add(call.within);
    else if (lone && macros.roleOf(call.callee).marksFunction) marked.add(call.within);
    else if (call.kind === "bare" && inCapitals && facts.language !== "python" && !macros.leads(call.callee))
      perhaps.add(call.within);
  }
  shareWithOtherHeads(facts, marked);
  shareWithOtherHeads(facts, perhaps);
  return { marked, perhaps };
}

/** A function whose head differs by `#if` has several heads and one body: what marks one marks all. */
function shareWithOtherHeads(facts: FileFacts, marked: Set<number>): void {
  const bodies = new Set(Array.from(marked, (id) => `${facts.definitions[id].to} ${facts.definitions[id].name}`));
  facts.definitions.forEach(({ to, name }, id) => {
    if (bodies.has(`${to} ${name}`)) marked.add(id);
  });
}
