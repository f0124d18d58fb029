/** What a metric measures; decides defaults (times start as mean over ranks) and drawing. */
export type MetricKind = "time" | "bytes" | "count" | "rate" | "level";

/** Units after reading: times are seconds, sizes bytes; other units stay as recorded. "1" is a plain count. */
export type Unit = string;

/**
 * One measured quantity. Values are stored exclusive; inclusive is derived, never a metric of its own (semantics 1).
 */
export interface Metric {
  /** What a user calls it and `--metric` takes: the alias where the recording has one ("time"), else the recorded name. */
  readonly name: string;
  /** Name in the recording: `sum#sum#time.duration`. */
  readonly recordedName: string;
  readonly unit: Unit;
  readonly kind: MetricKind;
  /** Adds up over contexts and locations. Minima, maxima and rates do not: they are shown beside, never summed. */
  readonly additive: boolean;
  /** The recording holds one value over all ranks (a family `sum#`, `avg#`, `min#`, `max#` without a rank column). */
  readonly reducedOverRanks: boolean;
  /** The time in which the trace's events are innermost: what its values are in a window of time follows from these. */
  readonly ofEvents?: true;
  /** Where `additive` is an average over ranks since no sum was recorded, or other things a user must know. */
  readonly note?: string;
  /** What is counted, where its name alone does not say it. */
  readonly description?: string;
  /** Metrics of the same family that are shown beside this one: indices into the data set's metrics. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The tool's own exclusive column where it means something else than ours (HPCToolkit's `lex_aware`): shown beside, by name. */
  readonly toolExclusive?: number;
}

/** How values of several ranks become one number (semantics 1); `{ rank }` is the value of that rank alone. */
export type OverRanks = "sum" | "mean" | "max" | "min" | { readonly rank: number };

/** "sum", "mean", "max", "min" or "rank=3". */
export function overRanksText(over: OverRanks): string {
  return typeof over === "string" ? over : `rank=${over.rank}`;
}

/** Reads what {@link overRanksText} writes; undefined for anything else. */
export function parseOverRanks(text: string): OverRanks | undefined {
  if (text === "sum" || text === "mean" || text === "max" || text === "min") return text;
  const rank = /^rank=(\d{1,9})$/.exec(text);
  return rank ? { rank: Number(rank[1]) } : undefined;
}
