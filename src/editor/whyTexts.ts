/** What "Why Here?" says of a link: the rule, the reason, and what else was considered. Pure. */
import type { LineCall, LinkRule, Place, SourceLink } from "../engine/api";
import { shortName } from "../model/shortName";

/** One row: a heading above others, or a place with the reason for or against it. */
export interface Reason {
  readonly heading?: string;
  /** Absent where nothing is known. */
  readonly place?: Place;
  readonly what: string;
  readonly why: string;
}

/** Places that were not taken, of one link: common names are in thousands of files. */
const MOST_CONSIDERED = 50;
const MOST_REASON = 1000;
/** Further links that lead to one line with a function. */
const MOST_LINKS = 50;

const rules: Readonly<Record<LinkRule, string>> = {
  "recorded-line": "line of the recording",
  definition: "definition by its name",
  "function-mark": "function marked as a region",
  "region-begin": "where the region begins",
  call: "the call",
  unknown: "not known",
};

/** Longest heading above places: VS Code writes it beside the first one, whose reason it would hide. */
const MOST_HEADING = 30;

/**
 * Title and rows of a list of reasons: the name of the only thing that is explained is in the title.
 *
 * @param title what is asked
 */
export function reasonList(title: string, reasons: readonly Reason[]): { title: string; rows: readonly Reason[] } {
  const headings = reasons.flatMap(({ heading }) => (heading === undefined ? [] : [heading]));
  if (headings.length === 1)
    return { title: `${title} ${headings[0]}`, rows: reasons.filter(({ heading }) => heading === undefined) };
  const rows = reasons.map((reason) =>
    reason.heading === undefined ? reason : { ...reason, heading: shortName(reason.heading, MOST_HEADING) },
  );
  return { title, rows };
}

/** @param others links of the same thing that lead here for another reason */
export function reasonsOfLink(name: string, link: SourceLink, others: readonly SourceLink[] = []): Reason[] {
  const more = others.length - MOST_LINKS;
  const cut: Reason[] =
    more > 0 ? [{ what: `and ${more} more`, why: "Other lines stand here for reasons of that kind." }] : [];
  return [
    { heading: shortName(name), what: "", why: "" },
    ...[link, ...others.slice(0, MOST_LINKS)].flatMap((one) => rows(one, "")),
    ...cut,
  ];
}

/** The call in the caller and the definition of the callee, each with its own reason. */
export function reasonsOfCall({ callee, link, definition }: LineCall): Reason[] {
  const name = shortName(callee);
  return [
    { heading: `${name}, called here`, what: "", why: "" },
    ...rows(link, "call: "),
    ...rows(definition, "callee: "),
  ];
}

function rows({ places, rule, reason, considered }: SourceLink, prefix: string): Reason[] {
  const why = shortName(reason, MOST_REASON);
  const one = places.length > 1 ? `, one of ${places.length}` : "";
  const taken = places.map((place): Reason => ({ place, what: `${prefix}${rules[rule]}${one}`, why }));
  const others = considered
    .slice(0, MOST_CONSIDERED)
    .map(({ place, reason: against }): Reason => ({ place, what: `${prefix}not taken`, why: against }));
  const nothing: Reason[] = places.length === 0 ? [{ what: `${prefix}${rules.unknown}`, why }] : [];
  return [...taken, ...nothing, ...others];
}
