/** Runs as they are read, in any order: what is kept of each. */
import path from "node:path";
import { nameOfFiles } from "../../formats/reading";
import type { ReadRun } from "../../formats/registry";
import type { DataSet } from "../../model/dataSet";
import { FrameTable } from "../../model/frames";
import { StringTable } from "../../model/strings";
import { OpenDataSet } from "../dataSets/openDataSet";

/** A run: its contexts are of the frames of all runs. */
export type KeptRun = Pick<
  DataSet,
  | "files"
  | "format"
  | "tree"
  | "locations"
  | "metrics"
  | "values"
  | "globals"
  | "recordedAt"
  | "startedAt"
  | "records"
  | "warnings"
> &
  Pick<ReadRun, "facts" | "isAlone"> & {
    /** Where it was found: what its name is an ending of. */
    readonly path: string;
    /** The run itself where a call graph was measured, of which its contexts are estimated. */
    readonly measured?: OpenDataSet;
  };

export class RunCollector {
  /** Each distinct frame of all runs once. */
  readonly frames: FrameTable;
  readonly runs: KeptRun[];

  /** @param known runs that need not be read */
  constructor(known?: { readonly runs: readonly KeptRun[]; readonly frames: FrameTable }) {
    this.frames = known?.frames ?? new FrameTable(new StringTable());
    this.runs = [...(known?.runs ?? [])];
  }

  take({ run, facts, isAlone }: ReadRun): void {
    const { files, format, tree, locations, metrics, values, globals, recordedAt, records, warnings, frames } = run;
    const startedAt = run.startedAt ?? (facts ? Date.parse(facts.startedAt) : NaN);
    const frameOf = this.frames.internAll(frames);
    this.runs.push({
      path: pathOf(run),
      files,
      format,
      locations,
      metrics,
      values,
      globals,
      recordedAt,
      records,
      warnings,
      ...(Number.isNaN(startedAt) ? {} : { startedAt }),
      tree: { ...tree, frame: tree.frame.map((frame) => frameOf[frame]) },
      ...(run.callGraph ? { measured: new OpenDataSet(0, run, 0) } : {}),
      ...(facts ? { facts } : {}),
      ...(isAlone ? { isAlone } : {}),
    });
  }
}

/** The file of a run, or what its files have in common: their folder, and the pattern that its name is if it is not called after it. */
function pathOf({ files, name }: DataSet): string {
  const [first] = files;
  if (files.length === 1) return first;
  return name === nameOfFiles(files) ? path.dirname(first) : path.join(path.dirname(first), name);
}
