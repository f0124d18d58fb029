import path from "node:path";
import type { DataSet, Warning } from "../model/dataSet";
import { FormatError } from "../model/errors";
import { entryOf } from "../model/maps";
import type { ByteSource } from "./byteSource";
import type { ReadContext } from "./format";

/** Opens a file, and closes it when it is read or cannot be read. */
export async function withFile<Result>(
  context: ReadContext,
  file: string,
  read: (source: ByteSource) => Promise<Result>,
): Promise<Result> {
  const source = await context.open(file);
  try {
    return await read(source);
  } finally {
    await source.close();
  }
}

/** Adds data sets to a list; where one cannot be read, the traces of those before it are closed. */
export async function collectDataSets(add: (dataSets: DataSet[]) => Promise<void>): Promise<DataSet[]> {
  const dataSets: DataSet[] = [];
  try {
    await add(dataSets);
    return dataSets;
  } catch (problem) {
    await closeTraces(dataSets);
    throw problem;
  }
}

/** Removes the cache files of data sets that are not used any further. */
export async function closeTraces(dataSets: readonly Pick<DataSet, "trace">[]): Promise<void> {
  await Promise.allSettled(dataSets.map(({ trace }) => trace?.close()));
}

/** Reads a file that only completes a recording: what is wrong with it is a warning. @returns undefined where it was left out */
export async function orLeftOut<Result>(
  file: string,
  warnings: Warning[],
  read: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await read();
  } catch (problem) {
    if (!(problem instanceof FormatError)) throw problem;
    warnings.push({ message: `left out: ${problem.message}`, file });
    return undefined;
  }
}

/** The name of a run that has a file per rank: its folder's, where there are several. */
export function nameOfFiles(files: readonly string[]): string {
  const [first] = files;
  const name = path.basename(first);
  return files.length === 1 ? name : `${path.basename(path.dirname(first))} (${files.length} ranks)`;
}

/** Metadata of all files of a run, each value once. */
export function joinedGlobals(files: readonly ReadonlyMap<string, string>[]): Map<string, string[]> {
  const joined = new Map<string, string[]>();
  for (const globals of files)
    for (const [key, value] of globals) {
      const values = entryOf(joined, key, () => []);
      if (!values.includes(value)) values.push(value);
    }
  return joined;
}
