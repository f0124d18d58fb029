import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { type Location, ranksOf } from "../../model/locations";
import { addTo } from "../../model/maps";
import { locationUnits, membersOf } from "../../model/members";
import { joined } from "../../model/texts";
import type { SparseValues } from "../../model/values";
import type { DataSetInfo } from "./dataSetApi";
import { foreignShare } from "./foreignShare";
import type { OpenDataSet } from "./openDataSet";
import { seriesInfo } from "../traces/traceAnswers";

/** What lists and the data set's page say of a data set. */
export function dataSetInfo(open: OpenDataSet): DataSetInfo {
  const { dataSet } = open;
  return {
    id: open.id,
    name: dataSet.name,
    files: dataSet.files,
    format: dataSet.format,
    runs: Math.max(1, new Set(dataSet.locations.map((location) => location.run)).size),
    ranks: ranksOf(dataSet.locations),
    locations: dataSet.locations.length,
    contexts: dataSet.tree.size,
    functions: open.functions.size,
    hasModules: dataSet.frames.hasModules,
    foreignShare: foreignShare(open, defaultMetric(dataSet)),
    records: dataSet.records,
    metrics: dataSet.metrics.map((metric, index) => ({
      name: metric.name,
      recordedName: metric.recordedName,
      unit: metric.unit,
      kind: metric.kind,
      additive: metric.additive,
      reducedOverRanks: metric.reducedOverRanks,
      ofEvents: metric.ofEvents,
      note: joined([metric.description, metric.note], "; ") || undefined,
      total: metric.additive ? finiteSum(dataSet.values[index]) : NaN,
    })),
    defaultMetric: defaultMetric(dataSet),
    startingMetric: dataSet.startingMetric ?? defaultMetric(dataSet),
    globals: [...dataSet.globals].map(([name, values]) => ({ name, values })),
    warnings: dataSet.warnings,
    ...(dataSet.recordingCost === undefined ? {} : { recordingCost: dataSet.recordingCost }),
    notRecorded: dataSet.notRecorded ?? [],
    estimated: dataSet.callGraph !== undefined,
    units: units(dataSet),
    locationCounts: locationCounts(dataSet),
    trace: dataSet.outline,
    series: seriesInfo(dataSet),
    resources: resourceTypes(dataSet),
    hierarchies: dataSet.hierarchies,
    recordedAt: dataSet.recordedAt,
    seconds: open.seconds,
    bytes: dataSetBytes(dataSet),
  };
}

function units({ locations }: DataSet): DataSetInfo["units"] {
  const all = locationUnits.map((by) => {
    const { keys, of } = membersOf(locations, by);
    if (by !== "host" && by !== "run") return { by, members: keys };
    const places = keys.map((): Location[] => []);
    locations.forEach((place, at) => places[of[at]]?.push(place));
    return { by, members: keys, ranks: places.map(ranksOf) };
  });
  return all.filter(({ members }) => members.length > 1);
}

function locationCounts({ locations }: DataSet): DataSetInfo["locationCounts"] {
  return {
    ranks: ranksOf(locations).length,
    threads: locations.filter(({ thread, stream }) => thread !== NONE && stream === NONE).length,
    streams: locations.filter(({ stream }) => stream !== NONE).length,
  };
}

function resourceTypes({ topology }: DataSet): DataSetInfo["resources"] {
  const counts = new Map<string, number>();
  for (const { type } of topology?.resources ?? []) addTo(counts, type, 1);
  return [...counts].map(([type, count]) => ({ type, count }));
}

/** Index of `time`, else of the first metric that adds up, -1 where there is none (semantics 7). */
export function defaultMetric(dataSet: DataSet): number {
  const time = dataSet.metrics.findIndex((metric) => metric.additive && metric.name === "time");
  return time >= 0 ? time : dataSet.metrics.findIndex((metric) => metric.additive);
}

/** Context by context, as all totals are summed: another order of the same values gives other last digits. */
function finiteSum({ rowStart, value }: SparseValues): number {
  let total = 0;
  for (let context = 0; context + 1 < rowStart.length; context++) {
    let sum = 0;
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++) if (Number.isFinite(value[at])) sum += value[at];
    total += sum;
  }
  return total;
}

function dataSetBytes(dataSet: DataSet): number {
  const { tree, frames } = dataSet;
  const columns = [tree.parent, tree.frame, tree.end];
  const series = (dataSet.series ?? []).flatMap((one) => [one.iteration, one.context, one.location, one.value]);
  const { callGraph } = dataSet;
  const measured = callGraph ? [...callGraph.exclusive, ...callGraph.inclusive, ...callGraph.functionInclusive] : [];
  const matrices = [...dataSet.values, ...measured].flatMap(({ rowStart, column, value }) => [rowStart, column, value]);
  const bytes = [...columns, ...series, ...matrices].reduce((sum, array) => sum + (array?.byteLength ?? 0), 0);
  return bytes + frames.bytes + (dataSet.trace?.bytes ?? 0);
}
