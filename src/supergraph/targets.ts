/** What the names in an operation mean: groups, bars, entries and functions of the contexts as they are grouped now. */
import { RequestError } from "../model/errors";
import { NONE } from "../model/ids";
import { groupBy } from "../model/maps";
import { counted } from "../model/texts";
import { buildBars, DEEPER_NAME, weighOf } from "./bars";
import { placesOf } from "./columns";
import type { FilteredTree } from "./filter";
import type { Groups } from "./grouping";
import type { GroupedContexts, OperationBasis } from "./groupedContexts";
import { areListed, meantName, quoted } from "./meantNames";
import type { GroupRef } from "./query";
import { DEEPER, visitsOf } from "./visits";

/** Where one bar of several is meant, bars are built; beyond this many they would take too long. */
const MOST_BARS = 5_000;
/** Names of names, as of a group split by callers that were split by callers, could grow with every operation. */
const LONGEST_NAME = 100_000;

/** The contexts that a name in an operation means. */
export interface Target {
  /** 1 for each kept context that is meant. */
  readonly isIn: Uint8Array;
  /** Consecutive contexts of one part are one visit: the part of each kept context. */
  readonly part: Int32Array;
}

/**
 * The kept contexts of a group, or of one of its bars. What lies below a ninth visit still has the group that it was given,
 * and is also meant by the name of the bar that it is drawn in, `deeper`.
 *
 * @throws RequestError where there is no such group or bar
 */
export function targetOf(
  basis: OperationBasis,
  state: Pick<GroupedContexts, "kept" | "groups">,
  { group, bar }: GroupRef,
  check: () => void,
): Target {
  if (bar !== undefined) return contextsOfBar(basis, state, { group, bar }, check);
  const { kept, groups } = state;
  const part = group === DEEPER_NAME ? partsWithDeeper(state, check) : groups.ofContext;
  // Several paths are written alike where names hold a slash: the name means them all.
  const isMeant = new Uint8Array(groups.names.length);
  for (let id = groups.names.indexOf(group); id >= 0; id = groups.names.indexOf(group, id + 1)) isMeant[id] = 1;
  const isIn = marked(part, isMeant);
  if (!isIn.includes(1)) throw new RequestError(`There is no group ${quoted(group)}. ${there(groups, kept.size)}`);
  return { isIn, part };
}

/** The group of each kept context, {@link DEEPER} for those in the bar `deeper`. */
function partsWithDeeper({ kept, groups }: Pick<GroupedContexts, "kept" | "groups">, check: () => void): Int32Array {
  const { position } = visitsOf(kept, groups, check);
  return groups.ofContext.map((group, context) => (position[context] === DEEPER ? DEEPER : group));
}

function contextsOfBar(
  basis: OperationBasis,
  { kept, groups }: Pick<GroupedContexts, "kept" | "groups">,
  { group, bar }: Required<GroupRef>,
  check: () => void,
): Target {
  const bars = buildBars(kept, groups, weighOf(basis), MOST_BARS, check);
  if (bars === undefined)
    throw new RequestError(
      `There are more than ${MOST_BARS} bars: ${quoted(group)}#${bar} cannot be found among them.`,
    );
  const at = bars.group.findIndex((name, index) => name === group && bars.visit[index] === bar);
  const count = bars.group.filter((name) => name === group).length;
  if (at < 0) {
    const what = count === 0 ? there(groups, kept.size) : `${quoted(group)} has ${counted(count, "bar")}.`;
    throw new RequestError(`There is no bar ${quoted(group)}#${bar}. ${what}`);
  }
  const isMeant = new Uint8Array(bars.size);
  isMeant[at] = 1;
  return { isIn: marked(bars.ofContext, isMeant), part: bars.ofContext };
}

/** 1 where a part is meant, and where it is {@link DEEPER}: that is a part only where it is. */
function marked(part: Int32Array, isMeant: Uint8Array): Uint8Array {
  const marks = new Uint8Array(part.length);
  for (let at = 0; at < part.length; at++) marks[at] = part[at] === DEEPER ? 1 : isMeant[part[at]];
  return marks;
}

/** The entries among the contexts of a target: their parent is not in the same visit, or they have none. */
export function entriesOf({ parent }: FilteredTree, { isIn, part }: Target): Int32Array {
  return placesOf(entering(parent, isIn, part));
}

function entering(parent: Int32Array, isIn: Uint8Array, part: Int32Array): Uint8Array {
  const enters = new Uint8Array(parent.length);
  for (let context = 0; context < parent.length; context++) {
    const above = parent[context];
    if (isIn[context] === 1 && (above === NONE || part[above] !== part[context])) enters[context] = 1;
  }
  return enters;
}

/** Functions by their recorded name; several where other files have one of the same name. */
export class FunctionNames {
  private readonly byName: ReadonlyMap<string, readonly number[]>;

  /** @param what what a function that is asked for must be one of, for messages */
  constructor(
    { frames, functions }: OperationBasis,
    ids: Iterable<number>,
    private readonly what: string,
  ) {
    this.byName = groupBy(ids, (id) => frames.nameOf(functions.frame[id]));
  }

  /** @throws RequestError where there is none, or several are meant */
  named(typed: string): { readonly name: string; readonly ids: readonly number[] } {
    const name = meantName(new Set(this.byName.keys()), typed, this.what);
    return { name, ids: this.byName.get(name) ?? [] };
  }
}

function there(groups: Groups, contexts: number): string {
  if (contexts === 0) return "No context is left.";
  const present = new Set(groups.ofContext);
  return `There ${areListed([...present].map((id) => groups.names[id]).sort())}`;
}

/** Names of groups, while an operation adds some. */
export class GroupNames {
  private readonly names: string[];
  private readonly byName: Map<string, number>;

  constructor({ names }: Groups) {
    this.names = [...names];
    this.byName = new Map(names.map((name, id) => [name, id]));
  }

  /** @throws RequestError where the name is longer than any that a recording gives */
  id(name: string): number {
    let id = this.byName.get(name);
    if (name.length > LONGEST_NAME && id === undefined)
      throw new RequestError(`A group would have a name of ${name.length} characters. Take back some operations.`);
    if (id === undefined) this.byName.set(name, (id = this.names.push(name) - 1));
    return id;
  }

  groups(ofContext: Int32Array): Groups {
    return { names: this.names, ofContext };
  }
}
