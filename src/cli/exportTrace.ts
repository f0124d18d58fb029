/** Events, counters, messages, transfers and values by iteration as lines of JSON. */
import type { DataSet } from "../model/dataSet";
import { NONE } from "../model/ids";
import { resourcePath } from "../model/resources";
import { messageKinds, type Trace } from "../model/trace";
import type { Exported } from "./exported";
import { ContextTexts, locationTexts, metricsAsText } from "./exportJsonLines";
import type { Output } from "./output";
import { frameName } from "../model/writtenNames";
import { jsonText } from "../model/unseen";
import { jsonNumber, locationParts, runsOf } from "./texts";

/** Rows of a trace that are read at once. */
const PIECE = 1 << 14;

type Fields = Readonly<Record<string, unknown>>;

/** Writes what of a trace is wanted, in this order: events of each lane, counters, messages, transfers. */
export async function writeTrace(
  { dataSet, name }: Exported,
  wanted: { readonly events: boolean; readonly messages: boolean; readonly transfers: boolean },
  output: Output,
  warn: (message: string) => void,
): Promise<void> {
  const { trace } = dataSet;
  if (trace === undefined) return warn(`${dataSet.name} has no events in time, no messages and no transfers`);
  const write = (fields: Fields) => output.write(`${jsonText({ dataSet: name, ...fields })}\n`);
  const rows = [
    ...(wanted.events ? [eventRows(dataSet, trace), counterRows(dataSet, trace)] : []),
    ...(wanted.messages ? [messageRows(dataSet, trace)] : []),
    ...(wanted.transfers ? [transferRows(dataSet, trace)] : []),
  ];
  for (const part of rows) {
    for await (const piece of part) {
      for (const fields of piece) {
        const wait = write(fields);
        if (wait) await wait;
      }
    }
  }
}

/** Writes what per-iteration values a recording has: parts of the sums over all iterations. */
export async function writeIterations(
  { dataSet, metrics, name }: Exported,
  output: Output,
  warn: (message: string) => void,
): Promise<void> {
  const series = dataSet.series?.filter(({ metric }) => metrics.includes(metric)) ?? [];
  if (series.length === 0) return warn(`${dataSet.name} has no values by iteration`);
  const contexts = new ContextTexts(dataSet);
  const locations = locationTexts(dataSet);
  const metricTexts = metricsAsText(dataSet);
  const begin = name === undefined ? "{" : `{"dataSet":${jsonText(name)},`;
  for (const { name: loop, metric, rows, iteration, context, location, value } of series) {
    for (let row = 0; row < rows; row++) {
      const which = `"loop":${jsonText(loop)},"iteration":${numberJson(iteration[row])}`;
      const where = `${contexts.of(context[row])},"location":${locations[location[row]]}`;
      const line = `${begin}${which},${where},${metricTexts[metric]},"exclusive":${numberJson(value[row])}}\n`;
      const wait = output.write(line);
      if (wait) await wait;
    }
  }
}

async function* eventRows({ frames }: DataSet, trace: Trace): AsyncGenerator<Fields[]> {
  for (const [index, { name, events }] of trace.lanes.entries()) {
    for (let first = 0; first < events; first += PIECE) {
      const columns = await trace.readEvents(index, first, PIECE);
      yield Array.from({ length: columns.count }, (_, at) => ({
        lane: name,
        name: frameName(frames.get(columns.frame[at] as never)),
        start: jsonNumber(columns.startSeconds[at]),
        end: jsonNumber(columns.endSeconds[at]),
        depth: columns.depth[at],
        category: trace.categories[columns.category[at]]?.name,
      }));
    }
  }
}

async function* counterRows(dataSet: DataSet, trace: Trace): AsyncGenerator<Fields[]> {
  for (const [index, { name, unit, resource, points, grows }] of trace.counters.entries()) {
    const of = resource === NONE ? {} : placeOf(dataSet, resource);
    for (let first = 0; first < points; first += PIECE) {
      const columns = await trace.readCounter(index, first, PIECE);
      yield Array.from({ length: columns.count }, (_, at) => ({
        counter: name,
        of,
        unit,
        grows,
        time: jsonNumber(columns.seconds[at]),
        value: jsonNumber(columns.value[at]),
      }));
    }
  }
}

/** A line per message, where its sending was recorded: a receive without a sender is no message of its own. */
async function* messageRows(dataSet: DataSet, trace: Trace): AsyncGenerator<Fields[]> {
  const kind = messageKinds.indexOf("message");
  for (let first = 0; first < trace.links; first += PIECE) {
    const columns = await trace.readMessages(first, PIECE);
    const rows: Fields[] = [];
    for (let at = 0; at < columns.count; at++) {
      if (columns.kind[at] !== kind || Number.isNaN(columns.sentSeconds[at])) continue;
      rows.push({
        from: placeOf(dataSet, columns.from[at]),
        to: placeOf(dataSet, columns.to[at]),
        bytes: known(columns.bytes[at]),
        tag: columns.tag[at] === NONE ? undefined : columns.tag[at],
        sent: columns.sentSeconds[at],
        received: known(columns.receivedSeconds[at]),
      });
    }
    yield rows;
  }
}

async function* transferRows({ frames }: DataSet, trace: Trace): AsyncGenerator<Fields[]> {
  for (let first = 0; first < trace.transfers; first += PIECE) {
    const columns = await trace.readTransfers(first, PIECE);
    yield Array.from({ length: columns.count }, (_, at) => ({
      transfer: trace.transferDirections[columns.direction[at]],
      lane: columns.lane[at] === NONE ? undefined : trace.lanes[columns.lane[at]].name,
      name: columns.frame[at] === NONE ? undefined : frameName(frames.get(columns.frame[at] as never)),
      start: columns.startSeconds[at],
      end: columns.endSeconds[at],
      bytes: known(columns.bytes[at]),
      fromDevice: columns.fromDevice[at] === NONE ? undefined : columns.fromDevice[at],
      toDevice: columns.toDevice[at] === NONE ? undefined : columns.toDevice[at],
      bandwidth: known(columns.bandwidth[at]),
    }));
  }
}

/** Where a resource stands: its location where it is one, else its names from the root down. */
function placeOf(dataSet: DataSet, resource: number): Fields {
  const resources = dataSet.topology?.resources ?? [];
  if (resource === NONE || resource >= resources.length) return {};
  const { location } = resources[resource];
  if (location === NONE) return { resource: resourcePath(resources, resource) };
  return locationParts(dataSet.locations[location], runsOf(dataSet));
}

/** Left out of the line where it was not recorded. */
function known(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function numberJson(value: number): string {
  return jsonText(jsonNumber(value));
}
