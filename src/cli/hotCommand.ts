/** `heatflow hot`: the functions that cost most, and the lines, with their shares and places. */
import type { DataSetInfo, Engine, FunctionPlace, FunctionRow, HotPlace, Scope } from "../engine/api";
import { overText } from "../engine/dataSets/overText";
import { RequestError } from "../model/errors";
import { addTo } from "../model/maps";
import { overRanksText } from "../model/metrics";
import { isLargeCost, rankingText, type RecordingCost, slowdown } from "../model/recordingCost";
import { shownOf } from "../model/shortName";
import { joined } from "../model/texts";
import { formatShare, formatValue, noRankText } from "../model/units";
import { jsonText, withEscapes } from "../model/unseen";
import { warningText } from "../model/warningTexts";
import { ArgumentError, parseArguments } from "./arguments";
import { toldApart, wholeName } from "./functionNames";
import { type StatesAnswer, statesAnswer, statesJson, statesTable } from "./hotStates";
import { numberOptions, overArgument, topArgument } from "./numberOptions";
import { checkRanks, columns, dataRequest, metricNamed, onlyOne, openData, rankOf } from "./openData";
import { placeJson, placeText, sourceFolders, sourceNotes } from "./sourceFolders";

interface FunctionsAnswer {
  readonly metric: DataSetInfo["metrics"][number];
  readonly over: string;
  /** How ranks were combined, in words. */
  readonly combined: string;
  readonly total: number;
  readonly functions: readonly (FunctionRow & FunctionPlace)[];
  /** Undefined where they were not asked for. */
  readonly lines?: readonly (HotPlace & FunctionPlace)[];
  readonly sources: readonly string[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  /** Whether recording may have changed which functions are hot. */
  readonly recordingCost?: RecordingCost;
}

/** States where a recording has no metric. */
type HotAnswer = FunctionsAnswer | StatesAnswer;

interface HotRequest {
  /** Names are printed whole, however wide the terminal is. */
  readonly wide: boolean;
  run(engine: Engine): Promise<HotAnswer>;
  /** @param width of the terminal; undefined: names are whole */
  text(answer: HotAnswer, width?: number): string;
}

/** @throws ArgumentError */
export function hotArguments(args: readonly string[], workingFolder: string): HotRequest {
  const { values, positionals } = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      ...numberOptions,
      over: { type: "string", default: "sum" },
      top: { type: "string", default: "20" },
      lines: { type: "boolean", default: false },
    },
  } as const);
  const data = dataRequest("hot", positionals, values, workingFolder);
  const over = overArgument(values.over);
  const limit = topArgument(values.top);
  const sources = sourceFolders(values.source, workingFolder);
  return {
    wide: values.wide,
    async run(engine) {
      await engine.configure({ folders: sources, sourceMap: {} });
      const info = onlyOne(await openData(engine, data));
      const notes = await sourceNotes(engine, info, values.source);
      checkRanks(info, rankOf(over));
      if (values.metric === undefined && info.defaultMetric < 0) {
        if (info.trace === undefined) throw noMetric(info);
        if (values.over !== "sum")
          throw new ArgumentError("--over needs a metric, and the recording has none: it has states only");
        const states = await engine.hotStates({ dataSet: info.id });
        // A topology without events has no lanes. A trace that was left out has a warning.
        if (states.lanes === 0 && info.warnings.length === 0) throw noMetric(info);
        return statesAnswer(states, info, { sources, notes, limit, withLines: values.lines });
      }
      const metric = values.metric === undefined ? info.defaultMetric : metricNamed(info, values.metric);
      const scope: Scope = { dataSet: info.id, metric, over };
      const { total } = await engine.runTotals(scope);
      const functions = await Promise.all(
        (await engine.hotFunctions({ scope, by: "exclusive", limit })).filter(isListed).map(async (row) => ({
          ...row,
          ...(await engine.placeOfFunction({ scope, function: row.function })),
        })),
      );
      const lines = values.lines ? await engine.hotPlaces({ scope, limit, everything: true }) : undefined;
      return {
        metric: info.metrics[metric],
        over: overRanksText(over),
        combined: overText(info, scope),
        total,
        functions,
        sources,
        notes,
        warnings: info.warnings.map(warningText),
        ...(isLargeCost(info.recordingCost) ? { recordingCost: info.recordingCost } : {}),
        ...(lines ? { lines: lines.filter(isListed).map(placedLine) } : {}),
      };
    },
    text(answer, width) {
      if ("states" in answer) return values.json ? statesJson(answer) : statesTable(answer, width);
      return values.json ? hotJson(answer) : hotTable(answer, width);
    },
  };
}

function noMetric({ files, warnings }: DataSetInfo): RequestError {
  return new RequestError([`${files.join(", ")} has no metric that adds up`, ...warnings.map(warningText)].join(". "));
}

/** What costs nothing is no hot place; what has no rank may. */
function isListed(row: FunctionRow | HotPlace): boolean {
  return row.exclusive !== 0 || ("noRank" in row && row.noRank !== undefined);
}

/** A line that is not here is the one that was recorded, not the function that it is in. */
function placedLine(row: HotPlace): HotPlace & FunctionPlace {
  const { link, recordedFile: file, recordedLine: line } = row;
  if (file === undefined) return row;
  const recorded = { file, ...(line === undefined ? {} : { line }) };
  const isAway = link.missingFile !== undefined && line !== undefined;
  return { ...row, recorded, ...(isAway ? { link: { ...link, places: [] } } : {}) };
}

/** Numbers with full double precision, one line. */
function hotJson({ metric, over, total, functions, lines, sources, recordingCost }: FunctionsAnswer): string {
  const share = (value: number) => (total > 0 ? value / total : null);
  const alike = new Map<string, number>();
  for (const { name } of functions) addTo(alike, name, 1);
  // What is found of functions of one name may be one place: where they were recorded tells them apart.
  const isAlone = ({ name }: FunctionRow) => alike.get(name) === 1;
  const json = {
    metric: metric.name,
    unit: metric.unit,
    over,
    total,
    ...(recordingCost === undefined
      ? {}
      : { recordingCost: { ...recordingCost, atLeastTimes: slowdown(recordingCost) } }),
    functions: functions.map((row) => ({
      function: row.name,
      ...placeJson(row, sources),
      ...(row.module === undefined ? {} : { module: row.module }),
      ...(isAlone(row) || row.recorded === undefined ? {} : { recorded: row.recorded }),
      exclusive: row.exclusive,
      share: share(row.exclusive),
      inclusive: row.inclusive,
      ...(row.noRank ? { noRank: row.noRank.exclusive } : {}),
    })),
    ...(lines
      ? {
          lines: lines.map((row) => ({
            function: row.name,
            ...placeJson(row, sources),
            exclusive: row.exclusive,
            share: share(row.exclusive),
          })),
        }
      : {}),
  };
  return `${jsonText(json)}\n`;
}

const SHARED_LINES = "A line of a file that is not here has a row for each function that it was compiled into.";

/** Whether several rows are of one line. */
function hasSharedLine(lines: readonly FunctionPlace[], sources: readonly string[]): boolean {
  const places = lines.map((row) => placeText(row, sources)).filter((place) => place !== "");
  return new Set(places).size < places.length;
}

function hotTable(
  { metric, combined, total, functions, lines, sources, recordingCost }: FunctionsAnswer,
  width?: number,
): string {
  const value = (number: number) => formatValue(number, metric.unit);
  const share = (number: number) => (total > 0 ? formatShare(number / total) : "");
  const nameOf = (row: FunctionRow | HotPlace) => (width === undefined ? wholeName(row) : shownOf(row));
  const names = toldApart(functions, nameOf);
  const rows = functions.map((row, at) => [
    names[at],
    ...(row.noRank !== undefined && row.exclusive === 0
      ? [noRankText(row.noRank.exclusive, metric.unit), ""]
      : [value(row.exclusive), share(row.exclusive)]),
    `${row.atMost ? "at most " : ""}${value(row.inclusive)}`,
    share(row.inclusive),
    placeText(row, sources),
  ]);
  const lineRows = lines?.map((row) => [
    nameOf(row),
    value(row.exclusive),
    share(row.exclusive),
    placeText(row, sources),
  ]);
  return [
    withEscapes(`${joined([metric.name, combined], ", ")}: ${value(total)}`),
    ...(recordingCost === undefined ? [] : [rankingText(recordingCost)]),
    "",
    ...columns([["function", "exclusive", "", "inclusive", "", "place"], ...rows], width),
    ...(lineRows ? ["", ...columns([["line of function", "exclusive", "", "place"], ...lineRows], width)] : []),
    ...(lineRows && hasSharedLine(lines ?? [], sources) ? ["", SHARED_LINES] : []),
    "",
  ].join("\n");
}
