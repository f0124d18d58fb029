import { formatValue } from "../../../../model/units";
import { namedMetric } from "../../metricUnits";
import type { Experiment } from "../scan/experiment";
import { baseOf, holdsSum } from "./metricPlan";
import type { ThreadValues } from "./threadValues";

/** The XML has six digits; what is missing beyond that are threads. */
const PRINTED = 1e-5;
/** How many threads a statistic was made of. */
const THREADS = /:num-src \(I\)$/;

/** Threads whose value files lie beside the XML, where they are not all that it has sums of. */
export interface Coverage {
  /** `4 of 64 threads`; `4 threads` where nothing says how many there were. */
  readonly some: string;
  /** How much of which metric they have: `54.5 s of 894 s of WALLCLOCK`. */
  readonly share: string;
}

/** Whether value files of threads are missing. @returns undefined where the sums of the XML are those of the files */
export function partOfThreads({ header, plan, tree }: Experiment, values: ThreadValues): Coverage | undefined {
  if (values.threads === 0) return undefined;
  const sums = new Map(
    header.metrics
      .filter((metric) => metric.type === "inclusive" && !metric.derived && holdsSum(metric))
      .map(({ id, name }) => [namedMetric(baseOf(name)).name, tree.totals.get(`${id}`)]),
  );
  for (const { start, meaning, columns } of plan.threads) {
    const recorded = sums.get(start.name);
    const found = columns.reduce((sum, { column }) => sum + (values.totals.get(column) ?? 0), 0);
    if (meaning !== "inclusive" || recorded === undefined || !(recorded - found > PRINTED * recorded)) continue;
    const count = header.metrics.find(({ name }) => THREADS.test(name));
    const threads = count && tree.totals.get(`${count.id}`);
    const shown = (value: number) => formatValue((value * (start.factor ?? 1)) / (start.divisor ?? 1), start.unit);
    const all = threads !== undefined && threads > values.threads ? ` of ${threads}` : "";
    return {
      some: `${values.threads}${all} thread${values.threads === 1 && all === "" ? "" : "s"}`,
      share: `${shown(found)} of ${shown(recorded)} of ${start.name}`,
    };
  }
  return undefined;
}
