/**
 * Small calling context trees as people write them: a line for each context, two blanks deeper than its caller, with what it costs
 * itself, by rank where ranks differ, and the file of its definition:
 *
 *     main 1
 *       solve 2 rank0=3 solver.cpp
 *
 * A number alone is of each rank of the text that the line does not name (of rank 0 where none is named at all). A line without
 * numbers has no costs of its own.
 */
export interface TextContext {
  /** What stands before the first number; it may hold blanks where a number follows. */
  readonly name: string;
  /** Index of its caller in the list; undefined: a root. */
  readonly parent: number | undefined;
  /** Names from the root to itself. */
  readonly path: readonly string[];
  /** Exclusive by rank. */
  readonly seconds: ReadonlyMap<number, number>;
  readonly file: string | undefined;
}

/** The contexts of a text, callers before callees. */
export function textTree(text: string): TextContext[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const margin = Math.min(...lines.map((line) => line.search(/\S/)));
  const ranks = [...new Set([...text.matchAll(/ rank(\d+)=/g)].map(([, rank]) => Number(rank)))];
  const contexts: TextContext[] = [];
  const open: number[] = [];
  for (const line of lines) {
    const depth = (line.search(/\S/) - margin) / 2;
    if (!Number.isInteger(depth) || depth > open.length) throw new Error(`"${line}" is below no line.`);
    const words = line.trim().split(" ");
    const first = words.findIndex(isCost);
    const [name, more] = first < 0 ? [words.join(" "), []] : [words.slice(0, first).join(" "), words.slice(first)];
    const parent = open[depth - 1];
    contexts.push({
      name,
      parent,
      path: [...(parent === undefined ? [] : contexts[parent].path), name],
      seconds: secondsOf(more.filter(isCost), ranks.length === 0 ? [0] : ranks),
      file: more.find((word) => !isCost(word)),
    });
    open.splice(depth, open.length, contexts.length - 1);
  }
  return contexts;
}

function isCost(word: string): boolean {
  return /^(rank\d+=)?(-?\d+(\.\d+)?|NaN)$/.test(word);
}

function secondsOf(words: readonly string[], ranks: readonly number[]): Map<number, number> {
  const seconds = new Map<number, number>();
  for (const word of words) {
    const [, rank, value] = /^(?:rank(\d+)=)?(.*)$/.exec(word) ?? [];
    if (rank !== undefined) seconds.set(Number(rank), Number(value));
    else
      for (const other of ranks)
        if (!words.some((one) => one.startsWith(`rank${other}=`))) seconds.set(other, Number(value));
  }
  return seconds;
}
