/**
 * callgrind's output, cachegrind's, and that of other tools in the same format: costs by function, source line and call.
 *
 * What this format cannot say:
 * - Calling contexts: calls are pairs of functions. The tree is estimated (semantics 1, Call-graph formats).
 * - When anything happened: no trace, and no seconds but where a tool writes times as costs. Events are counts.
 * - MPI ranks: only process ids, so the user is asked whether processes are one run. Threads only with `--separate-threads`.
 * - Which function inlined code is of: only the file that it stands in (`fi=`).
 * - Messages, counters over time, topology, GPUs.
 */
import { location } from "../../model/locations";
import { NONE } from "../../model/ids";
import { FormatError } from "../../model/errors";
import type { DataSet } from "../../model/dataSet";
import type { Location } from "../../model/locations";
import { entryOf } from "../../model/maps";
import { paced } from "../../model/steps";
import type { Task } from "../../model/task";
import type { ByteSource } from "../byteSource";
import type { Format, ReadContext } from "../format";
import { withFile } from "../reading";
import { assemble } from "./assemble/assemble";
import { readCostFile } from "./scan/costFile";
import type { CostFile } from "./scan/costScanner";
import { CostTable } from "./decode/costTable";
import { headerOf } from "./scan/header";
import { type HeadedFile, isByRank, runName, type RunFiles, runsOf } from "./runs";

export const callgrind: Format = {
  id: "callgrind",
  label: "callgrind (callgrind.out)",
  recognizes: ({ bytes }) => headerOf(bytes) !== undefined,
  async read(files, context, task) {
    const headed: HeadedFile[] = [];
    for (const entry of files) {
      const file = await context.attempt(entry, async () => {
        const header = headerOf((await context.head(entry.file)).bytes);
        if (header === undefined) throw noHeader(entry.file);
        return { entry, header };
      });
      if (file) headed.push(file);
    }
    const dataSets: DataSet[] = [];
    let done = 0;
    for (const run of runsOf(headed, context.answer)) {
      const dataSet = await readRun(run, context, done, headed.length, task);
      if (dataSet) dataSets.push(dataSet);
      done += run.reduce((sum, process) => sum + process.files.length, 0);
    }
    return dataSets;
  },
};

/** Files that cannot be read are left out; what was read of them before that was seen must not count. */
async function readRun(
  run: RunFiles,
  context: ReadContext,
  done: number,
  count: number,
  task: Task,
): Promise<DataSet | undefined> {
  const left = new Set<HeadedFile>();
  for (;;) {
    const kept = run
      .map(({ process, files }) => ({ process, files: files.filter((file) => !left.has(file)) }))
      .filter(({ files }) => files.length > 0);
    if (kept.length === 0) return undefined;
    const before = left.size;
    const table = new CostTable(task);
    const places = new Map<string, number>();
    const locations: Location[] = [];
    const read: CostFile[] = [];
    for (const [rank, { files }] of kept.entries()) {
      const locationOf = (thread: number) => {
        const place = location({ rank: run.length > 1 ? rank : NONE, thread });
        return entryOf(places, `${rank} ${thread}`, () => locations.push(place) - 1);
      };
      for (const file of files) {
        const part = context.part(done + read.length, count, file.entry.file);
        const scan = (source: ByteSource) => readCostFile(source, table, ({ thread }) => locationOf(thread), part);
        const costs = await context.attempt(file.entry, () => withFile(context, file.entry.file, scan));
        if (costs) read.push(costs);
        else left.add(file);
      }
    }
    if (left.size > before) continue;
    const paths = kept.flatMap(({ files }) => files.map(({ entry }) => entry.file));
    const processes = kept.map(({ process }) => process);
    if (locations.length === 0) locations.push(location({}));
    const named = { name: runName(kept), isByRank: isByRank(kept) };
    return paced(assemble({ ...named, paths, table, locations, files: read, processes }, task));
  }
}

function noHeader(file: string): FormatError {
  return new FormatError({
    file,
    at: { line: 1 },
    found: "no header of callgrind's format",
    expected: "lines such as `version: 1` and `events: Ir`",
    advice: "The beginning of the file may be missing: copy it again, or record again.",
  });
}
