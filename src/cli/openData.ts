/** What every command reads: its arguments, and opening what they name. */
import path from "node:path";
import type { DataSetInfo, Engine, Hierarchy, OpenRequest } from "../engine/api";
import { AmbiguityError, RequestError } from "../model/errors";
import type { OverRanks } from "../model/metrics";
import { shorten } from "../model/texts";
import { withEscapes } from "../model/unseen";
import { ArgumentError, wordOf } from "./arguments";
import { filePatterns } from "./filePatterns";

/** Begins the warning of files that could be several things. */
const TAKEN_AS = "the files are taken as ";
const hierarchies: readonly Hierarchy[] = ["combined", "regions", "callPaths"];

/** Options that every command has. */
export const dataOptions = {
  hierarchy: { type: "string", default: "combined" },
  as: { type: "string" },
} as const;

/** @throws ArgumentError */
export function dataRequest(
  command: string,
  positionals: readonly string[],
  values: { readonly hierarchy: string; readonly as?: string },
  workingFolder: string,
): OpenRequest {
  if (positionals.length === 0) throw new ArgumentError(`${command} needs at least one file or folder to read`);
  // Resolved, it would be the working folder: a script's variable that is not set must not read that.
  if (positionals.includes("")) throw new ArgumentError(`${command}: an empty name is no file or folder`);
  return {
    paths: positionals.map((data) => path.resolve(workingFolder, data)),
    hierarchy: wordOf(values.hierarchy, hierarchies, "--hierarchy"),
    answer: values.as,
  };
}

/**
 * Opens what a command names. Where files could be several things, and one of them is taken for want of an answer, the first
 * recording has a warning that says so.
 *
 * @throws ArgumentError where only an answer says what the files are
 */
export async function openData(engine: Engine, request: OpenRequest): Promise<DataSetInfo[]> {
  try {
    return await engine.open(request);
  } catch (problem) {
    if (!(problem instanceof AmbiguityError)) throw problem;
    const { otherwise, choices } = problem;
    if (otherwise !== undefined && request.answer === undefined) {
      const [first, ...others] = await engine.open({ ...request, answer: otherwise });
      const [taken, ...rest] = [...choices].sort((a, b) => Number(b.id === otherwise) - Number(a.id === otherwise));
      const message = `${TAKEN_AS}${taken.label}; ${rest.map(({ id, label }) => `--as ${id} takes them as ${label}`).join(", ")}`;
      return [{ ...first, warnings: [{ message }, ...first.warnings] }, ...others];
    }
    const wrong = request.answer === undefined ? "" : `--as: there is no answer '${request.answer}'. `;
    const answers = problem.choices.map(({ id, label, detail }) => `  --as ${id}   ${label}: ${detail}`);
    throw new ArgumentError([`${wrong}${problem.question} Say it with`, ...answers].join("\n"));
  }
}

/** @throws RequestError where the files belong to several runs */
export function onlyOne(dataSets: readonly DataSetInfo[]): DataSetInfo {
  if (dataSets.length === 1) return dataSets[0];
  const list = dataSets.map(({ name, files }) => {
    const patterns = filePatterns(files);
    // A comment, so that the whole line can be pasted.
    return patterns.endsWith(name) ? `  ${patterns}` : `  ${patterns}  # ${name}`;
  });
  const taken = dataSets[0].warnings.filter(({ message }) => message.startsWith(TAKEN_AS));
  const hint = taken.map(({ message }) => `\n${message}`).join("");
  throw new RequestError(
    `these files belong to ${dataSets.length} runs; give the files of one:\n${list.join("\n")}${hint}`,
  );
}

/** The metric that `--metric` names; of several of one name the first. @throws ArgumentError */
export function metricNamed(dataSet: DataSetInfo, name: string): number {
  const index = dataSet.metrics.findIndex((metric) => metric.name === name);
  const recorded = dataSet.metrics.findIndex((metric) => metric.recordedName === name);
  if (index >= 0 || recorded >= 0) return index >= 0 ? index : recorded;
  throw new ArgumentError(
    `--metric: there is no '${name}'; there is ${dataSet.metrics.map((metric) => metric.name).join(", ") || "none"}`,
  );
}

/** The rank that `--over rank=N` asks for. */
export function rankOf(over: OverRanks): readonly number[] {
  return typeof over === "string" ? [] : [over.rank];
}

/** @param instead what can be chosen where there are no ranks @throws ArgumentError where a recording does not have one of these ranks */
export function checkRanks({ name, ranks }: DataSetInfo, asked: readonly number[], instead = ""): void {
  const missing = asked.find((rank) => !ranks.includes(rank));
  if (missing === undefined) return;
  if (ranks.length === 0) throw new ArgumentError(`${withEscapes(name)} has no ranks${instead}`);
  const range = `it has ${ranks.length}, from ${ranks[0]} to ${ranks[ranks.length - 1]}`;
  throw new ArgumentError(`${withEscapes(name)} has no rank ${missing}; ${range}`);
}

/** Characters that names are cut to at the least, so that a line fits into a terminal. */
const FEWEST_CHARACTERS = 20;

/**
 * Rows as lines of text that no name in them can break, the first column to the left, all others to the right.
 *
 * @param width characters of the terminal, which the first column is cut for; undefined: it is whole
 */
export function columns(recorded: readonly (readonly string[])[], width?: number): string[] {
  const whole = recorded.map((row) => row.map(withEscapes));
  const rest = whole.map(([, ...cells]) => cells);
  const others = (rest.at(0) ?? []).map((_, at) => rest.reduce((widest, row) => Math.max(widest, row[at].length), 0));
  const room = width === undefined ? Infinity : width - others.reduce((sum, one) => sum + 2 + one, 0);
  const rows = whole.map(([name, ...cells]) => [shorten(name, Math.max(FEWEST_CHARACTERS, room)), ...cells]);
  const widths = rows[0].map((_, column) => rows.reduce((widest, row) => Math.max(widest, row[column].length), 0));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join("  ")
      .trimEnd(),
  );
}
