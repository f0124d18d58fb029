import type { Warning } from "../../../../model/dataSet";
import { isFunctionKind, type FrameTable } from "../../../../model/frames";
import { NONE } from "../../../../model/ids";
import type { ContextTree } from "../../../../model/contextTree";
import { appendAll } from "../../../../model/longLists";
import type { Task } from "../../../../model/task";
import type { TraceSink } from "../../../trace/traceSink";
import { countedWarnings } from "../../../warnings";
import type { ContextIds } from "./contextIds";
import { stepsOf } from "./locations";
import type { ProfileInfo } from "../scan/profileDb";
import type { TraceDb, TraceLine } from "../scan/traceDb";

const NANOSECONDS = 1e9;

/** What samples are drawn with: their context, and the function that it belongs to. */
export interface TraceContexts {
  readonly tree: ContextTree;
  readonly frames: FrameTable;
  readonly ids: ContextIds;
}

/** What a trace needs to know of the profiles of the same threads. */
export interface TraceProfiles {
  readonly idNames: readonly string[];
  readonly profiles: readonly ProfileInfo[];
  /** Final location of each profile. */
  readonly locationOf: Int32Array;
}

/**
 * Lines of trace.db as lanes: a sample's context is the thread's from then on until the next sample; the last one has no length
 * (semantics 9). Context 0 is a thread that does not run: a gap.
 *
 * @returns the number of samples, and the seconds of those of threads
 */
export async function readTraces(
  db: TraceDb,
  { tree, frames, ids }: TraceContexts,
  known: TraceProfiles,
  sink: TraceSink,
  warnings: Warning[],
  task: Task,
): Promise<{ readonly samples: number; readonly threadSeconds: number | undefined }> {
  const functionOf = functionFrames(tree, frames);
  const lanes = new LaneNames(known, sink);
  // Lanes stand in the order of locations, whatever the order of the file.
  const placeOf = ({ profile }: TraceLine) => known.locationOf[profile] ?? NONE;
  const order = [...db.lines].sort((a, b) => placeOf(a) - placeOf(b) || a.profile - b.profile);
  const profileOf = new Map(known.profiles.map((profile) => [profile.index, profile]));
  const laneOf = new Map(order.map((line) => [line, lanes.of(line.profile, profileOf.get(line.profile))]));
  const total = db.lines.reduce((sum, { samples }) => sum + samples, 0);
  let done = 0;
  let lacking = 0;
  let threadSeconds: number | undefined;
  for (const [line, { lane, onStream }] of laneOf) {
    const category = onStream ? sink.category("GPU activity", "gpuCompute") : sink.category("samples", "compute");
    let context = NONE;
    let since = 0;
    const until = (seconds: number) => {
      if (context === NONE) return;
      sink.event(lane, since, seconds, functionOf[context], context, category);
      if (!onStream) threadSeconds = (threadSeconds ?? 0) + Math.max(0, seconds - since);
    };
    for await (const { count, nanoseconds, context: id } of db.read(line, task)) {
      for (let row = 0; row < count; row++) {
        const seconds = nanoseconds[row] / NANOSECONDS;
        until(seconds);
        since = seconds;
        context = id[row] === 0 ? NONE : ids.find(id[row]);
        if (context === NONE && id[row] !== 0) lacking++;
      }
      done += count;
      task.progress(total === 0 ? 0 : done / total, "trace.db");
      await sink.settle(task);
    }
    until(since);
  }
  const what = "samples in contexts that meta.db lacks are drawn as gaps of trace.db's lanes";
  appendAll(warnings, countedWarnings(undefined, [[lacking, what]]));
  return { samples: done, threadSeconds };
}

/** For each context the frame of its function, which is what a lane shows; lines and loops belong to it. */
function functionFrames(tree: ContextTree, frames: FrameTable): Int32Array {
  const frame = new Int32Array(tree.size);
  for (let context = 0; context < tree.size; context++) {
    const own = tree.frame[context];
    const parent = tree.parent[context];
    frame[context] = parent === NONE || isFunctionKind(frames.kindOf(own)) ? own : frame[parent];
  }
  return frame;
}

/** Lanes, and the resources that they belong to: nodes, processes, threads, streams. */
class LaneNames {
  private readonly resources = new Map<string, number>();
  private readonly names = new Set<string>();

  constructor(
    private readonly known: TraceProfiles,
    private readonly sink: TraceSink,
  ) {}

  of(index: number, profile: ProfileInfo | undefined): { lane: number; onStream: boolean } {
    const steps = profile === undefined ? [] : stepsOf(profile.ids, this.known.idNames);
    const location = profile === undefined ? NONE : this.known.locationOf[index];
    const words = steps.filter(({ type }) => type !== "node").map(({ name }) => name);
    let name = words.length === 0 ? `profile ${index}` : words.join(", ");
    // Processes that have no number of their own (a fork without MPI) are told apart by their profile.
    if (this.names.has(name)) name = `${name} (profile ${index})`;
    this.names.add(name);
    let resource: number = NONE;
    steps.forEach((step, depth) => {
      const last = depth === steps.length - 1;
      const key = `${resource}/${step.name}${last ? `/${index}` : ""}`;
      const parent = resource;
      resource = this.resources.get(key) ?? this.sink.resource({ ...step, parent, location: last ? location : NONE });
      this.resources.set(key, resource);
    });
    const onStream = steps.some(({ type }) => type === "stream");
    return { lane: this.sink.lane({ name, resource, location, kind: "intervals" }), onStream };
  }
}
