/** The table of `heatflow ensemble --csv` as others read it, and runs that are written for it. */
import fs from "node:fs";
import path from "node:path";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { grammars } from "../engine/miniheat";
import { CaliWriter, rank, regions, time } from "../formats/caliper/caliWriter";
import { captured } from "./commands";

export type Row = Readonly<Record<string, string>>;
export type WrittenCost = readonly [path: readonly string[], seconds: number];

export async function table(...args: string[]): Promise<{ rows: Row[]; warnings: string[] }> {
  const request = ensembleArguments([...args, "--csv"], process.cwd());
  const { output, text } = captured();
  const warnings: string[] = [];
  await request.writeCsv?.(localEngine(grammars), output, (warning) => warnings.push(warning));
  await output.flush();
  return { rows: rowsOf(text()), warnings };
}

/** By the names of its columns. */
export function rowsOf(text: string): Row[] {
  const [head, ...cells] = parsed(text);
  return cells.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
}

/** A run of one rank. */
export function writeRun(folder: string, name: string, costs: readonly WrittenCost[]): void {
  const out = new CaliWriter();
  for (const [names, seconds] of costs) out.snapshot([regions(...names)], [[rank, 0], [time, seconds]]); // prettier-ignore
  fs.writeFileSync(path.join(folder, name), out.text());
}

/** RFC 4180, read character by character. @throws where rows are not of one length */
function parsed(text: string): string[][] {
  const rows: string[][] = [[""]];
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const row = rows[rows.length - 1];
    if (isQuoted && text.startsWith('""', at)) row[row.length - 1] += text[at++];
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (isQuoted) row[row.length - 1] += text[at];
    else if (text[at] === ",") row.push("");
    else if (text[at] === "\n" && text[at - 1] === "\r") rows.push([""]);
    else if (text[at] === "\r" && text[at + 1] === "\n") continue;
    else row[row.length - 1] += text[at];
  }
  if (rows.pop()?.join() !== "") throw new Error("the last row has no end");
  if (rows.some((row) => row.length !== rows[0].length)) throw new Error("rows are not of one length");
  return rows;
}
