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

export function draw(content: CodeTreemapContent, view: DrawView): Scene {
  const { theme, width, height } = view;
  const area = {
    ...{ x: LEFT, y: AROUND },
    ...{ width: Math.max(1, width - LEFT - RIGHT), height: Math.max(1, height - 2 * AROUND) },
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
export function nodeFills({ nodes, groups }: CodeTreemapContent, theme: Theme): string[] {
  const before = new Int32Array(nodes.id.length);
  return nodes.names.map((name, node) => {
    const parent = nodes.parent[node];
    const level = parent < 0 ? 0 : before[parent]++ % LEVELS;
    const group = nodes.group[node];
    return theme.named(group < 0 ? name : groups[group], level);
  });
}
