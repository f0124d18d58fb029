/**
 * HPCToolkit since 2022.10: a folder of meta.db, profile.db, cct.db and trace.db. Any of them opens it, once.
 *
 * What this format cannot say:
 * - Exclusive values that add up: scope `point` belongs to contexts that are not stored, `lex_aware` repeats lines at their loop and
 *   function. They are made of the inclusive ones.
 * - The rank of a process without MPI: such profiles share one location.
 * - When a call began or ended: traces are samples. Messages and counters are not there.
 * - Source lines of code without debug information, only load module and offset.
 */
import path from "node:path";
import type { Format } from "../../format";
import { collectDataSets } from "../../reading";
import { type DbKind, fileNameOf, kindOf } from "./scan/container";
import { type DatabaseFiles, readDatabase } from "./assemble/database";

const kinds: readonly DbKind[] = ["meta", "prof", "ctxt", "trce"];

export const hpctoolkitV4: Format = {
  id: "hpctoolkit-v4",
  label: "HPCToolkit 4 (meta.db)",
  recognizes: ({ bytes }) => kindOf(bytes) !== undefined,
  async read(files, context) {
    const databases = new Map<string, { entry: (typeof files)[number]; database: DatabaseFiles }>();
    for (const entry of files) {
      const folder = path.dirname(entry.file);
      const known = databases.get(folder)?.database;
      const paths = new Map(known?.paths);
      const named = new Set(known?.named);
      const name = path.basename(entry.file);
      // What is no such file any more is to be read as what it is called, which says what is wrong with it.
      const kind =
        kindOf((await context.head(entry.file)).bytes) ?? kinds.find((one) => fileNameOf(one) === name) ?? "meta";
      if (entry.named) named.add(kind);
      // A file under another name is the one that was opened; all others are found by their names.
      if (!paths.has(kind) || entry.named) paths.set(kind, entry.file);
      databases.set(folder, { entry, database: { folder, paths, named } });
    }
    return collectDataSets(async (dataSets) => {
      for (const [index, { entry, database }] of [...databases.values()].entries()) {
        const paths = new Map(database.paths);
        for (const kind of kinds)
          if (!paths.has(kind) && entry.siblings.has(fileNameOf(kind)))
            paths.set(kind, path.join(database.folder, fileNameOf(kind)));
        const part = context.part(index, databases.size, path.join(database.folder, fileNameOf("prof")));
        const named = database.named.size > 0;
        const read = () => readDatabase({ ...database, paths }, context, part);
        const dataSet = await context.attempt({ ...entry, named }, read);
        if (dataSet) dataSets.push(dataSet);
      }
    });
  },
};
