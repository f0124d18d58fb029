import fs from "node:fs";

const FUNCTIONS = 60_000;
const FILES = 3_000;

/**
 * Writes what callgrind writes of a large program: functions with some tens of lines each and calls from some of them, names
 * compressed, lines relative to the last one. A further dump of the same functions follows until the file is long enough.
 *
 * @returns bytes written and the number of cost lines
 */
export function writeCallgrindFile(file: string, bytes: number): { bytes: number; records: number } {
  const out = fs.openSync(file, "w");
  let written = 0;
  let pending: string[] = [];
  const flush = () => {
    written += fs.writeSync(out, pending.join(""));
    pending = [];
  };
  pending.push("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 4711\ncmd: ./program\n");
  let seed = 4711;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  const linesOf = Math.max(1, Math.round(bytes / FUNCTIONS / 9));
  pending.push("part: 1\ndesc: Trigger: Program termination\npositions: line\nevents: Ir\nob=(1) /home/me/program\n");
  const named = new Uint8Array(FUNCTIONS);
  const namedFile = new Uint8Array(FILES);
  const nameOf = (id: number) => {
    if (named[id] === 1) return `(${id + 1})`;
    named[id] = 1;
    return `(${id + 1}) solver::Kernel<${id}>::apply(double*, unsigned long)`;
  };
  let records = 0;
  let total = 0;
  for (let id = 0; id < FUNCTIONS; id++) {
    const source = id % FILES;
    pending.push(`fl=(${source + 1})${namedFile[source] === 1 ? "" : ` /home/me/src/file_${source}.cpp`}\n`);
    namedFile[source] = 1;
    pending.push(`fn=${nameOf(id)}\n${10 + (id % 5000)} 5\n`);
    records++;
    total += 5;
    for (let line = 0; line < linesOf; line++) {
      const cost = 1 + random(5000);
      pending.push(`+${1 + random(4)} ${cost}\n`);
      records++;
      total += cost;
      // Calls lead to functions further on: a graph without cycles, as most of a program's is.
      if (line % 16 === 3 && id + 1 < FUNCTIONS) {
        const callee = Math.min(FUNCTIONS - 1, id + 1 + random(50));
        pending.push(
          `cfn=${nameOf(callee)}\ncalls=${1 + random(9)} ${10 + (callee % 5000)}\n* ${5000 + random(5000)}\n`,
        );
        records++;
      }
    }
    if (pending.length > 20_000) flush();
  }
  pending.push(`totals: ${total}\n`);
  flush();
  fs.closeSync(out);
  return { bytes: written, records };
}
