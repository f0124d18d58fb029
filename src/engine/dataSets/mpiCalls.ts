import { NONE } from "../../model/ids";
import { isMpi } from "../lines/hotPlaces";
import type { OpenDataSet } from "./openDataSet";

/** The outermost MPI calls with all that is below them, as ranges of the preorder. */
export function mpiCalls(open: OpenDataSet): [from: number, to: number][] {
  const { size, end } = open.dataSet.tree;
  const calls: [number, number][] = [];
  for (let context = 0; context < size;) {
    const isCall = open.callOf[context] !== NONE && isMpi(open, context);
    if (isCall) calls.push([context, end[context]]);
    context = isCall ? end[context] : context + 1;
  }
  return calls;
}
