/** What the names in an operation mean: groups, bars, entries and functions of the contexts as they are grouped now. */
import { RequestError } from "../model/errors";
import { NONE } from "../model/ids";
import { shortName } from "../model/shortName";
import { buildBars } from "./bars";
import type { Groups } from "./grouping";
import type { GroupedContexts, OperationBasis } from "./operations";
import type { GroupRef } from "./query";

/** Where one bar of several is meant, bars are built; beyond this many they would take too long. */
const MOST_BARS = 5_000;
/** Names that a message lists. */
const LISTED = 8;

/**
 * The kept contexts of a group, or of one of its bars.
 *
 * @returns 1 for each kept context that is meant
 * @throws RequestError where there is no such group or bar
 */
export function targetOf(
  basis: OperationBasis,
  { kept, groups }: GroupedContexts,
  { group, bar }: GroupRef,
  check: () => void,
): Uint8Array {
  const inTarget = new Uint8Array(kept.size);
  let size = 0;
  const id = groups.names.indexOf(group);
  const ofBar = bar === undefined ? undefined : contextsOfBar(basis, { kept, groups }, { group, bar }, check);
  for (let context = 0; context < kept.size; context++) {
    if (groups.ofContext[context] !== id || ofBar?.[context] === 0) continue;
    inTarget[context] = 1;
    size++;
  }
  if (size === 0) throw new RequestError(`There is no group ${shown(group)}. ${there(groups, kept.size)}`);
  return inTarget;
}

function contextsOfBar(
  basis: OperationBasis,
  { kept, groups }: Pick<GroupedContexts, "kept" | "groups">,
  { group, bar }: Required<GroupRef>,
  check: () => void,
): Uint8Array {
  const bars = buildBars(kept, groups, basis.inclusive, MOST_BARS, check);
  if (bars === undefined)
    throw new RequestError(`There are more than ${MOST_BARS} bars: ${shown(group)}#${bar} cannot be told from them.`);
  const at = bars.group.findIndex((name, index) => name === group && bars.visit[index] === bar);
  const count = bars.group.filter((name) => name === group).length;
  if (at < 0) {
    const what = count === 0 ? there(groups, kept.size) : `${shown(group)} has ${count} bar${count === 1 ? "" : "s"}.`;
    throw new RequestError(`There is no bar ${shown(group)}#${bar}. ${what}`);
  }
  return Uint8Array.from(bars.ofContext, (own) => (own === at ? 1 : 0));
}

/** The entries among the contexts of a target: their parent is in another group, or they have none. */
export function entriesOf({ kept, groups }: GroupedContexts, inTarget: Uint8Array): Int32Array {
  const entries: number[] = [];
  for (let context = 0; context < kept.size; context++) {
    const parent = kept.parent[context];
    const enters = parent === NONE || groups.ofContext[parent] !== groups.ofContext[context];
    if (inTarget[context] === 1 && enters) entries.push(context);
  }
  return Int32Array.from(entries);
}

/**
 * The functions of this recorded name; several where other files have one of the same name.
 *
 * @param what what there must be one of, for the message
 * @throws RequestError where none is among the candidates
 */
export function functionsNamed(
  { frames, functions }: OperationBasis,
  candidates: Iterable<number>,
  name: string,
  what: string,
): number[] {
  const all = [...candidates];
  const nameOf = (id: number) => frames.nameOf(functions.frame[id]);
  const found = all.filter((id) => nameOf(id) === name).sort((a, b) => a - b);
  if (found.length > 0) return found;
  const names = [...new Set(all.map(nameOf))].sort();
  throw new RequestError(`${shown(name)} is not ${what}. There ${listed(names)}`);
}

function there(groups: Groups, contexts: number): string {
  if (contexts === 0) return "No context is left.";
  const present = new Set(groups.ofContext);
  return `There ${listed([...present].map((id) => groups.names[id]).sort())}`;
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, LISTED).map(shown).join(", ");
  const more = names.length > LISTED ? `, and ${names.length - LISTED} more` : "";
  return `${names.length === 1 ? "is" : "are"} ${first}${more}.`;
}

function shown(name: string): string {
  return `"${shortName(name, 120)}"`;
}

/** Names of groups, while an operation adds some. */
export class GroupNames {
  private readonly names: string[];
  private readonly byName: Map<string, number>;

  constructor({ names }: Groups) {
    this.names = [...names];
    this.byName = new Map(names.map((name, id) => [name, id]));
  }

  id(name: string): number {
    let id = this.byName.get(name);
    if (id === undefined) this.byName.set(name, (id = this.names.push(name) - 1));
    return id;
  }

  groups(ofContext: Int32Array): Groups {
    return { names: this.names, ofContext };
  }
}
