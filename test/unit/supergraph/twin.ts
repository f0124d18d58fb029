/**
 * The super graph written down as the rules of semantics 2 say it, with maps and searches and no thought of speed: what
 * the real one is compared with. It shares no code with it.
 */
import type { Row } from "./treeOf";

interface Context {
  /** Number of its row. */
  readonly row: number;
  readonly name: string;
  readonly parent: Context | undefined;
  readonly children: Context[];
  readonly group: string;
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

/** The bars of a graph, before anything is measured. */
export interface TwinBars {
  readonly contexts: readonly Context[];
  /** Bar of each row that is there. */
  readonly barOf: ReadonlyMap<number, TwinBar>;
  readonly bars: readonly TwinBar[];
}

export interface TwinBar {
  /** Group and visit. The real one leaves the first visit out, and then has to tell `f#2` from a group of that name. */
  readonly id: string;
  readonly group: string;
  readonly visit: number;
  readonly level: number;
}

/** Values of one row each. */
type Values = readonly number[];

/** What makes two rows the same function (semantics 1): the name, and file and module where the data has them. */
export function functionOf({ name, frame }: Row): string {
  return JSON.stringify([name, frame?.file ?? null, frame?.module ?? null]);
}

export function exclusiveOf(rows: readonly Row[]): Values {
  return rows.map((row) => row.exclusive);
}

/** The row's caller, its caller, and so on. */
export function rowsAbove(rows: readonly Row[], at: number): number[] {
  const { parent } = rows[at];
  return parent === undefined ? [] : [parent, ...rowsAbove(rows, parent)];
}

/** @param groupOf group of a function's name; undefined: a group a path */
export function twinGraph(rows: readonly Row[], percent: number, groupOf?: (name: string) => string): TwinGraph {
  const groups = new Map<number, string>();
  for (const row of keptRows(rows, percent)) {
    const parent = rowsAbove(rows, row).find((above) => groups.has(above));
    const path = parent === undefined ? "" : `${groups.get(parent)}/`;
    groups.set(row, groupOf ? groupOf(rows[row].name) : `${path}${rows[row].name}`);
  }
  return measuredTwin(rows, twinBars(rows, groups), exclusiveOf(rows));
}

/** Rule 1: the rows of functions with their share of the total. */
export function keptRows(rows: readonly Row[], percent: number): number[] {
  const exclusive = exclusiveOf(rows);
  const total = rows.reduce((sum, row) => sum + row.exclusive, 0);
  const share = new Map<string, number>();
  rows.forEach((_, at) => {
    const above = rowsAbove(rows, at);
    for (const name of new Set([at, ...above].map((one) => functionOf(rows[one]))))
      share.set(name, (share.get(name) ?? 0) + exclusive[at]);
  });
  const isKept = (row: Row) => percent === 0 || (share.get(functionOf(row)) ?? 0) >= (percent / 100) * total;
  return [...rows.keys()].filter((at) => isKept(rows[at]));
}

function contextsOf(rows: readonly Row[], groups: ReadonlyMap<number, string>): Context[] {
  const byRow = new Map<number, Context>();
  for (const row of [...groups.keys()].sort((a, b) => a - b)) {
    const above = rowsAbove(rows, row).find((other) => groups.has(other));
    const parent = above === undefined ? undefined : byRow.get(above);
    const context: Context = { row, name: rows[row].name, parent, children: [], group: groups.get(row) ?? "" };
    parent?.children.push(context);
    byRow.set(row, context);
  }
  return [...byRow.values()];
}

/**
 * Rule 3, decided on the rows' own values.
 *
 * @param groups group of each row that is there
 * @param weigh what a bar weighs that is entered by these rows; unless said their inclusive
 */
export function twinBars(
  rows: readonly Row[],
  groups: ReadonlyMap<number, string>,
  weigh?: (entries: readonly number[]) => number,
): TwinBars {
  const contexts = contextsOf(rows, groups);
  const inclusive = inclusiveOf(rows, exclusiveOf(rows));

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
  const sumOf = (entries: readonly number[]) => entries.reduce((sum, row) => sum + inclusive[row], 0);
  const weightOf = (bar: string) => (weigh ?? sumOf)(entriesOf(bar).map(({ row }) => row));
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
      (other) =>
        // The bar `deeper` is that of no group, whatever a group is named.
        (other === "deeper") === (bar === "deeper") &&
        info.get(other)?.group === group &&
        !reaches(calls, bar, other) &&
        !reaches(calls, other, bar),
    );
    if (target === undefined) {
      done.push(bar);
      continue;
    }
    for (const context of contexts) if (barOf.get(context) === bar) barOf.set(context, target);
  }

  // Levels and numbers within groups.
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
  const bars = new Map<string, TwinBar>();
  for (const group of new Set(done.map((bar) => info.get(bar)?.group ?? ""))) {
    const own = done.filter((bar) => info.get(bar)?.group === group).sort((a, b) => levelOf(a) - levelOf(b));
    own.forEach((bar, at) => bars.set(bar, { id: `${group}#${at + 1}`, group, visit: at + 1, level: levelOf(bar) }));
  }
  const ofRow = new Map<number, TwinBar>();
  for (const context of contexts) {
    const bar = bars.get(barOf.get(context) ?? "");
    if (bar) ofRow.set(context.row, bar);
  }
  return { contexts, barOf: ofRow, bars: [...bars.values()] };
}

/** Rule 4: every number from values of rows, which may be those of some ranks. */
export function measuredTwin(rows: readonly Row[], { contexts, barOf, bars }: TwinBars, values: Values): TwinGraph {
  const inclusive = inclusiveOf(rows, values);
  const isThere = new Set(contexts.map((context) => context.row));
  const hiddenIn = new Map<number, number>();
  let hidden = 0;
  rows.forEach((_, at) => {
    if (isThere.has(at)) return;
    const ancestor = rowsAbove(rows, at).find((other) => isThere.has(other));
    if (ancestor === undefined) hidden += values[at];
    else hiddenIn.set(ancestor, (hiddenIn.get(ancestor) ?? 0) + values[at]);
  });
  const bar = (context: Context) => barOf.get(context.row);
  const entriesOf = (wanted: TwinBar) =>
    contexts.filter((context) => bar(context) === wanted && (!context.parent || bar(context.parent) !== wanted));
  const below = (entry: Context): Context[] => [
    entry,
    ...entry.children.filter((child) => bar(child) === bar(entry)).flatMap(below),
  ];
  const measured = bars.map((wanted) => {
    const own = contexts.filter((context) => bar(context) === wanted);
    const entries = new Map<string, { name: string; inclusive: number; exclusive: number }>();
    for (const entry of entriesOf(wanted)) {
      const callee = functionOf(rows[entry.row]);
      const sum = entries.get(callee) ?? { name: entry.name, inclusive: 0, exclusive: 0 };
      sum.inclusive += inclusive[entry.row];
      for (const context of below(entry)) sum.exclusive += values[context.row];
      entries.set(callee, sum);
    }
    return {
      ...wanted,
      inclusive: entriesOf(wanted).reduce((sum, entry) => sum + inclusive[entry.row], 0),
      exclusive: own.reduce((sum, context) => sum + values[context.row], 0),
      hidden: own.reduce((sum, context) => sum + (hiddenIn.get(context.row) ?? 0), 0),
      contexts: own.length,
      entries: [...entries.values()],
    };
  });
  const edges = new Map<string, TwinGraph["edges"][number]>();
  for (const target of bars)
    for (const entry of entriesOf(target)) {
      const source = entry.parent && bar(entry.parent);
      if (source === undefined) continue;
      const key = JSON.stringify([source.id, target.id]);
      const edge = edges.get(key) ?? { source: source.id, target: target.id, inclusive: 0 };
      edges.set(key, { ...edge, inclusive: edge.inclusive + inclusive[entry.row] });
    }
  return {
    total: values.reduce((sum, value) => sum + value, 0),
    hidden,
    functions: new Set(contexts.map((context) => functionOf(rows[context.row]))).size,
    contexts: contexts.length,
    bars: measured,
    edges: [...edges.values()],
  };
}

function inclusiveOf(rows: readonly Row[], values: Values): number[] {
  const sums = [...values];
  for (let at = rows.length - 1; at >= 0; at--) {
    const { parent } = rows[at];
    if (parent !== undefined) sums[parent] += sums[at];
  }
  return sums;
}

function pathOf(context: Context): Context[] {
  return context.parent ? [...pathOf(context.parent), context] : [context];
}
