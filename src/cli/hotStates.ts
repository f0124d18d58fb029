/** `heatflow hot` of a recording without a metric: states of its lanes by time (semantics 16). */
import type { DataSetInfo, HotState, HotStateLine, HotStates } from "../engine/api";
import { counted } from "../model/texts";
import { formatShare, formatValue } from "../model/units";
import { jsonText, withEscapes } from "../model/unseen";
import { warningText } from "../model/warningTexts";
import { columns } from "./openData";
import { placeJson, placeText } from "./sourceFolders";

export interface StatesAnswer {
  readonly laneSeconds: number;
  readonly lanes: number;
  readonly states: readonly HotState[];
  /** Undefined if they were not asked for. */
  readonly stateLines: readonly HotStateLine[] | undefined;
  readonly sources: readonly string[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/** @param limit rows of each list */
export function statesAnswer(
  { laneSeconds, lanes, states }: HotStates,
  { warnings }: DataSetInfo,
  {
    sources,
    notes,
    limit,
    withLines,
  }: Pick<StatesAnswer, "sources" | "notes"> & { readonly limit: number; readonly withLines: boolean },
): StatesAnswer {
  // A line without time is no hot line.
  const lines = states.flatMap((state) => state.lines.filter(({ seconds }) => seconds > 0));
  lines.sort((a, b) => b.seconds - a.seconds);
  return {
    laneSeconds,
    lanes,
    states: states.slice(0, limit),
    stateLines: withLines ? lines.slice(0, limit) : undefined,
    sources,
    notes,
    warnings: warnings.map(warningText),
  };
}

/** Numbers with full double precision, one line. */
export function statesJson({ laneSeconds, states, stateLines, sources }: StatesAnswer): string {
  const share = (seconds: number) => (laneSeconds > 0 ? seconds / laneSeconds : null);
  const json = {
    unit: "s",
    total: laneSeconds,
    states: states.map(({ name, seconds, count, longestSeconds: longest, lines }) => ({
      name,
      seconds,
      share: share(seconds),
      count,
      longest,
      ...placeOf(lines, sources),
    })),
    lines: stateLines?.map((line) => ({
      function: line.name,
      ...placeJson(line, sources),
      exclusive: line.seconds,
      share: share(line.seconds),
    })),
  };
  return `${jsonText(json)}\n`;
}

export function statesTable({ laneSeconds, lanes, states, stateLines, sources }: StatesAnswer, width?: number): string {
  const share = (seconds: number) => (laneSeconds > 0 ? formatShare(seconds / laneSeconds) : "");
  const time = (seconds: number) => formatValue(seconds, "s");
  const rows = states.map(({ name, seconds, count, longestSeconds, lines }) => {
    const place = lines.length === 0 ? "" : placeText(lines[0], sources);
    return [name, time(seconds), share(seconds), `${count}`, time(longestSeconds), place];
  });
  const lineRows = stateLines?.map((line) => [
    line.name,
    time(line.seconds),
    share(line.seconds),
    placeText(line, sources),
  ]);
  return [
    withEscapes(`time of ${counted(lanes, "lane")}: ${formatValue(laneSeconds, "s")}`),
    "",
    ...columns([["state", "exclusive", "", "events", "longest", "place"], ...rows], width),
    ...(lineRows ? ["", ...columns([["line of", "exclusive", "", "place"], ...lineRows], width)] : []),
    "",
  ].join("\n");
}

/** The place with most of a state's time. */
function placeOf(lines: readonly HotStateLine[], sources: readonly string[]): object {
  return (lines.length > 0 && placeJson(lines[0], sources)) || {};
}
