/** Which quantities are rows, and how these stand below each other. Pure. */
import type { CounterFacts, CounterSums } from "../../engine/api";
import { MOST_ROWS, type MetricsState, type RowOrder } from "../../protocol/metrics";
import { smallestIn } from "../../model/longLists";

/** Names of quantities that the restriction leaves, as recorded. */
export function quantitiesOf({ rows }: CounterFacts): readonly string[] {
  return [...new Set(rows.filter(({ isLeft }) => isLeft).map(({ name }) => name))];
}

/** Rows whose value changes during the run. */
export function changingRows({ rows: facts }: CounterFacts, rows: readonly number[]): readonly number[] {
  return rows.filter((row) => facts[row].most > facts[row].least);
}

/**
 * Rows that are shown, in the recording's order; of more than a message holds those that vary most over the run.
 *
 * @param wanted `quantity`: the name of the rows, else all that change, or all if none does; `constant`: rows that do not change as well
 * @returns `more`: rows without room; `constant`: rows that are left out since they do not change
 */
export function shownRows(
  facts: CounterFacts,
  { variance }: Pick<CounterSums, "variance">,
  { quantity, constant = false }: Pick<MetricsState, "quantity" | "constant">,
): { readonly rows: readonly number[]; readonly more: number; readonly constant: number } {
  const named = facts.rows.flatMap(({ isLeft, name }, row) =>
    isLeft && (quantity === undefined || name === quantity) ? [row] : [],
  );
  const changing = constant || quantity !== undefined ? named : changingRows(facts, named);
  const wanted = changing.length > 0 ? changing : named;
  const kept = byVariance(wanted, variance).slice(0, MOST_ROWS);
  return {
    rows: kept.sort((a, b) => a - b),
    more: wanted.length - kept.length,
    constant: named.length - wanted.length,
  };
}

/** Rows as they stand below each other; equal ones as recorded. @returns places in the list of rows */
export function orderOf(
  { rows: facts, resources }: CounterFacts,
  rows: readonly number[],
  { variance }: Pick<CounterSums, "variance">,
  order: RowOrder,
): number[] {
  const places = [...rows.keys()];
  switch (order) {
    case "recorded":
      return places;
    case "variance":
      return byVariance(
        places,
        rows.map((row) => variance[row]),
      );
    case "name": {
      const text = (place: number) => {
        const { name, resource } = facts[rows[place]];
        return `${name} ${resources.at(resource)?.name ?? ""}`;
      };
      // "rank 10" after "rank 9".
      return places.sort((a, b) => text(a).localeCompare(text(b), "en", { numeric: true }) || a - b);
    }
  }
}

/** The largest first; those without any last. */
function byVariance(all: readonly number[], variance: ArrayLike<number>): number[] {
  const known = (one: number) => (Number.isNaN(variance[one]) ? -1 : variance[one]);
  return [...all].sort((a, b) => known(b) - known(a) || a - b);
}

/** Rows of what lanes are: of the parts of it, else of the smallest that holds it all. @returns places in the list of rows */
export function rowsAt({ rows: facts }: CounterFacts, rows: readonly number[], lanes: readonly number[]): number[] {
  const wanted = new Set(lanes);
  const places = [...rows.keys()].filter((place) => facts[rows[place]].lanes.length > 0);
  const parts = places.filter((place) => facts[rows[place]].lanes.every((lane) => wanted.has(lane)));
  if (parts.length > 0 || lanes.length === 0) return parts;
  const holding = places.filter((place) => lanes.every((lane) => facts[rows[place]].lanes.includes(lane)));
  const least = smallestIn(holding.map((place) => facts[rows[place]].lanes.length));
  return holding.filter((place) => facts[rows[place]].lanes.length === least);
}
