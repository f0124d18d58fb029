/** Frames to be looked at and measured: the numbers are those of the guide's pictures. */
import type { Control } from "../../../../src/protocol/frame";
import type { FrameModel, LegendEntry } from "../../../../webviews/kit/frame/model";
import { heatLegend } from "../../../../webviews/kit/legend";
import { readTheme } from "../../../../webviews/kit/theme/theme";
import { svg } from "../../../../webviews/shared/dom";

const choices = (...labels: string[]) => labels.map((label) => ({ value: label, label }));

const controls: Control[] = [
  { kind: "select", id: "metric", name: "Metric", value: "time", choices: choices("time", "visits", "bytes sent") },
  {
    kind: "select",
    id: "over",
    name: "Over ranks",
    value: "mean",
    choices: [
      ...["mean", "sum", "max", "min"].map((value) => ({ value, label: `${value} over ranks`, short: value })),
      { value: "one", label: "one rank…", group: "one" },
      { value: "halves", label: "two halves…", group: "one", disabled: "there is one rank only" },
    ],
  },
  {
    kind: "select",
    id: "group",
    name: "Group by",
    value: "file",
    choices: ["file", "function", "module"].map((value) => ({ value, label: `by ${value}`, short: value })),
  },
  {
    kind: "threshold",
    id: "filter",
    name: "Hide functions below",
    value: 0.1,
    shares: [100, 89.2, 79, 78.4, 32, 10.2, 9.79, 5.4, 2.8, 2.4, 1.7, 1.1, 0.9, 0.7, 0.5, 0.14, 0.12, 0.05, 0.03, 0.02],
    says: "17 of 24 functions stay, 99.9 % of time",
  },
  { kind: "tool", id: "undo", name: "Undo split", icon: "discard", key: "Ctrl+Z", group: "history", leaves: 3 },
  {
    kind: "tool",
    id: "redo",
    name: "Redo",
    icon: "redo",
    key: "Ctrl+Y",
    group: "history",
    disabled: "nothing was undone",
    leaves: 4,
  },
  { kind: "tool", id: "compare", name: "Compare with…", icon: "git-compare", leaves: 6 },
];

/** A legend as panels make it: words, ramps, a scale, a mark. */
function legend(): LegendEntry[] {
  const scale = svg("svg", { width: 24, height: 9 }, svg("path", { class: "stroke", d: "M.5,1v7M22.5,1v7M.5,4.5h22" }));
  const ranks = svg(
    "svg",
    { width: 16, height: 10 },
    ...[9, 5, 6, 10].map((height, at) => svg("rect", { class: "ink", x: at * 4, y: 10 - height, width: 3, height })),
  );
  const tick = svg(
    "svg",
    { width: 10, height: 10 },
    svg("rect", { class: "heat5", width: 6, height: 9 }),
    svg("rect", { class: "ink", x: 0, y: 4, width: 9, height: 1 }),
  );
  return [
    heatLegend(readTheme(), "exclusive", 2.11, "s"),
    { parts: [{ strong: "height" }, scale, "100 ms"] },
    { parts: [ranks, "ranks 0–7"] },
    { parts: [tick, "entry function"] },
  ];
}

export function sample(): FrameModel {
  return {
    controls,
    steps: ["profile-8ranks", "≥ 0.1 %", "by file", "split MPI by caller"].map((text, at) => ({
      id: String(at),
      text,
    })),
    chips: [{ id: "ranks", text: "ranks 0, 4" }],
    summary: ["6 bars · 17 of 24 functions · 0.107 % hidden", "6 bars · 0.107 % hidden", "6 bars"],
    notices: [],
    table: false,
    legend: legend(),
    hint: "wheel zooms, drag pans",
    details: {
      name: "solver.cpp",
      place: "solver.cpp:45",
      numbers: [
        ["inclusive", "2.40 s", "89.2 %"],
        ["exclusive", "275 ms", "10.2 %"],
        ["imbalance", "1.10×"],
        ["entries", "1"],
      ],
      actions: [
        { id: "line", name: "Go to hottest line", icon: "go-to-file", key: "Enter" },
        { id: "split", name: "Split…", icon: "split-horizontal" },
        { id: "callers", name: "Callers and callees", icon: "type-hierarchy-sub" },
        { id: "more", name: "More", icon: "ellipsis" },
      ],
    },
  };
}

/** Changes that make the other states. */
export const changes = {
  plain: {},
  "no details": { details: undefined },
  "first picture": {
    controls: controls.map((control) =>
      control.kind === "select" && control.id === "group"
        ? {
            ...control,
            value: "first",
            choices: [
              { value: "first", label: "first picture", text: "by file, heaviest by function", short: "first picture" },
              ...control.choices,
            ],
          }
        : control,
    ),
    steps: [
      { id: "start", text: "profile-8ranks" },
      { id: "start filter", text: "≥ 0.1 %" },
      { id: "start group", text: "first picture", opens: "group" },
    ],
  },
  search: { search: { text: "halo", count: "2 of 5" } },
  undone: { steps: sampleSteps(["profile-8ranks", "≥ 0.1 %", "by file", "split MPI by caller"], ["hide halo.cpp"]) },
  notice: {
    notices: [
      { id: "a", severity: "warning", text: "2 of 8 ranks could not be read", link: { id: "why", text: "why" } },
      { id: "b", severity: "info", text: "solver.cpp is newer", link: { id: "compare", text: "compare" } },
    ],
  },
  empty: {
    empty: {
      icon: "graph",
      title: "No events in this recording",
      text: "It holds totals of 24 functions. Record a trace to see when they ran.",
      buttons: [{ id: "how", text: "How to record one" }],
    },
    details: undefined,
  },
  problem: {
    empty: {
      icon: "error",
      title: "profile.cali stops in line 1 204",
      text: "Read 1 203 records of rank 0–5. The line ends within a quoted name; the file may be cut off.",
      buttons: [
        { id: "open", text: "Open what was read", primary: true },
        { id: "log", text: "Show log" },
      ],
      alert: true,
    },
    details: undefined,
  },
  progress: { progress: { fraction: 0.35, text: "312 of 890 MB · about 9 s left" } },
  "first progress": {
    progress: { text: "Reading trace-0.cali" },
    summary: [],
    steps: [],
    chips: [],
    legend: [],
    details: undefined,
  },
  table: { table: true },
  hostile: hostile(),
} satisfies Record<string, Partial<FrameModel>>;
export type Change = keyof typeof changes;

function sampleSteps(done: readonly string[], undone: readonly string[]): FrameModel["steps"] {
  return [...done.map((text) => ({ id: text, text })), ...undone.map((text) => ({ id: text, text, undone: true }))];
}

/** Names as a broken or evil recording has them. */
function hostile(): Partial<FrameModel> {
  const long = `${"operator<<\u202e<b>".repeat(286)}end`.slice(0, 4000);
  const controls: Control[] = [
    { kind: "select", id: "metric", name: "Metric", value: long, choices: [{ value: long, label: long }] },
    { kind: "select", id: "over", name: "Over ranks", value: "mean", choices: choices("mean", long) },
  ];
  return {
    controls,
    steps: sampleSteps([long, `${long}2`], [`${long}3`]),
    chips: Array.from({ length: 20 }, (_, at) => ({ id: `${at}`, text: long })),
    summary: [long, long],
    notices: [{ id: "a", severity: "error", text: long, link: { id: "why", text: "why" } }],
    details: { name: long, place: long, numbers: [[long, long]], actions: sample().details?.actions ?? [] },
    legend: [{ parts: [long] }, { parts: [{ strong: long }] }],
  };
}
