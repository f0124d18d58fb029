import fs from "node:fs";

/** A row of `contexts`; times in nanoseconds. */
export interface ContextRow {
  readonly id: number;
  readonly parent?: number;
  readonly thread: number;
  readonly frame: number;
  /** A row of `lines`: where it was called. */
  readonly call?: number;
  readonly calls: number;
  readonly inclusive: number;
  readonly exclusive: number;
  readonly waiting?: number;
  readonly allocations?: number;
  readonly allocated?: number;
  readonly peak?: number;
}

/** An event as it stands in the file; times in µs. */
export interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args: Readonly<Record<string, number>>;
}

/** The tracker's own file. */
export interface TrackerFile {
  readonly heatflow: Readonly<Record<string, number | string>>;
  readonly traceEvents: readonly TraceEvent[];
  readonly contexts: readonly ContextRow[];
  readonly lines: readonly { frame: number; name: string; file?: string; line?: number }[];
  readonly attributes: readonly { readonly frame: number; readonly key: string; readonly count: number }[];
  readonly topology: {
    readonly source: string;
    readonly allowedHardwareThreads: number;
    readonly caches: readonly object[];
  };
  /** Of recordings with a part for GPUs. */
  readonly deviceProperties: readonly Readonly<Record<string, number | string>>[];
  readonly gpu?: { readonly missing: readonly { readonly metric: string; readonly why: string }[] };
  readonly heatflowEnd: Readonly<Record<string, number>>;
}

export function readTrackerFile(file: string): TrackerFile {
  return JSON.parse(fs.readFileSync(file, "utf8")) as TrackerFile;
}

/** Events of a category as the file has them. */
export const activities = ({ traceEvents }: TrackerFile, category: string) =>
  traceEvents.filter((event) => (event as { cat?: string }).cat === category);

/** Whole events of a file that was cut: each stands on a line of its own. A fast machine leaves more bytes than a text may have. */
export function eventsOfCut(file: string): TraceEvent[] {
  const bytes = fs.readFileSync(file);
  const events: TraceEvent[] = [];
  const head = '"traceEvents":[\n';
  let start = bytes.indexOf(head) + head.length;
  for (let end = bytes.indexOf("\n", start); end >= 0; start = end + 1, end = bytes.indexOf("\n", start))
    events.push(JSON.parse(bytes.toString("utf8", start, end).replace(/,$/, "")) as TraceEvent);
  return events;
}

/** Calls of each name over all contexts. */
export function callsByName({ contexts, lines }: TrackerFile): Map<string, number> {
  const calls = new Map<string, number>();
  for (const { frame, calls: more } of contexts) {
    const { name } = lines[frame];
    calls.set(name, (calls.get(name) ?? 0) + more);
  }
  return calls;
}
