/** What is said of folders, files and functions, in words and numbers. Pure. */
import { type CodeTreemapContent, codeKinds, FUNCTION } from "../../src/protocol/codeTreemap";
import { formatValue } from "../../src/model/units";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { plural, shortPath, visible } from "../shared/text";
import { nodeName, shareText } from "../treemap/describe";
import type { DrawnTree } from "../treemap/treemapDrawing";

const MODULE = codeKinds.indexOf("load module");

/** Names as drawn: paths outside of the folders by their ends. */
export function treeOf({ metric, unit, nodes, values }: CodeTreemapContent): DrawnTree {
  // A folder keeps its path: `12` of `/usr/include/c++/12` says nothing.
  const modules = nodes.names.filter((_, node) => nodes.kind[node] === MODULE);
  const names = nodes.names.map((name, node) => (nodes.kind[node] === MODULE ? shortPath(name, modules) : name));
  return { unit, values, nodes: { ...nodes, names }, parts: [metric] };
}

export function isFunction({ nodes }: CodeTreemapContent, node: number): boolean {
  return nodes.kind[node] === FUNCTION;
}

export function nodeFacts(content: CodeTreemapContent, node: number): Fact[] {
  const { nodes, over, groups } = content;
  const group = nodes.group[node];
  return [
    ["exclusive", ...shareText(treeOf(content), node)],
    ...(isFunction(content, node) && group >= 0 ? [["in", visible(groups[group])] as const] : []),
    ...(isFunction(content, node)
      ? []
      : [["holds", plural(nodes.functions[node], "function")] as const, ["is a", kindText(content, node)] as const]),
    ...(over === "" ? [] : [["over", visible(over)] as const]),
  ];
}

export function kindText({ nodes }: CodeTreemapContent, node: number): string {
  const kind = codeKinds[nodes.kind[node]];
  return kind === "all" ? "whole recording" : kind;
}

export function details(content: CodeTreemapContent, node: number): Details | undefined {
  if (node >= content.nodes.id.length) return undefined;
  const { isClosed, parent } = content.nodes;
  const closes = closedBy(content, node);
  return {
    name: nodeName(content, node),
    numbers: nodeFacts(content, node),
    actions: [
      ...(isFunction(content, node) ? [{ id: "open", name: "Go to its hottest line", icon: "go-to-file" }] : []),
      ...(!isFunction(content, node) && isClosed[node] === 1
        ? [{ id: "open-group", name: "Open this group", icon: "unfold" }]
        : []),
      ...(closes < 0 || (isClosed[node] === 1 && parent[node] < 0)
        ? []
        : [{ id: "close-group", name: `Close ${nodeName(content, closes)}`, icon: "fold" }]),
    ],
  };
}

/** The group that closing a node closes: of what is closed that which it is in; -1: none. */
export function closedBy({ nodes }: CodeTreemapContent, node: number): number {
  return nodes.isClosed[node] === 1 ? nodes.parent[node] : node;
}

export function summary(content: CodeTreemapContent): string[] {
  const { depth, deepest, values, unit, over, nodes } = content;
  const functions = plural(nodes.functions[0] ?? 0, "function");
  const level = `depth ${depth} of ${deepest}`;
  const total = `exclusive ${formatValue(values[0] ?? 0, unit)}`;
  return [
    ...(over === "" ? [] : [`${total}, ${visible(over)} · ${level} · ${functions}`]),
    `${total} · ${level} · ${functions}`,
    `${total} · ${level}`,
    level,
  ];
}
