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
/** An index into an array of the same message, or of the graph of the same revision. */
export const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MARK_LIMIT));
/** Percent of a total. */
export const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
/** Tells a data set from all others, for good: over reloads and restarts. */
export const dataSetKey = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
/** Absolute paths of files. */
export const paths = v.pipe(v.array(v.pipe(v.string(), v.maxLength(4096))), v.maxLength(10_000));
/** How ranks are combined: sum, mean, max, min, or one rank. */
export const over = v.pipe(v.string(), v.regex(/^(sum|mean|max|min|rank=\d{1,9})$/));

export const isName = (value: unknown): value is string => typeof value === "string" && value.length <= 4096;
export const isAmount = (value: unknown): value is number => Number.isFinite(value);
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
export const isIndex = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MARK_LIMIT;

/**
 * An array of as many values as a message may hold, each checked as by a schema, in one pass: with thousands of marks a schema
 * for each value takes longer than drawing them. The issue says where the first wrong value is.
 */
export function columnOf<Value>(isRight: (value: unknown) => value is Value, most = MARK_LIMIT) {
  return v.pipe(
    v.custom<Value[]>(Array.isArray),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const values: readonly unknown[] = dataset.value;
      if (values.length > most) return addIssue({ message: `${values.length} values, more than ${most}` });
      // Unlike `findIndex`, this tells a hole, which a message may have, from nothing found.
      for (let at = 0; at < values.length; at++)
        if (!isRight(values[at])) return addIssue({ message: `no such value may stand at ${at}` });
    }),
  );
}

/** The message when it is one of `schema`, else undefined: what is not understood is ignored, never guessed at. */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  message: unknown,
): v.InferOutput<Schema> | undefined {
  const result = v.safeParse(schema, message);
  return result.success ? result.output : undefined;
}
