/** Where a comparison leads: functions by |difference|, each at the line that changed most. */
import type { ComparedPair, Engine, HotPlace, Target } from "../engine/api";
import { isNamedAsMpi } from "../model/mpiNames";
import type { Task } from "../model/task";

/** Where others wait: no line is gone to for it, as with hottest lines. */

/** A function that changed. */
export interface ChangedPlace extends Pick<HotPlace, "name" | "link" | "exclusive"> {
  /** The candidate's data set, where that has the function. */
  readonly dataSet: number;
  readonly target: Target;
}

/** Places with |difference| as their cost, the largest first. */
export async function changedPlaces(
  engine: Pick<Engine, "comparison">,
  { baseline, candidate, renamed }: ComparedPair,
  limit: number,
  task: Task,
): Promise<ChangedPlace[]> {
  const sides = { baseline: [baseline], candidate: [candidate], renamed };
  const { rows } = await engine.comparison({ ...sides, value: "exclusive", limit, linked: limit }, task);
  return rows.flatMap(({ name, link, difference, candidateFunction, baselineFunction }): ChangedPlace[] => {
    const of = candidateFunction ?? baselineFunction;
    if (!of || !link || difference === 0 || isNamedAsMpi(name)) return [];
    const target: Target = { kind: "function", function: of.function };
    const { dataSet } = candidateFunction ? candidate : baseline;
    return [{ name, link, exclusive: Math.abs(difference), dataSet, target }];
  });
}
