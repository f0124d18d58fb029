/** Grouping of a first picture: the name that each function has, of its names from coarse to fine (semantics 2, rule 7, Group). */
import { NONE } from "../../model/ids";
import type { PartGroups } from "./attempt";
import { START } from "../../model/startGroup";
import type { FirstNames } from "./functionNames";
import type { Parts } from "./pathTree";

/** A group by the level of its name among a function's, 0 the coarsest, and its key. */
export type LeveledName = readonly [level: number, key: string];

/** All choices of a first picture. The same recording and choice give the same picture. */
export interface FirstChoice {
  /** Percent of the total. */
  readonly filter: number;
  readonly opened: readonly LeveledName[];
  /** Identities of functions that have left their group at this level. */
  readonly alone: readonly LeveledName[];
}

/** Start of a first picture: an earlier choice, or only a filter at which groups are chosen. */
export type FirstStart = FirstChoice | Pick<FirstChoice, "filter">;

export class Naming {
  /**
   * @param opened levels and names, as {@link code}s
   * @param alone functions, each with the level of the group that it leaves
   */
  constructor(
    private readonly names: FirstNames,
    private readonly opened: ReadonlySet<number> = new Set(),
    private readonly alone: ReadonlyMap<number, number> = new Map(),
  ) {}

  get openedNames(): LeveledName[] {
    return Array.from(this.opened, (code) => this.leveled(code));
  }

  get aloneFunctions(): LeveledName[] {
    return Array.from(this.alone, ([id, level]) => [level, this.names.identities[id]]);
  }

  withOpened(level: number, name: number): Naming {
    return new Naming(this.names, new Set(this.opened).add(this.code(level, name)), this.alone);
  }

  withAlone(id: number, level: number): Naming {
    return new Naming(this.names, this.opened, new Map(this.alone).set(id, level));
  }

  /** The names of a function, coarse to fine. One that stands alone has its own name in place of the group that it left. */
  pathOf(id: number): readonly number[] {
    const path = this.names.paths[id];
    const level = this.alone.get(id);
    return level === undefined ? path : [...path.slice(0, level), path[path.length - 1]];
  }

  /** Level of the name that a function has: the first that is not opened. */
  levelOf(id: number): number {
    const path = this.pathOf(id);
    const level = path.findIndex((name, at) => !this.opened.has(this.code(at, name)));
    return level < 0 ? path.length - 1 : level;
  }

  nameOf(id: number): number {
    return this.pathOf(id)[this.levelOf(id)];
  }

  /** Groups of parts. Roots that are only on the way have a group of their own. */
  groups(parts: Parts): PartGroups {
    const start = this.names.names.length;
    const ofPart = parts.function.map((id) => (id === NONE ? start : this.nameOf(id)));
    return { ofPart, names: [...this.names.names.map(({ key }) => key), START] };
  }

  private code(level: number, name: number): number {
    return level * this.names.names.length + name;
  }

  private leveled(code: number): LeveledName {
    const { names } = this.names;
    return [Math.floor(code / names.length), names[code % names.length].key];
  }
}

/** The name of a function itself. */
export function ownName({ paths }: FirstNames, id: number): number {
  return paths[id][paths[id].length - 1];
}

/** The naming of an earlier choice. Ignores names that the recording no longer has. */
export function namingOf(names: FirstNames, { opened, alone }: FirstChoice): Naming {
  const numberOf = new Map(names.names.map(({ key }, number) => [key, number]));
  const functions = new Map<string, number>();
  for (const id of names.standsFor) functions.set(names.identities[id], id);
  let naming = new Naming(names);
  for (const [level, key] of opened) {
    const name = numberOf.get(key);
    if (name !== undefined) naming = naming.withOpened(level, name);
  }
  for (const [level, identity] of alone) {
    const id = functions.get(identity);
    if (id !== undefined) naming = naming.withAlone(id, level);
  }
  return naming;
}
