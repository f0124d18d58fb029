import type { Place, SourceLink } from "../model/sourceLinks";
import type { Task } from "../model/task";
import type { Links } from "./links";
import type { OpenDataSet } from "./openDataSet";

/** A context whose cost is shown at a place, alone or as one of several equally likely ones. */
export interface Placed {
  readonly context: number;
  readonly line: number;
  readonly link: SourceLink;
}

/** Where every context of a data set stands: file → what stands in it. */
export type Placement = ReadonlyMap<string, readonly Placed[]>;

/**
 * Links every context with a cost of its own, or that is a call, in order of the tree: parents before children, since a
 * child's link is looked for near its parent's.
 *
 * @throws CancelledError
 */
export async function placeContexts(open: OpenDataSet, links: Links, task: Task): Promise<Placement> {
  const { tree } = open.dataSet;
  const byFile = new Map<string, Placed[]>();
  for (let context = 0; context < tree.size; context++) {
    if (context % 256 === 0) task.progress(context / tree.size, "finding source lines");
    const link = await links.link(open, context, task);
    for (const place of distinctPlaces(link)) {
      const placed = { context, line: place.line, link };
      const list = byFile.get(place.file);
      if (list) list.push(placed);
      else byFile.set(place.file, [placed]);
    }
  }
  return byFile;
}

function distinctPlaces(link: SourceLink): readonly Place[] {
  if (link.places.length < 2) return link.places;
  return link.places.filter(
    (place, at) => link.places.findIndex((other) => other.file === place.file && other.line === place.line) === at,
  );
}
