/**
 * The super graph of an ensemble written down as semantics 10 says it, run by run and rank by rank, with maps and searches and no
 * thought of speed: what the real one is compared with. It shares no code with it.
 */
import { keptRows, measuredTwin, rowsAbove, twinBars } from "../../supergraph/twin";
import type { Row } from "../../supergraph/treeOf";
import type { Cost } from "../recordings";

export interface TwinRun {
  readonly name: string;
  readonly costs: readonly Cost[];
}

export interface EnsembleTwin {
  /** By `group#visit`; lists have a value per run, null where it has none. */
  readonly bars: ReadonlyMap<string, TwinEnsembleBar>;
  /** By `source -> target`. */
  readonly edges: ReadonlyMap<string, TwinEnsembleEdge>;
  readonly totals: readonly number[];
  readonly hidden: readonly number[];
}

export interface TwinEnsembleBar {
  readonly level: number;
  readonly inclusive: readonly (number | null)[];
  readonly exclusive: readonly (number | null)[];
  readonly hidden: readonly (number | null)[];
  readonly height: number;
  /** Null where the largest value is not positive. */
  readonly histogram: readonly number[] | null;
}

export interface TwinEnsembleEdge {
  readonly inclusive: readonly (number | null)[];
  readonly sourceEnd: number;
  readonly targetEnd: number;
}

export interface TwinOptions {
  readonly percent: number;
  readonly over: "sum" | "mean" | "max" | "min";
  readonly bins: number;
  /** Group of a function; undefined: a group a path. */
  readonly groupOf?: (name: string) => string;
  /** Runs that stay, by their place; all unless said. */
  readonly stay?: readonly number[];
}

/** @param runs in the order of their names */
export function ensembleTwin(runs: readonly TwinRun[], options: TwinOptions): EnsembleTwin {
  const { percent, over, bins, groupOf, stay = [...runs.keys()] } = options;
  const paths = allPaths(runs);
  const rowOf = new Map(paths.map((path, at) => [path.join("\n"), at]));
  const rowsWith = (exclusive: readonly number[]): Row[] =>
    paths.map((path, at) => ({
      name: path[path.length - 1],
      parent: rowOf.get(path.slice(0, -1).join("\n")),
      exclusive: exclusive[at],
    }));
  const valuesAt = (run: TwinRun, rank?: number) =>
    paths.map((path) =>
      run.costs
        .filter(([own, of]) => own.join("\n") === path.join("\n") && (rank === undefined || of === rank))
        .reduce((sum, [, , seconds]) => sum + seconds, 0),
    );
  // Structure: a function is kept that any run keeps, on sums over ranks.
  const sums = runs.map((run) => valuesAt(run));
  const keptNames = new Set<string>();
  sums.forEach((own) => {
    if (own.reduce((all, one) => all + one, 0) <= 0) return;
    const rows = rowsWith(own);
    for (const at of keptRows(rows, percent)) keptNames.add(rows[at].name);
  });
  const rows = rowsWith(paths.map(() => 0));
  const groups = new Map<number, string>();
  rows.forEach(({ name }, at) => {
    if (!keptNames.has(name)) return;
    const above = rowsAbove(rows, at).find((other) => groups.has(other));
    const path = above === undefined ? "" : `${groups.get(above)}/`;
    groups.set(at, groupOf ? groupOf(name) : `${path}${name}`);
  });
  const inclusiveIn = (own: readonly number[]) =>
    rows.map((_, at) =>
      own.reduce((sum, value, other) => sum + (other === at || rowsAbove(rows, other).includes(at) ? value : 0), 0),
    );
  const inclusives = sums.map(inclusiveIn);
  const bars = twinBars(rows, groups, (entries) =>
    Math.max(...inclusives.map((own) => entries.reduce((sum, entry) => sum + own[entry], 0))),
  );
  // Numbers, each combined over the ranks of its run.
  const measured = runs.map((run, at) => {
    const ranks = [...new Set(run.costs.map(([, rank]) => rank))];
    const all = (over === "sum" ? [sums[at]] : ranks.map((rank) => valuesAt(run, rank))).map((own) =>
      measuredTwin(rows, bars, own),
    );
    const combine = (values: readonly number[]) =>
      over === "max"
        ? Math.max(...values)
        : over === "min"
          ? Math.min(...values)
          : values.reduce((sum, value) => sum + value, 0) / (over === "mean" ? ranks.length : 1);
    return { all, combine };
  });
  const has = (run: TwinRun, path: readonly string[]) =>
    run.costs.some(([own]) => path.every((name, at) => own[at] === name));
  const inRun = (at: number, wanted: (row: number) => boolean, value: () => number) =>
    paths.some((path, row) => wanted(row) && has(runs[at], path)) ? value() : null;
  const found = new Map<string, TwinEnsembleBar>();
  for (const [index, { id, level }] of bars.bars.entries()) {
    const own = (what: "inclusive" | "exclusive" | "hidden") =>
      runs.map((_, at) =>
        inRun(
          at,
          (row) => bars.barOf.get(row)?.id === id,
          () => measured[at].combine(measured[at].all.map((graph) => graph.bars[index][what])),
        ),
      );
    const inclusive = own("inclusive");
    const shown = stay.flatMap((at) => inclusive[at] ?? []);
    const most = Math.max(0, ...shown);
    found.set(id, {
      level,
      inclusive,
      exclusive: own("exclusive"),
      hidden: own("hidden"),
      height: most,
      histogram:
        most > 0
          ? Array.from({ length: bins }, (_, bin) => shown.filter((value) => isIn(value, bin, most, bins)).length)
          : null,
    });
  }
  const edges = new Map<string, { inclusive: (number | null)[]; source: string; target: string }>();
  for (const target of bars.bars)
    for (const source of bars.bars) {
      const leads = (row: number) => {
        const above = rowsAbove(rows, row).find((other) => groups.has(other));
        return (
          bars.barOf.get(row) === target && above !== undefined && bars.barOf.get(above) === source && source !== target
        );
      };
      if (!rows.some((_, row) => leads(row))) continue;
      const weightIn = (graph: (typeof measured)[number]["all"][number]) =>
        graph.edges.find((edge) => edge.source === source.id && edge.target === target.id)?.inclusive ?? 0;
      edges.set(`${source.id} -> ${target.id}`, {
        source: source.id,
        target: target.id,
        inclusive: runs.map((_, at) => inRun(at, leads, () => measured[at].combine(measured[at].all.map(weightIn)))),
      });
    }
  const most = (edge: { inclusive: (number | null)[] }) =>
    Math.max(0, ...stay.flatMap((at) => edge.inclusive[at] ?? []));
  const endAt = (edge: { source: string; target: string; inclusive: (number | null)[] }, side: "source" | "target") => {
    const together = [...edges.values()]
      .filter((other) => other[side] === edge[side])
      .reduce((sum, other) => sum + most(other), 0);
    const all = Math.max(together, found.get(edge[side])?.height ?? 0);
    return all > 0 ? most(edge) / all : 0;
  };
  return {
    bars: found,
    edges: new Map(
      [...edges].map(([name, edge]) => [
        name,
        { inclusive: edge.inclusive, sourceEnd: endAt(edge, "source"), targetEnd: endAt(edge, "target") },
      ]),
    ),
    totals: measured.map(({ all, combine }) => combine(all.map(({ total }) => total))),
    hidden: measured.map(({ all, combine }) => combine(all.map(({ hidden }) => hidden))),
  };
}

/** A value on an edge belongs to the upper bin, the largest to the last, a negative one to the first. */
function isIn(value: number, bin: number, most: number, bins: number): boolean {
  const [from, to] = [(most * bin) / bins, (most * (bin + 1)) / bins];
  return (value >= from || bin === 0) && (value < to || bin === bins - 1);
}

/** All paths of all runs with their prefixes, callers before callees. */
function allPaths(runs: readonly TwinRun[]): string[][] {
  const found = new Map<string, string[]>();
  for (const { costs } of runs)
    for (const [path] of costs)
      path.forEach((_, end) => {
        const names = path.slice(0, end + 1).map((one) => (typeof one === "string" ? one : one.name));
        found.set(names.join("\n"), names);
      });
  return [...found.values()].sort((a, b) => (a.join("\n") < b.join("\n") ? -1 : 1));
}
