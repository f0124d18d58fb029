/** What is known of each run: its parameters and results, one column for each. */

/** One value per run; NaN or null where a run has none. */
export type RunColumn =
  | { readonly name: string; readonly kind: "number"; readonly values: Float64Array }
  | { readonly name: string; readonly kind: "text"; readonly values: readonly (string | null)[] };

/** Whether a run has a value. */
export function hasValue({ values }: RunColumn, run: number): boolean {
  const value = values[run];
  return typeof value === "number" ? Number.isFinite(value) : value !== null;
}

/** Words at the end of a column's name that say that its values are moments, or names of single runs. */
const MOMENT =
  /(^|[^a-z])(date|time ?stamp|(launch|submit|build) ?(date|time)|(start|begin|end|stop|finish) ?time|start|end|when|epoch|time of day)( (n|u|m)?s(ec(ond)?s?)?)?$/i;
/** Words in the name of a column that may be of moments, as numbers since 1970. */
const MAY_BE_MOMENT = /time|date|clock|launch|start|begin|finish|stamp/i;
/** Seconds since 1970: from 2001 on, as far as 32 bits go; with thousandths, millionths and so on, as many times that. */
const EPOCH: readonly [from: number, to: number] = [1e9, 2 ** 32];
const IDENTIFIER = /(^|[^a-z])(id|uuid|guid|pid|job|jobid|hash|seed)$/i;
const PATH = /^(\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\|file:)|[^/\s]\/[^/\s]*\//;
const CLOCK = /\d{1,2}:\d{2}|^\d{4}-\d{2}-\d{2}/;

/**
 * The columns that runs are first projected by (semantics 10, Projection): those with at least two values that are not paths, times of
 * day or identifiers of their own for each run. What a text is shows in its values; what a number is, in the column's name.
 */
export function isToldApartBy(column: RunColumn): boolean {
  const values = presentValues(column);
  const distinct = new Set<string | number>(values).size;
  if (distinct < 2) return false;
  if (column.kind === "number")
    return !isMoment(column) && !(IDENTIFIER.test(words(column.name)) && distinct === values.length);
  const texts = values as string[];
  if (texts.some((text) => PATH.test(text)) || texts.every((text) => CLOCK.test(text))) return false;
  return distinct < texts.length || texts.length < 3;
}

function isMoment(column: RunColumn): boolean {
  const values = presentValues(column) as number[];
  const isSince1970 = [1, 1e3, 1e6, 1e9].some((per) =>
    values.every((value) => value >= EPOCH[0] * per && value < EPOCH[1] * per),
  );
  return MOMENT.test(words(column.name)) || (isSince1970 && MAY_BE_MOMENT.test(column.name));
}

/** Values that runs have, in the order of the runs. */
export function presentValues(column: RunColumn): (number | string)[] {
  return column.kind === "number"
    ? [...column.values].filter(Number.isFinite)
    : column.values.filter((text) => text !== null);
}

/** `launchDate`, `launch_date` and `launch.date` as `launch Date`, `launch date`. */
function words(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_.-]+/g, " ");
}
