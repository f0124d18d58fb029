/** What all marks of a topology have, however many there are. Pure. */
import type { TreemapContent } from "../../src/protocol/treemap";
import type { Paint } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";

/** Marks with less have thin edges. */
export const SMALL = 10;
export const EDGES = [0.75, 1.25] as const;
/** Numbers of the fills of marks. */
const FILLS_FROM = 10_000_000;
export const MOST_FILLS = 8;

export function edgePaint(theme: Theme, strokeWidth: number): Paint {
  return { fill: theme.background, stroke: theme.edge ?? theme.outline, strokeWidth };
}

/** What a mark is called in every content about the recording: where somebody has dragged it. */
export function pinKey({ nodes, marks }: TreemapContent, mark: number): string {
  return `${nodes.id[marks.node[mark]]} ${marks.shape[mark]}`;
}

export function markKey(content: TreemapContent, mark: number): string {
  return `mark ${pinKey(content, mark)}`;
}

export function fillId(mark: number, fill: number): number {
  return FILLS_FROM + mark * MOST_FILLS + fill;
}
