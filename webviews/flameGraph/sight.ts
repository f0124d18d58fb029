/** What of a flame graph is in sight: each drawing has a zoom of its own. Pure. */
import * as v from "valibot";
import {
  FLAME_ROW,
  flameAreas,
  type FlameContent,
  type FlameLook,
  flameMark,
  flameWindow,
  MOST_PANES,
  ofFlameMark,
} from "../../src/protocol/flameGraph";
import type { SightSpec } from "../kit/definition";
import type { DrawView } from "../kit/stage/scene";
import {
  filled,
  type Gesture,
  panned,
  revealing,
  type Room,
  sight,
  type Sight,
  WHOLE,
  zoomed,
} from "../kit/stage/sight";
import { visible } from "../shared/text";
import { rectangleOf, rectanglesOf } from "./rectangles";

export const flameSeen = v.object({
  /** Of a content: elsewhere it means nothing. */
  subject: v.string(),
  sights: v.pipe(v.array(sight), v.maxLength(MOST_PANES)),
});
export type FlameSeen = v.InferOutput<typeof flameSeen>;

/** What is in sight of each drawing. */
export function sightsOf({ subject, panes }: FlameContent, seen: FlameSeen | undefined): readonly Sight[] {
  return panes.map((_, at) => (seen?.subject === subject ? seen.sights.at(at) : undefined) ?? WHOLE);
}

export const flameSight: SightSpec<FlameContent, FlameSeen> = {
  schema: flameSeen,
  moved(content, seen, gesture, view) {
    const before = sightsOf(content, seen);
    const sights = before.map((one, at) => movedPane(content, at, one, gesture, view));
    const isSame = sights.every((one, at) => JSON.stringify(one) === JSON.stringify(before[at]));
    return isSame ? seen : { subject: content.subject, sights };
  },
  look(content, seen, view, search): FlameLook | undefined {
    const areas = flameAreas(view, content.panes.length);
    const sights = sightsOf(content, seen);
    const wanted = search.trim() === "" ? undefined : search.slice(0, 1000);
    const hasAll = content.panes.every(({ window, levels }, at) => {
      const { from, to, row } = sights[at];
      const last = Math.min(levels, row + areas[at].height / FLAME_ROW + 1);
      const { width } = areas[at];
      if (window.from !== from || window.to !== to || window.width !== width) return false;
      return window.firstDepth <= row && window.endDepth >= last;
    });
    if (hasAll && wanted === content.search) return undefined;
    const windows = sights.map((one, at) => flameWindow(one, areas[at]));
    return { subject: content.subject, windows, ...(wanted === undefined ? {} : { search: wanted }) };
  },
  placeOf(content, mark) {
    const known = rectangleOf(content, mark);
    return known?.rectangles.place(known.at);
  },
  found(content, search) {
    if (content.search !== search.slice(0, 1000)) return undefined;
    const places = content.panes.flatMap(({ found }, pane) =>
      (found?.places ?? []).map(({ node, depth, x, width }) => ({ mark: flameMark(pane, node), x, width, row: depth })),
    );
    const marks = rectanglesOf(content).flatMap((rectangles) =>
      [...rectangles.pane.node.keys()].filter(rectangles.isFound).map((at) => rectangles.mark(at)),
    );
    const count = content.panes.reduce((sum, { found }) => sum + (found?.count ?? 0), 0);
    return { marks: new Set(marks), places, count };
  },
  isSeveral(content, mark) {
    const known = rectangleOf(content, mark);
    return known?.rectangles.isRun(known.at) === true;
  },
  crumbs(content, seen) {
    const sights = sightsOf(content, seen);
    return content.panes.flatMap(({ kind, covering, window }, pane) => {
      const { from, to } = sights[pane];
      if (from === 0 && to === 1) return [];
      const lead = content.panes.length > 1 ? `${kind}: ` : "";
      const places = window.from === from && window.to === to ? covering.filter(({ width }) => width < 1) : [];
      const crumbs = places.map(({ name, node, depth, x, width }): { text: string; gesture: Gesture } => {
        const place = { mark: flameMark(pane, node), x, width, row: depth };
        return { text: lead + visible(name).slice(0, 80), gesture: { kind: "fill", place } };
      });
      return crumbs.length > 0 ? crumbs : [{ text: `${lead}a part of it`, gesture: { kind: "fit" } as const }];
    });
  },
};

function movedPane(content: FlameContent, at: number, now: Sight, gesture: Gesture, view: DrawView): Sight {
  const areas = flameAreas(view, content.panes.length);
  const { x: left, width, height } = areas[at];
  const { levels, kind } = content.panes[at];
  const room: Room = { width, rows: height / FLAME_ROW, levels };
  const isAt = ({ y }: { readonly y: number }) =>
    areas.findLastIndex((area) => y >= area.y) === at || areas.length === 1;
  switch (gesture.kind) {
    case "fit":
      return WHOLE;
    case "zoom": {
      const { factor, at: point, mark } = gesture;
      if (point) return isAt(point) ? zoomed(now, factor, (point.x - left) / width, room) : now;
      const place = mark === undefined ? undefined : flameSight.placeOf(content, mark);
      if (mark !== undefined && ofFlameMark(mark).pane !== at) return now;
      const middle = place ? (place.x + place.width / 2 - now.from) / (now.to - now.from) : 0.5;
      return zoomed(now, factor, Math.min(1, Math.max(0, middle)), room);
    }
    case "pan":
      if (!isAt(gesture.at)) return now;
      // Callers stand above what they call.
      return panned(now, gesture.dx, (kind === "callers" ? -gesture.dy : gesture.dy) / FLAME_ROW, room);
    case "fill":
    case "reveal": {
      if (ofFlameMark(gesture.place.mark).pane !== at) return now;
      return (gesture.kind === "fill" ? filled : revealing)(now, gesture.place, room);
    }
  }
}
