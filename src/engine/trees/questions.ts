/** What is asked of hot functions, calling contexts and callers. */
import { defineQuestion } from "../defineQuestion";
import type { Scope } from "../scope";
import { nameDigest, targetNamed } from "./namedTargets";
import type { ContextDetails, NamedTarget, NumberedTarget } from "./treeApi";
import { callerRows, contextRow, contextRows, hotFunctions as hottestFunctions, joinedFunctions } from "./trees";

interface ContextsQuery {
  readonly scope: Scope;
  /** None: the roots are wanted. */
  readonly parent?: number;
  readonly limit: number;
}

interface CallersQuery {
  readonly scope: Scope;
  /** A chain of functions. */
  readonly path: readonly number[];
  readonly limit: number;
}

interface HotFunctionsQuery {
  readonly scope: Scope;
  readonly by: "exclusive" | "inclusive";
  readonly limit: number;
  /** Functions that differ by a number at their end are one row, by exclusive. */
  readonly joinsNumbered?: boolean;
}

export const hotFunctions = defineQuestion((state, { scope, by, limit, joinsNumbered }: HotFunctionsQuery) => {
  const { open } = state.get(scope.dataSet);
  return joinsNumbered ? joinedFunctions(open, scope, limit) : hottestFunctions(open, scope, by, limit);
});

/** Children of a context, heaviest inclusive first. */
export const contexts = defineQuestion((state, { scope, parent, limit }: ContextsQuery) => {
  const { open } = state.get(scope.dataSet);
  return contextRows(open, scope, parent === undefined ? undefined : open.checkContext(parent), limit);
});

/** Callers of a chain of functions; of an empty chain: all functions, heaviest exclusive first. */
export const callers = defineQuestion((state, { scope, path, limit }: CallersQuery) => {
  const { open } = state.get(scope.dataSet);
  path.forEach((id) => open.checkFunction(id));
  return callerRows(open, scope, path, limit);
});

/** The contexts from a root down to this one. */
export const pathOf = defineQuestion((state, query: { readonly dataSet: number; readonly context: number }) => {
  const { open } = state.get(query.dataSet);
  return open.pathOf(open.checkContext(query.context));
});

export const describeContext = defineQuestion(
  async (
    state,
    { scope, context }: { readonly scope: Scope; readonly context: number },
    task,
  ): Promise<ContextDetails> => {
    const { open } = state.get(scope.dataSet);
    open.checkContext(context);
    return {
      ...contextRow(open, scope, context),
      path: open.pathOf(context).map((at) => open.shownContext(at)),
      link: await state.links.link(open, context, task),
      function: open.functions.ofContext[context],
    };
  },
);

/** Stands for the full name of a function or context; see {@link namedTarget}. */
export const digestOfName = defineQuestion((state, of: NumberedTarget & { readonly dataSet: number }) =>
  nameDigest(state.get(of.dataSet).open, of),
);

/** The function or context that is called now as one was that was kept. */
export const namedTarget = defineQuestion((state, was: NamedTarget & { readonly dataSet: number }, task) =>
  targetNamed(state.get(was.dataSet).open, was, task),
);
