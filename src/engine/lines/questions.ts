/** What is asked of lines: what stands on them and costs, where to go, and where things are in the source. */
import { RequestError } from "../../model/errors";
import type { Task } from "../../model/task";
import { dataSetInfo } from "../dataSets/dataSetInfo";
import type { EngineState } from "../engineState";
import { defineQuestion } from "../defineQuestion";
import type { Scope, Target } from "../scope";
import * as documents from "./documents";
import { hasFunctionNamed } from "./functionNames";
import { placeOfFunction as placeOf } from "./functionPlace";
import { hotPath as followedPath } from "./hotPathSteps";
import { hotPlaces as placesOf, measuredHotPlaces, measuredLink } from "./hotPlaces";
import type { DocumentText, HotPlace } from "./lineApi";
import { lineCalls as callsOf } from "./lineCalls";

interface DocumentQuery {
  readonly scope: Scope;
  readonly document: DocumentText;
}

interface LineQuery extends DocumentQuery {
  readonly line: number;
}

interface PlacesQuery {
  readonly scope: Scope;
  /** None: the whole data set. */
  readonly target?: Target;
  readonly limit: number;
  /** With MPI and runtime calls, which are left out of the whole data set's places else. */
  readonly everything?: boolean;
}

interface HotPathQuery {
  readonly scope: Scope;
  /** A context; a function: its heaviest outermost context; a bar: its heaviest entry; none: the heaviest root. */
  readonly target?: Target;
  /** 0 to 1. */
  readonly threshold: number;
}

export const link = defineQuestion(
  async (state, { dataSet, target }: { readonly dataSet: number; readonly target: Target }, task) => {
    const { open } = state.get(dataSet);
    if (target.kind === "context") return state.links.link(open, open.checkContext(target.context), task);
    const metric = target.kind === "bar" ? target.query.scope.metric : dataSetInfo(open).defaultMetric;
    const scope: Scope = target.kind === "bar" ? target.query.scope : { dataSet, metric, over: "sum" };
    if (open.measured && target.kind === "function") {
      const id = open.checkFunction(target.function);
      const found = await measuredLink(open.measured.flat, state.links, scope, id, task);
      if (found) return found;
    }
    const [place] = await hottest(state, { scope, target, limit: 1 }, task);
    if (!place) throw new RequestError("There is nothing to go to.");
    return place.link;
  },
);

/** Where a function is, whether or not its source is here. */
export const placeOfFunction = defineQuestion(
  (state, { scope, function: id }: { readonly scope: Scope; readonly function: number }, task) =>
    placeOf(state, scope, state.get(scope.dataSet).open.checkFunction(id), task),
);

/** Reason why a recording does not belong to the folders of source, as a clause. @returns undefined if it does */
export const foreignClause = defineQuestion((state, { dataSet }: { readonly dataSet: number }, task) => {
  const { open } = state.get(dataSet);
  return state.links.foreignClause(open.measured?.flat ?? open, task);
});

/**
 * Reason why a name in the source has no cost although a recording has a function of that name: the recording does not belong to the folders. Undefined
 * if it is, or has no such function.
 */
export const foreignName = defineQuestion(
  async (state, { dataSet, name }: { readonly dataSet: number; readonly name: string }, task) => {
    const { open } = state.get(dataSet);
    const clause = await state.links.foreignClause(open.measured?.flat ?? open, task);
    return clause !== undefined && hasFunctionNamed(open, name, task) ? clause : undefined;
  },
);

/** Where to go for a target: heaviest exclusive first, MPI and runtime skipped. */
export const hotPlaces = defineQuestion(hottest);

async function hottest(state: EngineState, query: PlacesQuery, task: Task): Promise<HotPlace[]> {
  const { scope, target, limit } = query;
  const { open } = state.get(scope.dataSet);
  const skipRuntime = target === undefined && query.everything !== true;
  if (open.measured && (target === undefined || target.kind === "function")) {
    const only = target && open.checkFunction(target.function);
    return measuredHotPlaces(open, open.measured.flat, state.links, scope, only, limit, skipRuntime, task);
  }
  const contexts = await state.contextsOf(scope.dataSet, target, task);
  return placesOf(open, state.links, scope, contexts, limit, skipRuntime, task);
}

export const documentCosts = defineQuestion((state, { scope, document }: DocumentQuery, task) =>
  documents.documentCosts(state.get(scope.dataSet).open, state.links, scope, document, task),
);

export const lineDetails = defineQuestion((state, { scope, document, line }: LineQuery, task) =>
  documents.lineDetails(state.get(scope.dataSet).open, state.links, scope, document, line, task),
);

/** What is called from a line, heaviest first. */
export const lineCalls = defineQuestion((state, { scope, document, line }: LineQuery, task) =>
  callsOf(state.get(scope.dataSet).open, state.links, scope, document, line, task),
);

/**
 * Follows the heaviest callee while it keeps at least a share of its parent's inclusive; undefined where there is no context
 * to begin at.
 */
export const hotPath = defineQuestion((state, { scope, target, threshold }: HotPathQuery, task) => {
  const { open } = state.get(scope.dataSet);
  return followedPath(open, (query) => state.graphsOf(query, task), state.links, scope, target, threshold, task);
});
