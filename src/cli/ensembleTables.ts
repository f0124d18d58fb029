/** What `heatflow ensemble` prints for people: runs, bars, flows, functions, and what differs. */
import { shortCommits } from "../model/commitNames";
import { changeText, signed } from "../model/differences";
import { counted, someOf } from "../model/texts";
import { formatEfficiency, formatShare, formatValue } from "../model/units";
import { withEscapes } from "../model/unseen";
import type { OverRanks } from "../model/metrics";
import { untestedRuns } from "../engine/ensembles/untestedRuns";
import type { EnsembleAnswer } from "./ensembleAnswer";
import { pivotTexts } from "./ensemblePivot";
import { columns } from "./openData";
import { placeText } from "./sourceFolders";

/** Parameters that are shown beside each run. */
const MOST_PARAMETERS = 4;
/** Rows of functions: the JSON has all. */
const MAX_ROWS = 20;

/** @param width of the terminal; undefined: names are whole */
export function ensembleTables(answer: EnsembleAnswer, width?: number): string {
  const { info, graph, scope } = answer;
  return [
    withEscapes(`${info.name}: ${graph.metric}, ${overText(scope.over)}; grouped by ${graph.groupBy}`),
    ...table(runsTable(answer), width),
    ...table(barsTable(answer), width),
    ...table(flowsTable(answer), width),
    ...table(functionsTable(answer), width),
    ...table(parametersTable(answer), width),
    ...firstText(answer),
    ...scalingText(answer),
    ...table(scalingTable(answer), width),
    ...table(differencesTable(answer), width),
    ...changesText(answer),
    ...table(changesTable(answer), width),
    ...pivotTexts(answer.pivots ?? [], graph.unit, width),
    "",
  ].join("\n");
}

function overText(over: OverRanks): string {
  return typeof over === "string" ? `${over} over ranks` : `rank ${over.rank}`;
}

function table(rows: readonly (readonly string[])[], width: number | undefined): string[] {
  return rows.length > 1 ? ["", ...columns(rows, width)] : [];
}

function runsTable({ runs, graph }: EnsembleAnswer): string[][] {
  // What differs from run to run says more than what each run has for itself.
  const shown = runs.parameters
    .filter(({ values }) => values > 1 && 2 * values <= runs.runs.length)
    .slice(0, MOST_PARAMETERS);
  return [
    ["run", ...shown.map(({ name }) => name), "total"],
    ...runs.runs.map(({ name, metadata, total }) => [
      name,
      ...shown.map((parameter) => (Object.hasOwn(metadata, parameter.name) ? metadata[parameter.name] : "")),
      Number.isNaN(total) ? "" : formatValue(total, graph.unit),
    ]),
  ];
}

function barsTable({ graph }: EnsembleAnswer): string[][] {
  const { bars, values, unit } = { ...graph, values: graph.values?.inclusive };
  const own = graph.runs.length;
  return [
    ["group", "level", "inclusive", "exclusive", "runs"],
    ...bars.id.map((id, bar) => {
      const inclusive = values?.subarray(bar * own, (bar + 1) * own) ?? new Float64Array();
      const exclusive = graph.values?.exclusive.subarray(bar * own, (bar + 1) * own) ?? new Float64Array();
      return [
        id,
        String(bars.level[bar]),
        rangeText(inclusive, unit),
        rangeText(exclusive, unit),
        bars.runs[bar] === own ? "all" : `in ${bars.runs[bar]} of ${own}`,
      ];
    }),
  ];
}

/** `57.7 ms – 1.10 s`; one value where all are shown alike. */
function rangeText(values: Float64Array, unit: string): string {
  const own = values.filter((value) => !Number.isNaN(value)).sort();
  if (own.length === 0) return "";
  const [least, most] = [own[0], own[own.length - 1]].map((value) => formatValue(value, unit));
  return least === most ? least : `${least} – ${most}`;
}

function flowsTable({ graph }: EnsembleAnswer): string[][] {
  const { bars, edges, unit } = graph;
  return [
    ["flow", "at most", "of source", "of target"],
    ...Array.from({ length: edges.size }, (_, edge) => [
      `${bars.id[edges.source[edge]]} -> ${bars.id[edges.target[edge]]}`,
      formatValue(edges.most[edge], unit),
      formatShare(edges.sourceEnd[edge]),
      formatShare(edges.targetEnd[edge]),
    ]),
  ];
}

function functionsTable({ callSites, graph, sources }: EnsembleAnswer): string[][] {
  return [
    ["function", "min", "median", "max", "mean", "values", "outliers", "line"],
    ...callSites
      .slice(0, MAX_ROWS)
      .map(({ name, plot, ...place }) => [
        name,
        ...[plot.min, plot.median, plot.max, plot.mean].map((value) => formatValue(value, graph.unit)),
        String(plot.values),
        String(plot.outliers.length),
        placeText(place, sources),
      ]),
  ];
}

/** Parameters that explain a share of the variance of the runs' totals. */
function parametersTable({ parameters }: EnsembleAnswer): string[][] {
  const having = parameters.filter(({ weight }) => weight > 0).slice(0, MAX_ROWS);
  return [["parameter", "explains of totals"], ...having.map(({ name, weight }) => [name, formatShare(weight)])];
}

/** The parameter that scaling starts with in a window. */
function firstText({ first, runs: { scaling } }: EnsembleAnswer): string[] {
  if (!first) return [];
  const { parameter, offered, alsoText } = scaling;
  if (parameter === undefined) {
    const advice =
      offered.length === 0
        ? "No number differs between the runs."
        : `Choose one with --scaling: ${someOf(offered, MAX_ROWS)}`;
    return ["", withEscapes(`Scaling starts over no parameter. ${advice}`)];
  }
  const others = offered.filter((name) => name !== parameter);
  const choices = others.length === 0 ? "" : ` (other parameters: ${someOf(others, MAX_ROWS)})`;
  return ["", withEscapes(`Scaling starts over ${parameter}${choices}`), ...alsoLine(alsoText)];
}

/** @param text "" if nothing also differs */
function alsoLine(text: string): string[] {
  return text === "" ? [] : [withEscapes(`Also different: ${text}`)];
}

/** The first finding as a sentence, why it is weak or strong, and what else differs between the runs. */
function scalingText({ scaling, graph, sources }: EnsembleAnswer): string[] {
  if (!scaling) return [];
  const [first] = scaling.functions;
  const lost = first?.lost[first.lost.length - 1] ?? NaN;
  const { n, parameter, reason } = scaling;
  const also = alsoLine(scaling.alsoText);
  if (!(lost > 0)) return ["", withEscapes(`Scaling over ${parameter}, ${reason}: nothing loses time.`), ...also];
  const place = placeText(first, sources);
  const values = `at ${parameter} = ${n[n.length - 1]}`;
  return [
    "",
    withEscapes(
      `${first.name} loses most ${values}: ${formatValue(lost, graph.unit)} of ${formatValue(first.time[n.length - 1], graph.unit)}${place === "" ? "" : `, ${place}`}`,
    ),
    withEscapes(`Scaling over ${parameter}, ${reason}`),
    ...also,
  ];
}

function scalingTable({ scaling, graph, sources }: EnsembleAnswer): string[][] {
  if (!scaling) return [];
  const value = (one: number) => (Number.isNaN(one) ? "" : formatValue(one, graph.unit));
  return [
    ["function", ...Array.from(scaling.n, (n) => `${scaling.parameter} ${n}`), "efficiency", "lost", "line"],
    ...scaling.functions
      .slice(0, MAX_ROWS)
      .map(({ name, time, efficiency, lost, ...place }) => [
        name,
        ...Array.from(time, value),
        Number.isNaN(efficiency[efficiency.length - 1])
          ? ""
          : formatEfficiency(efficiency[efficiency.length - 1], scaling.also.length > 0),
        value(lost[lost.length - 1]),
        placeText(place, sources),
      ]),
  ];
}

function differencesTable({ differences, graph, sources }: EnsembleAnswer): string[][] {
  if (!differences) return [];
  const value = (one: number | null) => (one === null ? "" : formatValue(one, graph.unit));
  return [
    ["function", "baseline", "candidate", "difference", "ratio", "slower in", "p", "line"],
    ...differences.rows
      .slice(0, MAX_ROWS)
      .map(({ name, baseline, candidate, difference, ...row }) => [
        name,
        value(baseline),
        value(candidate),
        signed(difference, graph.unit),
        changeText(baseline, candidate),
        `${row.slowerIn} of ${counted(row.of, "run")}`,
        row.p === null ? "" : row.p.toPrecision(2),
        placeText(row, sources),
      ]),
  ];
}

/** What is tested along the history, and what is not. */
function changesText({ changes }: EnsembleAnswer): string[] {
  if (!changes) return [];
  const left = untestedRuns(changes);
  const tested = `${counted(changes.isTested.filter((one) => one === 1).length, "run")} along the history`;
  const functions =
    changes.tested > 0 && changes.tested < changes.varying
      ? `; of ${changes.varying} functions that differ, the ${changes.tested} that differ most`
      : "";
  const nothing = changes.changes.length === 0 ? "; no function changes at a commit" : "";
  return ["", `${tested}${functions}${left.length === 0 ? "" : `; left out: ${left.join(", ")}`}${nothing}`];
}

function changesTable({ changes, graph, sources }: EnsembleAnswer): string[][] {
  if (!changes) return [];
  const rows = changes.changes.slice(0, MAX_ROWS);
  // As short as tells all that the table names from each other.
  const commits = rows.flatMap(({ before, after }) => [before, after]);
  const short = new Map(shortCommits(commits).map((text, at) => [commits[at], text]));
  return [
    ["function", "before", "after", "difference", "ratio", "from commit", "to commit", "p", "line"],
    ...rows.map(({ name, before, after, means, p, ...place }) => [
      name,
      ...means.map((one) => formatValue(one, graph.unit)),
      signed(means[1] - means[0], graph.unit),
      changeText(means[0], means[1]),
      ...[before, after].map((commit) => short.get(commit) ?? commit),
      p.toPrecision(2),
      placeText(place, sources),
    ]),
  ];
}
