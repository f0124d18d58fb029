/** Flame graphs: the recording, a function between its callers and callees, the inside of a bar of the super graph. */
import { namelessText } from "../../model/namelessText";
import { placeText } from "../../model/placeText";
import { lineFacts } from "../kit/lineFacts";
import { type FlameContent, flameMark, type FlameState, flameState, ofFlameMark } from "../../protocol/flameGraph";
import type { Choice, SelectControl } from "../../protocol/frame";
import type { Explained, Place } from "../../protocol/panel";
import { flameGraphMessage } from "../../session/notRecorded";
import type { Selection } from "../../session/session";
import type { PanelDefinition, PanelHandle, View } from "../kit/definition";
import { shorten } from "../../model/texts";
import { firstStep } from "../kit/frameMessage";
import { flameContent } from "./content";
import {
  askFlames,
  barIn,
  baselineIn,
  baselineOrWhyNot,
  colourOf,
  detailsOf,
  type FlamesShown,
  functionOf,
  functionRows,
  lookAtFlames,
  usualColour,
} from "./flames";

type FlameView = View<FlameState>;

const NO_MODULES = "no load modules were recorded";

export const flameGraph: PanelDefinition<FlameState, FlamesShown, FlameContent, never> = {
  id: "flameGraph",
  title: "Flame Graph",
  saved: "flame-graph",
  state: flameState,
  start: { mode: "recording", order: "left-heavy" },
  controls,
  choose(_, id, value) {
    if (id === "step") return value === "" ? { mode: "recording" } : undefined;
    return { [id]: value };
  },
  unmeasured: flameGraphMessage,
  empty(view) {
    const { metric } = view;
    if (!(metric.total > 0)) {
      const message = `The total of ${shorten(metric.name, 200)} is not positive, so there are no shares to draw.`;
      return { message, advice: "Choose another metric." };
    }
    const bar = barIn(view);
    const isGone = typeof bar === "string" && view.state.bar?.kind !== "lost";
    return isGone ? { message: bar, advice: "Show the whole recording, or open the missing one." } : undefined;
  },
  steps({ dataSet, state }) {
    const named = state.mode === "sandwich" ? state.function : state.mode === "bar" ? state.bar : undefined;
    const step = named && { id: state.mode, text: `${state.mode === "bar" ? "inside" : "sandwich of"} ${named.name}` };
    return [firstStep(dataSet), ...(step ? [{ ...step, text: shorten(step.text, 400) }] : [])];
  },
  drawsBoth: (view) => baselineIn(view).compared !== undefined,
  asked: (view) => [view.state, view.scope, barIn(view), baselineIn(view)],
  ask: askFlames,
  look: lookAtFlames,
  explain,
  content: flameContent,
  notes,
  async subject(shown, mark, view) {
    const details = mark === undefined ? undefined : await detailsOf(shown, mark, view);
    return details && { target: { kind: "context", context: details.context }, name: details.name, link: details.link };
  },
  markOf,
  actions: { sandwich: showSandwich, "hottest-line": goToHottestLine },
};

function controls(view: FlameView): SelectControl[] {
  const { session, dataSet, state } = view;
  const { mode, order, function: wanted, bar } = state;
  const named = (value: string, lead: string, of: { readonly name: string } | undefined): Choice[] =>
    of ? [{ value, label: `${lead} ${shorten(of.name, 200)}`, short: shorten(of.name, 200) }] : [];
  return [
    {
      kind: "select",
      id: "mode",
      name: "Show",
      value: mode,
      standard: "recording",
      choices: [
        { value: "recording", label: "whole recording", short: "whole" },
        ...named("sandwich", "sandwich of", wanted),
        ...named("bar", "inside", bar),
      ],
    },
    {
      kind: "select",
      id: "order",
      name: "Order",
      value: order,
      standard: "left-heavy",
      choices: [
        { value: "left-heavy", label: "left heavy", title: "Contexts of one function together, heaviest first" },
        {
          value: "call-order",
          label: "call order",
          title: "Every context by itself, as the calling context tree has them",
        },
      ],
    },
    {
      kind: "select",
      id: "colour",
      name: "Colour",
      value: colourOf(view),
      standard: usualColour(view),
      choices: [
        { value: "exclusive", label: "exclusive", short: "excl." },
        {
          value: "difference",
          label: "difference",
          short: "diff.",
          ...(session.comparison?.candidate === dataSet.id
            ? {}
            : { disabled: "compare this recording with a baseline first" }),
        },
        { value: "function", label: "by function", short: "function" },
        { value: "file", label: "by file", short: "file" },
        {
          value: "module",
          label: "by module",
          short: "module",
          ...(dataSet.hasModules ? {} : { disabled: NO_MODULES }),
        },
      ],
    },
  ];
}

function notes({ panes }: FlamesShown, view: FlameView): string[] {
  const { dataSet, session, state } = view;
  const bar = barIn(view);
  const said: string[] = [];
  if (typeof bar === "string")
    said.push(
      `${bar} This is the whole recording. To see inside ${shorten(state.bar?.name ?? "", 200)} again, choose “Look inside” in the menu of that bar of the super graph.`,
    );
  // The first is what a page has room for: whose contexts these are.
  const compared = typeof bar === "object" ? bar.query.compared : undefined;
  if (compared) {
    const own = shorten(dataSet.name, 200);
    const other = session.dataSets.find(({ id }) => id === compared.dataSet)?.name ?? "another recording";
    said.push(`Only contexts of ${own} are shown; the bar is of ${own} compared with ${shorten(other, 200)}.`);
  }
  // Left open, it would be the difference.
  const baseline = (state.colour ?? "difference") === "difference" ? baselineOrWhyNot(view) : undefined;
  if (typeof baseline === "string") said.push(baseline);
  else if (baseline)
    said.push(
      "Compared by call path. Functions that the baseline calls along another path, or does not inline, are shown as new.",
    );
  return [...said, ...new Set(panes.flatMap(({ flames }) => flames.notes))].slice(0, 40);
}

/** Steps of a path that are shown. */
const PATH_STEPS = 12;

async function explain(shown: FlamesShown, mark: number, view: FlameView): Promise<Explained | undefined> {
  const details = await detailsOf(shown, mark, view);
  if (!details) return undefined;
  const { contexts, link, nameless } = details;
  const isCallers = shown.panes[ofFlameMark(mark).pane].kind === "callers";
  // The way to a rectangle, of a long one the end: `main › solve › halo`.
  const steps = details.path.slice(-PATH_STEPS).map((name) => shorten(name, 200));
  const before = details.pathBefore + details.path.length - steps.length;
  const path = [...(before > 0 ? [`${before} more`] : []), ...steps].join(isCallers ? " ‹ " : " › ");
  const place = placeText(link);
  return {
    facts: [
      ["path", shorten(path, 4096)],
      ...lineFacts(link),
      ...(nameless === undefined ? [] : [["code", namelessText(nameless)] as [string, string]]),
      ...(contexts > 1
        ? [[isCallers ? "calls" : "calling contexts", contexts.toLocaleString("en")] as [string, string]]
        : []),
    ],
    ...(place === undefined ? {} : { place: shorten(place, 300) }),
  };
}

/** Where what is selected somewhere is drawn; of a bar the heaviest of its lines. */
async function markOf(shown: FlamesShown, selection: Selection, view: FlameView): Promise<Place | undefined> {
  const { session, scope } = view;
  const { target } = selection;
  const context =
    target.kind === "bar"
      ? (await session.engine.hotPlaces({ scope, target, limit: 1 })).at(0)?.context
      : target.kind === "context"
        ? target.context
        : undefined;
  const wanted = context === undefined ? target : ({ kind: "context", context } as const);
  for (const [at, { query, flames }] of shown.panes.entries()) {
    const found = await session.engine.flamePlace({ query, target: wanted });
    if (!found) continue;
    const width = flames.width || 1;
    return { mark: flameMark(at, found.node), x: found.x / width, width: found.width / width, row: found.depth };
  }
  return undefined;
}

/** @returns undefined where no rectangle is meant, or none is in sight */
function detailsIn(
  { view }: PanelHandle<FlameState, FlamesShown>,
  shown: FlamesShown,
  mark: number | undefined,
): ReturnType<typeof detailsOf> | undefined {
  return view && mark !== undefined ? detailsOf(shown, mark, view) : undefined;
}

/** Of the function in all of its contexts, as from the super graph: a rectangle's own place may be the function's first line. */
async function goToHottestLine(
  shown: FlamesShown,
  mark: number | undefined,
  panel: PanelHandle<FlameState, FlamesShown>,
): Promise<void> {
  const details = await detailsIn(panel, shown, mark);
  if (!details) return;
  const subject = { target: { kind: "context", context: details.context }, name: details.name } as const;
  await panel.run("heatflow.rows.goToHottestLine", subject, { function: details.function });
}

async function showSandwich(
  shown: FlamesShown,
  mark: number | undefined,
  panel: PanelHandle<FlameState, FlamesShown>,
): Promise<void> {
  const { view } = panel;
  const details = await detailsIn(panel, shown, mark);
  if (!view || !details) return;
  const row = (await functionRows(view.session.engine, view.scope)).find((one) => one.function === details.function);
  // Something else was chosen while its name was looked up.
  if (row && panel.view?.state === view.state) await panel.change({ mode: "sandwich", function: functionOf(row) });
}
