/** The rows of the data sets view, as plain data. Pure. */
import { counted, joined } from "../model/texts";
import { distinctWarnings, timesText, warningPlace } from "../model/warningTexts";
import type { Row } from "./row";
import type { DataSetInfo, Hierarchy, MetricInfo, Scope } from "../engine/api";
import { rankRanges } from "../model/locations";
import { formatValue } from "../model/units";
import {
  communicationMessage,
  correlationMessage,
  flameGraphMessage,
  histogramMessage,
  ensembleMessage,
  metricsMessage,
  overviewMessage,
  timelineMessage,
} from "../session/notRecorded";
import { overText } from "../session/scopeChoice";
import type { ClosedRecording } from "../session/session";
import { recordedRows } from "./recordedRows";

export function dataSetRows(
  dataSets: readonly DataSetInfo[],
  closed: readonly ClosedRecording[],
  scopeOf: (dataSet: number) => Scope | undefined,
  current: number | undefined,
): Row[] {
  return [
    ...dataSets.map((info) => dataSetRow(info, scopeOf(info.id), info.id === current, dataSets.length > 1)),
    ...closed.map(closedRow),
  ];
}

function dataSetRow(info: DataSetInfo, scope: Scope | undefined, current: boolean, several: boolean): Row {
  const key = `${info.id}`;
  return {
    key,
    dataSet: info.id,
    label: info.name,
    description: joined([current && several ? "shown" : "", scope ? overText(info, scope) : "no metric"], " · "),
    tooltip: info.files.slice(0, 20).join("\n"),
    icon: current ? "flame" : "graph",
    context: joined(["dataSet", ...viewsOf(info, scope)], " "),
    // A click shows this data set, with the metric that it was shown with.
    ...(scope && !current ? { metric: scope.metric } : {}),
    expanded: current,
    children: [
      ...info.metrics.map((metric, index) => metricRow(info, metric, index, scope)),
      ...sizeRows(info),
      ...hierarchyRow(info),
      ...recordedRows(info),
      originRow(info),
      ...globalsRow(info),
      ...warningsRow(info),
    ],
  };
}

/** Views that have something to draw of it, by what the manifest calls them in menus of its row. */
function viewsOf(info: DataSetInfo, scope: Scope | undefined): string[] {
  const why = {
    flameGraph: flameGraphMessage(info),
    timeline: timelineMessage(info),
    overview: overviewMessage(info),
    metrics: metricsMessage(info),
    ensemble: ensembleMessage(info),
    communication: communicationMessage(info),
    histogram: histogramMessage(info, scope),
    correlation: correlationMessage(info, scope),
  };
  return Object.entries(why).flatMap(([view, message]) => (message === undefined ? [view] : []));
}

function metricRow(info: DataSetInfo, metric: MetricInfo, index: number, scope: Scope | undefined): Row {
  const shown = scope?.metric === index;
  const total = metric.additive
    ? `${formatValue(metric.total, metric.unit)} ${totalOver(info, metric)}`
    : "does not add up";
  return {
    key: `${info.id}/metric/${index}`,
    dataSet: info.id,
    label: metric.name,
    description: shown ? `${total} · shown` : total,
    tooltip: joined([`Recorded as ${metric.recordedName}`, metric.note], "\n"),
    icon: shown ? "pass-filled" : metric.additive ? "circle-large-outline" : "circle-slash",
    context: "metric",
    // What does not add up is shown beside other metrics only.
    ...(metric.additive ? { metric: index } : {}),
  };
}

/** What the total of a metric is over: it does not follow the choice that other numbers follow. */
export function totalOver(info: Pick<DataSetInfo, "ranks">, metric: Pick<MetricInfo, "reducedOverRanks">): string {
  if (metric.reducedOverRanks || info.ranks.length < 2) return "in total";
  return `summed over ${info.ranks.length} ranks`;
}

function sizeRows(info: DataSetInfo): Row[] {
  const row = (part: string, label: string, description: string, icon: string): Row => ({
    key: `${info.id}/${part}`,
    dataSet: info.id,
    label,
    description,
    icon,
  });
  return [
    row("runs", "Runs", `${info.runs}`, "history"),
    ...(info.ranks.length === 0
      ? []
      : [row("ranks", "Ranks", `${info.ranks.length} (${rankRanges(info.ranks)})`, "server")]),
    row("contexts", "Calling contexts", contextsText(info), "list-tree"),
  ];
}

function contextsText({ contexts, functions, estimated }: DataSetInfo): string {
  if (contexts === 0) return "none recorded";
  return `${contexts} in ${counted(functions, "function")}${estimated ? " · estimated from a call graph" : ""}`;
}

export const hierarchyTexts: Readonly<Record<Hierarchy, string>> = {
  combined: "regions, and sampled call paths below them",
  regions: "regions only",
  callPaths: "sampled call paths only",
};

/** Only where the recording has both, and so a choice (semantics 1, Samples). */
function hierarchyRow(info: DataSetInfo): Row[] {
  if (info.hierarchies.length < 2) return [];
  return [
    {
      key: `${info.id}/hierarchy`,
      dataSet: info.id,
      label: "Made of",
      description: `${hierarchyTexts[info.hierarchies[0]]} · click to switch`,
      tooltip: "Source of the calling contexts. The total and the number of samples are the same for each.",
      icon: "type-hierarchy",
      context: "hierarchy",
      switchesHierarchy: true,
    },
  ];
}

/** More files than these are counted, not listed. */
const MOST_FILES = 200;

function originRow(info: DataSetInfo): Row {
  const version = info.format.version === undefined ? "" : ` ${info.format.version}`;
  const when = info.globals.some(({ name }) => name === "starttime.sec") ? "Recorded" : "File written";
  const recorded = info.recordedAt === undefined ? "" : `${when} ${new Date(info.recordedAt).toLocaleString()}`;
  const more = info.files.length - MOST_FILES;
  return {
    key: `${info.id}/files`,
    dataSet: info.id,
    label: "Read from",
    description: `${info.format.label}${version} · ${counted(info.files.length, "file")}`,
    tooltip: recorded,
    icon: "file-binary",
    children: [
      ...info.files.slice(0, MOST_FILES).map((file, index) => ({
        key: `${info.id}/files/${index}`,
        dataSet: info.id,
        label: file.split(/[\\/]/).at(-1) ?? file,
        description: file,
        tooltip: file,
        icon: "file",
      })),
      ...(more > 0
        ? [{ key: `${info.id}/files/more`, dataSet: info.id, label: `${more} more`, icon: "ellipsis" }]
        : []),
    ],
  };
}

function globalsRow(info: DataSetInfo): Row[] {
  if (info.globals.length === 0) return [];
  return [
    {
      key: `${info.id}/globals`,
      dataSet: info.id,
      label: "Metadata of the run",
      description: `${info.globals.length}`,
      icon: "info",
      children: info.globals.map(({ name, values }, index) => ({
        key: `${info.id}/globals/${index}`,
        dataSet: info.id,
        label: name,
        description: values.slice(0, 8).join(", ") + (values.length > 8 ? `, ${values.length - 8} more` : ""),
        tooltip: values.slice(0, 40).join("\n"),
        icon: "symbol-constant",
      })),
    },
  ];
}

function warningsRow(info: DataSetInfo): Row[] {
  if (info.warnings.length === 0) return [];
  return [
    {
      key: `${info.id}/warnings`,
      dataSet: info.id,
      label: "Warnings",
      description: `${info.warnings.length}`,
      icon: "warning",
      expanded: true,
      children: distinctWarnings(info.warnings).map(({ warning, count }, index) => {
        const { message } = warning;
        const where = warningPlace(warning);
        return {
          key: `${info.id}/warnings/${index}`,
          dataSet: info.id,
          label: message,
          description: joined([timesText(count), where], " · "),
          tooltip: joined([message, where, count > 1 ? `the first of ${count}` : ""], "\n"),
          icon: "warning",
        };
      }),
    },
  ];
}

function closedRow(recording: ClosedRecording): Row {
  return {
    key: `${recording.dataSet}`,
    dataSet: recording.dataSet,
    label: recording.name,
    description: "not open",
    tooltip: `${recording.reason}\n${recording.paths.slice(0, 20).join("\n")}`,
    icon: "error",
    context: "closedRecording",
    expanded: true,
    children: [
      {
        key: `${recording.dataSet}/reason`,
        dataSet: recording.dataSet,
        label: recording.reason,
        tooltip: recording.reason,
        icon: "info",
      },
    ],
  };
}
