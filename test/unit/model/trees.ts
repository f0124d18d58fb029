import { type ContextTree, ContextTreeBuilder } from "../../../src/model/contextTree";
import { type Frame, FrameTable } from "../../../src/model/frames";
import { NONE } from "../../../src/model/ids";
import { StringTable } from "../../../src/model/strings";

/** A calling context as tests write it: its path of frames from the root. A plain string is a region of that name. */
export type PathOfFrames = readonly (Frame | string)[];

/** A tree that holds these paths and all their prefixes; `contextOf` finds the context of a path. */
export function treeOf(paths: readonly PathOfFrames[]): {
  tree: ContextTree;
  frames: FrameTable;
  contextOf: (path: PathOfFrames) => number;
} {
  const frames = new FrameTable(new StringTable());
  const builder = new ContextTreeBuilder();
  const idOf = (frame: Frame | string) =>
    frames.intern(typeof frame === "string" ? { name: frame, kind: "region" } : frame);
  const add = (path: PathOfFrames) => path.reduce((parent: number, frame) => builder.child(parent, idOf(frame)), NONE);
  for (const path of paths) add(path);
  const { tree, finalOf } = builder.build(frames.canonicalRanks());
  return { tree, frames, contextOf: (path) => finalOf[add(path)] };
}
