/** The editor group in which a panel opens, or comes back into sight. Pure. */

/** One of the window's, counted from 1 as VS Code does. */
export interface EditorGroup {
  readonly column: number;
  /** What is in sight in it is a panel of ours. */
  readonly showsPanel: boolean;
}

/** A panel that was opened before. */
export interface OpenPanel {
  readonly column: number;
  readonly isInSight: boolean;
}

export type EditorGroupChoice =
  | { readonly kind: "beside" }
  /** In a new group below this one. */
  | { readonly kind: "below"; readonly column: number }
  /** In front of what this group shows. */
  | { readonly kind: "in"; readonly column: number };

/**
 * So that what it is opened from is never covered by it (semantics 3), and no source: beside the editor; where a panel of ours is
 * there, or is what it is opened from, in a group below that one. A third one below each other would be too low to be read: it
 * goes in front of the panel that was opened last of those that it is not opened from. A panel that is open stays where it is,
 * unless it is behind the one that it is opened from.
 *
 * @param active column of the group that it is opened from
 * @param open where the panel is, if it is open
 */
export function editorGroupFor(groups: readonly EditorGroup[], active: number, open?: OpenPanel): EditorGroupChoice {
  const fromPanel = groups.some(({ column, showsPanel }) => column === active && showsPanel);
  if (open && (open.isInSight || open.column !== active || !fromPanel)) return { kind: "in", column: open.column };
  const panels = groups.filter(({ showsPanel }) => showsPanel).map(({ column }) => column);
  const inTheWay = [active, active + 1].find((column) => panels.includes(column));
  if (inTheWay === undefined) return { kind: "beside" };
  if (panels.length === 1) return { kind: "below", column: inTheWay };
  return { kind: "in", column: Math.max(...panels.filter((column) => column !== active)) };
}
