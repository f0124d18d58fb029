/**
 * DMTracker: one Kineto-like trace JSON per run, and beside it, found by name, what NVML measured meanwhile and the machine's topology.
 * Traces without any of these are read as all others of their kind. The older tracker wrote a folder of Caliper's json.
 *
 * What this format cannot say:
 * - Source lines: only names of kernels and runtime calls, which nest in time. The older tracker has regions, and no lines.
 * - Ranks and messages: one process per run.
 * - Which GPU a table of NVML is of: it is matched by the amount of memory.
 * - Bandwidth of links in the machine. A drawing of `lstopo` tells by its boxes alone what lies in what.
 * - In the older tracker: times of region events, only how long it was since the record before.
 */
import path from "node:path";
import type { DataSet } from "../../model/dataSet";
import { appendAll } from "../../model/longLists";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import { caliper } from "../caliper/format";
import { headText } from "../cursor";
import type { Format, Head, ReadContext, RecordingFile } from "../format";
import { chromeTrace } from "../chrome/format";
import { collectDataSets } from "../reading";
import { type Companions, companionsOf, traceBeside } from "./companions";
import { isHwloc } from "./hwloc";
import { isLstopo } from "./lstopo";
import { isNvml } from "./nvml";
import { isCaliperFile, isPrototype, isPrototypeFile, readPrototype } from "./prototype";
import { FORMAT, readAlone, readRun } from "./traceRun";

export const dmtracker: Format = {
  ...FORMAT,
  recognizes: (head, siblings = new Set()) =>
    isDeviceTrace(head) || isCompanion(head.bytes) || (isPrototype(siblings) && isCaliperFile(head)),
  async read(files, context, task) {
    const older = files.filter(({ siblings }) => isPrototype(siblings));
    const { runs, alone, plain } = await sorted(
      files.filter((entry) => !older.includes(entry)),
      context,
    );
    return collectDataSets(async (dataSets) => {
      await readOlder(older, context, dataSets, task);
      if (plain.length > 0) appendAll(dataSets, await chromeTrace.read(plain, context, task));
      const all = runs.length + alone.length;
      for (const [index, { entry, companions }] of runs.entries()) {
        const part = context.part(index, all, entry.file);
        const dataSet = await context.attempt(entry, () => readRun(entry, companions, context, part));
        if (dataSet) dataSets.push(dataSet);
      }
      for (const [index, entry] of alone.entries()) {
        const part = context.part(runs.length + index, all, entry.file);
        const dataSet = await context.attempt(entry, () => readAlone(entry, context, part));
        if (dataSet) dataSets.push(dataSet);
      }
    });
  },
};

/** Folders of the older tracker, each once; what else lies in them is read as what it is. */
async function readOlder(
  files: readonly RecordingFile[],
  context: ReadContext,
  dataSets: DataSet[],
  task: Task,
): Promise<void> {
  const folders = new Map<string, RecordingFile>();
  const others: RecordingFile[] = [];
  for (const entry of files) {
    const folder = path.dirname(entry.file);
    if (!isPrototypeFile(entry.file) && isCaliperFile(await context.head(entry.file))) others.push(entry);
    else if (!folders.has(folder)) folders.set(folder, entry);
  }
  for (const [index, entry] of [...folders.values()].entries()) {
    const part = context.part(index, folders.size, entry.file);
    const dataSet = await context.attempt(entry, () => readPrototype(entry, context, part));
    if (dataSet) dataSets.push(dataSet);
  }
  if (others.length > 0) appendAll(dataSets, await caliper.read(others, context, task));
}

interface Run {
  readonly entry: RecordingFile;
  readonly companions: Companions;
}

/** Traces with companions, files without a trace, and traces alone. */
interface Sorted {
  readonly runs: readonly Run[];
  readonly alone: readonly RecordingFile[];
  readonly plain: readonly RecordingFile[];
}

async function sorted(files: readonly RecordingFile[], context: ReadContext): Promise<Sorted> {
  const traces = new Map<string, RecordingFile>();
  const others: RecordingFile[] = [];
  for (const entry of files) {
    if (isCompanion((await context.head(entry.file)).bytes)) {
      const trace = traceBeside(entry);
      const isTrace = trace !== undefined && isDeviceTrace(await context.head(trace));
      if (trace === undefined || !isTrace) others.push(entry);
      else traces.set(trace, traces.get(trace) ?? { ...entry, file: trace });
    } else traces.set(entry.file, entry);
  }
  const runs: Run[] = [];
  const plain: RecordingFile[] = [];
  const used = new Set<string | undefined>();
  for (const entry of [...traces.values()].sort((a, b) => compareText(a.file, b.file))) {
    const companions = await companionsOf(entry, context);
    const { counters, topology, others: damaged } = companions;
    if (counters === undefined && topology === undefined && damaged.length === 0) plain.push(entry);
    else runs.push({ entry, companions });
    used.add(companions.counters).add(companions.topology);
  }
  const folders = new Set([...traces.keys()].map((file) => path.dirname(file)));
  // A folder's drawing that every run has a better one for says nothing new; one that was named is what the user wants.
  const alone = others.filter(({ file, named }) => !used.has(file) && (named || !folders.has(path.dirname(file))));
  return { runs, alone, plain };
}

function isCompanion(head: Uint8Array): boolean {
  return isNvml(head) || isLstopo(head) || isHwloc(head);
}

/** Whether a file names its devices before its events, as Kineto's traces do. Profiles may have metadata of the same names. */
function isDeviceTrace(head: Head): boolean {
  const text = headText(head.bytes, 4096);
  const hasDevices = /^\s*\{/.test(text) && /"(?:schemaVersion|deviceProperties)"\s*:/.test(text);
  return hasDevices && chromeTrace.recognizes(head) && !isCaliperFile(head);
}
