/** Events of some functions, read lane by lane. */
import type { Task } from "../../model/task";
import type { EventColumns, Trace } from "../../model/trace";
import type { EventStates } from "./eventStates";

/** Events that are read at once. */
const PAGE = 1 << 14;

/** Whether an event is of one of these states. @param states indices into the states that views show */
export function isOfStates(
  trace: Trace,
  { of }: EventStates,
  states: readonly number[],
): (events: EventColumns, row: number) => boolean {
  const wanted = new Set(states);
  const isWanted = new Set<number>();
  const { frame, category } = trace.states;
  frame.forEach((one, state) => wanted.has(of[state]) && isWanted.add((one + 1) * 256 + category[state]));
  return (events, row) => isWanted.has((events.frame[row] + 1) * 256 + events.category[row]);
}

/** Those of one lane, in its order. */
export async function eachOfStates(
  trace: Trace,
  lane: number,
  isWanted: (events: EventColumns, row: number) => boolean,
  task: Pick<Task, "check">,
  take: (startSeconds: number, endSeconds: number, event: number, depth: number) => void,
): Promise<void> {
  for (let first = 0; first < trace.lanes[lane].events; first += PAGE) {
    task.check();
    const events = await trace.readEvents(lane, first, PAGE);
    for (let row = 0; row < events.count; row++)
      if (isWanted(events, row)) take(events.startSeconds[row], events.endSeconds[row], first + row, events.depth[row]);
  }
}
