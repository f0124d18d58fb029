import type { Recording } from "../decode/recording";

/** Values of a global over all files of a run, distinct. */
export function globalsOf(recordings: readonly Pick<Recording, "globals">[], name: string): Set<string> {
  return new Set(recordings.flatMap(({ globals }) => [...(globals.get(name) ?? [])]));
}

/** Number of ranks of a run, undefined if its files do not say one. */
export function worldSizeOf(files: readonly Pick<Recording, "globals">[]): number | undefined {
  const [size, other] = new Set(files.flatMap(worldSizesOf));
  return other === undefined && size !== undefined && /^\d{1,9}$/.test(size) ? Number(size) : undefined;
}

/** Numbers of ranks that a file says: Caliper's, else Adiak's. */
export function worldSizesOf(file: Pick<Recording, "globals">): string[] {
  const sizes = globalsOf([file], "mpi.world.size");
  return [...(sizes.size > 0 ? sizes : globalsOf([file], "jobsize"))].sort();
}
