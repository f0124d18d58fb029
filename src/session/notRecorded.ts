/** What views say where a recording has nothing for them, or where what they show was not measured. Pure. */
import type { DataSetInfo } from "../engine/api";

type Known = Pick<DataSetInfo, "contexts" | "functions" | "estimated" | "notRecorded" | "defaultMetric">;

const ELSEWHERE = "What it has is listed in Data Sets.";

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

/** Why there is no super graph to draw; undefined where there is one. */
export function superGraphMessage(info: Known): string | undefined {
  if (info.contexts === 0) return `${noContexts(info)} Without them there is no super graph. ${ELSEWHERE}`;
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

function noContexts({ notRecorded }: Known): string {
  return asSentence(
    notRecorded.find((text) => text.includes("calling contexts")) ?? "no calling contexts in this recording",
  );
}
