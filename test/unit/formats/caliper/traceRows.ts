import type { DataSet } from "../../../../src/model/dataSet";
import { NONE } from "../../../../src/model/ids";
import { resourcePath } from "../../../../src/model/resources";
import { messageKinds } from "../../../../src/model/trace";
import { pathsOf } from "../plainDataSet";
import type { NaiveTrace } from "./naiveTrace";

/** Seconds of a trace as nanoseconds since its zero: what was recorded, where nothing was lost. */
export function nanoseconds(seconds: number): number {
  return Math.round(seconds * 1e9);
}

/** Events of all lanes of intervals: lane, name, path, start, end, depth. */
export async function eventRows(dataSet: DataSet): Promise<string[]> {
  const { trace, frames } = dataSet;
  if (trace === undefined) return [];
  const paths = pathsOf(dataSet);
  const rows: string[] = [];
  for (const [index, lane] of trace.lanes.entries()) {
    if (lane.kind !== "intervals") continue;
    const events = await trace.readEvents(index, 0, lane.events);
    for (let at = 0; at < events.count; at++) {
      const context = events.context[at];
      const path = JSON.stringify(context === NONE ? [] : paths[context]);
      const [start, end] = [nanoseconds(events.startSeconds[at]), nanoseconds(events.endSeconds[at])];
      rows.push([lane.name, frames.nameOf(events.frame[at]), path, start, end, events.depth[at]].join(" | "));
    }
  }
  return rows.sort();
}

/** The same of what a naive reader found; what never ended lasts to the end of the trace. */
export function naiveEventRows({ events, messages, zero }: NaiveTrace): string[] {
  const times = [
    ...events.flatMap(({ start, end }) => [start, end ?? start]),
    ...messages.flatMap(({ sent, received }) => [sent ?? received ?? zero, received ?? sent ?? zero]),
  ];
  const last = times.reduce((latest, time) => (time > latest ? time : latest), zero);
  return events
    .map(({ lane, name, path, start, end, depth }) =>
      [lane, name, JSON.stringify(path), start - zero, (end ?? last) - zero, depth].join(" | "),
    )
    .sort();
}

/** Messages without collectives: from, to, bytes, tag, sent, received. */
export async function messageRows({ trace, topology }: DataSet): Promise<string[]> {
  if (trace === undefined || topology === undefined) return [];
  const messages = await trace.readMessages(0, trace.links);
  const name = (resource: number) => (resource === NONE ? "?" : resourcePath(topology.resources, resource));
  const time = (seconds: number) => (Number.isNaN(seconds) ? "?" : `${nanoseconds(seconds)}`);
  return Array.from({ length: messages.count }, (_, at) =>
    [
      name(messages.from[at]),
      name(messages.to[at]),
      messages.bytes[at],
      messages.tag[at],
      time(messages.sentSeconds[at]),
      time(messages.receivedSeconds[at]),
    ].join(" | "),
  )
    .filter((_, at) => messageKinds[messages.kind[at]] === "message")
    .sort();
}

export function naiveMessageRows({ messages, zero }: NaiveTrace): string[] {
  const time = (at: bigint | undefined) => (at === undefined ? "?" : `${at - zero}`);
  return messages
    .map(({ from, to, bytes, tag, sent, received }) =>
      [`rank ${from}`, `rank ${to}`, bytes, tag, time(sent), time(received)].join(" | "),
    )
    .sort();
}
