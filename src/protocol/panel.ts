/** Messages between every panel of a data set and its page: metric and restriction, progress, problems, saving. */
import * as v from "valibot";
import { amount, count, EXPORT_LIMIT, list, MARK_LIMIT, name, parse, sentence } from "./bounds";
import { eventKinds } from "../model/eventKinds";
import { frame, frameId, type FrameMessage } from "./frame";

const progress = v.object({
  type: v.literal("progress"),
  /** 0 to 1; absent where it is not known. */
  fraction: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  message: v.optional(sentence),
});

/** Why there is nothing (new) to show, and what the user can do about it. */
const problem = v.object({
  type: v.literal("problem"),
  /** `unmeasured`: nothing in the recording can be drawn, whatever the controls say. */
  kind: v.picklist(["error", "empty", "unmeasured", "cancelled", "closed"]),
  message: sentence,
  advice: v.optional(sentence),
  action: v.optional(v.picklist(["retry", "open"])),
  /** Another way on, by its id. */
  link: v.optional(v.object({ id: frameId, text: name })),
});
export type Problem = v.InferOutput<typeof problem>;

/** The link of what a page names first of all that is drawn. */
export const LEAD = "lead";

/** A sentence that is shown for a while and read out. */
const notice = v.object({ type: v.literal("notice"), message: sentence });

/** The panel was opened by its command: the keyboard goes on in its drawing. */
const focus = v.object({ type: v.literal("focus") });

/** Seconds of a run. */
export const span = v.object({ from: amount, to: amount });
export const stretch = v.pipe(
  span,
  v.check(({ from, to }) => to >= from),
);
export type Stretch = v.InferOutput<typeof stretch>;

/** What the views over time of a recording show, whoever has moved it; absent: the whole run. */
const shownWindow = v.object({ type: v.literal("window"), window: v.optional(stretch) });

/** Messages that are the same for every page. */
const toEveryPage = [progress, problem, notice, focus, shownWindow] as const;
type ToEveryPage = v.InferOutput<(typeof toEveryPage)[number]>;

const side = v.pipe(v.number(), v.minValue(1), v.maxValue(20_000));

/** A mark of a drawing: the number by which a panel's content names it. */
export const mark = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(2 ** 31));

/** Where a mark lies in a drawing of which only a part may be in sight: shares of its width, its row, and its depth in rows that have depths. */
export const place = v.object({ mark, x: amount, width: amount, row: count, depth: v.optional(count) });
export type Place = v.InferOutput<typeof place>;

/** The mark that what is selected somewhere has in this drawing; absent: none. */
const selection = v.object({
  type: v.literal("selection"),
  revision: count,
  mark: v.optional(mark),
  /** Where only a part of the drawing is sent. */
  place: v.optional(place),
});
export type SelectionMessage = v.InferOutput<typeof selection>;

/** What of this drawing stands out, since its place or its kind of work was selected somewhere; without a name nothing does. */
const highlight = v.object({
  type: v.literal("highlight"),
  revision: count,
  name: v.optional(name),
  /** As the panel itself numbers its places: rows, lanes, boxes. */
  places: list(mark, MARK_LIMIT),
  kinds: list(v.picklist(eventKinds), eventKinds.length),
});
export type HighlightMessage = v.InferOutput<typeof highlight>;

/** What more is known of a mark than its drawing knows. */
const explanation = {
  facts: list(v.tuple([name, name]), 20),
  /** "main.cpp:74" */
  place: v.optional(name),
  /** Another mark, which it is about: where its cause is. */
  other: v.optional(v.object({ name, place })),
};
export type Explained = v.InferOutput<v.ObjectSchema<typeof explanation, undefined>>;
const explained = v.object({ type: v.literal("explained"), revision: count, mark, ...explanation });
export type ExplainedMessage = v.InferOutput<typeof explained>;

/** Of a content that is only near what was asked: the exact one is on its way, or nothing is any more. */
export const nearness = v.picklist(["refining", "nearest"]);
export type Nearness = v.InferOutput<typeof nearness>;

/** What is drawn: a panel's own content. */
export interface ContentMessage<Content> {
  readonly type: "content";
  /** Marks are named in the content of one revision. */
  readonly revision: number;
  readonly content: Content;
  /** Absent: it is what was asked. */
  readonly near?: Nearness;
}

/** The exact content does not come: what is shown stays near. */
const nearMessage = v.object({ type: v.literal("near"), revision: count, near: nearness });

/** What comes after the content, when it is there: a panel's own. */
export interface PartMessage<Part> {
  readonly type: "part";
  /** Of the content that it is part of. */
  readonly revision: number;
  readonly part: Part;
}

/** What a restriction leaves of what is drawn: a panel's own. */
export interface ChosenMessage<Chosen> {
  readonly type: "chosen";
  readonly revision: number;
  /** The last choice that has arrived: an answer to an earlier one is of no use while the user goes on choosing. */
  readonly choice: number;
  /** Absent without a restriction. */
  readonly chosen?: Chosen;
}

/** Messages of the kit to its page; `content`, `part` and `chosen` are the panel's own. */
export type ToPage<Content, Chosen, Part = never> =
  | FrameMessage
  | SelectionMessage
  | HighlightMessage
  | ExplainedMessage
  | v.InferOutput<typeof nearMessage>
  | ContentMessage<Content>
  | PartMessage<Part>
  | ChosenMessage<Chosen>
  | ToEveryPage;

/**
 * Checks messages to a page.
 *
 * @param content of a panel; what does not fit is ignored, never guessed at
 */
export function toPageParser<Content, Chosen, Part>(
  content: v.GenericSchema<unknown, Content>,
  chosen: v.GenericSchema<unknown, Chosen>,
  part?: v.GenericSchema<unknown, Part>,
): (message: unknown) => ToPage<Content, Chosen, Part> | undefined {
  const schema = v.variant("type", [
    frame,
    selection,
    highlight,
    explained,
    nearMessage,
    ...toEveryPage,
    v.object({ type: v.literal("content"), revision: count, content, near: v.optional(nearness) }),
    v.object({ type: v.literal("part"), revision: count, part: part ?? v.never() }),
    v.object({ type: v.literal("chosen"), revision: count, choice: count, chosen: v.optional(chosen) }),
  ]);
  return (message) => parse(schema, message) as ToPage<Content, Chosen, Part> | undefined;
}

/** Pixels of a page with all its rows, and how wide VS Code's window is. */
const room = v.object({ width: side, height: side, windowWidth: side });
export type Room = v.InferOutput<typeof room>;

const size = { width: side, height: side, room: v.optional(room) };

/** Messages from the page of every panel of the kit. */
export const fromEveryPage = [
  /** The page listens, and draws into an area of this size; sent again at every change of size. */
  v.object({ type: v.literal("ready"), ...size }),
  v.object({ type: v.literal("resize"), ...size }),
  v.object({ type: v.literal("cancel") }),
  v.object({ type: v.literal("retry") }),
  v.object({ type: v.literal("open-data-set") }),
  v.object({ type: v.literal("copy"), text: v.pipe(v.string(), v.maxLength(100_000)) }),
  /** SVG and CSV as text, PNG as base64. */
  v.object({
    type: v.literal("save"),
    format: v.picklist(["svg", "csv", "png"]),
    content: v.pipe(v.string(), v.maxLength(EXPORT_LIMIT)),
  }),
  /** A choice of a select, a threshold in percent, or nothing for a tool. */
  v.object({ type: v.literal("control"), id: frameId, value: v.pipe(v.string(), v.maxLength(4200)) }),
  v.object({ type: v.literal("step"), id: frameId }),
  v.object({ type: v.literal("remove-step"), id: frameId }),
  v.object({ type: v.literal("remove-chip"), id: frameId }),
  v.object({ type: v.literal("notice-link"), id: frameId }),
  /** A click (`select`), double click or Enter (`open`), or an entry of its menu; without a mark it is about all that is drawn. */
  v.object({ type: v.literal("mark"), action: frameId, revision: count, mark: v.optional(mark) }),
  /** A mark is pointed at: what more is known of it? */
  v.object({ type: v.literal("explain"), revision: count, mark }),
  /** What of the drawing is in sight, as the panel itself says it and checks it. */
  v.object({ type: v.literal("look"), revision: count, look: v.unknown() }),
  /** What is in sight of the run was moved; absent: all of it is. */
  shownWindow,
  /** Restricts to what these marks stand for; to none: takes the restriction away. `choice` grows with each. */
  v.object({
    type: v.literal("choose"),
    revision: count,
    choice: count,
    marks: list(mark, MARK_LIMIT),
  }),
] as const;
export type FromEveryPage = v.InferOutput<(typeof fromEveryPage)[number]>;
