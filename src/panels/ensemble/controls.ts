/** The toolbar of an ensemble: what it offers, and what a choice makes of the state. */
import * as vscode from "vscode";
import { formatValue } from "../../model/units";
import type { Choice, Control, SelectControl, Step, ToolControl } from "../../protocol/frame";
import { binChoices, ensembleOver, type EnsembleState, ensembleValues } from "../../protocol/ensemble";
import { shorten } from "../../model/texts";
import type { Change, PanelHandle } from "../kit/definition";
import {
  becomes,
  chooseGroups as groupBars,
  GROUP_CONTROL,
  groupControl,
  moveInSteps,
  problemsOf,
  setStart,
  shownFilter,
  stepRow,
  stepsOf,
  undoTools,
} from "../shared";
import { chosenRuns, type EnsembleView, graphQueryOf } from "./query";
import { pickTerms, termsText } from "./runTerms";
import { csvTool, saveRunsCsv } from "./savedRuns";
import type { ShownEnsemble } from "./shown";
import { targetOf } from "./beside";
import { followDifference } from "./followed";
import { setTarget } from "./targeted";

/** One list holds no more entries than people look through. */
const MOST_RUNS = 900;
const MAX_NAME = 200;
/** So many runs are called by their names in a chip. */
const MOST_NAMED = 3;
/** No run was chosen. */
const NO_RUN = "";
/** Entries of the menu of differences. */
const [NO_DIFFERENCE, MEDIAN, ANOTHER, GROUPS] = ["none", "median", "another", "groups"];

export function controls(view: EnsembleView, shown?: ShownEnsemble): Control[] {
  const { state } = view;
  const list = stepsOf(state);
  const chosen = shown?.whole.graph.chosen;
  const over: SelectControl = {
    kind: "select",
    id: "over",
    name: "Over ranks",
    value: state.over,
    standard: "mean",
    choices: ensembleOver.map((way) => ({ value: way, label: `${way} over ranks`, short: way })),
  };
  return [
    over,
    groupControl(view, list, chosen),
    { kind: "threshold", id: "filter", name: "Hide functions below", value: shownFilter(list, chosen) },
    ...besideControls(view, shown),
    ...undoTools(list),
    {
      kind: "tool",
      id: "sites",
      name: "Call sites beside the drawing",
      icon: "graph",
      leaves: 7,
      on: view.state.sites,
    },
    lookTool(view, shown),
    csvTool(state.over),
  ];
}

/** Which run is beside all, and what it is compared with. */
function besideControls({ state }: EnsembleView, shown: ShownEnsemble | undefined): Control[] {
  const runs = shown?.runs.runs ?? [];
  const hasTarget = state.mode !== "ensemble" && !(state.mode === "difference" && state.sets);
  const target = shown && hasTarget ? targetOf(shown.runs, { state }) : undefined;
  const choices = runs.slice(0, MOST_RUNS).map(({ name, total }) => ({
    value: shorten(name, 4000),
    label: shorten(name, MAX_NAME),
    ...(Number.isNaN(total) ? { disabled: "It lacks this metric." } : {}),
  }));
  const run = (id: string, name: string, value: string, none: Choice): SelectControl => ({
    kind: "select",
    id,
    name,
    value,
    standard: NO_RUN,
    choices: withValue([{ ...none, value: NO_RUN }, ...choices], value),
  });
  const isDifference = state.mode === "difference";
  const groups = state.sets && `${termsText(state.sets.candidate)} against ${termsText(state.sets.baseline)}`;
  const difference: ToolControl = {
    kind: "tool",
    id: "difference",
    name: "Difference to other runs",
    icon: "git-compare",
    leaves: 6,
    on: isDifference,
    menu: [
      { value: NO_DIFFERENCE, label: "no difference", checked: !isDifference },
      {
        value: MEDIAN,
        label: "against the median run",
        group: "baseline",
        checked: isDifference && !state.sets && state.baseline === undefined,
      },
      {
        value: ANOTHER,
        label: state.baseline === undefined ? "against another run…" : `against ${shorten(state.baseline, 100)}…`,
        group: "baseline",
        checked: isDifference && !state.sets && state.baseline !== undefined,
      },
      {
        value: GROUPS,
        label: groups === undefined ? "two groups of runs…" : shorten(`${groups}…`, MAX_NAME),
        group: "groups",
        checked: isDifference && state.sets !== undefined,
      },
    ],
  };
  const named = target === undefined ? NO_RUN : shorten(runs[target].name, 4000);
  return [
    { ...run("target", "Target run", named, { value: NO_RUN, label: "no target", short: "none" }), icon: "target" },
    difference,
  ];
}

/** What is chosen is on the list, however long that is. */
function withValue(choices: SelectControl["choices"], value: string): SelectControl["choices"] {
  return choices.some((choice) => choice.value === value)
    ? choices
    : [...choices, { value, label: shorten(value, MAX_NAME) }];
}

function lookTool({ state }: EnsembleView, shown: ShownEnsemble | undefined): ToolControl {
  const parameters = (shown?.runs.parameters ?? []).filter(({ values }) => values > 1).slice(0, 40);
  return {
    kind: "tool",
    id: "look",
    name: "Gradients, borders and order of runs",
    icon: "symbol-color",
    tucked: true,
    leaves: 8,
    menu: [
      ...ensembleValues.map((of) => ({
        value: `value ${of}`,
        label: `gradients of ${of}`,
        group: "gradients",
        checked: state.value === of,
      })),
      ...binChoices.map((bins) => ({
        value: `bins ${bins}`,
        label: `${bins} bins`,
        group: "bins",
        checked: state.bins === bins,
      })),
      ...ensembleValues.map((of) => ({
        value: `border ${of}`,
        label: `edge: largest ${of}`,
        group: "edge",
        checked: state.border === of,
      })),
      ...parameters.map(({ name }) => ({
        value: `parameter ${shorten(name, 4000)}`,
        label: `runs by ${shorten(name, MAX_NAME)}`,
        group: "order",
        checked: shown?.parameter === name,
      })),
    ],
  };
}

type ChoosingPanel = Pick<PanelHandle<EnsembleState, ShownEnsemble>, "onScreen" | "notice">;

export function choose(
  view: EnsembleView,
  id: string,
  value: string,
  panel: ChoosingPanel,
): Change<EnsembleState> | Promise<Change<EnsembleState>> {
  const change = changeOf(view, id, value, panel);
  const follow = (found: Change<EnsembleState>) => {
    if (found?.mode) followDifference({ ...view, state: { ...view.state, ...found } }, panel.onScreen?.shown);
    return found;
  };
  return change instanceof Promise ? change.then(follow) : follow(change);
}

function changeOf(
  view: EnsembleView,
  id: string,
  value: string,
  panel: ChoosingPanel,
): Change<EnsembleState> | Promise<Change<EnsembleState>> {
  const { state } = view;
  const list = stepsOf(state);
  switch (id) {
    case "filter":
      return becomes(list, setStart(list, { filter: Number(value) }));
    case GROUP_CONTROL:
      return groupBars(list, value, panel.onScreen?.shown.whole.graph.chosen);
    case "difference":
      return chooseDifference(state, value, panel);
    case "over":
      return { over: ensembleOver.find((way) => way === value) };
    case "target":
      setTarget(view, value === NO_RUN ? undefined : value);
      if (value === NO_RUN) return { target: undefined, mode: "ensemble" };
      return withTarget(state, value);
    case "runsCsv":
      return saveRunsCsv(view, value, graphQueryOf(view).scope).then(() => undefined);
    case "look":
      return chooseLook(value);
    case "sites":
      return { sites: !state.sites };
    default:
      return moveInSteps(list, id, value);
  }
}

async function chooseDifference(
  { target, sets }: EnsembleState,
  value: string,
  panel: ChoosingPanel,
): Promise<Change<EnsembleState>> {
  if (value === NO_DIFFERENCE) return { mode: target === undefined ? "ensemble" : "target", sets: undefined };
  if (value === MEDIAN) return { mode: "difference", baseline: undefined, sets: undefined };
  const shown = panel.onScreen?.shown;
  if (value === GROUPS) return shown && chooseGroups(shown, sets, panel);
  const runs = (shown?.runs.runs ?? []).filter(({ total }) => !Number.isNaN(total));
  const picked = await vscode.window.showQuickPick(
    runs.map(({ name, total }) => ({ label: name, description: formatValue(total, shown?.runs.unit ?? "1") })),
    { title: "Compare the target with which run?" },
  );
  return picked && { mode: "difference", baseline: picked.label, sets: undefined };
}

/** Which runs are compared with which: the baseline first. */
async function chooseGroups(
  { runs }: ShownEnsemble,
  now: EnsembleState["sets"],
  panel: ChoosingPanel,
): Promise<Change<EnsembleState>> {
  const baseline = await pickTerms("Baseline: Which Runs?", runs, now?.baseline ?? [], panel);
  if (!baseline || baseline.length === 0) return undefined;
  const title = `Candidate: Which Runs Are Compared with ${termsText(baseline)}?`;
  const candidate = await pickTerms(title, runs, now?.candidate ?? [], panel);
  return candidate && candidate.length > 0 ? { mode: "difference", sets: { baseline, candidate } } : undefined;
}

function chooseLook(choice: string): Change<EnsembleState> {
  const at = choice.indexOf(" ");
  const [what, of] = [choice.slice(0, at), choice.slice(at + 1)];
  const value = ensembleValues.find((one) => one === of);
  if (what === "value") return { value };
  if (what === "border") return { border: value };
  if (what === "bins") return { bins: binChoices.find((bins) => String(bins) === of) };
  return what === "parameter" ? { parameter: of } : undefined;
}

/** A click on a run: it is the target; on the target: there is none. */
export function chooseRun({ runs }: ShownEnsemble["runs"], run: number, view: EnsembleView): Change<EnsembleState> {
  const { state } = view;
  const { name } = runs[run];
  const isTarget = state.mode === "target" && state.target === name;
  setTarget(view, isTarget ? undefined : name);
  if (isTarget) return { mode: "ensemble", target: undefined };
  return withTarget(state, name);
}

/** Beside all, or against the baseline where there is one. */
export function withTarget({ mode, sets }: EnsembleState, target: string | undefined): Partial<EnsembleState> {
  if (target === undefined) return { target, mode: mode === "target" ? "ensemble" : mode };
  return { target, mode: mode === "difference" && !sets ? mode : "target", sets: undefined };
}

export function steps({ dataSet, state }: EnsembleView, shown?: ShownEnsemble): Step[] {
  const list = stepsOf(state);
  const problems = shown ? problemsOf(shown.steps, shown.whole.graph.skipped) : new Map<number, string>();
  return stepRow(dataSet, list, problems, shown?.whole.graph.chosen);
}

/** What numbers are restricted to, by names: `16 ranks`, `np16-r1, np16-r2`, `7 runs`. */
export function restrictionText(view: EnsembleView, shown: ShownEnsemble | undefined): string | undefined {
  const chosen = chosenRuns(view);
  if (!chosen || !shown) return undefined;
  const { runs, parameter } = shown;
  const valueOf = (run: number) => {
    const { metadata = {} } = runs.runs.at(run) ?? {};
    return parameter !== undefined && Object.hasOwn(metadata, parameter) ? metadata[parameter] : undefined;
  };
  const [first] = chosen;
  const sharing = runs.runs.flatMap((_, run) => (valueOf(run) === valueOf(first) ? [run] : []));
  const isAll =
    valueOf(first) !== undefined && sharing.length === chosen.length && chosen.every((run) => sharing.includes(run));
  if (isAll && chosen.length > 1) return shorten(`${parameter} ${valueOf(first)}`, MAX_NAME);
  return chosen.length <= MOST_NAMED
    ? chosen.map((run) => shorten(runs.runs[run]?.name ?? "", 40)).join(", ")
    : `${chosen.length} runs`;
}
