import path from "node:path";
import { AmbiguityError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { groupBy } from "../../model/maps";
import { RUN_FILE } from "../../model/runFacts";
import { compareText } from "../../model/strings";
import type { RecordingFile } from "../format";
import type { PartHeader } from "./scan/header";

/** Rank and host in the name of a traced build's file: `callgrind.out.rank3.node1.4711`. */
const PLACE = /\.rank(\d{1,9})\.[^/]{1,255}?\.(?=\d+(?:[.-]|$))/;

/** A file and how its header begins. */
export interface HeadedFile {
  readonly entry: RecordingFile;
  readonly header: PartHeader;
}

/** Files of one process: its dumps one after another (`part:`), and one per thread. */
export interface ProcessFiles {
  /** Process id; NONE where nothing says it. */
  readonly process: number;
  readonly files: readonly HeadedFile[];
}

/** What makes one data set. */
export type RunFiles = readonly ProcessFiles[];

/**
 * Sorts files into runs. Files with the same process id, command and events are one process. Several processes of one
 * command may be one run (MPI, fork) or several runs; nothing in the files tells, so the user is asked, unless a traced build has left
 * its own file beside them.
 *
 * @param answer `one-run` or `separate`, where the user was asked; `runs` of files that are an ensemble's runs if nothing else was said
 * @throws AmbiguityError
 */
export function runsOf(files: readonly HeadedFile[], answer: string | undefined): RunFiles[] {
  const runs: RunFiles[] = [];
  for (const ofCommand of groupBy(files, commandKey).values()) {
    const processes: ProcessFiles[] = [];
    for (const own of groupBy(ofCommand, processKey).values())
      for (const layer of layers(own)) processes.push({ process: processOf(own[0]), files: layer });
    processes.sort((a, b) => rankOf(a) - rankOf(b) || a.process - b.process || compareText(nameOf(a), nameOf(b)));
    const ids = new Set(processes.map(({ process }) => process));
    // A process that comes twice was recorded twice; one that is not known is alone.
    const together = ids.size === processes.length && !ids.has(NONE) && ofCommand[0].header.command !== "";
    if (processes.length > 1 && ofCommand.every(isOfOneRun)) runs.push(processes);
    else if (processes.length === 1 || !together || answer === "separate" || answer === "runs") {
      for (const one of processes) runs.push([one]);
    } else if (answer === "one-run") runs.push(processes);
    else throw ambiguous(processes);
  }
  return runs.sort((a, b) => compareText(nameOf(a[0]), nameOf(b[0])));
}

/** The file's name; of several files what their names have in common, in their folder. */
export function runName(run: RunFiles): string {
  const names = run.flatMap(({ files }) => files.map(({ entry }) => path.basename(entry.file)));
  if (names.length === 1) return names[0];
  const [first] = names;
  let before = 0;
  while (names.every((name) => before < name.length && name[before] === first[before])) before++;
  const folder = path.basename(path.dirname(run[0].files[0].entry.file));
  return before === 0 ? folder : `${folder}/${first.slice(0, before)}*`;
}

function ambiguous(processes: readonly ProcessFiles[]): AmbiguityError {
  const { command } = processes[0].files[0].header;
  const ids = processes.map(({ process }) => process);
  const listed = ids.length > 8 ? `${ids.slice(0, 8).join(", ")} and ${ids.length - 8} more` : ids.join(", ");
  return new AmbiguityError(
    `There are recordings of ${ids.length} processes of "${command}" (${listed}). Are they one run?`,
    [
      {
        id: "one-run",
        label: "One run of several processes",
        detail: "Costs are added up; the processes are numbered as ranks, in the order of their ids.",
      },
      { id: "separate", label: "Separate runs", detail: "Each process is opened as a data set of its own." },
    ],
  );
}

/** A traced build has a folder per run. */
function isOfOneRun({ entry }: HeadedFile): boolean {
  return entry.siblings.has(RUN_FILE);
}

function commandKey({ header }: HeadedFile): string {
  const { creator, command, events, positions } = header;
  return JSON.stringify([creator, command, events, positions]);
}

/** Whether each process is a rank whose number is known. */
export function isByRank(run: RunFiles): boolean {
  return run.every((process, index) => rankOf(process) === index);
}

/** As a traced build has named its file; NONE of others. */
function rankOf({ files }: ProcessFiles): number {
  const [file] = files;
  return isOfOneRun(file) ? Number(PLACE.exec(file.entry.file)?.[1] ?? NONE) : NONE;
}

/** Processes of several hosts can have one number, and their files are told apart by the names that a traced build gives them. */
function processKey(file: HeadedFile): string {
  const place = isOfOneRun(file) ? (PLACE.exec(file.entry.file)?.[0] ?? "") : "";
  const process = processOf(file);
  return process === NONE ? file.entry.file : `${process} ${place}`;
}

/** The process id; callgrind and cachegrind put it into the name too. @returns NONE where nothing says it */
function processOf({ header, entry }: HeadedFile): number {
  if (header.process !== NONE) return header.process;
  return Number(/\.out\.(\d{1,9})(?![^.-])/.exec(path.basename(entry.file))?.[1] ?? NONE);
}

/** Files of one process whose parts differ; one that comes again is a copy, or of another process with the same id. */
function layers(files: readonly HeadedFile[]): HeadedFile[][] {
  const found: { parts: Set<string>; files: HeadedFile[] }[] = [];
  for (const file of [...files].sort((a, b) => compareText(a.entry.file, b.entry.file))) {
    const part = `${file.header.part} ${file.header.thread}`;
    const layer = found.find(({ parts }) => !parts.has(part));
    if (layer) {
      layer.parts.add(part);
      layer.files.push(file);
    } else found.push({ parts: new Set([part]), files: [file] });
  }
  return found.map((layer) => layer.files);
}

function nameOf({ files }: ProcessFiles): string {
  return files[0].entry.file;
}
