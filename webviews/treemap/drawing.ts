/** Treemap and topology side by side, or one of them. Pure. */
import { eventKinds, type TreemapContent } from "../../src/protocol/treemap";
import { rule } from "../kit/axis";
import { highlightFrame } from "../kit/highlight";
import { type Box, type DrawView, standsBack } from "../kit/stage/scene";
import { stateFills } from "../overview/colours";
import { nodeFacts } from "./describe";
import type { EdgeScene } from "./edgeLayer";
import { areasOf, topologyBoxes, topologyViewport } from "./areas";
import type { TreemapSeen } from "./seen";
import { drawTopology } from "./topologyDrawing";
import { drawTreemap } from "./treemapDrawing";

/** Of a quantity that is divided by nothing: share of the text's colour. */
const PLAIN = 0.22;
/** Of states of other kinds of work than those that are highlighted. */
const LEFT_OUT = 0.4;

export function draw(content: TreemapContent, view: DrawView, seen?: TreemapSeen): EdgeScene {
  const { theme } = view;
  const areas = areasOf(content, view);
  const fills = standingBack(partFills(content, view), content.partKinds, view);
  const fillOf = (part: number) => fills[part] ?? theme.faint;
  const left = areas.treemap && drawTreemap(content, areas.treemap, fillOf, (node) => nodeFacts(content, node), view);
  const boxes = areas.topology && topologyBoxes(content, areas.topology, view, seen);
  const states = standingBack(stateFills(content, theme), content.stateKinds, view);
  const right =
    areas.topology &&
    boxes &&
    drawTopology(content, areas.topology, boxes, states, view, topologyViewport(content, areas.topology, view, seen));
  const separator = left && areas.topology ? [rule(`M${areas.topology.x - 0.5},0V${view.height}`, theme.line)] : [];
  const marks = [...(left?.marks ?? []), ...(right?.marks ?? [])];
  return {
    below: separator,
    marks,
    above: [
      ...(left?.texts ?? []),
      ...(right?.frames ?? []),
      ...(right?.texts ?? []),
      ...marks.filter(({ id }) => view.highlighted?.places.has(id)).map(({ box }) => highlightFrame(box, view)),
    ],
    edges: right?.edges,
    ...(right?.paintMarks ? { paintMarks: right.paintMarks } : {}),
    move: (from, key) => neighbour(marks, from, key),
  };
}

/** States of other kinds of work stand back for those that are highlighted. */
function standingBack(fills: readonly string[], kinds: Int32Array, view: DrawView): readonly string[] {
  return fills.map((fill, at) =>
    kinds[at] >= 0 && standsBack(view, eventKinds[kinds[at]]) ? view.theme.faded(fill, LEFT_OUT) : fill,
  );
}

/** Of states their own colours; what is not divided has none. */
export function partFills(
  { parts, partKinds, partColors }: TreemapContent,
  { theme }: Pick<DrawView, "theme">,
): readonly string[] {
  if (parts.length === 1 && partKinds[0] < 0) return [theme.faded(theme.text, PLAIN)];
  return stateFills({ states: parts, stateKinds: partKinds, stateColors: partColors }, theme);
}

/** Along the order of drawing: what is in a group follows its heading, marks of the topology follow the treemap's. */
export function neighbour(
  marks: readonly { readonly id: number; readonly within?: number; readonly box: Box }[],
  from: number,
  key: string,
): number | undefined {
  const wholes = marks.filter(({ within }) => within === undefined);
  const at = wholes.findIndex(({ id }) => id === from);
  const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  return wholes.at(Math.min(wholes.length - 1, Math.max(0, at + step)))?.id;
}
