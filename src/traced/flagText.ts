/** Compiler flags for builds that take them as one text. */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PLAIN, shellQuoted } from "../model/shellText";
import { TaskError } from "./definition";

/** Characters that CMake's own files cannot hold, however they are quoted. */
const NOT_FOR_CMAKE = /["$\n]/;

/**
 * Flags for a variable of CMake, which goes through CMake's files and the build tool's to a shell.
 *
 * @param file a response file, which is written if CMake cannot hold the flags themselves
 * @throws TaskError if CMake cannot hold the name of the file either
 */
export async function cmakeFlags(flags: readonly string[], file: string): Promise<string> {
  if (!flags.some((flag) => NOT_FOR_CMAKE.test(flag))) return flags.map(quotedForCmake).join(" ");
  if (NOT_FOR_CMAKE.test(file))
    throw new TaskError(
      `CMake cannot take flags from ${file}: its name has a quote or dollar sign. Name another folder as "output".`,
    );
  await fs.writeFile(file, responseText(flags));
  return quotedForCmake(`@${file}`);
}

/** A backslash before a quote does not survive CMake, so flags with an apostrophe are put in double quotes. */
function quotedForCmake(flag: string): string {
  return flag.includes("'") ? `"${flag.replaceAll(/[\\`]/g, "\\$&")}"` : shellQuoted(flag);
}

/**
 * Runs a build with flags in environment variables. Builds split these at spaces and ignore quotes, so flags with special characters are
 * put in response files, which gcc and clang read. The files exist while the build runs.
 *
 * @param name beginning of names for response files
 * @param lists flags of each variable; `before` precedes them as the user wrote it
 */
export async function withFlagVariables<Result>(
  name: string,
  lists: Readonly<Record<string, { readonly before: string; readonly flags: readonly string[] }>>,
  build: (variables: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const isPlain = Object.values(lists).every(({ flags }) => flags.every((flag) => PLAIN.test(flag)));
  const own = isPlain || PLAIN.test(name) ? undefined : await fs.mkdtemp(path.join(os.tmpdir(), "heatflow-flags-"));
  const files: string[] = [];
  try {
    if (own !== undefined && !PLAIN.test(own))
      throw new TaskError(
        `The name of ${own} has a space, at which the build would split flags. Set TMPDIR to another folder.`,
      );
    const variables: Record<string, string> = {};
    for (const [variable, { before, flags }] of Object.entries(lists)) {
      const file = `${own === undefined ? name : path.join(own, "flags")}.${variable}`;
      if (!isPlain) {
        await fs.writeFile(file, responseText(flags));
        files.push(file);
      }
      variables[variable] = [before, ...(isPlain ? flags : [`@${file}`])].join(" ");
    }
    return await build(variables);
  } finally {
    for (const file of files) await fs.rm(file, { force: true });
    if (own !== undefined) await fs.rm(own, { recursive: true, force: true });
  }
}

/** One flag per line, as gcc and clang read `@file`: a backslash takes the meaning from what follows it. */
function responseText(flags: readonly string[]): string {
  return flags.map((flag) => `${flag.replaceAll(/[\s'"\\]/g, "\\$&")}\n`).join("");
}
