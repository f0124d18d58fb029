/** The sample program's runs with other globals: written as Caliper's own text, for ensembles of any parameters. */
import fs from "node:fs";
import path from "node:path";
import { miniheat } from "../../../recordings";
import { escape } from "../../formats/caliper/caliWriter";

export interface RunWithGlobals {
  /** Number of ranks: 1, 2, 4, 8, 16 or 27. */
  readonly ranks: number;
  /** Of three. */
  readonly repeat?: number;
  readonly globals: Readonly<Record<string, string | number>>;
}

/** Writes `run-1.cali` and so on. @returns the files */
export function writeRuns(folder: string, runs: readonly RunWithGlobals[]): string[] {
  return runs.map(({ ranks, repeat = 1, globals }, at) => {
    const text = fs.readFileSync(path.join(miniheat, `profiles/ensemble/np${ranks}-r${repeat}.cali`), "utf8");
    const file = path.join(folder, `run-${at + 1}.cali`);
    fs.writeFileSync(file, withGlobals(text, globals));
    return file;
  });
}

/** Ids that these recordings do not use. */
const FIRST_ID = 90_000;

function withGlobals(text: string, globals: RunWithGlobals["globals"]): string {
  const nodes = [`__rec=node,id=${FIRST_ID},attr=10,data=1612,parent=3`];
  const references = Object.entries(globals).map(([name, value], at) => {
    const id = FIRST_ID + 2 * at + 1;
    nodes.push(`__rec=node,id=${id},attr=8,data=${escape(name)},parent=${FIRST_ID}`);
    nodes.push(`__rec=node,id=${id + 1},attr=${id},data=${escape(String(value))}`);
    return `=${id + 1}`;
  });
  return text.replace(/^__rec=globals,ref=.*$/m, (record) => `${nodes.join("\n")}\n${record}${references.join("")}`);
}
