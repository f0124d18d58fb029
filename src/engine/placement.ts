import type { SourceLink } from "../model/sourceLinks";
import type { Task } from "../model/task";
import type { Linker } from "../source/linker";
import type { OpenDataSet } from "./openDataSet";

/** A context that stands on a line, alone or as one of several equally likely ones. */
export interface Placed {
  readonly context: number;
  readonly line: number;
  readonly link: SourceLink;
}

/** What stands in one file. */
export interface PlacedInFile {
  /** Contexts whose innermost place is here. */
  readonly here: Placed[];
  /** Contexts that are called from here. */
  readonly calls: Placed[];
}

/** Where every context of a data set stands, by absolute path of the file. */
export type Placement = ReadonlyMap<string, PlacedInFile>;

/**
 * Links every context of a data set, callers before callees, since a context is looked for near its caller.
 *
 * @throws CancelledError
 */
export async function placeContexts(open: OpenDataSet, linker: Linker, task: Task): Promise<Placement> {
  const { tree } = open.dataSet;
  const files = new Map<string, PlacedInFile>();
  const add = (list: keyof PlacedInFile, context: number, link: SourceLink) => {
    for (const { file, line } of link.places) {
      const inFile = files.get(file) ?? { here: [], calls: [] };
      files.set(file, inFile);
      inFile[list].push({ context, line, link });
    }
  };
  for (let context = 0; context < tree.size; context++) {
    task.progress(context / tree.size, "finding source lines");
    add("here", context, await linker.link(context, task));
    if (open.callOf[context] !== context) continue;
    const calls = await linker.callSites(context, task);
    if (calls) add("calls", context, calls);
  }
  return files;
}
