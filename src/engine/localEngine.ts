import type { DataSet } from "../model/dataSet";
import { quietTask, type Task } from "../model/task";
import type { GrammarFiles } from "../source/grammar";
import { askingEngine } from "./askingEngine";
import { EngineState, type EngineStateOptions } from "./engineState";
import { answerTo, type Engine } from "./questions";

export interface LocalEngine extends Engine {
  /** The columns themselves, for code in this thread that needs every value. */
  dataSet(id: number): DataSet;
  /** As {@link dataSet}, with the columns of its trace, where it has events. @throws FormatError, CancelledError */
  withTrace(id: number, task?: Task): Promise<DataSet>;
  /** Seconds from the profile to the trace's columns; null where there are none, or no question needed them. */
  traceSeconds(id: number): number | null;
  /** Closes everything and removes what is on disk. */
  dispose(): Promise<void>;
}

/** The engine in this thread: what the worker runs, and what the command line and tests use as it is. */
export function localEngine(grammars: GrammarFiles, options?: EngineStateOptions): LocalEngine {
  const state = new EngineState(grammars, options);
  const engine = askingEngine((name, argument, task = quietTask) => answerTo(state, name, argument, task));
  return Object.assign(engine, {
    dataSet: (id: number) => state.dataSet(id),
    withTrace: (id: number, task = quietTask) => state.withTrace(id, task),
    traceSeconds: (id: number) => state.get(id).trace.seconds,
    dispose: () => state.dispose(),
  });
}
