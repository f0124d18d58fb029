/** The editor group in which a panel opens, or comes back into sight. Pure. */
import type { Room } from "../../protocol/panel";
import { largestIn } from "../../model/longLists";

/** One of the window's, counted from 1 as VS Code does. */
export interface EditorGroup {
  readonly column: number;
  /** What is in sight in it is a panel of ours. */
  readonly showsPanel: boolean;
  /** Of that panel; unknown until its page has said it. */
  readonly room?: Room;
}

/** A panel that was opened before. */
export interface OpenPanel {
  readonly column: number;
  readonly isInSight: boolean;
}

export type EditorGroupChoice =
  | { readonly kind: "beside" }
  /** In a new group below this one, or to the right of it. */
  | { readonly kind: "below" | "right"; readonly column: number }
  /** In front of what this group shows. */
  | { readonly kind: "in"; readonly column: number };

/** Pixels that a drawing keeps where two panels share a height, and a page where they share a width. */
const LEAST_DRAWING = 300;
const LEAST_WIDTH = 400;
/** Widths in pixels. In a window below the first one, a panel that would be narrower than the second is not put beside an editor. */
const NARROW_WINDOW = 1000;
const MIN_BESIDE = 320;
/** From this width of the window on two panels stand side by side; pixels. */
const WIDE_WINDOW = 1900;
/** Pixels: what a panel has around its drawing while nothing is selected, and the tabs of an editor group. */
const ROWS = 76;
const TABS = 35;

/**
 * So that what it is opened from is never covered by it (semantics 3), and no source: beside the editor. Where a panel of ours is
 * there, or left of the last editor, or is what it is opened from, both stay in sight where they have the room: side by side in a wide window, else below
 * each other, else it is a tab in that group. A third one is a tab in front of the panel that was opened last of those that it is not
 * opened from. A panel that is open stays where it is, unless it is behind the one that it is opened from.
 *
 * @param active column of the group that it is opened from
 * @param open where the panel is, if it is open
 */
export function editorGroupFor(groups: readonly EditorGroup[], active: number, open?: OpenPanel): EditorGroupChoice {
  const fromPanel = groups.some(({ column, showsPanel }) => column === active && showsPanel);
  if (open && (open.isInSight || open.column !== active || !fromPanel)) return { kind: "in", column: open.column };
  const panels = groups.filter(({ showsPanel }) => showsPanel);
  const hasRight = groups.some(({ column }) => column === active + 1);
  const inTheWay =
    [active, active + 1].map((at) => panels.find(({ column }) => column === at)).find((group) => group !== undefined) ??
    // The editor that a panel's link has opened beside it is the last group: one more would leave each a third of the window.
    (hasRight ? undefined : panels.at(-1));
  if (inTheWay === undefined) return { kind: "beside" };
  const { column, room } = inTheWay;
  if (panels.length === 1) return { kind: shared(room), column };
  return { kind: "in", column: largestIn(panels.map((panel) => panel.column).filter((other) => other !== active)) };
}

/**
 * Whether a panel that was opened beside an editor takes the editor's group instead: VS Code does not tell before how wide a group is
 * that is alone.
 */
export function isTooNarrow({ width, windowWidth }: Room): boolean {
  return windowWidth < NARROW_WINDOW && width < MIN_BESIDE;
}

/** How a panel shares its room with a second one. */
function shared(room: Room | undefined): "below" | "right" | "in" {
  if (!room) return "below";
  if (room.windowWidth >= WIDE_WINDOW && room.width / 2 >= LEAST_WIDTH) return "right";
  return (room.height - TABS) / 2 - ROWS >= LEAST_DRAWING ? "below" : "in";
}
