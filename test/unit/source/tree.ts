import { ContextTreeBuilder } from "../../../src/model/contextTree";
import { FrameTable, type Frame } from "../../../src/model/frames";
import { NONE } from "../../../src/model/ids";
import { StringTable } from "../../../src/model/strings";
import { quietTask } from "../../../src/model/task";
import type { SourceLink } from "../../../src/model/sourceLinks";
import { Linker } from "../../../src/source/linker";
import type { SymbolIndex } from "../../../src/source/symbolIndex";
import path from "node:path";

/** A tree made from paths: each path is a list of frames, or of names that become regions (`MPI_*` with their origin). */
export function treeOf(paths: readonly (readonly (string | Frame)[])[]) {
  const frames = new FrameTable(new StringTable());
  const builder = new ContextTreeBuilder();
  const ends = paths.map((parts) => {
    let context = NONE;
    for (const part of parts) {
      const frame: Frame =
        typeof part !== "string"
          ? part
          : { name: part, kind: "region", origin: part.startsWith("MPI_") ? "mpi" : "mark" };
      context = builder.child(context, frames.intern(frame));
    }
    return context;
  });
  const { tree, finalOf } = builder.build(frames.canonicalRanks());
  return { dataSet: { frames, tree }, ends: ends.map((end) => finalOf[end]) };
}

/** Links the last frame of each path, with all paths in one tree. */
export async function linksOf(
  index: SymbolIndex,
  paths: readonly (readonly (string | Frame)[])[],
): Promise<SourceLink[]> {
  const { dataSet, ends } = treeOf(paths);
  const linker = new Linker(dataSet, index);
  const links: SourceLink[] = [];
  for (const end of ends) links.push(await linker.link(end, quietTask));
  return links;
}

/** `file.cpp:12`, several joined by ` | `; the summary where there is one; `?` for an unknown place. */
export function shown(link: SourceLink, folder: string): string {
  const places = link.places.map(({ file, line }) => `${path.relative(folder, file)}:${line}`).join(" | ");
  if (link.summary !== undefined) return `${link.summary} @ ${places}`;
  return places === "" ? "?" : places;
}
