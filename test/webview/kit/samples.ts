/** What panels are shown of in tests: the sample program's recording in an engine, without a window. */
import type { DataSetInfo, Engine, Scope, Target } from "../../../src/engine/api";
import type { View } from "../../../src/panels/kit/definition";
import type { Session } from "../../../src/session/session";
import { openMiniheat } from "../../unit/engine/miniheat";

export const size = { width: 1000, height: 600 };

export interface SampleWorld {
  readonly engine: Engine;
  readonly info: DataSetInfo;
  readonly scope: Scope;
}

let world: Promise<SampleWorld> | undefined;

/** One engine for all tests of a file. */
export function sampleWorld(): Promise<SampleWorld> {
  return (world ??= openMiniheat());
}

/** A view of a panel; the session is as much of one as panels ask. */
export function viewOf<State>({ engine, info, scope }: SampleWorld, state: State): View<State> {
  const dataSet = { ...info, key: "a-key" };
  const setEnsembleDifference = () => undefined;
  const session = { engine, dataSets: [dataSet], setEnsembleDifference } as unknown as Session;
  return { session, dataSet, scope, metric: info.metrics[scope.metric], size, state, selection: undefined };
}

/** The function of this name. */
export async function functionNamed({ engine, scope }: SampleWorld, name: string): Promise<Target> {
  const rows = await engine.hotFunctions({ scope, by: "exclusive", limit: 1000 });
  const row = rows.find((candidate) => candidate.name === name);
  if (!row) throw new Error(`no function ${name}`);
  return { kind: "function", function: row.function };
}
