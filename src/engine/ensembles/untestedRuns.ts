/** What is said of runs that are drawn along the history and not tested. */
import { NONE } from "../../model/ids";
import { counted } from "../../model/texts";
import type { CommitChanges } from "./ensembleApi";

/** `2 runs of no known commit`, `1 run with changes that were not committed`; none: all are tested. */
export function untestedRuns({ commit, isTested }: Pick<CommitChanges, "commit" | "isTested">): string[] {
  const unknown = commit.filter((one) => one === NONE).length;
  const dirty = isTested.filter((one) => one === 0).length - unknown;
  return [
    ...(unknown > 0 ? [`${counted(unknown, "run")} of no known commit`] : []),
    ...(dirty > 0 ? [`${counted(dirty, "run")} with changes that were not committed`] : []),
  ];
}
