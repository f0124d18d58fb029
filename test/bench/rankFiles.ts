import fs from "node:fs";
import path from "node:path";
import { CaliWriter, rank, regions, time, worldSize } from "../unit/formats/caliper/caliWriter";
import type { Written } from "./inputs";
import { xorshift } from "./superGraphTrees";

/** About the size of each file. */
export const RANK_FILE_BYTES = 20_000;
/** Calling contexts of each rank: with their names and values a file of 20 KB. */
const CONTEXTS = 190;

/**
 * Writes one run as Caliper does with a file per rank: the same calling contexts in all of them, every rank with times of its own.
 *
 * @param ranks how many files of about 20 KB
 */
export function writeRankFiles(folder: string, ranks: number): Written {
  const random = xorshift(ranks);
  const out = new CaliWriter();
  const paths = [["main"]];
  for (let at = 1; at < CONTEXTS; at++) paths.push([...paths[Math.floor(random() * at)], `solver_step_${at}`]);
  const contexts = paths.map((names) => out.branch(regions(...names)));
  const columns = `${out.attribute(rank)}=${out.attribute(time)}`;
  const size = `__rec=globals,ref=${out.branch([[worldSize, String(ranks)]])}\n`;
  const nodes = out.text();
  let bytes = 0;
  for (let of = 0; of < ranks; of++) {
    const lines = contexts.map(
      (context) => `__rec=ctx,ref=${context},attr=${columns},data=${of}=${(random() * 10).toFixed(6)}\n`,
    );
    const text = nodes + lines.join("") + size;
    fs.writeFileSync(path.join(folder, `rank-${String(of).padStart(5, "0")}.cali`), text);
    bytes += text.length;
  }
  return { path: folder, bytes, records: ranks * CONTEXTS };
}
