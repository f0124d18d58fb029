/** What tables call functions. */
import { addTo } from "../model/maps";
import { isAddressName, isPlaceholderName } from "../model/frames";
import { fileName } from "../model/placeText";
import { type Named, shownOf } from "../model/shortName";
import type { FunctionPlace } from "../engine/api";

/** The name as it was recorded; if the tool knew none, with the load module: `0x1f6d0 in libgomp.so.1.0.0`. */
export function wholeName(row: Named): string {
  return isPlaceholderName(row.name) || isAddressName(row.name) ? shownOf(row) : row.name;
}

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
