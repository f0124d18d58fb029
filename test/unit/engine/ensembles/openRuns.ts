import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { EngineState } from "../../../../src/engine/engineState";
import { Ensemble, type NamedRun } from "../../../../src/engine/ensembles/ensemble";
import type { EnsembleGraph } from "../../../../src/engine/ensembles/ensembleApi";
import type { OpenEnsemble } from "../../../../src/engine/ensembles/ensembleGraphs";
import { EnsembleSubject } from "../../../../src/engine/ensembles/ensembleSubject";
import { RunCollector } from "../../../../src/engine/ensembles/runCollector";
import { Graphs } from "../../../../src/engine/graphs/graphs";
import type { DataSet } from "../../../../src/model/dataSet";
import { grammars } from "../miniheat";

/** Runs as an ensemble that is open as data set 1. @param runs in the order of their names */
export function ensembleOf(runs: readonly { readonly name: string; readonly dataSet: DataSet }[]): OpenEnsemble {
  const collector = new RunCollector();
  for (const { name, dataSet } of runs) collector.take({ run: { ...dataSet, files: [`/runs/${name}.cali`] } });
  const named = collector.runs.map((run, at): NamedRun => ({ ...run, name: runs[at].name, metadata: new Map() }));
  const ensemble = new Ensemble(named, collector.frames);
  const open = new OpenDataSet(1, ensemble.dataSet("runs", [], []), 0);
  return { ensemble, open, graphs: new Graphs(new EnsembleSubject(open, new EngineState(grammars).links, ensemble)) };
}

/** An answer as the twin says it: by `group#visit`, a list per bar with null where a run has none. */
export function asTwin({ bars, edges, values, gradients, runs }: EnsembleGraph) {
  if (!values) throw new Error("the values of every run were not asked for");
  const ids = bars.group.map((group, bar) => `${group}#${bars.visit[bar]}`);
  const row = (all: Float64Array, at: number) =>
    Array.from(all.subarray(at * runs.length, (at + 1) * runs.length), (value) => (Number.isNaN(value) ? null : value));
  return {
    bars: new Map(
      ids.map((id, bar) => [
        id,
        {
          level: bars.level[bar],
          inclusive: row(values.inclusive, bar),
          exclusive: row(values.exclusive, bar),
          hidden: row(values.hidden, bar),
          height: bars.height[bar],
          histogram:
            gradients.to[bar] > 0
              ? [...gradients.counts.subarray(bar * gradients.bins, (bar + 1) * gradients.bins)]
              : null,
        },
      ]),
    ),
    edges: new Map(
      Array.from({ length: edges.size }, (_, edge) => [
        `${ids[edges.source[edge]]} -> ${ids[edges.target[edge]]}`,
        { inclusive: row(values.edges, edge), sourceEnd: edges.sourceEnd[edge], targetEnd: edges.targetEnd[edge] },
      ]),
    ),
  };
}
