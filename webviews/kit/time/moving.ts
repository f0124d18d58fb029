/** What gestures make of a window of time. Pure. */
import type { Place, Stretch } from "../../../src/protocol/panel";
import type { Box } from "../stage/scene";
import type { Gesture } from "../stage/sight";
import { Axis, endOf, otherWindow, type Run, withWindow, type WindowSeen } from "./window";

/** On each side of what is zoomed to. */
const MARGIN = 0.05;

export interface Moving<Seen> {
  readonly area: Box;
  /** Pixels of the rows as near to these as there are rows. */
  scrolled(now: Seen, top: number): number;
  /** Seconds of a mark, about which keys zoom; undefined: of none that is known. */
  momentsOf(mark: number): Stretch | undefined;
}

/** The same where a gesture is about something else than the window. */
export function movedInTime<Seen extends WindowSeen>(
  run: Run,
  now: Seen,
  gesture: Gesture,
  { area, scrolled, momentsOf }: Moving<Seen>,
): Seen {
  const axis = new Axis(area, now);
  const span = now.to - now.from;
  const to = (window: Stretch, top = now.top) =>
    withWindow(run, now, window, {
      top: scrolled(now, top),
      isStep: gesture.kind === "fit" || gesture.kind === "fill",
    });
  switch (gesture.kind) {
    case "fit":
      return to({ from: run.start, to: endOf(run) }, 0);
    case "zoom": {
      const middle = gesture.mark === undefined ? undefined : momentsOf(gesture.mark);
      const about = gesture.at
        ? axis.seconds(Math.max(area.x, gesture.at.x))
        : middle && middle.from < now.to && middle.to > now.from
          ? (Math.max(middle.from, now.from) + Math.min(middle.to, now.to)) / 2
          : (now.from + now.to) / 2;
      const wide = span / gesture.factor;
      const from = about - ((about - now.from) / span) * wide;
      return to({ from, to: from + wide });
    }
    case "pan": {
      const by = (gesture.dx / area.width) * span;
      const shift = Math.min(endOf(run) - now.to, Math.max(run.start - now.from, by));
      return to({ from: now.from + shift, to: now.to + shift }, now.top + gesture.dy);
    }
    case "fill": {
      const { from, to: end } = momentsIn(run, gesture.place);
      const margin = (end - from) * MARGIN;
      return to({ from: from - margin, to: end + margin });
    }
    case "window": {
      const length = run.end - run.start;
      return to({ from: run.start + gesture.from * length, to: run.start + gesture.to * length });
    }
    case "show":
      return to(gesture.window ?? { from: run.start, to: endOf(run) });
    case "measure": {
      const rest: Seen = { ...now };
      delete rest.range;
      delete rest.isMeasuring;
      const { box, isUnderWay, place } = gesture;
      if (place) return { ...rest, range: momentsIn(run, place) };
      if (!box) return rest;
      const within = (x: number) => Math.min(run.end, Math.max(run.start, axis.seconds(x)));
      const range = { from: within(Math.max(area.x, box.x)), to: within(box.x + box.width) };
      return range.to > range.from ? { ...rest, range, ...(isUnderWay ? { isMeasuring: true } : {}) } : rest;
    }
    case "back":
    case "forward":
      return otherWindow(now, gesture.kind);
    default:
      return now;
  }
}

/** Seconds of a place. */
export function momentsIn({ start, end }: Run, { x, width }: Pick<Place, "x" | "width">): Stretch {
  return { from: start + x * (end - start), to: start + (x + width) * (end - start) };
}
