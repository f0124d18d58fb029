import type { TracedTask } from "./definition";
import type { Machine } from "./machine";

/** Languages that have flags of their own, by the names of their variables. */
export const languages = ["C", "CXX", "CUDA", "Fortran"] as const;
export type Language = (typeof languages)[number];

/** Compiler flags of a task, by language. */
export type Flags = Readonly<Record<Language, readonly string[]>>;

/** Leaves to the tracker's runtime, which is loaded before the program, what every source would else have of it. */
export const RUNTIME_MACRO = "-DHEATFLOW_RUNTIME";

/**
 * What a program is compiled with for a tool. Optimization stays as it is: what is measured is what users run. gcc leaves out functions
 * of files whose paths contain a text anywhere, in the folders above them, too: {@link withoutPartsOf} keeps what would leave out all.
 *
 * @param isClang whether the compiler is clang, which calls the same things by other names
 * @param hasRuntime see {@link RUNTIME_MACRO}
 */
export function flagsOf(
  task: Pick<TracedTask, "tool" | "exclude">,
  machine: Machine,
  isClang: boolean,
  hasRuntime: boolean,
): Flags {
  const debug = ["-g"];
  const stacks = [...debug, "-fno-omit-frame-pointer"];
  const plain = { C: debug, CXX: debug, CUDA: ["-g"], Fortran: debug };
  if (task.tool === "sample" || task.tool === "hpctoolkit" || task.tool === "caliper")
    return { C: stacks, CXX: stacks, CUDA: ["-g", "-lineinfo"], Fortran: stacks };
  if (task.tool === "instrument") {
    const excluded = task.exclude.filter((part) => part !== "").join(",");
    const instrumented = isClang
      ? [...debug, "-finstrument-functions-after-inlining"]
      : [
          ...debug,
          "-finstrument-functions",
          ...(excluded === "" ? [] : [`-finstrument-functions-exclude-file-list=${excluded}`]),
        ];
    return { C: instrumented, CXX: instrumented, CUDA: ["-g"], Fortran: instrumented };
  }
  if (task.tool !== "tracker") return plain;
  // The program's recorder is the one that the runtime beside it uses, too: its symbols are to be seen from there.
  const include = ["-DUSE_TRACKER", `-I${machine.trackerFolder}/include`, ...(hasRuntime ? [RUNTIME_MACRO] : [])];
  const marked = [...debug, ...include, "-pthread", "-rdynamic"];
  return { ...plain, C: marked, CXX: marked, CUDA: ["-g", ...include, "-Xcompiler=-pthread,-rdynamic"] };
}

/** The task without those of its excluded parts that a folder's own path contains: they would leave out every file in it. */
export function withoutPartsOf(
  task: TracedTask,
  folder: string,
): { readonly task: TracedTask; readonly left: string[] } {
  const isIn = (part: string) => part !== "" && `${folder}/`.includes(part);
  return {
    task: { ...task, exclude: task.exclude.filter((part) => !isIn(part)) },
    left: task.exclude.filter(isIn),
  };
}
