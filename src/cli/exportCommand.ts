/** `heatflow export`: every value of a recording, as lines that stream (semantics 7). */
import type { Exported } from "./exported";
import type { DataSetInfo, OpenRequest } from "../engine/api";
import type { LocalEngine } from "../engine/localEngine";
import { RequestError } from "../model/errors";
import { warningText } from "../model/warningTexts";
import { ArgumentError, parseArguments, wordOf } from "./arguments";
import { writeCallGraph } from "./exportCallGraph";
import { writeCollapsed } from "./exportCollapsed";
import { writeCsv } from "./exportCsv";
import { writeJsonLines } from "./exportJsonLines";
import { writeJsonSplit } from "./exportJsonSplit";
import { writeIterations, writeTrace } from "./exportTrace";
import { dataOptions, dataRequest, metricNamed, onlyOne, openData } from "./openData";
import type { Output } from "./output";

const formats = ["jsonl", "csv", "json-split", "collapsed"] as const;

interface ExportRequest {
  readonly data: OpenRequest;
  readonly format: (typeof formats)[number];
  readonly metric: string | undefined;
  readonly events: boolean;
  readonly messages: boolean;
  readonly transfers: boolean;
  readonly iterations: boolean;
  readonly callGraph: boolean;
}

/** @throws ArgumentError */
export function exportArguments(args: readonly string[], workingFolder: string): ExportRequest {
  const { values, positionals } = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      ...dataOptions,
      format: { type: "string", default: "jsonl" },
      metric: { type: "string" },
      events: { type: "boolean", default: false },
      messages: { type: "boolean", default: false },
      transfers: { type: "boolean", default: false },
      iterations: { type: "boolean", default: false },
      "call-graph": { type: "boolean", default: false },
    },
  } as const);
  const { metric, events, messages, transfers, iterations, "call-graph": callGraph } = values;
  const format = wordOf(values.format, formats, "--format");
  if (format !== "jsonl" && (events || messages || transfers || iterations || callGraph))
    throw new ArgumentError(
      "--events, --messages, --transfers, --iterations and --call-graph are lines of JSON: leave --format out",
    );
  const data = dataRequest("export", positionals, values, workingFolder);
  return { data, format, metric, events, messages, transfers, iterations, callGraph };
}

/** @param warn gets what a reader of the output should know */
export async function runExport(
  request: ExportRequest,
  engine: LocalEngine,
  output: Output,
  warn: (message: string) => void,
): Promise<void> {
  const infos = await openData(engine, request.data);
  try {
    for (const info of infos) for (const warning of info.warnings) warn(warningText(warning));
    await writeAll(request, engine, infos, output, warn);
    await output.flush();
  } finally {
    for (const { id } of infos) await engine.close({ dataSet: id });
  }
}

async function writeAll(
  request: ExportRequest,
  engine: LocalEngine,
  infos: readonly DataSetInfo[],
  output: Output,
  warn: (message: string) => void,
): Promise<void> {
  const exported = (info: DataSetInfo): Exported => ({
    dataSet: engine.dataSet(info.id),
    metrics: request.metric === undefined ? [...info.metrics.keys()] : [metricNamed(info, request.metric)],
    name: infos.length > 1 ? info.name : undefined,
  });
  const { events, messages, transfers, iterations, callGraph } = request;
  const inTime = events || messages || transfers;
  const values = !inTime && !iterations && !callGraph;
  if (values && infos.some(({ id }) => engine.dataSet(id).callGraph !== undefined))
    warn("calling contexts are estimated from a call graph: --call-graph gives what was measured");
  const withoutValues = infos.filter(({ metrics }) => metrics.length === 0);
  if (values && withoutValues.length > 0)
    warn(
      `${withoutValues.map(({ name }) => name).join(", ")}: no values by calling context are recorded; ` +
        "--events, --messages and --transfers give what happened when",
    );
  if (request.format === "json-split") return writeJsonSplit(exported(onlyOne(infos)), output, warn);
  if (request.format === "collapsed") {
    const info = onlyOne(infos);
    return writeCollapsed(engine.dataSet(info.id), stackMetric(info, request.metric), output, warn);
  }
  if (request.format === "csv") return writeCsv(infos.map(exported), output);
  for (const info of infos) {
    const one = exported(info);
    if (values) await writeJsonLines(one, output);
    if (callGraph) await writeCallGraph(one, output, warn);
    if (inTime)
      await writeTrace(
        { ...one, dataSet: await engine.withTrace(info.id) },
        { events, messages, transfers },
        output,
        warn,
      );
    if (iterations) await writeIterations(one, output, warn);
  }
}

/** Folded stacks have one number a stack: that of the named metric, else the one that views start with. */
function stackMetric(info: DataSetInfo, name: string | undefined): number {
  const metric = name === undefined ? info.defaultMetric : metricNamed(info, name);
  if (metric < 0) throw new RequestError(`${info.name} has no metric that adds up: there are no stacks to write`);
  if (!info.metrics[metric].additive)
    throw new ArgumentError(`--metric: ${info.metrics[metric].name} does not add up over contexts`);
  return metric;
}
