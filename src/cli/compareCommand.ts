/** `heatflow compare`: what differs between two recordings, as a table, JSON or Markdown, with an exit code for CI jobs (semantics 7, 10). */
import type { ComparedRow, Comparison, DataSetInfo, Engine, Scope } from "../engine/api";
import { overText } from "../engine/dataSets/overText";
import { ESTIMATED } from "../engine/graphs/graphSubject";
import { changeText, differenceText, ratioOf, signed } from "../model/differences";
import { RequestError } from "../model/errors";
import { largestIn } from "../model/longLists";
import { overRanksText, type OverRanks } from "../model/metrics";
import { shortName, shownOf } from "../model/shortName";
import { counted, joined } from "../model/texts";
import { formatValue, noRankText } from "../model/units";
import { jsonText, withEscapes } from "../model/unseen";
import { warningText } from "../model/warningTexts";
import { ArgumentError, parseArguments, percentOf, wordOf } from "./arguments";
import { toldApart, wholeName } from "./functionNames";
import { numberOptions, overArgument, topArgument } from "./numberOptions";
import { checkRanks, columns, dataRequest, metricNamed, onlyOne, openData, rankOf } from "./openData";
import { placeJson, placeText, sourceFolders } from "./sourceFolders";

const groupings = ["function", "class", "file", "folder", "module"] as const;
/** A function with less than this share of either total is too small to end a job. */
const LEAST_FAILING = 0.01;

interface CompareAnswer {
  readonly comparison: Comparison;
  readonly value: "exclusive" | "inclusive";
  readonly groupBy: (typeof groupings)[number];
  readonly metric: DataSetInfo["metrics"][number];
  readonly over: OverRanks;
  /** How ranks were combined, in words, of both. */
  readonly combined: readonly [string, string];
  readonly names: readonly [string, string];
  /** Functions' costs are measured; a group's inclusive is of contexts, which a call graph does not have. */
  readonly isEstimated: boolean;
  /** Rows that are printed, and the share of the total from which on one counts as changed. */
  readonly top: number;
  readonly changedFrom: number;
  readonly sources: readonly string[];
  readonly warnings: readonly string[];
  /** Rows that `--fail-above` does not let pass. */
  readonly failing: readonly ComparedRow[];
}

export interface CompareRequest {
  run(engine: Engine): Promise<CompareAnswer>;
  /** @param width of the terminal; undefined: names are whole */
  text(answer: CompareAnswer, width?: number): string;
  readonly wide: boolean;
}

/** @throws ArgumentError */
export function compareArguments(args: readonly string[], workingFolder: string): CompareRequest {
  const { values, positionals } = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      ...numberOptions,
      over: { type: "string", default: "mean" },
      value: { type: "string", default: "exclusive" },
      "group-by": { type: "string", default: "function" },
      top: { type: "string", default: "20" },
      changed: { type: "string", default: "1%" },
      "fail-above": { type: "string" },
      pair: { type: "string", multiple: true },
      markdown: { type: "boolean", default: false },
    },
  } as const);
  if (positionals.length !== 2)
    throw new ArgumentError(`compare needs two recordings, BASELINE and CANDIDATE, not ${positionals.length}`);
  const requests = positionals.map((one) => dataRequest("compare", [one], values, workingFolder));
  const over = overArgument(values.over);
  const value = wordOf(values.value, ["exclusive", "inclusive"] as const, "--value");
  const groupBy = wordOf(values["group-by"], groupings, "--group-by");
  const top = topArgument(values.top);
  const changedFrom = shareOf(values.changed, "--changed");
  const failAbove = values["fail-above"];
  const limit = failAbove === undefined ? undefined : shareOf(failAbove, "--fail-above", Number.MAX_VALUE);
  const renamed = (values.pair ?? []).map(renamedBy);
  if (values.json && values.markdown)
    throw new ArgumentError("--json and --markdown: one of them is printed, not both");
  const sources = sourceFolders(values.source, workingFolder);
  return {
    async run(engine) {
      await engine.configure({ folders: sources, sourceMap: {} });
      const infos: DataSetInfo[] = [];
      for (const request of requests) infos.push(onlyOne(await openData(engine, request)));
      const names = namesOf(infos, positionals);
      infos.forEach((info, side) => checkRanks({ ...info, name: names[side] }, rankOf(over)));
      const scopes = infos.map((info): Scope => ({
        dataSet: info.id,
        metric: metricOf(infos, info, values.metric),
        over,
      }));
      const [baseline, candidate] = scopes;
      const query = { baseline: [baseline], candidate: [candidate], renamed, value, groupBy };
      const all = await engine.comparison({ ...query, limit: Number.MAX_SAFE_INTEGER, linked: top });
      const isEstimated = value === "inclusive" && groupBy !== "function" && infos.some(({ estimated }) => estimated);
      return {
        comparison: all,
        value,
        groupBy,
        over,
        top,
        changedFrom,
        sources,
        isEstimated,
        metric: infos[0].metrics[baseline.metric],
        combined: [overText(infos[0], baseline), overText(infos[1], candidate)],
        names,
        warnings: [
          ...infos.flatMap(({ warnings }) => warnings.map(warningText)),
          ...(isEstimated ? [ESTIMATED] : []),
          ...all.unpaired.map(unpairedText),
        ],
        failing: limit === undefined ? [] : all.rows.filter((row) => isFailing(row, all, limit)),
      };
    },
    wide: values.wide,
    text: values.json ? comparisonJson : values.markdown ? comparisonMarkdown : comparisonTable,
  };
}

/** `5%` or `5`, as a share. @param most percent */
function shareOf(text: string, option: string, most?: number): number {
  const percent = text.trim().replace(/%$/, "");
  return percentOf(percent, option, most) / 100;
}

/** `OLD=NEW`; a name may hold `=` itself where the other side has as many. */
function renamedBy(text: string): readonly [string, string] {
  const parts = text.split("=");
  const half = parts.length / 2;
  const pair = [parts.slice(0, half).join("="), parts.slice(half).join("=")] as const;
  if (parts.length % 2 !== 0 || pair.includes("")) throw new ArgumentError(`--pair takes OLD=NEW, not '${text}'`);
  return pair;
}

function unpairedText([before, after]: readonly [string, string]): string {
  return `--pair ${shortName(before)}=${shortName(after)} joins nothing: one recording needs a function of the one name and none of the other, the other recording the other way round`;
}

function metricOf([first]: readonly DataSetInfo[], info: DataSetInfo, name: string | undefined): number {
  if (first.defaultMetric < 0) throw new RequestError(`${first.files.join(", ")} has no metric that adds up`);
  if (name !== undefined) return metricNamed(info, name);
  // The candidate's metric is the baseline's, by its name.
  const own = first.metrics[first.defaultMetric].name;
  const hasIt = info.metrics.some(({ name: other, recordedName }) => other === own || recordedName === own);
  if (!hasIt) throw new RequestError(noCommonMetric(first, info));
  return metricNamed(info, own);
}

/** Why two recordings are not compared in the baseline's metric. */
function noCommonMetric(first: DataSetInfo, info: DataSetInfo): string {
  const names = ({ metrics }: DataSetInfo) => metrics.map(({ name }) => name);
  const [had, has] = [names(first), names(info)];
  const common = had.filter((name) => has.includes(name));
  const advice =
    common.length === 0 ? "compare two recordings of one tool" : `choose with --metric: ${common.join(", ")}`;
  return `the baseline's metric ${first.metrics[first.defaultMetric].name} is not in ${info.files.join(", ")}, which has ${has.join(", ") || "none"}; ${advice}`;
}

/** Two recordings of one name are told apart by what was written of them. */
function namesOf(infos: readonly DataSetInfo[], given: readonly string[]): readonly [string, string] {
  const [baseline, candidate] = infos.map(({ name }) => name);
  return baseline === candidate ? [given[0], given[1]] : [baseline, candidate];
}

/** @param limit share of its own baseline value by which a row may grow */
function isFailing({ baseline, candidate, difference }: ComparedRow, totals: Comparison, limit: number): boolean {
  const [had, has] = [baseline ?? 0, candidate ?? 0];
  // Of a total that is not positive nothing is a share.
  const isLarge = (value: number, total: number) => total > 0 && value >= LEAST_FAILING * total;
  const isOne = isLarge(had, totals.baselineTotal) || isLarge(has, totals.candidateTotal);
  return isOne && difference > 0 && has > Math.max(0, had) * (1 + limit);
}

/** Rows that differ by more than the share of the larger total from which on one counts as changed. */
function changedRows({ comparison, changedFrom }: CompareAnswer): ComparedRow[] {
  const least = changedFrom * Math.max(comparison.baselineTotal, comparison.candidateTotal);
  return comparison.rows.filter(({ difference }) => Math.abs(difference) > least);
}

/**
 * `bzip2.O1 → bzip2.O3: Ir, 73.9 M → 71.1 M, −2.81 M · −3.81 %; 6 functions changed in exclusive by more than 1 % of the total`. How ranks were
 * combined stands behind each of the values where it differs: `1.81 s (mean over 4 ranks) → 2.18 s`.
 */
function heading(answer: CompareAnswer): string {
  const { comparison, metric, combined, names, groupBy, changedFrom, value, isEstimated } = answer;
  const { baselineTotal, candidateTotal } = comparison;
  const changed = changedRows(answer).length;
  const several = { class: "classes" }[groupBy as string];
  const differs = comparison.rows.some(({ difference }) => difference !== 0);
  const what = changed === 0 ? "nothing" : counted(changed, groupBy, several);
  const estimated = isEstimated ? " (estimated from a call graph)" : "";
  const verdict = differs
    ? `${what} changed in ${value}${estimated} by more than ${percentText(changedFrom)} of the total`
    : `nothing differs in ${value}${estimated}`;
  const over = combined[0] === combined[1] ? combined[0] : "";
  const [had, has] = [baselineTotal, candidateTotal].map((total, side) =>
    joined([amount(answer, total), combined[side] === over ? "" : `(${combined[side]})`], " "),
  );
  return [
    `${names.join(" → ")}: ${joined([metric.name, over], ", ")}, ${had} → ${has}`,
    `${differenceText(baselineTotal, candidateTotal, metric.unit)}; ${verdict}`,
  ].join(", ");
}

function amount({ metric }: CompareAnswer, value: number | null): string {
  return value === null ? "" : formatValue(value, metric.unit);
}

/** The JSON of semantics 7, numbers with full double precision, one line. */
function comparisonJson(answer: CompareAnswer): string {
  const { comparison, metric, over, value, names, groupBy, top, sources } = answer;
  const json = {
    metric: metric.name,
    unit: metric.unit,
    over: overRanksText(over),
    value,
    baseline: { name: names[0], total: comparison.baselineTotal },
    candidate: { name: names[1], total: comparison.candidateTotal },
    differences: comparison.rows
      .slice(0, top)
      .map(({ name, baseline, candidate, difference, inlinedInto, ...row }) => ({
        [groupBy === "function" ? "function" : "group"]: name,
        ...placeJson(row, sources),
        baseline,
        candidate,
        difference,
        ratio: ratioOf(baseline, candidate),
        ...(inlinedInto === undefined ? {} : { inlinedInto }),
      })),
  };
  return `${jsonText(json)}\n`;
}

function cellsOf(answer: CompareAnswer, row: ComparedRow): string[] {
  const { baseline, candidate, baselineNoRank, candidateNoRank, difference } = row;
  const shown = (value: number | null, noRank: number | undefined) =>
    noRank === undefined ? amount(answer, value) : noRankText(noRank, answer.metric.unit);
  return [
    shown(baseline, baselineNoRank),
    shown(candidate, candidateNoRank),
    signed(difference, answer.metric.unit),
    changeText(baseline, candidate),
    joined([placeText(row, answer.sources), inlinedText(row)], ", "),
  ];
}

/** What was gone may be new elsewhere, and the other way round. */
function inlinedText({ inlinedInto, candidate }: ComparedRow): string {
  return inlinedInto === undefined ? "" : `${candidate === null ? "" : "was "}inlined into ${inlinedInto}`;
}

/** What changed, largest first, for people at a terminal. */
function comparisonTable(answer: CompareAnswer, width?: number): string {
  const { top, groupBy } = answer;
  const printed = listedRows(answer).slice(0, top);
  const nameOf = (row: ComparedRow) => (width === undefined ? wholeName(row) : shownOf(row));
  const rows = toldApart(printed, nameOf).map((name, at) => [name, ...cellsOf(answer, printed[at])]);
  const table = [[groupBy, "baseline", "candidate", "difference", "ratio", "line"], ...rows];
  const rest = restText(answer, rows.length);
  return [
    withEscapes(heading(answer)),
    "",
    ...(rows.length > 0 ? columns(table, width) : []),
    ...(rest === "" ? [] : [...(rows.length > 0 ? [""] : []), rest]),
    "",
  ].join("\n");
}

/** `3 more, and 120 below 1 %`: what differs and is not listed. @param listed rows */
function restText(answer: CompareAnswer, listed: number): string {
  const { comparison, changedFrom } = answer;
  const changed = listedRows(answer).length;
  const below = comparison.rows.filter(({ difference }) => difference !== 0).length - changedRows(answer).length;
  return joined(
    [
      changed > listed ? `${changed - listed} more` : "",
      below > 0 ? `and ${below} below ${percentText(changedFrom)}` : "",
    ],
    ", ",
  );
}

/** What changed, and what has no rank where that differs: over ranks it shows nothing. */
function listedRows(answer: CompareAnswer): ComparedRow[] {
  const changed = new Set(changedRows(answer));
  return answer.comparison.rows.filter(
    (row) => changed.has(row) || (row.baselineNoRank ?? 0) !== (row.candidateNoRank ?? 0),
  );
}

function percentText(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** What changed, for a pull request: names and units of recordings are code, so that none of them becomes a mention, a link or a picture. */
function comparisonMarkdown(answer: CompareAnswer): string {
  const { groupBy, top } = answer;
  const changed = changedRows(answer);
  const printed = changed.slice(0, top);
  const names = toldApart(printed, ({ name }) => name);
  const rows = printed.map((row, at) => {
    const [before, after, difference, change, place] = cellsOf(answer, row);
    const [had, has, differs] = [before, after, difference].map((value) => numberCell(value, answer.metric.unit));
    return [code(names[at]), had, has, `**${differs}**`, change, place === "" ? "" : code(place)];
  });
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const more = changed.length - rows.length;
  return [
    code(heading(answer)),
    "",
    ...(rows.length === 0
      ? []
      : [
          line([groupBy, "baseline", "candidate", "difference", "ratio", "line"]),
          line(["---", "--:", "--:", "--:", "--:", "---"]),
          ...rows.map(line),
          "",
        ]),
    ...(more > 0 ? [`${more} more`, ""] : []),
  ].join("\n");
}

/** Words, as most units are: nothing that Markdown takes for more. */
const WORDS = /^[\p{L} %/]*$/u;

/** A value with its unit. */
function numberCell(text: string, unit: string): string {
  return text === "" || WORDS.test(unit === "1" ? "" : unit) ? text : code(text);
}

/** Text as code that nothing in it ends: a fence longer than any in it, on one line. */
function code(text: string): string {
  const shown = withEscapes(text);
  const longest = Math.max(0, largestIn([...shown.matchAll(/`+/g)].map(([run]) => run.length)));
  const fence = "`".repeat(longest + 1);
  const room = longest > 0 ? " " : "";
  return `${fence}${room}${shown}${room}${fence}`;
}

/** What ended the job, one line per row, whatever a name or a unit holds: `mainSort: +10.7 M · +33.2 %`. */
export function failingText({ failing, metric }: CompareAnswer): string {
  const rows = failing.map(({ name, baseline, candidate }) => {
    return `  ${withEscapes(`${name}: ${differenceText(baseline, candidate, metric.unit)}`)}`;
  });
  return [`slower than --fail-above lets pass:`, ...rows].join("\n");
}
