/** Treemap and topology: how much each resource has of something in the shown window, and how they are connected. */
import * as vscode from "vscode";
import type { Resources, ResourcesQuery, TopologyLayout, TopologyLayoutQuery } from "../../engine/api";
import { largestIn, smallestIn } from "../../model/longLists";
import type { Task } from "../../model/task";
import { shorten } from "../../model/texts";
import { TOPOLOGY, type TreemapContent, type TreemapState, treemapState } from "../../protocol/treemap";
import { resourcesMessage } from "../../session/notRecorded";
import { currentSettings } from "../../session/sourceFeed";
import { withGroup } from "../kit/cut";
import type { OnScreen, PanelDefinition, PanelHandle, View } from "../kit/definition";
import { restrictToMembers } from "../kit/restricting";
import { treemapContent } from "./content";
import { treemapChoice, treemapControls } from "./controls";

type TreemapView = View<TreemapState>;

/** More marks on a ring would be too small to be told apart. */
const MOST_ON_RING = 128;

/** Equal ranks, or groups of them, that only messages connect: forces have nothing to tell them apart by. */
export function isOnRing({ marks, edges }: Pick<Resources, "marks" | "edges">): boolean {
  return (
    marks.length > 2 &&
    marks.length <= MOST_ON_RING &&
    marks.every(({ shape }) => shape === "square") &&
    edges.every(({ of }) => of === "messages")
  );
}

export interface TreemapShown {
  readonly found: Resources;
  readonly layout: TopologyLayout;
  /** Marks and what connects them, whatever their values: the layout is of this. */
  readonly structure: string;
}

const MAX_NAME = 200;

type Handle = PanelHandle<TreemapState, TreemapShown>;

export const treemap: PanelDefinition<TreemapState, TreemapShown, TreemapContent, never> = {
  id: "treemap",
  title: "Treemap and Topology",
  saved: "treemap",
  state: treemapState,
  start: { shows: "both", narrow: "treemap", every: 0, closed: [], opened: [], shapes: {} },
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  controls: (view, shown) => treemapControls(view, shown?.found),
  choose: (view, id, value, panel) => treemapChoice(view, id, value, panel.onScreen?.shown.found),
  unmeasured: resourcesMessage,
  asked: (view) => [queryOf(view), view.state.shows, view.state.narrow, view.state.ownColors === true],
  async ask(view, task, before) {
    const found = await view.session.engine.resourceAreas(queryOf(view), task);
    const structure = structureOf(found);
    const layout = before.find(({ shown }) => shown.structure === structure)?.shown.layout;
    if (layout) return { found, structure, layout };
    return { found, structure, layout: await laidOut(found, before.at(0), view, task) };
  },
  content: ({ found, layout }, { state, dataSet }) =>
    treemapContent(found, { ...layout, isRing: isOnRing(found) }, state, `${dataSet.key} ${state.every}`),
  subject({ found }, mark) {
    const at = nodeOf(found, mark);
    const node = at < 0 ? undefined : found.nodes[at];
    if (!node || node.lanes.length === 0) return undefined;
    return { target: undefined, name: shorten(node.name, MAX_NAME), at: { lanes: node.lanes } };
  },
  highlighted: ({ found }, { lanes }) => marksAt(found, new Set(lanes)),
  actions: {
    open: ({ found }, mark, panel) => {
      const node = nodeOf(found, mark);
      if (node < 0) return undefined;
      if (found.nodes[node].isClosed && found.nodes[node].leaves > 1) return change(found, node, panel, true);
      return showTimeline(panel);
    },
    timeline: (_, __, panel) => showTimeline(panel),
    "open-group": ({ found }, mark, panel) => change(found, nodeOf(found, mark), panel, true),
    "close-group": ({ found }, mark, panel) => {
      const node = nodeOf(found, mark);
      if (node < 0) return undefined;
      return change(found, found.nodes[node].isClosed ? found.nodes[node].parent : node, panel, false);
    },
    restrict: ({ found }, mark, panel) => restrictToMembers(found.nodes.at(nodeOf(found, mark))?.members, panel),
  },
};

function queryOf({ state, scope, window }: TreemapView): ResourcesQuery {
  const { dataSet, chosen, window: restricted } = scope;
  const { quantity, stateType, every, depth, closed, opened, size, fill, shapes } = state;
  const parts = [window, restricted].filter((one) => one !== undefined);
  return {
    scope: { dataSet, ...(chosen ? { chosen } : {}) },
    categories: currentSettings().categories,
    every,
    shapes,
    cut: { ...(depth === undefined ? {} : { depth }), closed, opened },
    ...(quantity === undefined ? {} : { quantity }),
    ...(stateType === undefined ? {} : { stateType }),
    ...(size === undefined ? {} : { size }),
    ...(fill === undefined ? {} : { fill }),
    ...(parts.length === 0
      ? {}
      : { fromSeconds: largestIn(parts.map(({ from }) => from)), toSeconds: smallestIn(parts.map(({ to }) => to)) }),
  };
}

/** Marks by what they are, and pairs that are connected. */
function structureOf({ nodes, marks, edges }: Resources): string {
  return JSON.stringify([
    marks.map(({ node, shape }) => [nodes[node].id, shape]),
    edges.map(({ from, to }) => [from, to]),
  ]);
}

/** What was drawn before stays near its place. */
function laidOut(
  { nodes, marks, edges }: Resources,
  before: OnScreen<TreemapShown> | undefined,
  { session }: TreemapView,
  task: Task,
): Promise<TopologyLayout> {
  const placeOf = new Map<string, number>();
  before?.shown.found.marks.forEach(({ node, shape }, at) =>
    placeOf.set(`${before.shown.found.nodes[node].key} ${shape}`, at),
  );
  const known = (column: "x" | "y") =>
    Float64Array.from(marks, ({ node, shape }) => {
      const at = placeOf.get(`${nodes[node].key} ${shape}`);
      return at === undefined || !before ? NaN : before.shown.layout[column][at];
    });
  const query: TopologyLayoutQuery = {
    ...(isOnRing({ marks, edges }) ? { isRing: true } : {}),
    count: marks.length,
    from: Int32Array.from(edges, ({ from }) => from),
    to: Int32Array.from(edges, ({ to }) => to),
    group: Int32Array.from(marks, ({ node }) => nodes[nodes[node].parent]?.id ?? 0),
    x: known("x"),
    y: known("y"),
    isPinned: new Uint8Array(marks.length),
  };
  return session.engine.topologyLayout(query, task);
}

/** The node that a mark of the page is about; -1: none. */
function nodeOf({ nodes, marks }: Resources, mark: number | undefined): number {
  if (mark === undefined) return -1;
  const node = mark >= TOPOLOGY ? (marks.at(mark - TOPOLOGY)?.node ?? -1) : mark;
  return node < nodes.length ? node : -1;
}

/** What lanes are of, in both drawings: in the topology where it computes, else whatever there is of it. */
function marksAt({ nodes, marks }: Resources, wanted: ReadonlySet<number>): number[] {
  const own = new Set([...nodes.keys()].filter((node) => nodes[node].lanes.some((lane) => wanted.has(lane))));
  const squares = new Set(marks.flatMap(({ node, shape }) => (shape === "square" ? [node] : [])));
  const inTopology = marks.flatMap(({ node, shape }, at) =>
    own.has(node) && (shape === "square" || !squares.has(node)) ? [TOPOLOGY + at] : [],
  );
  return [...own, ...inTopology];
}

/** Opens or closes one group, whatever the depth is. */
function change({ nodes }: Resources, node: number, panel: Handle, opens: boolean): Promise<void> | undefined {
  const { view } = panel;
  if (!view || node < 0 || nodes[node].leaves < 2) return undefined;
  const { key } = nodes[node];
  return panel.change(withGroup(view.state, key, opens));
}

async function showTimeline({ view }: Handle): Promise<void> {
  if (view) await vscode.commands.executeCommand("heatflow.showTimeline", { dataSet: view.dataSet.id });
}
