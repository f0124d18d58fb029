/** The treemap of code: the hue of a rectangle is its file's, neighbours differ in lightness. Pure. */
import type { CodeTreemapContent } from "../../src/protocol/codeTreemap";
import type { DrawView, Scene } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { neighbour } from "../treemap/drawing";
import { drawTreemap } from "../treemap/treemapDrawing";
import { nodeFacts, treeOf } from "./describe";

const LEFT = 12;
const RIGHT = 6;
const AROUND = 10;
const LEVELS = 3;
/** Parts of the text's colour, by level. */
const KERNEL_GREYS = [0.3, 0.22, 0.38];

export function draw(content: CodeTreemapContent, view: DrawView): Scene {
  const { theme, width, height } = view;
  const area = {
    x: LEFT,
    y: AROUND,
    width: Math.max(1, width - LEFT - RIGHT),
    height: Math.max(1, height - 2 * AROUND),
  };
  const fills = nodeFills(content, theme);
  const { marks, texts } = drawTreemap(
    treeOf(content),
    area,
    (_, node) => fills[node],
    (node) => nodeFacts(content, node),
    view,
  );
  return { below: [], marks, above: texts, move: (from, key) => neighbour(marks, from, key) };
}

/** What is in one file has its hue; those that lie beside each other, since they have nearly the same value, other levels. */
export function nodeFills(content: CodeTreemapContent, theme: Theme): string[] {
  const { nodes } = content;
  const before = new Int32Array(nodes.id.length);
  return nodes.names.map((name, node) => {
    const parent = nodes.parent[node];
    const level = parent < 0 ? 0 : before[parent]++ % LEVELS;
    const group = nodes.group[node];
    return group < 0 ? theme.named(name, level) : groupFill(content, group, theme, level);
  });
}

/** Colour of a file or load module: the kernel is no part of a program and is grey, as in flame graphs. */
export function groupFill({ groups, kernels }: CodeTreemapContent, group: number, theme: Theme, level = 0): string {
  return kernels[group] === 1 ? theme.faded(theme.text, KERNEL_GREYS[level]) : theme.named(groups[group], level);
}
