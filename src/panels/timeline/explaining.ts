/** What is known of an event that is pointed at or selected, and the events that one goes to from it. */
import type { EventPlace } from "../../engine/api";
import { eventKinds } from "../../model/eventKinds";
import { isMpiCall } from "../../model/mpiNames";
import { placeText } from "../../model/placeText";
import { lineFacts } from "../kit/lineFacts";
import { quietTask, type Task } from "../../model/task";
import { shorten } from "../../model/texts";
import { formatValue } from "../../model/units";
import type { Explained, Place } from "../../protocol/panel";
import type { TimelineState } from "../../protocol/timeline";
import type { PanelHandle } from "../kit/definition";
import { eventOf, lanesOf, placeOf, type TimelineShown, type TimelineView, traceOf } from "./shown";

/** Callers that are named. */
const CALLERS = 8;

export async function explain(
  shown: TimelineShown,
  mark: number,
  view: TimelineView,
  task: Task,
): Promise<Explained | undefined> {
  const event = await eventOf(shown, mark, view);
  if (!event) return undefined;
  const { callers, category, link, state, name } = event;
  const cause = isMpiCall(name) ? await causeOf(shown, mark, view, task) : undefined;
  const place = link && placeText(link);
  const kind = eventKinds[shown.facts.states[state].kind];
  const before = callers.length - CALLERS;
  const path = [
    ...(before > 0 ? [`${before} more`] : []),
    ...callers.slice(-CALLERS).map((name) => shorten(name, 200)),
  ];
  return {
    facts: [
      ...(cause ? [["waited for", cause.says] as [string, string]] : []),
      ...(path.length > 0 ? [["in", path.join(" › ")] as [string, string]] : []),
      ["kind", kind],
      // The recording's own word, where it says more.
      ...(category === "" || category === kind ? [] : [["recorded as", shorten(category, 200)] as [string, string]]),
      ...lineFacts(link),
    ],
    ...(place === undefined ? {} : { place: shorten(place, 300) }),
    ...(cause?.other ? { other: cause.other } : {}),
  };
}

/** Whom a call waited for, in words, and where that is; undefined where nobody waited. */
async function causeOf(shown: TimelineShown, mark: number, view: TimelineView, task: Task) {
  const { facts, firstEvent } = shown;
  const { lane, event } = placeOf(shown, mark);
  const cause = await view.session.engine.timelineCause({ dataSet: view.dataSet.id, lane, event }, task);
  if (cause.kind === "none") return { says: `not known: ${shorten(cause.why, 200)}` };
  const name = shorten(facts.lanes[cause.lane].name, 100);
  const says = `${name}, ${cause.kind}, ${formatValue(cause.waitedSeconds, "s")}`;
  const at = cause.event < 0 ? undefined : firstEvent[cause.lane] + cause.event;
  if (at === undefined) return { says };
  const { startSeconds, endSeconds, depth } = await view.session.engine.timelineEvent(
    { ...traceOf(view), lane: cause.lane, event: cause.event },
    task,
  );
  const place = placeIn(shown, { lane: cause.lane, event: cause.event, startSeconds, endSeconds, depth });
  return { says, other: { name, place } };
}

/** The same with its depth, which its lane has to show. */
async function placeWithDepth(
  shown: TimelineShown,
  { lane, event, startSeconds, endSeconds }: EventPlace,
  view: TimelineView,
) {
  const { depth } = await view.session.engine.timelineEvent({ ...traceOf(view), lane, event });
  return placeIn(shown, { lane, event, startSeconds, endSeconds, depth });
}

/** Where an event lies in the drawing. */
export function placeIn(
  { facts, firstEvent }: TimelineShown,
  { lane, event, startSeconds, endSeconds, depth }: EventPlace & { readonly depth?: number },
): Place {
  const length = facts.endSeconds - facts.startSeconds || 1;
  const [x, width] = [(startSeconds - facts.startSeconds) / length, (endSeconds - startSeconds) / length];
  return { mark: firstEvent[lane] + event, x, width, row: lane, ...(depth === undefined ? {} : { depth }) };
}

type Handle = PanelHandle<TimelineState, TimelineShown>;

/** Along a chain of messages or launches; where none goes on from here, the strip says why. */
export function goAlong(isBackwards: boolean) {
  return async (shown: TimelineShown, mark: number | undefined, panel: Handle): Promise<void> => {
    const { view } = panel;
    if (mark === undefined || !view || placeOf(shown, mark).event < 0) return;
    const step = await view.session.engine.timelineChain({ ...traceOf(view), ...placeOf(shown, mark), isBackwards });
    if (step.kind !== "none") return panel.goTo(await placeWithDepth(shown, step, view));
    await say(shown, mark, panel, [isBackwards ? "before" : "next", step.why]);
  };
}

/** To the next event of the same function by time, or to the one before. */
export function goToOccurrence(isBackwards: boolean) {
  return async (shown: TimelineShown, mark: number | undefined, panel: Handle): Promise<void> => {
    const { view } = panel;
    const event = mark === undefined || !view ? undefined : await eventOf(shown, mark, view);
    if (mark === undefined || !view || !event) return;
    const query = { ...traceOf(view), ...placeOf(shown, mark), state: event.state, lanes: lanesOf(shown), isBackwards };
    const next = await view.session.engine.timelineNext(query);
    if (next) return panel.goTo(await placeWithDepth(shown, next, view));
    const [what, when] = isBackwards ? ["before", "earlier"] : ["next", "later"];
    await say(shown, mark, panel, [what, `no ${when} event of this function`]);
  };
}

async function say(shown: TimelineShown, mark: number, panel: Handle, fact: [string, string]): Promise<void> {
  const known = panel.view && (await explain(shown, mark, panel.view, quietTask));
  if (known) panel.explained(mark, { ...known, facts: [fact, ...known.facts] });
}
