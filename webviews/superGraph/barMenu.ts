/** The context menu of a bar, or of one of its entry functions. Pure. */
import { finerLevels, NONE } from "../../src/protocol/superGraph";
import type { MenuEntry } from "../kit/definition";
import { barAsText } from "./describe";
import { entriesOf, entryMark, entryName, entryPlace, type Graph, isLaidOut, markOf } from "./graph";

/** Entry functions that the menu of a bar offers to go to. */
const MOST_ENTRIES = 5;

export function menu(graph: Graph, mark: number): MenuEntry[] {
  const { bar, entry } = markOf(graph, mark);
  if (bar === undefined) return [];
  const { first, count } = entriesOf(graph, bar);
  const offered = Array.from({ length: Math.min(count, MOST_ENTRIES) }, (_, at) => first + at);
  const about = entry === undefined ? {} : { mark: bar };
  const unless = (why: string | undefined) => (why === undefined ? {} : { disabled: why });
  const goTo: MenuEntry[] = [
    {
      label: "Go to hottest line",
      icon: "go-to-file",
      does: "open",
      ...about,
      ...(entry === undefined ? { key: "Enter" } : {}),
    },
    { label: "Select in all views", key: "Space", does: "select", ...about },
    { label: "Go to its function", does: "go-to-function", ...about },
    ...(entry === undefined ? offered : [entry]).map((at) => ({
      label: `Go to entry ${entryText(graph, at)}`,
      does: "open",
      mark: entryMark(graph, at),
      ...(entry === undefined ? {} : { key: "Enter" }),
    })),
    { label: "Why here?", does: "why", ...about },
  ];
  const shows: MenuEntry[] = [
    { label: "Show histogram", does: "histogram", ...unless(graph.unspread), ...about },
    { label: "Follow hot path", does: "hot-path", ...about },
    { label: "Correlate with…", does: "correlate", ...unless(graph.uncorrelated), ...about },
    { label: "Look inside", does: "look-inside", ...about },
  ];
  const copies: MenuEntry[] = [
    { label: "Copy numbers", does: { copy: barAsText(graph, bar) } },
    {
      label: "Copy name",
      does: { copy: graph.texts[entry === undefined ? graph.bars.group[bar] : graph.entries.name[entry]] },
    },
  ];
  const groups = { go: goTo, show: shows, change: operations(graph, bar, entry), copy: copies };
  return (Object.keys(groups) as (keyof typeof groups)[]).flatMap((group) =>
    groups[group].map((one) => ({ ...one, group })),
  );
}

/** What can be done to a bar; what cannot, and why. */
function operations(graph: Graph, bar: number, entry: number | undefined): MenuEntry[] {
  const { finer, collapsible, moreEntries } = graph.bars;
  const isCalled = isLaidOut(graph) && graph.layout.flows.target.includes(bar);
  const noCaller = isCalled ? {} : { disabled: "nothing calls it" };
  const isSingle = entriesOf(graph, bar).count + moreEntries[bar] <= 1;
  const single = isSingle ? { disabled: "it has one entry function" } : {};
  const level = finer[bar] === NONE ? undefined : finerLevels[finer[bar]];
  const isFinest = level === undefined ? { disabled: "its functions are shown" } : {};
  const splitOff = { label: `Split off ${entry === undefined ? "" : entryName(graph, entry).slice(0, 80)}` };
  const collapse = collapsible[bar] === NONE ? undefined : graph.texts[collapsible[bar]];
  const about = entry === undefined ? {} : { mark: bar };
  return [
    ...(entry === undefined || isSingle ? [] : [{ ...splitOff, does: "split-off" }]),
    { label: "Split by caller group", does: "split-by-caller-group", ...noCaller, ...about },
    { label: "Split by caller function", does: "split-by-caller-function", ...noCaller, ...about },
    { label: "Split by entry function…", does: "split-by-entry", ...single, ...about },
    { label: "Reveal a function…", does: "reveal", ...about },
    { label: level === undefined ? "Expand" : `Expand ${levelNames[level]}`, does: "expand", ...isFinest, ...about },
    ...(collapse === undefined ? [] : [{ label: `Collapse to ${collapse.slice(0, 80)}`, does: "collapse", ...about }]),
    { label: "Hide", does: "hide", ...about },
  ];
}

const levelNames: Readonly<Record<(typeof finerLevels)[number], string>> = {
  folder: "by folder",
  file: "by file",
  class: "by class",
  function: "by function",
  finer: "to the next finer level",
};

function entryText(graph: Graph, entry: number): string {
  const place = entryPlace(graph, entry);
  const name = entryName(graph, entry);
  return (place === undefined ? name : `${name} (${place})`).slice(0, 80);
}
