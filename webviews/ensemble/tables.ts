/** The numbers of an ensemble as tables: its bars, its runs. */
import { type EnsembleContent, NONE, runMark } from "../../src/protocol/ensemble";
import { formatPercentile, formatValue } from "../../src/model/units";
import { type TableSpec, tableOf } from "../kit/definition";
import { metricColumn, numberColumn, savedOnly, textColumn } from "../kit/table/columns";
import { visible } from "../shared/text";
import { barDifference, barSignificance, runName, stayingRuns, targetValue } from "./describe";
import { ensembleSize } from "./placed";
import { siteTable } from "./sites";

export function tables(content: EnsembleContent): TableSpec<unknown>[] {
  return [barTable(content), runTable(content), ...siteTable(content)];
}

function barTable(content: EnsembleContent): TableSpec<unknown> {
  const { bars, unit, value, beside, over } = content;
  const amount = (title: string, of: (bar: number) => number, kind?: "bar") =>
    numberColumn<number>(title, of, (bar) => (Number.isNaN(of(bar)) ? "none" : formatValue(of(bar), unit)), kind);
  const { target, difference } = beside;
  return tableOf<number>({
    caption: "Bars",
    columns: [
      textColumn("group", (bar) => visible(bars.name[bar])),
      numberColumn("level", (bar) => bars.level[bar]),
      amount(`largest ${value}`, (bar) => bars.to[bar], "bar"),
      { ...textColumn<number>("in run", (bar) => runName(content, bars.mostRun[bar])), cut: "middle" },
      amount("median", (bar) => bars.median[bar]),
      amount("least", (bar) => bars.least[bar]),
      amount("largest exclusive", (bar) => bars.mostExclusive[bar]),
      ...(target
        ? [
            amount(`target ${runName(content, target.run)}`, (bar) => targetValue(content, bar)),
            numberColumn<number>(
              "percentile",
              (bar) => target.percentile[bar],
              (bar) => (Number.isNaN(target.percentile[bar]) ? "none" : formatPercentile(target.percentile[bar])),
            ),
          ]
        : []),
      ...(difference
        ? [
            amount(visible(difference.baseline.name), (bar) => difference.before[bar]),
            amount(visible(difference.candidate.name), (bar) => difference.after[bar]),
            numberColumn<number>(
              "difference",
              (bar) => difference.difference[bar],
              (bar) => barDifference(content, bar),
            ),
            numberColumn<number>(
              "significance",
              (bar) => difference.p[bar],
              (bar) => barSignificance(content, bar),
            ),
          ]
        : []),
      numberColumn(
        "runs",
        (bar) => bars.runs[bar],
        (bar) => `${bars.runs[bar]} of ${stayingRuns(content)}`,
      ),
      ...savedOnly(metricColumn<number>(content, () => over)),
    ],
    rows: [...bars.name.keys()],
    sortedBy: 2,
    markOf: (bar) => bar,
  });
}

function runTable(content: EnsembleContent): TableSpec<unknown> {
  const { runs, parameter, unit, beside } = content;
  const size = ensembleSize(content);
  const { target, difference } = beside;
  const roleOf = (run: number) =>
    run === target?.run
      ? "target"
      : difference?.candidate.runs.includes(run)
        ? "candidate"
        : difference?.baseline.runs.includes(run)
          ? "baseline"
          : "";
  return tableOf<number>({
    caption: "Runs",
    columns: [
      { ...textColumn<number>("run", (run) => runName(content, run)), cut: "middle" },
      ...(parameter.values.length > 0
        ? [
            numberColumn<number>(
              visible(parameter.name),
              (run) => (runs.value[run] === NONE ? NaN : runs.value[run]),
              (run) => (runs.value[run] === NONE ? "none" : visible(parameter.values[runs.value[run]])),
            ),
          ]
        : []),
      numberColumn(
        "total",
        (run) => runs.total[run],
        (run) => (Number.isNaN(runs.total[run]) ? "none" : formatValue(runs.total[run], unit)),
        "bar",
      ),
      textColumn("drawn", (run) => (runs.stays[run] === 1 ? "yes" : "left out")),
      textColumn("as", roleOf),
    ],
    rows: [...runs.order],
    sortedBy: 1,
    ascending: true,
    markOf: (run) => runMark(size, run),
  });
}
