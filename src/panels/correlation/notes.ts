/** Sentences about what axes show, and about a best-fit line that says nothing, or that is not there. Pure. */
import type { CorrelationAnswer, MetricInfo, StandIn } from "../../engine/api";
import { type AxisName, axisNames, type CorrelationState } from "../../protocol/correlation";

/** What one axis shows. */
export interface AboutAxis {
  readonly metric: MetricInfo;
  readonly value: "exclusive" | "inclusive";
  /** Absent: the whole recording. */
  readonly of?: string;
}

/**
 * Says so where each point has one metric's same value along both axes: r is 1 by that alone.
 *
 * @param following how many axes show a value of what is selected
 */
export function sameValueNotes(
  { fit, same }: Pick<CorrelationAnswer, "fit" | "same">,
  { x, y }: { readonly x: AboutAxis; readonly y: AboutAxis },
  following: number,
): string[] {
  if (!same || fit.kind !== "line" || x.metric !== y.metric) return [];
  // Where both follow it, another selection changes both: only values of two kinds may part then.
  const doesSelecting = following === 1 || (following === 2 && x.value !== y.value);
  const choose = doesSelecting ? "Select something else, or choose" : "Choose";
  return [
    `x and y have the same value at each point, so the line says nothing. ${choose} another value for one of them.`,
  ];
}

/** Why there is no line; undefined where there is one. */
export function whyNoLine(
  { fit, x, y }: Pick<CorrelationAnswer, "fit" | "x" | "y">,
  nouns: readonly [string, string],
  text: (axis: AxisName, value: number) => string,
): string | undefined {
  if (fit.kind === "line") return undefined;
  if (fit.kind === "too-few") {
    const { points } = fit;
    const there = points === 0 ? `no ${nouns[1]}` : `only ${points} ${nouns[points === 1 ? 0 : 1]}`;
    return `There ${points === 1 ? "is" : "are"} ${there}: a line needs at least three points.`;
  }
  const isPair = (_: number, at: number) => Number.isFinite(x[at]) && Number.isFinite(y[at]);
  const all = (axis: AxisName, values: Float64Array) =>
    `all values of ${axis} are equal (${text(axis, values.find(isPair) ?? 0)})`;
  const which =
    fit.constant === "both" ? `${all("x", x)}, and ${all("y", y)}` : all(fit.constant, fit.constant === "x" ? x : y);
  return `${which.charAt(0).toUpperCase()}${which.slice(1)}: nothing goes together with what does not vary.`;
}

/** What was found to stand on axes that are of nothing in particular, and why. @param members `ranks` */
export function standInNotes(
  axes: Readonly<Record<AxisName, { readonly about: AboutAxis; readonly standIn?: StandIn }>>,
  state: Pick<CorrelationState, AxisName | "subject">,
  hasMpi: boolean,
  members: string,
): string[] {
  const noMpi = hasMpi ? `MPI is equal over ${members}` : "No MPI is recorded";
  if (axes.x.standIn?.is === "metric")
    return [`${noMpi}: x and y are the two metrics that differ most over ${members}.`];
  const found = axisNames.flatMap((name) => {
    const { about, standIn } = axes[name];
    if (!standIn) return [];
    const nothing = state.subject === undefined ? "Nothing is selected" : "Nothing else is selected";
    const what = standIn.is === "whole" ? "the whole recording" : about.of;
    const most = standIn.is === "hottest" ? ", which has most" : "";
    return [{ why: state[name].of === "mpi" ? noMpi : nothing, is: `${name} is of ${what}${most}` }];
  });
  // One sentence for both axes: the second of two notices is hidden by the first.
  if (found.length === 2) return [`${found[0].why}: ${found.map(({ is }) => is).join(", ")}.`];
  return found.map(({ why, is }) => `${why}: ${is}.`);
}
