/**
 * What the host says of a panel's frame as plain data: the page draws any panel's controls, steps, chips and notices from it, so
 * that a panel defines them in one place, on the host.
 */
import * as v from "valibot";
import { list, name, sentence } from "./bounds";

/** A message with more of them is not taken. */
export const MOST_NOTICES = 40;

/** Names controls, steps, chips, links and buttons in messages. */
export const frameId = v.pipe(v.string(), v.maxLength(200));

const choice = v.object({
  value: v.pipe(v.string(), v.maxLength(4200)),
  label: name,
  /** Text of the control while this is chosen. The label if absent. */
  text: v.optional(name),
  /** Where the row has little room: "mean" for "mean over ranks". */
  short: v.optional(name),
  /** Explains the choice; in the menu's tooltip. */
  title: v.optional(sentence),
  /** Choices of another group than the one before stand below a line. */
  group: v.optional(name),
  /** Why it cannot be chosen; it stays in the menu and says so. */
  disabled: v.optional(sentence),
});
export type Choice = v.InferOutput<typeof choice>;

/** Icons by their codicon names. */
const icon = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,40}$/));

const select = v.object({
  kind: v.literal("select"),
  id: frameId,
  /** What is chosen: "Metric". In the tooltip and the accessible name, never beside the control. */
  name,
  value: v.pipe(v.string(), v.maxLength(4200)),
  choices: list(choice, 2000),
  /** The value without the look of a changed one; absent: no value is special. */
  standard: v.optional(v.pipe(v.string(), v.maxLength(4200))),
  icon: v.optional(icon),
});

/** Choices that are steps from one end to another, on a slider below curves of what each brings and costs. */
const curve = v.object({
  ...select.entries,
  kind: v.literal("curve"),
  /** By step, as shares: the first line is drawn solid, the others dashed. */
  lines: list(
    v.object({
      name,
      values: list(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 2000),
    }),
    3,
  ),
  /** What lies at the first and the last step: "detail", "overview". */
  ends: v.tuple([name, name]),
});

/** A share below which something is hidden: a popover with a logarithmic slider. */
const threshold = v.object({
  kind: v.literal("threshold"),
  id: frameId,
  name,
  /** Percent. */
  value: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  /** Of the thing that is filtered: shares in percent, largest first, for the picture of what stays. */
  shares: v.optional(list(v.pipe(v.number(), v.finite()), 1000)),
  /** "17 of 24 functions stay, 99.9 % of time". */
  says: v.optional(sentence),
});

/**
 * An icon button at the right of the toolbar; those that are left out first in a narrow panel have the largest `leaves`. One with
 * a menu offers its choices, and what is chosen is its value.
 */
const tool = v.object({
  kind: v.literal("tool"),
  id: frameId,
  name,
  icon,
  /** The key that does the same, as people write it: with Ctrl it works wherever the focus is, but not in a text. */
  key: v.optional(name),
  menu: v.optional(list(v.object({ ...choice.entries, checked: v.optional(v.boolean()) }), 100)),
  /** Pressed or not; absent: no toggle. */
  on: v.optional(v.boolean()),
  /** It holds something: a dot. */
  dot: v.optional(v.boolean()),
  /** Why it cannot be used now. */
  disabled: v.optional(sentence),
  /** Tools of another group than the one before stand behind a line. */
  group: v.optional(name),
  /** In the menu at the toolbar's end, however wide the panel is. */
  tucked: v.optional(v.boolean()),
  leaves: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(20)),
});

export const control = v.variant("kind", [select, curve, threshold, tool]);
export type SelectControl = v.InferOutput<typeof select>;
export type CurveControl = v.InferOutput<typeof curve>;
export type ThresholdControl = v.InferOutput<typeof threshold>;
export type ToolControl = v.InferOutput<typeof tool>;
export type Control = v.InferOutput<typeof control>;

const step = v.object({
  id: frameId,
  text: name,
  title: v.optional(sentence),
  /** Taken back; it can be done again. */
  undone: v.optional(v.boolean()),
  /** Why it cannot be done; it is left out then. */
  problem: v.optional(sentence),
  /** It can be taken out of the row, by Delete or by its menu. */
  removable: v.optional(v.boolean()),
  /** The select control whose choices a click offers, in place of going back to this step. */
  opens: v.optional(frameId),
});
export type Step = v.InferOutput<typeof step>;

const chip = v.object({
  id: frameId,
  text: name,
  /** As a saved picture says it; absent: it is a restriction. */
  said: v.optional(name),
});
export type Chip = v.InferOutput<typeof chip>;

const noticeRow = v.object({
  /** The same notice is not shown again once it was closed. */
  id: frameId,
  severity: v.picklist(["info", "warning", "error"]),
  text: sentence,
  link: v.optional(v.object({ id: frameId, text: name })),
});
export type NoticeRow = v.InferOutput<typeof noticeRow>;

/** Everything of a panel's frame that the host decides. */
export const frame = v.object({
  type: v.literal("frame"),
  /** Of the data set: in pictures. */
  dataSet: name,
  controls: list(control, 40),
  steps: list(step, 300),
  chips: list(chip, 20),
  notices: list(noticeRow, MOST_NOTICES),
  /** Kept by the page for a reload, with its own part; read by the host with the panel's own schema. */
  restore: v.record(v.string(), v.unknown()),
});
export type FrameMessage = v.InferOutput<typeof frame>;
