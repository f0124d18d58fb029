/** Windows that were written as Chrome traces: whether they are any, and what is in them when they are opened again. */
import { expect } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import type { timelineSums } from "../../../../src/engine/traces/timelineSums";
import { grammars } from "../miniheat";

interface Exported {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly cat: string;
  readonly id: number;
  readonly s: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the format asks of each event. */
export function checked(text: string): readonly Exported[] {
  const { traceEvents } = JSON.parse(text) as { traceEvents: readonly Exported[] };
  const named = new Set<string>();
  const open = new Map<string, Exported>();
  for (const event of traceEvents) {
    const { ph, name, pid, tid, ts, dur, cat, id } = event;
    expect(["M", "X", "i", "s", "f", "C"]).toContain(ph);
    expect([typeof name, name.length > 0, Number.isSafeInteger(pid)]).toEqual(["string", true, true]);
    if (ph === "M") named.add(name === "thread_name" ? `${pid} ${tid}` : `${name} ${pid}`);
    else expect(ts).toBeGreaterThanOrEqual(0);
    if (ph === "X") expect(dur).toBeGreaterThanOrEqual(0);
    if (ph !== "C") expect(Number.isSafeInteger(tid)).toBe(true);
    if (ph === "C") expect(event.args.value).toEqual(expect.any(Number));
    expect(named).toContain(`process_name ${pid}`);
    if (ph === "X" || ph === "i" || ph === "s" || ph === "f") expect(named).toContain(`${pid} ${tid}`);
    const key = `${cat} ${id}`;
    if (ph === "s") {
      expect(open.has(key)).toBe(false);
      open.set(key, event);
    }
    if (ph === "f") expect(open.delete(key)).toBe(true);
  }
  expect(open.size).toBe(0);
  return traceEvents;
}

/** Seconds by function, of a whole recording or of what has a part in a window. */
export async function sumsOf(file: string) {
  const engine = localEngine(grammars);
  const [{ id: dataSet }] = await engine.open({ paths: [file] });
  const { lanes, states, startSeconds, endSeconds, messages } = await engine.timelineFacts({ dataSet });
  const all = { lanes: lanes.map((_, lane) => lane), fromSeconds: startSeconds, toSeconds: endSeconds };
  const { rows } = await engine.timelineSums({ dataSet, ...all });
  const flows = await engine.timelineMessages({ dataSet, ...all, leastBytes: 0, most: 1e6 });
  return { sums: byName(rows, states), states, messages, flows: flows.total };
}

type Row = Awaited<ReturnType<typeof timelineSums>>["rows"][number];

export function byName(
  rows: readonly Row[],
  states: readonly { readonly name: string }[],
): Map<string, [number, number]> {
  const sums = new Map<string, [number, number]>();
  for (const { state, exclusiveSeconds, inclusiveSeconds } of rows) {
    const [exclusive, inclusive] = sums.get(states[state].name) ?? [0, 0];
    sums.set(states[state].name, [exclusive + exclusiveSeconds, inclusive + inclusiveSeconds]);
  }
  return sums;
}

export function expectAlike(found: Map<string, [number, number]>, expected: Map<string, [number, number]>): void {
  const lasting = (sums: Map<string, [number, number]>) => [...sums].filter(([, [, inclusive]]) => inclusive > 1e-9);
  expect(
    lasting(found)
      .map(([name]) => name)
      .sort(),
  ).toEqual(
    lasting(expected)
      .map(([name]) => name)
      .sort(),
  );
  for (const [name, [exclusive, inclusive]] of lasting(expected)) {
    const own = found.get(name) ?? [0, 0];
    expect(Math.abs(own[0] - exclusive), `exclusive of ${name}`).toBeLessThan(1e-9 + 1e-9 * exclusive);
    expect(Math.abs(own[1] - inclusive), `inclusive of ${name}`).toBeLessThan(1e-9 + 1e-9 * inclusive);
  }
}
