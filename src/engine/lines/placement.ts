import { IntColumn } from "../../model/columns";
import { entryOf } from "../../model/maps";
import type { SourceLink } from "../../model/sourceLinks";
import type { Task } from "../../model/task";
import type { Linker } from "../../source/linker";
import { Pace } from "../../source/pace";
import type { OpenDataSet } from "../dataSets/openDataSet";

/** Contexts that stand on a line, alone or as one of several equally likely ones: all those of one link. */
export interface Placed {
  readonly line: number;
  readonly link: SourceLink;
  /** Ascending, each once. */
  readonly contexts: Int32Array;
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

/** Contexts between two reports of progress. */
export const REPORTED_EVERY = 64;
/** Name of the work, as progress says it. */
export const FINDING_LINES = "finding source lines";

/**
 * Links every context of a data set, callers before callees, since a context is looked for near its caller. Lets others
 * have their turn between contexts. A million contexts share some thousand links, so they are kept by link.
 *
 * @throws CancelledError
 */
export async function placeContexts(
  open: Pick<OpenDataSet, "dataSet" | "callOf">,
  linker: Pick<Linker, "link" | "callSites">,
  task: Task,
): Promise<Placement> {
  const { tree } = open.dataSet;
  const pace = new Pace(task);
  const here = new Map<SourceLink, IntColumn>();
  const calls = new Map<SourceLink, IntColumn>();
  for (let context = 0; context < tree.size; context++) {
    await pace.breathe();
    if (context % REPORTED_EVERY === 0) task.progress(context / tree.size, FINDING_LINES);
    add(here, await linker.link(context, task), context);
    if (open.callOf[context] !== context) continue;
    const sites = await linker.callSites(context, task);
    if (sites) add(calls, sites, context);
  }
  const files = new Map<string, PlacedInFile>();
  spread(files, "here", here);
  spread(files, "calls", calls);
  return files;
}

function add(placed: Map<SourceLink, IntColumn>, link: SourceLink, context: number): void {
  if (link.places.length === 0) return;
  entryOf(placed, link, () => new IntColumn()).push(context);
}

function spread(
  files: Map<string, PlacedInFile>,
  list: keyof PlacedInFile,
  placed: ReadonlyMap<SourceLink, IntColumn>,
): void {
  for (const [link, { values, length }] of placed) {
    const contexts = values.slice(0, length);
    for (const { file, line } of link.places) {
      entryOf(files, file, () => ({ here: [], calls: [] }))[list].push({ line, link, contexts });
    }
  }
}
