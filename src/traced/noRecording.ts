import fs from "node:fs";
import type { RunFacts } from "../model/runFacts";
import type { TracedTask } from "./definition";
import { readElf } from "./elf";
import { endedText } from "./runTexts";

/** What a program calls that is compiled for the built-in tracker, as its symbols name it. */
const CALLS = { instrument: "__cyg_profile_func_enter", tracker: "heatflow" } as const;

const INSTEAD = '"callgrind" and "sample" measure it as it is.';
const STATIC = `It is linked statically (-static), so the tracker's runtime cannot be loaded into it: link it without. ${INSTEAD}`;

/**
 * Why a program would leave no recording, however long it ran: all that `instrument` records comes from a library that is loaded before
 * the program.
 */
export async function whyNothingCanBeRecorded(
  { tool }: Pick<TracedTask, "tool">,
  program: string,
): Promise<string | undefined> {
  return tool === "instrument" && (await readElf(program))?.isDynamic === false ? STATIC : undefined;
}

/**
 * Why a run has left no recording, as far as can be told: how the program ended, and what kept the tool from it.
 *
 * @param library the tracker's runtime, where one was to be loaded before the program
 * @returns sentences
 */
export async function whyNoRecording(task: TracedTask, facts: RunFacts, library: string | undefined): Promise<string> {
  const reason =
    task.tool === "instrument" || task.tool === "tracker"
      ? await trackerReason(task, task.tool, facts.program, library)
      : undefined;
  return [
    `It ${facts.signal === null ? "" : "was "}${endedText(facts)}.`,
    ...(reason === undefined ? [] : [reason]),
  ].join(" ");
}

async function trackerReason(
  { env }: TracedTask,
  tool: keyof typeof CALLS,
  program: string,
  library: string | undefined,
): Promise<string | undefined> {
  if (env.HEATFLOW_ENABLE === "0") return "HEATFLOW_ENABLE is 0 in the task.";
  if (env.HEATFLOW_OUTPUT !== undefined) return `The task's HEATFLOW_OUTPUT is ${env.HEATFLOW_OUTPUT}: look there.`;
  const elf = await readElf(program);
  if (elf === undefined)
    return "It is no program that a compiler makes (a script, perhaps): name the program that it starts.";
  if (library !== undefined && !elf.isDynamic) return STATIC;
  if (await holds(program, CALLS[tool])) return undefined;
  return tool === "instrument"
    ? `It was not compiled with -finstrument-functions: its build does not pass CFLAGS and CXXFLAGS on to the compiler. ${INSTEAD}`
    : "Nothing in it is marked: #include <heatflow/tracker.hpp>, and HEATFLOW_FUNCTION in a function; in C <heatflow/heatflow.h>, and HEATFLOW_C_BEGIN.";
}

/** Whether a file holds a text. */
async function holds(file: string, text: string): Promise<boolean> {
  let end = "";
  for await (const piece of fs.createReadStream(file, { encoding: "latin1", highWaterMark: 1 << 20 })) {
    const seen = end + String(piece);
    if (seen.includes(text)) return true;
    end = seen.slice(1 - text.length);
  }
  return false;
}
