/**
 * What time over time is spent on (semantics 9, Categories). A recording's categories say it where its tool knew; where it did not,
 * the name of an event does, by the user's table or by what names mean everywhere. Nothing is guessed from durations. Pure.
 */
import { isMpiFileCall, isNamedAsMpi } from "./mpiNames";
import type { Category, CategoryKind } from "./trace";

/** In the order of legends. */
export const eventKinds = ["computing", "GPU", "data movement", "communication", "runtime", "I/O", "idle"] as const;
export type EventKind = (typeof eventKinds)[number];

/** Characters of a list beyond which the number of its kinds stands for it, as of members: it stands on chips. */
const MOST_LIST = 40;

/** In the order of legends, each once: `communication, I/O`. */
export function kindsText(kinds: readonly EventKind[]): string {
  const listed = eventKinds.filter((kind) => kinds.includes(kind));
  const text = listed.join(", ");
  return text.length > MOST_LIST ? `${listed.length} categories` : text;
}

/** What tools mean; of what they say nothing about, the kinds are "compute" and "other". */
const TOLD: Partial<Record<CategoryKind, EventKind>> = {
  gpuCompute: "GPU",
  transfer: "data movement",
  communication: "communication",
  runtime: "runtime",
  synchronization: "runtime",
  io: "I/O",
  idle: "idle",
};

/** HPCToolkit's placeholders for what is no function: each sample of a GPU stream or of a waiting thread is of a context below one. */
const PLACEHOLDERS: ReadonlyMap<string, EventKind> = new Map([
  ["<gpu copy>", "data movement"],
  ["<gpu copyin>", "data movement"],
  ["<gpu copyout>", "data movement"],
  ["<gpu memset>", "data movement"],
  ["<gpu kernel>", "GPU"],
  ["<gpu alloc>", "runtime"],
  ["<gpu delete>", "runtime"],
  ["<gpu sync>", "runtime"],
  ["<omp idle>", "idle"],
  ["<no activity>", "idle"],
]);

/** What names mean everywhere; the first that fits. */
const NAMES: readonly (readonly [RegExp, EventKind])[] = [
  [/^nccl/, "communication"],
  [/memcpy|memset/i, "data movement"],
  [/^(?:cuda|hip)/, "runtime"],
  [
    /^(?:__(?:libc_|GI_+(?:libc_)?)?)?(?:open|open64|openat|creat|close|read|write|pread|pwrite|pread64|pwrite64|readv|writev|preadv|pwritev|lseek|lseek64|fsync|fdatasync|ftruncate|sendfile|fopen|fopen64|fclose|fread|fwrite|fgets|fputs|fgetc|fputc|getline|fprintf|vfprintf|fscanf|fseek|fflush)$/,
    "I/O",
  ],
  [/^(?:[Ii]dle|Sleeping)$/, "idle"],
];

/**
 * Of an event's category and name: an index into {@link eventKinds}.
 *
 * @param named names to kinds, as the user's table has them: the setting `heatflow.categories`, applied to the names of the recording
 */
export function kindOfEvent({ kind }: Category, name: string, named: ReadonlyMap<string, string>): number {
  // Files are I/O, whatever tags the rest of MPI has.
  const said = isMpiFileCall(name) ? "I/O" : (PLACEHOLDERS.get(name) ?? TOLD[kind]);
  const own = eventKinds.findIndex((one) => one === (said ?? named.get(name)));
  if (own >= 0) return own;
  if (isNamedAsMpi(name)) return eventKinds.indexOf("communication");
  return eventKinds.indexOf(NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? "computing");
}
