/** How calls and answers of some questions travel between the threads: as columns, where they are many small objects. */
import type { SuperGraph } from "../graphs/graphApi";
import type { GraphLayout, LayoutGraph, LayoutSize, StackedLayout } from "../../supergraph/layout";
import type { QuestionName } from "../questions";
import {
  packGraph,
  packLayout,
  packShape,
  packSize,
  type PackedGraph,
  type PackedLayout,
  type PackedShape,
  type PackedSize,
  unpackGraph,
  unpackLayout,
  unpackShape,
  unpackSize,
} from "./graphColumns";

/** What one side makes of something, and how the other makes the same of that again. */
interface Packing<Value, Packed> {
  pack(value: Value): Packed;
  unpack(packed: Packed): Value;
}

const graph: Packing<SuperGraph, PackedGraph> = { pack: packGraph, unpack: unpackGraph };
const layout: Packing<GraphLayout, PackedLayout> = { pack: packLayout, unpack: unpackLayout };
const layoutCall: Packing<LayoutArgument, PackedLayoutArgument> = {
  pack: ({ graph, size }) => ({ graph: packShape(graph), size: packSize(size) }),
  unpack: ({ graph, size }) => ({ graph: unpackShape(graph), size: unpackSize(size) }),
};
const stackedCall: Packing<StackedArgument, PackedStackedArgument> = {
  pack: ({ graphs, size }) => ({ graphs: graphs.map(packShape), size: packSize(size) }),
  unpack: ({ graphs, size }) => ({ graphs: graphs.map(unpackShape), size: unpackSize(size) }),
};
type LayoutArgument = { readonly graph: LayoutGraph; readonly size: LayoutSize };
type PackedLayoutArgument = { readonly graph: PackedShape; readonly size: PackedSize };
type StackedArgument = { readonly graphs: readonly LayoutGraph[]; readonly size: LayoutSize };
type PackedStackedArgument = { readonly graphs: readonly PackedShape[]; readonly size: PackedSize };
type PackedStack = Omit<StackedLayout, "parts"> & {
  readonly parts: readonly { readonly top: number; readonly layout: PackedLayout }[];
};
const stack: Packing<StackedLayout, PackedStack> = {
  pack: ({ parts, ...rest }) => ({
    ...rest,
    parts: parts.map(({ top, ...part }) => ({ top, layout: packLayout(part) })),
  }),
  unpack: ({ parts, ...rest }) => ({
    ...rest,
    parts: parts.map(({ top, layout: part }) => ({ top, ...unpackLayout(part) })),
  }),
};

/* The threads trust each other, and each question is packed by one side as it is unpacked by the other. */
const calls = { layout: layoutCall, layoutStacked: stackedCall } as unknown as Packings;
const answers = { superGraph: graph, layout, layoutStacked: stack } as unknown as Packings;
type Packings = Readonly<Partial<Record<QuestionName, Packing<unknown, unknown>>>>;

export const packedArgument = (question: QuestionName, argument: unknown): unknown =>
  calls[question]?.pack(argument) ?? argument;
export const unpackedArgument = (question: QuestionName, argument: unknown): unknown =>
  calls[question]?.unpack(argument) ?? argument;

export const packedAnswer = (question: QuestionName, value: unknown): unknown =>
  answers[question]?.pack(value) ?? value;
export const unpackedAnswer = (question: QuestionName, value: unknown): unknown =>
  answers[question]?.unpack(value) ?? value;
