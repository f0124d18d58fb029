/** A microscopic model as a file: `{values: [leaf][state][slice], parents, normalize, threshold}`, leaves first. */
import * as v from "valibot";
import type { MicroscopicModel } from "../aggregation/microscopicModel";
import { ArgumentError } from "./arguments";

export interface ModelFile {
  readonly model: MicroscopicModel;
  readonly normalize?: boolean;
  readonly threshold?: number;
}

/** Nothing but lists that hold something, so many levels deep, and numbers in them. */
const numberList = v.pipe(v.array(v.number()), v.minLength(1));
const fileContent = v.object({
  values: v.pipe(v.array(v.pipe(v.array(numberList), v.minLength(1))), v.minLength(1)),
  parents: v.pipe(v.array(v.pipe(v.number(), v.integer())), v.minLength(1)),
  normalize: v.optional(v.boolean()),
  threshold: v.optional(v.pipe(v.number(), v.gtValue(0), v.ltValue(1))),
});

/** @param file its name, for errors @throws ArgumentError where it is none */
export function readModel(text: string, file: string): ModelFile {
  const fail = (what: string): never => {
    throw new ArgumentError(`${file}: ${what}`);
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return fail("is no JSON");
  }
  const read = v.safeParse(fileContent, json);
  if (!read.success) {
    const [{ message, path }] = read.issues;
    return fail(`${(path ?? []).map(({ key }) => String(key)).join(".") || "content"}: ${message}`);
  }
  const { values, parents, normalize, threshold } = read.output;
  const [states, slices] = [values[0].length, values[0][0].length];
  if (values.some((leaf) => leaf.length !== states || leaf.some((row) => row.length !== slices)))
    return fail("each leaf has as many states, and each state as many slices, as the first one");
  const numbers = values.flat(2);
  if (numbers.some((one) => !(one >= 0 && one < Infinity))) return fail("values are finite numbers, 0 or more");
  const model = {
    leaves: values.length,
    states,
    slices,
    values: Float64Array.from(numbers),
    parents: Int32Array.from(parents),
  };
  return { model, normalize, threshold };
}
