/** The graph as a table for other programs: full precision, one row a bar, entry or flow. Pure. */
import type { GraphMessage } from "../../src/protocol/superGraph";
import { csv } from "../shared/csv";

export function graphCsv({ bars, flows, metric, unit, over, total }: GraphMessage): string {
  const name = (bar: number) => (bars[bar].visit > 1 ? `${bars[bar].group} (${bars[bar].visit})` : bars[bar].group);
  const rows: (string | number)[][] = [
    ["kind", "name", "from", "to", "level", "inclusive", "exclusive", "hidden", "contexts", "place"],
  ];
  bars.forEach((bar, at) => {
    rows.push(["bar", name(at), "", "", bar.level, bar.inclusive, bar.exclusive, bar.hidden, bar.contexts, ""]);
    for (const entry of bar.entries)
      rows.push(["entry", entry.name, "", name(at), "", entry.inclusive, entry.exclusive, "", "", entry.place ?? ""]);
  });
  for (const { source, target, inclusive } of flows)
    rows.push(["flow", "", name(source), name(target), "", inclusive, "", "", "", ""]);
  rows.push(["total", `${metric} (${unit}), ${over}`, "", "", "", total, "", "", "", ""]);
  return csv(rows);
}
