/** The context menu of a bar, or of one of its entry functions. */
import type { BarOperationKind } from "../../src/protocol/graphSteps";
import type { BarNumbers, GraphMessage } from "../../src/protocol/superGraph";
import type { MenuItem } from "../shared/menu";
import { barAsText } from "./describe";

export interface BarActions {
  open(bar: number, entry?: number): void;
  select(bar: number): void;
  followHotPath(bar: number): void;
  showHistogram(bar: number): void;
  why(bar: number): void;
  correlate(bar: number): void;
  lookInside(bar: number): void;
  copy(text: string): void;
  operate(kind: BarOperationKind, bar: number): void;
  splitOff(bar: number, entry: number): void;
}

/** Entry functions that the menu of a bar offers to go to. */
const MOST_ENTRIES = 5;

/** @param entry the entry function that the menu was opened on; undefined: on the bar itself */
export function barMenu(graph: GraphMessage, bar: number, entry: number | undefined, actions: BarActions): MenuItem[] {
  const { entries, group } = graph.bars[bar];
  const offered = entry === undefined ? entries.slice(0, MOST_ENTRIES).map((_, at) => at) : [entry];
  const key = (opens: boolean) => (opens ? { key: "Enter" } : {});
  return [
    { label: "Open hottest line", ...key(entry === undefined), run: () => actions.open(bar) },
    { label: "Select in all views", key: "Space", run: () => actions.select(bar) },
    ...offered.map((at) => ({
      label: `Go to entry ${entryText(entries[at])}`,
      ...key(entry !== undefined),
      run: () => actions.open(bar, at),
    })),
    { label: "Why here?", run: () => actions.why(bar) },
    { label: "Show histogram", run: () => actions.showHistogram(bar) },
    { label: "Follow hot path", run: () => actions.followHotPath(bar) },
    { label: "Correlate with…", run: () => actions.correlate(bar) },
    { label: "Look inside", run: () => actions.lookInside(bar) },
    ...operations(graph, bar, entry, actions),
    { label: "Copy numbers", run: () => actions.copy(barAsText(graph, bar)) },
    { label: "Copy name", run: () => actions.copy(entry === undefined ? group : entries[entry].name) },
  ];
}

/** What can be done to a bar; what cannot, and why. */
function operations(graph: GraphMessage, bar: number, entry: number | undefined, actions: BarActions): MenuItem[] {
  const own = graph.bars[bar];
  const item = (label: string, kind: BarOperationKind, disabled?: string) => ({
    label,
    run: () => actions.operate(kind, bar),
    ...(disabled === undefined ? {} : { disabled }),
  });
  const single = own.entries.length + own.moreEntries <= 1 ? "it has one entry function" : undefined;
  const noCaller = graph.flows.some(({ target }) => target === bar) ? undefined : "nothing calls it";
  return [
    ...(entry === undefined || single !== undefined
      ? []
      : [
          {
            label: `Split off ${own.entries[entry].name.slice(0, 80)}`,
            run: () => actions.splitOff(bar, entry),
          },
        ]),
    item("Split by caller group", "split-by-caller-group", noCaller),
    item("Split by caller function", "split-by-caller-function", noCaller),
    item("Split by entry function…", "split-by-entry", single),
    item("Reveal a function…", "reveal"),
    item(expandLabel(own), "expand", own.finer === undefined ? "its functions are shown" : undefined),
    ...(own.collapsible === undefined ? [] : [item(`Collapse to ${own.collapsible.slice(0, 80)}`, "collapse")]),
    item("Hide", "hide"),
  ];
}

const levelNames: Readonly<Record<NonNullable<BarNumbers["finer"]>, string>> = {
  folder: "by folder",
  file: "by source file",
  class: "by class",
  function: "by function",
  finer: "to the next finer level",
};

function expandLabel({ finer }: BarNumbers): string {
  return finer === undefined ? "Expand" : `Expand ${levelNames[finer]}`;
}

function entryText({ name, place }: { name: string; place?: string }): string {
  return (place === undefined ? name : `${name} (${place})`).slice(0, 80);
}
