import fs from "node:fs";

/** What callgrind's own format says, read as plainly as can be: costs of lines, and all of them together. */
export interface CallgrindLines {
  readonly total: number;
  /** Own cost by `file:line`; names as they were recorded. */
  readonly lines: ReadonlyMap<string, number>;
}

/** Adds up the first event of recordings of one run (docs of valgrind: Callgrind Format Specification). */
export function callgrindLines(files: readonly string[]): CallgrindLines {
  const lines = new Map<string, number>();
  let total = 0;
  for (const file of files) {
    const names = new Map<string, string>();
    let name = "";
    let line = 0;
    let isCall = false;
    for (const text of fs.readFileSync(file, "utf8").split("\n")) {
      total += Number(/^totals: (\d+)/.exec(text)?.[1] ?? 0);
      const [, kind, id, given] = /^(fl|fi|fe|cfi|cfl)=(\(\d+\))? ?(.*)$/.exec(text) ?? [];
      if (kind) {
        if (id && given) names.set(id, given);
        if (!kind.startsWith("c")) name = id ? (names.get(id) ?? "") : given;
      }
      if (text.startsWith("calls=")) isCall = true;
      const [, sign, number, cost] = /^([+-]?)(\d+|\*) (\d+)/.exec(text) ?? [];
      if (cost === undefined) continue;
      line = number === "*" ? line : sign === "" ? Number(number) : line + Number(sign + number);
      // The costs behind a call are those of the called function.
      if (!isCall) lines.set(`${name}:${line}`, (lines.get(`${name}:${line}`) ?? 0) + Number(cost));
      isCall = false;
    }
  }
  return { total, lines };
}
