/** What people keep of a recording by names of their own: with the workspace, by the key of the data set. */
import * as v from "valibot";
import type * as vscode from "vscode";
import type { Choice } from "../../protocol/frame";

/** The recordings that were noted longest ago are forgotten beyond so many. */
const MOST_RECORDINGS = 100;
/** A menu has no room for more. */
export const MOST_NAMED = 90;
const MOST_ENTRIES = 100;
const LONGEST_NAME = 200;

const GO = "go ";
const REMOVE = "remove ";

export const givenName = v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_NAME));
export const recordingKey = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

interface Named {
  readonly name: string;
}

export class RecordingNotes<Notes extends { readonly key: string }> {
  /**
   * @param stored the name that they are stored by
   * @param none what there is of a recording of which nothing was kept, or what is stored is no such thing
   */
  constructor(
    private readonly storage: Pick<vscode.Memento, "get" | "update">,
    private readonly stored: string,
    private readonly schema: v.GenericSchema<unknown, Notes>,
    private readonly none: (key: string) => Notes,
  ) {}

  of(key: string): Notes {
    for (const one of this.all) {
      const parsed = v.safeParse(this.schema, one);
      if (parsed.success && parsed.output.key === key) return parsed.output;
    }
    return this.none(key);
  }

  async keep(key: string, changed: Partial<Notes>): Promise<void> {
    const others = this.all.filter((one) => !v.is(v.object({ key: v.literal(key) }), one));
    await this.storage.update(this.stored, [{ ...this.of(key), ...changed }, ...others].slice(0, MOST_RECORDINGS));
  }

  private get all(): readonly unknown[] {
    const stored = this.storage.get<unknown>(this.stored);
    return Array.isArray(stored) ? stored : [];
  }
}

/** The latest first; takes the place of the one of its name. */
export function withNamed<One extends Named>(known: readonly One[], added: One): One[] {
  return [added, ...withoutNamed(known, added.name)].slice(0, MOST_NAMED);
}

export function withoutNamed<One extends Named>(known: readonly One[], name: string): One[] {
  return known.filter((one) => one.name !== name);
}

/** A menu of what was kept, and below it of what can be removed. */
export function namedMenu(kept: readonly (Named & { readonly title: string })[]): Choice[] {
  const choice = (id: string, { name, title }: (typeof kept)[number], group: string): Choice => ({
    value: `${id}${name}`,
    label: id === GO ? name : `Remove ${name}`,
    group,
    title,
  });
  return [
    ...kept.map((one) => choice(GO, one, "go")),
    ...kept.slice(0, MOST_ENTRIES - kept.length).map((one) => choice(REMOVE, one, "remove")),
  ];
}

/** What a choice in that menu means. */
export function chosenNamed(value: string): { readonly name: string; readonly isRemoved: boolean } {
  const isRemoved = value.startsWith(REMOVE);
  return { name: value.slice((isRemoved ? REMOVE : GO).length), isRemoved };
}
