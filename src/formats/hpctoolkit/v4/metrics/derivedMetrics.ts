import type { ContextTree } from "../../../../model/contextTree";
import { NONE } from "../../../../model/ids";
import { appendAll } from "../../../../model/longLists";
import type { MetricKind } from "../../../../model/metrics";
import type { Task } from "../../../../model/task";
import type { SparseValues } from "../../../../model/values";
import { namedMetric } from "../../metricUnits";
import type { ContextIds } from "../assemble/contextIds";
import { evaluate, type Formula, type FormulaInput, inputsOf } from "./formula";
import type { MetaMetric } from "../scan/metaDb";
import type { DerivedMetric } from "./metricTree";
import type { ProfileDb } from "../scan/profileDb";
import type { MetricValues } from "../assemble/values";

const combinations = ["sum", "min", "max"];

/** Contexts between two checks of the task. */
const TOLD_EVERY = 256;

/** The metrics of a taxonomy whose formulas need only values that the database has. */
export function computable(derived: readonly DerivedMetric[], metrics: readonly MetaMetric[]): DerivedMetric[] {
  const idOf = statisticIds(metrics);
  const known = (formula: Formula | undefined): Formula | undefined =>
    formula && inputsOf(formula).every((input) => idOf(input) !== NONE) ? formula : undefined;
  return derived
    .map(({ path, inclusive, exclusive }) => ({ path, inclusive: known(inclusive), exclusive: known(exclusive) }))
    .filter(({ inclusive, exclusive }) => inclusive ?? exclusive);
}

/**
 * Adds computable metrics of a taxonomy, from the values of the summary over all threads. They do not add up: ratios and such
 * are shown beside others.
 *
 * @param location of values over all threads
 */
export async function addDerived(
  made: MetricValues,
  derived: readonly DerivedMetric[],
  db: ProfileDb,
  metrics: readonly MetaMetric[],
  tree: ContextTree,
  contexts: ContextIds,
  location: number,
  task: Task,
): Promise<void> {
  const idOf = statisticIds(metrics);
  const formulas = derived.flatMap(({ inclusive, exclusive }) =>
    [inclusive, exclusive].filter((one) => one !== undefined),
  );
  const columns = await summaryColumns(db, new Set(formulas.flatMap(inputsOf).map(idOf)), tree.size, contexts, task);
  const names = new Set(made.metrics.map(({ name }) => name));
  const add = (formula: Formula | undefined, name: string, recordedName: string) => {
    if (formula === undefined) return;
    const values = valuesOf(formula, idOf, columns, tree.size, location, task);
    if (values.value.length === 0) return;
    const note = "computed by a formula of the database from sums over all threads";
    made.metrics.push({
      name,
      recordedName,
      ...quantityOf(name, formula),
      additive: false,
      reducedOverRanks: true,
      note,
    });
    made.values.push(values);
  };
  for (const { path, inclusive, exclusive } of derived) {
    const [short, long] = [path[path.length - 1], path.join(" / ")];
    const name = [short, long].find((one) => !names.has(one)) ?? `${long} (computed)`;
    names.add(name);
    add(inclusive, name, long);
    add(exclusive, `${name} (exclusive)`, long);
  }
}

/** What its name says, else what all that it adds up is; a plain number where they differ, and of ratios. */
function quantityOf(name: string, formula: Formula): { unit: string; kind: MetricKind } {
  const level = { unit: "1", kind: "level" } as const;
  const units = [namedMetric(name)].filter(({ unit }) => unit !== "1");
  const isSum = formula.kind === "call" && formula.name === "sum";
  if (units.length === 0 && isSum)
    appendAll(
      units,
      inputsOf(formula).map(({ metric }) => namedMetric(metric)),
    );
  const [first] = units;
  const agree = units.every(
    ({ unit, divisor, factor }) => unit === first.unit && divisor === undefined && factor === undefined,
  );
  return units.length > 0 && agree ? { unit: first.unit, kind: first.kind } : level;
}

/** The id that the summary has for an input, NONE where it has none. */
function statisticIds(metrics: readonly MetaMetric[]): (input: FormulaInput) => number {
  const key = (parts: readonly string[]) => JSON.stringify(parts);
  const known = new Map<string, number>();
  for (const { name, statistics } of metrics)
    for (const { scope, formula, combine, id } of statistics)
      known.set(key([name, scope.name, formula.replace(/\s+/g, ""), combinations[combine] ?? ""]), id);
  return ({ metric, scope, formula, combine }) => known.get(key([metric, scope, formula, combine])) ?? NONE;
}

/** Values of the summary by context, one column per statistic that some formula needs. */
async function summaryColumns(
  db: ProfileDb,
  ids: ReadonlySet<number>,
  size: number,
  contexts: ContextIds,
  task: Task,
): Promise<ReadonlyMap<number, Float64Array>> {
  const columns = new Map([...ids].map((id) => [id, new Float64Array(size)]));
  const summary = db.profiles.find(({ isSummary }) => isSummary);
  if (summary === undefined || columns.size === 0) return columns;
  for await (const { count, context, metric, value } of db.read(summary, task)) {
    for (let row = 0; row < count; row++) {
      const column = columns.get(metric[row]);
      const at = column === undefined || context[row] === 0 ? NONE : contexts.find(context[row]);
      if (column !== undefined && at !== NONE) column[at] += value[row];
    }
  }
  return columns;
}

function valuesOf(
  formula: Formula,
  idOf: (input: FormulaInput) => number,
  columns: ReadonlyMap<number, Float64Array>,
  size: number,
  location: number,
  task: Task,
): SparseValues {
  const byInput = new Map(
    inputsOf(formula).map((input) => [input, columns.get(idOf(input)) ?? new Float64Array(size)]),
  );
  const used = [...new Set(byInput.values())];
  const rowStart = new Int32Array(size + 1);
  const found: number[] = [];
  let at = 0;
  const valueOf = (input: FormulaInput) => byInput.get(input)?.[at] ?? 0;
  for (at = 0; at < size; at++) {
    if (at % TOLD_EVERY === 0) task.check();
    // Nothing is stored here: a formula of constants alone is no measurement.
    const value = used.some((column) => column[at] !== 0) ? evaluate(formula, valueOf) : 0;
    if (Number.isFinite(value) && value !== 0) found.push(value);
    rowStart[at + 1] = found.length;
  }
  return { rowStart, column: new Int32Array(found.length).fill(location), value: Float64Array.from(found) };
}
