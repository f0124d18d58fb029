import path from "node:path";
import type { DataSet, SourceCopies, Warning } from "../../../../model/dataSet";
import { appendAll } from "../../../../model/longLists";
import type { Metric } from "../../../../model/metrics";
import type { Task } from "../../../../model/task";
import { negativeExclusive } from "../../../exclusive";
import type { ReadContext } from "../../../format";
import { ProfileBuilder } from "../../../profileBuilder";
import { type Companions, companionsOf } from "../scan/companions";
import { type Experiment, readExperiment } from "../scan/experiment";
import { addRankValues } from "./rankValues";
import { partOfThreads } from "./coverage";
import type { Measured } from "./metricPlan";
import { addThreadValues, type ThreadValues } from "./threadValues";
import { withSampledTime } from "../../sampledTime";
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
  const measured = companions.values.length > 0 || companions.ranks !== undefined ? "all" : "none";
  let values = await readValues(file, companions, measured, context, between(task, 0, TRACES_FROM));
  const part = partOfThreads(values.experiment, values.ofThreads);
  if (part) {
    warnings.push({
      message: `there are value files of ${part.some}, with ${part.share}: the sums over all threads are shown first, what these threads have is beside them, under names that say so`,
      file,
    });
    // Only now the sums of every node are needed, which files of all threads would only repeat.
    values = await readValues(file, companions, part, context, between(task, 0, TRACES_FROM));
  }
  const { experiment, builder } = values;
  const { tree, header } = experiment;
  appendAll(warnings, values.warnings);
  const traces = await readTraces(companions.traces, header, tree, builder, context, between(task, TRACES_FROM, 1));
  try {
    return await finish(file, companions, experiment, builder, traces, warnings, task);
  } catch (problem) {
    await traces?.builder.discard();
    throw problem;
  }
}

interface Values {
  readonly experiment: Experiment;
  readonly builder: ProfileBuilder;
  readonly ofThreads: ThreadValues;
  readonly warnings: readonly Warning[];
}

/** Reads the XML, and the values of threads beside it. */
async function readValues(
  file: string,
  companions: Companions,
  measured: Measured,
  context: ReadContext,
  task: Task,
): Promise<Values> {
  const builder = new ProfileBuilder();
  const from = VALUES_FROM / TRACES_FROM;
  const experiment = await readExperiment(file, measured, builder, context, between(task, 0, from));
  const { tree, plan } = experiment;
  const warnings: Warning[] = [...experiment.warnings, ...plan.problems.map((message) => ({ message, file }))];
  const declared = declare(plan, builder, typeof measured === "object");
  const ofValues = between(task, from, 1);
  const ofThreads = await addThreadValues(companions.values, declared.threads, tree, builder, context, ofValues);
  appendAll(warnings, ofThreads.warnings);
  if (companions.ranks !== undefined)
    appendAll(warnings, await addRankValues(companions.ranks, declared.threads, tree, builder, context, ofValues));
  appendAll(warnings, addSummaries(plan, declared.summaries, tree, builder, task));
  return { experiment, builder, ofThreads, warnings };
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
    if (additive) appendAll(warnings, negativeExclusive(name, columns.values[index]));
  });
  appendAll(warnings, ofValues);
  appendAll(warnings, traces?.warnings ?? []);
  const { contextOf, locationOf } = final;
  const finished =
    traces &&
    (await finishParts(
      [{ builder: traces.builder, contextOf, locationOf }],
      { zeroNanoseconds: traces.zeroNanoseconds },
      task,
    ));
  const sampled = withSampledTime(columns, traces?.threadSeconds);
  appendAll(warnings, sampled.warnings);
  return {
    name: path.basename(path.dirname(file)) || path.basename(file),
    files: [file, ...filesOf(companions)],
    format: { ...FORMAT, version: header.version },
    ...columns,
    metrics: sampled.metrics,
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
  const additive = metrics.filter((metric) => metric.additive);
  if (measured && additive.length > 0 && additive.every(({ reducedOverRanks }) => reducedOverRanks))
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
