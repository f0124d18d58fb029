/** The mark of what is selected somewhere else. */
import { shorten } from "../../model/texts";
import type { Selection } from "../../session/session";
import { eventOf, type TimelineShown, type TimelineView } from "./shown";

/** Events whose calling contexts are asked for. */
const MOST_ASKED = 8;

/**
 * Of what is in sight, the longest event of a function; of a calling context the longest one that is in it, where the longest few have
 * one. Where only clusters have the function, the one with most events. What was selected here is marked already.
 */
export async function markOf(
  shown: TimelineShown,
  { target, name, origin }: Pick<Selection, "target" | "name" | "origin">,
  view: TimelineView,
): Promise<number | undefined> {
  const { marks, facts, firstEvent } = shown;
  if (!marks || origin === "timeline" || name === "" || target.kind === "bar") return undefined;
  const isNamed = facts.states.map((state) => shorten(state.name, 200) === name);
  const { from, to } = view.window ?? { from: -Infinity, to: Infinity };
  const { lane, event, events, state, startSeconds, endSeconds } = marks;
  const own = Array.from({ length: marks.count }, (_, at) => at).filter(
    (at) => isNamed[state[at]] && startSeconds[at] < to && endSeconds[at] > from,
  );
  const length = (at: number) => endSeconds[at] - startSeconds[at];
  const single = own.filter((at) => events[at] === 1).sort((a, b) => length(b) - length(a) || a - b);
  const number = (at: number) => firstEvent[lane[at]] + event[at];
  if (single.length === 0) {
    const [most] = own.sort((a, b) => events[b] - events[a] || a - b);
    return most === undefined ? undefined : number(most);
  }
  if (target.kind === "context")
    for (const at of single.slice(0, MOST_ASKED)) {
      const found = (await eventOf(shown, number(at), view))?.target;
      if (found?.kind === "context" && found.context === target.context) return number(at);
    }
  return number(single[0]);
}
