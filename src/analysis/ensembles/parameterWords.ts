/** Words in the names of parameters: they show which numbers are results of a run, and which are its inputs (semantics 16, section 10). */

const listed = (words: string) => new Set(words.split(" "));

/** Words of times, results and identities. */
const OUTPUT_WORDS = listed(
  "time times elapsed seconds second sec secs nsec usec msec start started starttime end ended endtime launchdate date stamp " +
    "timestamp duration fom merit figure rate flops gflops mflops bandwidth throughput speed performance energy power error " +
    "residual norm checksum hash uuid guid jobid job pid port seed version commit rss memory " +
    "walltime runtime nanoseconds microseconds milliseconds repeat repetition replicate trial attempt",
);
/** Numbers of a run or a process if a name ends with them: `heatflow.run`, but not `ProblemSizeRunParam`. */
const LAST_OUTPUT_WORDS = listed("run process");
const RANK_WORDS = listed("ranks world nprocs procs processes tasks");
const THREAD_WORDS = listed("threads cores gpus");
/** `omp_max_threads` and `topology.hardwareThreads` are limits of a machine, not the number of threads that worked. */
const LIMIT_WORDS = listed("max allowed hardware");
const SIZE_WORDS = listed(
  "size sizes problem elements elems cells zones points particles nodes n nx ny nz grid mesh length dim dims scale level levels " +
    "order batch degree rows cols",
);

/** A capital with the small letters after it, or capitals alone: `nodeID2` is node, id. */
const WORD = /\p{Lu}?(?:(?!\p{Lu})\p{L})+|\p{Lu}+(?!(?!\p{Lu})\p{L})/gu;

/** The words of a name in small letters, parted at capitals and at all that is no letter. */
export function wordsOf(name: string): string[] {
  return (name.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** Whether a parameter is called like a time, a result or an identity. */
export function isNamedAsOutput(name: string): boolean {
  return hasWord(name, OUTPUT_WORDS) || LAST_OUTPUT_WORDS.has(wordsOf(name).at(-1) ?? "");
}

/** Kind of count that a number is, by its name: one that programs scale over. */
export type NamedCount = "ranks" | "threads" | "size";

/** @returns undefined for any other name */
export function namedCount(name: string): NamedCount | undefined {
  if (hasWord(name, RANK_WORDS)) return "ranks";
  if (hasWord(name, THREAD_WORDS) && !hasWord(name, LIMIT_WORDS)) return "threads";
  return hasWord(name, SIZE_WORDS) ? "size" : undefined;
}

function hasWord(name: string, words: ReadonlySet<string>): boolean {
  return wordsOf(name).some((word) => words.has(word));
}
