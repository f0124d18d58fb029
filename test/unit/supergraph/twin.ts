/**
 * The super graph written down as the rules of semantics 2 say it, with maps and searches and no thought of speed: what
 * the real one is compared with. It shares no code with it.
 */
import type { Row } from "./treeOf";

interface Context {
  readonly name: string;
  readonly parent: Context | undefined;
  readonly exclusive: number;
  readonly children: Context[];
  readonly group: string;
  hidden: number;
}

export interface TwinGraph {
  readonly total: number;
  readonly hidden: number;
  readonly functions: number;
  readonly contexts: number;
  readonly bars: {
    id: string;
    group: string;
    visit: number;
    level: number;
    inclusive: number;
    exclusive: number;
    hidden: number;
    contexts: number;
    entries: { name: string; inclusive: number; exclusive: number }[];
  }[];
  readonly edges: { source: string; target: string; inclusive: number }[];
}

/** @param groupOf group of a function's name; undefined: a group a path */
export function twinGraph(rows: readonly Row[], percent: number, groupOf?: (name: string) => string): TwinGraph {
  const kept = keep(rows, percent, groupOf);
  const { contexts } = kept;
  const inclusives = new Map<Context, number>();
  // Parents stand before children, so backwards every child is known.
  for (const context of [...contexts].reverse()) {
    const below = context.children.reduce((sum, child) => sum + (inclusives.get(child) ?? 0), 0);
    inclusives.set(context, context.exclusive + context.hidden + below);
  }
  const inclusive = (context: Context): number => inclusives.get(context) ?? 0;

  // Visits: each context's bar before merging.
  const barOf = new Map<Context, string>();
  const info = new Map<string, { group: string; position: number }>();
  for (const context of contexts) {
    const path = pathOf(context);
    const visits: string[] = [];
    let deeper = false;
    for (const step of path) {
      if (visits[visits.length - 1] === step.group) continue;
      visits.push(step.group);
      if (visits.filter((group) => group === step.group).length > 8) deeper = true;
    }
    const bar = deeper ? "deeper" : `${visits.length - 1}@${context.group}`;
    barOf.set(context, bar);
    info.set(bar, deeper ? { group: "deeper", position: 0 } : { group: context.group, position: visits.length - 1 });
  }

  const entriesOf = (bar: string) =>
    contexts.filter((context) => barOf.get(context) === bar && (!context.parent || barOf.get(context.parent) !== bar));
  const weightOf = (bar: string) => entriesOf(bar).reduce((sum, entry) => sum + inclusive(entry), 0);
  const reaches = (calls: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean => {
    const seen = new Set([from]);
    for (const bar of seen) for (const callee of calls.get(bar) ?? []) seen.add(callee);
    return seen.has(to);
  };
  const callsNow = (): Map<string, Set<string>> => {
    const calls = new Map<string, Set<string>>();
    for (const context of contexts) {
      const [caller, callee] = [context.parent && barOf.get(context.parent), barOf.get(context)];
      if (caller === undefined || callee === undefined || caller === callee) continue;
      calls.set(caller, (calls.get(caller) ?? new Set()).add(callee));
    }
    return calls;
  };

  // Merging, heaviest first.
  const order = [...info.keys()].map((bar) => ({ bar, weight: Number(weightOf(bar).toPrecision(12)) }));
  order.sort((a, b) => {
    const [left, right] = [info.get(a.bar), info.get(b.bar)];
    if (!left || !right) throw new Error("no such bar");
    if (a.weight !== b.weight) return b.weight - a.weight;
    if (left.group !== right.group) return left.group < right.group ? -1 : 1;
    return left.position - right.position;
  });
  const done: string[] = [];
  for (const { bar } of order) {
    const group = info.get(bar)?.group;
    const calls = callsNow();
    const target = done.find(
      (other) => info.get(other)?.group === group && !reaches(calls, bar, other) && !reaches(calls, other, bar),
    );
    if (target === undefined) {
      done.push(bar);
      continue;
    }
    for (const context of contexts) if (barOf.get(context) === bar) barOf.set(context, target);
  }

  // Levels, numbers, edges.
  const callers = (bar: string) =>
    new Set(entriesOf(bar).flatMap((entry) => (entry.parent ? [barOf.get(entry.parent) ?? ""] : [])));
  const levels = new Map<string, number>();
  const levelOf = (bar: string): number => {
    const known = levels.get(bar);
    if (known !== undefined) return known;
    const level = Math.max(-1, ...[...callers(bar)].map(levelOf)) + 1;
    levels.set(bar, level);
    return level;
  };
  const ids = new Map<string, { id: string; visit: number }>();
  for (const group of new Set(done.map((bar) => info.get(bar)?.group ?? ""))) {
    const own = done.filter((bar) => info.get(bar)?.group === group).sort((a, b) => levelOf(a) - levelOf(b));
    own.forEach((bar, at) => ids.set(bar, { id: at === 0 ? group : `${group}#${at + 1}`, visit: at + 1 }));
  }
  const idOf = (bar: string) => ids.get(bar)?.id ?? "";
  const below = (entry: Context): Context[] => [
    entry,
    ...entry.children.filter((child) => barOf.get(child) === barOf.get(entry)).flatMap(below),
  ];
  const bars = done.map((bar) => {
    const own = contexts.filter((context) => barOf.get(context) === bar);
    const entries = new Map<string, { name: string; inclusive: number; exclusive: number }>();
    for (const entry of entriesOf(bar)) {
      const sum = entries.get(entry.name) ?? { name: entry.name, inclusive: 0, exclusive: 0 };
      sum.inclusive += inclusive(entry);
      for (const context of below(entry)) sum.exclusive += context.exclusive;
      entries.set(entry.name, sum);
    }
    return {
      id: idOf(bar),
      group: info.get(bar)?.group ?? "",
      visit: ids.get(bar)?.visit ?? 0,
      level: levelOf(bar),
      inclusive: weightOf(bar),
      exclusive: own.reduce((sum, context) => sum + context.exclusive, 0),
      hidden: own.reduce((sum, context) => sum + context.hidden, 0),
      contexts: own.length,
      entries: [...entries.values()],
    };
  });
  const edges: TwinGraph["edges"] = [];
  for (const bar of done)
    for (const caller of callers(bar)) {
      const through = entriesOf(bar).filter((entry) => entry.parent && barOf.get(entry.parent) === caller);
      const weight = through.reduce((sum, entry) => sum + inclusive(entry), 0);
      edges.push({ source: idOf(caller), target: idOf(bar), inclusive: weight });
    }
  return { total: kept.total, hidden: kept.hidden, functions: kept.functions, contexts: contexts.length, bars, edges };
}

function pathOf(context: Context): Context[] {
  return context.parent ? [...pathOf(context.parent), context] : [context];
}

function keep(rows: readonly Row[], percent: number, groupOf: ((name: string) => string) | undefined) {
  const inclusive = rows.map((row) => row.exclusive);
  for (let at = rows.length - 1; at >= 0; at--) {
    const { parent } = rows[at];
    if (parent !== undefined) inclusive[parent] += inclusive[at];
  }
  const total = rows.reduce((sum, row, at) => (row.parent === undefined ? sum + inclusive[at] : sum), 0);
  const above = (at: number): number[] => {
    const { parent } = rows[at];
    return parent === undefined ? [] : [parent, ...above(parent)];
  };
  const names = new Set(rows.map((row) => row.name));
  const keptNames = new Set(
    [...names].filter((name) => {
      let sum = 0;
      rows.forEach((row, at) => {
        const recursive = above(at).some((ancestor) => rows[ancestor].name === name);
        if (row.name === name && !recursive) sum += inclusive[at];
      });
      return percent === 0 || sum >= (percent / 100) * total;
    }),
  );
  let hidden = 0;
  const contexts: (Context | undefined)[] = [];
  rows.forEach((row, at) => {
    const ancestor = above(at).find((other) => keptNames.has(rows[other].name));
    const parent = ancestor === undefined ? undefined : contexts[ancestor];
    if (!keptNames.has(row.name)) {
      if (parent) parent.hidden += row.exclusive;
      else hidden += row.exclusive;
      contexts.push(undefined);
      return;
    }
    const group = groupOf ? groupOf(row.name) : parent ? `${parent.group}/${row.name}` : row.name;
    const context: Context = { name: row.name, parent, exclusive: row.exclusive, children: [], group, hidden: 0 };
    parent?.children.push(context);
    contexts.push(context);
  });
  return {
    contexts: contexts.filter((context) => context !== undefined),
    hidden,
    total,
    functions: keptNames.size,
  };
}
