/** What is said about points, cells and the line, in words and numbers. Pure. */
import { formatValue, threeDigits } from "../../src/model/units";
import {
  type Axis,
  type AxisName,
  type CorrelationChosen,
  type CorrelationContent,
  isOfCode,
} from "../../src/protocol/correlation";
import { findMembers } from "../kit/members";
import type { Fact } from "../kit/stage/scene";
import { plural } from "../shared/text";

/** Members of marks of their own can be chosen; code is selected, and a cell is no member. */
export function canChoose({ points, density }: CorrelationContent): boolean {
  return !isOfCode(points) && !density;
}

/** Name of what a mark stands for: `rank 4`, `MPI_Allreduce`. */
export function markName({ points, nouns, names, called }: CorrelationContent, mark: number): string {
  const name = names[called[mark]];
  return isOfCode(points) ? name || "(no name)" : `${nouns[0]} ${name}`;
}

/** `exclusive time of MPI`. */
export function axisName({ metric, value, of }: Axis, { points }: Pick<CorrelationContent, "points">): string {
  const whose = isOfCode(points) ? "" : ` of ${of === undefined ? "the whole recording" : of.slice(0, 200)}`;
  return `${value} ${metric.slice(0, 60)}${whose}`;
}

/** `exclusive time of MPI over exclusive time of main`. */
export function title(content: CorrelationContent): string {
  const { x, y } = content;
  return `${axisName(y, content)} over ${axisName(x, content)}`;
}

export function amount(content: CorrelationContent, axis: AxisName, value: number): string {
  return formatValue(value, content[axis].unit);
}

/** Two values; of a cell how many points it holds, and which of them the values are of. */
export function markFacts(content: CorrelationContent, mark: number): Fact[] {
  const { xs, ys, x, y, density, nouns } = content;
  const values: Fact[] = [
    [`x: ${axisName(x, content)}`, amount(content, "x", xs[mark])],
    [`y: ${axisName(y, content)}`, amount(content, "y", ys[mark])],
  ];
  if (!density) return values;
  const held = density.counts[mark];
  const named: Fact[] = held > 1 ? [["named", "the largest of them in y"]] : [];
  return [["in this cell", plural(held, nouns[0], nouns[1])], ...named, ...values];
}

/** Over what a point's values are: `mean over 8 ranks`, or one of the members themselves. */
export function overNote({ over, count, nouns }: CorrelationContent): string {
  return over ?? `one of ${plural(count, nouns[0], nouns[1])}`;
}

/** What is known of the line; of none how many points there are. */
export function fitFacts(content: CorrelationContent): [string, string][] {
  const { fit, nouns } = content;
  const counted: [string, string] = ["n", plural(fit.points, nouns[0], nouns[1])];
  if (fit.kind !== "line") return [counted];
  return [
    ["r", threeDigits(fit.r)],
    ["r²", threeDigits(fit.r ** 2)],
    ["slope", slopeText(content, fit.slope)],
    ["intercept", formatValue(fit.intercept, content.y.unit)],
    counted,
  ];
}

/** y's unit by x's: `−0.964`, `4.20 ms per MB`; by as many of x's as its values are of. */
function slopeText({ x, y, xs }: CorrelationContent, slope: number): string {
  if (x.unit === y.unit) return threeDigits(slope);
  if (x.unit === "s") return `${formatValue(slope, y.unit)} per s`;
  const largest = xs.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const power = Math.max(0, Math.min(5, Math.floor(Math.log10(Math.max(1, largest)) / 3)));
  const per = 1000 ** power;
  // "1.00 MB" without its number.
  const unit = power === 0 ? x.unit : formatValue(per, x.unit).replace(/^1(\.0+)? /, "");
  return `${formatValue(slope * per, y.unit)} per ${unit === "1" || unit === "" ? "one" : unit}`;
}

/** What is drawn in one line, the longest wording first. */
export function summary(content: CorrelationContent, chosen: CorrelationChosen | undefined): string[] {
  const { fit, count, nouns, over } = content;
  const many = plural(count, nouns[0], nouns[1]);
  const line = fit.kind === "line" ? [`r ${threeDigits(fit.r)}`] : ["no line"];
  const slope = fit.kind === "line" ? [`slope ${slopeText(content, fit.slope)}`] : [];
  const left = chosen ? [`${chosen.marks.length.toLocaleString("en")} chosen`] : [];
  const wordings = [
    [title(content), ...(over === undefined ? [] : [over]), many, ...line, ...slope, ...left],
    [title(content), many, ...line, ...left],
    [many, ...line, ...slope, ...left],
    [many, ...line],
    line,
  ];
  return wordings.map((parts) => parts.join(" · "));
}

/** Marks whose name holds the text, or that are members of these numbers; undefined while nothing is searched for. */
export function findMarks(
  { names, called, points }: CorrelationContent,
  text: string,
): ReadonlySet<number> | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return undefined;
  const found = isOfCode(points)
    ? new Set([...names.keys()].filter((at) => names[at].toLowerCase().includes(wanted)))
    : findMembers(names, text);
  return found && new Set([...called.keys()].filter((mark) => found.has(called[mark])));
}
