/**
 * Operations on a super graph (semantics 2.6), written down from their words for the twin: what each does to the rows that
 * are there and to the name of each one's group. It shares no code with the real ones.
 */
import type { GraphOperation, GroupBy, GroupRef } from "../../../src/supergraph/query";
import { keptRows, rowsAbove, twinBars } from "./twin";
import { attributeAt, functionName, type Known, type Level, namesOf } from "./twinNames";

/** Rows that are there, and how they are grouped. */
export interface TwinState {
  readonly groups: ReadonlyMap<number, string>;
  /** How fine each row's group is: an index among the levels. */
  readonly fine: ReadonlyMap<number, number>;
  /** What `collapse` takes back, the last one last. */
  readonly expanded: readonly { ref: string; rows: ReadonlyMap<number, { group: string; fine: number }> }[];
}

const levels: readonly Level[] = ["folder", "file", "class", "function"];

/** An operation that cannot be done. */
export class TwinError extends Error {}

export function twinStart(known: Known, percent: number, groupBy: GroupBy): TwinState {
  return grouped(known, keptRows(known.rows, percent), groupBy);
}

function grouped(known: Known, kept: readonly number[], groupBy: GroupBy): TwinState {
  // A module or mapped group goes on with files, the tree itself with nothing.
  const start = { module: 0, map: 0, folder: 0, file: 1, class: 2, function: 3, none: 3 }[groupBy];
  const fine = new Map(kept.map((row) => [row, start]));
  return { groups: namesOf(known, kept, groupBy), fine, expanded: [] };
}

/** @throws TwinError */
export function twinOperation(known: Known, state: TwinState, operation: GraphOperation): TwinState {
  const { rows } = known;
  const kept = [...state.groups.keys()];
  const only = (isKept: (row: number) => boolean): TwinState => ({
    ...state,
    groups: new Map([...state.groups].filter(([row]) => isKept(row))),
    fine: new Map([...state.fine].filter(([row]) => isKept(row))),
  });
  const renamed = (names: ReadonlyMap<number, string>): TwinState => ({
    ...state,
    groups: new Map([...state.groups].map(([row, group]) => [row, names.get(row) ?? group])),
  });
  switch (operation.kind) {
    case "filter": {
      const left = new Set(keptRows(rows, operation.percent));
      return only((row) => left.has(row));
    }
    case "group-by":
      return grouped(known, kept, operation.groupBy);
    case "hide": {
      const target = targetOf(known, state, operation.target);
      return only((row) => !target.has(row));
    }
    case "split-by-entry": {
      const target = targetOf(known, state, operation.target);
      const entryOf = entries(known, state, target);
      const present = new Set([...entryOf.values()].map((entry) => rows[entry].name));
      const sets = operation.sets.map((set) => [...new Set(set)]);
      const all = sets.flat();
      if (!all.every((name) => present.has(name))) throw new TwinError("no such entry");
      if (new Set(all).size < all.length) throw new TwinError("in two sets");
      const names = new Map<number, string>();
      for (const [row, entry] of entryOf) {
        const set = sets.find((one) => one.includes(rows[entry].name));
        if (set) names.set(row, `${operation.target.group}-${set.length === 1 ? set[0] : `{${set.join(",")}}`}`);
      }
      return renamed(names);
    }
    case "split-by-caller": {
      const target = targetOf(known, state, operation.target);
      const names = new Map<number, string>();
      for (const [row, entry] of entries(known, state, target)) {
        const caller = callerOf(known, state, entry);
        const by = operation.by === "group" ? (at: number) => state.groups.get(at) : callerFunction;
        names.set(row, `${operation.target.group} from ${caller === undefined ? "no caller" : by(caller)}`);
      }
      return renamed(names);
    }
    case "reveal": {
      const target = operation.target && targetOf(known, state, operation.target);
      const entryOf = entries(known, state, target ?? state.groups);
      const names = new Map<number, string>();
      for (const [row, entry] of entryOf) {
        if (rows[row].name !== operation.function) continue;
        const steps = [row, ...rowsAbove(rows, row)].filter((step) => entryOf.get(step) === entry);
        const name = `${operation.target?.group ?? state.groups.get(row)}: ${operation.function}`;
        for (const step of steps) names.set(step, name);
      }
      if (names.size === 0) throw new TwinError("no such function");
      return renamed(names);
    }
    case "expand": {
      const target = [...targetOf(known, state, operation.target).keys()];
      const fineOf = (row: number) => state.fine.get(row) ?? NaN;
      const coarsest = Math.min(...target.map(fineOf));
      for (const [level, word] of levels.entries()) {
        if (level <= coarsest) continue;
        const coarser = target.filter((row) => fineOf(row) < level);
        const names = new Map(coarser.map((row) => [row, attributeAt(known, kept, row, word)]));
        if ([...names.values()].every((name) => name === undefined)) continue;
        const fine = new Map(state.fine);
        for (const row of coarser) fine.set(row, level);
        const before = target.map((row) => [row, { group: state.groups.get(row) ?? "", fine: fineOf(row) }] as const);
        const present = new Map([...names].filter((pair): pair is [number, string] => pair[1] !== undefined));
        const expanded = [...state.expanded, { ref: refText(operation.target), rows: new Map(before) }];
        return { ...renamed(present), fine, expanded };
      }
      throw new TwinError("no finer level");
    }
    case "collapse": {
      const at = state.expanded.findLastIndex(({ ref }) => ref === refText(operation.target));
      if (at < 0) throw new TwinError("not expanded");
      const { rows: before } = state.expanded[at];
      const groups = new Map(state.groups);
      const fine = new Map(state.fine);
      for (const [row, was] of before) {
        if (!groups.has(row)) continue;
        groups.set(row, was.group);
        fine.set(row, was.fine);
      }
      const isInside = (one: TwinState["expanded"][number]) => [...one.rows.keys()].some((row) => before.has(row));
      const expanded = state.expanded.filter((one, index) => index < at || (index > at && !isInside(one)));
      return { groups, fine, expanded };
    }
  }

  function callerFunction(at: number): string {
    return rows[at].frame?.origin === "outside" ? rows[at].name : functionName(rows, kept, at);
  }
}

function refText({ group, bar }: GroupRef): string {
  return JSON.stringify([group, bar]);
}

/** The rows that a name in an operation means, each with the group or bar that it is in as part of that. */
function targetOf(known: Known, state: TwinState, { group, bar }: GroupRef): Map<number, string> {
  const { barOf } = twinBars(known.rows, state.groups);
  const target = new Map<number, string>();
  for (const [row, own] of state.groups) {
    const of = barOf.get(row);
    const inDeeper = of?.group === "deeper" && own !== "deeper";
    // All its bars: what is below a ninth visit still has the name of its group; `deeper` is what is in that bar.
    if (bar === undefined ? own === group || (group === "deeper" && inDeeper) : of?.group === group && of.visit === bar)
      target.set(row, group === "deeper" && of?.group === "deeper" ? `deeper bar ${of.id}` : own);
  }
  if (target.size === 0) throw new TwinError(`nothing is in ${group}`);
  return target;
}

/** For each row of a target the entry of its visit: the highest caller in one go that is in the same part of it. */
function entries(known: Known, state: TwinState, target: ReadonlyMap<number, string>): Map<number, number> {
  const entryOf = new Map<number, number>();
  for (const row of [...target.keys()].sort((a, b) => a - b)) {
    const caller = callerOf(known, state, row);
    const same = caller !== undefined && target.get(caller) === target.get(row);
    entryOf.set(row, same ? (entryOf.get(caller) ?? NaN) : row);
  }
  return entryOf;
}

/** The nearest caller that is there. */
function callerOf({ rows }: Known, { groups }: TwinState, row: number): number | undefined {
  return rowsAbove(rows, row).find((above) => groups.has(above));
}
