/** What is said of resources, their marks and what connects them, in words and numbers. Pure. */
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import { edgeKinds, TOPOLOGY, type TreemapContent } from "../../src/protocol/treemap";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { plural, visible } from "../shared/text";

const MOST_FACTS = 6;

/** The node that a mark is about. */
export function nodeOf({ marks }: Pick<TreemapContent, "marks">, mark: number): number {
  return mark >= TOPOLOGY ? marks.node[mark - TOPOLOGY] : mark;
}

export function isKnown({ nodes, marks }: TreemapContent, mark: number): boolean {
  return mark >= TOPOLOGY ? mark - TOPOLOGY < marks.node.length : mark < nodes.names.length;
}

/** A hierarchy with names and values. */
export type Named = Pick<TreemapContent, "values" | "parts" | "unit"> & {
  readonly nodes: Pick<TreemapContent["nodes"], "names">;
};

export function nodeName({ nodes }: Pick<Named, "nodes">, node: number): string {
  return visible(nodes.names[node]) || "unnamed";
}

/** Of all parts together. */
export function totalOf({ values, parts }: Pick<TreemapContent, "values" | "parts">, node: number): number {
  let sum = 0;
  for (let part = 0; part < parts.length; part++) sum += values[node * parts.length + part];
  return sum;
}

/** `4.42 s · 12.5 %`, of everything. */
export function shareText(content: Pick<Named, "values" | "parts" | "unit">, node: number): [string, string] {
  const all = totalOf(content, 0);
  const own = totalOf(content, node);
  return [formatValue(own, content.unit), formatShare(all > 0 ? own / all : 0)];
}

export function nodeFacts(content: TreemapContent, node: number): Fact[] {
  const { parts, values, quantity, unit, nodes } = content;
  const facts: Fact[] = [];
  if (quantity !== "") facts.push([visible(quantity), ...shareText(content, node)]);
  const own = totalOf(content, node);
  if (parts.length > 1 && own > 0) {
    const order = [...parts.keys()].sort((a, b) => values[node * parts.length + b] - values[node * parts.length + a]);
    for (const part of order.slice(0, MOST_FACTS)) {
      const value = values[node * parts.length + part];
      if (value > 0) facts.push([visible(parts[part]), formatValue(value, unit), formatShare(value / own)]);
    }
  }
  if (nodes.leaves[node] > 1) facts.push(["holds", plural(nodes.leaves[node], "resource")]);
  if (nodes.types[node] !== "") facts.push(["recorded as", visible(nodes.types[node])]);
  return facts;
}

const SHAPE_NOUNS = ["host", "link", "router"] as const;

/** Names that several marks would have, as often as each thread is "thread 0". */
const namesOfSeveral = new WeakMap<TreemapContent["marks"], ReadonlySet<string>>();

function severalNamed({ marks, nodes }: TreemapContent): ReadonlySet<string> {
  let several = namesOfSeveral.get(marks);
  if (several === undefined) {
    const seen = new Set<string>();
    const again = [...new Set(marks.node)]
      .map((node) => nodes.names[node])
      .filter((name) => seen.size === seen.add(name).size);
    namesOfSeveral.set(marks, (several = new Set(again)));
  }
  return several;
}

/** `AS_lille` or, of a group, `AS_lille, 89 links`; where several are called alike, with what they are in: `rank 3, thread 0`. */
export function markName(content: TreemapContent, mark: number): string {
  const { marks, nodes } = content;
  const node = marks.node[mark];
  const outer = nodes.parent[node];
  const isTold =
    outer <= 0 || nodes.names[outer] === nodes.names[node] || !severalNamed(content).has(nodes.names[node]);
  const name = isTold ? nodeName(content, node) : `${nodeName(content, outer)}, ${nodeName(content, node)}`;
  if (nodes.leaves[node] === 1 || nodes.isClosed[node] === 0) return name;
  const { shape, together } = marks;
  const isHardware = content.sizes[shape[mark]] !== "time" && content.sizes[shape[mark]] !== "";
  return isHardware ? `${name}, ${plural(together[mark], SHAPE_NOUNS[shape[mark]])}` : name;
}

/** Of what is filled, or of the window that a part of a machine was used: NaN where that was not recorded. */
export function usedShare({ marks }: TreemapContent, mark: number): number {
  return marks.size[mark] > 0 ? marks.used[mark] / marks.size[mark] : marks.share[mark];
}

export function markFacts(content: TreemapContent, mark: number): Fact[] {
  const { marks, sizes, fills, sizeUnits, states, stateSeconds, edges, nodes } = content;
  const shape = marks.shape[mark];
  const facts: Fact[] = [];
  const { [mark]: ofWindow } = marks.share;
  if (!Number.isNaN(ofWindow)) facts.push(["used in the window", formatShare(ofWindow)]);
  else if (sizes[shape] !== "")
    facts.push([
      visible(sizes[shape]),
      Number.isNaN(marks.size[mark]) ? "not recorded" : formatValue(marks.size[mark], sizeUnits[shape]),
    ]);
  if (fills[shape] !== "" && fills[shape] !== "states") {
    const share = usedShare(content, mark);
    const used = marks.used[mark];
    facts.push([
      visible(fills[shape]),
      ...(Number.isNaN(used)
        ? (["not recorded"] as const)
        : ([formatValue(used, sizeUnits[shape]), ...(Number.isNaN(share) ? [] : [formatShare(share)])] as [string])),
    ]);
  }
  const seconds = stateSeconds.subarray(mark * states.length, (mark + 1) * states.length);
  const all = seconds.reduce((sum, one) => sum + one, 0);
  const order = [...states.keys()].sort((a, b) => seconds[b] - seconds[a]);
  for (const state of order.slice(0, MOST_FACTS))
    if (seconds[state] > 0)
      facts.push([visible(states[state]), formatValue(seconds[state], "s"), formatShare(seconds[state] / all)]);
  const linked = linksOf(edges)[mark] ?? 0;
  if (linked > 0) facts.push(["connected to", plural(linked, "mark")]);
  const type = nodes.types[marks.node[mark]];
  if (type !== "") facts.push(["recorded as", visible(type)]);
  if (marks.together[mark] > 1) facts.push(["stands for", plural(marks.together[mark], "resource")]);
  return facts;
}

/** Links of each mark; counted once, since the mark that has the focus is described with every frame. */
function linksOf(edges: TreemapContent["edges"]): readonly number[] {
  const known = counted.get(edges);
  if (known) return known;
  const links: number[] = [];
  edges.from.forEach((from, at) => {
    for (const mark of new Set([from, edges.to[at]])) links[mark] = (links[mark] ?? 0) + 1;
  });
  counted.set(edges, links);
  return links;
}

const counted = new WeakMap<TreemapContent["edges"], readonly number[]>();

export function anyName(content: TreemapContent, mark: number): string {
  return mark >= TOPOLOGY ? markName(content, mark - TOPOLOGY) : nodeName(content, mark);
}

export function anyFacts(content: TreemapContent, mark: number): Fact[] {
  return mark >= TOPOLOGY ? markFacts(content, mark - TOPOLOGY) : nodeFacts(content, mark);
}

export function details(content: TreemapContent, mark: number): Details | undefined {
  if (!isKnown(content, mark)) return undefined;
  const node = nodeOf(content, mark);
  const { leaves, isClosed, parent, hasLane, canRestrict } = content.nodes;
  const isGroup = leaves[node] > 1;
  return {
    name: anyName(content, mark),
    numbers: anyFacts(content, mark),
    actions: [
      ...(isGroup && isClosed[node] === 1 ? [{ id: "open-group", name: "Open this group", icon: "unfold" }] : []),
      ...(parent[node] >= 0 || isClosed[node] === 0
        ? [{ id: "close-group", name: closeText(content, node), icon: "fold" }]
        : []),
      ...(hasLane[node] === 1 ? [{ id: "timeline", name: "Show in the timeline", icon: "link-external" }] : []),
      ...(canRestrict[node] === 1 ? [{ id: "restrict", name: "Restrict all numbers to this", icon: "filter" }] : []),
    ],
  };
}

/** Closing what is closed closes what it is in. */
export function closeText(content: TreemapContent, node: number): string {
  const { isClosed, parent } = content.nodes;
  return `Close ${nodeName(content, isClosed[node] === 1 && parent[node] >= 0 ? parent[node] : node)}`;
}

/** The window, the aggregation, then how much there is. */
export function summary(content: TreemapContent): string[] {
  const { run, window, nodes, depth, deepest, edges, quantity } = content;
  const [all, part] = [run.to - run.from, window.to - window.from];
  const time =
    part < all
      ? `${formatStretch(window.from, window.to)} · ${formatValue(part, "s")} of ${formatValue(all, "s")}`
      : `whole run · ${formatValue(all, "s")}`;
  const shown = nodes.isClosed.reduce((sum, one) => sum + one, 0);
  const level = `depth ${depth} of ${deepest}`;
  const amount = quantity === "" ? "" : ` · ${formatValue(totalOf(content, 0), content.unit)}`;
  const links = edges.of.some((of) => edgeKinds[of] === "messages") ? "connection" : "link";
  const connected = edges.from.length > 0 ? ` · ${plural(edges.from.length, links)}` : "";
  const counts = `${shown.toLocaleString("en")} of ${plural(nodes.leaves[0] ?? 0, "resource")}`;
  return [
    `${time} · ${level} · ${counts}${connected}${amount}`,
    `${time} · ${level} · ${counts}`,
    `${time} · ${level}`,
    time,
    part < all ? formatStretch(window.from, window.to) : "whole run",
  ];
}
