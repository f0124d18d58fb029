import type { TracedTask } from "./definition";
import type { Machine } from "./machine";

/** Languages that have flags of their own, by the names of their variables. */
export const languages = ["C", "CXX", "CUDA", "Fortran"] as const;
export type Language = (typeof languages)[number];

/** Compiler flags of a task, by language. */
export type Flags = Readonly<Record<Language, readonly string[]>>;

/** Leaves to the tracker's runtime, which is loaded before the program, what every source would else have of it. */
export const RUNTIME_MACRO = "-DHEATFLOW_RUNTIME";
/** Leaves nothing of the tracker in a program that another tool measures. */
const OFF_MACRO = "-DHEATFLOW_OFF";

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
  // Sources that are marked find the tracker's header with every tool.
  const header = `-I${machine.trackerFolder}/include`;
  const isRecorded = task.tool === "tracker" || task.tool === "instrument";
  // The program's recorder is the one that the runtime beside it uses, too: its symbols are to be seen from there.
  const include = isRecorded ? [header, ...(hasRuntime ? [RUNTIME_MACRO] : [])] : [header, OFF_MACRO];
  const linked = isRecorded ? ["-pthread", "-rdynamic"] : [];
  const cuda = ["-g", ...include, ...(isRecorded ? [`-Xcompiler=${linked.join(",")}`] : [])];
  const marked = (more: readonly string[] = []): Flags => {
    const own = [...debug, ...more];
    return { C: [...own, ...include, ...linked], CXX: [...own, ...include, ...linked], CUDA: cuda, Fortran: own };
  };
  switch (task.tool) {
    case "sample":
    case "hpctoolkit":
    case "caliper":
      return { ...marked(["-fno-omit-frame-pointer"]), CUDA: [...cuda, "-lineinfo"] };
    case "instrument":
      return marked(isClang ? ["-finstrument-functions-after-inlining"] : instrumenting(task.exclude));
    case "tracker": {
      const use = "-DUSE_TRACKER";
      return { ...marked([use]), CUDA: [...cuda, use], Fortran: debug };
    }
    case "callgrind":
      return marked();
  }
}

/** gcc's option with parts of paths, separated by commas, whose files' functions are not instrumented. */
export const EXCLUDING = "-finstrument-functions-exclude-file-list=";

/** gcc's way to instrument functions, but for those of some files. */
function instrumenting(exclude: readonly string[]): string[] {
  const excluded = exclude.filter((part) => part !== "").join(",");
  const list = excluded === "" ? [] : [`${EXCLUDING}${excluded}`];
  return ["-finstrument-functions", ...list];
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
