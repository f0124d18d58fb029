/** How calls and answers of some methods travel between the threads: as columns, where they are many small objects. */
import type { GraphLayout, LayoutGraph, LayoutSize, StackedLayout, SuperGraph } from "../api";
import type { Method } from "./calls";
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
const layoutCall: Packing<readonly [LayoutGraph, LayoutSize], readonly [PackedShape, PackedSize]> = {
  pack: ([shape, size]) => [packShape(shape), packSize(size)],
  unpack: ([shape, size]) => [unpackShape(shape), unpackSize(size)],
};
const stackedCall: Packing<
  readonly [readonly LayoutGraph[], LayoutSize],
  readonly [readonly PackedShape[], PackedSize]
> = {
  pack: ([shapes, size]) => [shapes.map(packShape), packSize(size)],
  unpack: ([shapes, size]) => [shapes.map(unpackShape), unpackSize(size)],
};
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

/* The threads trust each other, and each method is packed by one side as it is unpacked by the other. */
const calls = { layout: layoutCall, layoutStacked: stackedCall } as unknown as Packings;
const answers = { superGraph: graph, layout, layoutStacked: stack } as unknown as Packings;
type Packings = Readonly<Partial<Record<Method, Packing<unknown, unknown>>>>;

export const packedCall = (method: Method, args: readonly unknown[]): readonly unknown[] =>
  (calls[method]?.pack(args) ?? args) as readonly unknown[];
export const unpackedCall = (method: Method, args: readonly unknown[]): readonly unknown[] =>
  (calls[method]?.unpack(args) ?? args) as readonly unknown[];

export const packedAnswer = (method: Method, value: unknown): unknown => answers[method]?.pack(value) ?? value;
export const unpackedAnswer = (method: Method, value: unknown): unknown => answers[method]?.unpack(value) ?? value;
