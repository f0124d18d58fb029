/** The toolbar of a panel of an ensemble's runs. */
import type { Choice, Control, SelectControl, ToolControl } from "../../protocol/frame";
import { shownOf } from "../../model/shortName";
import { shorten } from "../../model/texts";
import {
  countedThings,
  type EnsembleRunsState,
  ensembleRunsState,
  runBins,
  runOvers,
  runViews,
  siteOrders,
  STATISTIC_NAMES,
  statistics,
} from "../../protocol/ensembleRuns";
import type { Change, PanelHandle } from "../kit/definition";
import { pinSelection, valueControl } from "../shared";
import { pivotColumns, pivotFunction, pivotParameters, pivotRows } from "./pivot";
import { choosePresence, presenceOf, presenceText, presenceTool } from "./presence";
import { csvTool, saveRunsCsv } from "../ensemble/savedRuns";
import { shownScope } from "./asked";
import { statisticsTool, toggledStatistic } from "./statistics";
import { groupingParameters, outputNames, scalingParameter } from "./parameters";
import { setTarget } from "../ensemble/targeted";
import type { RunsView, ShownRuns } from "./shown";

/** One list holds no more entries than people look through. */
const MOST_CHOICES = 900;
const MAX_NAME = 200;
const MOST_VALUE = 4000;
/** Characters of all entries of a list. */
const MOST_CHARACTERS = 150_000;
const NONE = "";
/** Stands in a menu until something is chosen. */
const UNCHOSEN: Choice = { value: NONE, label: "choose a parameter", short: "choose" };

const VIEW_NAMES = {
  callSites: "call sites",
  hierarchy: "inside of a bar",
  distribution: "distribution",
  correlation: "inclusive against exclusive",
  scaling: "scaling",
  projection: "projection",
  runs: "runs",
  pivot: "by parameters",
  commits: "over commits",
} as const;
const SHORT_NAMES = {
  correlation: "correlation",
  hierarchy: "inside",
  pivot: "parameters",
  commits: "commits",
} as const;
export const COUNTED_NAMES = { callSites: "call sites", runs: "runs", ranks: "ranks" } as const;
const ORDER_NAMES = { iqr: "interquartile range", name: "name" } as const;

export function controls(of: RunsView, shown?: ShownRuns): Control[] {
  const { state } = of;
  const view: SelectControl = {
    kind: "select",
    id: "view",
    name: "View",
    value: state.view,
    choices: runViews.map((one) => ({
      value: one,
      label: VIEW_NAMES[one],
      ...(one in SHORT_NAMES ? { short: SHORT_NAMES[one as keyof typeof SHORT_NAMES] } : {}),
    })),
  };
  const runs = shown?.runs;
  const outputs = { outputs: runs && outputNames(runs) };
  const own: readonly Control[] = {
    callSites: () => [
      valueControl("value", state.value),
      orderControl(state),
      targetControl(state, shown),
      presenceTool(state, shown),
    ],
    distribution: () => [
      valueControl("value", state.value),
      countedControl(state),
      lookTool(state),
      targetControl(state, shown),
    ],
    hierarchy: () => [overControl(state, runOvers), targetControl(state, shown)],
    correlation: () => [overControl(state, runOvers), targetControl(state, shown)],
    scaling: () => [
      overControl(state, ["mean", "max"]),
      namesControl("parameter", "Over which parameter", {
        value: (runs && scalingParameter(runs, state.parameter)) ?? NONE,
        names: runs?.scaling.offered ?? [],
        ...outputs,
        ...(shown?.view === "unchosen" ? { none: UNCHOSEN } : {}),
      }),
      kindControl(state, shown),
    ],
    projection: () => [
      overControl(state, runOvers),
      namesControl("colour", "Colour by", {
        value: state.colour ?? NONE,
        names: runs ? runs.parameters.filter(({ values }) => values > 1).map(({ name }) => name) : [],
        none: { value: NONE, label: "by cluster" },
        ...outputs,
      }),
    ],
    commits: () => [overControl(state, runOvers)],
    pivot: () => pivotControls(of, shown),
    runs: () => [
      overControl(state, runOvers),
      namesControl("groupBy", "Group by", {
        value: state.groupBy ?? NONE,
        names: runs ? groupingParameters(runs).map(({ name }) => name) : [],
        none: { value: NONE, label: "no groups" },
        ...outputs,
      }),
      ...(state.groupBy === undefined ? [] : [statisticsTool(state)]),
      targetControl(state, shown),
    ],
  }[state.view]();
  // Where nothing is known of the runs there is nothing to choose from.
  const offering = own.filter((control) => control.kind !== "select" || control.choices.length > 0);
  return [view, ...offering, csvTool(state.over)];
}

/** What rows, columns and cells are of. */
function pivotControls(view: RunsView, shown: ShownRuns | undefined): Control[] {
  const { state } = view;
  const names = shown ? pivotParameters(shown.runs).map(({ name }) => name) : [];
  const outputs = shown && outputNames(shown.runs);
  const rows = shown && pivotRows(shown.runs, state);
  const isOfFunctions = rows === undefined;
  const of = isOfFunctions ? undefined : pivotFunction(view);
  const cells: ToolControl = {
    kind: "tool",
    id: "look",
    name: "What cells show",
    icon: "settings-gear",
    leaves: 4,
    menu: [
      ...statistics.map((one) => ({
        value: `statistic ${one}`,
        label: STATISTIC_NAMES[one],
        group: "statistic",
        checked: state.statistic === one,
      })),
      ...(isOfFunctions || of
        ? (["exclusive", "inclusive"] as const).map((one) => ({
            value: `value ${one}`,
            label: one,
            group: "value",
            checked: state.value === one,
          }))
        : []),
      ...runOvers.map((way) => ({
        value: `over ${way}`,
        label: `${way} over ranks`,
        group: "over",
        checked: state.over === way,
      })),
    ],
  };
  return [
    namesControl("pivotRows", "Rows", {
      value: rows ?? NONE,
      names,
      outputs,
      none: { value: NONE, label: "functions" },
    }),
    namesControl("pivotColumns", "Columns", {
      value: (shown && pivotColumns(shown.runs, state)) ?? NONE,
      names: names.filter((name) => name !== rows),
      outputs,
      ...(shown?.view === "unchosen" ? { none: UNCHOSEN } : {}),
    }),
    ...(isOfFunctions ? [] : [functionControl(of, shown)]),
    cells,
    ...(isOfFunctions ? [presenceTool(state, shown)] : []),
    statisticsTool(state),
  ];
}

/** Functions by their numbers: several may have one name. */
function functionControl(of: ReturnType<typeof pivotFunction>, shown: ShownRuns | undefined): SelectControl {
  const offered = shown?.view === "pivot" ? shown.pivot.offered : [];
  const isOffered = of === undefined || offered.some((one) => one.function === of.function);
  const choice = (id: number, name: string) => ({ value: String(id), label: shorten(name, MAX_NAME) });
  return {
    kind: "select",
    id: "pivotFunction",
    name: "Of which function",
    standard: NONE,
    icon: "symbol-method",
    value: of ? String(of.function) : NONE,
    choices: [
      { value: NONE, label: "totals of runs", short: "totals" },
      ...(of && !isOffered ? [choice(of.function, of.name)] : []),
      ...offered.map((one) => choice(one.function, shownOf(one))),
    ],
  };
}

/** Another function, as a choice of one in any view is kept. */
function chooseFunction(view: RunsView, value: string, shown: ShownRuns | undefined): Change<EnsembleRunsState> {
  if (value === NONE) return { subject: undefined };
  const id = Number(value);
  const found = shown?.view === "pivot" ? shown.pivot.offered.find((one) => one.function === id) : undefined;
  if (!found) return undefined;
  const { dataSet } = view;
  const target = { kind: "function", function: id } as const;
  return { subject: pinSelection({ dataSet: dataSet.id, target, name: shownOf(found), origin: "ensembleRuns" }, view) };
}

function overControl({ over }: EnsembleRunsState, ways: readonly string[]): SelectControl {
  return {
    kind: "select",
    id: "over",
    name: "Over ranks",
    standard: "mean",
    value: ways.includes(over) ? over : "mean",
    choices: ways.map((way) => ({ value: way, label: `${way} over ranks`, short: way })),
  };
}

function countedControl({ counted }: EnsembleRunsState): SelectControl {
  return {
    kind: "select",
    id: "counted",
    name: "What is counted",
    value: counted,
    standard: "runs",
    choices: countedThings.map((one) => ({
      value: one,
      label: `over ${COUNTED_NAMES[one]}`,
      short: COUNTED_NAMES[one],
    })),
  };
}

/** What there is no room for beside the rest. */
function lookTool({ bins, counted, over }: EnsembleRunsState): ToolControl {
  return {
    kind: "tool",
    id: "look",
    name: "Bins, and how ranks are combined",
    icon: "settings-gear",
    leaves: 4,
    menu: [
      ...runBins.map((count) => ({
        value: `bins ${count}`,
        label: `${count} bins`,
        group: "bins",
        checked: bins === String(count),
      })),
      ...(counted === "ranks"
        ? []
        : runOvers.map((way) => ({
            value: `over ${way}`,
            label: `${way} over ranks`,
            group: "over",
            checked: over === way,
          }))),
    ],
  };
}

function orderControl({ sortedBy }: EnsembleRunsState): SelectControl {
  return {
    kind: "select",
    id: "sortedBy",
    name: "Order of rows",
    value: sortedBy,
    standard: "mean",
    choices: siteOrders.map((by) => ({
      value: by,
      label: `by ${by in ORDER_NAMES ? ORDER_NAMES[by as keyof typeof ORDER_NAMES] : by}`,
      ...(by === "iqr" ? { short: "by IQR" } : {}),
    })),
  };
}

function kindControl({ kind }: EnsembleRunsState, shown: ShownRuns | undefined): SelectControl {
  const found = shown?.view === "scaling" && kind === undefined ? shown.scaling.kind : undefined;
  return {
    kind: "select",
    id: "kind",
    name: "Weak or strong scaling",
    value: kind ?? NONE,
    standard: NONE,
    choices: [
      { value: NONE, label: found === undefined ? "weak or strong, as found" : `${found}, as found`, short: found },
      { value: "weak", label: "weak: the work per rank stays", short: "weak" },
      { value: "strong", label: "strong: the work stays", short: "strong" },
    ],
  };
}

function targetControl({ target }: EnsembleRunsState, shown: ShownRuns | undefined): SelectControl {
  return {
    ...namesControl("target", "Target run", {
      value: target ?? NONE,
      names: shown?.runs.runs.filter(({ total }) => !Number.isNaN(total)).map(({ name }) => name) ?? [],
      none: { value: NONE, label: "no target", short: "none" },
    }),
    icon: "target",
  };
}

interface OfferedNames {
  readonly value: string;
  readonly names: readonly string[];
  readonly none?: Choice;
  readonly outputs?: ReadonlySet<string> | undefined;
}

const OUTPUT_TITLE = "Not an input of the runs: a result, a time or an identity";

/**
 * @param of what is offered, and what stands for none of it; what is chosen is on the list, however long that is. Outputs of runs, the
 * last ones, stand below a line.
 */
function namesControl(id: string, name: string, { value, names, none, outputs }: OfferedNames): SelectControl {
  const few = names.slice(0, MOST_CHOICES);
  // Of long names fewer: each is in the message whole, since it is what is chosen.
  let room = MOST_CHARACTERS;
  const offered = few.filter((one) => (room -= Math.min(one.length, MOST_VALUE) + Math.min(one.length, MAX_NAME)) > 0);
  const all = value === NONE || offered.includes(value) ? offered : [...offered, value];
  return {
    kind: "select",
    id,
    name,
    value: shorten(value, MOST_VALUE),
    ...(none ? { standard: NONE } : {}),
    choices: [
      ...(none ? [none] : []),
      ...all.map((one) => ({
        value: shorten(one, MOST_VALUE),
        label: shorten(one, MAX_NAME),
        ...(outputs?.has(one) === true ? { group: "outputs", title: OUTPUT_TITLE } : {}),
      })),
    ],
  };
}

/** Controls are called as what they change in what the panel remembers. */
export function choose(
  view: RunsView,
  id: string,
  value: string,
  panel: PanelHandle<EnsembleRunsState, ShownRuns>,
): Change<EnsembleRunsState> | Promise<Change<EnsembleRunsState>> {
  const { state } = view;
  if (id === "runsCsv") return saveTable(view, value, panel.onScreen?.shown).then(() => undefined);
  if (id === "presence") return choosePresence(state, value, panel);
  if (id === "pivotFunction") return chooseFunction(view, value, panel.onScreen?.shown);
  if (id === "statistics") return { statistics: toggledStatistic(state, value) };
  if (id === "look") {
    const [what, of] = value.split(" ");
    return ["bins", "over", "statistic", "value"].includes(what) ? { [what]: of } : undefined;
  }
  if (id === "target") setTarget(view, value === NONE ? undefined : value);
  if (!(id in ensembleRunsState.entries)) return undefined;
  return { [id]: value === NONE ? undefined : value };
}

/** Where functions are chosen by the runs that have them, the table has what is chosen so. */
function saveTable(view: RunsView, choice: string, shown: ShownRuns | undefined): Promise<void> {
  const { state } = view;
  const isChosen = shown?.view === "callSites" || (shown?.view === "pivot" && shown.pivot.rowsBy === undefined);
  const presence = isChosen ? presenceOf(shown.runs, state) : undefined;
  const said = presenceText(state);
  const which = presence && said !== undefined ? { presence, said } : undefined;
  return saveRunsCsv(view, choice, shownScope(view), which);
}
