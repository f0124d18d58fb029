/** What is said about points, cells and the line, in words and numbers. Pure. */
import { formatValue, threeDigits } from "../../src/model/units";
import type { Axis, AxisName, ScatterMessage } from "../../src/protocol/correlation";
import { plural, visible } from "../shared/text";

/** Name of what a mark stands for: `rank 4`, `MPI_Allreduce`. */
export function markName({ points, nouns, names, called }: ScatterMessage, mark: number): string {
  const name = visible(names[called[mark]]);
  return isOfCode(points) ? name : `${nouns[0]} ${name}`;
}

/** Points are contexts or functions, which are selected; members are chosen. */
export function isOfCode(points: ScatterMessage["points"]): boolean {
  return points === "context" || points === "function";
}

/** `exclusive time of MPI`. */
export function axisName({ metric, value, of }: Axis, { points }: Pick<ScatterMessage, "points">): string {
  const whose = isOfCode(points) ? "" : ` of ${of === undefined ? "the whole recording" : visible(of).slice(0, 200)}`;
  return `${value} ${visible(metric).slice(0, 60)}${whose}`;
}

export function amount(scatter: ScatterMessage, axis: AxisName, value: number): string {
  return formatValue(value, scatter[axis].unit);
}

/** What a mark says: its two values; of a cell how many points it holds, and between which values. */
export function markFacts(scatter: ScatterMessage, mark: number, isChosen: boolean | undefined): [string, string][] {
  const { xs, ys, x, y, density, nouns } = scatter;
  const facts: [string, string][] = [
    [`x: ${axisName(x, scatter)}`, amount(scatter, "x", xs[mark])],
    [`y: ${axisName(y, scatter)}`, amount(scatter, "y", ys[mark])],
  ];
  if (density) {
    const { counts } = density;
    const others = counts[mark] - 1;
    facts.unshift(["in this cell", plural(counts[mark], nouns[0], nouns[1])]);
    if (others > 0) facts.push(["named", "the largest of them in y"]);
  }
  if (isChosen !== undefined) facts.push(["chosen", isChosen ? "yes" : "no"]);
  return facts;
}

/** A mark in one sentence, for screen readers. */
export function markSentence(scatter: ScatterMessage, mark: number): string {
  const { xs, ys, density, nouns } = scatter;
  const values = `x ${amount(scatter, "x", xs[mark])}, y ${amount(scatter, "y", ys[mark])}`;
  const name = markName(scatter, mark).slice(0, 200);
  const many = density?.counts[mark] ?? 1;
  return density ? `${plural(many, nouns[0], nouns[1])}, the largest ${name}: ${values}` : `${name}, ${values}`;
}

/** What is known of the line, or why there is none. */
export function fitFacts(scatter: ScatterMessage): [string, string][] {
  const { fit, nouns } = scatter;
  const counted: [string, string] = ["n", plural(fit.points, nouns[0], nouns[1])];
  if (fit.kind !== "line") return [counted];
  return [
    ["r", threeDigits(fit.r)],
    ["r²", threeDigits(fit.r * fit.r)],
    ["slope", slopeText(scatter, fit.slope)],
    ["intercept", formatValue(fit.intercept, scatter.y.unit)],
    counted,
  ];
}

/** Why there is no line; undefined where there is one. */
export function whyNoLine(scatter: ScatterMessage): string | undefined {
  const { fit, nouns, xs, ys } = scatter;
  if (fit.kind === "line") return undefined;
  if (fit.kind === "too-few") {
    const there =
      fit.points === 0
        ? `There are no ${nouns[1]}`
        : `There ${fit.points === 1 ? "is" : "are"} only ${plural(fit.points, nouns[0], nouns[1])}`;
    return `${there}: a line needs at least three points.`;
  }
  const all = (axis: AxisName, values: readonly number[]) =>
    `all values of ${axis} are equal (${amount(scatter, axis, values.at(0) ?? 0)})`;
  const which =
    fit.constant === "both"
      ? `${all("x", xs)}, and ${all("y", ys)}`
      : all(fit.constant, fit.constant === "x" ? xs : ys);
  return `${which.charAt(0).toUpperCase()}${which.slice(1)}: nothing goes together with what does not vary.`;
}

/** The line in one sentence. */
export function fitSentence(scatter: ScatterMessage): string {
  return `best-fit line: ${fitFacts(scatter)
    .map(([label, value]) => `${label} ${value}`)
    .join(", ")}`;
}

/** y's unit by x's: `-12.9 s per s`, `4.20 ms per MB`; by as many of x's as its values are of. */
function slopeText({ x, y, xs }: ScatterMessage, slope: number): string {
  if (x.unit === "s") return `${formatValue(slope, y.unit)} per s`;
  const largest = xs.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const power = Math.max(0, Math.min(5, Math.floor(Math.log10(Math.max(1, largest)) / 3)));
  const per = 1000 ** power;
  // "1.00 MB" without its number.
  const unit = power === 0 ? x.unit : formatValue(per, x.unit).replace(/^1(\.0+)? /, "");
  return `${formatValue(slope * per, y.unit)} per ${visible(unit === "1" || unit === "" ? "one" : unit)}`;
}

/** The line under the controls. */
export function summary(scatter: ScatterMessage, chosen: ReadonlySet<number> | undefined): string {
  const { fit, count, nouns, over, x, y } = scatter;
  const parts = [`${axisName(y, scatter)} over ${axisName(x, scatter)}`, plural(count, nouns[0], nouns[1])];
  if (over !== undefined) parts.push(visible(over));
  if (fit.kind === "line") parts.push(`r = ${threeDigits(fit.r)}`);
  if (chosen) parts.push(`${chosen.size.toLocaleString("en")} chosen`);
  return parts.join(" · ");
}

/** Marks whose name holds the text, or that are members of that number; undefined while nothing is searched for. */
export function findMarks({ names, called, points }: ScatterMessage, text: string): ReadonlySet<number> | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return undefined;
  const keys = wanted.split(",").map((part) => part.trim());
  const holds = isOfCode(points)
    ? (name: string) => name.toLowerCase().includes(wanted)
    : (name: string) => keys.some((key) => name === key || (key !== "" && name.startsWith(`${key}.`)));
  const isFound = names.map(holds);
  const found = new Set<number>();
  called.forEach((name, mark) => {
    if (isFound[name]) found.add(mark);
  });
  return found;
}
