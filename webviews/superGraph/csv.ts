/** The graph as a table for other programs: full precision, one row a bar, entry or flow. Pure. */
import type { GraphMessage } from "../../src/protocol/superGraph";
import type { HistogramsMessage } from "../../src/protocol/graphHalves";
import { csv } from "../../src/model/csv";
import { barCount, bothOf, halfOf } from "./halves";

export function graphCsv(graph: GraphMessage, histograms?: HistogramsMessage): string {
  const { bars, flows, metric, unit, over, total, pair } = graph;
  const name = (bar: number) => (bars[bar].visit > 1 ? `${bars[bar].group} (${bars[bar].visit})` : bars[bar].group);
  const rows: (string | number)[][] = [
    ["kind", "name", "from", "to", "level", "inclusive", "exclusive", "hidden", "contexts", "place"],
  ];
  if (pair) rows[0].push("of", "inclusive of the other", "exclusive of the other");
  if (histograms) rows[0].push("min", "mean", "max", "imbalance", "slowest", "counts");
  const more = (bar: number): (string | number)[] => {
    const both = bothOf(graph, bar);
    const other = both?.[bar < barCount(graph) ? 1 : 0];
    const own = (halfOf(graph, bar) ?? pair?.halves[0])?.name ?? "";
    const spread = histograms?.bars.at(bar);
    return [
      ...(pair ? [own, other?.inclusive ?? "", other?.exclusive ?? ""] : []),
      ...(spread
        ? [spread.minimum, spread.mean, spread.maximum, spread.imbalance ?? "", spread.slowest, spread.counts.join(" ")]
        : []),
    ];
  };
  bars.forEach((bar, at) => {
    rows.push([
      "bar",
      name(at),
      "",
      "",
      bar.level,
      bar.inclusive,
      bar.exclusive,
      bar.hidden,
      bar.contexts,
      "",
      ...more(at),
    ]);
    for (const entry of bar.entries)
      rows.push(["entry", entry.name, "", name(at), "", entry.inclusive, entry.exclusive, "", "", entry.place ?? ""]);
  });
  for (const { source, target, inclusive } of flows)
    rows.push(["flow", "", name(source), name(target), "", inclusive, "", "", "", ""]);
  if (pair) for (const half of pair.halves) rows.push(["total", half.title, "", "", "", half.total, "", "", "", ""]);
  else rows.push(["total", `${metric} (${unit}), ${over}`, "", "", "", total, "", "", "", ""]);
  return csv(rows);
}
