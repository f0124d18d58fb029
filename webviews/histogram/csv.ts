/** The histogram as a table for other programs: full precision, one row a bin or member. Pure. */
import type { HistogramMessage } from "../../src/protocol/histogram";
import { csv } from "../shared/csv";
import type { Emphasis } from "./drawing";

export function histogramCsv(histogram: HistogramMessage, { chosen, chosenMembers }: Emphasis): string {
  const { edges, counts, ranges, line, metric, unit, value, subject } = histogram;
  const yes = (is: boolean) => (is ? "yes" : "no");
  const rows: (string | number)[][] = [
    ["kind", "name", "from", "to", "count", "value", "bin", "host", "ordered by", "chosen"],
    ["of", `${subject ?? "whole recording"}, ${value} ${metric} (${unit})`, "", "", "", "", "", "", line.order, ""],
  ];
  counts.forEach((count, bin) => {
    const isChosen = chosen ? chosen.bins[bin] : "";
    rows.push(["bin", ranges[bin], edges[bin], edges[bin + 1], count, "", bin + 1, "", "", isChosen]);
  });
  line.keys.forEach((key, at) => {
    const isFinite = line.bins[at] >= 0;
    const host = line.hosts?.[at] ?? -1;
    rows.push([
      histogram.nouns[0],
      key,
      "",
      "",
      "",
      isFinite ? line.values[at] : "",
      isFinite ? line.bins[at] + 1 : "",
      host < 0 ? "" : host,
      line.attribute?.values[at] ?? "",
      chosenMembers ? yes(chosenMembers.has(at)) : "",
    ]);
  });
  return csv(rows);
}
