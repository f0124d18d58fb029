/** Where rectangles of a treemap lie: as near to squares as may be (Bruls, Huizing, van Wijk 2000; d3-hierarchy), largest first. Pure. */
import { hierarchy, type HierarchyRectangularNode, treemap } from "d3-hierarchy";
import type { TreemapContent } from "../../src/protocol/treemap";
import type { Box } from "../kit/stage/scene";

/** Pixels of a group's heading, between groups, and between what has no parts. */
export const HEADING = 17;
const BETWEEN_GROUPS = 6;
const BETWEEN = 2;
/** Lower or narrower groups have no heading. */
const LEAST_HEIGHT = 44;
const LEAST_WIDTH = 40;

/** A node, or a part of a closed one. */
interface Item {
  readonly node: number;
  /** -1: the node itself. */
  readonly part: number;
  readonly value: number;
  readonly children: Item[];
}

export interface PlacedNode {
  readonly node: number;
  readonly box: Box;
  readonly value: number;
  /** Pixels of its heading; 0: of a closed one, or without room. */
  readonly heading: number;
  /** Of a closed one, largest first. */
  readonly parts: readonly { readonly part: number; readonly value: number; readonly box: Box }[];
}

type Tree = Pick<TreemapContent, "values" | "parts"> & {
  readonly nodes: Pick<TreemapContent["nodes"], "parent" | "isClosed">;
};

/** What has nothing of the quantity is left out. @returns parents before children */
export function placeTreemap(content: Tree, area: Box): PlacedNode[] {
  const root = itemsOf(content);
  if (!root || !(root.value > 0)) return [];
  const isInner = ({ part, node }: Item) => part < 0 && content.nodes.isClosed[node] === 0;
  const headingOf = ({ data, depth, x0, x1, y0, y1 }: HierarchyRectangularNode<Item>) =>
    depth > 0 && isInner(data) && y1 - y0 >= LEAST_HEIGHT && x1 - x0 >= LEAST_WIDTH ? HEADING : 0;
  const placed = treemap<Item>()
    .size([area.width, area.height])
    .paddingInner(({ data }) =>
      !isInner(data) ? 0 : data.children.some((child) => isInner(child)) ? BETWEEN_GROUPS : BETWEEN,
    )
    .paddingTop(headingOf)(
    hierarchy(root, ({ children }) => children)
      // A node has what its parts have: nothing is left between them.
      .sum(({ children, value }) => (children.length === 0 ? value : 0))
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0) || a.data.node - b.data.node || a.data.part - b.data.part),
  );
  const boxOf = ({ x0, x1, y0, y1 }: HierarchyRectangularNode<Item>): Box => ({
    ...{ x: area.x + x0, y: area.y + y0, width: Math.max(0, x1 - x0), height: Math.max(0, y1 - y0) },
  });
  const all: PlacedNode[] = [];
  placed.eachBefore((own) => {
    const { data, children = [] } = own;
    if (data.part >= 0) return;
    const parts = children
      .filter((child) => child.data.part >= 0)
      .map((child) => ({ part: child.data.part, value: child.value ?? 0, box: boxOf(child) }));
    all.push({ node: data.node, box: boxOf(own), value: own.value ?? 0, heading: headingOf(own), parts });
  });
  return all;
}

function itemsOf({ values, parts, nodes: { parent, isClosed } }: Tree): Item | undefined {
  const width = parts.length;
  const items: Item[] = [];
  parent.forEach((_, node) => {
    const children: Item[] = [];
    let value = 0;
    for (let part = 0; part < width; part++) {
      const own = values[node * width + part];
      if (!(own > 0)) continue;
      value += own;
      if (isClosed[node] === 1) children.push({ node, part, value: own, children: [] });
    }
    items.push({ node, part: -1, value, children });
  });
  // Only what has something is anybody's part.
  parent.forEach((outer, node) => {
    if (outer >= 0 && items[node].value > 0) items[outer].children.push(items[node]);
  });
  return items.at(0);
}
