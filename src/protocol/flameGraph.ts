/**
 * Messages between the host and the flame graph's webview. Both sides check what they receive with these schemas. Places
 * are shares of the drawing's width, so that they outlive a change of metric; a rectangle is named by its number in the
 * drawing of the same `revision`.
 */
import * as v from "valibot";
import { dataSetKey, amount, count, index, MARK_LIMIT, name, over, parse, paths, sentence } from "./bounds";
import { fromEveryView, scopeControls, toEveryView } from "./panel";

/** What is drawn: the recording; who calls a function above what it calls; the contexts of a bar of the super graph. */
export const flameModes = ["recording", "sandwich", "bar"] as const;
export type FlameMode = (typeof flameModes)[number];
/** Parts of the stage, each with a zoom of its own. */
export const flamePanes = ["recording", "callers", "callees", "bar"] as const;
export type FlamePane = (typeof flamePanes)[number];
export const flameOrders = ["left-heavy", "call-order"] as const;
export type FlameOrderChoice = (typeof flameOrders)[number];
export const flameColours = ["exclusive", "file", "module"] as const;
export type FlameColour = (typeof flameColours)[number];

const pane = v.picklist(flamePanes);
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
/** Levels of a drawing. */
const level = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(100_000_000));
const search = v.pipe(v.string(), v.maxLength(1000));
const zoom = v.object({ from: share, to: share, row: v.pipe(v.number(), v.minValue(0), v.maxValue(100_000_000)) });
export type FlameZoom = v.InferOutput<typeof zoom>;

/** The function of a sandwich, by name: its number may differ when the recording is read again. */
const flameFunction = v.object({ name, detail: name });
/** A bar of the super graph, with the question that the graph answers as JSON. */
const flameBar = v.object({
  id: name,
  graph: v.pipe(v.string(), v.maxLength(100_000)),
  /** Files of the recording that the graph compares with: its number may differ when it is read again. */
  compared: v.optional(paths),
});

/** What was shown, and is too long to be kept for a reload: the recording is kept instead. */
const notKept = v.object({ mode: v.picklist(["sandwich", "bar"]), name });
export type NotKept = v.InferOutput<typeof notKept>;

/** What a panel needs to come back after the window was reloaded. */
export const flameState = v.object({
  /** The first of its files: in sentences, and where pictures are saved. */
  files: paths,
  dataSet: v.optional(dataSetKey),
  mode: v.picklist(flameModes),
  notKept: v.optional(notKept),
  function: v.optional(flameFunction),
  bar: v.optional(flameBar),
  order: v.picklist(flameOrders),
  colour: v.picklist(flameColours),
  zooms: v.optional(v.record(v.string(), zoom)),
  table: v.optional(v.boolean()),
  search: v.optional(search),
});
export type FlameState = v.InferOutput<typeof flameState>;

/** What the controls show; sent again whenever the session's scope changes. */
const controls = v.object({
  type: v.literal("controls"),
  ...scopeControls,
  mode: v.picklist(flameModes),
  /** Name of the function of the sandwich, and of the bar; modes without one are not offered. */
  function: v.optional(name),
  bar: v.optional(name),
  order: v.picklist(flameOrders),
  colour: v.picklist(flameColours),
  restore: flameState,
});
export type FlameControls = v.InferOutput<typeof controls>;

const place = v.object({ node: count, depth: level, x: amount, width: amount });
export type FlamePlaceShown = v.InferOutput<typeof place>;

const column = <Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.maxLength(MARK_LIMIT));

const flames = v.object({
  type: v.literal("flames"),
  pane,
  revision: count,
  metric: name,
  unit: name,
  over,
  ranks: count,
  /** What shares are shares of. */
  total: amount,
  /** Of everything drawn here, in the metric's unit. */
  drawn: amount,
  levels: level,
  nodes: count,
  hottest: amount,
  /** Rectangles, parents before children, from left to right. */
  depth: column(level),
  x: column(amount),
  width: column(amount),
  inclusive: column(amount),
  exclusive: column(amount),
  /** Index of the rectangle above; -1: not among them. */
  parent: column(v.pipe(v.number(), v.safeInteger(), v.minValue(-1), v.maxValue(MARK_LIMIT))),
  name: column(index),
  node: column(count),
  together: column(count),
  group: column(v.pipe(v.number(), v.safeInteger(), v.minValue(-1))),
  flags: column(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(255))),
  names: v.pipe(v.array(name), v.maxLength(MARK_LIMIT)),
  /** Groups that have a colour of their own, and how many there are. */
  groups: v.pipe(v.array(name), v.maxLength(20)),
  groupCount: count,
  covering: v.pipe(v.array(v.object({ ...place.entries, name })), v.maxLength(20)),
  found: v.optional(v.object({ count, share: amount, places: v.pipe(v.array(place), v.maxLength(200)) })),
  notes: v.pipe(v.array(sentence), v.maxLength(20)),
});
export type FlamesMessage = v.InferOutput<typeof flames>;

/** Where what is selected somewhere is drawn. */
const selection = v.object({ type: v.literal("selection"), pane, revision: count, place: v.optional(place) });

const explained = v.object({
  type: v.literal("explained"),
  pane,
  revision: count,
  node: count,
  path: v.pipe(v.array(name), v.maxLength(100)),
  pathBefore: count,
  contexts: count,
  place: v.optional(name),
});
export type FlameExplanation = v.InferOutput<typeof explained>;

export const toFlameGraph = v.variant("type", [controls, flames, selection, explained, ...toEveryView]);
export type ToFlameGraph = v.InferOutput<typeof toFlameGraph>;

/** The message when it is well formed and its indices lead somewhere; else undefined. */
export function parseToFlameGraph(message: unknown): ToFlameGraph | undefined {
  const parsed = parse(toFlameGraph, message);
  return parsed?.type === "flames" && !isConsistent(parsed) ? undefined : parsed;
}

function isConsistent(message: FlamesMessage): boolean {
  const { depth, x, width, inclusive, exclusive, parent, name, node, together, group, flags } = message;
  const columns = [x, width, inclusive, exclusive, parent, name, node, together, group, flags];
  return (
    columns.every(({ length }) => length === depth.length) &&
    parent.every((above, at) => above < at) &&
    name.every((at) => at < message.names.length)
  );
}

const rectangle = { pane, revision: count, node: count };

export const fromFlameGraph = v.variant("type", [
  ...fromEveryView,
  v.object({ type: v.literal("set-mode"), mode: v.picklist(flameModes) }),
  v.object({ type: v.literal("set-order"), order: v.picklist(flameOrders) }),
  v.object({ type: v.literal("set-colour"), colour: v.picklist(flameColours) }),
  /** What is in sight of a pane, and what is searched for. */
  v.object({
    type: v.literal("look"),
    pane,
    from: share,
    to: share,
    firstDepth: level,
    endDepth: level,
    width: v.pipe(v.number(), v.minValue(1), v.maxValue(20_000)),
    search: v.optional(search),
  }),
  /** A click: select and show the line, focus stays here. */
  v.object({ type: v.literal("select"), ...rectangle }),
  /** Double click or Enter: go to the line. */
  v.object({ type: v.literal("open"), ...rectangle }),
  v.object({ type: v.literal("explain"), ...rectangle }),
  v.object({ type: v.literal("sandwich"), ...rectangle }),
]);
export type FromFlameGraph = v.InferOutput<typeof fromFlameGraph>;
export type FlameLook = Extract<FromFlameGraph, { type: "look" }>;

export const parseFromFlameGraph = (message: unknown): FromFlameGraph | undefined => parse(fromFlameGraph, message);
