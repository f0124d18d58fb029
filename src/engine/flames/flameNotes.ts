/** What must be said beside a flame graph. */
import type { FlameQuery } from "./flameApi";
import { isExtreme, type LaidFlames } from "./keptFlames";
import { ESTIMATED } from "../graphs/graphSubject";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { unrankedTotal } from "../dataSets/unranked";
import { formatValue } from "../../model/units";

/** @param pixels what is narrower is drawn together */
export function flameNotes(open: OpenDataSet, query: FlameQuery, laid: LaidFlames, pixels: number): string[] {
  const { scope, of, order } = query;
  const { layout, empty, shape } = laid;
  const notes: string[] = [];
  if (open.measured) notes.push(ESTIMATED);
  if (order === "call-order")
    notes.push("Siblings stand in the order of their names: a profile does not record when calls were made.");
  if (isExtreme(scope))
    notes.push(
      `Each number is the ${scope.over === "max" ? "largest" : "smallest"} of its values over the ranks, so the numbers ` +
        "do not add up. Widths are drawn as the mean over ranks.",
    );
  const noRank = unrankedTotal(open, scope);
  if (noRank > 0)
    notes.push(
      `${formatValue(noRank, open.metric(scope.metric).unit)} of no rank is not part of this: only the sum has it.`,
    );
  if (layout.negative > 0)
    notes.push(
      `${counted(layout.negative, "negative exclusive value is", "negative exclusive values are")} drawn as 0.`,
    );
  if (empty > 0) notes.push(`${counted(empty, "call that cost nothing is", "calls that cost nothing are")} not drawn.`);
  if (shape.cutAt !== undefined) notes.push(`Callers more than ${shape.cutAt} levels away are not distinguished.`);
  if (pixels > 1) notes.push(`What is narrower than ${pixels} pixels is drawn together.`);
  if (of.kind === "bar") notes.push("→ is called out of this bar, into the one that is named.");
  const { note } = open.metric(scope.metric);
  if (note !== undefined) notes.push(note);
  return notes;
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
