/** What tables call functions. */
import { addTo } from "../model/maps";
import { fileName } from "../model/placeText";
import type { FunctionPlace } from "../engine/api";

/** Functions of one name say where they are recorded to be; where that is not known, they stay alike. */
export function toldApart<Row extends FunctionPlace>(rows: readonly Row[], nameOf: (row: Row) => string): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) addTo(counts, nameOf(row), 1);
  return rows.map((row) => {
    const name = nameOf(row);
    const place = row.recorded?.file ?? row.module;
    return (counts.get(name) ?? 0) > 1 && place !== undefined ? `${name} (${fileName(place)})` : name;
  });
}
