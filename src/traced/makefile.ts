import { type Flags, type Language, languages } from "./compilers";
import { shellQuoted } from "../model/shellText";

/** make's names of the variables. */
const VARIABLES: Readonly<Record<Language, readonly string[]>> = {
  C: ["CFLAGS"],
  CXX: ["CXXFLAGS"],
  CUDA: ["NVCCFLAGS", "CUDAFLAGS"],
  Fortran: ["FFLAGS", "FCFLAGS"],
};

/** A value that a Makefile has, as make would expand it, and where it is from. */
const VARIABLE = /^([A-Za-z_]\w{0,63}) (?:=|:=|::=) ?(.{0,20000})$/;

/** A rule in make's database: names of special targets begin with a dot and capitals. */
const TARGET = /^(?!\.[A-Z])([^\s#:=%][^:=%]{0,4000}):(?![=:])/;

/** The end of a source's name, with the quotes that a recipe has around it. */
const SOURCE = /\.(?:c|cc|cpp|cxx|C|f|f90|F90|f95|cu)["');]{0,3}$/;
/** make's name of the folder, in a recipe. */
const FOLDER = /\$[({](?:CURDIR|PWD)[)}]\//;

/** Flags that stand for themselves where a Makefile says nothing. */
const DEFAULT = "-O2";

/**
 * Arguments that add flags to those which a Makefile has: on make's command line, since only these are stronger than what a Makefile
 * assigns, and with its own value before them, which they would otherwise replace.
 *
 * @param database what `make -pn` printed
 */
export function makeArguments(database: string, flags: Flags): string[] {
  const values = new Map<string, string>();
  let isOfMakefile = false;
  for (const line of database.split("\n")) {
    const found = VARIABLE.exec(line);
    if (found && isOfMakefile) values.set(found[1], found[2]);
    // A comment before each variable says where it is from; built-in ones count as not said.
    isOfMakefile = /^# (?:makefile|environment|command line|'override' directive)/.test(line);
  }
  return languages.flatMap((language) =>
    VARIABLES[language].flatMap((name) => {
      const own = values.get(name);
      // Only of languages that every compiler driver knows: of others where the Makefile uses them.
      if (own === undefined && language !== "C" && language !== "CXX") return [];
      return [`${name}=${own ?? DEFAULT} ${flags[language].map(escaped).join(" ")}`];
    }),
  );
}

/** The Makefiles that were read, as make names them. @param database what `make -pn` printed */
export function makefilesOf(database: string): string[] {
  return (/^MAKEFILE_LIST :?= ?(.*)$/m.exec(database)?.[1] ?? "").split(" ").filter((name) => name !== "");
}

/** Targets that the Makefile has rules for, as make names them. @param database what `make -pn` printed */
export function targetsOf(database: string): string[] {
  return rulesOf(database).map(({ target }) => target);
}

/** Targets that are files, so not phony. @param database what `make -pn` printed */
export function fileTargetsOf(database: string): string[] {
  return rulesOf(database).flatMap(({ target, isPhony }) => (isPhony ? [] : [target]));
}

function rulesOf(database: string): { readonly target: string; readonly isPhony: boolean }[] {
  const lines = database.slice(Math.max(0, database.indexOf("\n# Files\n"))).split("\n");
  return lines.flatMap((line, at) => {
    const target = lines[at - 1] === "# Not a target:" ? undefined : TARGET.exec(line)?.[1];
    return target === undefined ? [] : [{ target, isPhony: lines[at + 1]?.startsWith("#  Phony target") === true }];
  });
}

/** Whether a Makefile names sources by their whole paths, which lie in this folder. @param database what `make -pn` printed */
export function namesCopies(database: string, folder: string): boolean {
  const data = database.slice(Math.max(0, database.indexOf("# Make data base")));
  const isCopy = (word: string) => SOURCE.test(word) && (word.startsWith(`${folder}/`) || FOLDER.test(word));
  return data.split(/[\s:]+/).some(isCopy);
}

/** Text that make and the shell of its recipes leave as it is; on make's command line no `#` begins a comment. */
function escaped(flag: string): string {
  return shellQuoted(flag).replaceAll("$", "$$$$");
}
