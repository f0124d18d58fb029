/** Choice of a first picture (semantics 2, rule 7): the filter, the groups that are opened, and the functions that stand alone. */
import { RequestError } from "../../model/errors";
import { entryOf } from "../../model/maps";
import { compareText } from "../../model/strings";
import type { Steps } from "../../model/steps";
import type { Task } from "../../model/task";
import { filterContexts, type FilteredTree } from "../filter";
import { attempt, type Excess, hiddenShare, type Limits, FIRST_LIMITS, type Picture } from "./attempt";
import type { FirstBasis } from "./firstBasis";
import { type FirstChoice, Naming, ownName } from "./naming";
import { type Parts, partsOf, type PathTree, pathTree } from "./pathTree";
import { heavierFirst, type RunCosts } from "./runCosts";

/** Filters in percent of the total. The first that fits is taken. */
export const LADDER: readonly number[] = [0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5];
/** Filters in percent if none of {@link LADDER} fits. */
const HIGHER: readonly number[] = [5, 7, 10, 15, 20, 30, 50, 70, 100];
/** Limits if no attempt fits: the largest picture that can be drawn at all. */
const DRAWABLE: Limits = {
  bars: 500,
  groups: 500,
  unfolded: 5_000,
  drawn: Infinity,
  levels: Infinity,
  hidden: Infinity,
};
/** Share of the total that may be hidden. If the smallest filter hides more, its share plus {@link HIDDEN_MARGIN}. */
const MAX_HIDDEN = 0.1;
const HIDDEN_MARGIN = 0.02;
/** Share that the first attempt, which opens no group, may hide if it does not fit within {@link MAX_HIDDEN}. */
const MAX_HIDDEN_AT_FIRST = 0.9;
/** Minimum shares of the total for a group to be opened and for a function to stand alone. */
const MIN_OPENED = 0.02;
const MIN_ALONE = 0.01;
const MAX_ALONE = 12;

/** A group that was not opened, and the limit that the picture would have exceeded. */
export interface Refusal {
  /** Index of its name. */
  readonly name: number;
  readonly excess: Excess;
}

export interface Chosen {
  readonly choice: FirstChoice;
  readonly naming: Naming;
  readonly picture: Picture;
  readonly refused: readonly Refusal[];
  /** No attempt fits: the picture is larger than a first picture should be, or hides more. */
  readonly isBeyond: boolean;
  /** Number of groupings that were tried. */
  readonly attempts: number;
}

/** Tries choices on one basis. */
export class FirstAttempts {
  readonly parts: Parts;
  private readonly base: FilteredTree;
  private readonly trees = new Map<number, PathTree>();
  private count = 0;
  private readonly mostHidden: number;

  /** @param ladder filters in percent of the total, ascending. The first that fits is used, so {@link treeAt} takes no smaller one */
  constructor(
    readonly basis: FirstBasis,
    private readonly ladder: readonly number[],
    private readonly task: Task,
  ) {
    this.parts = partsOf(basis);
    this.base = filterContexts(basis.filter, ladder[0]);
    const hidden = hiddenShare(this.treeAt(ladder[0]).hiddenOfAll, basis.costs);
    this.mostHidden = Math.max(MAX_HIDDEN, hidden + HIDDEN_MARGIN);
  }

  get attempts(): number {
    return this.count;
  }

  get contexts(): FilteredTree {
    return this.base;
  }

  treeAt(percent: number): PathTree {
    let tree = this.trees.get(percent);
    if (!tree) this.trees.set(percent, (tree = pathTree(this.basis, this.parts, this.base, percent, this.task)));
    return tree;
  }

  /** @returns the picture with the smallest filter that fits, or the limit that the last attempt exceeded */
  *findFitting(naming: Naming, hidden = this.mostHidden): Steps<Picture | Excess> {
    this.count++;
    const groups = naming.groups(this.parts);
    let excess: Excess = "hidden";
    for (const percent of this.ladder) {
      yield;
      const picture = attempt(this.treeAt(percent), groups, { ...FIRST_LIMITS, hidden }, this.basis.costs, this.task);
      if (typeof picture !== "string") return picture;
      // Larger filters hide more.
      if (picture === "hidden") break;
      excess = picture;
    }
    return excess;
  }

  /**
   * The picture at the first of these filters whose bars can be drawn. Functions that all paths go through stay at every filter, or all
   * but the first one is hidden. So a picture within the limits is preferred whose chains are folded before groups are counted.
   *
   * @throws RequestError if there are too many bars at every filter
   */
  *findDrawable(percents: readonly number[], naming: Naming): Steps<Drawable> {
    const groups = naming.groups(this.parts);
    const within = (limits: Limits, canFoldFirst: boolean) => (percent: number) =>
      attempt(this.treeAt(percent), groups, limits, this.basis.costs, this.task, canFoldFirst);
    const fitting = yield* firstPictureOf(this.ladder, within({ ...FIRST_LIMITS, hidden: this.mostHidden }, true));
    if (fitting) return { picture: fitting, isBeyond: false };
    for (const canFoldFirst of [false, true]) {
      const picture = yield* firstPictureOf(percents, within(DRAWABLE, canFoldFirst));
      if (picture) return { picture, isBeyond: true };
    }
    throw new RequestError(
      `There is no first picture: even a filter of 100 % leaves more than ${DRAWABLE.bars} bars. Group by load module.`,
    );
  }
}

interface Drawable {
  readonly picture: Picture;
  /** As {@link Chosen.isBeyond}. */
  readonly isBeyond: boolean;
}

function* firstPictureOf(
  percents: readonly number[],
  attemptAt: (percent: number) => Picture | Excess,
): Steps<Picture | undefined> {
  for (const percent of percents) {
    yield;
    const picture = attemptAt(percent);
    if (typeof picture !== "string") return picture;
  }
  return undefined;
}

/** A group that may be opened. */
interface Candidate {
  readonly level: number;
  readonly name: number;
  /** Exclusive of all its functions, the largest in any run. */
  readonly cost: number;
  /** Number of its functions' next finer names. */
  readonly finer: number;
}

/**
 * Opens groups one after the other. Then gives the heaviest functions of refused groups a bar of their own.
 *
 * @param beyond filters in percent that are tried if no attempt fits
 * @throws RequestError if every one of these leaves too many bars to be drawn
 */
export function* choose(attempts: FirstAttempts, beyond = HIGHER): Steps<Chosen> {
  const { basis } = attempts;
  let naming = new Naming(basis.names);
  let shown = naming;
  let picture = yield* fittingFirst(attempts, naming);
  const refused: { readonly group: Candidate; readonly excess: Excess }[] = [];
  const isRefused = ({ level, name }: Candidate) =>
    refused.some(({ group }) => group.level === level && group.name === name);
  for (;;) {
    const group = candidates(basis, naming).find((one) => !isRefused(one));
    if (!group) break;
    const tried = naming.withOpened(group.level, group.name);
    const found = yield* attempts.findFitting(tried);
    if (typeof found !== "string") [shown, picture] = [tried, found];
    if (typeof found !== "string" || group.finer === 1) naming = tried;
    else refused.push({ group, excess: found });
  }
  for (const { group } of refused)
    for (const id of heaviestOf(basis, naming, group)) {
      const tried = naming.withAlone(id, group.level);
      const found = yield* attempts.findFitting(tried);
      if (typeof found !== "string") [naming, shown, picture] = [tried, tried, found];
    }
  const found = picture ? { picture, isBeyond: false } : yield* attempts.findDrawable(beyond, shown);
  return {
    choice: { filter: found.picture.percent, opened: shown.openedNames, alone: shown.aloneFunctions },
    naming: shown,
    ...found,
    refused: refused.map(({ group, excess }) => ({ name: group.name, excess })),
    attempts: attempts.attempts,
  };
}

function* fittingFirst(attempts: FirstAttempts, naming: Naming): Steps<Picture | undefined> {
  const found = yield* attempts.findFitting(naming);
  const again = typeof found === "string" ? yield* attempts.findFitting(naming, MAX_HIDDEN_AT_FIRST) : found;
  return typeof again === "string" ? undefined : again;
}

/** A filter in percent, and the larger ones that are tried if it leaves too many bars to be drawn. */
export function filtersFrom(percent: number): number[] {
  const larger = [...LADDER, ...HIGHER].filter((other) => other > percent);
  return [percent, ...new Set(larger)];
}

/** Groups that may be opened: largest exclusive cost first, then the coarser level, then by name. */
function candidates({ names, costs, ofFunctions }: FirstBasis, naming: Naming): Candidate[] {
  const groups = new Map<
    number,
    { level: number; name: number; functions: number[]; finer: Set<number>; isLibrary: boolean }
  >();
  for (let id = 0; id < names.paths.length; id++) {
    const path = naming.pathOf(id);
    const level = naming.levelOf(id);
    const name = path[level];
    const group = entryOf(groups, level * names.names.length + name, () => ({
      level,
      name,
      functions: [],
      finer: new Set<number>(),
      isLibrary: false,
    }));
    if (names.standsFor[id] === id) group.functions.push(id);
    if (level + 1 < path.length) group.finer.add(path[level + 1]);
    if (names.kinds[id] === "library" || names.kinds[id] === "kernel") group.isLibrary = true;
  }
  const found: Candidate[] = [];
  for (const { level, name, functions, finer, isLibrary } of groups.values()) {
    if (finer.size === 0 || isLibrary) continue;
    const cost = costOf(functions, costs, ofFunctions);
    if (costs.isShare(cost, MIN_OPENED)) found.push({ level, name, cost, finer: finer.size });
  }
  return found.sort(
    (a, b) =>
      heavierFirst(a.cost, b.cost) ||
      a.level - b.level ||
      compareText(names.names[a.name].key, names.names[b.name].key),
  );
}

/**
 * Functions of a group that may stand alone, heaviest first. The group may have more functions than when it was refused: those of a load
 * module that was opened later.
 */
function heaviestOf({ names, costs, ofFunctions }: FirstBasis, naming: Naming, group: Candidate): number[] {
  const isIn = (id: number) =>
    names.standsFor[id] === id &&
    naming.levelOf(id) === group.level &&
    naming.nameOf(id) === group.name &&
    ownName(names, id) !== group.name;
  const found = [...names.paths.keys()].filter(isIn).map((id) => ({ id, cost: costs.at(ofFunctions, id) }));
  return found
    .filter(({ cost }) => costs.isShare(cost, MIN_ALONE))
    .sort((a, b) => heavierFirst(a.cost, b.cost) || compareText(names.identities[a.id], names.identities[b.id]))
    .slice(0, MAX_ALONE)
    .map(({ id }) => id);
}

function costOf(functions: readonly number[], costs: RunCosts, ofFunctions: Float64Array): number {
  const sum = costs.zeros(1);
  for (const id of functions) costs.add(sum, 0, ofFunctions, id);
  return costs.at(sum, 0);
}
