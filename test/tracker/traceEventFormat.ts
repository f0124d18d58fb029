import { expect } from "vitest";
import type { TraceEvent } from "./recording";

/** What the documentation of the Trace Event Format asks of each phase that the tracker writes, beside name, process and thread. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  X: ["ts", "dur"],
  B: ["ts"],
  E: ["ts"],
  i: ["ts", "s"],
  C: ["ts", "args"],
  M: ["args"],
};

/** Events are such as Perfetto and chrome://tracing take: known phases with what they need, numbers that are numbers, ends of what began. */
export function expectTraceEvents(events: readonly TraceEvent[]): void {
  const open = new Map<number, number>();
  const isTaken = (event: TraceEvent) => {
    const fields = event as unknown as Readonly<Record<string, unknown>>;
    const asked = ASKED[event.ph];
    if (asked === undefined || asked.some((key) => fields[key] === undefined)) return false;
    if (![fields.pid, fields.tid].every(Number.isSafeInteger)) return false;
    if (["ts", "dur"].some((key) => key in fields && !Number.isFinite(fields[key]))) return false;
    if (event.dur !== undefined && event.dur < 0) return false;
    if (event.ph === "C") return Object.values(event.args).every((value) => typeof value === "number");
    if (event.ph !== "B" && event.ph !== "E") return true;
    const depth = (open.get(event.tid) ?? 0) + (event.ph === "B" ? 1 : -1);
    open.set(event.tid, depth);
    return depth >= 0;
  };
  expect(events.length).toBeGreaterThan(0);
  expect(events.filter((event) => !isTaken(event))).toEqual([]);
}
