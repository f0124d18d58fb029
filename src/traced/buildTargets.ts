/** Targets that a build needs for one program. The others take time, and may not even compile. */
import path from "node:path";
import type { CmakeTargets } from "./cmakePrograms";
import { fileTargetsOf } from "./makefile";

/** The argument of `cmake` and of `cmake --build` that names targets. */
const TARGET_OPTION = "--target";

/**
 * CMake's targets for the program that a task names by its path in the build, its target or its file name.
 *
 * @param folder of the build, absolute
 * @returns these targets and the project's plugins; undefined if no program has the name
 */
export function targetsForProgram(
  program: string,
  folder: string,
  { programs, plugins }: CmakeTargets,
): readonly string[] | undefined {
  const file = path.resolve(folder, program);
  const candidates = [
    programs.filter((one) => one.file === file),
    programs.filter(({ target }) => target === program),
    programs.filter((one) => path.basename(one.file) === program),
  ];
  const named = (candidates.find((list) => list.length > 0) ?? []).flatMap(({ target }) => target ?? []);
  return named.length === 0 ? undefined : [...named, ...plugins];
}

/** Arguments of a task's `["cmake", …]`: `--target` with the names behind it goes to the build, all else to the configuration. */
export function splitCmakeArguments(more: readonly string[]): {
  readonly configure: readonly string[];
  /** Empty if the arguments name no targets. */
  readonly targets: readonly string[];
} {
  const at = more.indexOf(TARGET_OPTION);
  if (at < 0) return { configure: more, targets: [] };
  const behind = more.slice(at + 1);
  const end = behind.findIndex((one) => one.startsWith("-"));
  const count = end < 0 ? behind.length : end;
  return { configure: [...more.slice(0, at), ...behind.slice(count)], targets: behind.slice(0, count) };
}

/** Arguments that name targets for `cmake --build`. */
export function targetArguments(targets: readonly string[]): readonly string[] {
  return targets.length === 0 ? [] : [TARGET_OPTION, ...targets];
}

/**
 * The file that make builds for the program of a task.
 *
 * @param database what `make -pn` printed
 * @param more the task's own arguments of make
 * @returns undefined if the arguments may name targets, or if no rule makes exactly one file of this name
 */
export function makeTargetFor(program: string, database: string, more: readonly string[]): string | undefined {
  if (more.some((one) => !one.startsWith("-") && !one.includes("="))) return undefined;
  const files = fileTargetsOf(database);
  const named = files.find((file) => path.normalize(file) === path.normalize(program));
  if (named !== undefined) return named;
  const alike = files.filter((file) => path.basename(file) === program);
  return alike.length === 1 ? alike[0] : undefined;
}
