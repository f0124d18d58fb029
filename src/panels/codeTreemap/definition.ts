/** The treemap of code: how much of a metric folders, files and functions have by themselves. */
import type { CodeAreas } from "../../engine/api";
import { isKernelModule } from "../../model/kernelModules";
import { shorten } from "../../model/texts";
import { codeKinds, type CodeTreemapContent, type CutState, cutState } from "../../protocol/codeTreemap";
import { NODE_LIMIT } from "../../protocol/treemap";
import { codeTreemapMessage } from "../../session/notRecorded";
import { overText, shownUnit } from "../../session/scopeChoice";
import { cutChoice, depthControl, stepControls, withGroup } from "../kit/cut";
import type { PanelDefinition, PanelHandle, View } from "../kit/definition";
import { cutToFit, tooManyNodes } from "../kit/names";

type Handle = PanelHandle<CutState, CodeAreas>;

const NAMES_LENGTH = 300_000;
const GROUPS_LENGTH = 100_000;
const MAX_NAME = 200;

export const codeTreemap: PanelDefinition<CutState, CodeAreas, CodeTreemapContent, never> = {
  id: "codeTreemap",
  title: "Treemap of Code",
  saved: "treemap-of-code",
  state: cutState,
  start: { closed: [], opened: [] },
  controls: ({ state }, shown) => [...(shown ? [depthControl(shown)] : []), ...stepControls(shown, state)],
  choose: (_, id, value, panel) => cutChoice(id, value, panel.onScreen?.shown),
  unmeasured: codeTreemapMessage,
  empty({ metric }) {
    if (metric.total > 0 && Number.isFinite(metric.total)) return undefined;
    const message = `The total of ${shorten(metric.name, MAX_NAME)} is no positive number, so there are no areas to draw.`;
    return { message, advice: "Choose another metric." };
  },
  asked: (view) => [view.state, view.scope],
  ask: ({ session, scope, state }, task) => session.engine.codeAreas({ scope, cut: state }, task),
  content,
  notes: ({ isUnplaced, isMean, negative }) => [
    ...(isUnplaced
      ? ["Neither files nor load modules were recorded, so functions are not grouped. Open the super graph."]
      : []),
    ...(isMean ? ["Extremes over ranks do not add up: areas and numbers are means over ranks."] : []),
    ...(negative > 0 ? [`${negative.toLocaleString("en")} functions have less than 0 and no area.`] : []),
  ],
  subject({ nodes }, mark) {
    const node = mark === undefined ? undefined : nodes.at(mark);
    if (!node || node.function < 0) return undefined;
    return { target: { kind: "function", function: node.function }, name: node.shown ?? node.name };
  },
  async markOf({ nodes }, { target }, { session, scope }) {
    const wanted =
      target.kind === "function"
        ? target.function
        : target.kind === "context"
          ? (await session.engine.describeContext({ scope, context: target.context })).function
          : undefined;
    const at = nodes.findIndex((node) => node.function >= 0 && node.function === wanted);
    return at < 0 ? undefined : at;
  },
  opens({ nodes }, mark) {
    const node = nodes.at(mark);
    if (!node || node.kind === "function") return undefined;
    return node.isClosed ? "open-group" : "close-group";
  },
  actions: {
    "open-group": (shown, mark, panel) => change(shown, mark, panel, true),
    "close-group": (shown, mark, panel) => {
      const node = mark === undefined ? undefined : shown.nodes.at(mark);
      return change(shown, node?.isClosed ? node.parent : mark, panel, false);
    },
  },
};

function change({ nodes }: CodeAreas, mark: number | undefined, panel: Handle, opens: boolean) {
  const node = mark === undefined || mark < 0 ? undefined : nodes.at(mark);
  if (!panel.view || !node || node.kind === "function") return undefined;
  return panel.change(withGroup(panel.view.state, node.key, opens));
}

/** @throws RequestError where there is more than a page draws */
function content(shown: CodeAreas, { metric, scope, dataSet }: View<CutState>): CodeTreemapContent {
  const { nodes, values, groups, depth, deepest } = shown;
  if (nodes.length > NODE_LIMIT) throw tooManyNodes(nodes.length, "folders, files and functions");
  const there = [...new Set(nodes.map(({ group }) => group))].filter((group) => group >= 0);
  const placeOf = new Map(there.map((group, at) => [group, at]));
  return {
    metric: shorten(metric.name, MAX_NAME),
    unit: shorten(shownUnit(metric), MAX_NAME),
    over: shorten(overText(dataSet, shown.isMean ? { ...scope, over: "mean" } : scope), MAX_NAME),
    nodes: {
      id: Int32Array.from(nodes, ({ id }) => id),
      names: cutToFit(
        nodes.map(({ name, shown: shorter }) => shorter ?? name),
        NAMES_LENGTH,
      ),
      kind: Int32Array.from(nodes, ({ kind }) => codeKinds.indexOf(kind)),
      parent: Int32Array.from(nodes, ({ parent }) => parent),
      isClosed: Int32Array.from(nodes, ({ isClosed }) => Number(isClosed)),
      functions: Int32Array.from(nodes, ({ functions }) => functions),
      group: Int32Array.from(nodes, ({ group }) => placeOf.get(group) ?? -1),
    },
    groups: cutToFit(
      there.map((group) => groups[group]),
      GROUPS_LENGTH,
    ),
    kernels: Int32Array.from(there, (group) => Number(isKernelModule(groups[group]))),
    values,
    depth,
    deepest,
  };
}
