/** A panel's frame as the message that its page is sent: what the definition says, and what every panel has. Pure. */
import type { FrameMessage } from "../../protocol/frame";
import type { PanelDefinition, View } from "./definition";
import { scopeChips, scopeControls } from "./scopeControls";
import { shorten } from "./shorten";

/**
 * @param dataSetKey kept by the page with the panel's state
 * @param notes sentences that must be said about what is drawn
 */
export function frameMessage<State extends object>(
  definition: Pick<PanelDefinition<State, never, unknown, unknown>, "controls" | "steps">,
  dataSetKey: string,
  view: View<State>,
  notes: readonly string[],
): FrameMessage {
  const { dataSet, scope, state } = view;
  return {
    type: "frame",
    dataSet: shorten(dataSet.name, 4096),
    controls: [...scopeControls(dataSet, scope), ...definition.controls(view)],
    steps: [...(definition.steps?.(view) ?? [{ id: "", text: shorten(dataSet.name, 200) }])],
    chips: scopeChips(scope),
    notices: notes.map((text) => ({ id: shorten(text, 200), severity: "info", text: shorten(text, 8192) })),
    restore: { dataSet: dataSetKey, ...state },
  };
}
