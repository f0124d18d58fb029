/** Frames and files of the system's libraries, which say nothing about whose recording it is. Pure. */
import type { ContextTree } from "../model/contextTree";
import type { FrameTable } from "../model/frames";
import { NONE } from "../model/ids";
import { entryOf } from "../model/maps";
import { systemModule } from "./functionLinks";

/** Folder of a library's build, in paths that are relative to it: `./csu/../` of `./csu/../csu/libc-start.c`. */
const BUILD_FOLDER = /^\.\/[^/]{1,255}\/\.{1,2}\//;

export interface SystemFrames {
  /** Whether a frame is of a load module of the system, or was inlined in one. */
  has(frame: number): boolean;
  /** Whether a recorded file is one of a library's build. */
  hasFile(file: string): boolean;
}

/** Whether a frame is of a load module of the system. */
export function isOfSystemModule(frames: FrameTable): (frame: number) => boolean {
  const modules = new Map<number, boolean>();
  return (frame) => {
    const module = frames.moduleIndex(frame);
    return module !== NONE && entryOf(modules, module, () => systemModule.test(frames.strings.get(module)));
  };
}

/**
 * perf names no load module of what was inlined. Its lines then tell: glibc's debug information has paths relative to its build
 * (`./malloc/./malloc/malloc.c`), and functions with a module have lines below the same folder.
 */
export function findSystemFrames(
  frames: FrameTable,
  tree: Pick<ContextTree, "frame" | "parent" | "size">,
): SystemFrames {
  const isOfModule = isOfSystemModule(frames);
  const known = new Map<number, string | undefined>();
  const folderOf = (file: number) => entryOf(known, file, () => BUILD_FOLDER.exec(frames.strings.get(file))?.[0]);
  const folders = new Set<string>();
  const folderOfFrame = new Map<number, string>();
  for (let context = 0; context < tree.size; context++) {
    const own = tree.frame[context];
    const file = frames.file[own];
    const folder = file === NONE ? undefined : folderOf(file);
    if (folder === undefined) continue;
    const above = tree.parent[context];
    const frame = frames.kindOf(own) === "line" && above !== NONE ? tree.frame[above] : own;
    if (isOfModule(frame)) folders.add(folder);
    else if (frames.moduleIndex(frame) === NONE) folderOfFrame.set(frame, folder);
  }
  const hasFolder = (folder: string | undefined) => folder !== undefined && folders.has(folder);
  return {
    has: (frame) => isOfModule(frame) || hasFolder(folderOfFrame.get(frame)),
    hasFile: (file) => hasFolder(BUILD_FOLDER.exec(file)?.[0]),
  };
}
