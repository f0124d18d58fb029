/**
 * Time of HPCToolkit's traces, which are samples: in a window of time the profile's time is what they say, each until its lane's next
 * one (semantics 9). Over all of the run that is another number than the profile's, which is said where the two are far apart.
 */
import type { Warning } from "../../model/dataSet";
import type { Metric } from "../../model/metrics";
import { formatValue } from "../../model/units";
import type { SparseValues } from "../../model/values";

/** Names of what streams of GPUs spend time on. */
const OF_GPU = /^G[A-Z]/;
/** Of the profile's time. */
const FAR_APART = 0.01;

interface Profile {
  readonly metrics: readonly Metric[];
  readonly values: readonly SparseValues[];
}

/**
 * @param sampled seconds that samples of threads last, in all; undefined: there are none
 * @returns metrics of which the one of time is the trace's in a window, and what is to be said of that
 */
export function withSampledTime(
  { metrics, values }: Profile,
  sampled: number | undefined,
): { readonly metrics: Metric[]; readonly warnings: readonly Warning[] } {
  // What was summed up over all threads is known of none of them.
  const time = metrics.findIndex(
    ({ kind, additive, reducedOverRanks, unit, name }) =>
      kind === "time" && additive && !reducedOverRanks && unit === "s" && !OF_GPU.test(name),
  );
  if (time < 0 || sampled === undefined) return { metrics: [...metrics], warnings: [] };
  const measured = values[time].value.reduce((sum, one) => sum + one, 0);
  const { name } = metrics[time];
  const message = `the trace's samples have ${formatValue(sampled, "s")} where the profile has ${formatValue(measured, "s")} of ${name}: numbers that are restricted in time are the samples'`;
  return {
    metrics: metrics.map((metric, at) => (at === time ? { ...metric, ofEvents: true } : metric)),
    warnings: Math.abs(sampled - measured) > FAR_APART * measured ? [{ message }] : [],
  };
}
