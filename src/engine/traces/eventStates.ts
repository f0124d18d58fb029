/** What lanes are in, as views show it: functions by name and kind, whatever places and categories of the recording they have. */
import type { DataSet } from "../../model/dataSet";
import { kindOfEvent } from "../../model/eventKinds";
import { NONE } from "../../model/ids";
import { stateColor } from "../../model/stateColors";
import { compareText } from "../../model/strings";
import type { Trace } from "../../model/trace";
import { groupsByMap } from "../../supergraph/groupMap";
import type { GroupMap } from "../../supergraph/query";
import type { TimelineState } from "./timelineApi";

export interface EventStates {
  readonly states: readonly TimelineState[];
  /** By the trace's own states. */
  readonly of: Int32Array;
}

/** The latest of each trace: while one looks at it, it is asked for again and again. */
const known = new WeakMap<Trace, { readonly key: string; readonly states: EventStates }>();

/** @throws RequestError where a pattern of the user's table is none */
export function eventStates({ frames, stateColors }: DataSet, trace: Trace, categories: GroupMap = {}): EventStates {
  const key = JSON.stringify(categories);
  const before = known.get(trace);
  if (before?.key === key) return before.states;
  const { frame, category } = trace.states;
  const names = Array.from(frame, (one) => (one === NONE ? "" : frames.nameOf(one)));
  const named = groupsByMap(categories, [...new Set(names)]);
  const kinds = names.map((name, at) => kindOfEvent(trace.categories[category[at]], name, named));
  const keys = names.map((name, at) => `${kinds[at]} ${name}`);
  const states = new Map<string, TimelineState>();
  keys.forEach((one, at) => {
    // States of several types may have one name: the first colour is that of all.
    const color = states.get(one)?.color ?? stateColor(stateColors, trace.categories[category[at]].name, names[at]);
    states.set(one, { name: names[at], kind: kinds[at], ...(color === NONE ? {} : { color }) });
  });
  // By name: in whatever order the files of a recording came.
  const sorted = [...states.keys()].sort(compareText);
  const numbers = new Map(sorted.map((one, number) => [one, number]));
  const found = {
    states: [...states].sort(([a], [b]) => compareText(a, b)).map(([, state]) => state),
    of: Int32Array.from(keys, (one) => numbers.get(one) ?? 0),
  };
  known.set(trace, { key, states: found });
  return found;
}

/** By category and frame + 1: the state that is shown of it. */
export function stateNumbers(trace: Trace, of: Int32Array): (frame: number, category: number) => number {
  const numbers = new Map<number, number>();
  const { frame, category } = trace.states;
  frame.forEach((one, state) => numbers.set((one + 1) * 256 + category[state], of[state]));
  return (one, kind) => numbers.get((one + 1) * 256 + kind) ?? 0;
}
