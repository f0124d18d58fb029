import fs from "node:fs";

/** What a program's recording is like; all of it is by function. */
export interface CallgrindShape {
  /** Distinct lines with costs. */
  readonly lines: number;
  /** How many of them come a second time: their code is in several blocks. */
  readonly again: number;
  /** A call after so many costs. */
  readonly linesACall: number;
  /** Code inlined from another file comes after so many costs; 0: never. */
  readonly linesAnInline: number;
  /** Characters of a name. */
  readonly name: number;
  /** Functions of a file of source. */
  readonly functionsAFile: number;
}

/**
 * As counted in what callgrind wrote of a C++ program (regular expressions, containers and streams, -O1 -g): 564 functions with
 * 7,423 distinct lines in 11,330 costs and 1,333 calls, names of 118 characters, 0.216 MB, so 29 bytes of the file a distinct
 * line. (SQLite in C: 16 bytes a line, with cache and branch simulation 33, with --separate-callers=3 19, with --dump-instr 37.)
 */
export const COUNTED: CallgrindShape = {
  lines: 14,
  again: 6,
  linesACall: 8,
  linesAnInline: 7,
  name: 118,
  functionsAFile: 4,
};
/** Denser than any recording we know, with ten bytes a distinct line: what it takes at worst. */
export const DENSE: CallgrindShape = {
  lines: 278,
  again: 0,
  linesACall: 16,
  linesAnInline: 0,
  name: 57,
  functionsAFile: 20,
};

const MOST_PENDING = 20_000;

/**
 * Writes what callgrind writes of one dump of a large program: functions with their lines and the calls from some of them, names
 * compressed, lines relative to the last one.
 *
 * @returns bytes written and the number of cost lines
 */
export function writeCallgrindFile(
  file: string,
  bytes: number,
  shape: CallgrindShape,
): { bytes: number; records: number } {
  const out = fs.openSync(file, "w");
  let written = 0;
  let waiting = 0;
  let pending: string[] = [];
  const flush = () => {
    written += fs.writeSync(out, pending.join(""));
    pending = [];
    waiting = 0;
  };
  const write = (text: string) => {
    waiting += text.length;
    pending.push(text);
  };
  let seed = 4711;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  const known = new Set<string>();
  const once = (kind: string, id: number, text: () => string) => {
    const short = `(${id + 1})`;
    if (known.has(kind + short)) return short;
    known.add(kind + short);
    return `${short} ${text()}`;
  };
  const nameOf = (id: number) => once("fn", id, () => `solver::Kernel<${id}>::apply(double*)`.padEnd(shape.name, "x"));
  const fileOf = (id: number) => once("fl", id, () => `/home/me/program/src/file_${id}.cpp`);
  let records = 0;
  let total = 0;
  const cost = (position: string) => {
    const own = 1 + random(5000);
    write(`${position} ${own}\n`);
    records++;
    total += own;
  };
  write("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 4711\ncmd: ./program\n");
  write("part: 1\ndesc: Trigger: Program termination\npositions: line\nevents: Ir\nob=(1) /home/me/program/run\n");
  const linesOfFunction = 3 * shape.lines;
  const again = Math.round((20 * shape.again) / (shape.lines + shape.again));
  for (let id = 0; written + waiting < bytes; id++) {
    const source = Math.floor(id / shape.functionsAFile);
    write(`fl=${fileOf(source)}\nfn=${nameOf(id)}\n`);
    cost(`${10 + (id % shape.functionsAFile) * linesOfFunction}`);
    let inlined = false;
    for (let line = 1; line < shape.lines + shape.again; line++) {
      if (shape.linesAnInline > 0 && line % shape.linesAnInline === 0) {
        inlined = !inlined;
        write(inlined ? `fi=${fileOf(Math.max(0, source - 1 - random(50)))}\n` : `fe=${fileOf(source)}\n`);
      }
      cost(line % 20 < again ? "*" : `+${1 + random(4)}`);
      // Calls lead to functions further on: a graph without cycles, as most of a program's is.
      if (line % shape.linesACall === 3) {
        const callee = id + 1 + random(50);
        const callees = Math.floor(callee / shape.functionsAFile);
        write(`${callees === source ? "" : `cfi=${fileOf(callees)}\n`}cfn=${nameOf(callee)}\n`);
        write(`calls=${1 + random(9)} ${10 + random(5000)}\n* ${5000 + random(5000)}\n`);
        records++;
      }
    }
    write("\n");
    if (pending.length > MOST_PENDING) flush();
  }
  write(`totals: ${total}\n`);
  flush();
  fs.closeSync(out);
  return { bytes: written, records };
}
