/**
 * Branded ids: a plain number inside loops, a distinct type at borders, so that a context is never taken for a frame.
 */
declare const brand: unique symbol;
type Id<Name extends string> = number & { readonly [brand]: Name };

/** Index of a row of the {@link FrameTable}. */
export type FrameId = Id<"frame">;
/** Index of a node of the {@link ContextTree}; contexts are in preorder, so a parent's id is smaller than its children's. */
export type ContextId = Id<"context">;
/** Index into {@link DataSet.metrics}. */
export type MetricId = Id<"metric">;
/** Index into {@link DataSet.locations}. */
export type LocationId = Id<"location">;

/** "None", wherever an id column may be empty: the parent of a root, the file of a frame without one. */
export const NONE = -1;
