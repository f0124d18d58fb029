/** Limits that every message between host and webview keeps, and the small schemas that say so. */
import * as v from "valibot";

/** A message to a webview is at most this large as JSON (UTF-16 units; what VS Code sends is of this order). */
export const MESSAGE_LIMIT = 1_000_000;
/** What a webview may send to be saved: a picture is larger than any message to it. */
export const EXPORT_LIMIT = 16_000_000;
/** Marks (bars, entries, flows) in one message. */
export const MARK_LIMIT = 20_000;

/** A name out of a recording. Any text: it is only ever shown as text. */
export const name = v.pipe(v.string(), v.maxLength(4096));
/** A sentence for people. */
export const sentence = v.pipe(v.string(), v.maxLength(8192));
/** A value in its metric's unit, or a length in pixels. */
export const amount = v.pipe(v.number(), v.finite());
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Percent of a total. */
export const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
/** A list whose length is checked before any of its items is looked at: a page may send a million. */
export function list<Item extends v.GenericSchema>(item: Item, maxLength: number) {
  const isShort = (value: unknown) => Array.isArray(value) && value.length <= maxLength;
  return v.pipe(v.custom<v.InferInput<Item>[]>(isShort), v.array(item));
}
/** Values by name, whose number is checked before any of them is looked at. */
export function byName<Value extends v.GenericSchema>(value: Value, mostNames: number) {
  const isSmall = (all: unknown) => typeof all === "object" && all !== null && Object.keys(all).length <= mostNames;
  return v.pipe(v.custom<Record<string, v.InferInput<Value>>>(isSmall), v.record(name, value));
}
/** Absolute paths of files. */
export const paths = list(v.pipe(v.string(), v.maxLength(4096)), 10_000);

/** The message when it is one of `schema`, else undefined: what is not understood is ignored, never guessed at. */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  message: unknown,
): v.InferOutput<Schema> | undefined {
  // Nobody reads what is wrong: the first thing is enough.
  const result = v.safeParse(schema, message, { abortEarly: true });
  return result.success ? result.output : undefined;
}
