import type { DataSet, Warning } from "../../../model/dataSet";
import { FrameTable } from "../../../model/frames";
import { NONE } from "../../../model/ids";
import { compareLocations, type Location } from "../../../model/locations";
import { appendAll, smallestIn } from "../../../model/longLists";
import { entryOf } from "../../../model/maps";
import type { Steps } from "../../../model/steps";
import type { Task } from "../../../model/task";
import type { CostFile } from "../scan/costScanner";
import type { CostTable } from "../decode/costTable";
import { estimatedTree } from "../estimate/estimatedTree";
import { eventMetric } from "../decode/events";
import type { PartHeader } from "../scan/header";
import { measuredGraph } from "./measuredGraph";
import { recordedGraph } from "./recordedGraph";
import { THRESHOLD } from "../estimate/unfold";

/** What was read of one run. */
export interface RunCosts {
  readonly name: string;
  readonly paths: readonly string[];
  readonly table: CostTable;
  /** By number as the parts use it. */
  readonly locations: readonly Location[];
  readonly files: readonly CostFile[];
  readonly processes: readonly number[];
  /** Whether processes are known to be the ranks that they are numbered as. */
  readonly isByRank: boolean;
}

/** Makes a data set of one run: the measured call graph, and the calling contexts that it stands for. */
export function* assemble(
  { name, paths, table, locations, files, processes, isByRank }: RunCosts,
  task: Task,
): Steps<DataSet> {
  const headers = files.flatMap(({ parts }) => parts);
  const order = [...locations.keys()].sort((a, b) => compareLocations(locations[a], locations[b]));
  const locationOf = new Int32Array(locations.length);
  order.forEach((own, at) => (locationOf[own] = at));
  const longNames = new Map(headers.flatMap(({ eventNames }) => [...eventNames]));
  const metrics = table.events.map((event) => eventMetric(event, longNames.get(event)));
  const frames = new FrameTable(table.strings);
  const creator = headers[0]?.creator ?? "";
  const divisors = metrics.map(({ divisor }) => divisor);
  const recorded = recordedGraph(table, frames, /^callgrind/.test(creator), locationOf, divisors, task);
  yield;
  const callGraph = measuredGraph(recorded, locations.length, task);
  yield;
  const { tree, values, threshold } = yield* estimatedTree(recorded, locations.length, task);
  const warnings: Warning[] = files.flatMap((file) => file.warnings);
  appendAll(warnings, missingParts(headers));
  if (threshold > THRESHOLD)
    warnings.push({
      message: `calling contexts are estimated down to ${Number((100 * threshold).toPrecision(2))} % of the total only: below that there are too many`,
    });
  const times = files.flatMap(({ modifiedAt }) => modifiedAt ?? []);
  const bounds = callGraph.atMost.reduce((sum, one) => sum + one, 0);
  const hasLines = recorded.lines.frame.some((frame) => frame !== NONE);
  return {
    name,
    files: paths,
    format: { id: "callgrind", label: labelOf(creator, headers), version: /^callgrind-(\S+)/.exec(creator)?.[1] },
    frames,
    tree,
    locations: order.map((own) => locations[own]),
    metrics: metrics.map(({ metric }) => metric),
    values,
    globals: globalsOf(headers, processes),
    warnings,
    hierarchies: ["callPaths"],
    recordedAt: times.length > 0 ? smallestIn(times) : undefined,
    records: files.reduce((sum, { records }) => sum + records, 0),
    callGraph,
    notRecorded: [
      callGraph.calls.count > 0
        ? "no calling contexts in this recording: they are estimated from its call graph"
        : "no calls in this recording, so no calling contexts: each function stands by itself",
      ...(bounds > 0
        ? [
            `no levels of recursion in this recording: what functions that call one another cost with their calls is at most what is shown (${bounds} of ${callGraph.functions.length})`,
          ]
        : []),
      ...(hasLines || recorded.lines.count === 0 ? [] : ["no source lines in this recording"]),
      ...(processes.length > 1 && !isByRank
        ? ["no MPI ranks in this recording: its processes are numbered in the order of their ids"]
        : []),
    ],
  };
}

/** cachegrind does not say that it is; it describes its caches and names its instructions as callgrind does, without a creator. */
function labelOf(creator: string, headers: readonly PartHeader[]): string {
  if (/^callgrind/.test(creator)) return "callgrind";
  if (creator !== "") return `callgrind format, by ${creator.slice(0, 100)}`;
  const isCachegrind = headers.some(
    ({ events, others }) => events[0] === "Ir" && others.some(([name]) => name === "I1 cache"),
  );
  return isCachegrind ? "cachegrind" : "callgrind format";
}

function globalsOf(headers: readonly PartHeader[], processes: readonly number[]): Map<string, readonly string[]> {
  const globals = new Map<string, Set<string>>();
  const note = (name: string, value: string) => {
    if (value !== "") entryOf(globals, name, () => new Set()).add(value);
  };
  for (const { creator, command, others } of headers) {
    note("creator", creator);
    note("cmd", command);
    for (const [name, value] of others) note(name, value);
  }
  for (const process of processes) if (process !== NONE) note("pid", `${process}`);
  return new Map([...globals].map(([name, values]) => [name, [...values]]));
}

/** Dumps of a process are numbered; the last one is made when the program ends. */
function missingParts(headers: readonly PartHeader[]): Warning[] {
  const warnings: Warning[] = [];
  const byProcess = new Map<number, PartHeader[]>();
  for (const header of headers) entryOf(byProcess, header.process, () => []).push(header);
  for (const [process, own] of byProcess) {
    const of = process === NONE ? "" : ` of process ${process}`;
    const parts = new Set(own.map(({ part }) => part).filter((part) => part !== NONE));
    const last = [...parts].reduce((a, b) => Math.max(a, b), 0);
    if (last > parts.size)
      warnings.push({
        message: `only ${parts.size} of the first ${last} dumps${of} are here: the costs of the others are missing`,
      });
    const triggers = own.flatMap(({ others }) =>
      others.filter(([name]) => name === "Trigger").map(([, value]) => value),
    );
    if (triggers.length > 0 && !triggers.includes("Program termination"))
      warnings.push({ message: `the last dump${of} was not made when the program ended: what came later is missing` });
  }
  return warnings;
}
