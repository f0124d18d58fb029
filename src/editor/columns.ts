/** In which editor group a line is shown, so that no panel is covered by what it opens (semantics 3). Pure. */

export interface Group {
  /** 1 is the leftmost. */
  readonly column: number;
  readonly active: boolean;
  /** A panel of Heatflow is in front there. */
  readonly showsPanel: boolean;
  /** A recording's page is in front there: it gives way before the window is split into a third column. */
  readonly showsPage: boolean;
  /** The file is open there already, in front or not. */
  readonly showsFile: boolean;
}

/** VS Code's "beside": a new group next to the active one. */
const BESIDE = -2;

/**
 * @param groups the window's editor groups
 * @param beside the group that must not be covered
 * @returns a column: one that has the file, else the active one, else any without a panel, else a page's, else a new group
 */
export function columnFor(groups: readonly Group[], beside: number | undefined): number {
  const free = groups.filter((group) => group.column !== beside && !group.showsPanel);
  const empty = free.filter((group) => !group.showsPage);
  const chosen = free.find((group) => group.showsFile) ?? empty.find((group) => group.active) ?? empty[0] ?? free[0];
  if (chosen) return chosen.column;
  return groups.length === 0 ? 1 : BESIDE;
}
