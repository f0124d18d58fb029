/** What views say where a recording has nothing for them, or where what they show was not measured. Pure. */
import type { DataSetInfo, MetricInfo, Scope } from "../engine/api";
import { hardwareKindOf } from "../model/hardware";
import { isLargeCost, LEFT_OUT, rankingText } from "../model/recordingCost";
import { howToRecord, type Missing } from "./howToRecord";

type Known = Pick<DataSetInfo, "contexts" | "functions" | "estimated" | "notRecorded" | "defaultMetric">;
type Traced = Pick<DataSetInfo, "trace" | "format">;

const ELSEWHERE = "Data Sets lists what was recorded.";

/** Calling contexts; undefined where they were recorded and have values. */
export function contextsMessage(info: Known): string | undefined {
  if (info.contexts === 0) return `${noContexts(info)} ${ELSEWHERE}`;
  if (info.defaultMetric < 0) return nothingAddsUp;
  return info.estimated ? "Estimated from a call graph." : undefined;
}

export function functionsMessage(info: Known): string | undefined {
  if (info.functions === 0) return `No functions with values in this recording. ${ELSEWHERE}`;
  return info.defaultMetric < 0 ? nothingAddsUp : undefined;
}

/** Whether states of lanes are all that can be ranked. */
export function hasStatesOnly({ defaultMetric, trace }: Pick<DataSetInfo, "defaultMetric" | "trace">): boolean {
  return defaultMetric < 0 && trace !== undefined && trace.events > 0;
}

/** Note on a ranking of functions: whether it may be the tool's, and the functions that it cannot have. Empty if there is no note. */
export function rankingNote({
  recordingCost,
  notRecorded,
}: Pick<DataSetInfo, "recordingCost" | "notRecorded">): string {
  const leftOut = notRecorded.filter((sentence) => sentence.startsWith(LEFT_OUT)).map(asSentence);
  return [...(isLargeCost(recordingCost) ? [rankingText(recordingCost)] : []), ...leftOut].join(" ");
}

/** Why there is no super graph to draw; undefined where there is one. */
export function superGraphMessage(info: Known): string | undefined {
  if (info.contexts === 0) return `${noContexts(info)} Without them there is no super graph. ${ELSEWHERE}`;
  return info.defaultMetric < 0 ? nothingAddsUp : undefined;
}

/** Why there is no timeline; undefined where there is one. */
export function timelineMessage(info: Traced): string | undefined {
  if (info.trace !== undefined && info.trace.events > 0) return undefined;
  return withRemedy("No events were recorded, so there is nothing to show over time.", "events", info);
}

/** Why lanes have no states, each of which lasts; undefined if they have some. */
export function statesMessage(info: Traced): string | undefined {
  if (info.trace?.instantsOnly !== true) return timelineMessage(info);
  return "Only samples or marks were recorded, and nothing that lasts: nothing is known of the time between them. The timeline shows them.";
}

/** What events do not lead to; undefined where they have calling contexts, and with these perhaps lines. */
export function noLinesMessage(info: Known): string | undefined {
  return info.contexts === 0 ? `${noContexts(info)} Without them nothing here leads to a line.` : undefined;
}

/** Runs of an ensemble that panels draw. */
const MOST_DRAWN_RUNS = 10_000;

/** Why there is no ensemble to draw; undefined where there is one. */
export function ensembleMessage(info: Known & Pick<DataSetInfo, "format" | "locations">): string | undefined {
  if (isEnsemble(info) && info.locations > MOST_DRAWN_RUNS) {
    const [runs, most] = [info.locations, MOST_DRAWN_RUNS].map((count) => count.toLocaleString("en"));
    return `This ensemble has ${runs} runs, and at most ${most} are drawn. Open fewer of them by a folder, several files or a manifest. The command heatflow ensemble prints all.`;
  }
  if (isEnsemble(info)) return superGraphMessage(info);
  return "This is a single recording, not an ensemble. Use Open Ensemble… for a folder of runs or several files.";
}

/** Whether its locations are the runs of an ensemble. */
export function isEnsemble({ format }: Pick<DataSetInfo, "format">): boolean {
  return format.id === "ensemble";
}

/** Why there are no metrics over time; undefined where there are some. */
export function metricsMessage(info: Traced): string | undefined {
  const { trace } = info;
  if (trace !== undefined && (trace.counters > 0 || trace.links > 0 || trace.transfers.count > 0)) return undefined;
  if ((trace?.events ?? 0) > 0) return statesMessage(info);
  return withRemedy(
    "Neither counters nor events were recorded, so there is nothing to show over time.",
    "events",
    info,
  );
}

/** Whether messages or collectives were recorded. */
export function hasRankMovement({ trace }: Pick<DataSetInfo, "trace">): boolean {
  return trace !== undefined && trace.links > trace.arrows;
}

/** Whether copies or migrations were recorded. */
export function hasTransfers({ trace }: Pick<DataSetInfo, "trace">): boolean {
  return (trace?.transfers.count ?? 0) > 0;
}

/** Why there is no communication matrix; undefined where there is one. */
export function communicationMessage(info: Pick<DataSetInfo, "trace">): string | undefined {
  if (hasRankMovement(info) || hasTransfers(info)) return undefined;
  return `Neither messages nor transfers were recorded, so there is no data movement to show. ${ELSEWHERE}`;
}

/** Why there is no application tree to draw; undefined where there is one. */
export function applicationMessage(info: Known): string | undefined {
  if (info.contexts === 0) return `${noContexts(info)} Without them there is no application tree. ${ELSEWHERE}`;
  return info.defaultMetric < 0 ? nothingAddsUp : undefined;
}

/** Why there is no treemap of code; undefined where there is one. */
export function codeTreemapMessage(info: Known): string | undefined {
  if (info.functions === 0) return `No functions with values in this recording: there is no code to draw. ${ELSEWHERE}`;
  return info.defaultMetric < 0 ? nothingAddsUp : undefined;
}

/** Why there is no treemap; undefined where there is one. */
export function resourcesMessage(info: Traced): string | undefined {
  const { trace } = info;
  if (trace !== undefined && trace.counters > 0) return undefined;
  if ((trace?.events ?? 0) > 0) return statesMessage(info);
  return withRemedy(
    "Neither events nor variables were recorded, so there is nothing to show for resources.",
    "events",
    info,
  );
}

/** Why there is no overview; undefined where there is one, of variables alone, too. */
export function overviewMessage(info: Traced): string | undefined {
  return info.trace !== undefined && info.trace.counters > 0 ? undefined : statesMessage(info);
}

/** Why there is no hardware to draw; undefined where there is some. */
export function hardwareMessage(info: Pick<DataSetInfo, "resources" | "format">): string | undefined {
  // What zones of a grid are called, machines' caches are, too: neither is there alone.
  const isHardware = ({ type }: { readonly type: string }) => !["cache", undefined].includes(hardwareKindOf(type));
  if (info.resources.some(isHardware)) return undefined;
  const lack = "No machine, core, GPU or network link was recorded, so the hardware of the run is not known.";
  return withRemedy(lack, "hardware", info);
}

/** Why there is nothing that values could be spread over (semantics 1); undefined where there is. */
export function spreadMessage(
  { ranks, locationCounts, units }: Pick<DataSetInfo, "ranks" | "locationCounts" | "units">,
  metric: MetricInfo | undefined,
): string | undefined {
  if (!metric) return "The recording has no metric.";
  if (metric.reducedOverRanks)
    return `${metric.name} was combined over ranks when it was recorded: the value of each rank is not known.`;
  if (units.length > 0) return undefined;
  const { threads, streams } = locationCounts;
  if (ranks.length === 0 && threads === 0 && streams === 0)
    return "No ranks, threads, GPU streams or hosts were recorded, so there is no distribution to show.";
  return `The recording has one ${ranks.length > 0 ? "rank" : threads > 0 ? "thread" : "GPU stream"}, so there is no distribution to show.`;
}

/** Why the recording has no histogram of what it shows. @param scope undefined: nothing in it adds up */
export function histogramMessage(info: DataSetInfo, scope: Pick<Scope, "metric"> | undefined): string | undefined {
  return scope ? spreadMessage(info, info.metrics.at(scope.metric)) : superGraphMessage(info);
}

/** Why it has no correlation, which without members is one of functions. */
export function correlationMessage(info: DataSetInfo, scope: Pick<Scope, "metric"> | undefined): string | undefined {
  return info.units.length === 0 ? superGraphMessage(info) : histogramMessage(info, scope);
}

/** Why there is no flame graph to draw; undefined where there is one. */
export function flameGraphMessage(info: Known): string | undefined {
  if (info.contexts === 0) return `${noContexts(info)} Without them there is no flame graph. ${ELSEWHERE}`;
  return info.defaultMetric < 0 ? nothingAddsUp : undefined;
}

const nothingAddsUp = `No metric of this recording adds up over calling contexts. ${ELSEWHERE}`;

/** Why a choice or a search among metrics has nothing for a recording: a clause, to be ended. */
export function noMetricText({ name, metrics }: Pick<DataSetInfo, "name" | "metrics">): string {
  return metrics.length === 0 ? `${name} has no metric` : `${name} has no metric that adds up`;
}

/** "No messages in this recording." */
export function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** @param lack a sentence */
function withRemedy(lack: string, missing: Missing, info: Pick<DataSetInfo, "format">): string {
  return [lack, howToRecord(missing, info), ELSEWHERE].filter((sentence) => sentence !== "").join(" ");
}

function noContexts({ notRecorded }: Known): string {
  return asSentence(
    notRecorded.find((text) => text.includes("calling contexts")) ?? "no calling contexts in this recording",
  );
}
