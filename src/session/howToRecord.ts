/** Ways to record what a recording lacks, by its format: one sentence with the command or setting. Pure. */
import type { DataSetInfo } from "../engine/api";

/** Content that a view needs: events over time, or the parts of the machine. */
export type Missing = "events" | "hardware";

const TRACED_BUILD = {
  events: "A traced build with the tool “tracker” or “instrument” records events.",
  hardware:
    "A traced build with the tool “tracker” or “instrument” records packages, caches and cores, with their use over time.",
} as const;

/** Sentences by the first word of a format's identifier (`hpctoolkit-v4`, `caliper run`). */
const WAYS: ReadonlyMap<string, Partial<Readonly<Record<Missing, string>>>> = new Map([
  ["callgrind", { events: `valgrind records no times. ${TRACED_BUILD.events}`, hardware: TRACED_BUILD.hardware }],
  [
    "caliper",
    {
      events: 'Caliper records events with CALI_CONFIG="event-trace", those of MPI with "event-trace(trace.mpi)".',
      hardware: TRACED_BUILD.hardware,
    },
  ],
  ["chrome", { hardware: TRACED_BUILD.hardware }],
  ["dmtracker", { hardware: "Put the machine beside the trace: lstopo --of xml topology-default.xml." }],
  ["ensemble", { events: "Open one of its runs alone: an ensemble has no events." }],
  ["heatflow", { events: "The tracker records events if HEATFLOW_ENABLE and HEATFLOW_START are not 0." }],
  ["hpctoolkit", { events: "HPCToolkit records samples over time with hpcrun -t.", hardware: TRACED_BUILD.hardware }],
  ["kineto", { hardware: "PyTorch records GPUs with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]." }],
  [
    "paje",
    {
      events: "SimGrid records states with --cfg=tracing:yes, those of MPI with smpirun -trace.",
      hardware: "SimGrid records hosts and links with --cfg=tracing/platform:yes.",
    },
  ],
  [
    "perf",
    {
      events: "Times of samples are needed: perf record -T, then perf script -F +time.",
      hardware: TRACED_BUILD.hardware,
    },
  ],
]);

/** @returns a sentence, or "" if the format cannot have it */
export function howToRecord(missing: Missing, { format }: Pick<DataSetInfo, "format">): string {
  const [family] = format.id.split(/[ -]/, 1);
  return WAYS.get(family)?.[missing] ?? "";
}
