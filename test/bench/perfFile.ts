import fs from "node:fs";

const MODULE = "/home/user/miniheat/miniheat";
const DEPTH = 12;
const FUNCTIONS = 400;
const THREADS = 4;

/**
 * Writes samples as `perf script -F +pid,+srcline --full-source-path` does: call chains of twelve functions, of which the inner ones vary,
 * each with its source line.
 *
 * @returns bytes written and the number of samples
 */
export function writePerfScript(file: string, bytes: number): { bytes: number; records: number } {
  const out = fs.openSync(file, "w");
  let written = 0;
  let pending: string[] = [];
  const flush = () => {
    written += fs.writeSync(out, pending.join(""));
    pending = [];
  };
  let records = 0;
  while (written < bytes) {
    const thread = 4711 + (records % THREADS);
    const time = (59_957_324_965 + 251 * records) / 1e6;
    pending.push(`miniheat  4711/${thread}  ${time.toFixed(6)}:    1003009 cpu-clock: \n`);
    for (let level = 0; level < DEPTH; level++) {
      const number = level > DEPTH / 2 ? level : (records * (DEPTH - level) + 31 * level) % FUNCTIONS;
      const offset = (records + level) % 7;
      const address = (0x1000 + 256 * number + offset).toString(16).padStart(16);
      pending.push(
        `\t${address} mini::physics::kernel${number}<double>+0x${offset.toString(16)} (${MODULE})\n`,
        `  /home/user/miniheat/src/kernel${number % 40}.cpp:${10 * number + offset + 1}\n`,
      );
    }
    pending.push("\n");
    records++;
    if (pending.length > 8192) flush();
  }
  flush();
  fs.closeSync(out);
  return { bytes: written, records };
}
