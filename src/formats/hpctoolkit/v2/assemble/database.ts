import path from "node:path";
import type { DataSet, SourceCopies, Warning } from "../../../../model/dataSet";
import type { Metric } from "../../../../model/metrics";
import type { Task } from "../../../../model/task";
import { negativeExclusive } from "../../../exclusive";
import type { ReadContext } from "../../../format";
import { ProfileBuilder } from "../../../profileBuilder";
import { type Companions, companionsOf } from "../scan/companions";
import { type Experiment, readExperiment } from "../scan/experiment";
import { addRankValues } from "./rankValues";
import { addThreadValues } from "./threadValues";
import { readTraces, type TraceParts } from "./traceLanes";
import { addSummaries, declare } from "./values";
import { finishParts } from "../../../trace/finishTrace";

export const FORMAT = { id: "hpctoolkit-v2", label: "HPCToolkit 2 (experiment.xml)" };

/** Where in the progress each step starts: the tree, values of threads, traces. */
const VALUES_FROM = 0.5;
const TRACES_FROM = 0.8;

/** Reads one database: its `experiment.xml`, and what its threads recorded from the files beside it. */
export async function readDatabase(
  file: string,
  siblings: ReadonlySet<string>,
  context: ReadContext,
  task: Task,
): Promise<DataSet> {
  const warnings: Warning[] = [];
  const companions = await companionsOf(path.dirname(file), siblings, context, warnings);
  const perThread = companions.values.length > 0 || companions.ranks !== undefined;
  const builder = new ProfileBuilder();
  const experiment = await readExperiment(file, perThread, builder, context, between(task, 0, VALUES_FROM));
  const { tree, plan, header } = experiment;
  warnings.push(...experiment.warnings, ...plan.problems.map((message) => ({ message, file })));
  const threads = declare(plan.threads, builder, 0);
  const summaries = declare(plan.summaries, builder, threads.length + threads.filter(({ plan }) => plan.tool).length);
  const ofValues = between(task, VALUES_FROM, TRACES_FROM);
  warnings.push(...(await addThreadValues(companions.values, threads, tree, builder, context, ofValues)));
  if (companions.ranks !== undefined)
    warnings.push(...(await addRankValues(companions.ranks, threads, tree, builder, context, ofValues)));
  warnings.push(...addSummaries(plan, summaries, tree, builder, task));
  const traces = await readTraces(companions.traces, header, tree, builder, context, between(task, TRACES_FROM, 1));
  try {
    return await finish(file, companions, experiment, builder, traces, warnings, task);
  } catch (problem) {
    await traces?.builder.discard();
    throw problem;
  }
}

async function finish(
  file: string,
  companions: Companions,
  { header, tree, modifiedAt }: Experiment,
  builder: ProfileBuilder,
  traces: TraceParts | undefined,
  warnings: Warning[],
  task: Task,
): Promise<DataSet> {
  let built = builder.build(task);
  const measured = built.columns.metrics.length > 0;
  // Metrics that measured nothing are left out beside others; where there is nothing else, they say what was looked for.
  if (!measured) built = builder.build(task, true);
  const { columns, final, warnings: ofValues } = built;
  columns.metrics.forEach(({ name, additive }, index) => {
    if (additive) warnings.push(...negativeExclusive(name, columns.values[index]));
  });
  warnings.push(...ofValues, ...(traces?.warnings ?? []));
  const { contextOf, locationOf } = final;
  const finished =
    traces &&
    (await finishParts(
      [{ builder: traces.builder, contextOf, locationOf }],
      { zeroNanoseconds: traces.zeroNanoseconds },
      task,
    ));
  return {
    name: path.basename(path.dirname(file)) || path.basename(file),
    files: [file, ...filesOf(companions)],
    format: { ...FORMAT, version: header.version },
    ...columns,
    globals: new Map([["title", [header.title]]]),
    warnings,
    hierarchies: ["combined"],
    recordedAt: traces && traces.zeroNanoseconds > 0n ? Number(traces.zeroNanoseconds / 1_000_000n) : modifiedAt,
    records: tree.nodes.size - 1 + (traces?.samples ?? 0),
    outline: finished?.outline,
    trace: finished?.trace,
    topology: finished?.topology,
    sourceCopies: sourceCopies(file, tree.sourceCopies),
    notRecorded: notRecorded(columns.metrics, measured, traces !== undefined),
  };
}

function filesOf({ values, traces, ranks }: Companions): string[] {
  const files = new Set([...values, ...traces].map(({ file }) => file));
  return ranks === undefined ? [...files] : [...files, ranks];
}

function sourceCopies(file: string, copies: ReadonlyMap<string, string>): SourceCopies | undefined {
  if (copies.size === 0) return undefined;
  const database = path.dirname(file);
  return {
    folder: path.join(database, "src"),
    files: new Map([...copies].map(([recorded, copy]) => [recorded, path.join(database, copy)])),
  };
}

function notRecorded(metrics: readonly Metric[], measured: boolean, traced: boolean): string[] {
  const sentences: string[] = [];
  if (metrics.length === 0) sentences.push("no metrics in this recording");
  else if (!measured) sentences.push("no values in this recording: nothing was measured while it ran");
  if (measured && metrics.some(({ additive, reducedOverRanks }) => additive && reducedOverRanks))
    sentences.push("no values of single ranks and threads in this recording, only sums over them");
  if (!traced) sentences.push("no trace in this recording");
  return [...sentences, "no messages in this recording"];
}

/** A part of a task's progress. */
function between(task: Task, from: number, to: number): Task {
  return {
    check: () => task.check(),
    progress: (fraction, message) =>
      task.progress(fraction === undefined ? undefined : from + (to - from) * fraction, message),
  };
}
