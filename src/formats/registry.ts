import path from "node:path";
import type { DataSet, Warning } from "../model/dataSet";
import { FormatError } from "../model/errors";
import { entryOf } from "../model/maps";
import { readRunFacts, RUN_FILE, type RunFacts, runGlobals, runTitle } from "../model/runFacts";
import { compareText } from "../model/strings";
import type { Task } from "../model/task";
import { caliper } from "./caliper/format";
import { callgrind } from "./callgrind/format";
import { chromeTrace } from "./chrome/format";
import { headText, startsWith } from "./cursor";
import { dmtracker } from "./dmtracker/format";
import { type FileSystem, systemFiles } from "./fileSource";
import { Folders } from "./folders";
import type { Format, Head, ReadContext, RecordingFile } from "./format";
import { FirstReading } from "./laterTrace";
import { hpctoolkitV2 } from "./hpctoolkit/v2/format";
import { hpctoolkitV4 } from "./hpctoolkit/v4/format";
import { OpenedFiles } from "./openedFiles";
import { otherJson } from "./otherJson";
import { paje } from "./paje/format";
import { perf } from "./perf/format";
import { tracker } from "./tracker/format";
import { contextOf, type OpenOptions, withContext } from "./readContext";
import { closeTraces } from "./reading";

/** Every format that can be read; where two recognize a file, the first one reads it. */
const FORMATS: readonly Format[] = [
  tracker,
  dmtracker,
  caliper,
  hpctoolkitV2,
  hpctoolkitV4,
  paje,
  perf,
  chromeTrace,
  callgrind,
];

/**
 * Reads recordings. Files of one run make one data set, others further ones (semantics 7, One run); the result does
 * not depend on the order of `paths`.
 *
 * @param paths files, and folders whose files are recordings; absolute
 * @throws FormatError when a file that was named cannot be read, or a folder holds nothing that can
 * @throws AmbiguityError when the files can be understood in several ways and `options.answer` does not say which
 * @throws CancelledError
 */
export async function openRecordings(paths: readonly string[], options: OpenOptions, task: Task): Promise<DataSet[]> {
  const dataSets: DataSet[] = [];
  const again = <Result>(task: Task, use: (context: ReadContext) => Promise<Result>) => withContext(options, task, use);
  const read = async (
    format: Format,
    files: readonly RecordingFile[],
    { context, factsOf, noteCut }: FormatReading,
  ) => {
    for (const dataSet of await new FirstReading(format, files, context, again).dataSets(task)) {
      noteCut(dataSet);
      dataSets.push(withFacts(dataSet, await factsOf(dataSet)));
    }
    return dataSets.length;
  };
  const warnings = await eachFormat(paths, options, task, read).catch(async (problem: unknown) => {
    await closeTraces(dataSets);
    throw problem;
  });
  if (warnings.length === 0) return dataSets;
  // Of the opening, not of one data set: said once, however many there are.
  const [first, ...others] = dataSets;
  return [{ ...first, warnings: [...first.warnings, ...warnings] }, ...others];
}

/** One of many runs, and what a traced build has kept beside it. */
export interface ReadRun {
  readonly run: DataSet;
  readonly facts?: RunFacts;
  /** It is what its one file says, whatever else is there. */
  readonly isAlone?: boolean;
}

/**
 * As {@link openRecordings}, of recordings of which many are compared: each is handed over once it is read, in any order, and need
 * not stay in memory.
 *
 * @returns what is wrong with files that were left out
 */
export async function readRuns(
  paths: readonly string[],
  options: OpenOptions,
  take: (read: ReadRun) => void,
  task: Task,
): Promise<Warning[]> {
  let count = options.known?.size ?? 0;
  return eachFormat(paths, options, task, async (format, files, { context, factsOf, isTraced, noteCut }) => {
    const traced: DataSet[] = [];
    const takeRun = (run: DataSet, isAlone = false) => {
      count++;
      noteCut(run);
      if (isTraced(run)) traced.push(run);
      else take({ run, ...(isAlone ? { isAlone } : {}) });
    };
    if (format.readRuns) await format.readRuns(files, context, takeRun, task);
    else for (const run of await format.read(files, context, task)) takeRun(run);
    for (const run of traced) {
      const facts = await factsOf(run);
      take({ run: withFacts(run, facts), ...(facts ? { facts } : {}) });
    }
    return count;
  });
}

/** What a format reads with. */
interface FormatReading {
  readonly context: ReadContext;
  /** Whether a traced build may have kept something beside it, where its folder was listed. */
  isTraced(dataSet: DataSet): boolean;
  factsOf(dataSet: DataSet): Promise<RunFacts | undefined>;
  /** Notes the files that the recording's own warnings call cut: a packed one has no second warning then. */
  noteCut(dataSet: DataSet): void;
}

/**
 * Reads the files of each format.
 *
 * @param read says how many recordings there are by now
 * @returns warnings of the opening
 */
async function eachFormat(
  paths: readonly string[],
  options: OpenOptions,
  task: Task,
  read: (format: Format, files: readonly RecordingFile[], reading: FormatReading) => Promise<number>,
): Promise<Warning[]> {
  const failures: FormatError[] = [];
  const system = options.files ?? systemFiles;
  const folders = new Folders(system);
  const opened = new OpenedFiles(system, folders);
  const tracedIn = new Map<string, boolean>();
  const knownCut = new Set<string | undefined>();
  const reading: FormatReading = {
    context: contextOf(options, opened, failures, task),
    isTraced: ({ files }) => files.length > 0 && tracedIn.get(path.dirname(files[0])) !== false,
    factsOf: (dataSet) => factsBeside(dataSet, opened, folders),
    noteCut({ warnings }) {
      for (const { file, isCut } of warnings) if (isCut) knownCut.add(file);
    },
  };
  const { known = new Set<string>() } = options;
  let [files, recordings] = [known.size, known.size];
  let changes: Warning[];
  try {
    const found = await recognize(await candidates(paths, system, folders), known, folders, opened, failures, task);
    files += failures.length;
    for (const recognized of found.values()) {
      files += recognized.length;
      for (const { file, siblings } of recognized) tracedIn.set(path.dirname(file), siblings.has(RUN_FILE));
    }
    for (const [format, files] of found) recordings = await read(format, files, reading);
    changes = await opened.warnings(task);
  } finally {
    await opened.close();
  }
  if (recordings === 0) throw failures[0] ?? nothingReadable(paths, options.searched);
  const leftOut = failures.map(({ problem: { file, at, found, expected, advice } }, index): Warning => {
    const howMany = index > 0 ? "" : `${files - failures.length} of ${files} files opened; `;
    const message = `${howMany}left out: found ${found}; expected ${expected}. ${advice}`;
    return { message, file, ...(at === undefined ? {} : { at }) };
  });
  return [...leftOut, ...changes.filter(({ file, isCut }) => !isCut || !knownCut.has(file))];
}

/** What a traced build has kept beside a recording. */
async function factsBeside(dataSet: DataSet, opened: OpenedFiles, folders: Folders): Promise<RunFacts | undefined> {
  const file = dataSet.files.at(0);
  if (file === undefined || !(await folders.namesBeside(file)).has(RUN_FILE)) return undefined;
  const head = await opened.head(path.join(path.dirname(file), RUN_FILE)).catch(() => undefined);
  return head === undefined ? undefined : readRunFacts(Buffer.from(head.bytes).toString("utf8"));
}

/** What a traced build has kept becomes metadata of its recording. */
function withFacts(dataSet: DataSet, facts: RunFacts | undefined): DataSet {
  if (facts === undefined) return dataSet;
  const own = runGlobals(facts).map(([name, value]) => [name, [value]] as const);
  return { ...dataSet, name: runTitle(facts), globals: new Map([...own, ...dataSet.globals]) };
}

/** A file that may be a recording. */
interface Candidate {
  readonly file: string;
  readonly named: boolean;
  readonly link: boolean;
}

/** Files that were named, and those of folders that were named, each path once. */
async function candidates(paths: readonly string[], system: FileSystem, folders: Folders): Promise<Candidate[]> {
  const found = new Map<string, Candidate>();
  for (const given of paths) {
    const status = folders.isFile(given) ? undefined : await system.stat(given).catch(() => undefined);
    if (!status?.isDirectory()) {
      // The next ones that are named in this folder need not be asked what they are.
      await folders.namesBeside(given);
      found.set(given, { file: given, named: true, link: false });
      continue;
    }
    const { names, links } = await folders.of(given);
    for (const name of names) {
      const file = path.join(given, name);
      if (!found.has(file)) found.set(file, { file, named: false, link: links.has(name) });
    }
  }
  // What the user named comes first, and a file before links to it: the first of several names is kept.
  const order = ({ named, link }: Candidate) => (named ? 0 : link ? 2 : 1);
  return [...found.values()].sort((a, b) => order(a) - order(b) || (a.file < b.file ? -1 : 1));
}

/**
 * Files by format, each once, whatever it is called, and in canonical order.
 *
 * @param known files that are not read, nor others that are the same file
 * @throws FormatError where a file that was named is of no known format
 */
async function recognize(
  files: readonly Candidate[],
  known: ReadonlySet<string>,
  folders: Folders,
  opened: OpenedFiles,
  failures: FormatError[],
  task: Task,
): Promise<Map<Format, RecordingFile[]>> {
  const found = new Map<Format, RecordingFile[]>();
  const seen = new Set<string>();
  // valgrind leaves an empty file beside those of threads, and a pattern names it too.
  const mayBeMissed = async (file: string) => files.length > 1 && (await opened.head(file)).bytes.length === 0;
  for (const { file } of files) if (known.has(file)) seen.add(await opened.identityOf(file));
  for (const { file, named } of files) {
    task.check();
    if (known.has(file)) continue;
    const siblings = await folders.namesBeside(file);
    try {
      const head = await opened.head(file);
      const identity = await opened.identityOf(file);
      if (seen.has(identity)) continue;
      seen.add(identity);
      const format = FORMATS.find((one) => one.recognizes(head, siblings));
      if (format === undefined) {
        if (named || FORMATS.some((one) => one.named?.test(path.basename(file)))) throw unknownFormat(file, head);
        continue;
      }
      entryOf(found, format, () => []).push({ file, named, siblings });
    } catch (problem) {
      if (!(problem instanceof FormatError) || (named && !(await mayBeMissed(file)))) throw problem;
      failures.push(problem);
    }
  }
  for (const files of found.values()) files.sort((a, b) => compareText(a.file, b.file));
  // In the order of the formats' first files, as the files' own order would have it.
  return new Map([...found].sort(([, [a]], [, [b]]) => (a.file < b.file ? -1 : 1)));
}

function unknownFormat(file: string, head: Head): FormatError {
  const { bytes } = head;
  const expected = `a recording: ${labels()}`;
  if (bytes.length === 0) {
    const advice = "The program that was to write it may have ended early: look at its output, and record again.";
    return new FormatError({ file, at: { byte: 0 }, found: "an empty file", expected, advice, isOther: true });
  }
  const text = headText(bytes, 4096).trimStart();
  const json = text.startsWith("{") || text.startsWith("[");
  const other = json ? otherJson(bytes) : undefined;
  if (other !== undefined)
    return new FormatError({
      file,
      at: { byte: 0 },
      expected: "events or samples with their times",
      isOther: true,
      ...other,
    });
  const remedy = json ? undefined : perfRemedy(bytes);
  const binary = !json && bytes.subarray(0, 4096).some((byte) => byte === 0);
  return new FormatError({
    file,
    at: { byte: 0 },
    found: json
      ? "JSON that is no profile"
      : (knownByHead(bytes) ??
        (binary ? "binary data of a format that is not known" : "text of a format that is not known")),
    expected,
    isOther: true,
    ...(remedy === undefined ? {} : { remedy }),
    advice: json
      ? 'Caliper writes profiles with `cali-query -q "format json-split"`; other JSON cannot be opened.'
      : remedy === undefined
        ? "Open the file that the measuring tool wrote itself."
        : `${remedy} ${PERF_CONDITIONS}`,
  });
}

/** What other files begin with that lie beside recordings. */
const OTHER_FILES: readonly (readonly [head: string, what: string])[] = [
  ["PERFILE2", "perf's own binary file, which only perf reads"],
  ["\x89PNG", "a PNG image"],
  ["\xff\xd8\xff", "a JPEG image"],
  ["GIF8", "a GIF image"],
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive"],
  ["\x7fELF", "a program or library"],
  ["SQLite format 3\0", "an SQLite database"],
];

function knownByHead(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return OTHER_FILES.find(([begin]) => head.startsWith(begin))?.[1];
}

/** Advice to convert perf's own file into one that can be opened. */
function perfRemedy(head: Uint8Array): string | undefined {
  if (!startsWith(head, "PERFILE2")) return undefined;
  return "Print it with `perf script --header -i perf.data -F +pid,+srcline --full-source-path > recording.perf-script`, and open that.";
}

const PERF_CONDITIONS =
  "Print it on the machine where it was recorded, as long as the program is the one that ran there. " +
  "Calling contexts need `perf record --call-graph dwarf`, or `-g` where all was built with -fno-omit-frame-pointer.";

function nothingReadable(paths: readonly string[], searched?: readonly string[]): FormatError {
  return new FormatError({
    file: (searched ?? paths).join(", "),
    found: "no recording in it",
    expected: `at least one file that is a recording: ${labels()}`,
    advice: searched
      ? "Folders inside it were searched, too, but for hidden ones and links."
      : "Folders inside it are not searched: open the folder that holds the recordings themselves.",
  });
}

function labels(): string {
  return FORMATS.map(({ label }) => label).join(", ");
}
