/** Colours that a recording gives to its states. */
import { NONE } from "./ids";

/** By type of states and name: 0xRRGGBB. */
export type StateColors = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** @returns NONE where the recording has none */
export function stateColor(colors: StateColors | undefined, type: string, name: string): number {
  return colors?.get(type)?.get(name) ?? NONE;
}
