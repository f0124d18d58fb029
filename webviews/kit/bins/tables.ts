/** Bins and members as rows, and what their colours mean. */
import { FIRST_MEMBER, type HistogramContent } from "../../../src/protocol/histogram";
import { tableOf, type TableSpec } from "../definition";
import type { LegendEntry } from "../frame/model";
import { heatLegend, wordLegend } from "../legend";
import { tableOfMembers } from "../memberLine";
import { numberColumn, textColumn } from "../table/columns";
import type { Column } from "../table/table";
import type { Theme } from "../theme/theme";
import { limits, memberText, valueName } from "./describe";
import { largestOf } from "./drawing";
import { largestOf as largestMember } from "./memberBars";

/** @param more columns of a panel's own, before the members in words */
export function binTable(content: HistogramContent, more: readonly Column<number>[]): TableSpec<unknown> {
  const { counts, edges, ranges, line } = content;
  return tableOf<number>({
    caption: "Bins",
    columns: [
      numberColumn("bin", (bin) => bin + 1),
      numberColumn(
        "from",
        (bin) => edges[bin],
        (bin) => limits(content, bin),
      ),
      numberColumn(line.nouns[1], (bin) => counts[bin], undefined, "bar"),
      ...more,
      textColumn("which", (bin) => ranges[bin]),
    ],
    rows: [...counts.keys()],
    sortedBy: 0,
    ascending: true,
    markOf: (bin) => bin,
  });
}

/** @param more columns of a panel's own, behind the others */
export function memberTable(
  content: HistogramContent,
  more: readonly Column<number>[] = [],
  withBins = true,
): TableSpec<unknown> {
  const { values, binOf, line } = content;
  return tableOfMembers(line, FIRST_MEMBER, [
    numberColumn(
      valueName(content),
      (at) => (binOf[at] < 0 ? NaN : values[at]),
      (at) => memberText(content, at),
      "bar",
    ),
    ...(withBins ? [numberColumn<number>("bin", (at) => (binOf[at] < 0 ? NaN : binOf[at] + 1))] : []),
    ...more,
  ]);
}

export function binLegend(content: HistogramContent, theme: Theme): LegendEntry[] {
  const { edges, line, unit } = content;
  const heat = edges.length === 0 ? [] : [heatLegend(theme, valueName(content), largestOf(content), unit)];
  return [...heat, wordLegend("height", line.nouns[1])];
}

/** Legend of members with a bar each. */
export function memberLegend(content: HistogramContent, theme: Theme): LegendEntry[] {
  const { edges, unit } = content;
  if (edges.length === 0) return [];
  return [heatLegend(theme, valueName(content), largestMember(content), unit), wordLegend("dashed", "mean")];
}
