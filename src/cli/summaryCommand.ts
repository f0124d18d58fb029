/** `heatflow summary`: what recordings hold, in counts and totals (semantics 7). */
import type { ComputingImbalance, DataSetInfo, OpenRequest } from "../engine/api";
import type { LocalEngine } from "../engine/localEngine";
import type { DataSet } from "../model/dataSet";
import { NONE } from "../model/ids";
import { imbalanceText } from "../model/imbalance";
import { largestIn } from "../model/longLists";
import { distinctNames } from "../model/recordingNames";
import { loopTexts } from "../model/series";
import { counted, joined } from "../model/texts";
import { otherKinds } from "../model/trace";
import { formatValue } from "../model/units";
import { jsonText, withEscapes } from "../model/unseen";
import { warningText } from "../model/warningTexts";
import { parseArguments } from "./arguments";
import { columns, dataOptions, dataRequest, openData } from "./openData";
import type { Output } from "./output";

interface SummaryRequest {
  readonly data: OpenRequest;
  readonly json: boolean;
}

/** @throws ArgumentError */
export function summaryArguments(args: readonly string[], workingFolder: string): SummaryRequest {
  const { values, positionals } = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: { ...dataOptions, json: { type: "boolean", default: false } },
  } as const);
  return { data: dataRequest("summary", positionals, values, workingFolder), json: values.json };
}

export async function runSummary({ data, json }: SummaryRequest, engine: LocalEngine, output: Output): Promise<void> {
  const infos = await openData(engine, data);
  try {
    const summaries = infos.map((info) => summaryOf(info, engine.dataSet(info.id), engine.traceSeconds(info.id)));
    const names = distinctNames(infos);
    const named = summaries.map((summary, at) => ({ name: names[at], ...summary }));
    // One recording is the usual case, and read without taking it out of a list.
    if (json) await output.write(`${jsonText(summaries.length === 1 ? summaries[0] : named)}\n`);
    else
      for (const [at, summary] of summaries.entries())
        await output.write(
          summaryTable({ ...infos[at], name: names[at] }, summary, await imbalanceIn(infos[at], engine)),
        );
    await output.flush();
  } finally {
    for (const { id } of infos) await engine.close({ dataSet: id });
  }
}

export type Summary = ReturnType<typeof summaryOf>;

function summaryOf(
  info: DataSetInfo,
  { format, frames, tree, callGraph, outline }: DataSet,
  traceSeconds: number | null,
) {
  const lines = new Set<string>();
  const used = [tree.frame, ...(callGraph ? [callGraph.lines.frame, callGraph.functions] : [])];
  for (const column of used)
    for (const frame of column)
      if (frame !== NONE && frames.file[frame] !== NONE && frames.line[frame] > 0)
        lines.add(`${frames.file[frame]}:${frames.line[frame]}`);
  return {
    format: format.id,
    version: format.version ?? null,
    runs: info.runs,
    locations: info.locationCounts,
    contexts: tree.size,
    metrics: info.metrics.map(({ name, unit, additive, total }) => ({ name, unit, total: additive ? total : null })),
    functions: callGraph?.functions.length ?? info.functions,
    lines: lines.size,
    lanes: outline?.lanes ?? 0,
    events: outline?.events ?? 0,
    messages: outline?.messages ?? { count: 0, bytes: 0 },
    globals: Object.fromEntries(
      info.globals.map(({ name, values }) => [name, values.length === 1 ? values[0] : values]),
    ),
    warnings: info.warnings.map(warningText),
    seconds: info.seconds,
    traceSeconds,
    peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
  };
}

/** Imbalance of the default metric; undefined if the recording has none, or if categories are not known. */
async function imbalanceIn(info: DataSetInfo, engine: LocalEngine): Promise<ComputingImbalance | undefined> {
  if (info.defaultMetric < 0) return undefined;
  return engine.computingImbalance({ scope: { dataSet: info.id, metric: info.defaultMetric, over: "sum" } });
}

/** The summary for people at a terminal: what there is none of has no row. */
export function summaryTable(info: DataSetInfo, summary: Summary, imbalance?: ComputingImbalance): string {
  const { name, format, trace, resources, notRecorded } = info;
  const { ranks, threads, streams } = summary.locations;
  const { count, bytes } = summary.messages;
  const transfers = trace?.transfers ?? { count: 0, bytes: 0 };
  const row = (amount: number, label: string, text = `${amount}`) => (amount > 0 ? [[label, text]] : []);
  const rows = [
    ["format", joined([format.label, format.version], " ")],
    ["runs", `${summary.runs}`],
    ["ranks", ranks === 0 ? "none recorded" : `${ranks}`],
    ...row(threads, "threads"),
    ...row(streams, "GPU streams"),
    ["contexts", summary.contexts === 0 ? "none recorded" : `${summary.contexts}`],
    ...row(summary.functions, "functions"),
    ...row(summary.lines, "lines"),
    ...row(summary.lanes, "lanes", `${summary.lanes}, ${counted(summary.events, "event")}`),
    ...row(trace?.counters ?? 0, "counters"),
    ...row(count, "messages", `${count}${sizeText(bytes)}`),
    ...row(transfers.count, "transfers", `${transfers.count}${sizeText(transfers.bytes)}`),
    ...(trace === undefined ? [] : otherKinds(trace).map((kind) => [kind.name, `${kind.count}`])),
    ...(imbalance ? [["imbalance", imbalanceText(imbalance)]] : []),
    ...loopTexts(info).map((text) => ["iterations", text]),
    ...row(resources.length, "resources", resources.map((one) => `${one.type}: ${one.count}`).join(", ")),
    ["read", `in ${formatValue(summary.seconds, "s")}, at most ${formatValue(summary.peakMemoryBytes, "B")} of memory`],
  ];
  const metrics = summary.metrics.map((metric) => [
    `  ${metric.name}`,
    metric.total === null ? "does not add up" : formatValue(metric.total, metric.unit),
  ]);
  const width = Math.max(11, largestIn(rows.map(([label]) => label.length))) + 1;
  return [
    name,
    ...rows.map(([label, value]) => `  ${label.padEnd(width)}${value}`),
    ...(metrics.length > 0 ? ["", ...columns([["  metric", "total"], ...metrics])] : []),
    ...notRecorded.map((text) => `  ${text}`),
    ...summary.warnings.map((warning) => `  warning: ${warning}`),
    "",
    "",
  ]
    .map(withEscapes)
    .join("\n");
}

/** Nothing where no sizes were recorded: 0 B would be a measurement. */
function sizeText(bytes: number): string {
  return bytes > 0 ? `, ${formatValue(bytes, "B")}` : "";
}
