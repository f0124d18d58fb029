/** What is asked of recordings that are compared. */
import { defineQuestion } from "../defineQuestion";
import type { DocumentText } from "../lines/lineApi";
import { compareRuns } from "./comparison";
import type { ComparedPair, ComparisonQuery } from "./comparisonApi";
import { callerDifferences as differencesOfCallers } from "./callerDifferences";
import { changedLine as lineOfTarget } from "./changedTarget";
import { contextDifferences as differencesOfContexts } from "./contextDifferences";
import { documentDifferences as differencesOfDocument } from "./documentDifferences";
import { isOneProgram } from "./sameProgram";

/** What differs between two sets of runs: functions or groups by |difference|. @throws RequestError */
export const comparison = defineQuestion((state, query: ComparisonQuery, task) => compareRuns(state, query, task));

/** Whether two recordings may be of one program. */
export const isSameProgram = defineQuestion(
  (state, { dataSet, other }: { readonly dataSet: number; readonly other: number }, task) =>
    isOneProgram(state.get(dataSet).open, state.get(other).open, task),
);

export interface DocumentDifferencesQuery {
  readonly pair: ComparedPair;
  readonly document: DocumentText;
  /** Those in which programs may be started: git tells whether runs of several commits are of one text. None unless said. */
  readonly folders?: readonly string[];
}

/** What an open document shows of a comparison. */
export const documentDifferences = defineQuestion(
  (state, { pair, document, folders = [] }: DocumentDifferencesQuery, task) =>
    differencesOfDocument(state, pair, document, task, folders),
);

/** Where a function or bar of one of two recordings changed most; undefined where it has no function. */
export const changedLine = defineQuestion((state, query: Parameters<typeof lineOfTarget>[1], task) =>
  lineOfTarget(state, query, task),
);

/** The inclusive of calling contexts of one of two recordings, in both. */
export const contextDifferences = defineQuestion((state, query: Parameters<typeof differencesOfContexts>[1], task) =>
  differencesOfContexts(state, query, task),
);

/** The exclusive of a function along chains of callers, of one of two recordings, in both. */
export const callerDifferences = defineQuestion((state, query: Parameters<typeof differencesOfCallers>[1], task) =>
  differencesOfCallers(state, query, task),
);
