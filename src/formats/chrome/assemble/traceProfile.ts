import type { Warning } from "../../../model/dataSet";
import { NONE } from "../../../model/ids";
import { smallestIn } from "../../../model/longLists";
import { compareLocations, type Location } from "../../../model/locations";
import type { Topology } from "../../../model/resources";
import { cancellable, type Task } from "../../../model/task";
import type { Trace, TraceOutline } from "../../../model/trace";
import { type ProfileColumns, ProfileBuilder } from "../../profileBuilder";
import { type TraceBuilder } from "../../trace/traceBuilder";
import { CallStacks } from "../decode/callStacks";
import { ContextTrace } from "./contextTrace";
import { NestedContexts } from "./nestedContexts";
import type { TraceEvents } from "../decode/traceEvents";
import { secondsOf } from "../decode/clock";
import { finishTrace } from "../../trace/finishTrace";
import { countedWarnings } from "../../warnings";

const SAMPLED_TIME = "sampled time";

interface Part {
  readonly builder: TraceBuilder;
  readonly events: TraceEvents;
}

/** What {@link TraceProfile.finish} gives: everything of a data set that comes from events. */
export interface FinishedTrace extends ProfileColumns {
  readonly outline: TraceOutline;
  readonly trace: Trace;
  readonly topology: Topology;
  readonly warnings: readonly Warning[];
  readonly notRecorded: readonly string[];
  readonly startingMetric?: number;
}

/**
 * Calling contexts and times of the events of one run, over all its files. Times are exclusive: of each moment of a lane the innermost
 * event has it. They are computed from the finished trace, lane by lane, where events stand in order.
 */
export class TraceProfile {
  private readonly builder = new ProfileBuilder();
  readonly frames = this.builder.frames;
  readonly stacks = new CallStacks(this.frames);
  private readonly parts: Part[] = [];
  private isFine = false;

  /** Takes a file that was read. */
  add(events: TraceEvents, isFine: boolean, builder: TraceBuilder): void {
    this.parts.push({ events, builder });
    if (isFine) this.isFine = true;
  }

  /** Makes the trace; all that the files' builders have is part of it. */
  async finish(zeroNanoseconds: bigint | undefined, task: Task, clocks?: "separate"): Promise<FinishedTrace> {
    const earliest = smallestIn(this.parts.map(({ events }) => events.earliest));
    const { trace, outline, topology, warnings } = await finishTrace(
      this.addLocations(task).map((locationOf, part) => ({ builder: this.parts[part].builder, locationOf })),
      {
        zeroNanoseconds,
        clocks,
        zeroSeconds: secondsOf(earliest),
        difference: (seconds, zero) => secondsOf((seconds - zero) * 1e6),
      },
      task,
    );
    try {
      const profile = await this.withContexts(trace, task);
      return { ...profile, outline, topology, warnings: [...warnings, ...profile.warnings] };
    } catch (problem) {
      await trace.close();
      throw problem;
    }
  }

  /** Locations in canonical order, so that their numbers are final. @returns for each file the final number of its own */
  private addLocations(task: Task): Int32Array[] {
    const all = this.parts.flatMap(({ events }) => events.places.locations as readonly Location[]);
    let steps = 0;
    const numberOf = (place: Location) => {
      if (++steps % 1024 === 0) task.check();
      return this.builder.location(place);
    };
    for (const place of [...all].sort(cancellable(compareLocations, task))) numberOf(place);
    return this.parts.map(({ events }) => Int32Array.from(events.places.locations, numberOf));
  }

  private async withContexts(trace: Trace, task: Task): Promise<Omit<FinishedTrace, "outline" | "topology">> {
    const { builder } = this;
    const contexts = new NestedContexts(builder.tree, this.stacks);
    const withContexts = new ContextTrace(trace, contexts, this.frames);
    const scale = this.isFine ? 1e12 : 1e9;
    const time = builder.metric({ ...timeMetric("time"), divisor: scale, ofEvents: true });
    let hasTimes = false;
    await withContexts.spend(
      scale,
      (context, location, units) => {
        hasTimes = true;
        builder.add(time, context, location, units);
      },
      task,
    );
    this.addSamples(contexts, hasTimes);
    const { columns, final, warnings } = builder.build(task);
    const notRecorded: string[] = [];
    if (columns.tree.size === 0) notRecorded.push("no calling contexts in this recording");
    if (!columns.frames.line.subarray(0, columns.frames.size).some((line) => line > 0))
      notRecorded.push("no source lines in this recording");
    const starting = startingMetric(columns);
    return {
      ...columns,
      ...(starting === undefined ? {} : { startingMetric: starting }),
      trace: withContexts.finished(columns.tree, final.contextOf),
      warnings: [...warnings, ...tangledWarnings(withContexts.tangledLanes)],
      notRecorded,
    };
  }

  private addSamples(contexts: NestedContexts, hasTimes: boolean): void {
    const { builder } = this;
    const totals = this.parts.flatMap(({ events }) =>
      [...events.samples.totals()].map((total) => ({
        ...total,
        location: builder.location(events.places.locations[total.thread.location]),
      })),
    );
    if (totals.length === 0) return;
    const count = builder.metric({ ...timeMetric("samples"), unit: "1", kind: "count" });
    const time = builder.metric({ ...timeMetric(hasTimes ? SAMPLED_TIME : "time"), divisor: 1e9 });
    for (const { stack, location, count: samples, microseconds } of totals) {
      const context = contexts.stackContext(stack);
      if (context === NONE) continue;
      builder.add(count, context, location, samples);
      builder.add(time, context, location, Math.round(microseconds * 1000));
    }
  }
}

/** Some paths of open events would have been too many contexts. */
function tangledWarnings(lanes: number): Warning[] {
  return countedWarnings(undefined, [
    [
      lanes,
      "lanes have too many events open at the same time: their time is in the contexts in which the events began",
      "lane has too many events open at the same time: its time is in the contexts in which the events began",
    ],
  ]);
}

/**
 * The sampled time, where most of it was spent in files that are named, and hardly any of the events' time: a browser's events are its
 * own work, and lead to no line of the page that was profiled. undefined: the events' time, as of any other recording.
 */
function startingMetric(columns: ProfileColumns): number | undefined {
  const named = (name: string) => columns.metrics.findIndex((metric) => metric.name === name);
  const [events, samples] = [named("time"), named(SAMPLED_TIME)];
  if (events < 0 || samples < 0) return undefined;
  return shareInFiles(columns, samples) > 0.5 && shareInFiles(columns, events) < 0.1 ? samples : undefined;
}

/** How much of a metric was recorded with a file. @returns 0 to 1 */
function shareInFiles({ tree, frames, values }: ProfileColumns, metric: number): number {
  const { rowStart, value } = values[metric];
  let [all, inFiles] = [0, 0];
  for (let context = 0; context < tree.size; context++) {
    const isInFile = frames.file[tree.frame[context]] !== NONE;
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
      all += value[at];
      if (isInFile) inFiles += value[at];
    }
  }
  return all > 0 ? inFiles / all : 0;
}

function timeMetric(name: string) {
  return {
    name,
    recordedName: name === "time" ? "dur" : name,
    unit: "s",
    kind: "time",
    additive: true,
    reducedOverRanks: false,
  } as const;
}
