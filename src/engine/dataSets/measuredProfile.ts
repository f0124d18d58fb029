import { RankValues } from "../../analysis/rankValues";
import type { CallGraph } from "../../model/callGraph";
import { ContextTreeBuilder } from "../../model/contextTree";
import type { DataSet } from "../../model/dataSet";
import { EntryLog } from "../../model/entryLog";
import { NONE } from "../../model/ids";
import { firstCell, locationOfCell, sparseOf } from "../../model/lineValues";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";
import type { SparseValues } from "../../model/values";
import type { Scope } from "../scope";

/** Call rows of a flat profile's contexts: those of context c are `row[start[c]] … row[start[c + 1] - 1]`. */
export interface CallsAt {
  readonly start: Int32Array;
  readonly row: Int32Array;
}

/**
 * The measured values of a call graph as a profile that has no callers: a root a function, below it its lines. Whatever views
 * ask of lines and functions they ask of this one, and get what was measured (semantics 1, Call-graph formats).
 */
export interface FlatProfile {
  readonly dataSet: DataSet;
  /** The calls that stand at each context: a line, or the function where no line is known. */
  readonly callsAt: CallsAt;
}

export function flatProfile(dataSet: DataSet, callGraph: CallGraph, task: Task): FlatProfile {
  const { frames, locations, metrics } = dataSet;
  const { functions, lines, calls, exclusive } = callGraph;
  const builder = new ContextTreeBuilder();
  const root = functions.map((frame) => builder.child(NONE, frame));
  const at = (id: number, frame: number, row: number) => {
    if (row % STEPS_BETWEEN_CHECKS === 0) task.check();
    return frame === NONE ? root[id] : builder.child(root[id], frame);
  };
  let id = 0;
  const contextOfLine = lines.frame.map((frame, row) => {
    while (lines.start[id + 1] <= row) id++;
    return at(id, frame, row);
  });
  const contextOfCall = calls.frame.map((frame, row) => at(calls.caller[row], frame, row));
  const { tree, finalOf } = builder.build(frames.canonicalRanks(task), task);
  const places = Int32Array.from(locations, (_, index) => index);
  const values = metrics.map((_, metric) => {
    const costs = new EntryLog();
    const values = exclusive[metric];
    for (let row = 0; row < lines.count; row++) {
      if (row % STEPS_BETWEEN_CHECKS === 0) task.check();
      for (let cell = firstCell(values, row); cell < firstCell(values, row + 1); cell++)
        costs.add(contextOfLine[row], locationOfCell(values, cell), values.value[cell]);
    }
    return costs.build(tree.size, finalOf, places, 1, 1, task);
  });
  return {
    dataSet: { ...dataSet, callGraph: undefined, tree, values },
    callsAt: callsAt(contextOfCall, finalOf, tree.size),
  };
}

function callsAt(contextOf: Int32Array, finalOf: Int32Array, contexts: number): CallsAt {
  const start = new Int32Array(contexts + 1);
  for (const context of contextOf) start[finalOf[context] + 1]++;
  for (let context = 0; context < contexts; context++) start[context + 1] += start[context];
  const next = start.slice(0, contexts);
  const row = new Int32Array(contextOf.length);
  contextOf.forEach((context, call) => (row[next[finalOf[context]]++] = call));
  return { start, row };
}

/** Measured numbers that do not come of adding up lines: inclusive ones, of functions and of calls. */
export class MeasuredInclusive {
  constructor(
    private readonly dataSet: DataSet,
    private readonly callGraph: CallGraph,
  ) {}

  /** One number per function, combined over ranks as the scope says. */
  ofFunctions(scope: Scope): Float64Array {
    return this.combined(this.callGraph.functionInclusive[scope.metric], scope);
  }

  /** One number per row of calls. */
  ofCalls(scope: Scope): Float64Array {
    const { inclusive, calls } = this.callGraph;
    return this.combined(sparseOf(inclusive[scope.metric], calls.count), scope);
  }

  /** What a function costs on each chosen rank. */
  perRank(scope: Scope, id: number): Float64Array {
    return this.values(this.callGraph.functionInclusive[scope.metric], scope).perRank([[id, id + 1]]);
  }

  private combined(values: SparseValues, scope: Scope): Float64Array {
    return this.values(values, scope).evaluate(scope.over, (rows) => rows);
  }

  private values(values: SparseValues, { chosen }: Scope): RankValues {
    const size = values.rowStart.length - 1;
    return new RankValues({ values: [values], locations: this.dataSet.locations, tree: { size } }, 0, chosen);
  }
}
