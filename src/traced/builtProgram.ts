/** Finds the program of a build that a task names. */
import path from "node:path";
import type { Built } from "./build";
import type { BuiltProgram } from "./cmakePrograms";
import { TaskError, type TracedTask } from "./definition";
import { isProgram } from "./machine";
import { programsIn } from "./programNames";

/** Asks which of several programs is meant. @returns undefined if the user gave no answer */
export type ChooseProgram = (programs: readonly string[], folder: string) => Promise<string | undefined>;

/**
 * The program of a task: the one that it names (by its path in the build, its CMake target or its file name), or the only one that the
 * build made. Offers the built programs if there are several, or if none has the name.
 *
 * @returns its path, absolute
 * @throws TaskError
 */
export async function programOf(
  { program }: Pick<TracedTask, "program">,
  { folders, programs }: Pick<Built, "folders" | "programs">,
  choose: ChooseProgram,
): Promise<string> {
  // A target may be configured and not built (EXCLUDE_FROM_ALL).
  const known = programs.filter(({ file }) => isProgram(file));
  if (known.length === 1 && (program === "" || isSourceOf(program, known[0].file))) return known[0].file;
  const [folder] = folders;
  const made = known.length > 0 ? known : (await programsIn(folder)).map((file) => ({ file }));
  if (program !== "") {
    const found = namedProgram(program, made, folders);
    if (found !== undefined) return found;
  } else if (made.length === 1) return made[0].file;
  if (made.length === 0)
    throw new TaskError(
      program === ""
        ? `The build made no program in ${folder}. Name one in "program".`
        : `The program ${program} was not found. Searched: ${folders.map((at) => path.resolve(at, program)).join(", ")}.`,
    );
  const chosen = await choose(
    made.map(({ file }) => file),
    folder,
  );
  if (chosen !== undefined) return chosen;
  const list = made.map(({ file }) => path.relative(folder, file)).join(", ");
  throw new TaskError(
    program === ""
      ? 'No program was chosen. Name one in "program".'
      : `The build made no program ${program}. It made ${list}: name one of them in "program".`,
  );
}

/** Built programs come before a program of that name in the source folder, which was not built for the tool. */
function namedProgram(program: string, made: readonly BuiltProgram[], folders: readonly string[]): string | undefined {
  const [inBuild, ...others] = folders.map((folder) => path.resolve(folder, program));
  const isNamed = ({ file }: BuiltProgram) => path.basename(file) === program;
  return [
    inBuild,
    ...made.filter(({ target }) => target === program).map(({ file }) => file),
    ...made.filter(isNamed).map(({ file }) => file),
    ...others,
  ].find(isProgram);
}

function isSourceOf(source: string, program: string): boolean {
  return path.basename(source, path.extname(source)) === path.basename(program);
}
