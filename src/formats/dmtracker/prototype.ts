import path from "node:path";
import type { DataSet, Warning } from "../../model/dataSet";
import { FormatError } from "../../model/errors";
import type { FrameId } from "../../model/ids";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import type { Task } from "../../model/task";
import { caliper } from "../caliper/format";
import { eventColumns, type Head, type ReadContext, type RecordingFile } from "../format";
import { ProfileBuilder } from "../profileBuilder";
import { TraceBuilder } from "../trace/traceBuilder";
import { addRegionEvents } from "./regionEvents";
import { addTopology, FORMAT } from "./traceRun";
import { benchmarkResults, kernelMetrics } from "./csvSummaries";
import { addUnifiedMemory } from "./unifiedMemory";
import { finishParts } from "../trace/finishTrace";

const PROFILE = "region_profile.json";
const EVENTS = "nvbit_trace.json";
const MEMORY = "uvm-tracking.json";
const DRAWING = "topology.svg";

/** Whether a folder holds a recording of the older tracker, which is several files of fixed names. */
export function isPrototype(siblings: ReadonlySet<string>): boolean {
  return siblings.has(PROFILE) && (siblings.has(EVENTS) || siblings.has(MEMORY));
}

/** Whether a file of such a folder is part of the recording. */
export function isPrototypeFile(file: string): boolean {
  return [PROFILE, EVENTS, MEMORY, DRAWING].includes(path.basename(file));
}

/** Caliper's own forms: elsewhere they are recordings of their own. */
export function isCaliperFile(head: Head): boolean {
  return caliper.recognizes(head);
}

/** Reads such a folder: region times, events, migrations with the regions and allocations they belong to, and the machine. */
export async function readPrototype(entry: RecordingFile, context: ReadContext, task: Task): Promise<DataSet> {
  const folder = path.dirname(entry.file);
  const fileOf = (name: string) => (entry.siblings.has(name) ? path.join(folder, name) : undefined);
  const profile = new ProfileBuilder();
  const sink = new TraceBuilder(eventColumns(context));
  const warnings: Warning[] = [];
  const globals = new Map<string, readonly string[]>();
  const files: string[] = [];
  let records = 0;
  let zeroNanoseconds: bigint | undefined;
  const each = async (name: string, read: (file: string) => Promise<number>) => {
    const file = fileOf(name);
    if (file === undefined) return;
    try {
      records += await read(file);
      files.push(file);
    } catch (problem) {
      if (!(problem instanceof FormatError) || file === entry.file) throw problem;
      warnings.push({ message: `left out: ${problem.message}`, file });
    }
  };
  try {
    const counted = new Set<string>();
    for (const name of [PROFILE, EVENTS, MEMORY])
      await each(name, async (file) => {
        const read = await caliper.read([{ file, named: true, siblings: new Set([name]) }], context, task);
        await Promise.all(read.map(({ trace }) => trace?.close()));
        for (const dataSet of read) addValues(dataSet, profile, counted);
        appendAll(
          warnings,
          read.flatMap((one) => one.warnings),
        );
        for (const one of read) for (const [key, values] of one.globals) globals.set(key, values);
        return 0;
      });
    await each(EVENTS, (file) => addRegionEvents(file, profile, sink, warnings, context, task));
    await each(MEMORY, async (file) => {
      const memory = await addUnifiedMemory(file, profile, sink, warnings, context, task);
      ({ zeroNanoseconds } = memory);
      return memory.records;
    });
    await each(DRAWING, async (file) => {
      await addTopology(sink, file, context, warnings, task);
      return 0;
    });
    for (const [name, read] of [
      ["metric_summary.csv", kernelMetrics],
      ["runtime_metrics.csv", benchmarkResults],
    ] as const)
      await each(name, async (file) => {
        for (const [key, value] of await read(file, context, task)) globals.set(key, [value]);
        return 0;
      });
    if (fileOf(EVENTS) !== undefined && fileOf(MEMORY) !== undefined)
      warnings.push({ message: "regions and unified memory were recorded in runs of their own: each starts at 0" });
    const { columns, final, warnings: ofValues } = profile.build(task);
    const part = { builder: sink, contextOf: final.contextOf, locationOf: final.locationOf };
    const { warnings: ofTrace, ...traced } = await finishParts([part], { zeroNanoseconds }, task);
    return {
      ...columns,
      ...traced,
      name: path.basename(folder),
      files: [...new Set(files)],
      format: { ...FORMAT, version: "Caliper prototype" },
      globals,
      warnings: distinct([...warnings, ...ofValues, ...ofTrace]),
      hierarchies: ["combined"],
      recordedAt: zeroNanoseconds === undefined ? undefined : Number(zeroNanoseconds / 1_000_000n),
      records,
      notRecorded: ["no source lines in this recording", "no messages in this recording"],
    };
  } catch (problem) {
    await sink.discard();
    throw problem;
  }
}

/** Each warning once: some files are read by two readers, which find the same. */
function distinct(warnings: readonly Warning[]): Warning[] {
  const byText = new Map<string, Warning>();
  for (const warning of warnings) {
    const key = JSON.stringify([warning.file, warning.message]);
    if (!byText.has(key)) byText.set(key, warning);
  }
  return [...byText.values()];
}

/** Adds what another file says. A metric that an earlier one has was measured in another run: it is not added to that. */
function addValues(
  { frames, tree, locations, metrics, values }: DataSet,
  profile: ProfileBuilder,
  counted: Set<string>,
) {
  const contexts = new Int32Array(tree.size);
  for (let context = 0; context < tree.size; context++) {
    const above = tree.parent[context];
    const frame = profile.frames.intern(frames.get(tree.frame[context] as FrameId));
    contexts[context] = profile.tree.child(above === NONE ? NONE : contexts[above], frame);
  }
  metrics.forEach((metric, index) => {
    if (counted.has(metric.name)) return;
    counted.add(metric.name);
    const own = profile.metric({ ...metric, minimum: undefined, maximum: undefined, toolExclusive: undefined });
    const { rowStart, column, value } = values[index];
    for (let context = 0; context < tree.size; context++)
      for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++)
        profile.add(own, contexts[context], profile.location(locations[column[cell]]), value[cell]);
  });
}
