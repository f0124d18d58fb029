/** The choices of a control as a menu below its button. */
import type { CurveControl, SelectControl } from "../../../src/protocol/frame";
import { openMenu } from "../overlay/menu";
import { BELOW } from "../overlay/place";
import type { FrameActions } from "./model";

export function offer(
  control: SelectControl | CurveControl,
  actions: Pick<FrameActions, "control">,
  button: HTMLElement,
  closed?: () => void,
): void {
  const { left, top, bottom } = button.getBoundingClientRect();
  const items = control.choices.map(({ value, label, title, group, disabled }) => ({
    label,
    title,
    group,
    disabled,
    checked: value === control.value,
    run: () => actions.control(control.id, value),
  }));
  openMenu(control.name, items, { x: left, y: bottom + BELOW, above: top - BELOW }, button, closed);
}
