const MOST = 200;

/** Something with a name, and what is shown in its place where that is shorter (`shownNames.ts`). */
export interface Named {
  /** Whole, as it was recorded. */
  readonly name: string;
  readonly shown?: string | undefined;
}

/** What lists, labels and lines of text call it; tooltips and details have the whole name. */
export function shownOf({ name, shown }: Named): string {
  return shown ?? name;
}

/** A name as a line of text shows it: of one that is longer than people read, its two ends. Tools write names of any length. */
export function shortName(name: string, most = MOST): string {
  if (name.length <= most) return name;
  const half = Math.floor((most - 1) / 2);
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}
