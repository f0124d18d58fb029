/** The application tree: who calls whom, how heavy and of what kind that is, and when it is active. */
import type { Application, ApplicationNode as Node, ApplicationQuery } from "../../engine/api";
import { eventKinds } from "../../model/eventKinds";
import { placeText } from "../../model/placeText";
import { lineFacts } from "../kit/lineFacts";
import { shorten } from "../../model/texts";
import {
  type ApplicationContent,
  type ApplicationNode,
  type ApplicationState,
  applicationState,
  MOST_TOGGLED,
  NODE_LIMIT,
} from "../../protocol/application";
import { applicationMessage } from "../../session/notRecorded";
import { overText, shownUnit } from "../../session/scopeChoice";
import { currentSettings } from "../../session/sourceFeed";
import type { PanelDefinition, PanelHandle, View } from "../kit/definition";
import { restrictToKinds } from "../kit/restricting";

type ApplicationView = View<ApplicationState>;

const MAX_NAME = 300;

export const application: PanelDefinition<ApplicationState, Application, ApplicationContent, never> = {
  id: "application",
  title: "Application Tree",
  saved: "application-tree",
  state: applicationState,
  start: { closed: [], opened: [] },
  overTime: true,
  controls: () => [],
  choose: () => undefined,
  unmeasured: applicationMessage,
  empty: ({ metric }) =>
    metric.total > 0
      ? undefined
      : {
          message: `The total of ${shorten(metric.name, 200)} is not positive, so that no context is heavier than another.`,
          advice: "Choose another metric.",
        },
  asked: queryOf,
  ask: (view, task) => view.session.engine.application(queryOf(view), task),
  content,
  notes,
  async explain({ nodes }, mark, { session, scope }) {
    const { context } = nodes[mark];
    const { link, path } = await session.engine.describeContext({ scope, context });
    const place = placeText(link);
    return {
      facts: [["path", shorten(path.join(" › "), 2000)], ...lineFacts(link)],
      ...(place === undefined ? {} : { place: shorten(place, 300) }),
    };
  },
  async subject({ nodes }, mark, { session, scope: { dataSet } }) {
    const node = mark === undefined ? undefined : nodes.at(mark);
    if (!node) return undefined;
    const target = { kind: "context", context: node.context } as const;
    return { target, name: node.name, link: await session.engine.link({ dataSet, target }) };
  },
  async markOf({ nodes }, { target }, { session, scope }) {
    if (target.kind === "context") return indexOf(nodes, target.context);
    const places = await session.engine.hotPlaces({ scope, target, limit: 20 });
    return places.map(({ context }) => indexOf(nodes, context)).find((mark) => mark !== undefined);
  },
  followed(selection, { state }) {
    if (!selection || selection.origin === "application" || selection.target.kind === "bar") return undefined;
    const { target } = selection;
    return JSON.stringify(target) === JSON.stringify(state.reveal) ? undefined : { reveal: target };
  },
  // Contexts are at no lane; their kinds of work their page knows.
  highlighted: () => [],
  actions: {
    toggle,
    "highlight-kind": ({ nodes }, mark, panel) => {
      const kind = mark === undefined ? undefined : eventKinds[nodes[mark].kind];
      if (kind) panel.highlight({ kinds: [kind] }, kind);
    },
    "restrict-kind": ({ nodes }, mark, panel) => {
      if (mark !== undefined) restrictToKinds([eventKinds[nodes[mark].kind]], panel);
    },
  },
};

function queryOf({ scope, state, window }: ApplicationView): ApplicationQuery {
  return {
    scope,
    categories: currentSettings().categories,
    ...state,
    ...(window ? { fromSeconds: window.from, toSeconds: window.to } : {}),
  };
}

function indexOf(nodes: readonly Node[], context: number): number | undefined {
  const found = nodes.findIndex((node) => node.context === context);
  return found < 0 ? undefined : found;
}

/** Folds what a context calls into it, or draws the heaviest of that. */
function toggle(
  { nodes }: Application,
  mark: number | undefined,
  panel: PanelHandle<ApplicationState, Application>,
): Promise<void> | void {
  const { view } = panel;
  if (mark === undefined || !view) return;
  const { context, closed, folded } = nodes[mark];
  const hasDrawn = nodes.some(({ parent }) => parent === mark);
  if (!hasDrawn && folded.contexts === 0) return panel.notice("It calls nothing that was recorded.");
  const without = (contexts: readonly number[]) => contexts.filter((one) => one !== context);
  const withIt = (contexts: readonly number[]) => [...without(contexts), context].slice(-MOST_TOGGLED);
  const opens = closed || folded.contexts > 0;
  const { state } = view;
  return panel.change({
    closed: opens ? without(state.closed) : withIt(state.closed),
    opened: opens ? withIt(state.opened) : without(state.opened),
    // What was selected elsewhere need not be on screen any longer.
    ...(opens ? {} : { reveal: undefined }),
  });
}

function content(shown: Application, { dataSet, scope, metric, window }: ApplicationView): ApplicationContent {
  const { nodes, folded, total, contexts, run } = shown;
  return {
    metric: shorten(metric.name, 200),
    unit: shorten(shownUnit(metric), 200),
    over: shorten(overText(dataSet, scope), 200),
    total,
    contexts,
    folded,
    ...(run ? { run, window: window ? { from: window.from, to: window.to } : run } : {}),
    // Callers come first: of what is left out nothing is drawn.
    nodes: nodes.slice(0, NODE_LIMIT).map(nodeOf),
  };
}

function nodeOf({ name, time, ...node }: Node): ApplicationNode {
  const { windowSeconds = 0, runSeconds = 0, events = 0, active } = time ?? {};
  return {
    ...node,
    name: shorten(name, MAX_NAME),
    ...(active
      ? { time: { windowSeconds, runSeconds, events, active: [active.first, active.second] as [number, number] } }
      : {}),
  };
}

function notes({ run, nodes }: Application, { dataSet }: ApplicationView): string[] {
  return [
    ...(run ? [] : ["No events were recorded: when contexts were active is not known."]),
    ...(dataSet.estimated ? ["Calling contexts are estimated from a call graph."] : []),
    ...(nodes.length > NODE_LIMIT ? [`Only the first ${NODE_LIMIT.toLocaleString("en")} contexts are drawn.`] : []),
  ];
}
