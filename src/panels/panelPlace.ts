/** Where a new panel opens. Pure. */

/** An editor group, counted from 1 as VS Code does. */
export interface GroupInWindow {
  readonly column: number;
  /** What is in sight in it is a panel of ours. */
  readonly showsPanel: boolean;
}

export type PanelPlace =
  | { readonly kind: "beside" }
  /** In a new group below this one. */
  | { readonly kind: "below"; readonly column: number }
  /** In front of what this group shows. */
  | { readonly kind: "in"; readonly column: number };

/**
 * So that what it is opened from is never covered by it (semantics 3), and no source: beside the editor; where a panel of ours is
 * there, or is what it is opened from, in a group below that one. A third one below each other would be too low to be read: it
 * goes in front of the panel that was opened last of those that it is not opened from.
 *
 * @param active column of the group that it is opened from
 */
export function placeForPanel(groups: readonly GroupInWindow[], active: number): PanelPlace {
  const panels = groups.filter(({ showsPanel }) => showsPanel).map(({ column }) => column);
  const inTheWay = [active, active + 1].find((column) => panels.includes(column));
  if (inTheWay === undefined) return { kind: "beside" };
  if (panels.length === 1) return { kind: "below", column: inTheWay };
  return { kind: "in", column: Math.max(...panels.filter((column) => column !== active)) };
}
