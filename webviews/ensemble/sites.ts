/** Call sites beside the drawing of an ensemble, and as a table. Pure. */
import { formatAlong, formatValue } from "../../src/model/units";
import { type EnsembleContent, type EnsembleSites, siteMark } from "../../src/protocol/ensemble";
import type { Aside } from "../kit/aside";
import { plotAxis } from "../kit/boxPlots";
import { type TableSpec, tableOf } from "../kit/definition";
import { numberColumn, textColumn } from "../kit/table/columns";
import { plural, visible } from "../shared/text";

/** @returns undefined where they are not shown */
export function sitesAside({ sites, unit }: EnsembleContent): Aside | undefined {
  if (!sites) return undefined;
  const title = `Call sites · exclusive over ${plural(sites.runs, "run")}`;
  if (sites.isPending) return { title: `${title}: computing…`, items: [], isPending: true };
  const { low, q1, median, q3, high, outlying, target, mean, names } = sites;
  const hottest = mean.reduce((most, one) => Math.max(most, one), 0);
  const values = [low, q1, median, q3, high, outlying, target].flatMap((column) => [...column]);
  const text = (value: number) => (Number.isNaN(value) ? "none" : formatValue(value, unit));
  return {
    title,
    plots: {
      axis: plotAxis(values, hottest, (value) => formatAlong(value, unit, value)),
      number: sites.hasTarget ? "target" : "mean",
      isTargeted: sites.hasTarget,
    },
    items: names.map((name, row) => ({
      name: visible(name),
      whole: tooltipOf(sites, row, text),
      mark: siteMark(row),
      number: text(sites.hasTarget ? target[row] : mean[row]),
      plot: {
        low: low[row],
        q1: q1[row],
        median: median[row],
        q3: q3[row],
        high: high[row],
        mean: mean[row],
        outlying: [...outlying.subarray(sites.firstOutlier[row], sites.firstOutlier[row + 1])],
        ...(Number.isNaN(target[row]) ? {} : { target: target[row] }),
      },
    })),
  };
}

function tooltipOf(sites: EnsembleSites, row: number, text: (value: number) => string): string {
  const { names, places, inRuns, runs, mean, median, q1, q3, low, high } = sites;
  return [
    visible(names[row]),
    ...(places[row] === "" ? [] : [visible(places[row])]),
    `mean ${text(mean[row])}, median ${text(median[row])}`,
    `quartiles ${text(q1[row])} – ${text(q3[row])}, whiskers ${text(low[row])} – ${text(high[row])}`,
    `in ${inRuns[row]} of ${plural(runs, "run")}`,
  ].join("\n");
}

export function siteTable({ sites, unit }: EnsembleContent): TableSpec<unknown>[] {
  if (!sites || sites.isPending) return [];
  const column = (title: string, values: Float64Array, kind?: "bar") =>
    numberColumn<number>(
      title,
      (row) => values[row],
      (row) => (Number.isNaN(values[row]) ? "none" : formatValue(values[row], unit)),
      kind,
    );
  const { names, places, mean, low, q1, median, q3, high, target, inRuns, runs, hasTarget } = sites;
  return [
    tableOf<number>({
      caption: names.length < sites.of ? `Call sites: ${names.length} of ${sites.of}` : "Call sites",
      columns: [
        textColumn("function", (row) => visible(names[row])),
        column("mean exclusive", mean, "bar"),
        ...(hasTarget ? [column("target", target)] : []),
        column("whisker low", low),
        column("q1", q1),
        column("median", median),
        column("q3", q3),
        column("whisker high", high),
        numberColumn<number>(
          "runs",
          (row) => inRuns[row],
          (row) => `${inRuns[row]} of ${runs}`,
        ),
        textColumn("defined at", (row) => visible(places[row])),
      ],
      rows: [...names.keys()],
      sortedBy: 1,
      markOf: siteMark,
    }),
  ];
}
