import type { ContextTree } from "../../../../model/contextTree";
import type { Warning } from "../../../../model/dataSet";
import { NONE } from "../../../../model/ids";
import type { Location } from "../../../../model/locations";
import { appendAll } from "../../../../model/longLists";
import type { Metric } from "../../../../model/metrics";
import type { Task } from "../../../../model/task";
import type { SparseValues } from "../../../../model/values";
import { negativeExclusive, sumWarnings } from "../../../exclusive";
import { namedMetric } from "../../metricUnits";
import { CellLog } from "./cellLog";
import type { ContextIds } from "./contextIds";
import { CellScratch } from "./gatheredCells";
import type { MetaMetric, PropagationScope } from "../scan/metaDb";
import type { ProfileDb, ProfileInfo, ProfileValues } from "../scan/profileDb";

/** Metrics and values as a data set has them. */
export interface MetricValues {
  readonly metrics: Metric[];
  readonly values: SparseValues[];
  readonly warnings: Warning[];
}

/** What was read, and what of it has no place in the tree. */
export interface ValueCounts {
  read: number;
  lacking: number;
}

/** What a metric's values are taken from: ids of a profile's metrics, NONE where it does not have them. */
interface Wanted {
  readonly metric: MetaMetric;
  /** Inclusive values: scope `execution`. */
  readonly inclusive: number;
  /** What the tool shows as exclusive: `lex_aware`, else `function`. Never `point`, which is stored at contexts that are not there. */
  readonly own: { readonly scope: string; readonly id: number } | undefined;
}

const EXECUTION = 2;
const TRANSITIVE = 3;

/** Whether the summary over all threads is all that has values. */
export function onlySummary(profiles: readonly ProfileInfo[]): boolean {
  return (
    profiles.some(({ values }) => values > 0) && profiles.every(({ isSummary, values }) => isSummary || values === 0)
  );
}

/** Values of all profiles but the summary, one location each; of the summary where there is nothing else. */
export async function readValues(
  db: ProfileDb,
  metrics: readonly MetaMetric[],
  tree: ContextTree,
  contexts: ContextIds,
  locations: { readonly list: readonly Location[]; readonly ofProfile: Int32Array },
  counts: ValueCounts,
  task: Task,
): Promise<MetricValues> {
  const single = db.profiles.filter(({ isSummary }) => !isSummary);
  const fromSummary = onlySummary(db.profiles);
  const profiles = fromSummary ? db.profiles.filter(({ isSummary }) => isSummary).slice(0, 1) : single;
  const wanted = metrics.map((metric) => wantedOf(metric, fromSummary));
  const scratch = new CellScratch();
  const log = (inclusive: boolean) => new CellLog(tree, scratch, inclusive);
  // CPU threads and GPU streams are never added up: a column of their own each.
  const columns = wanted.map(() => ({ cpu: [log(true), log(false)], gpu: [log(true), log(false)] }));
  const logOf = (onStream: boolean) => {
    const byId: (CellLog | undefined)[] = new Array<CellLog | undefined>(65536).fill(undefined);
    wanted.forEach(({ inclusive, own }, index) => {
      const [first, second] = columns[index][onStream ? "gpu" : "cpu"];
      if (inclusive !== NONE) byId[inclusive] = first;
      if (own !== undefined) byId[own.id] = second;
    });
    return byId;
  };
  const byId = { cpu: logOf(false), gpu: logOf(true) };
  const all = columns.flatMap(({ cpu, gpu }) => [...cpu, ...gpu]);
  const total = profiles.reduce((sum, { values }) => sum + values, 0);
  let done = 0;
  // In the order of the file, which is then read forwards.
  for (const profile of [...profiles].sort((a, b) => a.valuesAt - b.valuesAt)) {
    const location = locations.ofProfile[profile.index];
    const logs = locations.list[location].stream === NONE ? byId.cpu : byId.gpu;
    await readProfile(db, profile, contexts, logs, counts, () => task.progress(total === 0 ? 0 : done / total), task);
    done += profile.values;
    for (const one of all) one.endProfile(location);
  }
  counts.read += done;
  return assemble(wanted, columns, locations.list.length, fromSummary, task);
}

async function readProfile(
  db: ProfileDb,
  profile: ProfileInfo,
  contexts: ContextIds,
  logs: readonly (CellLog | undefined)[],
  counts: ValueCounts,
  progress: () => void,
  task: Task,
): Promise<void> {
  for await (const batch of db.read(profile, task)) {
    progress();
    addBatch(batch, contexts, logs, counts);
  }
}

function addBatch(
  { count, context, metric, value }: ProfileValues,
  contexts: ContextIds,
  logs: readonly (CellLog | undefined)[],
  counts: ValueCounts,
): void {
  let id = 0;
  let found: number = NONE;
  for (let row = 0; row < count; row++) {
    if (context[row] !== id) {
      id = context[row];
      found = contexts.find(id);
    }
    // 0 is the whole program: the sum of the entry points, no context of its own.
    if (found !== NONE) logs[metric[row]]?.profile.add(found, value[row]);
    else if (id !== 0) counts.lacking++;
  }
}

function wantedOf(metric: MetaMetric, fromSummary: boolean): Wanted {
  const stored = fromSummary
    ? metric.statistics.filter(({ formula, combine }) => formula === "$$" && combine === 0)
    : metric.scopes;
  const idOf = (is: (scope: PropagationScope) => boolean) => stored.find(({ scope }) => is(scope));
  const own =
    idOf(({ name }) => name === "lex_aware") ?? idOf(({ name, type }) => name === "function" || type === TRANSITIVE);
  return {
    metric,
    inclusive: idOf(({ type }) => type === EXECUTION)?.id ?? NONE,
    own: own && { scope: own.scope.name, id: own.id },
  };
}

interface Columns {
  readonly cpu: readonly CellLog[];
  readonly gpu: readonly CellLog[];
}

function assemble(
  wanted: readonly Wanted[],
  columns: readonly Columns[],
  locations: number,
  reducedOverRanks: boolean,
  task: Task,
): MetricValues {
  const made: MetricValues = { metrics: [], values: [], warnings: [] };
  for (const [index, one] of wanted.entries()) {
    const [cpu, gpu] = [columns[index].cpu, columns[index].gpu].map((logs) =>
      logs.some(({ size }) => size > 0) ? logs : undefined,
    );
    for (const logs of [cpu, gpu]) {
      if (logs === undefined) continue;
      task.check();
      const suffix = logs === gpu && cpu !== undefined ? " (GPU streams)" : "";
      addMetric(made, one, logs, suffix, locations, reducedOverRanks, task);
    }
  }
  return made;
}

function addMetric(
  { metrics, values, warnings }: MetricValues,
  { metric, own }: Wanted,
  [inclusive, toolOwn]: readonly CellLog[],
  suffix: string,
  locations: number,
  reducedOverRanks: boolean,
  task: Task,
): void {
  const { name, unit, kind, divisor = 1, factor = 1 } = namedMetric(metric.name);
  const built = (log: CellLog) => {
    const { notFinite } = log.profile;
    const matrix = log.build(locations, task);
    if (divisor !== 1 || factor !== 1)
      for (let cell = 0; cell < matrix.value.length; cell++)
        matrix.value[cell] = (matrix.value[cell] * factor) / divisor;
    appendAll(warnings, sumWarnings(name, notFinite, matrix, true));
    return matrix;
  };
  const recordedName = metric.name;
  if (inclusive.size > 0) {
    const mayWarn = inclusive.profile.hasNegative;
    const exclusive = built(inclusive);
    if (mayWarn) appendAll(warnings, negativeExclusive(name + suffix, exclusive));
    metrics.push({
      name: name + suffix,
      recordedName,
      unit,
      kind,
      additive: true,
      reducedOverRanks,
      ...(toolOwn.size > 0 ? { toolExclusive: metrics.length + 1 } : {}),
    });
    values.push(exclusive);
  }
  if (toolOwn.size > 0 && own !== undefined) {
    const note = `what HPCToolkit itself shows as exclusive (scope ${own.scope}): a loop's and a function's include their lines`;
    metrics.push({
      name: `${name}${suffix} (${own.scope})`,
      recordedName,
      unit,
      kind,
      additive: false,
      reducedOverRanks,
      note,
    });
    values.push(built(toolOwn));
  }
}
