/** A super graph with its layout as one object, so that tests can change any part of it. */
import { parseToSuperGraph } from "../src/protocol/graphColumns";
import { graphMessage, type GraphOnScreen } from "../src/panels/superGraph/graphMessage";
import { type LaidOutGraph, layoutMessage } from "../src/panels/superGraph/layoutMessage";
import { type GraphMessage, laidOut, type SentGraph, type SentLayout } from "../src/protocol/superGraph";

export type WholeGraph = SentGraph & Omit<SentLayout, "type" | "revision">;

export function wholeGraph(drawn: GraphOnScreen & LaidOutGraph, revision: number, combined: string): WholeGraph {
  return { ...layoutMessage(drawn, revision), ...graphMessage(drawn, revision, combined) };
}

/** The messages that it is sent as, in their order. */
export function messagesOf(whole: WholeGraph): [SentGraph, SentLayout] {
  const { flows, geometry, transition, layoutNotes, ...graph } = whole;
  const { revision } = graph;
  const moved = transition === undefined ? {} : { transition };
  return [graph, { type: "layout", revision, flows, geometry, ...moved, layoutNotes }];
}

/** As the view understands its messages; undefined where it does not. */
export function understood(whole: WholeGraph): GraphMessage | undefined {
  const [graph, layout] = messagesOf(whole).map((message) => parseToSuperGraph(message));
  return graph?.type === "graph" && layout?.type === "layout" ? laidOut(graph, layout) : undefined;
}
