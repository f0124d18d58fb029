/** Texts of the calls on a line, as long as the editor has room for (semantics 4). Pure. */
import type { CallCost } from "../engine/api";
import { groupBy } from "../model/maps";
import { functionName } from "../model/functionName";
import { shortName } from "../model/shortName";
import { compareText } from "../model/strings";
import { formatValue } from "../model/units";

/** A callee and its inclusive cost. */
export interface CallText {
  readonly name: string;
  /** `2.40 s`, `2.40 s (one of 2 places)`. */
  readonly cost: string;
}

/** More callees than these are counted, not named. */
const MAX_CALLEES = 3;
/** Characters of a callee's name: with room, then shorter. */
const NAME_LENGTHS = [40, 32, 24, 18, 12] as const;
const SHORTEST_NAME = 12;
/** Characters at the end of a name in which its last part is looked for. */
const MAX_PART = 250;
/** Sign before the callee of a line. */
export const CALL = "→";

/** Last part of a qualified name; an operator's name may hold `::` itself. */
const LAST_PART = /::(operator\b.{1,200}|[^:]{1,200})$/;
/** A name without its scopes has at least so many letters: many classes have shorter ones. */
const MIN_BARE_LETTERS = 6;

/**
 * A long name without template arguments and parameters, then without its scopes, then without its middle, so that its number stays in
 * sight. The hover has the whole name.
 */
export function calleeName(name: string, most: number = NAME_LENGTHS[0]): string {
  if (name.length <= most) return name;
  const short = functionName(name);
  if (short.length <= most) return short;
  const bare = LAST_PART.exec(short.slice(-MAX_PART))?.[1] ?? "";
  return shortName(bare.length >= MIN_BARE_LETTERS ? bare : short, most);
}

/** Calls of each line with at least the minimum share, heaviest callee first. */
export function callsByLine(
  calls: readonly CallCost[],
  { unit, minimumShare }: { readonly unit: string; readonly minimumShare: number },
  placesText: (oneOf: number | undefined) => string,
): Map<number, CallText[]> {
  const shown = calls.filter((call) => call.inclusive > 0 && call.share >= minimumShare);
  const texts = new Map<number, CallText[]>();
  for (const [line, callees] of groupBy(shown, (call) => call.line)) {
    callees.sort((a, b) => b.inclusive - a.inclusive || compareText(a.callee, b.callee));
    texts.set(
      line,
      callees.map(({ callee, inclusive, oneOf }) => {
        return { name: callee, cost: `${formatValue(inclusive, unit)}${placesText(oneOf)}` };
      }),
    );
  }
  return texts;
}

/** `→ solve 2.40 s, → halo 1.00 s, 3 more`. @param most characters of a name */
export function callsText(calls: readonly CallText[], named = MAX_CALLEES, most: number = NAME_LENGTHS[0]): string {
  const count = Math.min(named, MAX_CALLEES, calls.length);
  const texts = calls.slice(0, count).map(({ name, cost }) => `${CALL} ${calleeName(name, most)} ${cost}`);
  return [...texts, ...(calls.length > count ? [`${calls.length - count} more`] : [])].join(", ");
}

/**
 * Calls with all of their numbers in so much room: with shorter names, then fewer callees.
 *
 * @param room characters
 * @returns undefined if not even the first one fits
 */
export function fittedCalls(calls: readonly CallText[], room: number): string | undefined {
  for (let named = Math.min(MAX_CALLEES, calls.length); named > 0; named--)
    for (const most of NAME_LENGTHS) {
      const text = callsText(calls, named, most);
      if (text.length <= room) return text;
    }
  return undefined;
}

/** The first call in the fewest characters. */
export function shortestCall(calls: readonly CallText[]): string {
  return callsText(calls, 1, SHORTEST_NAME);
}
