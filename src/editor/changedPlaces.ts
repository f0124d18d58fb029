/** Where a comparison leads: functions by |difference|, each at its hottest line. */
import type { ComparedPair, Engine, HotPlace, Target } from "../engine/api";
import type { Task } from "../model/task";

/** Where others wait: no line is gone to for it, as with hottest lines. */
const MPI = /^P?MPI_/;

/** A function that changed. */
export interface ChangedPlace extends Pick<HotPlace, "name" | "link" | "exclusive"> {
  /** The candidate's data set, where that has the function. */
  readonly dataSet: number;
  readonly target: Target;
}

/** Places with |difference| as their cost, the largest first. */
export async function changedPlaces(
  engine: Pick<Engine, "comparison" | "hotPlaces">,
  { baseline, candidate, renamed }: ComparedPair,
  limit: number,
  task: Task,
): Promise<ChangedPlace[]> {
  const sides = { baseline: [baseline], candidate: [candidate], renamed };
  const { rows } = await engine.comparison({ ...sides, value: "exclusive", limit, linked: limit }, task);
  const places = rows.flatMap(({ name, link, difference, candidateFunction, baselineFunction }): ChangedPlace[] => {
    const of = candidateFunction ?? baselineFunction;
    if (!of || !link || difference === 0 || MPI.test(name)) return [];
    const target: Target = { kind: "function", function: of.function };
    const { dataSet } = candidateFunction ? candidate : baseline;
    return [{ name, link, exclusive: Math.abs(difference), dataSet, target }];
  });
  const [first, ...rest] = places;
  if (!first) return places;
  // The definition tells the file; where the first one is hot is where somebody goes.
  const scope = first.dataSet === candidate.dataSet ? candidate : baseline;
  const [hottest] = await engine.hotPlaces({ scope, target: first.target, limit: 1 }, task);
  return [hottest && hottest.link.places.length > 0 ? { ...first, link: hottest.link } : first, ...rest];
}
