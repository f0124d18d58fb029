/** What is in a part, in words and numbers. Pure. */
import type { OverviewArea, OverviewFacts, OverviewQuery } from "../../engine/api";
import { shorten } from "../../model/texts";
import { formatShare, formatValue } from "../../model/units";

const MOST_STATES = 8;
const MOST_TEXT = 200;

/** Largest state first: its share, what a cell has of it and how far cells are from that; then its resources. */
export function areaFacts(
  { states, cells, members }: OverviewArea,
  facts: OverviewFacts,
  { metric }: Pick<OverviewQuery, "metric">,
): [string, string][] {
  const isTime = metric === "duration" || metric === "mean";
  const text = (value: number) => (isTime ? formatValue(value, "s") : String(Number(value.toPrecision(3))));
  return [
    ...states.slice(0, MOST_STATES).map(({ state, share, mean, deviation }): [string, string] => {
      const spread = cells > 1 ? ` · ${text(mean)} ± ${text(deviation)} a cell` : ` · ${text(mean)}`;
      return [shorten(facts.states[state].readable, MOST_TEXT), `${formatShare(share)}${spread}`];
    }),
    ["of", shorten(members.join(", "), MOST_TEXT)],
  ];
}
