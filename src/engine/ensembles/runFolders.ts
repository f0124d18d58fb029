/** What a folder of runs holds: its files and those of the folders in it. */
import path from "node:path";
import type { Folders } from "../../formats/folders";
import { quietTask, type Task } from "../../model/task";

/** What the folder of a database holds, which is one recording: the sources that were copied into it are no runs. */
const DATABASE = /^(?:experiment\.xml|meta\.db)$/;

/** A folder and all folders in it that may hold recordings, sorted; hidden ones and links are not looked into. */
export async function foldersBelow(
  folder: string,
  folders: Folders,
  task: Pick<Task, "check"> = quietTask,
): Promise<string[]> {
  const found: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    task.check();
    found.push(next);
    const { names, folders: inside } = await folders.of(next);
    if ([...names].some((name) => DATABASE.test(name))) continue;
    for (const name of inside) if (!name.startsWith(".")) pending.push(path.join(next, name));
  }
  return found.sort();
}

/** All files in a folder and in those below. */
export async function filesBelow(folder: string, folders: Folders): Promise<string[]> {
  const files: string[] = [];
  for (const one of await foldersBelow(folder, folders))
    for (const name of (await folders.of(one)).names) files.push(path.join(one, name));
  return files.sort();
}
