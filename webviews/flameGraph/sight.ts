/** What of a flame graph is in sight: each drawing has a zoom of its own. Pure. */
import * as v from "valibot";
import { list } from "../../src/protocol/bounds";
import {
  FLAME_ROW,
  flameAreas,
  type FlameContent,
  type FlameLook,
  type FlameSize,
  flameMark,
  flameWindow,
  MOST_PANES,
  ofFlameMark,
} from "../../src/protocol/flameGraph";
import type { SightSpec } from "../kit/definition";
import { follow, type Gesture, sight, type Sight, WHOLE } from "../kit/stage/sight";
import { visible } from "../shared/text";
import { rectangleOf, rectanglesOf } from "./rectangles";

export const flameSeen = v.object({
  /** Of a content: elsewhere it means nothing. */
  subject: v.string(),
  sights: list(sight, MOST_PANES),
});
export type FlameSeen = v.InferOutput<typeof flameSeen>;

/** What is in sight of each drawing. */
export function sightsOf({ subject, panes }: FlameContent, seen: FlameSeen | undefined): readonly Sight[] {
  return panes.map((_, at) => (seen?.subject === subject ? seen.sights.at(at) : undefined) ?? WHOLE);
}

/** Where each drawing lies. */
export function areasOf({ panes }: FlameContent, view: FlameSize) {
  return flameAreas(
    view,
    panes.map(({ levels }) => levels),
  );
}

/** Below the last rows. */
const AIR = 6;

/** Where the rows of the last drawing end. */
export function endOfRows(content: FlameContent, seen: FlameSeen | undefined, view: FlameSize): number {
  const last = content.panes.length - 1;
  const { y } = areasOf(content, view)[last];
  return y + Math.max(0, content.panes[last].levels - sightsOf(content, seen)[last].row) * FLAME_ROW + AIR;
}

export const flameSight: SightSpec<FlameContent, FlameSeen> = {
  schema: flameSeen,
  moved(content, seen, gesture, view) {
    const before = sightsOf(content, seen);
    const areas = areasOf(content, view);
    const sights = content.panes.map(({ kind, levels }, at) => {
      const has = (mark: number) => ofFlameMark(mark).pane === at;
      const placeOf = (mark: number) => flameSight.placeOf(content, mark);
      return follow(before[at], gesture, {
        area: areas[at],
        row: FLAME_ROW,
        levels,
        isUpwards: kind === "callers",
        has,
        placeOf,
      });
    });
    const isSame = sights.every((one, at) => JSON.stringify(one) === JSON.stringify(before[at]));
    return isSame ? seen : { subject: content.subject, sights };
  },
  look(content, seen, view, search): FlameLook | undefined {
    const areas = areasOf(content, view);
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
