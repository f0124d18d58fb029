import type { Trace } from "../../../src/model/trace";

/** Everything that a trace holds, as nested plain values. */
export async function plainTrace(trace: Trace): Promise<unknown> {
  return {
    zeroNanoseconds: trace.zeroNanoseconds,
    startSeconds: trace.startSeconds,
    endSeconds: trace.endSeconds,
    categories: trace.categories,
    counters: trace.counters,
    transferDirections: trace.transferDirections,
    lanes: await Promise.all(
      trace.lanes.map(async (lane, index) => ({ ...lane, rows: rows(await trace.readEvents(index, 0, lane.events)) })),
    ),
    messages: rows(await trace.readMessages(0, trace.links)),
    transfers: rows(await trace.readTransfers(0, trace.transfers)),
    points: await Promise.all(
      trace.counters.map(async ({ points }, index) => rows(await trace.readCounter(index, 0, points))),
    ),
  };
}

function rows(columns: object): unknown[] {
  const { count } = columns as { count: number };
  const arrays = Object.entries(columns).filter(([name]) => name !== "count") as [string, ArrayLike<number>][];
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(arrays.map(([name, values]) => [name, values[row]])),
  );
}
