/** A function's mean by the values of two parameters of runs, as JSON and as tables. */
import type { CallSite, Engine, EnsemblePivot, EnsembleRuns, EnsembleScope, EnsembleValue } from "../engine/api";
import { someOf } from "../model/texts";
import { formatValue } from "../model/units";
import { withEscapes } from "../model/unseen";
import { ArgumentError } from "./arguments";
import { columns } from "./openData";
import { placeJson } from "./sourceFolders";

export interface PivotOptions {
  readonly down: string;
  readonly along: string;
  /** A function's name; undefined: the runs' totals. */
  readonly function?: string;
  readonly value: EnsembleValue;
}

/** One table; of functions with one name each has its own. */
export interface FunctionPivot extends Pick<PivotOptions, "down" | "along" | "value"> {
  /** Undefined: the runs' totals. */
  readonly site?: CallSite;
  readonly pivot: EnsemblePivot;
}

/** @throws ArgumentError where there is no such parameter or function */
export async function pivotsOf(
  engine: Engine,
  scope: EnsembleScope,
  { parameters }: EnsembleRuns,
  { down, along, function: name, value }: PivotOptions,
): Promise<FunctionPivot[]> {
  const known = parameters.map((parameter) => parameter.name);
  for (const one of [down, along])
    if (!known.includes(one))
      throw new ArgumentError(`--pivot: there is no parameter '${one}'; there are ${someOf(known, 20)}`);
  const ask = (id?: number) =>
    engine.ensemblePivot({ scope, down, along, value, ...(id === undefined ? {} : { function: id }) });
  if (name === undefined) return [{ down, along, value, pivot: await ask() }];
  const callSites = await engine.ensembleCallSites({ scope });
  const sites = callSites.filter((site) => site.name === name);
  if (sites.length === 0) {
    const names = [...new Set(callSites.map((site) => site.name))];
    throw new ArgumentError(`--function: there is no function '${name}'; there are ${someOf(names, 20)}`);
  }
  const pivots: FunctionPivot[] = [];
  for (const site of sites) pivots.push({ down, along, value, site, pivot: await ask(site.function) });
  return pivots;
}

export function pivotsJson(pivots: readonly FunctionPivot[], sources: readonly string[]) {
  return pivots.map(({ down, along, value, site, pivot }) => ({
    ...(site ? { function: site.name, ...placeJson(site, sources) } : { function: null }),
    value,
    down,
    along,
    rows: pivot.rows,
    columns: pivot.columns,
    cells: pivot.cells.map((row) =>
      row.map((cell) => cell && { mean: cell.values > 0 ? cell.mean : null, values: cell.values, runs: cell.runs }),
    ),
  }));
}

/** A table a pivot, with a line above that says what it is of. */
export function pivotTexts(pivots: readonly FunctionPivot[], unit: string, width: number | undefined): string[] {
  return pivots.flatMap(({ down, along, value, site, pivot }) => {
    const what = site ? `${site.name}, ${value}` : "totals of runs";
    const valueText = (one: EnsemblePivot["rows"][number]) => (one === null ? "(none)" : String(one));
    return [
      "",
      withEscapes(`${what}: mean (runs) by ${down} down, ${along} along`),
      ...columns(
        [
          [down, ...pivot.columns.map((one) => `${along} ${valueText(one)}`)],
          ...pivot.rows.map((one, row) => [valueText(one), ...pivot.cells[row].map((cell) => cellText(cell, unit))]),
        ],
        width,
      ),
    ];
  });
}

/** Nothing where no run has both values; `0 of 3` where none of them has the function. */
function cellText(cell: EnsemblePivot["cells"][number][number], unit: string): string {
  if (!cell) return "";
  const { values, runs, mean } = cell;
  if (values === 0) return `0 of ${runs}`;
  return `${formatValue(mean, unit)} (${values === runs ? runs : `${values} of ${runs}`})`;
}
