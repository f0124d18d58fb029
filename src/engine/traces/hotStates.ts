/** States of a trace's lanes by time, for recordings without a metric (semantics 16, page of a recording without a metric). */
import { eventKinds } from "../../model/eventKinds";
import { isPlaceholderName } from "../../model/frames";
import { type FrameId, NONE } from "../../model/ids";
import { groupBy } from "../../model/maps";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import type { HotState, HotStateLine, HotStates, HotStatesQuery } from "./hotStatesApi";
import { timelineSums } from "./timelineSums";
import { tracesOf } from "./tracesOf";

/** States of all lanes, most exclusive time first. @throws RequestError if a recording has no events */
export async function hotStates(state: EngineState, query: HotStatesQuery, task: Task): Promise<HotStates> {
  const { dataSet, trace, states } = await tracesOf(state, query, task);
  const { open } = state.get(query.dataSet);
  const lanes = [...trace.lanes.keys()].filter((lane) => trace.lanes[lane].kind === "intervals");
  // States per frame and category, since states of one name may have several lines.
  const { frame } = trace.states;
  const own = { states: Array.from(states.of, (of) => states.states[of]), of: Int32Array.from(frame.keys()) };
  const window = { lanes, fromSeconds: trace.startSeconds, toSeconds: trace.endSeconds };
  const { rows } = await timelineSums(trace, own, window, task);
  const laneSeconds = lanes.length * (trace.endSeconds - trace.startSeconds);
  const found: HotState[] = [];
  for (const [name, ofName] of groupBy(rows, (row) => own.states[row.state].name)) {
    const lines: HotStateLine[] = [];
    for (const [id, ofFrame] of groupBy(ofName, (row) => frame[row.state])) {
      if (id === NONE) continue;
      const of = dataSet.frames.get(id as FrameId);
      const link = await state.links.linkFrame(open, of, task);
      const seconds = ofFrame.reduce((sum, { exclusiveSeconds }) => sum + exclusiveSeconds, 0);
      const { file, line } = of;
      if (file === undefined || isPlaceholderName(file)) lines.push({ name, seconds, link });
      else lines.push({ name, seconds, link, recorded: line === undefined ? { file } : { file, line } });
    }
    found.push({
      name,
      // Rows come with the most time first.
      kind: eventKinds[own.states[ofName[0].state].kind],
      seconds: ofName.reduce((sum, { exclusiveSeconds }) => sum + exclusiveSeconds, 0),
      count: ofName.reduce((sum, { count }) => sum + count, 0),
      longestSeconds: ofName.reduce((most, { longestSeconds }) => Math.max(most, longestSeconds || 0), 0),
      lines: lines.sort((a, b) => b.seconds - a.seconds),
    });
  }
  found.sort((a, b) => b.seconds - a.seconds || compareText(a.name, b.name));
  return { laneSeconds, lanes: lanes.length, states: found };
}
