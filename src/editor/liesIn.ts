import { isAbsolute, relative } from "node:path";

/** Whether a file lies in a folder, or is it. Both absolute; links must be resolved before. Pure. */
export function liesIn(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way === "" || (!isAbsolute(way) && way !== ".." && !/^\.\.[\\/]/.test(way));
}
