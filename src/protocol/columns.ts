/** Columns of numbers in messages: typed arrays, which VS Code hands on as they are; each is checked in one pass. */
import * as v from "valibot";
import { MARK_LIMIT } from "./bounds";

/**
 * @param most how many values there may be
 * @param isRight what each must be, beside finite
 */
export function numbers(most = MARK_LIMIT, isRight: (value: number) => boolean = () => true) {
  return v.pipe(
    v.custom<Float64Array>((value) => value instanceof Float64Array),
    v.check((all) => all.length <= most && all.every((value) => Number.isFinite(value) && isRight(value))),
  );
}

/** As {@link numbers}, of which some may be NaN: nothing is known there. */
export function numbersOrNone(most = MARK_LIMIT) {
  return v.pipe(
    v.custom<Float64Array>((value) => value instanceof Float64Array),
    v.check((all) => all.length <= most && all.every((value) => Number.isFinite(value) || Number.isNaN(value))),
  );
}

/** Whole numbers from `least` to `largest`. */
export function integers(least: number, largest: number, most = MARK_LIMIT) {
  return v.pipe(
    v.custom<Int32Array>((value) => value instanceof Int32Array),
    v.check((all) => all.length <= most && all.every((value) => value >= least && value <= largest)),
  );
}

/** Colours that a recording gives to states, 0xRRGGBB; -1: as its kind. */
export function ownColors(most = MARK_LIMIT) {
  return integers(-1, 0xffffff, most);
}
