/** Which states a model has: what was recorded, kinds of work, or load modules; of many the heaviest. Pure. */
import type { DataSet } from "../../model/dataSet";
import { eventKinds } from "../../model/eventKinds";
import { stateColor } from "../../model/stateColors";
import { addTo } from "../../model/maps";
import { compareText } from "../../model/strings";
import { demangled } from "../../source/signature";
import type { DrawnState, OverviewQuery } from "./overviewApi";

/** A state as it was recorded. */
export interface RecordedState {
  readonly name: string;
  /** Index into `eventKinds`. */
  readonly kind: number;
  readonly module: string | undefined;
  /** Of the resources that are looked at, in the whole trace. */
  readonly seconds: number;
}

export interface ShownStates {
  readonly names: readonly string[];
  /** Index into `eventKinds`; -1: of several. */
  readonly kinds: readonly number[];
  /** By recorded state; -1: left out. */
  readonly of: Int32Array;
}

/** Of profilers' traces so many functions are states of their own. */
const MOST_STATES = 15;
const OTHER = "other";
const UNKNOWN_MODULE = "not known";

/** With their colours: of kinds of work and load modules a recording says none. */
export function drawnStates(
  { stateColors }: Pick<DataSet, "stateColors">,
  { names, kinds, stateType }: Omit<ShownStates, "of"> & { readonly stateType: string },
  { by = "function" }: Pick<OverviewQuery, "by">,
): DrawnState[] {
  const colors = by === "function" ? stateColors : undefined;
  const readable = readableNames(names);
  return names.map((name, at) => ({
    name,
    readable: readable[at],
    kind: kinds[at],
    color: stateColor(colors, stateType, name),
  }));
}

/** Mangled names written out, but for those that would be another's. */
export function readableNames(names: readonly string[]): string[] {
  const all = names.map((name) => demangled(name) ?? name);
  const counts = new Map<string, number>();
  for (const name of all) addTo(counts, name, 1);
  return names.map((name, at) => (counts.get(all[at]) === 1 ? all[at] : name));
}

/** @param hasFew all states are shown, however many */
export function shownStates(
  recorded: readonly RecordedState[],
  { by = "function", without = [] }: Pick<OverviewQuery, "by" | "without">,
  hasFew: boolean,
): ShownStates {
  const hidden = new Set(without);
  const groups = new Map<string, { name: string; kind: number; most: number; seconds: number; members: number[] }>();
  recorded.forEach(({ name: own, kind, module = UNKNOWN_MODULE, seconds }, at) => {
    const name = by === "category" ? eventKinds[kind] : by === "module" ? module : own;
    const key = by === "function" ? `${kind} ${name}` : name;
    const group = groups.get(key) ?? { name, kind, most: 0, seconds: 0, members: [] };
    group.members.push(at);
    group.seconds += seconds;
    if (seconds > group.most) [group.kind, group.most] = [kind, seconds];
    groups.set(key, group);
  });
  const used = [...groups.values()].filter(({ name, seconds }) => seconds > 0 && !hidden.has(name));
  used.sort((a, b) => b.seconds - a.seconds || compareText(a.name, b.name) || a.kind - b.kind);
  const most = hasFew || used.length <= MOST_STATES + 1 ? used.length : MOST_STATES;
  const [shown, rest] = [used.slice(0, most), used.slice(most)];
  const hasOther = rest.length > 0 && !hidden.has(OTHER);
  const of = new Int32Array(recorded.length).fill(-1);
  shown.forEach(({ members }, at) => members.forEach((member) => (of[member] = at)));
  if (hasOther) for (const { members } of rest) members.forEach((member) => (of[member] = most));
  return {
    names: [...shown.map(({ name }) => name), ...(hasOther ? [OTHER] : [])],
    kinds: [...shown.map(({ kind }) => kind), ...(hasOther ? [-1] : [])],
    of,
  };
}
