import { entryOf } from "./maps";

/** Values by iteration of a loop, or by time step: what a per-iteration profile adds to the sums over all of them. */
export interface Series {
  /** Name of the loop, or of the clock. */
  readonly name: string;
  /** Index into the data set's metrics. */
  readonly metric: number;
  readonly rows: number;
  /** Number of the iteration as recorded, ascending; rows of one iteration by context, then location. */
  readonly iteration: Float64Array;
  readonly context: Int32Array;
  readonly location: Int32Array;
  /** Exclusive, in the metric's unit. */
  readonly value: Float64Array;
}

/** What a loop's series say, once per loop: `40 of timestep (time, bytes)`. There is a series for each metric of a loop. */
export function loopTexts(recorded: {
  readonly series: readonly { readonly name: string; readonly metric: number; readonly iterations: number }[];
  readonly metrics: readonly { readonly name: string }[];
}): string[] {
  const loops = new Map<string, string[]>();
  for (const { name, metric, iterations } of recorded.series) {
    const text = `${iterations.toLocaleString("en")} of ${name}`;
    entryOf(loops, text, () => []).push(recorded.metrics.at(metric)?.name ?? "");
  }
  return [...loops].map(([text, metrics]) => {
    const named = metrics.filter((name) => name !== "");
    return named.length === 0 ? text : `${text} (${named.join(", ")})`;
  });
}
