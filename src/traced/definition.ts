import path from "node:path";

/** What a program can be measured with. */
export const tools = ["tracker", "instrument", "sample", "caliper", "hpctoolkit", "callgrind"] as const;
export type Tool = (typeof tools)[number];

/** Methods by which perf finds callers: copies of stacks with debug information, frame pointers, or the processor's branch records. */
export const stackKinds = ["dwarf", "fp", "lbr"] as const;
export type StackKind = (typeof stackKinds)[number];

/**
 * How a program is built. A list is a program and its arguments, which no shell sees; what follows `make` or `cmake` in it is added to
 * what these get (`["make", "MPI=1"]`, `["cmake", "-DUSE_MPI=ON"]`).
 */
export type Build = "cmake" | "make" | "none" | readonly string[];

/** A task of type `heatflow`, as tasks.json has it, checked and with absolute paths. */
export interface TracedTask {
  readonly tool: Tool;
  /** undefined: what the folder has is found out. */
  readonly build: Build | undefined;
  /** As written: absolute, or relative to the build folder or to {@link cwd}; empty where it is the only one that the build makes. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where the sources are and the program runs. */
  readonly cwd: string;
  /** 0: without a launcher. */
  readonly ranks: number;
  /** Program and arguments that stand before `-n RANKS`. */
  readonly launcher: readonly string[];
  /** Folder of builds and runs, inside the workspace folder, since old runs in it can be deleted. */
  readonly output: string;
  /** Of `instrument`: functions defined in files whose paths contain one of these are left out. */
  readonly exclude: readonly string[];
  /** Of `sample`: a program that runs already, by number or name, instead of one that is started; "" asks. */
  readonly process?: number | string;
  /** Of {@link process}: so long it is sampled; until it ends, or the task is stopped, where nothing is said. */
  readonly seconds?: number;
  /** Method of `sample`, by the task. If undefined: `fp` for Python, else {@link usualStacks}. */
  readonly stacks?: StackKind;
  /** Method for compiled programs, by the setting `heatflow.sample.stacks`. If undefined: its default, `dwarf`. */
  readonly usualStacks?: StackKind;
}

/** What is wrong with a task, and what to do. */
export class TaskError extends Error {
  override readonly name = "TaskError";
}

const OUTPUT = ".heatflow";
const EXCLUDED = ["/usr/", ".h"];
const MOST_RANKS = 100_000;
const MOST_SECONDS = 86_400;

/**
 * Checks what stands in tasks.json.
 *
 * @param folder the workspace folder, absolute
 * @param usualStacks value of the setting; an invalid one counts as its default
 * @throws TaskError
 */
export function tracedTask(
  definition: Readonly<Record<string, unknown>>,
  folder: string,
  usualStacks?: unknown,
): TracedTask {
  const tool = definition.tool ?? "tracker";
  if (!isTool(tool)) throw wrong("tool", definition.tool, `one of ${tools.join(", ")}`);
  const output = path.resolve(folder, text(definition, "output") ?? OUTPUT);
  if (!isInside(output, folder)) throw wrong("output", definition.output, "a folder inside the workspace folder");
  const ranks = definition.ranks ?? 0;
  if (!Number.isInteger(ranks) || Number(ranks) < 0 || Number(ranks) > MOST_RANKS)
    throw wrong("ranks", ranks, `a whole number up to ${MOST_RANKS}`);
  return {
    tool,
    build: buildOf(definition),
    program: text(definition, "program") ?? "",
    args: texts(definition, "args") ?? [],
    env: environment(definition),
    cwd: path.resolve(folder, text(definition, "cwd") ?? "."),
    ranks: Number(ranks),
    launcher: launcherOf(definition),
    output,
    exclude: texts(definition, "exclude") ?? EXCLUDED,
    ...(isStackKind(usualStacks) ? { usualStacks } : {}),
    ...stacksOf(definition),
    ...running(definition, tool),
  };
}

function running(definition: Readonly<Record<string, unknown>>, tool: Tool): Pick<TracedTask, "process" | "seconds"> {
  const { process, seconds } = definition;
  if (process === undefined) return {};
  if (tool !== "sample")
    throw wrong("process", process, `nothing: ${tool} starts the program, only sample takes one that runs`);
  const isNumber = typeof process === "number" && Number.isInteger(process) && process > 0;
  if (!isNumber && typeof process !== "string")
    throw wrong("process", process, "a process number, or the name of a program");
  if (seconds === undefined) return { process };
  if (typeof seconds !== "number" || !(seconds > 0 && seconds <= MOST_SECONDS))
    throw wrong("seconds", seconds, `a number up to ${MOST_SECONDS}`);
  return { process, seconds };
}

/** Checked whichever tool the task has: changing the tool must not make the task invalid. */
function stacksOf({ stacks }: Readonly<Record<string, unknown>>): Pick<TracedTask, "stacks"> {
  if (stacks === undefined) return {};
  if (!isStackKind(stacks)) throw wrong("stacks", stacks, `one of ${stackKinds.join(", ")}`);
  return { stacks };
}

function isStackKind(value: unknown): value is StackKind {
  return stackKinds.some((kind) => kind === value);
}

/** Whether a path is a folder or lies in it. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || !(relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}

function isTool(value: unknown): value is Tool {
  return tools.some((tool) => tool === value);
}

function buildOf(definition: Readonly<Record<string, unknown>>): Build | undefined {
  const { build } = definition;
  if (build === undefined || build === "cmake" || build === "make" || build === "none") return build;
  if (!Array.isArray(build) || build.length === 0)
    throw wrong("build", build, '"cmake", "make", "none", or a list of a program and its arguments');
  return texts(definition, "build");
}

function launcherOf(definition: Readonly<Record<string, unknown>>): readonly string[] {
  const { launcher } = definition;
  if (launcher === undefined) return ["mpirun"];
  if (typeof launcher === "string" && launcher !== "") return [launcher];
  const list = texts(definition, "launcher");
  if (list === undefined || list.length === 0)
    throw wrong("launcher", launcher, "a program, or a list with its arguments");
  return list;
}

function environment(definition: Readonly<Record<string, unknown>>): Record<string, string> {
  const { env = {} } = definition;
  if (typeof env !== "object" || env === null || Array.isArray(env)) throw wrong("env", env, "names with their values");
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => {
      if (!/^[^=\0]+$/.test(name) || typeof value !== "string" || value.includes("\0"))
        throw wrong(`env.${name}`, value, "a text");
      return [name, value];
    }),
  );
}

function text(definition: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = definition[key];
  if (value === undefined || (typeof value === "string" && !value.includes("\0"))) return value;
  throw wrong(key, value, "a text");
}

function texts(definition: Readonly<Record<string, unknown>>, key: string): string[] | undefined {
  const value: unknown = definition[key];
  if (value === undefined) return undefined;
  const isText = (one: unknown): one is string => typeof one === "string" && !one.includes("\0");
  if (Array.isArray(value) && value.every(isText)) return value;
  throw wrong(key, value, "a list of texts");
}

function wrong(key: string, found: unknown, expected: string): TaskError {
  const shown = JSON.stringify(found) ?? "nothing";
  return new TaskError(`tasks.json, "${key}": found ${shown.slice(0, 200)}; expected ${expected}.`);
}
