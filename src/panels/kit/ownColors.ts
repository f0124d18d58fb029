/** The switch to the colours that a recording gives to its states; a recording without such colours has no switch. */
import { NONE } from "../../model/ids";
import type { ToolControl } from "../../protocol/frame";

interface Colored {
  readonly color?: number;
}

export function hasOwnColors(states: readonly Colored[]): boolean {
  return states.some(({ color = NONE }) => color !== NONE);
}

/** For a message: -1 where a state looks as its kind does. @param isOn the switch */
export function ownColorsOf(states: readonly Colored[], isOn: boolean | undefined): Int32Array {
  return Int32Array.from(states, ({ color = NONE }) => (isOn ? color : NONE));
}

/** None where the recording says no colours. */
export function ownColorsControl(isOn: boolean | undefined, states: readonly Colored[]): ToolControl[] {
  if (!hasOwnColors(states)) return [];
  const name = isOn ? "Colour states by kind" : "Colour states as the recording does";
  return [{ kind: "tool", id: "ownColors", name, icon: "symbol-color", leaves: 9, tucked: true, on: isOn === true }];
}
