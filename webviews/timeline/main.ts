/** The timeline's page: what happened when, lane by lane. */
import { eventKinds, laneOfMark, type TimelineContent, timelineContent } from "../../src/protocol/timeline";
import { type TimelineCounters, type TimelinePart, timelinePart } from "../../src/protocol/timelineCounters";
import type { MenuEntry, PageDefinition } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { kindFill, kindLegend } from "../kit/kinds";
import { signLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { curveLegend } from "../kit/time/curveLegend";
import type { Theme } from "../kit/theme/theme";
import { svg } from "../shared/dom";
import { visible } from "../shared/text";
import { counterFacts, counterName, rowOfMark } from "./counters";
import { details, isMpi, markFacts, markName, summary } from "./describe";
import { laneName } from "./laneNames";
import { looksOf } from "./colours";
import { draw } from "./drawing";
import { marksOf } from "./marks";
import type { TimelineSeen } from "./seen";
import { listedRow, tables } from "./tables";
import { timelineSight } from "./sight";

const definition: PageDefinition<TimelineContent, never, TimelineSeen, TimelinePart> = {
  title: "Timeline",
  content: timelineContent,
  later: {
    schema: timelinePart,
    isWhole: () => true,
    add: (content, { counters }) => (counters.subject === content.subject ? { ...content, counters } : undefined),
    keeps: (content, { counters }) =>
      content.counterRows > 0 && counters?.subject === content.subject ? { ...content, counters } : content,
  },
  // A click on a counter leads to all that is known of it.
  does: (content, mark) => (rowOfMark(content, mark) === undefined ? undefined : "metrics"),
  draw,
  sight: timelineSight,
  lasting: true,
  tables: (content, _, open) => tables(content, open),
  legend,
  hint: () => "W S zoom · A D pan · drag on the ruler measures · F fits the selection",
  summary: (content, _, seen) => summary(content, seen),
  name: () => "Timeline",
  nouns: () => ["event", "events"],
  menu,
  details,
  explains: () => "times since the trace began",
  explanation: {
    name: "Timeline",
    facts: [
      [
        "lane",
        "a rank, thread, GPU stream or resource; below its name, the share of communication in its events' time",
      ],
      ["row", "a call depth: callers above, callees below"],
      [
        "below the lanes",
        "recorded counters that vary most in the window: least to most; a click leads to their metrics",
      ],
      ["dotted foot", "a cluster of events that are too short to draw; a double click zooms in on them"],
      ["wheel, W, S", "zoom; Shift+wheel, or the wheel over names, scrolls lanes"],
      ["drag, A, D", "pans; on the ruler, or with Shift, a drag measures"],
      ["V", "compares other measured times with this one, function by function"],
      ["R", "measures the selected event in its lane; the table shows its functions"],
      ["F, Z", "zooms to the selection; 0 to the whole run"],
      ["[, ]", "from a receive to its send; from a send or a launch to its receive or kernel"],
      ["N, P", "next and previous event of the function"],
      [
        "Q, E",
        "previous and next phase; a click on one above the lanes makes it the window, a drag there measures whole ones",
      ],
      ["B", "keeps the window and the selection as a bookmark"],
      ["Enter", "goes to the line"],
    ],
  },
};

function menu(content: TimelineContent, mark: number): MenuEntry[] {
  const marks = marksOf(content);
  const at = marks.withNumber(mark);
  const place = timelineSight.placeOf(content, mark);
  const ofLane = laneOfMark(mark, content.depths.length);
  if (ofLane >= 0) return laneMenu(content, ofLane);
  const counter = rowOfMark(content, mark);
  if (counter !== undefined && content.counters) return counterMenu(content.counters, counter);
  if (at === undefined || !place) return listedMenu(content, mark);
  const numbers = markFacts(marks, at).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
  const zoom: MenuEntry[] = [
    { label: "Zoom to this", key: "F", does: { gesture: { kind: "fill", place } }, group: "show" },
    { label: "Measure this, in its lane", key: "R", does: { gesture: { kind: "measure", place } }, group: "show" },
    { label: "Zoom out to everything", key: "0", does: { gesture: { kind: "fit" } }, group: "show" },
  ];
  const of = content.marks.lane[at];
  const lane = laneName(content, of).slice(0, 60);
  const kind = eventKinds[content.kinds[content.marks.state[at]]];
  const ofItsLane = laneEntries(content, of);
  const restrict: MenuEntry[] = [
    { label: `Restrict to ${lane}`, icon: "filter", does: "restrict-lane", group: "change" },
    {
      label: `Restrict to ${kind}`,
      icon: "filter",
      does: "restrict-kind",
      group: "change",
    },
  ];
  const copy: MenuEntry[] = [
    { label: "Copy numbers", does: { copy: [markName(marks, at), ...numbers].join("\n") }, group: "copy" },
    { label: "Copy name", does: { copy: marks.name(at) }, group: "copy" },
  ];
  const highlight: MenuEntry = { label: `Highlight ${kind} in all views`, does: "highlight-kind", group: "show" };
  if (marks.isCluster(at)) return [...zoom, highlight, ...ofItsLane, ...restrict, ...copy];
  return [
    { label: "Go to line", icon: "go-to-file", key: "Enter", does: "open", group: "go" },
    { label: "Select in all views", key: "Space", does: "select", group: "go" },
    { label: "On to where it is received", key: "]", does: "chain-next", group: "go" },
    { label: "Back to what sent what arrived here", key: "[", does: "chain-back", group: "go" },
    occurrencesEntry(marks.name(at), content.states[content.marks.state[at]]),
    ...zoom,
    { label: "Keep as a bookmark", key: "B", does: "bookmark", group: "show" },
    highlight,
    ...ofItsLane,
    ...restrict,
    ...copy,
  ];
}

/** What is done to a lane, by its name or by an event in it. */
function laneEntries(content: TimelineContent, lane: number): MenuEntry[] {
  const name = laneName(content, lane).slice(0, 60);
  const isPinned = content.order.subarray(0, content.pinned).includes(lane);
  const group = content.group[lane];
  return [
    { label: isPinned ? `Unpin ${name}` : `Pin ${name} on top`, does: "pin", group: "change" },
    ...(group < 0
      ? []
      : [
          {
            label: `Fold ${visible(content.groups[group]).slice(0, 60)}`,
            does: { gesture: { kind: "fold", group } },
            group: "change",
          } as const,
        ]),
    ...(content.groups.length === 0
      ? []
      : [{ label: "Unfold all lanes", does: { gesture: { kind: "fold" } }, group: "change" } as const]),
  ];
}

function laneMenu(content: TimelineContent, lane: number): MenuEntry[] {
  const name = laneName(content, lane);
  return [
    { label: "Highlight in all views", key: "Space", does: "select", group: "go" },
    ...laneEntries(content, lane),
    { label: `Restrict to ${name.slice(0, 60)}`, icon: "filter", does: "restrict-lane", group: "change" },
    { label: "Copy name", does: { copy: name }, group: "copy" },
  ];
}

function counterMenu(counters: TimelineCounters, row: number): MenuEntry[] {
  const name = counterName(counters, row);
  const numbers = counterFacts(counters, row).map(([what, value]) => `  ${what}: ${value}`);
  return [
    { label: "Show in metrics over time", icon: "pulse", key: "Enter", does: "metrics", group: "go" },
    { label: "Copy numbers", does: { copy: [name, ...numbers].join("\n") }, group: "copy" },
    { label: "Copy name", does: { copy: name }, group: "copy" },
  ];
}

function occurrencesEntry(name: string, of: number): MenuEntry {
  const gesture = { kind: "list", list: "occurrences", of } as const;
  return { label: `Occurrences of ${name.slice(0, 60)}`, does: { gesture }, group: "show" };
}

/** Of a row of a table whose event is not in sight. */
function listedMenu(content: TimelineContent, mark: number): MenuEntry[] {
  const row = listedRow(content, mark);
  if (!row) return [];
  const { name, state } = row;
  return [
    { label: "Go to line", icon: "go-to-file", key: "Enter", does: "open", group: "go" },
    { label: "Select in all views", key: "Space", does: "select", group: "go" },
    occurrencesEntry(name, state),
    { label: "Copy name", does: { copy: name }, group: "copy" },
  ];
}

/** Functions in the legend: with colours of the recording, and with hues of their names. */
const MOST_OWN = 20;
const MOST_NAMED = 6;

/** Kinds that are there, and what else is drawn. */
function legend(content: TimelineContent, theme: Theme): LegendEntry[] {
  const { kinds, colors, messages, marks, byFunction } = content;
  const there = eventKinds.filter((_, kind) => kinds.includes(kind));
  const colours = byFunction
    ? functionLegend(content, theme)
    : [
        ...ownLegend(content, theme),
        ...kindLegend(theme, (kind) => kinds.some((one, at) => one === kind && colors[at] < 0), isMpi(content)),
      ];
  const hatch = [0, 6, 12].map((x) => svg("path", { d: `M${x},10l10,-10`, stroke: theme.grid }));
  const foot = svg("path", {
    d: "M1,8.5h14",
    stroke: theme.background,
    "stroke-width": 1.5,
    "stroke-dasharray": "2 2",
  });
  const line = svg("path", { d: "M0,5h16", stroke: theme.soft });
  return [
    ...colours,
    ...(content.look === "state" || content.rows.some(({ firstDepth }) => firstDepth === 0)
      ? [signLegend(theme, {}, "uncovered", hatch)]
      : []),
    ...(marks.events.some((events) => events > 1)
      ? [{ parts: [cluster(theme, kindFill(there[0] ?? "computing", theme), foot), "several events, longest named"] }]
      : []),
    ...(content.path
      ? [
          {
            parts: [
              svg(
                "svg",
                { width: 16, height: 10, "aria-hidden": "true" },
                svg("path", { d: "M0,5h16", stroke: theme.link, "stroke-width": 2.5 }),
              ),
              content.path.isHidden ? "critical path: zoom in to see it" : "critical path",
            ],
          },
        ]
      : []),
    ...curveLegend(content.counters?.bands, content, theme),
    ...(messages && messages.from.length + messages.hidden > 0
      ? [{ parts: [svg("svg", { width: 16, height: 10, "aria-hidden": "true" }, line), messageText(messages)] }]
      : []),
  ];
}

/** Functions that have colours of the recording, by their time in sight. */
function ownLegend(content: TimelineContent, theme: Theme): LegendEntry[] {
  const { names, colors, marks } = content;
  const seconds = new Float64Array(names.length);
  marks.state.forEach((state, at) => (seconds[state] += marks.end[at] - marks.start[at]));
  const own = [...names.keys()].filter((at) => colors[at] >= 0).sort((a, b) => seconds[b] - seconds[a]);
  const looks = looksOf(content, theme);
  return own.slice(0, MOST_OWN).map((at) => signLegend(theme, { fill: looks[at].fill }, functionName(content, at)));
}

/** The functions with most time of their own in sight; what has colours from names only names can explain. */
function functionLegend(content: TimelineContent, theme: Theme): LegendEntry[] {
  const { names, marks } = content;
  const { contains } = marksOf(content);
  const seconds = new Float64Array(names.length);
  marks.state.forEach((state, at) => (seconds[state] += contains[at] === 1 ? 0 : marks.end[at] - marks.start[at]));
  const order = [...names.keys()].sort((a, b) => seconds[b] - seconds[a] || a - b);
  const looks = looksOf(content, theme);
  return order.slice(0, MOST_NAMED).map((at) => signLegend(theme, { fill: looks[at].fill }, functionName(content, at)));
}

/** Recordings may have functions without a name. */
function functionName({ names, shown }: TimelineContent, at: number): string {
  return visible((shown ?? names)[at]) || "unnamed";
}

/** Of more than there is room for in a message, and to look at, those that are left would say something wrong. */
function messageText({ from, hidden }: { readonly from: Int32Array; readonly hidden: number }): string {
  return hidden > 0 ? `${(from.length + hidden).toLocaleString("en")} messages: zoom in to see them` : "message";
}

function cluster(theme: Theme, fill: string, foot: SVGElement): SVGSVGElement {
  const box = svg("rect", { x: 0.5, y: 0.5, width: 15, height: 9, fill, stroke: theme.outline });
  return svg("svg", { width: 16, height: 10, "aria-hidden": "true" }, box, foot);
}

startPage(definition);
