import type * as vscode from "vscode";
import type { Scope, SourceLink, Target } from "../../engine/api";
import type { PanelParts } from "./parts";
import type { Run } from "./latest";
import { hottestPlace } from "../../session/hottestPlace";
import { shorten } from "../../model/texts";

/**
 * Goes to the hottest line of a target, of none: of the whole recording (semantics 4); in a comparison to the line that changed most.
 *
 * @param options a click (`focus` off) asks nothing: what needs an answer waits for Enter or a double click
 * @returns a sentence for the panel where the line was not shown
 */
export async function showHottestLine(
  { session, navigator }: PanelParts,
  scope: Scope,
  { target, name }: { readonly target: Target | undefined; readonly name: string },
  run: Run,
  options: { readonly focus: boolean; readonly beside?: vscode.ViewColumn },
): Promise<string | undefined> {
  const place = await hottestPlace(session, scope, target, run.task);
  if (run.superseded) return undefined;
  if (!place) return `No line is known for ${shorten(name, 200)}.`;
  return showLink({ navigator }, place, options);
}

/**
 * Goes to the place of a link. @returns a sentence for the panel where the line was not shown
 *
 * @param options a click (`focus` off) asks nothing: what needs an answer waits for Enter or a double click
 */
export async function showLink(
  { navigator }: Pick<PanelParts, "navigator">,
  { name, link }: { readonly name: string; readonly link: SourceLink },
  options: { readonly focus: boolean; readonly beside?: vscode.ViewColumn },
): Promise<string | undefined> {
  const { places, reason, missingFile } = link;
  if (!options.focus && places.length > 1)
    return `${shorten(name, 200)} has ${places.length} likely places. Press Enter to choose.`;
  if (!options.focus && places.length === 0) {
    const remedy = missingFile === undefined ? "" : " Press Enter to locate the file.";
    return `${shorten(name, 200)}: ${shorten(reason, 1000)}${remedy}`;
  }
  await navigator.go(link, options);
  return undefined;
}
