import type { MetricInfo } from "../../../src/engine/api";
import type { SessionDataSet } from "../../../src/session/session";

export function metricInfo(parts: Partial<MetricInfo> = {}): MetricInfo {
  return {
    name: "time",
    recordedName: "sum#time.duration",
    unit: "s",
    kind: "time",
    additive: true,
    reducedOverRanks: false,
    total: 21.5,
    ...parts,
  };
}

/** A data set of 8 ranks with a time and a size. */
export function dataSetInfo(parts: Partial<SessionDataSet> = {}): SessionDataSet {
  return {
    id: 1,
    key: "8f14e45f-ceea-467a-9575-7cd0a5d0e1a3",
    name: "profile.cali",
    files: ["/data/profile.cali"],
    format: { id: "caliper", label: "Caliper" },
    runs: 1,
    ranks: [0, 1, 2, 3, 4, 5, 6, 7],
    locations: 8,
    contexts: 12,
    functions: 10,
    hasModules: false,
    records: 100,
    metrics: [metricInfo(), metricInfo({ name: "bytes", unit: "B", kind: "bytes", total: 4e9 })],
    defaultMetric: 0,
    startingMetric: 0,
    globals: [],
    warnings: [],
    notRecorded: [],
    estimated: false,
    units: [{ by: "rank", members: ["0", "1", "2", "3", "4", "5", "6", "7"] }],

    locationCounts: { ranks: 8, threads: 0, streams: 0 },
    series: [],
    resources: [],
    hierarchies: ["regions"],
    seconds: 0.1,
    bytes: 1000,
    ...parts,
  };
}

/** A trace of one lane with two messages. */
export const traceOutline: NonNullable<SessionDataSet["trace"]> = {
  lanes: 1,
  events: 2,
  startSeconds: 0,
  endSeconds: 1,
  categories: 1,
  counters: 0,
  counterNames: [],
  arrows: 1,
  messages: { count: 2, bytes: 9 },
  links: 3,
  transfers: { count: 0, bytes: 0, directions: [] },
};
