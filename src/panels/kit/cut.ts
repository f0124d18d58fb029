/** Which groups of a hierarchy are closed: its depth in the toolbar, and groups that are opened and closed by themselves. */
import type { SelectControl, ToolControl } from "../../protocol/frame";
import type { CutState } from "../../protocol/treemap";

interface Levels {
  readonly depth: number;
  readonly deepest: number;
}

const MOST_LEVELS = 50;

export function depthControl({ depth, deepest }: Levels): SelectControl {
  return {
    kind: "select",
    id: "depth",
    name: "Depth of the hierarchy",
    value: String(depth),
    choices: Array.from({ length: Math.min(deepest, MOST_LEVELS) + 1 }, (_, at) => ({
      value: String(at),
      label: at === 0 ? "all as one" : `depth ${at} of ${deepest}`,
      ...(at === 0 ? { short: "all" } : { short: `${at} of ${deepest}` }),
    })),
  };
}

/** @param levels undefined: nothing is shown, as where what a reload brings back has more open than is drawn */
export function stepControls(levels: Levels | undefined, state: CutState): ToolControl[] {
  const { depth = 0, deepest = 0 } = levels ?? {};
  const isUsual = state.depth === undefined && state.opened.length === 0;
  const step = (id: string, name: string, icon: string, isLast: boolean, why: string): ToolControl => ({
    kind: "tool",
    id,
    name,
    icon,
    group: "level",
    leaves: 2,
    ...(isLast ? { disabled: why } : {}),
  });
  return [
    levels
      ? step("up", "Close the deepest level", "fold", depth <= 0, "Everything is one group already.")
      : step("up", "Open as many levels as usual", "fold", isUsual, "Nothing is shown."),
    step("down", "Open the next level", "unfold", depth >= deepest, "There is no deeper level."),
  ];
}

/** What a choice in one of these makes of it; undefined: it is none of these. @param levels as those of {@link stepControls} */
export function cutChoice(id: string, value: string, levels: Levels | undefined): CutState | undefined {
  const wholly = { closed: [], opened: [] };
  if (!levels) return id === "up" ? { depth: undefined, ...wholly } : undefined;
  const { depth, deepest } = levels;
  switch (id) {
    case "depth":
      return { depth: Number(value), ...wholly };
    case "up":
      return { depth: Math.max(0, depth - 1), ...wholly };
    case "down":
      return { depth: Math.min(deepest, depth + 1), ...wholly };
    default:
      return undefined;
  }
}

/** Opens or closes one group, whatever the depth is. */
export function withGroup({ closed, opened }: CutState, key: string, opens: boolean): Omit<CutState, "depth"> {
  const without = (keys: readonly string[]) => keys.filter((one) => one !== key);
  return opens
    ? { opened: [...without(opened), key], closed: without(closed) }
    : { closed: [...without(closed), key], opened: without(opened) };
}
