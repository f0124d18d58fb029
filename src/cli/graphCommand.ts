/** `heatflow graph`: arguments in, the super graph as JSON or as a table out (semantics 7). */
import fs from "node:fs";
import path from "node:path";
import { messageOf, RequestError } from "../model/errors";
import { imbalanceText } from "../model/imbalance";
import { parseRanks } from "../model/locations";
import { type Chosen, chosenRanks, memberRanges } from "../model/members";
import { overRanksText } from "../model/metrics";
import { counted, joined, someOf } from "../model/texts";
import { formatShare, formatValue, noRankText } from "../model/units";
import { jsonText, withEscapes } from "../model/unseen";
import { warningText } from "../model/warningTexts";
import { type GroupFile, readGroupFile } from "../supergraph/groupFile";
import { groupings } from "../supergraph/query";
import type { ComputingImbalance, DataSetInfo, Engine, GraphOperation, GraphQuery, SuperGraph } from "../engine/api";
import { overText } from "../engine/dataSets/overText";
import { ArgumentError, parseArguments, percentOf, wordOf } from "./arguments";
import { numberOptions, overArgument } from "./numberOptions";
import { checkRanks, columns, dataRequest, metricNamed, onlyOne, openData, rankOf } from "./openData";
import { operationArgument } from "./operations";
import { placesJson, sourceFolders, sourceNotes } from "./sourceFolders";

export interface GraphAnswer {
  readonly graph: SuperGraph;
  /** Imbalance of computing; undefined if categories are not known, or if there are no two members. */
  readonly imbalance?: ComputingImbalance | undefined;
  /** How ranks were combined, in words; "" where the recording has none. */
  readonly combined: string;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  /** Folders of source, absolute: files are printed relative to their parents. */
  readonly sources: readonly string[];
}

export interface GraphRequest {
  readonly json: boolean;
  /** Names are printed whole, however wide the terminal is. */
  readonly wide: boolean;
  run(engine: Engine): Promise<GraphAnswer>;
}

/** @throws ArgumentError */
export function graphArguments(args: readonly string[], workingFolder: string): GraphRequest {
  const { values, positionals } = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      ...numberOptions,
      over: { type: "string", default: "sum" },
      filter: { type: "string" },
      "group-by": { type: "string" },
      map: { type: "string" },
      ranks: { type: "string" },
      threads: { type: "string" },
      op: { type: "string", multiple: true },
      first: { type: "boolean", default: false },
    },
  } as const);
  const data = dataRequest("graph", positionals, values, workingFolder);
  const over = overArgument(values.over);
  const ranks = values.ranks === undefined ? undefined : parseRanks(values.ranks);
  if (values.ranks !== undefined && ranks === undefined)
    throw new ArgumentError(`--ranks takes a list such as 0,4-7, not '${values.ranks}'`);
  const threads = values.threads === undefined ? undefined : threadKeys(values.threads);
  if (ranks !== undefined && threads !== undefined)
    throw new ArgumentError("--ranks and --threads: one of them restricts the numbers, not both");
  const operations = (values.op ?? []).map(operationArgument);
  if (values.first) checkAlone(values);
  const sources = sourceFolders(values.source, workingFolder);
  const file = values.map === undefined ? undefined : readMap(path.resolve(workingFolder, values.map));
  const map = file?.groups;
  // What a configuration of CallFlow starts with counts where nothing else is said.
  const filter = values.filter === undefined ? (file?.filter ?? 0) : percentOf(values.filter, "--filter");
  const groupBy = values.first
    ? "first"
    : values["group-by"] === undefined
      ? (file?.groupBy ?? "default")
      : wordOf(values["group-by"], groupings, "--group-by");
  const byMap = groupBy === "map" || operations.some((op) => op.kind === "group-by" && op.groupBy === "map");
  if (map === undefined && byMap) throw new ArgumentError("grouping by map needs --map FILE");
  const unused = map === undefined || byMap ? [] : ["--map: its groups are not used; --group-by map groups by them"];

  return {
    json: values.json,
    wide: values.wide,
    async run(engine) {
      await engine.configure({ folders: sources, sourceMap: {} });
      const dataSet = onlyOne(await openData(engine, data));
      const scope = {
        dataSet: dataSet.id,
        metric: metricNumber(dataSet, values.metric),
        over,
        chosen: threads ?? (ranks && chosenRanks(ranks)),
      };
      checkRanks(dataSet, [...(ranks ?? []), ...rankOf(over)], threadsInstead(dataSet));
      if (threads) checkThreads(dataSet, threads);
      const mostBars = barLimit(groupBy, operations);
      const query: GraphQuery = { scope, filter, groupBy, map, operations, mostBars, linkEveryEntry: true };
      const graph = await engine.superGraph(query);
      const imbalance = await engine.computingImbalance({ scope });
      const notes = await sourceNotes(engine, dataSet, values.source);
      const notTaken = (file?.notTaken ?? []).map((what) => `--map: not taken: ${what}`);
      const warnings = [...unused, ...notTaken, ...dataSet.warnings.map(warningText), ...graph.notes];
      return { graph, imbalance, combined: overText(dataSet, scope), warnings, notes, sources };
    },
  };
}

/** Options that say otherwise what a graph starts with. */
const NOT_WITH_FIRST = ["filter", "group-by", "op", "map"] as const;

/** @throws ArgumentError where a first picture, which chooses these itself, is asked for with one of them */
function checkAlone(values: Readonly<Partial<Record<(typeof NOT_WITH_FIRST)[number], unknown>>>): void {
  const other = NOT_WITH_FIRST.find((name) => values[name] !== undefined);
  if (other !== undefined)
    throw new ArgumentError(`--first chooses the filter and the groups. Leave out --${other}, or --first`);
}

/**
 * Nothing is drawn here, so nothing is hidden to keep a drawing readable. But finding bars without cycles grows with the
 * square of their number: beyond this a hostile tree would take minutes. The context tree itself has no cycles to look for.
 */
export function barLimit(groupBy: GraphQuery["groupBy"], operations: readonly GraphOperation[]): number {
  const last = operations.reduce<GraphQuery["groupBy"]>(
    (by, step) => (step.kind === "group-by" ? step.groupBy : by),
    groupBy,
  );
  return last === "none" ? Number.MAX_SAFE_INTEGER : 5_000;
}

/** Bytes of a file of names and patterns of groups; a larger one is another kind of file. */
const MOST_MAP_BYTES = 8 << 20;

function readMap(file: string): GroupFile {
  try {
    const status = fs.statSync(file);
    if (!status.isFile()) throw new Error("this is no regular file");
    if (status.size > MOST_MAP_BYTES)
      throw new Error(`${status.size} bytes are no map: it has at most ${MOST_MAP_BYTES}`);
    return readGroupFile(fs.readFileSync(file, "utf8"));
  } catch (error) {
    throw new ArgumentError(`--map: ${file}: ${messageOf(error)}`);
  }
}

function metricNumber(dataSet: DataSetInfo, name: string | undefined): number {
  if (name === undefined) {
    if (dataSet.defaultMetric >= 0) return dataSet.defaultMetric;
    const what = dataSet.records === 0 ? "holds no records" : "has no metric that adds up";
    throw new RequestError(`${dataSet.files.join(", ")} ${what}: there is no super graph to make`);
  }
  return metricNamed(dataSet, name);
}

/** @param list `1,3-5`, or with ranks `0.1,0.2` */
function threadKeys(list: string): Chosen {
  return { by: "thread", members: parseRanks(list)?.map(String) ?? list.split(",").map((key) => key.trim()) };
}

function checkThreads(dataSet: DataSetInfo, { members }: Chosen): void {
  const known = threadsOf(dataSet);
  const missing = members.find((key) => !known.includes(key));
  if (missing === undefined) return;
  const there =
    known.length === 0 ? "this recording has no threads to choose from" : `there are ${memberRanges(known)}`;
  throw new ArgumentError(`--threads: there is no thread '${missing}'; ${there}`);
}

/** What can be chosen where there are no ranks. */
function threadsInstead(dataSet: DataSetInfo): string {
  const known = threadsOf(dataSet);
  return known.length === 0 ? "" : `, but threads: --threads restricts to some of ${memberRanges(known)}`;
}

function threadsOf({ units }: DataSetInfo): readonly string[] {
  return units.find(({ by }) => by === "thread")?.members ?? [];
}

/** The JSON of semantics 7, numbers with full double precision, one line. */
export function graphJson({ graph, sources }: GraphAnswer): string {
  const { first } = graph;
  const answer = {
    metric: graph.metric,
    unit: graph.unit,
    over: overRanksText(graph.over),
    total: graph.total,
    hidden: graph.hidden,
    filtered: graph.filtered,
    nodes: graph.bars.map((bar, at) => ({
      id: bar.id,
      group: bar.group,
      visit: bar.visit,
      level: bar.level,
      inclusive: bar.inclusive,
      exclusive: bar.exclusive,
      hidden: bar.hidden,
      contexts: bar.contexts,
      entries: bar.entries.map((entry) => ({
        name: entry.name,
        ...placesJson(entry.link, sources),
        inclusive: entry.inclusive,
        exclusive: entry.exclusive,
      })),
      ...(first ? first.bars[at] : {}),
    })),
    edges: graph.edges,
    ...(first
      ? {
          first: {
            filter: first.choice.filter,
            opened: first.opened,
            alone: first.alone,
            names: first.names,
            drawn: first.drawn.map((edge) => [graph.edges[edge].source, graph.edges[edge].target]),
            why: first.why,
          },
        }
      : {}),
  };
  return `${jsonText(answer)}\n`;
}

/** Names of what a bar holds that a table has room for. */
const MOST_HELD = 3;

/** Of bars after a group's first one. */
const AGAIN = "#2, #3, …: the same group again, called from others that it called";

/** The super graph for people at a terminal. @param width of it; undefined: names are whole */
export function graphTable({ graph, imbalance, combined }: GraphAnswer, width?: number): string {
  const shown = (name: string) => (width === undefined ? name : (graph.shownNames.get(name) ?? name));
  // As operations take them.
  const names = new Map(
    graph.bars.map(({ id, group, visit }) => [id, visit > 1 ? `${shown(group)}#${visit}` : shown(group)]),
  );
  const nameOf = (id: string) => names.get(id) ?? id;
  const value = (number: number) => formatValue(number, graph.unit);
  const share = (number: number) => (graph.total === 0 ? "" : formatShare(number / graph.total));
  const costs = (number: number, noRank = 0) =>
    noRank > 0 ? [noRankText(noRank, graph.unit), ""] : [value(number), share(number)];
  const bars = graph.bars.map((bar, at) => [
    nameOf(bar.id),
    `${bar.level}`,
    ...costs(bar.inclusive, bar.noRank?.inclusive),
    ...costs(bar.exclusive, bar.noRank?.exclusive),
    bar.noRank !== undefined && bar.noRank.inclusive > 0 ? "" : value(bar.hidden),
    ...(graph.first ? [someOf(graph.first.bars[at].holds, MOST_HELD)] : []),
  ]);
  const { first } = graph;
  const flows = first ? first.drawn.map((edge) => graph.edges[edge]) : graph.edges;
  const edges = flows.map((edge) => [
    `${nameOf(edge.source)} -> ${nameOf(edge.target)}`,
    value(edge.inclusive),
    share(edge.inclusive),
  ]);
  const all = graph.functions + graph.filtered.functions;
  const kept = `${graph.functions} of ${counted(all, "function")}`;
  return [
    withEscapes(
      `${joined([graph.metric, combined], ", ")}: ${value(graph.total)}; ${kept}, ${value(graph.filtered.exclusive)} hidden; ${graph.groupBy === "first" ? "first picture" : `grouped by ${graph.groupBy}`}`,
    ),
    ...(imbalance ? [withEscapes(imbalanceText(imbalance))] : []),
    ...(first ? [withEscapes(first.why)] : []),
    "",
    ...columns(
      [["group", "level", "inclusive", "", "exclusive", "", "hidden", ...(first ? ["holds"] : [])], ...bars],
      width,
    ),
    "",
    ...columns([["flow", "inclusive", ""], ...edges], width),
    ...(flows.length < graph.edges.length
      ? ["", `${counted(graph.edges.length - flows.length, "thinner flow")}: --json has all`]
      : []),
    ...(graph.bars.some(({ visit }) => visit > 1) ? ["", AGAIN] : []),
    "",
  ].join("\n");
}
