import type { Series } from "../../../model/series";
import type { Task } from "../../../model/task";
import type { Chosen } from "./families";
import { type IterationPart, seriesNames, seriesOf } from "../decode/iterations";
import { keyOf } from "../names/quantities";
import type { FinalPart } from "./runTrace";

/**
 * Series of the metrics that add up, by loop and metric.
 *
 * @param quantities key of each column of the merged recording
 */
export function allSeries(
  parts: readonly FinalPart[],
  quantities: readonly string[],
  chosen: readonly Chosen[],
  contexts: number,
  locations: number,
  task: Task,
): Series[] {
  const loops = new Set(parts.flatMap(({ recording }) => recording.iterations.all.map(({ loop }) => loop)));
  const names = seriesNames(loops, new Set(parts.flatMap(({ recording }) => [...recording.loops])));
  const found = new Map<string, { name: string; metric: number; parts: IterationPart[] }>();
  for (const [
    metric,
    {
      column,
      fromInclusive,
      metric: { additive },
    },
  ] of chosen.entries()) {
    if (!additive || fromInclusive) continue;
    const key = quantities[column];
    for (const { recording, contextOf, locationOf } of parts) {
      for (const rows of recording.iterations.all) {
        const name = names.get(rows.loop);
        if (name === undefined || rows.context.length === 0 || keyOf(rows.column.quantity) !== key) continue;
        const series = found.get(`${metric} ${name}`) ?? { name, metric, parts: [] };
        found.set(`${metric} ${name}`, series);
        series.parts.push({ rows, contextOf, locationOf });
      }
    }
  }
  return Array.from(found.values(), ({ name, metric, parts: rows }) =>
    seriesOf(name, metric, rows, contexts, locations, chosen[metric].measure, task),
  );
}
