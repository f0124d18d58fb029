/** Input of a first picture's choice: one function without a name per load module, and costs of all runs. */
import { exclusiveByFunction, inclusiveByFunction, outermostContexts } from "../../model/functions";
import { inclusive } from "../../model/contextTree";
import type { FilterBasis } from "../filter";
import type { GroupingBasis } from "../grouping";
import { picked } from "../columns";
import { type FirstNames, firstNames } from "./functionNames";
import { RunCosts } from "./runCosts";

export interface FirstBasis {
  readonly costs: RunCosts;
  readonly names: FirstNames;
  /** Input of filters, with representative functions. */
  readonly filter: FilterBasis;
  /** Measured exclusive cost of each context in a run. Computed on each call: hundreds of runs would take too much memory. */
  exclusiveOf(run: number): Float64Array;
  /** Exclusive cost of each representative function in all runs, before the filter: the sum over the functions that it represents. */
  readonly ofFunctions: Float64Array;
}

export function firstBasis(basis: FilterBasis & GroupingBasis): FirstBasis {
  const { tree, functions, parts = [], total } = basis;
  const isSeveral = parts.length > 1;
  const totals = isSeveral ? parts.map((part) => part.total) : [total];
  const exclusiveOf = (run: number) => (isSeveral ? parts[run].exclusive() : basis.exclusive);
  const costs = new RunCosts(totals, basis.weigh !== undefined);
  const alone = costs.zeros(functions.size);
  for (let run = 0; run < costs.runs; run++) costs.put(alone, run, exclusiveByFunction(functions, exclusiveOf(run)));
  const names = firstNames(basis, costs, alone);

  const ofContext = picked(names.standsFor, functions.ofContext);
  const outermost = outermostContexts(tree, { size: functions.size, ofContext });
  const joined = { size: functions.size, ofContext, frame: functions.frame, outermost };
  const sums = totals.map((ofRun, run) => ({
    byFunction: inclusiveByFunction(joined, isSeveral ? inclusive(tree, exclusiveOf(run)) : basis.inclusive),
    total: ofRun,
    exclusive: () => exclusiveOf(run),
  }));
  const ofFunctions = costs.zeros(functions.size);
  for (let id = 0; id < functions.size; id++) costs.add(ofFunctions, names.standsFor[id], alone, id);
  return {
    costs,
    names,
    filter: { ...basis, functions: joined, byFunction: sums[0].byFunction, parts: sums },
    exclusiveOf,
    ofFunctions,
  };
}
