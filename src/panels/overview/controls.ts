/** Controls of the overview's panel. Pure. */
import type { OverviewFacts, OverviewFirst, OverviewQuery } from "../../engine/api";
import { counted, shorten } from "../../model/texts";
import { formatShare } from "../../model/units";
import type { Control, CurveControl, SelectControl, ToolControl } from "../../protocol/frame";
import type { OverviewState } from "../../protocol/overview";
import type { View } from "../kit/definition";
import { measureOf } from "./query";
import { BY_FILE, BY_RULE, CHOSEN, FIRST, hierarchyText } from "./hierarchyChoice";
import { ownColorsControl } from "../kit/ownColors";

type OverviewView = View<OverviewState>;
/** Begins the values of choices that are variables. */
const VARIABLE = "variable=";

/** What a choice of the metric means. */
export function metricOf(value: string): Pick<OverviewState, "metric" | "variable"> {
  if (value.startsWith(VARIABLE)) return { metric: "variable", variable: value.slice(VARIABLE.length) };
  return { metric: value as OverviewState["metric"], variable: undefined };
}

type Known = { readonly facts: OverviewFacts; readonly query: OverviewQuery } | undefined;

/** Strengths are kept in such parts. */
const UNIT = 1024;
const RECORDED = "0";
const SLICES = [10, 20, 30, 50, 100];
/** Over time alone there is time for more. */
const MORE_SLICES = [200, 500, 1000, 2000, 5000, 10_000];
const SIZES = ["2", "4", "8", "16", "32", "64"];
const MAX_NAME = 200;

/** The entry with the largest strength that is not beyond the chosen one. */
export function entryOf({ state: { strength } }: OverviewView, { entries, initial }: OverviewFacts): number {
  if (strength === undefined) return initial;
  return Math.max(
    0,
    entries.findLastIndex(({ p }) => p * UNIT <= strength),
  );
}

/** Of time and resources at once there is no room for stacks. */
export function showsOf({ shows = "mode", kind }: OverviewState): NonNullable<OverviewState["shows"]> {
  return kind === "spatiotemporal" && shows === "proportion" ? "mode" : shows;
}

export function controls(view: OverviewView, shown?: Known): Control[] {
  const { state, dataSet } = view;
  const measure = measureOf(view, shown);
  const { counterNames = [], events = 0 } = dataSet.trace ?? {};
  const disabled = events > 0 ? {} : { disabled: "no events were recorded" };
  const kind: SelectControl = {
    kind: "select",
    id: "kind",
    name: "Aggregate",
    value: state.kind,
    standard: "spatiotemporal",
    choices: [
      { value: "spatiotemporal", label: "time and resources", short: "both" },
      { value: "temporal", label: "time alone", short: "time" },
      { value: "hierarchical", label: "resources alone", short: "resources" },
    ],
  };
  const metric: SelectControl = {
    kind: "select",
    id: "metric",
    name: "Of states",
    value: measure.variable === undefined ? measure.metric : `${VARIABLE}${measure.variable}`,
    standard: "duration",
    choices: [
      { value: "duration", label: "time in states", short: "time", ...disabled },
      { value: "mean", label: "mean time of events", short: "mean", ...disabled },
      { value: "count", label: "number of events", short: "number", ...disabled },
      // Before anything is known of a window, too, and where there is nothing in it.
      ...(shown?.facts.variables ?? counterNames).map((name) => ({
        value: `${VARIABLE}${name}`,
        label: shorten(name, MAX_NAME),
        title: `Mean of ${shorten(name, MAX_NAME)} over time`,
      })),
    ],
  };
  const every: SelectControl = {
    kind: "select",
    id: "every",
    name: "Resources",
    standard: FIRST,
    value: state.hierarchy ? CHOSEN : String(state.every ?? FIRST),
    choices: [
      ...(state.hierarchy ? [{ value: CHOSEN, ...hierarchyText(state.hierarchy) }] : []),
      { value: FIRST, ...firstText(shown?.facts.first) },
      { value: RECORDED, label: "as recorded", title: "Groups of resources as recorded" },
      ...SIZES.map((size) => ({ value: size, label: `${size} each`, title: `Each ${size} neighbours are a group` })),
      {
        value: BY_RULE,
        label: "by a rule…",
        title: "Groups of a number of neighbours, with a name of your choice",
        group: "said",
      },
      {
        value: BY_FILE,
        label: "by a file…",
        title: "A file with a line per resource: leaf = outermost/…/innermost group",
        group: "said",
      },
    ],
  };
  const showing = showsOf(state);
  const shows: ToolControl = {
    kind: "tool",
    id: "shows",
    name: "Show of each part",
    icon: "eye",
    leaves: 4,
    menu: [
      { value: "mode", label: "The state that it is in most", checked: showing === "mode" },
      {
        value: "proportion",
        label: "All its states, stacked",
        checked: showing === "proportion",
        ...(state.kind === "spatiotemporal" ? { disabled: "of time or resources alone" } : {}),
      },
      { value: "partition", label: "Where it begins and ends alone", checked: showing === "partition" },
    ],
  };
  const by: ToolControl = {
    kind: "tool",
    id: "by",
    name: "What states are",
    icon: "list-tree",
    leaves: 9,
    tucked: true,
    menu: [
      { value: "function", label: "As the recording names them", checked: (state.by ?? "function") === "function" },
      {
        value: "category",
        label: "Kinds: computing, communication, data movement …",
        checked: state.by === "category",
      },
      {
        value: "module",
        label: "Load modules",
        checked: state.by === "module",
        ...(shown?.facts.hasModules === false ? { disabled: "none are known" } : {}),
      },
    ],
  };
  const normalize: ToolControl = {
    kind: "tool",
    id: "normalize",
    icon: "graph",
    leaves: 10,
    tucked: true,
    name: state.normalize ? "Weigh gains and losses as they are" : "Weigh gains and losses as shares of the largest",
  };
  const save: ToolControl = {
    kind: "tool",
    id: "export",
    name: "Save all partitions as JSON",
    icon: "save",
    leaves: 11,
    tucked: true,
  };
  const selects = [kind, metric, ...statesControl(shown), every, slicesControl(state, shown)];
  const own = ownColorsControl(state.ownColors, shown?.facts.states ?? []);
  return [...selects, ...entryControl(view, shown), shows, by, ...own, normalize, save];
}

const EVERY = "every ";

/** `groups of 8, found in the data`, `at first: as recorded` */
function firstText(first: OverviewFirst | undefined): {
  readonly label: string;
  readonly short: string;
  readonly title: string;
} {
  const title =
    "Groups as recorded. If there are none: by host, if names of resources have one, else as found in the data";
  if (!first) return { label: "at first", short: "at first", title };
  const { hierarchy, found } = first;
  if (!found)
    return {
      label: `at first: ${FIRST_TEXTS.get(hierarchy) ?? hierarchy}`,
      short: FIRST_TEXTS.get(hierarchy) ?? hierarchy,
      title,
    };
  const short = `groups of ${hierarchy.slice(EVERY.length)}`;
  return { label: `${short}, found in the data`, short: `${short}, found`, title };
}

const FIRST_TEXTS: ReadonlyMap<string, string> = new Map([
  ["recorded", "as recorded"],
  ["hosts", "by host"],
  ["none", "no groups"],
]);

/** Those that an analysis has time for, with the largest number where others have not. */
function slicesControl({ kind, slices }: OverviewState, shown: Known): SelectControl {
  const most = shown?.facts.mostSlices ?? Infinity;
  const usual = kind === "temporal" ? [...SLICES, ...MORE_SLICES] : SLICES;
  const numbers = new Set([...usual, slices]);
  if (usual.some((one) => one > most)) numbers.add(most);
  const why = `takes too long; ${most} slices fit`;
  return {
    kind: "select",
    id: "slices",
    name: "Slices of time",
    value: String(slices),
    standard: "30",
    choices: [...numbers]
      .sort((a, b) => a - b)
      .map((value) => ({
        value: String(value),
        label: counted(value, "slice"),
        short: String(value),
        ...(value > most ? { disabled: why } : {}),
      })),
  };
}

function statesControl(shown: Known): SelectControl[] {
  const { stateTypes, stateType } = shown?.facts ?? { stateTypes: [], stateType: "" };
  if (stateTypes.length < 2) return [];
  const choices = stateTypes.map((value) => ({ value, label: shorten(value, MAX_NAME) }));
  return [{ kind: "select", id: "states", name: "States", value: stateType, standard: stateTypes[0], choices }];
}

/** Strengths at which something changes, from all the detail to one part for all. */
function entryControl(view: OverviewView, shown: Known): CurveControl[] {
  if (!shown || shown.facts.entries.length < 2) return [];
  const { entries, initial } = shown.facts;
  const most = entries[entries.length - 1];
  const value = (at: number) => String(Math.round(entries[at].p * UNIT));
  const share = (part: number, all: number) => (all > 0 ? Math.min(1, Math.max(0, part / all)) : 0);
  const [removed, lost] = [
    entries.map(({ gain }) => share(gain, most.gain)),
    entries.map(({ loss }) => share(loss, most.loss)),
  ];
  return [
    {
      kind: "curve",
      id: "entry",
      name: "Detail",
      icon: "layers",
      value: value(entryOf(view, shown.facts)),
      standard: value(initial),
      ends: ["detail", "overview"],
      choices: entries.map(({ parts }, at) => ({
        value: value(at),
        label: counted(parts, "part"),
        short: String(parts),
        title: `complexity −${formatShare(removed[at])} · lost ${formatShare(lost[at])}`,
      })),
      lines: [
        { name: "complexity removed", values: removed },
        { name: "information lost", values: lost },
      ],
    },
  ];
}
