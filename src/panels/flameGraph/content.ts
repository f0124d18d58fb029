/** Flames as the content of a message of bounded size. */
import type { FunctionRow } from "../../engine/api";
import { overText, shownUnit } from "../../session/scopeChoice";
import type { FlameContent, FlamePaneContent, FlameState } from "../../protocol/flameGraph";
import type { View } from "../kit/definition";
import { cutToFit } from "../kit/names";
import { shownOf } from "../../model/shortName";
import { shorten } from "../../model/texts";
import { colourOf, type DrawnFlames, type FlamesShown } from "./flames";

/** Groups with a colour of their own: as many as people can distinguish. */
const COLOURED_GROUPS = 7;
/** Characters of all names as JSON. */
const NAMES_LENGTH = 400_000;

export function flameContent(
  { subject, title, panes, search, changes, hottest }: FlamesShown,
  view: View<FlameState>,
): FlameContent {
  const { dataSet, scope, metric } = view;
  const [{ flames }] = panes;
  return {
    subject,
    ...(title === undefined ? {} : { title: shorten(title, 4096) }),
    metric: shorten(metric.name, 200),
    unit: shorten(shownUnit(metric), 200),
    over: shorten(overText(dataSet, scope), 200),
    total: flames.total,
    groups: flames.groups.slice(0, COLOURED_GROUPS).map((name) => shorten(name, 300)),
    groupCount: flames.groups.length,
    // A function's name stands in its rectangle: there is no need of a legend to tell it.
    ...(colourOf(view) === "function" ? { allColoured: true } : {}),
    ...(search === undefined ? {} : { search }),
    ...(changes
      ? {
          changes: changes.map(({ name, shown, baseline, candidate }) => ({
            name: shorten(name, 1000),
            baseline,
            candidate,
            ...(shown === undefined ? {} : { shown: shorten(shown, 300) }),
          })),
        }
      : {}),
    ...(hottest
      ? {
          hottest: {
            exclusive: hottest.exclusive
              .filter(({ exclusive }) => exclusive > 0)
              .map((row) => hotRow(row, row.exclusive)),
            inclusive: hottest.inclusive.map((row) => ({
              ...hotRow(row, row.inclusive),
              ...(row.atMost ? { atMost: true } : {}),
            })),
          },
        }
      : {}),
    panes: panes.map((pane) => paneContent(pane, NAMES_LENGTH / panes.length)),
  };
}

function hotRow({ name, shown }: FunctionRow, value: number) {
  return { name: shorten(name, 1000), value, ...(shown === undefined ? {} : { shown: shorten(shown, 300) }) };
}

function paneContent({ kind, window, flames }: DrawnFlames, namesLength: number): FlamePaneContent {
  const { rectangles, found, width, covering, levels, nodes, hottest } = flames;
  const { depth, inclusive, exclusive, parent, name, node, together, frames, group, flags } = rectangles;
  const isShorter = flames.shown.some((shown, at) => shown !== flames.names[at]);
  const share = (value: number) => (width > 0 ? value / width : 0);
  const placed = <Place extends { x: number; width: number }>(place: Place) => ({
    ...place,
    x: share(place.x),
    width: share(place.width),
  });
  return {
    kind,
    window,
    drawn: width,
    levels,
    nodes,
    hottest,
    ...(rectangles.baseline ? { baseline: rectangles.baseline, largestDifference: flames.largestDifference } : {}),
    depth,
    inclusive,
    exclusive,
    parent,
    name,
    node,
    together,
    frames,
    group,
    x: rectangles.x.map(share),
    width: rectangles.width.map(share),
    flags: Int32Array.from(flags),
    names: cutToFit(flames.names, isShorter ? namesLength / 2 : namesLength),
    ...(isShorter ? { shown: cutToFit(flames.shown, namesLength / 2) } : {}),
    covering: covering.map(({ name: whole, shown, ...place }) => ({
      ...placed(place),
      name: shorten(shownOf({ name: whole, shown }), 300),
    })),
    ...(found ? { found: { count: found.count, share: share(found.width), places: found.places.map(placed) } } : {}),
  };
}
