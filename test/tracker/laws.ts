import { expect } from "vitest";
import type { TrackerFile } from "./recording";

/** What a program says that it did: calls by name. */
export function saidCalls(said: string): Map<string, number> {
  const lines = said.trim().split("\n");
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

/** The laws of every whole recording. */
export function expectLaws(file: TrackerFile): void {
  const byId = new Map(file.contexts.map((row) => [row.id, row]));
  const within = new Map<number, number>();
  const threads = new Map<number, { exclusive: number; recorded: number }>();
  for (const { parent, thread, inclusive, exclusive } of file.contexts) {
    const sums = threads.get(thread) ?? { exclusive: 0, recorded: 0 };
    threads.set(thread, sums);
    sums.exclusive += exclusive;
    if (parent === undefined) sums.recorded += inclusive;
    else within.set(parent, (within.get(parent) ?? 0) + inclusive);
    expect(parent === undefined || byId.has(parent)).toBe(true);
  }
  for (const { exclusive, recorded } of threads.values()) expect(exclusive).toBe(recorded);
  for (const { id, inclusive, exclusive } of file.contexts) expect(inclusive - exclusive).toBe(within.get(id) ?? 0);
}

/** Events of a context count its calls, and add up to its time. */
export function expectEvents(file: TrackerFile): void {
  const counts = new Map<number, { calls: number; nanoseconds: number }>();
  for (const { ph, dur = 0, args } of file.traceEvents) {
    if (ph !== "X") continue;
    const sums = counts.get(args.context) ?? { calls: 0, nanoseconds: 0 };
    counts.set(args.context, sums);
    sums.calls++;
    sums.nanoseconds += Math.round(dur * 1000);
  }
  for (const { id, calls, inclusive } of file.contexts)
    expect(counts.get(id)).toEqual({ calls, nanoseconds: inclusive });
}
