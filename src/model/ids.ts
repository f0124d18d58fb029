declare const brand: unique symbol;

/** Index of a row of the {@link FrameTable}: a plain number inside loops, a distinct type at borders, so that no context is taken for it. */
export type FrameId = number & { readonly [brand]: "frame" };

/** "None", wherever an id column may be empty: the parent of a root, the file of a frame without one. */
export const NONE = -1;
