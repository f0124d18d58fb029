import path from "node:path";
import { FormatError } from "../../../model/errors";
import type { Task } from "../../../model/task";
import type { ReadContext } from "../../format";
import type { Problems } from "./problems";
import type { Simulation } from "../decode/simulation";
import type { StateLines } from "./stateLines";
import { TraceFile, type TraceText } from "./traceFile";
import { isPaje } from "./header";

/** Files that name files that name files, and how many in all. */
const MOST_DEPTH = 8;
const MOST_FILES = 1000;

/** A trace's own file and those that it names. */
export interface WholeTrace extends TraceText {
  /** Absolute paths, the trace's own file first. */
  readonly files: readonly string[];
  readonly modifiedAt?: number;
}

/**
 * Reads a trace, and at each `PajeTraceFile` the file that it names: one beside it, each once.
 *
 * @param stateLines reads lines of states where nothing else is wanted
 * @param siblings names of the files of the folder; others are never read, whatever a trace names
 * @param settle awaited once per piece of a file
 * @throws FormatError also where a file names itself, directly or through others
 */
export async function readTrace(
  file: string,
  siblings: ReadonlySet<string>,
  simulation: Simulation,
  problems: Problems,
  context: Pick<ReadContext, "open" | "head">,
  settle: () => Promise<void>,
  task: Task,
  stateLines?: StateLines,
): Promise<WholeTrace> {
  const files = [file];
  const open = [file];
  const unused = new Map<string, Set<string>>();
  const folder = path.dirname(file);

  const readOne = async (one: string, ofTask: Task) => {
    const reader = new TraceFile(one, simulation, problems, (name, line) => include(one, name, line), stateLines);
    const text = await reader.read(context, settle, ofTask);
    for (const [event, fields] of text.unused) unused.set(event, new Set([...(unused.get(event) ?? []), ...fields]));
    return text;
  };

  const include = async (by: string, name: string, line: number): Promise<void> => {
    const refuse = (why: string) =>
      problems.note(
        "lines that name a file that is not read",
        by,
        { line },
        () => `the file ${shown(name)} is not read: ${why}`,
      );
    const plain = name.startsWith("./") ? name.slice(2) : name;
    if (plain === "" || plain !== path.basename(plain) || plain === ".." || plain.includes("\\"))
      return refuse("only files of the trace's own folder are");
    const named = path.join(folder, plain);
    if (open.includes(named)) throw cycle(by, line, name);
    if (!siblings.has(plain)) return refuse("there is no such file beside the trace");
    if (files.includes(named)) return refuse("it was read before");
    if (open.length >= MOST_DEPTH) return refuse(`it is named through more than ${MOST_DEPTH} files`);
    if (files.length >= MOST_FILES) return refuse(`the trace names more than ${MOST_FILES} files`);
    if (!isPaje((await context.head(named)).bytes)) return refuse("it is no Paje trace");
    files.push(named);
    open.push(named);
    // How far the whole is, only the outer file tells.
    await readOne(named, { check: () => task.check(), progress: () => task.check() });
    open.pop();
  };

  const { comments, modifiedAt } = await readOne(file, task);
  return { files, comments, unused, modifiedAt };
}

function cycle(file: string, line: number, name: string): FormatError {
  return new FormatError({
    file,
    at: { line },
    found: `that the trace reads ${shown(name)} inside of itself`,
    expected: "files that name others, never one that names it",
    advice: "Take the line out, and open the trace again.",
  });
}

function shown(name: string): string {
  return name.length <= 100 ? JSON.stringify(name) : `with a name of ${name.length} characters`;
}
