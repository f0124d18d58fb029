/** From marks of panels to all numbers (semantics 3): restrictions to members of the recording, a window of time, or kinds of work. */
import type { Chosen, TimeWindow } from "../../engine/api";
import type { EventKind } from "../../model/eventKinds";
import { windowMetric } from "../../session/scopeChoice";
import type { PanelHandle } from "./definition";

type Panel = Pick<PanelHandle<object, never>, "view" | "notice">;

/** @param members undefined: what was pointed at is all of the recording, or no member of its own */
export function restrictToMembers(members: Chosen | undefined, panel: Panel): void {
  const { view } = panel;
  if (view && members) view.session.setRestriction(view.dataSet.id, members);
  else panel.notice("This is the whole recording, or it has no rank, thread, GPU or stream to restrict to.");
}

/** Restricts all numbers to a window of the run, where the recording has some that are known over time; else says that it has none. */
export function restrictInTime(window: TimeWindow, panel: Panel): void {
  const { view } = panel;
  if (view && isOverTime(panel, "a window")) view.session.setWindow(view.dataSet.id, window);
}

/** Of the same recordings. */
export function restrictToKinds(kinds: readonly EventKind[], panel: Panel): void {
  const { view } = panel;
  if (view && isOverTime(panel, "a category")) view.session.setKinds(view.dataSet.id, kinds);
}

/** Else it says that nothing can be restricted to that. */
function isOverTime(panel: Panel, to: string): boolean {
  const { view } = panel;
  if (!view) return false;
  const { dataSet, scope } = view;
  if (scope.metric >= 0 && windowMetric(dataSet, scope.metric) >= 0) return true;
  panel.notice(`Metrics of this recording have no times, so numbers cannot be restricted to ${to}.`);
  return false;
}

/** What a restriction leaves of a window; may be empty. @param restriction undefined: none */
export function leftOf({ from, to }: TimeWindow, restriction: TimeWindow | undefined): TimeWindow {
  if (!restriction) return { from, to };
  const begin = Math.min(to, Math.max(from, restriction.from));
  return { from: begin, to: Math.max(begin, Math.min(to, restriction.to)) };
}
