/** Whose a function is whose name the tool did not know: its load module says it. */
import { type FrameTable, isAddressName, isPlaceholderName } from "./frames";
import { groupBy } from "./maps";
import { fileName } from "./placeText";
import { shownNames } from "./shownNames";

/**
 * `<unknown procedure> in libpsm.so`, `0x1ab70 in ld-linux-x86-64.so.2`.
 *
 * @param name what is shown where the frame has no name at all
 * @returns undefined where the tool knew a name, or no load module
 */
export function placedName(frames: FrameTable, frame: number, name: string): string | undefined {
  const own = frames.nameOf(frame);
  if (!isPlaceholderName(own) && !isAddressName(own)) return undefined;
  const module = frames.strings.get(frames.moduleIndex(frame));
  return module === "" ? undefined : `${name} in ${fileName(module)}`;
}

/**
 * {@link shownNames} of a recording's functions, with the load module of those that the tool had only an address of. A placeholder that
 * functions of several load modules share has none here: {@link placedName} gives the one of each function.
 *
 * @param functions their frames
 * @param readable demangles a name
 */
export function shownFunctionNames(
  frames: FrameTable,
  functions: Int32Array,
  readable: (name: string) => string | undefined,
): ReadonlyMap<string, string> {
  const shown = new Map(
    shownNames(
      Array.from(functions, (frame) => frames.nameOf(frame)),
      readable,
    ),
  );
  const addresses = [...functions].filter((frame) => isAddressName(frames.nameOf(frame)));
  for (const [name, [frame, ...others]] of groupBy(addresses, (one) => frames.nameOf(one))) {
    const placed = others.length === 0 ? placedName(frames, frame, name) : undefined;
    if (placed !== undefined) shown.set(name, placed);
  }
  return shown;
}
