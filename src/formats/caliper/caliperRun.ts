/** One file as a run of its own: what ensembles read, since what a file's own thread makes of it is a tenth of its records. */
import path from "node:path";
import type { DataSet } from "../../model/dataSet";
import { FrameTable } from "../../model/frames";
import { NONE } from "../../model/ids";
import { groupBy } from "../../model/maps";
import { StringTable } from "../../model/strings";
import { readEachAsItComes } from "../fileJobs";
import type { FileJob, Format } from "../format";
import { assemble } from "./assemble/assemble";
import { globalsOf } from "./assemble/runGlobals";
import { runName, runsOf, type RunFile } from "./assemble/runs";
import { caliperFile } from "./caliperFile";

interface FileRun {
  readonly of: RunFile;
  readonly run: DataSet;
}

export const caliperRun: FileJob<FileRun> = {
  id: "caliper run",
  classes: [FrameTable, StringTable],
  async read(file, context, task) {
    const recording = await caliperFile.read(file, context, task);
    const { file: name, format, globals, locations } = recording;
    const run = await assemble(runName([recording], 1), [recording], task);
    return { of: { file: name, format, globals, locations: [...locations] }, run };
  },
};

/** Hands over runs as they are read; those of several files are put together at the end. */
export const readCaliperRuns =
  (readTogether: Format["read"]): Format["readRuns"] =>
  async (files, context, take, task) => {
    const partial: FileRun[] = [];
    await readEachAsItComes(
      caliperRun,
      files,
      context,
      (one) => {
        if (isWhole(one.of)) take(one.run, true);
        else partial.push(one);
      },
      task,
    );
    const runOf = new Map(partial.map(({ of, run }) => [of, run]));
    const groups = runsOf([...runOf.keys()]);
    const together = groupBy(
      groups.filter(({ length }) => length > 1),
      ([first]) => path.dirname(first.file),
    );
    for (const group of groups) {
      const alone = group.length === 1 ? runOf.get(group[0]) : undefined;
      if (alone) take(alone);
      else {
        const names = new Set(group.map(({ file }) => file));
        const own = files.filter(({ file }) => names.has(file));
        const name = runName(group, together.get(path.dirname(group[0].file))?.length ?? 1);
        for (const run of await readTogether(own, context, task)) take({ ...run, name });
      }
    }
  };

/** Whether no other file can be of the same run: it has every rank of its world, or none, as runs that are reduced over ranks. */
function isWhole(file: RunFile): boolean {
  const ranks = new Set(file.locations.map(({ rank }) => rank).filter((rank) => rank !== NONE));
  if (ranks.size === 0) return true;
  const [size, other] = globalsOf([file], "mpi.world.size");
  return other === undefined && Number(size) === ranks.size;
}
