/** A small recording of everything that happens in time: two ranks, a GPU stream, messages, a counter, a transfer, iterations. */
import { memoryColumnFiles } from "../../../src/formats/memoryColumns";
import { ProfileBuilder } from "../../../src/formats/profileBuilder";
import { TraceBuilder } from "../../../src/formats/trace/traceBuilder";
import type { DataSet } from "../../../src/model/dataSet";
import { NONE } from "../../../src/model/ids";
import { location } from "../../../src/model/locations";
import { quietTask } from "../../../src/model/task";
import { finishTrace } from "../../../src/formats/trace/finishTrace";

export async function traced(): Promise<DataSet> {
  const profile = new ProfileBuilder();
  const main = profile.frames.intern({ name: "main", kind: "function", file: "main.c", line: 3 });
  const send = profile.frames.intern({ name: "MPI_Send", kind: "function" });
  const copy = profile.frames.intern({ name: "copy", kind: "function" });
  const context = profile.tree.child(NONE, main);
  const inner = profile.tree.child(context, send);
  const places = [0, 1].map((rank) => profile.location(location({ rank })));
  const metric = { recordedName: "time", unit: "s", kind: "time", additive: true, reducedOverRanks: false } as const;
  const time = profile.metric({ name: "time", ...metric });
  places.forEach((place, rank) => {
    profile.add(time, context, place, 4);
    profile.add(time, inner, place, 1 + rank);
  });
  const builder = new TraceBuilder(memoryColumnFiles);
  const root = { parent: NONE, location: NONE };
  const processes = places.map((place, rank) =>
    builder.resource({ name: `process ${rank}`, type: "process", ...root, location: place }),
  );
  const gpu = builder.resource({ name: "GPU 0", type: "GPU", ...root });
  const stream = builder.resource({ name: "stream 7", type: "stream", parent: gpu, location: NONE });
  const lanes = processes.map((resource, rank) =>
    builder.lane({ name: `rank ${rank}`, resource, location: places[rank], kind: "intervals" }),
  );
  const device = builder.lane({ name: "GPU 0, stream 7", resource: stream, location: NONE, kind: "intervals" });
  const compute = builder.category("function", "compute");
  const communication = builder.category("mpi", "communication");
  const transfers = builder.category("memcpy", "transfer");
  lanes.forEach((lane, rank) => {
    builder.event(lane, 0, 5 + rank, main, context, compute);
    builder.event(lane, 1, 2, send, inner, communication);
  });
  builder.event(device, 0.5, 0.75, copy, NONE, transfers);
  builder.message("message", processes[0], processes[1], 1, 1.5, 2048, 17);
  builder.message("message", processes[1], processes[0], 1.25, Number.NaN, 1024, NONE);
  builder.message("message", NONE, processes[0], Number.NaN, 1.75, Number.NaN, 3); // nobody says that it was sent
  builder.message("launch", processes[0], stream, 0.25, 0.5, Number.NaN, NONE);
  const power = builder.counter("power", "W", gpu);
  builder.point(power, 0, 50);
  builder.point(power, 1, 75.5);
  builder.transfer({
    lane: device,
    startSeconds: 0.5,
    endSeconds: 0.75,
    bytes: 4096,
    direction: builder.transferDirection("HtoD"),
    fromDevice: NONE,
    toDevice: 0,
    bandwidth: Number.NaN,
    frame: copy,
    context: NONE,
  });
  const { columns, final, warnings } = profile.build(quietTask);
  const { outline, trace, topology } = await finishTrace(
    [{ builder, contextOf: final.contextOf, locationOf: final.locationOf }],
    {},
    quietTask,
  );
  return {
    name: "traced",
    files: ["/traced"],
    format: { id: "test", label: "Test" },
    ...columns,
    globals: new Map(),
    warnings,
    hierarchies: ["regions"],
    records: 9,
    outline,
    trace,
    topology,
    series: [
      {
        name: "timestep",
        metric: 0,
        rows: 2,
        iteration: Float64Array.of(0, 1),
        context: Int32Array.of(final.contextOf[inner], final.contextOf[inner]),
        location: Int32Array.of(0, 0),
        value: Float64Array.of(0.25, 0.75),
      },
    ],
  };
}
