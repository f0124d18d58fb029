import { type FrameTable, isAddressName, isFunctionKind, isPlaceholderName, NO_REGION } from "../model/frames";
import { NONE } from "../model/ids";
import type { DataSet } from "../model/dataSet";
import { addTo, entryOf } from "../model/maps";
import { foreignClause, foreignReason } from "../model/foreignReason";
import { isCall } from "./callLinks";
import { fortranNames } from "./fortranNames";
import { functionSites } from "./functionLinks";
import type { Pace } from "./pace";
import { isSystemFile, type MappedPath, type PathMap } from "./pathMap";
import { parseSignature } from "./signature";
import type { SiteFinder } from "./sites";
import { findSystemFrames, isOfSystemModule, type SystemFrames } from "./systemFrames";
import type { TypeNames } from "./typeNames";
import { tellingWord } from "./words";

/** Answer whether a recording belongs to the folders (semantics 16, "is it of these folders?"). */
export interface FolderMatch {
  readonly isOfFolders: boolean;
  /** Half of the recorded files are found: only then may the name alone place a frame whose file is not found. */
  readonly hasHalfOfFiles: boolean;
  /** Recorded files that are not below system folders, and how many of them are found. */
  readonly files: { readonly recorded: number; readonly found: number };
  /** The recorded file with most frames that is not found; undefined if all are found, or no file was recorded. */
  readonly missingFile: string | undefined;
  /** Why the recording is not of the folders, as a sentence; "" if it is. */
  readonly reason: string;
  /** The same as a clause about the recording: `recorded from work.cu, …`, `its functions …`. "" if it has nothing that could be found. */
  readonly clause: string;
}

/** Numbers of found files, and of found names, that suffice. */
const ENOUGH_FILES = 2;
const ENOUGH_NAMES = 3;
/** Names that are looked up. A recording with more names is decided by every k-th of them. */
const MAX_NAMES = 1000;

/** Name of an entry of the procedure linkage table, through which a program calls a function of another module. */
const PLT_ENTRY = /@plt$/;

/** Functions of the language's own libraries: C++ instantiates them in the program's load module. */
const libraryScopes = new Set(["std", "__gnu_cxx", "__cxxabiv1", "core", "alloc"]);
/** Names that every program has. */
const commonNames = new Set([
  "main",
  "MAIN__",
  "main_",
  "_start",
  "_init",
  "_fini",
  "__libc_start_main",
  "start_thread",
]);

/**
 * Decides whether a recording is of the folders. It is, if
 *
 * 1. two of its files are found (all, if it names fewer), or one at its recorded path or by a rule of the setting; or
 * 2. half of the names of its functions and regions are defined, marked or quoted in the folders, and at least three of them (all, if
 *    there are fewer).
 *
 * Files below system folders do not count, nor do `main`, MPI, libraries and placeholders: any program has them.
 *
 * @throws CancelledError
 */
export async function matchFolders(
  { frames, tree }: Pick<DataSet, "frames" | "tree">,
  paths: PathMap,
  finder: SiteFinder,
  types: TypeNames,
  pace: Pace,
): Promise<FolderMatch> {
  const system = findSystemFrames(frames, tree);
  const files = ownFiles(frames, system);
  const mapped = new Map(Array.from(files.keys(), (file) => [file, paths.resolve(file)]));
  const found = [...mapped].filter(([, path]) => isHere(path));
  const isFound = new Set(found.map(([file]) => file));
  const targets = new Set(found.map(([, path]) => path.file));
  const counts = { recorded: mapped.size, found: found.length };
  const match = {
    hasHalfOfFiles: 2 * counts.found >= counts.recorded,
    files: counts,
    missingFile: typicalFile([...files].filter(([file]) => !isFound.has(file))),
  };
  const allFound = counts.found > 0 && counts.found === counts.recorded;
  if (allFound || targets.size >= ENOUGH_FILES || found.some(([, path]) => isCertain(path)))
    return { isOfFolders: true, ...match, ...noReason };
  if (definesFunctionsOf(frames, found, finder)) return { isOfFolders: true, ...match, ...noReason };
  const own = await ownNames(frames, system, pace);
  const names = await matchNames(own, finder, types, pace);
  if (names === true) return { isOfFolders: true, ...match, ...noReason };
  const { reason, clause } = reasonOf(match, names);
  return { isOfFolders: false, ...match, reason, clause: counts.recorded + own.length === 0 ? "" : clause };
}

/** Whether a file is surely the recorded one, whatever else is found. */
export function isCertain({ rule }: MappedPath): boolean {
  return rule === "recorded path" || rule === "setting";
}

/** Whether a file is found in the folders. A copy inside the recording does not count. */
function isHere({ file, rule }: MappedPath): boolean {
  return file !== undefined && rule !== "copy";
}

/**
 * The file that identifies the program best, to name it in the reason: the one of most frames. Files of system libraries are relative to
 * folders of their own build: `./csu/../csu/libc-start.c`.
 *
 * @param files with the number of their frames
 */
function typicalFile(files: readonly (readonly [file: string, frames: number])[]): string | undefined {
  const isOfBuild = ([file]: (typeof files)[number]) => /^\.{1,2}[/\\]/.test(file);
  const [first] = [...files].sort((a, b) => Number(isOfBuild(a)) - Number(isOfBuild(b)) || b[1] - a[1]);
  return first?.[0];
}

/** Recorded files that are not the system's, nor of its load modules, in the order of frames, each with the number of these. */
function ownFiles(frames: FrameTable, system: SystemFrames): Map<string, number> {
  const counts = new Map<number, number>();
  for (let frame = 0; frame < frames.size; frame++) {
    const file = frames.file[frame];
    if (file !== NONE && !system.has(frame)) addTo(counts, file, 1);
  }
  const named = Array.from(counts, ([file, count]) => [frames.strings.get(file), count] as const);
  return new Map(named.filter(([file]) => isFileName(file) && !isSystemFile(file) && !system.hasFile(file)));
}

/** `[libm.so]`, `<string>` and `<frozen importlib._bootstrap>` are no files. */
export function isFileName(recorded: string): boolean {
  return !isPlaceholderName(recorded) && !/^\[.*\]$|^<.*>$/s.test(recorded);
}

/**
 * Whether a file that is found below a folder, by a path that was recorded relative to one, has the functions that were recorded in it.
 * `train.py` among a hundred files of libraries is the user's; `main.c` with other functions is another program's.
 */
function definesFunctionsOf(
  frames: FrameTable,
  found: readonly (readonly [string, MappedPath])[],
  { index }: SiteFinder,
): boolean {
  const relative = new Map(found.flatMap(([file, path]) => (path.rule === "relative path" ? [[file, path.file]] : [])));
  if (relative.size === 0) return false;
  // "" for all other files.
  const fileOf = new Map<number, string>();
  const namesOf = new Map<string, Set<string>>();
  const nameOf = functionNames(frames);
  for (let frame = 0; frame < frames.size; frame++) {
    const recorded = frames.file[frame];
    if (recorded === NONE) continue;
    const file = entryOf(fileOf, recorded, () => relative.get(frames.strings.get(recorded)) ?? "");
    const name = file === "" ? undefined : nameOf(frame);
    if (name !== undefined) entryOf(namesOf, file, () => new Set<string>()).add(name);
  }
  return [...namesOf].some(([file, names]) => {
    const defined = new Set(index.facts(file)?.definitions.map(({ name }) => name));
    return 2 * [...names].filter((name) => defined.has(parseSignature(name).name)).length >= names.size;
  });
}

/**
 * Rule 2.
 *
 * @returns true if the recording is of the folders, else why files that hold a name gave no answer: a clause, "" if all of them did
 */
async function matchNames(
  own: readonly OwnName[],
  finder: SiteFinder,
  types: TypeNames,
  pace: Pace,
): Promise<true | string> {
  const names = sample(own);
  // Most names of another program occur nowhere in the folders. No file is parsed for those.
  const possible = names.filter(({ name }) => mayBeHere(finder, name));
  let counted = names.length;
  let found = 0;
  let left = possible.length;
  let unread = "";
  const needed = () => Math.max(1, Math.ceil(counted / 2), Math.min(counted, ENOUGH_NAMES));
  if (left < needed()) return unread;
  for (const one of possible) {
    await pace.breathe();
    const { isFound, isCommon, missing } = await lookUp(finder, types, one, pace);
    left--;
    if (isFound) found++;
    if (isCommon) counted--;
    unread ||= missing ?? "";
    if (found >= needed()) return true;
    // If a language server has to read files, the search goes on, so that it gets all of them at once.
    if (unread === "" && found + left < needed()) break;
  }
  return unread;
}

interface OwnName {
  readonly name: string;
  readonly isRegion: boolean;
}

/** Names of functions and regions that only this program has, each once. */
async function ownNames(frames: FrameTable, system: SystemFrames, pace: Pace): Promise<OwnName[]> {
  const names = new Map<string, OwnName>();
  const nameOf = functionNames(frames, system.has);
  for (let frame = 0; frame < frames.size; frame++) {
    if (frame % STEPS_BETWEEN_BREATHS === 0) await pace.breathe();
    const name = nameOf(frame);
    if (name === undefined) continue;
    const kind = frames.kindOf(frame);
    const isRegion = kind === "region" || kind === "kernel" || (names.get(name)?.isRegion ?? false);
    names.set(name, { name, isRegion });
  }
  return [...names.values()];
}

const STEPS_BETWEEN_BREATHS = 16_384;

/** Name of each frame that is a function or region of the program itself; undefined for all others. */
export function functionNames(
  frames: FrameTable,
  isOfSystem = isOfSystemModule(frames),
): (frame: number) => string | undefined {
  const ownNames = new Map<number, boolean>();
  return (frame) => {
    const origin = frames.originOf(frame);
    if (!isFunctionKind(frames.kindOf(frame)) || origin === "outside" || isOfSystem(frame)) return undefined;
    const file = frames.file[frame];
    if (file !== NONE && isSystemFile(frames.strings.get(file))) return undefined;
    const name = frames.nameOf(frame);
    return !isCall(name, origin) && entryOf(ownNames, frames.nameKey(frame), () => isOwnName(name)) ? name : undefined;
  };
}

function isOwnName(name: string): boolean {
  if (
    isPlaceholderName(name) ||
    isAddressName(name) ||
    name === NO_REGION ||
    /^[[<].*[\]>]$/s.test(name) ||
    PLT_ENTRY.test(name)
  )
    return false;
  const signature = parseSignature(name);
  return !commonNames.has(signature.name) && !commonNames.has(name) && !libraryScopes.has(signature.scopes[0]);
}

function sample(names: readonly OwnName[]): readonly OwnName[] {
  const step = Math.ceil(names.length / MAX_NAMES);
  return step <= 1 ? names : names.filter((_, at) => at % step === 0);
}

/** Whether the words of a name occur in the folders at all. */
function mayBeHere({ index: { words } }: SiteFinder, name: string): boolean {
  if (words.unread.size > 0) return true;
  const spellings = [name, parseSignature(name).name, ...fortranNames(name).map((one) => one.name)];
  return spellings.some((spelling) => {
    const word = tellingWord(spelling);
    return word !== undefined && words.filesWith(word).length > 0;
  });
}

interface Lookup {
  readonly isFound: boolean;
  /** Too many files hold the name to search them all. The name then does not count. */
  readonly isCommon: boolean;
  /** Reason why files that hold the name gave no answer, as a clause. */
  readonly missing?: string;
}

async function lookUp(finder: SiteFinder, types: TypeNames, { name, isRegion }: OwnName, pace: Pace): Promise<Lookup> {
  const near = () => nothingNear;
  const isMarked = isRegion && (await finder.regionSites(name, near, pace)).sites.length > 0;
  if (isMarked) return { isFound: true, isCommon: false };
  const { sites, onlyNear, missing } = await functionSites(finder, name, undefined, near, types, pace);
  if (sites.length > 0) return { isFound: true, isCommon: false };
  return { isFound: false, isCommon: onlyNear && finder.index.words.unread.size === 0, missing };
}

const nothingNear: ReadonlySet<string> = new Set();

const noReason = { reason: "", clause: "" };

function reasonOf(
  { missingFile }: Pick<FolderMatch, "missingFile">,
  unread: string,
): Pick<FolderMatch, "reason" | "clause"> {
  if (missingFile !== undefined) return { reason: foreignReason(missingFile), clause: foreignClause(missingFile) };
  const clause = `its functions and regions are not in these folders${unread && `; ${unread}`}`;
  return { reason: `The recording is of another program: ${clause}.`, clause };
}
