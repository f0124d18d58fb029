/** Restrictions that an event's menu makes, and what it highlights. */
import { type EventKind, eventKinds } from "../../model/eventKinds";
import type { TimelineState } from "../../protocol/timeline";
import type { PanelHandle } from "../kit/definition";
import { restrictToKinds, restrictToMembers } from "../kit/restricting";
import { eventOf, placeOf, type TimelineShown } from "./shown";

type Handle = PanelHandle<TimelineState, TimelineShown>;

/** To what is recorded at a mark's lane. */
export function restrictToLane(shown: TimelineShown, mark: number | undefined, panel: Handle): void {
  if (mark !== undefined) restrictToMembers(shown.facts.lanes.at(placeOf(shown, mark).lane)?.members, panel);
}

/** To what a mark's time is spent on, of a cluster most of it. */
export async function restrictToKind(shown: TimelineShown, mark: number | undefined, panel: Handle): Promise<void> {
  const kind = await kindOf(shown, mark, panel);
  if (kind) restrictToKinds([kind], panel);
}

/** In all views; what is highlighted already is so no more. */
export async function highlightKind(shown: TimelineShown, mark: number | undefined, panel: Handle): Promise<void> {
  const kind = await kindOf(shown, mark, panel);
  if (kind) panel.highlight({ kinds: [kind] }, kind);
}

async function kindOf(
  shown: TimelineShown,
  mark: number | undefined,
  { view }: Handle,
): Promise<EventKind | undefined> {
  if (mark === undefined || !view) return undefined;
  const { marks, firstEvent, facts } = shown;
  const at = marks?.event.findIndex((event, one) => firstEvent[marks.lane[one]] + event === mark) ?? -1;
  // Events of lists need not be in sight.
  const state = at >= 0 ? marks?.state[at] : (await eventOf(shown, mark, view))?.state;
  return state === undefined ? undefined : eventKinds[facts.states[state].kind];
}
