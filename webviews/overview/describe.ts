/** What is said about parts, findings and entries, in words and numbers. Pure. */
import { formatShare, formatStretch } from "../../src/model/units";
import { eventKinds, FINDINGS, type FindingShown, type OverviewContent } from "../../src/protocol/overview";
import type { Explained } from "../../src/protocol/panel";
import type { Aside } from "../kit/aside";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { keepUnits, plural, visible } from "../shared/text";

const EMPTY = "nothing recorded";

/** Seconds at which a slice begins. */
export function secondsAt(
  { from, to, slices }: Pick<OverviewContent, "from" | "to" | "slices">,
  slice: number,
): number {
  return from + (slice * (to - from)) / slices;
}

/** The entry that is drawn; before its parts are here the first. */
export function entryOf({ shown }: OverviewContent): number {
  return shown?.entry ?? 0;
}

/** What leaves are together: a leaf's or a group's name, else how many. */
export function leavesText(content: OverviewContent, first: number, size: number): string {
  const { leafNames, groups, leaves } = content;
  if (size === 1) return visible(leafNames[first]);
  if (size === leaves) return `all ${plural(size, "resource")}`;
  const group = groups.first.findIndex((one, at) => one === first && groups.size[at] === size);
  return group < 0 ? plural(size, "resource") : visible(groups.names[group]);
}

/** Parts of resources, groups or states that are called so, and findings about them. */
export function partsAbout(content: OverviewContent, text: string): ReadonlySet<number> {
  const { leafNames, groups, leaves, shown, unlike } = content;
  const wanted = text.toLowerCase();
  const isWanted = (name: string) => name.toLowerCase().includes(wanted);
  /** How many of the leaves before each place are meant. */
  const before = new Int32Array(leaves + 1);
  const named = Uint8Array.from(leafNames, (name) => (isWanted(name) ? 1 : 0));
  groups.names.forEach((name, at) => {
    if (isWanted(name)) named.fill(1, groups.first[at], groups.first[at] + groups.size[at]);
  });
  for (let place = 0; place < leaves; place++) before[place + 1] = before[place] + named[place];
  const found = new Set<number>();
  shown?.parts.first.forEach((first, part) => {
    const { size, mode } = shown.parts;
    const isOf = before[first + size[part]] > before[first];
    if (isOf || (mode[part] >= 0 && isWanted(content.states[mode[part]]))) found.add(part);
  });
  unlike.forEach((one, at) => {
    if (one.leaves.some((leaf) => named[leaf] === 1) || isWanted(one.what)) found.add(FINDINGS + at);
  });
  return found;
}

export function stateText({ states }: OverviewContent, state: number): string {
  return state < 0 ? EMPTY : visible(states[state]);
}

/** Whether the cells beneath a part are drawn. */
export function isOfCells({ shown, cells }: OverviewContent, part: number): boolean {
  const parts = shown?.parts;
  if (!parts || !cells) return false;
  return (["first", "size", "start", "end"] as const).every((one) => parts[one][part] === cells[one]);
}

export function partName(content: OverviewContent, part: number): string {
  const parts = content.shown?.parts;
  if (!parts) return "";
  const times = formatStretch(secondsAt(content, parts.start[part]), secondsAt(content, parts.end[part] + 1));
  return `${leavesText(content, parts.first[part], parts.size[part])}, ${times}`;
}

const SIGNS = ["", "cut alike", "cut differently"];

export function partFacts(content: OverviewContent, part: number): Fact[] {
  const parts = content.shown?.parts;
  if (!parts) return [];
  const [mode, share, sign] = [parts.mode[part], parts.share[part], parts.sign[part]];
  return [
    mode < 0 ? ["mostly", EMPTY] : ["mostly", stateText(content, mode), formatShare(share)],
    ["of", ofText(content, part)],
    ...(sign > 0 ? [["holds", `${plural(parts.parts[part], "part")}, ${SIGNS[sign]}`] as Fact] : []),
  ];
}

/** `8 resources × 3 slices` */
export function ofText({ shown }: OverviewContent, part: number): string {
  const { size = [], start = [], end = [] } = shown?.parts ?? {};
  return `${plural(size[part], "resource")} × ${plural(end[part] - start[part] + 1, "slice")}`;
}

/** How much simpler the picture is than all cells, and what that hides. */
export function quality(
  { entries }: OverviewContent,
  entry: number,
): { readonly removed: number; readonly lost: number } {
  const last = entries.strength.length - 1;
  const share = (column: Float64Array) => (column[last] > 0 ? column[entry] / column[last] : 0);
  return { removed: share(entries.gain), lost: share(entries.loss) };
}

/** What is shown, in fewer words where there is less room; what was left out before aggregation is said as long as there is any. */
export function summary(content: OverviewContent): string[] {
  const { leaves, slices, entries, without, allLeaves } = content;
  const entry = entryOf(content);
  const { removed, lost } = quality(content, entry);
  const parts = plural(entries.parts[entry], "part");
  const window = formatStretch(content.from, content.to);
  const qualities = `complexity −${formatShare(removed)} · information lost ${formatShare(lost)}`;
  const left = [
    ...(without > 0 ? [`without ${plural(without, "state")}`] : []),
    ...(leaves < allLeaves ? [`${leaves.toLocaleString("en")} of ${plural(allLeaves, "resource")}`] : []),
  ].map((text) => ` · ${text}`);
  const filtered = left.join("");
  return [
    `${window} · ${parts} for ${(leaves * slices).toLocaleString("en")} cells${filtered} · ${qualities}`,
    `${parts}${filtered} · ${qualities}`,
    `${parts}${filtered} · lost ${formatShare(lost)}`,
    ...(left.length > 0 ? [`${parts}${filtered}`] : []),
    parts,
  ];
}

/** Where all is one part there is nothing to be clicked, but more to be seen. */
export function hint(content: OverviewContent): string {
  const { parts } = content.entries;
  if (content.shown && parts.length > 1 && parts[entryOf(content)] === 1)
    return "Detail, moved to the left: more parts";
  return "click: what is in it · double click: look inside";
}

/** `2.76 – 3.59 s: 20 of 64`; of groups when alone, which are named behind it. */
export function findingName(content: OverviewContent, { kind, when, leaves }: FindingShown): string {
  if (kind === "group") return visible(when);
  return `${visible(when)}: ${leaves.length.toLocaleString("en")} of ${content.leaves.toLocaleString("en")}`;
}

export function findingText({ what }: FindingShown): string {
  return keepUnits(visible(what));
}

export function aside(content: OverviewContent): Aside | undefined {
  if (content.unlike.length === 0) return undefined;
  // Those of groups and of leaves are in units of their own.
  const largest = new Map<FindingShown["kind"], number>();
  for (const { kind, strength } of content.unlike) largest.set(kind, Math.max(largest.get(kind) ?? 0, strength));
  const partOf = ({ kind, strength }: FindingShown) => (strength > 0 ? strength / (largest.get(kind) ?? strength) : 0);
  return {
    title: "Unlike the rest",
    items: content.unlike.map((finding, at) => ({
      name: findingName(content, finding),
      note: findingText(finding),
      number: "",
      strength: partOf(finding),
      mark: FINDINGS + at,
    })),
  };
}

export function details(content: OverviewContent, mark: number, more: Explained | undefined): Details | undefined {
  const actions = [
    { id: "open", name: "Look inside", icon: "zoom-in", key: "Enter" },
    { id: "timeline", name: "Show in the timeline", icon: "list-tree" },
    { id: "window", name: "Make it the window of all views over time", icon: "screen-full" },
    { id: "restrict", name: "Restrict all numbers to this time", icon: "filter" },
    { id: "only", name: "Look at these resources alone", icon: "list-selection" },
  ];
  if (mark >= FINDINGS) {
    const finding = content.unlike.at(mark - FINDINGS);
    if (!finding) return undefined;
    return { name: findingName(content, finding), numbers: [["", findingText(finding)]], actions };
  }
  if (!content.shown || mark >= content.shown.parts.first.length) return undefined;
  const numbers: Fact[] = more
    ? more.facts.map(([name, value]): Fact => [visible(name), visible(value)])
    : partFacts(content, mark);
  const cells = { id: "cells", name: isOfCells(content, mark) ? "Hide its cells" : "Show its cells", icon: "table" };
  return { name: partName(content, mark), numbers, actions: [...actions, cells] };
}

/** Whether all communication is MPI's. */
export function kindOf({ stateKinds }: OverviewContent, state: number): string {
  return stateKinds[state] < 0 ? "several" : eventKinds[stateKinds[state]];
}
