/** A first picture as a graph: contexts with their groups, bars with their names, and the sentences about them (semantics 2, rule 7). */
import { drawnEdges } from "../../model/drawnEdges";
import { NONE } from "../../model/ids";
import { addTo } from "../../model/maps";
import { lastOf, type Steps } from "../../model/steps";
import type { Task } from "../../model/task";
import { type Bars, buildBars, renamed, weighOf } from "../bars";
import { PairIndex } from "../columns";
import { type FilterBasis, type FilteredTree, keepContexts } from "../filter";
import type { GroupingBasis, Groups } from "../grouping";
import type { Picture } from "./attempt";
import { heldBy } from "./chains";
import { type Chosen, choose, filtersFrom, FirstAttempts, LADDER } from "./choice";
import { type FirstBasis, firstBasis } from "./firstBasis";
import type { GroupName } from "./functionNames";
import { type FirstChoice, type FirstStart, namingOf, type Naming } from "./naming";
import { namesApart } from "./namesApart";
import { finestApart, finestNames, textsOf } from "./shownNames";
import { notesOnNames, notesOnNoBars, whyText } from "./why";
import { heavierFirst } from "./runCosts";

/** Content of a bar beside its number. */
export interface BarContent {
  /** Groups that are folded into it, from the top. */
  readonly holds: readonly string[];
  /** Its functions with the largest exclusive cost, heaviest first. */
  readonly inside: readonly InsideFunction[];
}

export interface InsideFunction {
  readonly name: string;
  /** Functions with this name: one, or all of a load module that have no name. */
  readonly functions: ReadonlySet<number>;
}

/** Names that `expand` continues with: those of a context's function, coarse to fine. Contexts are those of the whole tree. */
export interface FinerNames {
  pathOf(context: number): readonly string[];
  /** Level of the name that each context is shown under. {@link ON_THE_WAY} if it is part of the frame above it. */
  readonly level: Uint8Array;
  /** 1 for each context in a bar that has the name of another group. */
  readonly isHeld: Uint8Array;
}

/** Level of contexts that are part of the frame above them. */
export const ON_THE_WAY = 255;

export interface FirstPicture {
  readonly choice: FirstChoice;
  /** Names on screen of the groups that are opened and of the functions that stand alone. */
  readonly opened: readonly string[];
  readonly alone: readonly string[];
  /** Kind of the coarse names that functions are grouped by: `file` if any function is grouped by its file or folder. */
  readonly by: "file" | "module" | "function";
  readonly why: string;
  /** One per bar. */
  readonly contents: readonly BarContent[];
  /** Bars in the order in which they get their names. */
  readonly named: readonly number[];
  /** Edges that are drawn while the pointer is on no bar. */
  readonly drawn: readonly number[];
}

export interface FirstGraph {
  /** Sentences that the view must show: expensive load modules without names. */
  readonly notes: readonly string[];
  readonly kept: FilteredTree;
  readonly groups: Groups;
  readonly bars: Bars;
  readonly finer: FinerNames;
  readonly picture: FirstPicture;
}

/** Number of bars, by exclusive cost, that are named before all others. */
const HOTTEST = 5;
const MIN_INSIDE_SHARE = 0.005;
const MAX_INSIDE = 6;

/**
 * @param given an earlier choice, or a filter at which groups are chosen. If undefined, both are chosen here
 * @throws RequestError if every filter leaves too many bars
 */
export function firstGraph(...of: Parameters<typeof firstGraphSteps>): FirstGraph {
  return lastOf(firstGraphSteps(...of));
}

/** {@link firstGraph} in steps: other questions need not wait for all of them. */
export function* firstGraphSteps(
  basis: FilterBasis & GroupingBasis,
  given: FirstStart | undefined,
  task: Task,
): Steps<FirstGraph> {
  const first = firstBasis(basis);
  yield;
  const ladder = given ? [given.filter] : LADDER;
  const attempts = new FirstAttempts(first, ladder, task);
  const chosen = yield* chosenPicture(attempts, given);
  yield;
  return new FirstGraphBuilder(basis, first, attempts, chosen, task).graph();
}

function* chosenPicture(attempts: FirstAttempts, given: FirstStart | undefined): Steps<Chosen> {
  if (given === undefined) return yield* choose(attempts);
  if (!("opened" in given)) return yield* choose(attempts, filtersFrom(given.filter));
  const naming = namingOf(attempts.basis.names, given);
  const { picture } = yield* attempts.findDrawable(filtersFrom(given.filter), naming);
  const choice = { filter: picture.percent, opened: given.opened, alone: given.alone };
  return { choice, naming, picture, refused: [], isBeyond: false, attempts: attempts.attempts };
}

class FirstGraphBuilder {
  private readonly naming: Naming;
  private readonly picture: Picture;
  private readonly kept: FilteredTree;
  /** Each kept context's number in the tree of the attempts. */
  private readonly baseOf: Int32Array;
  private readonly groupOf: Int32Array;

  constructor(
    private readonly basis: FilterBasis & GroupingBasis,
    private readonly first: FirstBasis,
    private readonly attempts: FirstAttempts,
    private readonly chosen: Chosen,
    private readonly task: Task,
  ) {
    this.naming = chosen.naming;
    this.picture = chosen.picture;
    const { contexts } = attempts;
    const { nodeOf, isKept } = attempts.treeAt(this.picture.percent);
    const isLeft = new Uint8Array(basis.tree.size);
    for (let at = 0; at < contexts.size; at++)
      if (isKept[at] === 1 && this.picture.isHidden[nodeOf[at]] === 0) isLeft[contexts.original[at]] = 1;
    this.kept = keepContexts(basis, isLeft);
    this.baseOf = this.kept.original.map((context) => contexts.home[context]);
    const { group } = this.picture.tree;
    this.groupOf = this.baseOf.map((at) => group[this.picture.nodeOf[nodeOf[at]]]);
  }

  graph(): FirstGraph {
    const { first, naming, picture } = this;
    const built = this.builtBars();
    const own = this.ownNames();
    const onScreen = finestApart(own.keys, finestNames(first.names, naming, own.functions));
    const inside = this.insideOf(built);
    const opened = this.openedNames();
    const alone = this.aloneNames();
    const namesInside = inside.flatMap((list) => list.map(({ name }) => name));
    const textOf = this.textsOnScreen([...onScreen.values(), ...namesInside, ...opened, ...alone]);
    const shownOf = (key: string) => {
      const name = onScreen.get(key);
      return name === undefined ? key : textOf(name);
    };
    const groupOfBar = this.groupsOf(built);
    const shown = namesApart(built, groupOfBar, picture.groups, shownOf);
    const bars = renamed(
      built,
      built.group.map((name, bar) => (groupOfBar[bar] === NONE ? name : shown[groupOfBar[bar]])),
    );
    const contents = this.holdsOf(groupOfBar, shownOf).map((holds, bar) => ({
      holds,
      inside: inside[bar].map(({ name, functions }) => ({ name: textOf(name), functions })),
    }));
    return {
      notes: [...(bars.size === 0 ? notesOnNoBars(first, picture.percent) : []), ...notesOnNames(first)],
      kept: this.kept,
      groups: { names: shown, ofContext: this.groupOf },
      bars,
      finer: this.finerNames(onScreen, textOf),
      picture: {
        ...this.explained(opened.map(textOf), alone.map(textOf)),
        by: this.coarseNames(own.functions),
        contents,
        ...this.order(bars),
      },
    };
  }

  private builtBars(): Bars {
    const { basis, kept, picture, task } = this;
    const grouped = { names: picture.groups.names, ofContext: this.groupOf };
    const built = buildBars(kept, grouped, weighOf(basis), Number.MAX_SAFE_INTEGER, () => task.check());
    if (!built) throw new Error("bars without a limit were too many");
    return built;
  }

  /** Indices of the names of opened groups that the recording has. */
  private openedNames(): number[] {
    const nameOfKey = new Map(this.first.names.names.map(({ key }, name) => [key, name]));
    return this.chosen.choice.opened.flatMap(([, key]) => nameOfKey.get(key) ?? []);
  }

  /** Indices of the names of functions that stand alone, as far as the recording has them. */
  private aloneNames(): number[] {
    const { identities, functionNames } = this.first.names;
    return this.chosen.choice.alone.flatMap(([, identity]) => {
      const id = identities.indexOf(identity);
      return id < 0 ? [] : functionNames[id];
    });
  }

  /** Text of a name, by its index. Names on screen get short texts that differ from each other. */
  private textsOnScreen(onScreen: readonly number[]): (name: number) => string {
    const { names } = this.first;
    const texts = textsOf(names, onScreen, this.basis.attributes.readable ?? ((name) => name));
    return (name) => texts.get(name) ?? names.names[name].text;
  }

  /** The choice with its reasons. @param opened, alone texts on screen */
  private explained(opened: readonly string[], alone: readonly string[]) {
    const { chosen, first } = this;
    const refused = chosen.refused.map(({ name, excess }) => ({ group: first.names.names[name].text, excess }));
    return { choice: chosen.choice, opened, alone, why: whyText(chosen, opened, alone, refused) };
  }

  /** Functions that are not part of the frame above them, once each, and the name index of each of their groups' keys. */
  private ownNames() {
    const { first, naming, kept, baseOf } = this;
    const { isOnTheWay } = this.attempts.treeAt(this.picture.percent);
    const isOwn = new Uint8Array(first.filter.functions.size);
    for (let at = 0; at < kept.size; at++)
      if (isOnTheWay[baseOf[at]] === 0) isOwn[first.filter.functions.ofContext[kept.original[at]]] = 1;
    const functions = [...isOwn.keys()].filter((id) => isOwn[id] === 1);
    const keys = new Map(
      functions.map((id) => {
        const name = naming.nameOf(id);
        return [first.names.names[name].key, name] as const;
      }),
    );
    return { functions, keys };
  }

  /** @param functions as {@link ownNames} returns them */
  private coarseNames(functions: readonly number[]): FirstPicture["by"] {
    const { naming, first } = this;
    const kinds = new Set<GroupName["kind"]>();
    for (const id of functions)
      for (const name of naming.pathOf(id).slice(0, naming.levelOf(id) + 1)) kinds.add(first.names.names[name].kind);
    return kinds.has("file") || kinds.has("folder") ? "file" : kinds.has("module") ? "module" : "function";
  }

  /** Group of each bar. NONE for the bar that collects contexts below the depth limit, whose groups differ. */
  private groupsOf(bars: Bars): Int32Array {
    const { names } = this.picture.groups;
    const groupOf = new Int32Array(bars.size).fill(NONE);
    for (let at = this.kept.size - 1; at >= 0; at--) groupOf[bars.ofContext[at]] = this.groupOf[at];
    return groupOf.map((group, bar) => (names[group] === bars.group[bar] ? group : NONE));
  }

  /** Names of the groups that each bar holds, without the group that it is named after. */
  private holdsOf(groupOfBar: Int32Array, shownOf: (key: string) => string): string[][] {
    return Array.from(groupOfBar, (group) => (group === NONE ? [] : heldBy(this.picture.groups, group).map(shownOf)));
  }

  /** The heaviest functions of each bar, by the index of their name. */
  private insideOf(bars: Bars): { readonly name: number; readonly functions: ReadonlySet<number> }[][] {
    const { first, kept, basis } = this;
    const { costs, names } = first;
    const { ofContext } = first.filter.functions;
    // Rows are functions in bars.
    const rowAt = new PairIndex(bars.size, first.filter.functions.size);
    const rows: { readonly id: number; readonly functions: Set<number> }[] = [];
    const ofBar = Array.from({ length: bars.size }, (): number[] => []);
    const rowOf = kept.original.map((context, at) => {
      const bar = bars.ofContext[at];
      let row = rowAt.get(bar, ofContext[context]);
      if (row === NONE) {
        row = rows.push({ id: ofContext[context], functions: new Set() }) - 1;
        rowAt.set(bar, ofContext[context], row);
        ofBar[bar].push(row);
      }
      rows[row].functions.add(basis.functions.ofContext[context]);
      return row;
    });
    const sums = costs.zeros(rows.length);
    for (let run = 0; run < costs.runs; run++) {
      const measured = first.exclusiveOf(run);
      const unit = costs.unitOf(run);
      rowOf.forEach((row, at) => (sums[row * costs.runs + run] += measured[kept.original[at]] / unit));
    }
    return ofBar.map((own) =>
      own
        .map((row) => ({ row, cost: costs.at(sums, row) }))
        .filter(({ cost }) => costs.isShare(cost, MIN_INSIDE_SHARE))
        .sort((a, b) => heavierFirst(a.cost, b.cost) || rows[a.row].id - rows[b.row].id)
        .slice(0, MAX_INSIDE)
        .map(({ row }) => ({ name: names.functionNames[rows[row].id], functions: rows[row].functions })),
    );
  }

  /** Order in which bars get their names, and the flows that are drawn. */
  private order(bars: Bars): { named: number[]; drawn: number[] } {
    const { costed } = this.picture;
    const { costs } = this.first;
    const { nodeOf } = this.attempts.treeAt(this.picture.percent);
    // The attempt has the same bars, with costs of all runs.
    const attempted = new Int32Array(bars.size);
    for (let at = 0; at < this.kept.size; at++)
      attempted[bars.ofContext[at]] = costed.bars.ofContext[this.picture.nodeOf[nodeOf[this.baseOf[at]]]];
    const exclusive = costs.zeros(costed.bars.size);
    const { tree } = this.picture;
    for (let node = 0; node < tree.size; node++)
      costs.add(exclusive, costed.bars.ofContext[node], tree.exclusive, node);
    const exclusiveOf = (bar: number) => costs.at(exclusive, attempted[bar]);
    const inclusiveOf = (bar: number) => costs.at(costed.inclusive, attempted[bar]);
    const all = [...bars.id.keys()];
    const hottest = all
      .toSorted(
        (a, b) => heavierFirst(exclusiveOf(a), exclusiveOf(b)) || heavierFirst(inclusiveOf(a), inclusiveOf(b)) || a - b,
      )
      .slice(0, HOTTEST);
    const first = new Set(hottest);
    const tallest = all
      .filter((bar) => !first.has(bar))
      .sort((a, b) => heavierFirst(inclusiveOf(a), inclusiveOf(b)) || a - b);
    const flows = new Map<string, number>();
    costed.bars.source.forEach((source, edge) =>
      addTo(flows, `${source} ${costed.bars.target[edge]}`, costs.at(costed.flow, edge)),
    );
    const values = Array.from(
      bars.source,
      (source, edge) => flows.get(`${attempted[source]} ${attempted[bars.target[edge]]}`) ?? 0,
    );
    return { named: [...hottest, ...tallest], drawn: drawnEdges(bars, values, costs.whole) };
  }

  private finerNames(onScreen: ReadonlyMap<string, number>, textOf: (name: number) => string): FinerNames {
    const { first, naming, kept, baseOf, basis } = this;
    const { groups } = this.picture;
    const { isOnTheWay } = this.attempts.treeAt(this.picture.percent);
    const { ofContext } = first.filter.functions;
    const level = new Uint8Array(basis.tree.size).fill(ON_THE_WAY);
    const isHeld = new Uint8Array(basis.tree.size);
    for (let at = 0; at < kept.size; at++) {
      if (isOnTheWay[baseOf[at]] === 1) continue;
      const context = kept.original[at];
      const id = ofContext[context];
      const name = naming.nameOf(id);
      level[context] = naming.pathOf(id).indexOf(onScreen.get(first.names.names[name].key) ?? name);
      if (groups.names[this.groupOf[at]] !== first.names.names[name].key) isHeld[context] = 1;
    }
    return { pathOf: (context) => naming.pathOf(ofContext[context]).map(textOf), level, isHeld };
  }
}
