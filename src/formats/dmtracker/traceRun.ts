import path from "node:path";
import type { DataSet, Warning } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import type { Task } from "../../model/task";
import { readTrace } from "../chrome/readTrace";
import type { TraceFile } from "../chrome/traceFile";
import { TraceProfile } from "../chrome/assemble/traceProfile";
import { isXml, headText } from "../cursor";
import { eventColumns, type ReadContext, type RecordingFile } from "../format";
import { ProfileBuilder } from "../profileBuilder";
import { withFile, orLeftOut } from "../reading";
import { TraceBuilder } from "../trace/traceBuilder";
import type { Companions } from "./companions";
import { isHwloc, readHwloc } from "./hwloc";
import { readLstopo } from "./lstopo";
import { readNvml } from "./nvml";
import { finishParts } from "../trace/finishTrace";

export const FORMAT = { id: "dmtracker", label: "DMTracker (trace JSON, NVML table, lstopo drawing)" };

/** Reads a trace with the counters and the topology beside it, on the trace's clock. */
export async function readRun(
  { file }: RecordingFile,
  companions: Companions,
  context: ReadContext,
  task: Task,
): Promise<DataSet> {
  const builder = new TraceBuilder(context.columnFiles);
  try {
    const profile = new TraceProfile();
    const trace = await withFile(context, file, (source) => readTrace(source, builder, profile, task));
    addDevices(trace);
    const warnings: Warning[] = [...trace.warnings];
    const { counters, topology, others } = companions;
    for (const other of others)
      warnings.push({
        message: "left out: neither a table of NVML nor a topology, though it has the trace's name",
        file: other,
      });
    let rows = 0;
    const add = () => addCounters(trace, counters ?? "", context, warnings, task);
    if (counters !== undefined) rows = (await orLeftOut(counters, warnings, add)) ?? 0;
    if (topology !== undefined)
      await orLeftOut(topology, warnings, () => addTopology(builder, topology, context, warnings, task));
    const finished = await profile.finish(trace.zeroNanoseconds, task);
    return {
      ...finished,
      name: path.basename(file),
      files: [file, counters, topology].filter((one) => one !== undefined),
      format: { ...FORMAT, version: trace.globals.get("schemaVersion") },
      globals: new Map([...trace.globals].map(([key, value]) => [key, [value]])),
      warnings: [...warnings, ...finished.warnings],
      hierarchies: ["combined"],
      recordedAt:
        trace.zeroNanoseconds === undefined ? trace.source.modifiedAt : Number(trace.zeroNanoseconds / 1_000_000n),
      records: trace.records + rows,
      notRecorded: [
        ...finished.notRecorded,
        ...(counters === undefined ? ["no counters in this recording"] : []),
        ...(topology === undefined ? ["no topology in this recording"] : []),
      ],
    };
  } catch (problem) {
    await builder.discard();
    throw problem;
  }
}

/** Reads a table of counters or a topology that no trace belongs to. */
export async function readAlone({ file }: RecordingFile, context: ReadContext, task: Task): Promise<DataSet> {
  const builder = new TraceBuilder(eventColumns(context));
  try {
    const warnings: Warning[] = [];
    let records = 0;
    let zeroNanoseconds: bigint | undefined;
    const head = (await context.head(file)).bytes;
    const isTable = !isXml(headText(head, 16));
    if (isTable) {
      const resource = () => builder.resource({ name: "GPU", type: "GPU", parent: NONE, location: NONE });
      const table = await withFile(context, file, (source) => readNvml(source, builder, { resource }, task));
      ({ zeroNanoseconds, rows: records } = table);
      appendAll(warnings, table.warnings);
    } else records = await addTopology(builder, file, context, warnings, task);
    const { columns } = new ProfileBuilder().build(task);
    const { warnings: ofTrace, ...traced } = await finishParts([{ builder }], { zeroNanoseconds }, task);
    return {
      ...columns,
      ...traced,
      name: path.basename(file),
      files: [file],
      format: FORMAT,
      globals: new Map(),
      warnings: [...warnings, ...ofTrace],
      hierarchies: ["combined"],
      recordedAt: zeroNanoseconds === undefined ? undefined : Number(zeroNanoseconds / 1_000_000n),
      records,
      notRecorded: [
        "no calling contexts in this recording",
        "no events in this recording",
        isTable ? "no topology in this recording" : "no counters in this recording",
      ],
    };
  } catch (problem) {
    await builder.discard();
    throw problem;
  }
}

async function addCounters(
  trace: TraceFile,
  file: string,
  context: ReadContext,
  warnings: Warning[],
  task: Task,
): Promise<number> {
  const { zeroNanoseconds } = trace;
  const place = { resource: (memory?: number) => trace.gpu(deviceOf(trace, memory)), zeroNanoseconds };
  const table = await withFile(context, file, (source) => readNvml(source, trace.sink, place, task));
  appendAll(warnings, table.warnings);
  if (zeroNanoseconds === undefined)
    warnings.push({ message: "the trace has no times of day: the counters start at their own first row", file });
  return table.rows;
}

/** The table does not name its GPU: it is the one with the nearest amount of memory, else the first. */
function deviceOf({ devices }: TraceFile, memory: number | undefined): number {
  let nearest = 0;
  let distance = Infinity;
  for (const [device, properties] of [...devices].sort(([a], [b]) => a - b)) {
    const difference = Math.abs(Number(properties.get("totalGlobalMem")) - (memory ?? Number.NaN));
    if (difference < distance) [nearest, distance] = [device, difference];
  }
  return nearest;
}

/** GPUs that did nothing are part of the machine too. */
function addDevices({ sink, devices }: TraceFile): void {
  for (const [device, properties] of devices) {
    const name = `GPU ${device}`;
    if (!sink.resources.some((one) => one.type === "GPU" && one.name.endsWith(name)))
      sink.resource({ name, type: "GPU", parent: NONE, location: NONE, properties });
  }
}

/** @returns how many resources there are */
export async function addTopology(
  sink: TraceBuilder,
  file: string,
  context: ReadContext,
  warnings: Warning[],
  task: Task,
): Promise<number> {
  const xml = isHwloc((await context.head(file)).bytes);
  const machine = await withFile(context, file, (source) => (xml ? readHwloc : readLstopo)(source, task));
  appendAll(warnings, machine.warnings);
  const own: number[] = [];
  for (const resource of machine.resources)
    own.push(sink.resource({ ...resource, parent: resource.parent === NONE ? NONE : own[resource.parent] }));
  return machine.resources.length;
}
