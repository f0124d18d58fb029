/**
 * The first picture written down as rule 7 of semantics 2 says it, with maps and searches and no thought of speed: what the real one is
 * compared with. It shares no code with it, and builds its bars as the twin of rules 1 to 5 does.
 */
import type { Row } from "../treeOf";
import { exclusiveOf, measuredTwin, rowsAbove, twinBars, type TwinGraph } from "../twin";

type Kind = "own" | "library" | "mpi" | "kernel" | "unknown";

interface Code {
  /** Equal for rows of one function. */
  readonly id: string;
  readonly kind: Kind;
  readonly path: readonly string[];
}

interface Choice {
  readonly opened: ReadonlySet<string>;
  readonly alone: ReadonlyMap<string, number>;
}

export interface TwinPicture {
  readonly filter: number;
  readonly opened: readonly string[];
  readonly alone: readonly string[];
  readonly hidden: number;
  /** Bars by the name of their group, level and numbers, flows by the names at their ends. */
  readonly bars: readonly string[];
  readonly flows: readonly string[];
}

const LADDER = [0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5];

const lastOf = <Item>(items: readonly Item[]) => items[items.length - 1];
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const shortModule = (module: string) => {
  const [short] = lastOf(module.split("/"))
    .replace(/-[0-9][^s]*\.so/, ".so")
    .split(".so");
  return short.startsWith("ld-linux") ? "ld.so" : short;
};

function isLibrary(module: string): boolean {
  const file = lastOf(module.split("/"));
  const isSystem = /^(\/usr)?\/lib(64|x32|exec)?\//.test(module);
  return module === "[vdso]" || (file.includes(".so") && (isSystem || /^lib(mpi|gomp)\./.test(file)));
}

/** What each row is of. */
function codesOf(rows: readonly Row[]): Code[] {
  const exclusive = exclusiveOf(rows);
  const total = sumOf(exclusive);
  const modulesOf = (row: Row) => row.frame?.module;
  const isUnnamed = ({ name }: Row) => name.startsWith("0x") || name === "[unknown]";
  const idOf = (row: Row) =>
    isUnnamed(row)
      ? `unnamed ${modulesOf(row)}`
      : JSON.stringify([row.name, row.frame?.file ?? null, modulesOf(row) ?? null]);
  const kindOf = (row: Row): Kind => {
    const module = modulesOf(row);
    if (module?.startsWith("[kernel")) return "kernel";
    if (isUnnamed(row) && module === undefined) return "unknown";
    if (module !== undefined && isLibrary(module)) return "library";
    return /^P?MPI_/.test(row.name) && module === undefined && row.frame?.file === undefined ? "mpi" : "own";
  };
  const ofLibrary = (library: string) =>
    sumOf(
      exclusive.filter((_, at) => kindOf(rows[at]) === "library" && shortModule(modulesOf(rows[at]) ?? "") === library),
    );
  const names = new Map<string, Set<string>>();
  for (const row of rows) if (!isUnnamed(row)) names.set(row.name, (names.get(row.name) ?? new Set()).add(idOf(row)));
  const stemOf = (name: string) => /^(.*#)\d+$/.exec(name)?.[1];
  const isOwn = (row: Row) =>
    kindOf(row) === "own" || (kindOf(row) === "library" && ofLibrary(shortModule(modulesOf(row) ?? "")) >= total / 2);
  const withStem = (stem: string) => new Set(rows.filter((row) => isOwn(row) && stemOf(row.name) === stem).map(idOf));
  const functionName = (row: Row) =>
    (names.get(row.name)?.size ?? 0) > 1 ? `${row.name}\0${row.frame?.file ?? modulesOf(row) ?? ""}` : row.name;
  const ownPath = (row: Row): string[] => {
    const module = modulesOf(row);
    const path = module === undefined ? [] : [shortModule(module)];
    if (isUnnamed(row)) return [...path, `${path[0]}, no names`];
    const file = row.frame?.file;
    if (file !== undefined) path.push(`d:${file.slice(0, file.lastIndexOf("/"))}`, fileName(file));
    const scope = row.name.split("(")[0].split("::").slice(0, -1).join("::");
    if (file === undefined && scope !== "") path.push(scope);
    const stem = stemOf(row.name);
    if (stem !== undefined && withStem(stem).size > 1) path.push(`${stem}…`);
    return [...path, functionName(row)];
  };
  const files = new Set(rows.flatMap((row) => (isUnnamed(row) ? [] : (row.frame?.file ?? []))));
  const fileName = (file: string): string => {
    const parts = file.split("/");
    for (let from = parts.length - 1; from > 0; from--) {
      const ending = parts.slice(from).join("/");
      if ([...files].filter((other) => other === file || other.endsWith(`/${ending}`)).length === 1) return ending;
    }
    return file;
  };
  return rows.map((row): Code => {
    const kind = kindOf(row);
    const id = idOf(row);
    if (kind === "kernel") return { id, kind, path: ["kernel"] };
    if (kind === "unknown") return { id, kind, path: ["[unknown]"] };
    if (kind === "mpi") return { id, kind, path: ["MPI", functionName(row)] };
    if (!isOwn(row)) return { id, kind, path: [shortModule(modulesOf(row) ?? ""), functionName(row)] };
    return { id, kind: "own", path: ownPath(row) };
  });
}

export class FirstTwin {
  private readonly codes: readonly Code[];
  private readonly exclusive: readonly number[];
  private readonly total: number;

  /** @param ladder filters in percent, of which the first that fits is taken */
  constructor(
    private readonly rows: readonly Row[],
    private readonly ladder: readonly number[] = LADDER,
  ) {
    this.codes = codesOf(rows);
    this.exclusive = exclusiveOf(rows);
    this.total = sumOf(this.exclusive);
  }

  /** @returns undefined where nothing fits */
  picture(): TwinPicture | undefined {
    let choice: Choice = { opened: new Set(), alone: new Map() };
    let shown = choice;
    let picture = this.fitting(choice) ?? this.fitting(choice, 0.9);
    const refused: string[] = [];
    for (;;) {
      const group = this.candidates(choice).find(([key]) => !refused.includes(key));
      if (!group) break;
      const tried = { ...choice, opened: new Set(choice.opened).add(group[0]) };
      const found = this.fitting(tried);
      if (found) [shown, picture] = [tried, found];
      if (found || group[1].finer.size === 1) choice = tried;
      else refused.push(group[0]);
    }
    for (const group of refused)
      for (const id of this.heaviestOf(choice, group)) {
        const tried = { ...choice, alone: new Map(choice.alone).set(id, Number(group.split(" ")[0])) };
        const found = this.fitting(tried);
        if (found) [choice, shown, picture] = [tried, tried, found];
      }
    return picture && { ...picture, opened: [...shown.opened].map(nameIn), alone: [...shown.alone.keys()] };
  }

  private pathOf({ id, path }: Code, { alone }: Choice): readonly string[] {
    const level = alone.get(id);
    return level === undefined ? path : [...path.slice(0, level), lastOf(path)];
  }

  /** Level and name of the group of a row's function. */
  private keyOf(code: Code, choice: Choice): string {
    const path = this.pathOf(code, choice);
    const level = path.findIndex((name, at) => !choice.opened.has(`${at} ${name}`));
    const at = level < 0 ? path.length - 1 : level;
    return `${at} ${path[at]}`;
  }

  private candidates(choice: Choice) {
    const groups = new Map<string, { cost: number; finer: Set<string>; isLibrary: boolean }>();
    this.codes.forEach((code, row) => {
      const key = this.keyOf(code, choice);
      const group = groups.get(key) ?? { cost: 0, finer: new Set(), isLibrary: false };
      groups.set(key, group);
      group.cost += this.exclusive[row];
      const finer = this.pathOf(code, choice)[Number(key.split(" ")[0]) + 1];
      if (finer !== undefined) group.finer.add(finer);
      if (code.kind === "library" || code.kind === "kernel") group.isLibrary = true;
    });
    return [...groups]
      .filter(([, { cost, finer, isLibrary }]) => finer.size > 0 && !isLibrary && cost >= 0.02 * this.total)
      .sort(([a, { cost: costA }], [b, { cost: costB }]) => costB - costA || (a < b ? -1 : 1));
  }

  private heaviestOf(choice: Choice, group: string): string[] {
    const costs = new Map<string, number>();
    this.codes.forEach((code, row) => {
      if (this.keyOf(code, choice) !== group || lastOf(code.path) === nameIn(group)) return;
      costs.set(code.id, (costs.get(code.id) ?? 0) + this.exclusive[row]);
    });
    const heavy = [...costs].filter(([, cost]) => cost >= 0.01 * this.total).sort((a, b) => b[1] - a[1]);
    return heavy.slice(0, 12).map(([id]) => id);
  }

  /** The rows whose function has its share of the total. */
  private keptRows(percent: number): number[] {
    const costs = new Map<string, number>();
    this.rows.forEach((_, row) => {
      const ids = new Set([row, ...rowsAbove(this.rows, row)].map((at) => this.codes[at].id));
      for (const id of ids) costs.set(id, (costs.get(id) ?? 0) + this.exclusive[row]);
    });
    const least = (percent / 100) * this.total;
    return [...this.rows.keys()].filter((row) => (costs.get(this.codes[row].id) ?? 0) >= least);
  }

  private fitting(choice: Choice, given?: number): TwinPicture | undefined {
    const hiddenAt = (percent: number) =>
      1 - sumOf(this.keptRows(percent).map((row) => this.exclusive[row])) / this.total;
    const mostHidden = given ?? Math.max(0.1, hiddenAt(this.ladder[0]) + 0.02);
    for (const percent of this.ladder) {
      if (hiddenAt(percent) > mostHidden) return undefined;
      const found = this.attempt(choice, percent);
      if (!found) continue;
      if (found.hidden > mostHidden) return undefined;
      if (found.fits) return { filter: percent, opened: [], alone: [], ...found };
    }
    return undefined;
  }

  private attempt(choice: Choice, percent: number) {
    const kept = new Set(this.keptRows(percent));
    const groups = new Map<number, string>();
    const isOwnBelow = new Set<number>();
    for (const row of kept)
      if (this.codes[row].kind === "own") for (const above of rowsAbove(this.rows, row)) isOwnBelow.add(above);
    for (const row of [...kept].sort((a, b) => a - b)) {
      const { kind } = this.codes[row];
      const above = rowsAbove(this.rows, row).find((at) => kept.has(at));
      const isOnTheWay = (kind === "library" || kind === "unknown") && isOwnBelow.has(row);
      const onTheWay = above === undefined ? "(start)" : groups.get(above);
      groups.set(row, (isOnTheWay ? onTheWay : nameIn(this.keyOf(this.codes[row], choice))) ?? "");
    }
    if (new Set(groups.values()).size > 60 || twinBars(this.rows, groups).bars.length > 120) return undefined;
    const leaves = new Map<string, string>();
    let graph = this.folded(groups, leaves);
    for (;;) {
      const bars = twinBars(this.rows, groups);
      const small = new Set(
        graph.bars.filter(({ inclusive }) => inclusive < (percent / 100) * this.total).map(({ id }) => id),
      );
      if (small.size === 0) break;
      for (const [row, { id }] of bars.barOf) if (small.has(id)) groups.delete(row);
      graph = this.folded(groups, leaves);
    }
    const hidden = (graph.hidden + sumOf(graph.bars.map((bar) => bar.hidden))) / this.total;
    const nameOf = (id: string) => {
      const group = graph.bars.find((bar) => bar.id === id)?.group ?? "";
      return leaves.get(group) ?? group;
    };
    const drawn = graph.edges.filter(
      ({ target, inclusive }) =>
        inclusive >= 0.005 * this.total ||
        graph.edges.every((other) => other.target !== target || other.inclusive <= inclusive),
    );
    return {
      fits: graph.bars.length <= 30 && drawn.length <= 60 && graph.bars.every(({ level }) => level < 12),
      hidden,
      bars: graph.bars
        .map((bar) => [nameOf(bar.id), bar.level, bar.inclusive, bar.exclusive + bar.hidden].join(" "))
        .sort(),
      flows: graph.edges.map((edge) => [nameOf(edge.source), nameOf(edge.target), edge.inclusive].join(" ")).sort(),
    };
  }

  /** Folds chains; the groups change. @param leaves what groups that are chains are named by */
  private folded(groups: Map<number, string>, leaves: Map<string, string>): TwinGraph {
    for (;;) {
      const bars = twinBars(this.rows, groups);
      const graph = measuredTwin(this.rows, bars, this.exclusive);
      const merged = this.chainsOf(graph, leaves);
      if (merged.size === 0) return graph;
      for (const [row, { id }] of bars.barOf) {
        const group = merged.get(id);
        if (group !== undefined) groups.set(row, group);
      }
    }
  }

  /** The new group of each bar that is part of a chain. */
  private chainsOf(graph: TwinGraph, leaves: Map<string, string>): Map<string, string> {
    let bars = graph.bars.map(({ id, group, level, inclusive, exclusive, hidden }) => ({
      members: [id],
      group,
      level,
      inclusive,
      own: exclusive + hidden,
      isChain: false,
    }));
    const barOf = (id: string) => bars.find(({ members }) => members.includes(id));
    for (;;) {
      const flows = new Map<string, { from: (typeof bars)[number]; to: (typeof bars)[number]; value: number }>();
      for (const { source, target, inclusive } of graph.edges) {
        const [from, to] = [barOf(source), barOf(target)];
        if (!from || !to || from === to) continue;
        const key = `${bars.indexOf(from)} ${bars.indexOf(to)}`;
        flows.set(key, { from, to, value: (flows.get(key)?.value ?? 0) + inclusive });
      }
      const all = [...flows.values()];
      const hasOtherWay = (from: (typeof bars)[number], to: (typeof bars)[number]) => {
        const seen = new Set(all.filter((flow) => flow.from === from && flow.to !== to).map((flow) => flow.to));
        for (const bar of seen) for (const flow of all) if (flow.from === bar) seen.add(flow.to);
        return seen.has(to);
      };
      const chains = all.filter(
        ({ from, to, value }) =>
          value >= 0.98 * from.inclusive &&
          value >= 0.98 * to.inclusive &&
          from.own < 0.01 * this.total &&
          !hasOtherWay(from, to),
      );
      const [first] = chains.sort((a, b) => a.from.level - b.from.level || b.from.inclusive - a.from.inclusive);
      if (!first) break;
      const { from, to, value } = first;
      const group = `⟨${from.group}⟩⟨${to.group}⟩`;
      leaves.set(group, leaves.get(to.group) ?? to.group);
      const folded = {
        members: [...from.members, ...to.members],
        group,
        level: from.level,
        inclusive: from.inclusive + to.inclusive - value,
        own: from.own + to.own,
        isChain: true,
      };
      bars = [...bars.filter((bar) => bar !== from && bar !== to), folded];
    }
    return new Map(
      bars.filter(({ isChain }) => isChain).flatMap(({ members, group }) => members.map((id) => [id, group])),
    );
  }
}

function nameIn(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}
