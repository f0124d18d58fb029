/** The overview's page: a whole trace at a glance. */
import { formatShare, formatValue } from "../../src/model/units";
import { type OverviewContent, overviewContent, type OverviewLater, overviewLater } from "../../src/protocol/overview";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { signLegend, wordLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Theme } from "../kit/theme/theme";
import { svg } from "../shared/dom";
import { visible } from "../shared/text";
import { partFill, stateFills } from "./colours";
import {
  aside,
  details,
  findingText,
  hint,
  kindOf,
  leavesText,
  partFacts,
  partName,
  partsAbout,
  quality,
  secondsAt,
  stateText,
  summary,
} from "./describe";
import { draw } from "./drawing";
import { eventKinds, FINDINGS } from "../../src/protocol/overview";

const definition: PageDefinition<OverviewContent, never, undefined, OverviewLater> = {
  title: "Overview",
  content: overviewContent,
  later: {
    schema: overviewLater,
    add: (content, part) => {
      if (!("parts" in part)) return { ...content, cells: part.size > 0 ? part : undefined };
      const { means, first } = part.parts;
      const hasMeans = means.length === (part.shows === "proportion" ? first.length * content.states.length : 0);
      return hasMeans && part.entry < content.entries.strength.length ? { ...content, shown: part } : undefined;
    },
    isWhole: ({ shown }) => shown !== undefined,
  },
  draw,
  tables: (content) => [partsTable(content), findingsTable(content), entriesTable(content)],
  legend,
  hint: (content) => hint(content),
  aside,
  summary,
  name: () => "Overview",
  nouns: () => ["part", "parts"],
  find: partsAbout,
  menu,
  details,
  explains: () => undefined,
  explanation: {
    name: "Overview",
    facts: [
      ["part", "neighbouring resources and slices of time that are similar enough to be joined"],
      ["colour", "the state with most of its time; paler if the share of that state is smaller"],
      ["diagonal", "several parts in too little room, with the same cuts in time"],
      ["cross", "several parts in too little room, with different cuts"],
      ["detail", "strength of aggregation; each step loses the least information for its simplification"],
      ["Enter", "opens a part; for one resource in one slice, its events"],
    ],
  },
};

function menu(content: OverviewContent, mark: number): MenuEntry[] {
  const [name, facts] =
    mark >= FINDINGS
      ? [findingText(content.unlike[mark - FINDINGS]), []]
      : [partName(content, mark), partFacts(content, mark).map((fact) => `  ${fact.join(" ")}`)];
  const kind = mark >= FINDINGS ? -1 : (content.stateKinds[content.shown?.parts.mode.at(mark) ?? -1] ?? -1);
  return [
    { label: "Look inside", icon: "zoom-in", key: "Enter", does: "open", group: "go" },
    { label: "Show in the timeline", icon: "list-tree", does: "timeline", group: "go" },
    { label: "Make it the window of all views over time", icon: "screen-full", does: "window", group: "show" },
    ...(kind < 0
      ? []
      : [{ label: `Highlight ${eventKinds[kind]} in all views`, does: "highlight-kind", group: "show" as const }]),
    { label: "Restrict all numbers to this time", icon: "filter", does: "restrict", group: "change" },
    ...(mark >= FINDINGS
      ? []
      : [
          { label: "Show or hide its cells", icon: "table", does: "cells", group: "change" as const },
          { label: "Look at these resources alone", icon: "list-selection", does: "only", group: "change" as const },
          ...leaveOut(content, mark),
        ]),
    { label: "Copy numbers", does: { copy: [name, ...facts].join("\n") }, group: "copy" },
  ];
}

function leaveOut(content: OverviewContent, mark: number): MenuEntry[] {
  const mode = content.shown?.parts.mode.at(mark) ?? -1;
  if (mode < 0) return [];
  const label = `Leave ${stateText(content, mode)} out`;
  return [{ label, icon: "eye-closed", does: "without", group: "change" }];
}

/** States with less of all are not in the legend by themselves. */
const LEAST_SHARE = 0.01;

/** States by their shares, what shares look like, and signs that are there. */
function legend(content: OverviewContent, theme: Theme): LegendEntry[] {
  const fills = stateFills(content, theme);
  const { states, stateShares, shown } = content;
  const all = [...states.keys()].sort((a, b) => stateShares[b] - stateShares[a]);
  const order = all.filter((state) => stateShares[state] >= LEAST_SHARE);
  const rest = all.slice(order.length).reduce((sum, state) => sum + stateShares[state], 0);
  const shows = shown?.shows ?? content.shows;
  const has = (sign: number) => shown?.parts.sign.includes(sign) === true;
  const box = { x: 0.5, y: 0.5, width: 15, height: 9 };
  const line = (d: string) => svg("path", { d, stroke: theme.text });
  return [
    ...(shows === "partition" ? [] : order).map((state) =>
      signLegend(theme, { fill: fills[state] }, `${visible(states[state])} ${formatShare(stateShares[state])}`),
    ),
    ...(rest > 0 && shows !== "partition" ? [wordLegend("other states", formatShare(rest))] : []),
    ...(order.length > 0 && shows === "mode"
      ? [{ parts: ["its share 0", shares(fills[order[0]], theme), "100 %"] }]
      : []),
    ...(shows === "partition" ? [wordLegend("areas", "parts, whatever is in them")] : []),
    ...(has(1) ? [signLegend(theme, {}, "cut alike", [line(`M${box.x},${box.y + box.height}l15,-9`)])] : []),
    ...(has(2) ? [signLegend(theme, {}, "cut differently", [line("M0.5,9.5l15,-9M0.5,0.5l15,9")])] : []),
    ...nothingRecorded(content, shown?.parts.mode.includes(-1) === true, theme),
  ];
}

/** One entry for areas without events and for the time of all lanes without events: both are what was not recorded. */
function nothingRecorded({ uncovered, metric }: OverviewContent, isHatched: boolean, theme: Theme): LegendEntry[] {
  const time = uncovered > 0 && metric === "duration" ? formatValue(uncovered, "s") : "";
  if (isHatched) return [signLegend(theme, {}, `nothing recorded ${time}`.trim(), hatch(theme))];
  return time === "" ? [] : [wordLegend("nothing recorded", time)];
}

function hatch(theme: Theme): SVGElement[] {
  return [0, 6, 12].map((x) => svg("path", { d: `M${x},10l10,-10`, stroke: theme.grid }));
}

function shares(fill: string, theme: Theme): SVGSVGElement {
  const steps = [0, 0.25, 0.5, 0.75, 1].map((share, at) =>
    svg("rect", { x: 0.5 + 9 * at, y: 0.5, width: 9, height: 9, fill: partFill(fill, share, theme) }),
  );
  const frame = svg("rect", { x: 0.5, y: 0.5, width: 45, height: 9, fill: "none", stroke: theme.outline });
  return svg("svg", { width: 46, height: 10, "aria-hidden": "true" }, steps, frame);
}

function partsTable(content: OverviewContent) {
  const parts = content.shown?.parts;
  const at = (part: number) => secondsAt(content, parts?.start[part] ?? 0);
  const until = (part: number) => secondsAt(content, (parts?.end[part] ?? 0) + 1);
  return tableOf<number>({
    caption: "Parts",
    columns: [
      textColumn("resources", (part) => leavesText(content, parts?.first[part] ?? 0, parts?.size[part] ?? 1)),
      numberColumn("from", at, (part) => formatValue(at(part), "s")),
      numberColumn("to", until, (part) => formatValue(until(part), "s")),
      textColumn("mostly", (part) => stateText(content, parts?.mode[part] ?? -1)),
      numberColumn(
        "share",
        (part) => parts?.share[part] ?? 0,
        (part) => formatShare(parts?.share[part] ?? 0),
        "share",
      ),
      numberColumn("parts in it", (part) => parts?.parts[part] ?? 1),
    ],
    rows: [...(parts?.first.keys() ?? [])],
    sortedBy: 1,
    ascending: true,
    markOf: (part) => part,
  });
}

function findingsTable(content: OverviewContent) {
  const { unlike } = content;
  return tableOf<number>({
    caption: "Unlike the rest",
    columns: [
      textColumn("what", (at) => findingText(unlike[at])),
      textColumn("when", (at) => visible(unlike[at].when)),
      numberColumn("resources", (at) => unlike[at].leaves.length),
      textColumn("mostly", (at) => stateText(content, unlike[at].mode)),
      textColumn("kind", (at) => (unlike[at].mode < 0 ? "" : kindOf(content, unlike[at].mode))),
      numberColumn(
        "strength",
        (at) => unlike[at].strength,
        (at) => unlike[at].strength.toPrecision(3),
      ),
    ],
    rows: [...unlike.keys()],
    sortedBy: 5,
    markOf: (at) => FINDINGS + at,
  });
}

function entriesTable(content: OverviewContent) {
  const { entries } = content;
  return tableOf<number>({
    caption: "Detail",
    columns: [
      numberColumn(
        "strength",
        (at) => entries.strength[at],
        (at) => entries.strength[at].toPrecision(4),
      ),
      numberColumn("parts", (at) => entries.parts[at]),
      numberColumn(
        "complexity removed",
        (at) => quality(content, at).removed,
        (at) => formatShare(quality(content, at).removed),
      ),
      numberColumn(
        "information lost",
        (at) => quality(content, at).lost,
        (at) => formatShare(quality(content, at).lost),
      ),
    ],
    rows: [...entries.strength.keys()],
    sortedBy: 0,
    ascending: true,
    markOf: () => undefined,
  });
}

startPage(definition);
