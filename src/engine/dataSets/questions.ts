import { defineQuestion } from "../defineQuestion";
import type { Scope } from "../scope";
import { computingImbalance as imbalanceIn, type ImbalanceQuery } from "./computingImbalance";
import { runTotals as totalsOf } from "./runTotals";

/** What shares are shares of: the total of the chosen ranks, combined as the scope says. */
export const total = defineQuestion((state, scope: Scope) => state.get(scope.dataSet).open.numbers(scope).total);

/** What a recording says in three numbers: its total, how much of it is MPI, and how ranks differ. */
export const runTotals = defineQuestion((state, scope: Scope) => totalsOf(state.get(scope.dataSet).open, scope));

/** Imbalance of computing. @returns undefined if all functions compute, as far as is known, or if there are no two members */
export const computingImbalance = defineQuestion((state, query: ImbalanceQuery) =>
  imbalanceIn(state.get(query.scope.dataSet).open, query),
);
