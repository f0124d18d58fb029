/** Columns of the runs' parameters, and the outputs among them. */
import { inputParameters, type NumberColumn, outputParameters } from "../../analysis/ensembles/outputParameters";
import { entryOf } from "../../model/maps";
import type { RunColumn } from "../../model/runColumns";
import type { Ensemble } from "./ensemble";
import { numberOf } from "./runMetadata";

/** Column of a parameter over runs: numbers, if each run with a value has a number. */
export function parameterColumn({ members }: Ensemble, name: string, runs: Int32Array): RunColumn {
  const texts = Array.from(runs, (run) => members[run].metadata.get(name)?.value ?? null);
  const numbers = texts.map((text) => (text === null ? NaN : numberOf(text)));
  return numbers.every((value) => value !== undefined)
    ? { name, kind: "number", values: Float64Array.from(numbers) }
    : { name, kind: "text", values: texts };
}

/** All parameters of some runs. */
export function parameterColumns(ensemble: Ensemble, runs: Int32Array): RunColumn[] {
  const names = new Set(ensemble.members.flatMap(({ metadata }) => [...metadata.keys()]));
  return Array.from(names, (name) => parameterColumn(ensemble, name, runs));
}

/** Parameters by what they are in all runs, by name. */
interface ParameterRoles {
  readonly outputs: ReadonlySet<string>;
  readonly inputs: readonly string[];
}

const known = new WeakMap<Ensemble, ParameterRoles>();

function rolesOf(ensemble: Ensemble): ParameterRoles {
  return entryOf(known, ensemble, () => {
    const columns = parameterColumns(ensemble, Int32Array.from(ensemble.members.keys()));
    const outputs = outputParameters(columns);
    return { outputs, inputs: inputParameters(columns, outputs).map(({ name }) => name) };
  });
}

/** Outputs of all runs, by name: they stay outputs whichever runs stay. */
export function outputsOf(ensemble: Ensemble): ReadonlySet<string> {
  return rolesOf(ensemble).outputs;
}

/** Inputs of all runs: the numbers that differ between these, and what some of the runs have of them. */
export function inputsOf(ensemble: Ensemble, runs: Int32Array): NumberColumn[] {
  const columns = rolesOf(ensemble).inputs.map((name) => parameterColumn(ensemble, name, runs));
  return columns.filter((column): column is NumberColumn => column.kind === "number");
}
