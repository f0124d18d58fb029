/** Operations of a super graph as people read them, and as a command line. Pure. */
import type { DataSetInfo, GraphOperation, GroupRef, Scope } from "../../engine/api";
import { chosenText, memberRanges } from "../../model/members";
import { overRanksText } from "../../model/metrics";
import { type GroupChoice, groupNames } from "../../protocol/superGraph";
import { operationText } from "../../engine/graphs/operations";
import { counted, joined, shorten } from "../../model/texts";
import { restrictionTexts } from "../../session/scopeChoice";
import type { GraphStart } from "./graphSteps";

/** Characters of a name in a label; its end is kept too. */
const MAX_NAME = 60;
const MOST_LABEL = 400;

/** A group, or the bar of it that is numbered so, as bars are named on screen. */
export function groupRefName({ group, bar }: GroupRef): string {
  return bar === undefined || bar === 1 ? group : `${group} (${bar})`;
}

/** Labels of the start of steps: "hide below 0.1 %", "by file". The first picture may choose the filter. */
export function startLabels({ filter, groupBy }: Pick<GraphStart, "filter" | "groupBy">): string[] {
  return [...(filter === undefined ? [] : [filterLabel(filter)]), groupByLabel(groupBy)];
}

/** An operation in a few words: "split MPI by caller function". */
export function stepLabel(operation: GraphOperation): string {
  return shorten(labelOf(operation), MOST_LABEL);
}

function labelOf(operation: GraphOperation): string {
  switch (operation.kind) {
    case "filter":
      return filterLabel(operation.percent);
    case "group-by":
      return groupByLabel(operation.groupBy);
    case "split-by-entry": {
      const sets = operation.sets.map((set) => (set.length === 1 ? short(set[0]) : `{${set.map(short).join(", ")}}`));
      return `split ${refText(operation.target)} by entry ${sets.join(" ")}`;
    }
    case "split-by-caller":
      return `split ${refText(operation.target)} by caller ${operation.by}`;
    case "reveal":
      return `reveal ${short(operation.function)}${operation.target ? ` in ${refText(operation.target)}` : ""}`;
    default:
      return `${operation.kind} ${refText(operation.target)}`;
  }
}

/** What a command line needs of what is on screen. */
export interface CommandLine {
  readonly dataSet: Pick<DataSetInfo, "files" | "metrics">;
  readonly scope: Scope;
  /** Percent; undefined: the first picture chooses it. */
  readonly filter: number | undefined;
  readonly groupBy: GroupChoice;
  readonly operations: readonly GraphOperation[];
  /** Folders of source. */
  readonly sources: readonly string[];
  /** The other graph that is on screen with this one, in words. */
  readonly other?: string;
}

/** The command that gives the same graph, as a POSIX shell reads it, and what it cannot say. */
export function commandLine(what: CommandLine): { text: string; missing: string[] } {
  const { dataSet, scope, filter, groupBy, operations, sources, other } = what;
  const missing: string[] = [];
  const words = ["heatflow", "graph", ...dataSet.files.map(argument)];
  const metric = dataSet.metrics.at(scope.metric);
  if (metric) words.push("--metric", metric.name);
  words.push("--over", overRanksText(scope.over));
  const isFirst = groupBy === "first";
  if (isFirst) words.push("--first");
  else words.push("--filter", `${filter ?? 0}`, "--group-by", groupBy);
  if (isFirst && filter !== undefined) missing.push(`the filter of ${filter} % is not part of it`);
  if (isFirst && operations.length > 0)
    missing.push(
      `${counted(operations.length, "step")} on the first picture ${operations.length === 1 ? "is" : "are"} not part of it`,
    );
  if (groupBy === "map") missing.push("give your groups with --map FILE");
  if (scope.chosen?.by === "rank") words.push("--ranks", memberRanges(scope.chosen.members, "-").replaceAll(" ", ""));
  else if (scope.chosen) missing.push(`the restriction to ${chosenText(scope.chosen)} is not part of it`);
  const { window, kinds } = restrictionTexts(scope);
  const part = joined([window, kinds], ", ");
  if (part !== "") missing.push(`the restriction to ${part} is not part of it`);
  if (other !== undefined) missing.push(`${other} is not part of it`);
  for (const source of sources) words.push("--source", source);
  if (!isFirst) for (const operation of operations) words.push("--op", operationText(operation));
  return { text: words.map(quoted).join(" "), missing };
}

/** A file that begins with a dash must not be read as an option. */
function argument(file: string): string {
  return file.startsWith("-") ? `./${file}` : file;
}

/** As one word of a POSIX shell, whatever it holds. */
function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function filterLabel(percent: number): string {
  return percent === 0 ? "hide nothing" : `hide below ${percent} %`;
}

export function groupByLabel(groupBy: GroupChoice): string {
  return groupBy === "first" ? groupNames.first : `by ${groupNames[groupBy]}`;
}

function refText(ref: GroupRef): string {
  return short(groupRefName(ref));
}

function short(name: string): string {
  return shorten(name, MAX_NAME);
}
