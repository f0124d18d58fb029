/**
 * Messages between the host and the super graph's webview. Both sides check what they receive with these schemas.
 * Values are in the metric's unit, lengths in pixels; a bar is named by its index in the graph of the same `revision`,
 * so that names of any length and content never act as keys.
 */
import * as v from "valibot";
import {
  dataSetKey,
  amount,
  columnOf,
  count,
  index,
  MARK_LIMIT,
  name,
  over,
  parse,
  paths,
  percent,
  sentence,
} from "./bounds";
import { barOperations, fromSteps, keptSteps, stepsMessage } from "./graphSteps";
import { fromHalves, halvesControls, histogramsMessage, keptHalves, otherNumbers, pairOfGraphs } from "./graphHalves";
import { isIndexOrNone, sentEntries, sentFlows, sentGeometry, type SentGeometry, sentTexts } from "./sentColumns";
import { fromEveryView, scopeControls, toEveryView } from "./panel";

export const groupChoices = ["auto", "module", "file", "folder", "class", "function", "map", "none"] as const;
export type GroupChoice = (typeof groupChoices)[number];
const groupChoice = v.picklist(groupChoices);
/** How groupings are called on screen. */
export const groupNames: Readonly<Record<GroupChoice, string>> = {
  auto: "source file",
  module: "load module",
  file: "source file",
  folder: "folder",
  class: "class",
  function: "function",
  map: "my groups",
  none: "nothing (contexts)",
};

const length = v.pipe(amount, v.minValue(1));
/** Zoom factor and shift of the drawing, as the view left it. */
const viewport = v.object({
  scale: v.pipe(v.number(), v.minValue(0.01), v.maxValue(1000)),
  x: amount,
  y: amount,
  /** Size of the layout that they are of: the window may have another one after a reload. */
  of: v.optional(v.object({ width: length, height: length })),
});
export type KeptViewport = v.InferOutput<typeof viewport>;

/** What a panel needs to come back after the window was reloaded. */
export const superGraphState = v.object({
  /** The first of its files: in sentences, and where pictures are saved. */
  files: paths,
  dataSet: v.optional(dataSetKey),
  metric: name,
  over,
  filter: percent,
  groupBy: groupChoice,
  steps: v.optional(keptSteps),
  ...keptHalves,
  viewport: v.optional(viewport),
  table: v.optional(v.boolean()),
  search: v.optional(v.pipe(v.string(), v.maxLength(1000))),
});
export type SuperGraphState = v.InferOutput<typeof superGraphState>;

/** What the controls show; sent again whenever the session's scope changes. */
const controls = v.object({
  type: v.literal("controls"),
  ...scopeControls,
  filter: percent,
  groupBy: groupChoice,
  /** What the user may choose from; `map` only where groups are set. */
  groupings: v.pipe(v.array(groupChoice), v.maxLength(groupChoices.length)),
  halves: halvesControls,
  /** Kept by the view for a reload. */
  restore: superGraphState,
});

export interface EntryNumbers {
  readonly name: string;
  readonly inclusive: number;
  readonly exclusive: number;
  readonly place?: string;
}

const sentBar = v.object({
  group: name,
  /** 1 for the group's first bar. */
  visit: count,
  level: count,
  inclusive: amount,
  exclusive: amount,
  hidden: amount,
  /** Of the drawn height; for minima and maxima the drawing shows the mean. */
  hiddenShare: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  contexts: count,
  /** Entries that were left out: there are more than a message holds. */
  moreEntries: count,
  ...barOperations,
  other: v.optional(otherNumbers),
});
export type SentBar = v.InferOutput<typeof sentBar>;

export interface BarNumbers extends SentBar {
  /** Heaviest first; at most what a message holds. */
  readonly entries: readonly EntryNumbers[];
}

export interface FlowNumbers {
  readonly source: number;
  readonly target: number;
  readonly inclusive: number;
}

/** Geometry for one size of the drawing. */
export interface Geometry extends Omit<SentGeometry, "bars" | "columns" | "flows"> {
  /** x, y, width, height. */
  readonly bars: readonly (readonly [number, number, number, number])[];
  readonly flows: readonly {
    readonly thickness: number;
    /** x and y of each point, in turn; two points from each level to the next. */
    readonly points: readonly number[];
  }[];
}

/** What a graph is. It is shown as soon as its layout has come; until then the one before stays on screen. */
const sentGraph = v.object({
  type: v.literal("graph"),
  revision: count,
  metric: name,
  unit: name,
  over,
  /** How ranks were combined, in words; "" where the recording has none. */
  combined: v.pipe(v.string(), v.maxLength(4096)),
  total: amount,
  /** Hidden cost that belongs to no bar. */
  hidden: amount,
  /** Functions kept by the filter, and what the filter took away. */
  functions: count,
  hiddenFunctions: count,
  hiddenExclusive: amount,
  filter: percent,
  groupBy: groupChoice,
  bars: v.pipe(v.array(sentBar), v.maxLength(MARK_LIMIT)),
  texts: sentTexts,
  entries: sentEntries,
  pair: v.optional(pairOfGraphs),
  notes: v.pipe(v.array(sentence), v.maxLength(100)),
});
export type SentGraph = v.InferOutput<typeof sentGraph>;

/** How the graph of this revision is drawn at one size of the panel, and which of its flows. */
const sentLayout = v.object({
  type: v.literal("layout"),
  revision: count,
  flows: sentFlows,
  geometry: sentGeometry,
  /** The graph that this one was made from, and for each bar the one of that graph where it begins; -1: nowhere. */
  transition: v.optional(
    v.object({
      revision: count,
      from: columnOf(isIndexOrNone),
    }),
  ),
  /** What the layout leaves out. */
  layoutNotes: v.pipe(v.array(sentence), v.maxLength(10)),
});
export type SentLayout = v.InferOutput<typeof sentLayout>;

/** As the view has them: what is sent as columns, as one object for each bar, entry and flow. */
export interface GraphNumbers extends Omit<SentGraph, "bars" | "texts" | "entries"> {
  readonly bars: readonly BarNumbers[];
}
export interface LayoutMessage extends Omit<SentLayout, "flows" | "geometry"> {
  readonly flows: readonly FlowNumbers[];
  readonly geometry: Geometry;
}

/** What the messages of a graph and of its layout say together: what is drawn. */
export interface GraphMessage extends GraphNumbers, Omit<LayoutMessage, "type" | "revision"> {}

/** The bar that is selected somewhere; none where the selection lies in no bar. */
const selection = v.object({ type: v.literal("selection"), revision: count, bar: v.optional(index) });
export const toSuperGraph = v.variant("type", [
  controls,
  sentGraph,
  sentLayout,
  selection,
  stepsMessage,
  histogramsMessage,
  ...toEveryView,
]);
export type SentToSuperGraph = v.InferOutput<typeof toSuperGraph>;
export type Controls = v.InferOutput<typeof controls>;

/** As the view has them. */
export type ToSuperGraph =
  Exclude<SentToSuperGraph, { readonly type: "graph" | "layout" }> | GraphNumbers | LayoutMessage;

/** A graph with its layout; undefined where that is one of another graph. */
export function laidOut(graph: GraphNumbers, layout: LayoutMessage): GraphMessage | undefined {
  const { bars, revision } = graph;
  const { flows, geometry, transition, layoutNotes } = layout;
  const belongs =
    layout.revision === revision &&
    geometry.bars.length === bars.length &&
    (transition === undefined || transition.from.length === bars.length) &&
    flows.every(({ source, target }) => source < bars.length && target < bars.length);
  return belongs ? { ...graph, flows, geometry, transition, layoutNotes } : undefined;
}

const ofBar = { revision: count, bar: index };

export const fromSuperGraph = v.variant("type", [
  ...fromEveryView,
  ...fromSteps,
  ...fromHalves,
  v.object({ type: v.literal("set-filter"), percent }),
  v.object({ type: v.literal("set-group-by"), groupBy: groupChoice }),
  /** A click: select and show the hot line, focus stays here. */
  v.object({ type: v.literal("select"), ...ofBar }),
  /** Double click or Enter: go to the hot line of the bar, or to one of its entries. */
  v.object({ type: v.literal("open"), ...ofBar, entry: v.optional(index) }),
  v.object({ type: v.literal("histogram"), ...ofBar }),
  /** Which rules made the links of the bar's hottest lines. */
  v.object({ type: v.literal("why"), ...ofBar }),
  /** From the bar's heaviest entry down. */
  v.object({ type: v.literal("hot-path"), ...ofBar }),
  /** Lays the bar off along y of the correlation. */
  v.object({ type: v.literal("correlate"), ...ofBar }),
  /** Shows the bar's contexts in a flame graph. */
  v.object({ type: v.literal("look-inside"), ...ofBar }),
]);
export type FromSuperGraph = v.InferOutput<typeof fromSuperGraph>;

export const parseFromSuperGraph = (message: unknown): FromSuperGraph | undefined => parse(fromSuperGraph, message);
