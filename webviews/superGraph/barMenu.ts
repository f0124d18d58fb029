/** The context menu of a bar, or of one of its entry functions. */
import type { GraphMessage } from "../../src/protocol/superGraph";
import type { MenuItem } from "../shared/menu";
import { barAsText } from "./describe";

export interface BarActions {
  open(bar: number, entry?: number): void;
  select(bar: number): void;
  followHotPath(bar: number): void;
  copy(text: string): void;
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
    { label: "Follow hot path", run: () => actions.followHotPath(bar) },
    { label: "Copy numbers", run: () => actions.copy(barAsText(graph, bar)) },
    { label: "Copy name", run: () => actions.copy(entry === undefined ? group : entries[entry].name) },
  ];
}

function entryText({ name, place }: { name: string; place?: string }): string {
  return (place === undefined ? name : `${name} (${place})`).slice(0, 80);
}
