/** Resources as the content of a message of bounded size. */
import { shownUnit } from "../../session/scopeChoice";
import type { Resources, TopologyLayout } from "../../engine/api";
import { RequestError } from "../../model/errors";
import {
  EDGE_LIMIT,
  edgeKinds,
  NODE_LIMIT,
  shapes,
  type TreemapContent,
  type TreemapState,
} from "../../protocol/treemap";
import { cutToFit, tooManyNodes } from "../kit/names";
import { ownColorsOf } from "../kit/ownColors";

const NAMES_LENGTH = 200_000;
const TYPES_LENGTH = 60_000;

/** @throws RequestError where there are more nodes or links than a page draws */
export function treemapContent(
  found: Resources,
  { x, y, isRing }: TopologyLayout & { readonly isRing: boolean },
  { shows, narrow, ownColors }: TreemapState,
  subject: string,
): TreemapContent {
  const { nodes, marks, edges, parts, states, variables } = found;
  const most = Math.max(nodes.length, marks.length);
  if (most > NODE_LIMIT) throw tooManyNodes(most, "resources");
  if (edges.length > EDGE_LIMIT)
    throw new RequestError(
      `${edges.length.toLocaleString("en")} links are more than are drawn: choose a smaller depth of the hierarchy, or close groups.`,
    );
  const unitOf = (size: string) => {
    const unit = size === "time" ? "s" : variables.find(({ name }) => name === size)?.unit || "1";
    // A number without a unit has the name of its variable.
    return size === "" ? unit : shownUnit({ name: size, unit });
  };
  const perShape = (of: Resources["sizes"]): [string, string, string] => [of.square, of.diamond, of.circle];
  const [square, diamond, circle] = perShape(found.sizes);
  const names = (all: readonly { readonly readable: string }[]) =>
    cutToFit(
      all.map(({ readable }) => readable),
      20_000,
    );
  const quantity = found.quantities.at(found.quantity);
  return {
    subject,
    run: { from: found.startSeconds, to: found.endSeconds },
    window: { from: found.fromSeconds, to: Math.max(found.fromSeconds, found.toSeconds) },
    shows,
    narrow,
    quantity: found.quantity < 0 ? "" : (quantity?.name ?? ""),
    unit: quantity ? shownUnit(quantity) : "1",
    parts: names(parts),
    partKinds: Int32Array.from(parts, ({ kind }) => kind),
    values: found.values,
    partColors: ownColorsOf(parts, ownColors),
    stateColors: ownColorsOf(states, ownColors),
    nodes: {
      id: Int32Array.from(nodes, ({ id }) => id),
      names: cutToFit(
        nodes.map(({ name }) => name),
        NAMES_LENGTH,
      ),
      types: cutToFit(
        nodes.map(({ type }) => type),
        TYPES_LENGTH,
      ),
      parent: Int32Array.from(nodes, ({ parent }) => parent),
      isClosed: Int32Array.from(nodes, ({ isClosed }) => Number(isClosed)),
      leaves: Int32Array.from(nodes, ({ leaves }) => leaves),
      hasLane: Int32Array.from(nodes, ({ lanes }) => Number(lanes.length > 0)),
      canRestrict: Int32Array.from(nodes, ({ members }) => Number(members !== undefined)),
    },
    states: names(states),
    stateKinds: Int32Array.from(states, ({ kind }) => kind),
    marks: {
      node: Int32Array.from(marks, ({ node }) => node),
      shape: Int32Array.from(marks, ({ shape }) => shapes.indexOf(shape)),
      together: Int32Array.from(marks, ({ together }) => together),
      size: Float64Array.from(marks, ({ size }) => size),
      used: Float64Array.from(marks, ({ used }) => used),
      share: Float64Array.from(marks, ({ share }) => share),
      within: Float64Array.from(marks, ({ within }) => within),
      x,
      y,
    },
    isRing,
    stateSeconds: found.stateSeconds,
    edges: {
      from: Int32Array.from(edges, ({ from }) => from),
      to: Int32Array.from(edges, ({ to }) => to),
      of: Int32Array.from(edges, ({ of }) => edgeKinds.indexOf(of)),
      together: Float64Array.from(edges, ({ together }) => together),
      bytes: Float64Array.from(edges, ({ bytes }) => bytes),
    },
    sizes: perShape(found.sizes),
    fills: perShape(found.fills),
    sizeUnits: [unitOf(square), unitOf(diamond), unitOf(circle)],
    depth: found.depth,
    deepest: found.deepest,
  };
}
