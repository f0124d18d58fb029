/** What may be asked of the bars of a super graph, beside the graph itself. Plain data. */
import type { Task } from "../../model/task";
import type { FunctionRow, GraphQuery } from "../api";

export interface BarQueries {
  /**
   * All functions that have contexts in a bar, heaviest exclusive first: what can be revealed. Exclusive is that of their
   * contexts in the bar; inclusive counts those that no context of the same function in the bar stands above. None where
   * there is no such bar.
   */
  barFunctions(query: GraphQuery, bar: string, task?: Task): Promise<FunctionRow[]>;
  /**
   * The bar of one graph that each bar of another was made from, by its id and in the order of the other graph; undefined
   * where nothing of it was there. Empty where they are of different recordings.
   */
  barOrigins(before: GraphQuery, after: GraphQuery, task?: Task): Promise<(string | undefined)[]>;
}
