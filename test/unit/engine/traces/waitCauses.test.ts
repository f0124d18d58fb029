import { describe, expect, it } from "vitest";
import { waitCause } from "../../../../src/engine/traces/waitCauses";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import type { DataSet } from "../../../../src/model/dataSet";
import { FrameTable } from "../../../../src/model/frames";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";
import { seeds } from "../../randomCases";

type Call = readonly [name: string, start: number, end: number];

/** Ranks with their calls, and messages from rank to rank. */
async function recordingOf(
  ranks: readonly (readonly Call[])[],
  messages: readonly (readonly [from: number, to: number, sent: number, received: number, bytes: number])[] = [],
) {
  const frames = new FrameTable(new StringTable());
  const builder = new TraceBuilder(memoryColumnFiles);
  const category = builder.category("mpi.function", "communication");
  const resources = ranks.map((_, rank) =>
    builder.resource({ name: `rank ${rank}`, type: "process", parent: -1, location: -1 }),
  );
  ranks.forEach((calls, rank) => {
    const thread = builder.resource({ name: "thread", type: "thread", parent: resources[rank], location: -1 });
    const lane = builder.lane({ name: `rank ${rank}`, resource: thread, location: -1, kind: "intervals" });
    for (const [name, start, end] of calls)
      builder.event(lane, start, end, frames.intern({ name, kind: "region" }), -1, category);
  });
  for (const [from, to, sent, received, bytes] of messages)
    builder.message("message", from < 0 ? -1 : resources[from], resources[to], sent, received, bytes, 0);
  const { trace, topology } = await finishTrace([{ builder }], {}, quietTask);
  const dataSet = { frames, topology, trace } as unknown as DataSet;
  return {
    causeOf: async (rank: number, name: string, start: number) => {
      const { count, startSeconds, frame } = await trace.readEvents(rank, 0, 1e6);
      const event = Array.from({ length: count }, (_, at) => at).find(
        (at) => startSeconds[at] === start && frames.nameOf(frame[at] as never) === name,
      );
      return waitCause(dataSet, trace, rank, event ?? -1, quietTask);
    },
  };
}

describe("the cause of a wait", () => {
  it("is the sender of the message that came last, where it was late", async () => {
    const { causeOf } = await recordingOf(
      [
        [
          ["main", 0, 20],
          ["MPI_Waitall", 2, 9],
        ],
        [
          ["main", 0, 20],
          ["MPI_Isend", 1, 1.5],
        ],
        [
          ["main", 0, 20],
          ["work", 1, 6],
          ["MPI_Isend", 6, 6.5],
        ],
      ],
      [
        [1, 0, 1.25, 3, 100],
        [2, 0, 6.25, 8.5, 800],
        // It arrives in nobody's wait.
        [2, 0, 6.25, 12, 5],
      ],
    );
    expect(await causeOf(0, "MPI_Waitall", 2)).toEqual({
      kind: "late sender",
      lane: 2,
      event: 2,
      seconds: 6,
      waitedSeconds: 4,
      message: { sentSeconds: 6.25, receivedSeconds: 8.5, bytes: 800 },
    });
  });

  it("is the transfer, where the sender was in time", async () => {
    const { causeOf } = await recordingOf([[["MPI_Recv", 2, 9]], [["MPI_Send", 1, 1.5]]], [[1, 0, 1.25, 8, 1e6]]);
    expect(await causeOf(0, "MPI_Recv", 2)).toMatchObject({
      kind: "transfer",
      lane: 1,
      event: 0,
      seconds: 1,
      waitedSeconds: 6,
    });
  });

  it("is nothing for a call that neither receives nor waits, though a message arrives while it runs", async () => {
    // As in traces of simulations: a send ends at the moment at which the wait behind it has its message.
    const { causeOf } = await recordingOf(
      [
        [
          ["PMPI_Irecv", 0, 0],
          ["PMPI_Send", 1, 5],
          ["PMPI_Wait", 5, 6],
        ],
        [["PMPI_Send", 3, 4]],
      ],
      [[1, 0, 3, 5, 100]],
    );
    const none = { kind: "none", why: "this MPI call neither receives messages nor waits for them" };
    expect(await causeOf(0, "PMPI_Send", 1)).toEqual(none);
    expect(await causeOf(0, "PMPI_Irecv", 0)).toEqual(none);
    expect(await causeOf(0, "PMPI_Wait", 5)).toMatchObject({ kind: "transfer", lane: 1 });
  });

  it("is nothing where a record is missing, and says which", async () => {
    const { causeOf } = await recordingOf(
      [
        [
          ["main", 0, 20],
          ["MPI_Wait", 2, 9],
          ["MPI_Wait", 10, 12],
          ["MPI_Barrier", 13, 14],
        ],
        [
          ["main", 0, 20],
          ["MPI_Allreduce", 13, 14],
        ],
      ],
      [[-1, 0, Number.NaN, 8, 1e6]],
    );
    expect(await causeOf(0, "MPI_Wait", 2)).toEqual({
      kind: "none",
      why: "the sending of its last message is not recorded",
    });
    expect(await causeOf(0, "MPI_Wait", 10)).toEqual({
      kind: "none",
      why: "no recorded message arrives in it",
    });
    expect(await causeOf(0, "main", 0)).toMatchObject({ kind: "none" });
    expect(await causeOf(0, "MPI_Barrier", 13)).toMatchObject({ kind: "none", why: /rank 1 has another collective/ });
  });

  it.each(seeds(100))("of a collective is the rank that came last, seed %i", async (seed) => {
    let random = (seed % 2147483646) + 1;
    const next = (below: number) => (random = (random * 48271) % 2147483647) % below;
    const [ranks, turns] = [2 + next(6), 1 + next(8)];
    const calls: Call[][] = Array.from({ length: ranks }, () => []);
    const late: { rank: number; seconds: number }[] = [];
    const enters: number[][] = [];
    let now = 0;
    for (let turn = 0; turn < turns; turn++) {
      const name = ["MPI_Barrier", "MPI_Allreduce", "MPI_Bcast"][next(3)];
      // All at different times, in eighths of a second.
      const order = Array.from({ length: ranks }, (_, rank) => rank).sort(() => next(3) - 1);
      const enter = order.map((place) => now + (1 + place) / 8);
      const all = Math.max(...enter) + 0.125;
      enter.forEach((start, rank) => {
        calls[rank].push(["work", now, start]);
        if (next(2) > 0) calls[rank].push(["MPI_Comm_rank", start - 0.0625, start]);
        calls[rank].push([name, start, all]);
      });
      enters.push(enter);
      late.push({ rank: enter.indexOf(Math.max(...enter)), seconds: Math.max(...enter) });
      now = all;
    }
    const { causeOf } = await recordingOf(calls);
    for (const [turn, { rank, seconds }] of late.entries())
      for (const [own, start] of enters[turn].entries()) {
        const [name] = calls[own].find(([, begin, end]) => begin === start && end > start) ?? [""];
        expect(await causeOf(own, name, start)).toMatchObject({
          kind: "last rank",
          lane: rank,
          seconds,
          waitedSeconds: seconds - start,
        });
      }
  });
});
