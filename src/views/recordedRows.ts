/** Rows of what a recording has beside profiles: what happened in time, iterations, resources. Pure. */
import { joined } from "../model/texts";
import type { Row } from "./row";
import type {
  CategoryRow,
  CounterRow,
  DataSetInfo,
  LaneRow,
  MessagePairRow,
  ResourceRow,
  SeriesRow,
  TraceOutline,
  TransferRow,
} from "../engine/api";
import { NONE } from "../model/ids";
import { otherKinds } from "../model/trace";
import { formatShare, formatValue } from "../model/units";
import { asSentence } from "../session/notRecorded";

/** 12,345: counts in rows are exact. */
export function countText(amount: number): string {
  return amount.toLocaleString("en");
}

/** Nothing where no sizes were recorded: 0 B would be a measurement. */
function sizeText(bytes: number): string {
  return bytes > 0 ? ` · ${formatValue(bytes, "B")}` : "";
}

function counted(amount: number, one: string): string {
  return `${countText(amount)} ${one}${amount === 1 ? "" : "s"}`;
}

export function recordedRows(info: DataSetInfo): Row[] {
  const { trace } = info;
  return [...(trace ? traceRows(info, trace) : []), ...iterationRows(info), ...resourcesRow(info), ...missingRow(info)];
}

function traceRows({ id }: DataSetInfo, trace: TraceOutline): Row[] {
  const row = (label: string, description: string, icon: string, more: Partial<Row> = {}): Row => ({
    key: `${id}/${label}`,
    dataSet: id,
    label,
    description,
    icon,
    ...more,
  });
  const list = (kind: "lanes" | "categories" | "counters" | "messages" | "transfers") => ({ content: { kind } });
  const duration = formatValue(Math.max(0, trace.endSeconds - trace.startSeconds), "s");
  const { messages, transfers } = trace;
  const moved = [
    ...(transfers.count > 0 ? [`${countText(transfers.count)}${sizeText(transfers.bytes)}`] : []),
    ...otherKinds(trace).map(({ name, count }) => `${name} ${countText(count)}`),
  ];
  return [
    ...(trace.lanes > 0
      ? [
          row(
            "Lanes",
            `${countText(trace.lanes)} · ${counted(trace.events, "event")} in ${duration}`,
            "layers",
            list("lanes"),
          ),
        ]
      : []),
    ...(trace.categories > 0 ? [row("Categories", countText(trace.categories), "tag", list("categories"))] : []),
    ...(trace.counters > 0 ? [row("Counters", countText(trace.counters), "graph-line", list("counters"))] : []),
    ...(messages.count > 0
      ? [row("Messages", `${countText(messages.count)}${sizeText(messages.bytes)}`, "mail", list("messages"))]
      : []),
    ...(trace.arrows > 0 ? [row("Flows and launches", countText(trace.arrows), "arrow-right")] : []),
    ...(moved.length > 0 ? [row("Transfers", moved.join(", "), "arrow-swap", list("transfers"))] : []),
  ];
}

export function categoryRow(id: number, { name, kind, events, seconds }: CategoryRow): Row {
  return {
    key: `${id}/category/${kind} ${name}`,
    dataSet: id,
    label: name === "" ? "(no name)" : name,
    description: `${counted(events, "event")} · ${formatValue(seconds, "s")}`,
    tooltip: `${name}: shown as ${kind}. Its time is that in which no other event lay inside.`,
    icon: "symbol-enum-member",
  };
}

/** A row a loop, with its metrics below it. */
function iterationRows({ id, series, metrics }: DataSetInfo): Row[] {
  const loops = new Map<string, { iterations: number; rows: Row[] }>();
  series.forEach(({ name, metric, iterations, rows }, index) => {
    const loop = loops.get(name) ?? { iterations: 0, rows: [] };
    loops.set(name, loop);
    loop.iterations = Math.max(loop.iterations, iterations);
    loop.rows.push({
      key: `${id}/iterations/${index}`,
      dataSet: id,
      label: metrics.at(metric)?.name ?? "",
      description: counted(rows, "value"),
      icon: "symbol-ruler",
      content: { kind: "iterations", series: index },
    });
  });
  return [...loops].map(([name, { iterations, rows }]) => ({
    key: `${id}/loop/${name}`,
    dataSet: id,
    label: `Iterations of ${name}`,
    description: `${countText(iterations)} · ${counted(rows.length, "metric")}`,
    icon: "sync",
    children: rows,
  }));
}

/** Types of resources that a row names; a topology may have any number. */
const MOST_TYPES = 8;

function resourcesRow({ id, resources }: DataSetInfo): Row[] {
  if (resources.length === 0) return [];
  const types = resources.slice(0, MOST_TYPES).map(({ type, count }) => `${type}: ${countText(count)}`);
  const more = resources.length - types.length;
  return [
    {
      key: `${id}/resources`,
      dataSet: id,
      label: "Resources",
      description: [...types, ...(more > 0 ? [`${countText(more)} more types`] : [])].join(", "),
      icon: "server-environment",
      content: { kind: "resources" },
    },
  ];
}

function missingRow({ id, notRecorded }: DataSetInfo): Row[] {
  if (notRecorded.length === 0) return [];
  return [
    {
      key: `${id}/notRecorded`,
      dataSet: id,
      label: "Not recorded",
      description: `${notRecorded.length}`,
      icon: "circle-slash",
      expanded: true,
      children: notRecorded.map((text, index) => ({
        key: `${id}/notRecorded/${index}`,
        dataSet: id,
        label: asSentence(text),
        tooltip: asSentence(text),
        icon: "info",
      })),
    },
  ];
}

export function laneRow(dataSet: number, lane: LaneRow): Row {
  const key = `${dataSet}/lane/${lane.lane}`;
  const length = lane.coveredSeconds + lane.uncoveredSeconds;
  const covered =
    lane.kind === "instants" || lane.events === 0
      ? []
      : [`${formatValue(lane.coveredSeconds, "s")} covered`, `${formatValue(lane.uncoveredSeconds, "s")} uncovered`];
  const states = lane.frames.map(({ name, seconds }, at): Row => ({
    key: `${key}/${at}`,
    dataSet,
    label: name === "" ? "(no name)" : name,
    description: `${formatValue(seconds, "s")}${length > 0 ? ` · ${formatShare(seconds / length)}` : ""}`,
    tooltip: "Time in which this was the innermost event, and its share of the lane's time.",
    icon: "symbol-event",
  }));
  const more =
    lane.moreFrames > 0 ? [{ key: `${key}/more`, dataSet, label: `${countText(lane.moreFrames)} more` }] : [];
  return {
    key,
    dataSet,
    label: lane.name,
    description: [counted(lane.events, "event"), ...covered].join(" · "),
    icon: lane.kind === "instants" ? "milestone" : "layers",
    children: [...states, ...more],
  };
}

export function counterRow(dataSet: number, counter: CounterRow): Row {
  const { name, unit, points, minimum, maximum, mean, resource } = counter;
  const value = (number: number) => formatValue(number, unit);
  const values = points === 0 ? [] : [`${value(minimum)} to ${value(maximum)}`, `mean ${value(mean)}`];
  return {
    key: `${dataSet}/counter/${counter.counter}`,
    dataSet,
    label: name,
    description: joined([resource, ...values, counted(points, "point")], " · "),
    icon: "graph-line",
  };
}

export function messagePairRow(dataSet: number, { from, to, count, bytes }: MessagePairRow): Row {
  const end = (name: string) => (name === "" ? "not recorded" : name);
  return {
    key: `${dataSet}/messages/${JSON.stringify([from, to])}`,
    dataSet,
    label: `${end(from)} → ${end(to)}`,
    description: `${counted(count, "message")}${sizeText(bytes)}`,
    icon: "arrow-right",
  };
}

export function transferRow(
  dataSet: number,
  { direction, fromDevice, toDevice, count, bytes, seconds }: TransferRow,
): Row {
  const end = (device: number) => (device === NONE ? "host" : `device ${device}`);
  const rate = seconds > 0 && bytes > 0 ? [formatValue(bytes / seconds, "B/s")] : [];
  return {
    key: `${dataSet}/transfers/${JSON.stringify([direction, fromDevice, toDevice])}`,
    dataSet,
    label: direction,
    description: joined(
      [
        fromDevice === NONE && toDevice === NONE ? "" : `${end(fromDevice)} → ${end(toDevice)}`,
        countText(count),
        formatValue(bytes, "B"),
        formatValue(seconds, "s"),
        ...rate,
      ],
      " · ",
    ),
    tooltip: "Number, bytes, time, and bytes over time.",
    icon: "arrow-swap",
  };
}

export function iterationRow(dataSet: number, series: number, unit: string, { iteration, value }: SeriesRow): Row {
  return {
    key: `${dataSet}/iterations/${series}/${iteration}`,
    dataSet,
    label: `${iteration}`,
    description: formatValue(value, unit),
    tooltip: "Sum over all calling contexts, and over ranks where there are any.",
    icon: "sync",
  };
}

export function resourceRow(dataSet: number, { resource, name, type, children, properties }: ResourceRow): Row {
  return {
    key: `${dataSet}/resource/${resource}`,
    dataSet,
    label: name === "" ? type : name,
    description: children > 0 ? `${type} · ${countText(children)} inside` : type,
    tooltip: [type, ...properties.map((one) => `${one.name}: ${one.value}`)].slice(0, 40).join("\n"),
    icon: "server-environment",
    ...(children > 0 ? { content: { kind: "resources", parent: resource } as const } : {}),
  };
}
