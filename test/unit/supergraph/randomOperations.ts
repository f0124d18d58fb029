import type { GraphOperation, GroupBy, GroupMap, GroupRef } from "../../../src/supergraph/query";
import { seeded } from "./random";
import type { Row } from "./treeOf";
import { twinBars } from "./twin";
import type { Known } from "./twinNames";
import { TwinError, twinOperation, twinStart, type TwinState } from "./twinOperations";

/** A recording of several ranks, and what is known of its functions. */
export interface RandomRecording extends Known {
  readonly map: GroupMap;
  readonly ranks: number;
  /** Exclusive of each row on each rank. */
  readonly values: readonly (readonly number[])[];
}

/** Names that operations have to quote, and that look like what operations make. */
const NAMES = [
  "main",
  "MPI_Send",
  "PMPI_Wait",
  "f",
  'say "hi"',
  "back\\slash",
  "f#2",
  "a,b",
  "{f}",
  "line\nbreak",
  "__proto__",
  "deeper",
  "in",
  "vector<double>",
  "größe",
  "b.c",
  "not known",
  "f: g",
];
const FILES = ["/p/solver/a.c", "/p/solver/b.c", "/p/io/a.c", "/q/b.c", "c.c"];
const MODULES = ["/lib/libm.so", "prog", "deeper"];
const CLASSES = ["heat::Solver", "constructor", "a.c"];
const MAP: GroupMap = { io: ["f*", "main"], "f: g": ["b.c"], __proto: ["in"] };

/**
 * A random tree of functions with files, modules and classes, some of them missing, several of one name, some of them MPI;
 * at times with time outside any region and that of recording. Values are multiples of 1/64 on 1, 2 or 4 ranks, so sums and means are exact.
 */
export function randomRecording(seed: number): RandomRecording {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const maybe = <T>(list: readonly T[], share: number) => (random() < share ? list[below(list.length)] : undefined);
  const known = random();
  const marked = random() < 0.5;
  const names = [...NAMES].sort(() => random() - 0.5).slice(0, 2 + below(7));
  const functions = Array.from({ length: names.length + below(3) }, (_, at) => {
    const name = names[at % names.length];
    const frame = {
      ...ifThere("file", maybe(FILES, known)),
      ...ifThere("module", maybe(MODULES, random() < 0.5 ? 0.8 : 0.2)),
      ...ifThere("origin", name === "MPI_Send" && marked ? ("mpi" as const) : undefined),
    };
    return { name, frame };
  });
  const classes = new Map(names.map((name) => [name, maybe(CLASSES, 0.4)]));
  const size = 1 + below(random() < 0.1 ? 120 : 30);
  const chain = random() < 0.3 ? 0.95 : random() * 0.8;
  const ranks = [1, 2, 4][below(3)];
  const rows: Row[] = [];
  const values: number[][] = [];
  const taken = new Set<string>();
  for (let attempt = 0; attempt < size; attempt++) {
    const root = rows.length === 0 || random() < 0.04;
    const parent = root ? undefined : random() < chain ? rows.length - 1 : below(rows.length);
    const outside = root ? random() < 0.2 : random() < 0.05;
    const of = below(functions.length);
    const key = `${parent} ${outside ? "outside" : JSON.stringify(functions[of])}`;
    if (taken.has(key) || (parent !== undefined && rows[parent].frame?.origin === "outside")) continue;
    taken.add(key);
    const own = Array.from({ length: ranks }, () => (random() < 0.3 ? 0 : below(640) / 64));
    if (rows.length === 0) own[0] += 1;
    const exclusive = own.reduce((sum, value) => sum + value, 0);
    const name = root ? "(no region)" : "(recording itself)";
    const which = outside ? { name, frame: { origin: "outside" as const } } : functions[of];
    rows.push({ ...which, parent, exclusive });
    values.push(own);
  }
  return {
    rows,
    values,
    ranks,
    map: MAP,
    classOf: (name) => classes.get(name),
    mapped: (name) => Object.keys(MAP).find((group) => MAP[group].some((pattern) => isMatch(pattern, name))),
  };
}

function ifThere<Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);
}

function isMatch(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** A random request, what the twin makes of it, and the operations that it cannot do. */
export interface RandomRequest {
  readonly request: {
    readonly filter: number;
    readonly groupBy: GroupBy;
    readonly operations: readonly GraphOperation[];
  };
  readonly state: TwinState;
  readonly skipped: readonly number[];
}

const GROUPINGS: readonly GroupBy[] = ["module", "file", "folder", "class", "function", "map", "none"];
const FILTERS = [0, 0, 0, 1, 5, 25, 100];

/** Operations that mostly fit the recording; some name what is not there. */
export function randomRequest(recording: RandomRecording, seed: number): RandomRequest {
  const random = seeded(seed ^ 0x5eed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const filter = random() < 0.7 ? 0 : pick(FILTERS);
  const groupBy = random() < 0.5 ? pick<GroupBy>(["file", "module"]) : pick(GROUPINGS);
  let state = twinStart(recording, filter, groupBy);
  const operations: GraphOperation[] = [];
  const skipped: number[] = [];
  const steps = 1 + Math.floor(random() * 6);
  for (let step = 0; step < steps; step++) {
    const operation = randomOperation(recording, state, pick, random);
    try {
      state = twinOperation(recording, state, operation);
    } catch (error) {
      if (!(error instanceof TwinError)) throw error;
      skipped.push(step);
    }
    operations.push(operation);
  }
  return { request: { filter, groupBy, operations }, state, skipped };
}

function randomOperation(
  { rows }: Known,
  state: TwinState,
  pick: <T>(list: readonly T[]) => T,
  random: () => number,
): GraphOperation {
  const { bars, barOf } = twinBars(rows, state.groups);
  const strange = () => pick(["nobody", "", "deeper", ...NAMES]);
  const targetOf = (): GroupRef => {
    if (bars.length === 0 || random() < 0.03) return { group: strange() };
    const { group, visit } = pick(bars);
    return random() < 0.3 ? { group, bar: random() < 0.95 ? visit : visit + 1 } : { group };
  };
  const kinds = ["split-by-entry", "split-by-caller", "reveal", "expand", "expand", "collapse", "hide"] as const;
  const open = state.expanded.map(({ ref }) => JSON.parse(ref) as [string, number | null]);
  const kind =
    open.length > 0 && random() < 0.25 ? "collapse" : pick([...kinds, ...kinds, "filter", "group-by"] as const);
  const target = targetOf();
  const inTarget = [...state.groups.keys()].filter((row) => {
    const bar = barOf.get(row);
    return bar?.group === target.group && (target.bar === undefined || bar.visit === target.bar);
  });
  const nameIn = () => (inTarget.length === 0 || random() < 0.05 ? strange() : rows[pick(inTarget)].name);
  switch (kind) {
    case "filter":
      return { kind, percent: pick(FILTERS) };
    case "group-by":
      return { kind, groupBy: pick(GROUPINGS) };
    case "split-by-entry": {
      // Entries, so that most of these can be done.
      const enters = (row: number) => {
        const { parent } = rows[row];
        return parent === undefined || barOf.get(parent) !== barOf.get(row);
      };
      const names = [...new Set(inTarget.filter(enters).map((row) => rows[row].name))].sort(() => random() - 0.5);
      const sets = [names.slice(0, 1 + Math.floor(random() * 2)), ...(random() < 0.5 ? [names.slice(2, 4)] : [])];
      const filled = sets.filter((set) => set.length > 0);
      return { kind, target, sets: filled.length === 0 || random() < 0.05 ? [[nameIn()], [nameIn()]] : filled };
    }
    case "split-by-caller":
      return { kind, target, by: random() < 0.5 ? "group" : "function" };
    case "reveal":
      return { kind, function: nameIn(), ...(random() < 0.6 ? { target } : {}) };
    case "collapse": {
      if (open.length === 0 || random() < 0.1) return { kind, target };
      const [group, bar] = pick(open);
      return { kind, target: bar === null ? { group } : { group, bar } };
    }
    default:
      return { kind, target };
  }
}
