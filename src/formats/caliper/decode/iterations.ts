import { entryOf } from "../../../model/maps";
import type { Series } from "../../../model/series";
import type { Task } from "../../../model/task";
import { IntColumn, FloatColumn } from "../../../model/columns";
import { BLOCKS, TIME_STEPS } from "../names/details";
import { parseMetricName } from "../names/metricNames";
import type { Column } from "../names/quantities";

/** Values of one quantity by iteration of one loop, as they arrive. */
export interface IterationRows {
  readonly loop: string;
  readonly column: Column;
  readonly context: IntColumn;
  readonly location: IntColumn;
  readonly iteration: FloatColumn;
  readonly value: FloatColumn;
}

/** Values by iteration, of the quantities that add up. */
export class Iterations {
  readonly all: IterationRows[] = [];
  private readonly byLoop = new Map<string, Map<Column, IterationRows>>();

  /** Series for values of this column and loop. @returns undefined if they do not add up over iterations */
  rows(loop: string, column: Column): IterationRows | undefined {
    const { role, inclusive } = parseMetricName(column.quantity.name);
    if (role !== "sum" || inclusive) return undefined;
    const columns = entryOf(this.byLoop, loop, () => new Map());
    return entryOf(columns, column, () => {
      const rows: IterationRows = {
        loop,
        column,
        context: new IntColumn(),
        location: new IntColumn(),
        iteration: new FloatColumn(),
        value: new FloatColumn(),
      };
      this.all.push(rows);
      return rows;
    });
  }
}

export function addIteration(
  rows: IterationRows,
  context: number,
  location: number,
  iteration: number,
  value: number,
): void {
  if (!Number.isFinite(iteration) || !Number.isFinite(value)) return;
  rows.context.push(context);
  rows.location.push(location);
  rows.iteration.push(iteration);
  rows.value.push(value);
}

/** Rows of one recording, with final numbers of contexts and locations. */
export interface IterationPart {
  readonly rows: IterationRows;
  readonly contextOf: Int32Array;
  readonly locationOf: Int32Array;
}

/**
 * One series of the parts, in canonical order: by iteration, context, location.
 *
 * @param contexts number of contexts of the final tree
 * @param factor recorded numbers times this, divided by `divisor`, are in the metric's unit
 */
export function seriesOf(
  name: string,
  metric: number,
  parts: readonly IterationPart[],
  contexts: number,
  locations: number,
  { factor, divisor }: { readonly factor: number; readonly divisor: number },
  task: Task,
): Series {
  const size = parts.reduce((sum, { rows }) => sum + rows.context.length, 0);
  const context = new Int32Array(size);
  const location = new Int32Array(size);
  const iteration = new Float64Array(size);
  const value = new Float64Array(size);
  let filled = 0;
  for (const { rows, contextOf, locationOf } of parts) {
    const count = rows.context.length;
    for (let at = 0; at < count; at++) {
      context[filled + at] = contextOf[rows.context.values[at]];
      location[filled + at] = locationOf[rows.location.values[at]];
    }
    iteration.set(rows.iteration.values.subarray(0, count), filled);
    value.set(rows.value.values.subarray(0, count), filled);
    filled += count;
  }
  // Least significant key first, each pass stable: linear in the number of rows, whatever their order.
  const distinct = Float64Array.from(new Set(iteration)).sort();
  const rankOf = new Map(Array.from(distinct, (one, rank) => [one, rank]));
  const rank = Int32Array.from(iteration, (one) => rankOf.get(one) ?? 0);
  let order = Int32Array.from({ length: size }, (_, at) => at);
  task.check();
  for (const [key, keys] of [
    [location, locations] as const,
    [context, contexts] as const,
    [rank, distinct.length] as const,
  ]) {
    order = sortedBy(order, key, keys);
    task.check();
  }
  const same = (a: number, b: number) =>
    rank[a] === rank[b] && context[a] === context[b] && location[a] === location[b];
  let rows = 0;
  const series = {
    iteration: new Float64Array(size),
    context: new Int32Array(size),
    location: new Int32Array(size),
    value: new Float64Array(size),
  };
  for (let from = 0; from < size;) {
    let to = from + 1;
    while (to < size && same(order[from], order[to])) to++;
    const [own] = order.subarray(from, to);
    series.iteration[rows] = iteration[own];
    series.context[rows] = context[own];
    series.location[rows] = location[own];
    series.value[rows] = (sumOf(value, order.subarray(from, to)) * factor) / divisor;
    rows++;
    from = to;
  }
  return {
    name,
    metric,
    rows,
    iteration: series.iteration.slice(0, rows),
    context: series.context.slice(0, rows),
    location: series.location.slice(0, rows),
    value: series.value.slice(0, rows),
  };
}

/** Sums in ascending order, so that the result does not depend on the order of records. */
function sumOf(values: Float64Array, rows: Int32Array): number {
  if (rows.length === 1) return values[rows[0]];
  return Float64Array.from(rows, (row) => values[row])
    .sort()
    .reduce((sum, value) => sum + value);
}

/** Counting sort of rows by a key below `keys`, stable. */
function sortedBy(order: Int32Array, key: Int32Array, keys: number): Int32Array<ArrayBuffer> {
  const next = new Int32Array(keys + 1);
  for (const row of order) next[key[row] + 1]++;
  for (let at = 0; at < keys; at++) next[at + 1] += next[at];
  const sorted = new Int32Array(order.length);
  for (const row of order) sorted[next[key[row]]++] = row;
  return sorted;
}

/**
 * Names of the series that are kept. Blocks of iterations are named by the loop of other records. Time steps are kept only if there are no
 * blocks.
 *
 * @param loops all that were found
 * @param named loops that iteration attributes of the recordings name
 */
export function seriesNames(loops: ReadonlySet<string>, named: ReadonlySet<string>): Map<string, string> {
  const names = new Map<string, string>();
  const [loop, other] = named;
  for (const one of [...loops].sort()) {
    if (one === BLOCKS) names.set(one, loop !== undefined && other === undefined ? loop : "loop");
    else if (one !== TIME_STEPS) names.set(one, one);
    else if (!loops.has(BLOCKS)) names.set(one, "time step");
  }
  return names;
}
