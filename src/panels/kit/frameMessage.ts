/** A panel's frame as the message that its page is sent: what the definition says, and what every panel has. Pure. */
import { type FrameMessage, MOST_NOTICES, type Step } from "../../protocol/frame";
import type { Note, PanelDefinition, View } from "./definition";
import { scopeChips, scopeControls } from "./scopeControls";
import { withoutEnding } from "../../model/placeText";
import { shorten } from "../../model/texts";

/**
 * @param dataSetKey kept by the page with the panel's state
 * @param shown what is on screen
 * @param asked what that was asked with
 */
export function frameMessage<State extends object, Shown>(
  definition: Pick<
    PanelDefinition<State, Shown, unknown, unknown, unknown>,
    "showsMetric" | "combines" | "restrictionText" | "controls" | "steps" | "drawsBoth" | "notes"
  >,
  dataSetKey: string,
  view: View<State>,
  shown: Shown | undefined,
  asked = view,
): FrameMessage {
  const { dataSet, scope, state } = view;
  const notes = shown === undefined ? [] : (definition.notes?.(shown, asked) ?? []);
  return {
    type: "frame",
    dataSet: shorten(dataSet.name, 4096),
    controls: [
      ...(scope.metric < 0 || definition.showsMetric === false
        ? []
        : scopeControls(dataSet, scope, definition.combines?.(view))),
      ...definition.controls(view, shown),
    ],
    steps: [...(definition.steps?.(view, shown) ?? [firstStep(dataSet)])],
    chips: scopeChips(view, definition.drawsBoth?.(view) === true, definition.restrictionText?.(view, shown)),
    notices: few(notes).map((note) => {
      const { text, ...link } = typeof note === "string" ? { text: note } : note;
      return { id: shorten(text, 200), severity: "info", text: shorten(text, 8192), ...link };
    }),
    restore: { dataSet: dataSetKey, ...state },
  };
}

/** The recording, without the ending of its file; whole in the tooltip. */
export function firstStep({ name }: { readonly name: string }, id = ""): Step {
  const stem = withoutEnding(name);
  return { id, text: shorten(stem, 200), ...(stem === name ? {} : { title: shorten(name, 200) }) };
}

/** As many as a message may hold; the last one counts the others. */
function few(notes: readonly Note[]): readonly Note[] {
  if (notes.length <= MOST_NOTICES) return notes;
  const shown = notes.slice(0, MOST_NOTICES - 1);
  return [...shown, `${notes.length - shown.length} more notes are not shown.`];
}
