import fs from "node:fs";
import path from "node:path";
import { CaliWriter, rank, regions, time, worldSize } from "../unit/formats/caliper/caliWriter";
import type { Written } from "./inputs";
import { xorshift } from "./superGraphTrees";

export interface EnsembleShape {
  readonly runs: number;
  readonly contexts: number;
  readonly ranks: number;
}

/** Of twenty contexts one is missing in a run, with all that it calls. */
const MISSING = 0.05;

/** Writes runs of one program, a file each as Caliper's own service for MPI writes them, every one without some of the contexts. */
export function writeEnsemble(folder: string, { runs, contexts, ranks }: EnsembleShape): Written {
  const random = xorshift(contexts);
  const out = new CaliWriter();
  const parent = Array.from({ length: contexts }, (_, at) => Math.floor(random() * at));
  const paths = [["main"]];
  // A region is called from several others, as solvers are.
  for (let at = 1; at < contexts; at++) paths.push([...paths[parent[at]], `solver_step_${at >> 1}`]);
  const ids = paths.map((names) => out.branch(regions(...names)));
  const columns = `${out.attribute(rank)}=${out.attribute(time)}`;
  const size = `__rec=globals,ref=${out.branch([[worldSize, String(ranks)]])}\n`;
  const nodes = out.text();
  let [bytes, records] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const isMissing = new Uint8Array(contexts);
    const lines: string[] = [];
    for (let at = 0; at < contexts; at++) {
      isMissing[at] = at > 0 && (isMissing[parent[at]] === 1 || random() < MISSING / 4) ? 1 : 0;
      if (isMissing[at] === 1) continue;
      for (let of = 0; of < ranks; of++)
        lines.push(`__rec=ctx,ref=${ids[at]},attr=${columns},data=${of}=${(random() * 10).toFixed(6)}\n`);
    }
    records += lines.length;
    const text = nodes + lines.join("") + size;
    fs.writeFileSync(path.join(folder, `miniheat_np${ranks}_r${String(run).padStart(5, "0")}.cali`), text);
    bytes += text.length;
  }
  return { path: folder, bytes, records };
}
