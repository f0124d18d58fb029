import { NONE } from "../../model/ids";
import type { ProfileBuilder } from "../profileBuilder";

/** More regions on a path than any program has open. */
const MOST_REGIONS = 10_000;

/** The context of `RunBenchmark/passes.loop` below another one; NONE without a path. */
export function contextOfPath(profile: ProfileBuilder, path: string | undefined, above: number = NONE): number {
  if (path === undefined || path === "") return above;
  let context = above;
  for (const name of path.split("/", MOST_REGIONS))
    context = profile.tree.child(context, profile.frames.intern({ name, kind: "region", origin: "mark" }));
  return context;
}
