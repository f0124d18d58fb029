/** A recording's page as the content of a message: sentences and rows, cut down to what a message may hold. */
import type {
  ComparedRow,
  ComputingImbalance,
  DataSetInfo,
  FunctionRow,
  GpuWork,
  HotState,
  HotPlace,
  RunTotals,
  Scope,
  TraceOutline,
  TransferRow,
} from "../../engine/api";
import { comparedText } from "../../model/differences";
import { rankRanges } from "../../model/locations";
import { fileAndLine, placeText } from "../../model/placeText";
import { mostText, otherTexts } from "../../model/imbalance";
import { overRanksText } from "../../model/metrics";
import { loopTexts } from "../../model/series";
import { otherKinds } from "../../model/trace";
import { badgeText, costShare, costText, isLargeCost, slowdown } from "../../model/recordingCost";
import { unitName } from "../../model/members";
import { formatRatio, formatShare, formatValue } from "../../model/units";
import { MESSAGE_LIMIT } from "../../protocol/bounds";
import type { RecordingContent } from "../../protocol/recording";
import { counted, joined, shorten } from "../../model/texts";
import { distinctWarnings, timesText, warningText } from "../../model/warningTexts";
import { asSentence } from "../../session/notRecorded";
import { overText, shownUnit } from "../../session/scopeChoice";
import type { OverTime } from "./overTime";

/** Hot functions, lines, states and so on that the page lists. */
export const LISTED = 10;

/** Rows of metadata, values of each, warnings, and characters of a text: tried in turn until the message is small enough. */
const cuts = [
  { globals: 2000, values: 50, warnings: 1000, characters: 2000 },
  { globals: 500, values: 10, warnings: 200, characters: 500 },
  { globals: 100, values: 3, warnings: 50, characters: 200 },
] as const;
type Cut = (typeof cuts)[number];

/** What is known of a recording's values. */
export interface RecordingValues {
  /** Undefined where the recording has no metric that adds up. */
  readonly totals?: RunTotals;
  /** Imbalance of computing; undefined if categories are not known. */
  readonly imbalance?: ComputingImbalance | undefined;
  /** The hottest lines, heaviest first. */
  readonly hot: readonly HotPlace[];
  /** The hottest functions, heaviest exclusive first. */
  readonly functions: readonly FunctionRow[];
  /** Rows of a recording without a metric. */
  readonly overTime?: OverTime;
  /** Work of GPUs, for a recording with a metric; "later" until it was asked for. */
  readonly gpuWork?: GpuWork | "later";
  /** Of the two recordings that are compared, where this is one of them. */
  readonly differences?: Differences;
  /** Reason why the recording does not belong to the folders, as a clause. Undefined if it does. */
  readonly foreign?: string;
}

export interface Differences {
  /** Baseline first. */
  readonly names: readonly [string, string];
  /** Functions whose exclusive differs, furthest first; a string says why the two are not compared. */
  readonly rows: readonly ComparedRow[] | string;
}

/** @param scope undefined where the recording has no metric that adds up */
export function recordingOf(info: DataSetInfo, scope: Scope | undefined, values: RecordingValues): RecordingContent {
  const pages = cuts.map((cut) => () => pageWithin(info, scope, values, cut));
  for (const page of pages.slice(0, -1)) {
    const message = page();
    if (JSON.stringify(message).length <= MESSAGE_LIMIT) return message;
  }
  return pages[pages.length - 1]();
}

/** Rows of a list of costs, without those that cost nothing. */
export function withCost<Row extends { readonly exclusive: number }>(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ exclusive }) => exclusive > 0);
}

/** The lines that are listed: none if no place is known of any, as the list of functions says the same then. */
export function hotLinesOf(hot: readonly HotPlace[]): readonly HotPlace[] {
  const rows = withCost(hot);
  return rows.some((row) => (linkedText(row) ?? recordedText(row)) !== undefined) ? rows : [];
}

function pageWithin(
  info: DataSetInfo,
  scope: Scope | undefined,
  { totals, imbalance, overTime, gpuWork, hot, functions, differences }: RecordingValues,
  cut: Cut,
): RecordingContent {
  const text = (long: string) => shorten(long, cut.characters);
  const metric = scope && info.metrics.at(scope.metric);
  const gpus = gpuWork === "later" ? undefined : gpuWork;
  const unit = metric ? shownUnit(metric) : "1";
  const hotThing = ({ name, shown, exclusive }: HotPlace | FunctionRow) => ({
    name: text(name),
    exclusive,
    ...(shown === undefined ? {} : { shown: text(shown) }),
    ...(totals && totals.total > 0 ? { share: exclusive / totals.total } : {}),
  });
  const shortened: string[] = [];
  const cutList = <Item>(items: readonly Item[], most: number, what: string): readonly Item[] => {
    if (items.length > most) shortened.push(`${items.length - most} of ${items.length} ${what} are not listed.`);
    return items.slice(0, most);
  };
  return {
    name: text(info.name),
    ...badgeOf(info),
    totals: [
      ...(scope && totals ? totalTexts(info, scope, totals, imbalance) : []),
      ...(overTime ? laneTexts(overTime) : []),
      ...(gpus?.bound ? [{ ...gpus.bound, over: text(gpus.bound.over) }] : []),
      ...costTexts(info),
    ].map((one) => ({
      ...one,
      label: text(one.label),
    })),
    facts: facts(info).map(({ label, value }) => ({ label, value: text(value) })),
    ranks: info.ranks.length,
    metrics: cutList(info.metrics, 500, "metrics").map((one, at) => metricRow(one, at === scope?.metric, text)),
    scope: text(scope && metric ? said([metric.name, overText(info, scope)]) : "no metric"),
    unit: text(unit),
    hotLines: hotLinesOf(hot).map((one) => ({
      ...hotThing(one),
      functions: one.functions,
      isMpi: one.isMpi === true,
      ...placeTexts(one, text),
    })),
    hotFunctions: withCost(functions).map((one) => ({
      ...hotThing(one),
      inclusive: one.inclusive,
      atMost: one.atMost === true,
    })),
    ...(differences ? { differences: differencesOf(differences, unit, text) } : {}),
    ...(overTime ? { overTime: overTimeOf(overTime, text) } : {}),
    ...(gpus ? { overTime: { ...overTimeOf({ ...gpus, counters: [] }, text), states: [] } } : {}),
    globals: cutList(info.globals, cut.globals, "metadata entries").map(({ name, values }) => ({
      name: text(name),
      values: values.slice(0, cut.values).map(text),
      moreValues: Math.max(0, values.length - cut.values),
    })),
    notRecorded: info.notRecorded.slice(0, 100).map((sentence) => text(asSentence(sentence))),
    warnings: cutList(distinctWarnings(info.warnings), cut.warnings, "warnings").map(({ warning, count }) =>
      text(joined([warningText(warning), timesText(count)], " ")),
    ),
    shortened,
  };
}

function metricRow(
  { name, recordedName, unit, additive, total, note }: DataSetInfo["metrics"][number],
  current: boolean,
  text: (long: string) => string,
): RecordingContent["metrics"][number] {
  return {
    name: text(name),
    recordedName: text(recordedName),
    unit: text(shownUnit({ name, unit })),
    ...(additive && Number.isFinite(total) ? { total } : {}),
    current,
    ...(note === undefined ? {} : { note: text(note) }),
  };
}

/** Place of a hot line, and whether it is a link. @returns {} if no place is known */
function placeTexts(
  line: HotPlace,
  text: (long: string) => string,
): Pick<RecordingContent["hotLines"][number], "place" | "isLinked"> {
  const linked = linkedText(line);
  const known = linked ?? recordedText(line);
  if (known === undefined) return {};
  const place = line.isFunction ? `${known} (function, lines not recorded)` : known;
  return { place: text(place), isLinked: linked !== undefined };
}

function differencesOf({ names, rows }: Differences, unit: string, text: (long: string) => string) {
  const between: [string, string] = [text(names[0]), text(names[1])];
  if (typeof rows === "string") return { names: between, rows: [], whyNot: text(rows) };
  return {
    names: between,
    rows: rows.map((row) => ({
      name: text(row.name),
      difference: row.difference,
      text: text(comparedText(row, unit)),
      ...(row.shown === undefined ? {} : { shown: text(row.shown) }),
      ...(row.baseline === null ? {} : { baseline: row.baseline }),
      ...(row.candidate === null ? {} : { candidate: row.candidate }),
    })),
  };
}

/** The total, MPI's share of it, and how ranks differ; each with what it is over. */
function totalTexts(
  info: DataSetInfo,
  scope: Scope,
  { total, mpi, spread, noRank }: RunTotals,
  computing: ComputingImbalance | undefined,
) {
  const metric = info.metrics[scope.metric];
  const unit = shownUnit(metric);
  const over = overText(info, scope);
  // Its label says what it is: a count has no other unit.
  const texts = [{ label: metric.name, value: formatValue(total, metric.unit), over }];
  if (noRank !== undefined)
    texts.push({
      label: "of no rank",
      value: formatValue(noRank, unit),
      over: `not part of the ${overRanksText(scope.over)}`,
    });
  if (mpi !== undefined && total > 0)
    texts.push({
      label: "MPI",
      value: formatShare(mpi / total),
      // Over what, the total says beside it.
      over: formatValue(mpi, unit),
    });
  // Waiting makes the sums of all ranks alike: the imbalance of computing comes first.
  if (computing)
    texts.push({
      label: "imbalance of computing",
      value: formatRatio(computing.computing.ratio),
      over: [mostText(computing.computing, computing.by), ...otherTexts(computing)].join(" · "),
    });
  else if (spread && Number.isFinite(spread.imbalance)) {
    const { by, imbalance, slowest } = spread;
    texts.push({
      label: "imbalance, max / mean",
      value: formatRatio(imbalance),
      over: `${unitName(by, 1)} ${slowest} has most`,
    });
  }
  return texts;
}

/** Badge with the slowdown of the program by its tool, as measured by the tool itself. */
function badgeOf({ recordingCost, globals }: DataSetInfo): Pick<RecordingContent, "badge"> {
  if (recordingCost === undefined) return {};
  const tool = globals.find(({ name }) => name === "run.tool")?.values.at(0) ?? "tracker";
  const title = asSentence(costText(recordingCost));
  return {
    badge: { text: shorten(badgeText(tool, recordingCost), 100), title, isWarning: isLargeCost(recordingCost) },
  };
}

/** Time of all lanes, of which states have shares. */
function laneTexts({ states }: OverTime) {
  if (!states || states.lanes === 0) return [];
  const { lanes, laneSeconds } = states;
  const over = `${counted(lanes, "lane")} of ${formatValue(laneSeconds / lanes, "s")}`;
  return [{ label: "time of all lanes", value: formatValue(laneSeconds, "s"), over }];
}

/** States that the page lists, most time first. */
export function hotStatesOf(overTime: OverTime | undefined): readonly HotState[] {
  return (overTime?.states?.states ?? []).filter(({ seconds }) => seconds > 0).slice(0, LISTED);
}

function overTimeOf(overTime: OverTime, text: (long: string) => string) {
  const { states, transfers, counters, finding } = overTime;
  const laneSeconds = states?.laneSeconds ?? 0;
  const kernels = (states?.states ?? []).filter(({ kind, seconds }) => kind === "GPU" && seconds > 0);
  return {
    states: hotStatesOf(overTime).map(({ name, kind, seconds, count: events, longestSeconds, lines }) => {
      const line = lines.at(0);
      const linked = line?.link && placeText(line.link);
      const place = linked ?? (line?.recorded ? recordedPlace(line.recorded) : undefined);
      return {
        name: text(name),
        kind,
        seconds,
        count: events,
        longest: longestSeconds,
        ...(laneSeconds > 0 ? { share: seconds / laneSeconds } : {}),
        ...(place === undefined ? {} : { place: text(place) }),
        isLinked: linked !== undefined,
      };
    }),
    moves: [
      ...kernels.slice(0, LISTED).map(({ name, seconds, count: events }) => ({
        name: text(name),
        seconds,
        count: events,
      })),
      ...transfers.slice(0, LISTED).map((row) => ({
        name: text(transferText(row)),
        seconds: row.seconds,
        count: row.count,
        bytes: row.bytes,
      })),
    ],
    counters: counters.slice(0, LISTED).map(({ fact, of, mean, min, max, change }) => ({
      name: text(fact.name),
      of: text(of),
      unit: text(fact.unit),
      mean,
      min,
      max,
      change,
    })),
    ...(finding === undefined || finding === "none"
      ? {}
      : { finding: { when: text(finding.when), what: text(finding.what) } }),
  };
}

function recordedPlace({ file, line }: { readonly file: string; readonly line?: number }): string {
  return line === undefined ? `${file} (line not known)` : `${file}:${line} (not found here)`;
}

/** `HtoD, GPU 0`: direction and devices, as far as they are known. */
function transferText({ direction, fromDevice, toDevice }: TransferRow): string {
  const devices = [...new Set([fromDevice, toDevice])].filter((device) => device >= 0);
  return joined([direction, devices.length === 0 ? "" : `GPU ${devices.join(" → ")}`], ", ");
}

/** Overhead of the tool, if it may have changed which functions are hot. */
function costTexts({ recordingCost }: DataSetInfo) {
  if (!isLargeCost(recordingCost)) return [];
  const { seconds, processorSeconds } = recordingCost;
  const share = `${formatShare(costShare(recordingCost))} of the CPU time`;
  return [
    {
      label: "slowed down by recording",
      value: `at least ${formatRatio(slowdown(recordingCost))}`,
      over: `${formatValue(Math.min(seconds, processorSeconds), "s")}, ${share}`,
    },
  ];
}

function said(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

/** Where a click leads; a line of a file that is not here leads to the function that it was compiled into. */
function linkedText({ link, recordedFile, recordedLine }: HotPlace): string | undefined {
  const place = placeText(link);
  if (place === undefined || link.missingFile === undefined || recordedFile === undefined || recordedLine === undefined)
    return place;
  return `${place} (for ${fileAndLine(recordedFile, recordedLine)})`;
}

/** What is known of a place that is not here. */
function recordedText({ link, recordedFile, recordedLine }: HotPlace): string | undefined {
  if (recordedFile === undefined) return undefined;
  if (recordedLine !== undefined) return `${recordedFile}:${recordedLine} (not found here)`;
  return `${recordedFile} (${link.missingFile === undefined ? "line not known" : "not found here"})`;
}

function facts(info: DataSetInfo): { label: string; value: string }[] {
  const { format, files, ranks, runs } = info;
  const rows = [
    { label: "Format", value: [format.label, format.version].filter((part) => part !== undefined).join(" ") },
    { label: files.length === 1 ? "File" : "Files", value: filesText(files) },
    ...(ranks.length === 0 ? [] : [{ label: "Ranks", value: `${ranks.length} (${rankRanges(ranks)})` }]),
    {
      label: "Content",
      value: [
        count(info.records, "record"),
        count(info.contexts, "calling context") + (info.estimated ? " (estimated from a call graph)" : ""),
        count(info.functions, "function"),
        count(info.locations, "location"),
      ].join(", "),
    },
  ];
  if (info.trace) rows.push({ label: "In time", value: traceText(info.trace) });
  if (info.series.length > 0)
    rows.push({
      label: "Iterations",
      value: loopTexts(info).join(", "),
    });
  if (info.resources.length > 0)
    rows.push({
      label: "Resources",
      value: info.resources.map(({ type, count: many }) => `${type}: ${many.toLocaleString("en")}`).join(", "),
    });
  if (runs > 1) rows.push({ label: "Runs", value: String(runs) });
  if (info.recordedAt !== undefined && Number.isFinite(info.recordedAt))
    rows.push({
      label: saysWhen(info) ? "Recorded" : "File written",
      value: `${new Date(info.recordedAt).toISOString().slice(0, 19).replace("T", " ")} UTC`,
    });
  rows.push({
    label: "Read",
    value: `in ${formatValue(info.seconds, "s")}, ${memoryText(info)}`,
  });
  return rows;
}

/** Memory of what was read. Columns of events are no part of it: a view that needs them makes them later. */
function memoryText({ bytes, trace }: DataSetInfo): string {
  const takes = `takes ${formatValue(bytes, "B")} of memory`;
  return trace ? `the profile ${takes}; the timeline is read when a view needs it` : takes;
}

function count(amount: number, one: string): string {
  return `${amount.toLocaleString("en")} ${one}${amount === 1 ? "" : "s"}`;
}

function traceText(outline: TraceOutline): string {
  const { lanes, events, counters, messages, transfers, startSeconds, endSeconds } = outline;
  const size = (bytes: number) => (bytes > 0 ? ` of ${formatValue(bytes, "B")}` : "");
  return [
    `${count(lanes, "lane")}, ${count(events, "event")} in ${formatValue(Math.max(0, endSeconds - startSeconds), "s")}`,
    ...(counters > 0 ? [count(counters, "counter")] : []),
    ...(messages.count > 0 ? [`${count(messages.count, "message")}${size(messages.bytes)}`] : []),
    ...(transfers.count > 0 ? [`${count(transfers.count, "transfer")}${size(transfers.bytes)}`] : []),
    ...otherKinds(outline).map((kind) => `${kind.count.toLocaleString("en")} ${kind.name}`),
  ].join(", ");
}

function filesText(files: readonly string[]): string {
  if (files.length <= 3) return files.join(", ");
  return `${files.length.toLocaleString("en")} files: ${files[0]}, …, ${files[files.length - 1]}`;
}

/** Whether the recording itself says when it was made; else only its file's time is known. */
function saysWhen(info: DataSetInfo): boolean {
  return info.globals.some(({ name }) => name === "starttime.sec");
}
