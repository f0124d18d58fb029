/** `heatflow ensemble --csv`: the table as it is made, whatever its size. */
import type { EnsembleRuns, RunsCsvQuery } from "../engine/api";
import { contextTable, csvLines, functionTable } from "../engine/ensembles/runsCsv";
import type { LocalEngine } from "../engine/localEngine";
import type { Output } from "./output";

export async function writeRunsTable(
  engine: LocalEngine,
  query: RunsCsvQuery,
  ofRuns: EnsembleRuns,
  output: Output,
): Promise<void> {
  const { scope, value, rows } = query;
  const dataSet = engine.dataSet(scope.dataSet);
  const table =
    rows === "functions"
      ? functionTable(await engine.ensembleFunctions(scope), value)
      : contextTable(dataSet, await engine.ensembleContexts({ scope, value }));
  for (const line of csvLines(table, dataSet, ofRuns, query)) {
    const wait = output.write(line);
    if (wait) await wait;
  }
}
