/** States of CPU lanes while nothing computes and no data moves (semantics 16, "bound by"). */
import type { HostState } from "../../model/boundBy";
import { FloatColumn } from "../../model/columns";
import { eventKinds } from "../../model/eventKinds";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import { LaneSweep } from "../../formats/trace/laneSweep";
import { type EventStates, stateNumbers } from "./eventStates";
import { eachEventIn } from "./eventsInWindow";
import { TimeUnion } from "./timeUnion";

/** CPU lanes, and the time in which they are looked at. */
export interface HostTime {
  readonly lanes: readonly number[];
  readonly times: TimeUnion;
}

/** Sums of innermost time by state. */
interface HostSums {
  readonly seconds: Float64Array;
  /** Time in which no lane of the host has an event. */
  readonly uncovered: number;
}

/**
 * Finds the state with the most innermost time, summed over the lanes of all hosts.
 *
 * @param isWork whether a kind of a lane's event is no time without work
 * @throws CancelledError
 */
export async function longestHostState(
  trace: Trace,
  states: EventStates,
  hosts: readonly HostTime[],
  isWork: (kind: number) => boolean,
  task: Task,
): Promise<HostState> {
  const { seconds, uncovered } = await hostSums(trace, states, hosts, isWork, task);
  let longest = 0;
  for (let state = 1; state < seconds.length; state++) if (seconds[state] > seconds[longest]) longest = state;
  if (!(seconds.length > 0 && seconds[longest] > 0) || uncovered > seconds[longest])
    return { kind: undefined, name: "" };
  const { kind, name } = states.states[longest];
  return { kind: eventKinds[kind], name };
}

async function hostSums(
  trace: Trace,
  { states, of }: EventStates,
  hosts: readonly HostTime[],
  isWork: (kind: number) => boolean,
  task: Task,
): Promise<HostSums> {
  const seconds = new Float64Array(states.length);
  const stateOf = stateNumbers(trace, of);
  let uncovered = 0;
  for (const [at, { lanes, times }] of hosts.entries()) {
    task.progress(at / hosts.length, "Adding up what the host did without work");
    let rest = times;
    for (const lane of lanes) {
      const [starts, ends] = [new FloatColumn(), new FloatColumn()];
      const cursor = times.cursor();
      const sweep = new LaneSweep((frame, category, begin, end) => {
        const state = stateOf(frame, category);
        starts.push(begin);
        ends.push(end);
        if (!isWork(states[state].kind)) seconds[state] += cursor.overlap(begin, end);
      });
      sweep.begin();
      await eachEventIn(trace, lane, times.span, task, ({ startSeconds, endSeconds, frame, category }, event) => {
        sweep.event(startSeconds[event], endSeconds[event], frame[event], category[event], 0);
      });
      sweep.end();
      const covered = TimeUnion.of(starts.values.subarray(0, starts.length), ends.values.subarray(0, ends.length));
      rest = rest.and(covered.complement());
    }
    uncovered += rest.seconds;
  }
  return { seconds, uncovered };
}
