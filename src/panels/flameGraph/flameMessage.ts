/** Rectangles as a message: the same numbers, cut down to what a message may hold. */
import type { Flames } from "../../engine/api";
import { MESSAGE_LIMIT, parse } from "../../protocol/bounds";
import {
  type FlamePane,
  type FlamesMessage,
  type FlameState,
  flameState,
  type NotKept,
} from "../../protocol/flameGraph";
import { shorten } from "../kit/shorten";

/** How many rectangles are asked for, tried in turn until the message is small enough. */
export const FLAME_LIMITS = [8000, 4000, 1500, 500] as const;
/** Groups with a colour of their own: as many as can be told apart. */
const COLOURED_GROUPS = 7;

/** What a message says beside the rectangles. */
export interface FlameFrame {
  readonly pane: FlamePane;
  readonly revision: number;
  readonly metric: string;
  readonly unit: string;
  readonly over: string;
  readonly ranks: number;
}

/** @returns undefined where it would be too large */
export function flameMessage(flames: Flames, frame: FlameFrame): FlamesMessage | undefined {
  for (const characters of [1000, 200, 60]) {
    const message = cutTo(flames, frame, characters);
    if (JSON.stringify(message).length <= MESSAGE_LIMIT) return message;
  }
  return undefined;
}

function cutTo(flames: Flames, frame: FlameFrame, characters: number): FlamesMessage {
  const { rectangles, found, width, covering } = flames;
  const share = (value: number) => (width > 0 ? rounded(value / width) : 0);
  const placed = <Place extends { x: number; width: number }>(place: Place) => ({
    ...place,
    x: share(place.x),
    width: share(place.width),
  });
  return {
    type: "flames",
    ...frame,
    total: flames.total,
    drawn: width,
    levels: flames.levels,
    nodes: flames.nodes,
    hottest: flames.hottest,
    depth: [...rectangles.depth],
    x: Array.from(rectangles.x, share),
    width: Array.from(rectangles.width, share),
    inclusive: [...rectangles.inclusive],
    exclusive: [...rectangles.exclusive],
    parent: [...rectangles.parent],
    name: [...rectangles.name],
    node: [...rectangles.node],
    together: [...rectangles.together],
    group: [...rectangles.group],
    flags: [...rectangles.flags],
    names: flames.names.map((name) => shorten(name, characters)),
    groups: flames.groups.slice(0, COLOURED_GROUPS).map((name) => shorten(name, 300)),
    groupCount: flames.groups.length,
    covering: covering.map((place) => ({ ...placed(place), name: shorten(place.name, 300) })),
    ...(found ? { found: { count: found.count, share: share(found.width), places: found.places.map(placed) } } : {}),
    notes: flames.notes.slice(0, 20).map((note) => shorten(note, 4096)),
  };
}

/** What a panel remembers of itself; metric and ranks are the session's, zoom and search the view's. */
export type FlamePanelState = Pick<
  FlameState,
  "files" | "dataSet" | "mode" | "notKept" | "function" | "bar" | "order" | "colour"
>;

/**
 * What is kept for a reload: in place of what is too long for that, as a question with thousands of the user's groups, the
 * recording, which then says so ({@link notKeptNote}).
 */
export function keptState(state: FlamePanelState): FlamePanelState {
  const { function: wanted, bar, ...always } = state;
  const fits = (part: Partial<FlamePanelState>) => parse(flameState, { ...always, ...part }) !== undefined;
  const kept = {
    ...always,
    ...(wanted && fits({ function: wanted }) ? { function: wanted } : {}),
    ...(bar && fits({ bar }) ? { bar } : {}),
  };
  const lost = (mode: NotKept["mode"], called: string): FlamePanelState => ({
    ...kept,
    mode: "recording",
    notKept: { mode, name: shorten(called, 200) },
  });
  if (state.mode === "sandwich" && wanted && !kept.function) return lost("sandwich", wanted.name);
  if (state.mode === "bar" && bar && !kept.bar) return lost("bar", bar.id);
  return kept;
}

/** What a panel says that came back with the recording in place of what it had shown: what that was, and the way to it. */
export function notKeptNote({ mode, name }: NotKept): string {
  return mode === "bar"
    ? `This is the whole recording: what was inside ${name} is too long a question to be kept for a reload. To see it again, choose “Look inside” in the menu of that bar of the super graph.`
    : `This is the whole recording: the name of ${name} is too long to be kept for a reload. To see its sandwich again, choose “Show in Sandwich” in the menu of the hot function.`;
}

/** More digits than a screen has pixels at the strongest zoom, in half of the characters. */
function rounded(share: number): number {
  return Number(share.toPrecision(9));
}
